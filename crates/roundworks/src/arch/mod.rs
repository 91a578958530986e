//! Everything that depends on the CPU: the one home of `unsafe`.
//!
//! A family requests a few vector operations: words of AES rounds (`AesLanes`), nibbles (AETHER),
//! and blocks of Minalpher. A folder here supplies them for one architecture, each back end behind
//! a token: a value that only CPU detection hands out. `entry` makes the functions through which
//! code that any CPU runs calls them, `saved` keeps a state between two of those calls.
#![allow(unsafe_code)]

#[cfg(target_arch = "aarch64")]
mod aarch64;
mod entry;
mod portable;
mod saved;
#[cfg(target_arch = "x86_64")]
mod x86_64;

pub(crate) use entry::clear_stack;
pub use entry::cleared;
pub(crate) use saved::Saved;

#[cfg(all(any(target_arch = "x86_64", target_arch = "aarch64"), not(miri)))]
use core::arch::asm;

use crate::permutation::kernel::{Family, Kernel as PermutationKernel, Permuting};
use crate::stream::{Kernel, Stream};
#[cfg(target_arch = "aarch64")]
use aarch64 as native;
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
use elsewhere as native;
use portable::Portable;
#[cfg(target_arch = "x86_64")]
use x86_64 as native;

/// The same place in memory, of which the compiler does not know that it is: what lies there is read again,
/// and not kept in a register, or on the stack where no register is left.
#[allow(clippy::pointers_in_nomem_asm_block)] // of which nothing is read there
#[inline(always)]
pub(crate) fn afresh<T>(x: &T) -> &T {
    #[cfg(all(any(target_arch = "x86_64", target_arch = "aarch64"), not(miri)))]
    {
        let mut at: *const T = x;
        // SAFETY: no instruction is executed, so that the address is that of `x`.
        unsafe {
            asm!("/* {0} */", inout(reg) at, options(pure, nomem, nostack, preserves_flags));
            &*at
        }
    }
    #[cfg(not(all(any(target_arch = "x86_64", target_arch = "aarch64"), not(miri))))]
    x
}

/// A cipher on AES rounds, written for every back end of this architecture that has them.
pub(crate) trait OnAes: Stream<Portable> + native::OnAes {}
impl<C: Stream<Portable> + native::OnAes> OnAes for C {}

/// The same on nibbles.
pub(crate) trait OnNibbles: Stream<Portable> + native::OnNibbles {}
impl<C: Stream<Portable> + native::OnNibbles> OnNibbles for C {}

/// The table of back ends, a row each: name, architecture, the token that proves its instructions, and what
/// it serves: the tokens for ciphers on AES rounds and for permutations, of which the first that the CPU has is
/// taken, a token for ciphers on nibbles, a kernel of Minalpher.
macro_rules! backends {
    ($(
        $(#[$doc:meta])*
        $Backend:ident $name:literal on $arch:meta, proven by $Token:path {
            $(aes $($aes:path),+;)?
            $(nibbles $($nibbles:path),+;)?
            $(minalpher $minalpher:path;)?
            $(permutations $($permuting:path),+;)?
        }
    )+) => {
        /// A set of CPU instructions that ciphers here are written for, slowest first.
        ///
        /// Each cipher lists those it has, for example [`Aether::BACKENDS`](crate::Aether::BACKENDS).
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Backend {
            $($(#[$doc])* $Backend,)+
        }

        impl Backend {
            /// Every back end, slowest first.
            pub const ALL: [Self; [$($name),+].len()] = [$(Self::$Backend),+];

            /// The name used on every surface: `portable`, `aesni`, ...
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$Backend => $name,)+
                }
            }

            /// Whether this CPU and operating system can run it. Does not change while the process
            /// lives.
            pub fn is_available(self) -> bool {
                match self {
                    $(#[cfg($arch)] Self::$Backend => <$Token>::detect().is_some(),)+
                    #[allow(unreachable_patterns)] // on none are all of them
                    _ => false,
                }
            }
        }

        /// The kernel of a cipher on AES rounds on a back end, if this CPU has it.
        pub(crate) fn aes<C: OnAes>(backend: Backend) -> Option<&'static Kernel<C>> {
            match backend {
                $($(#[cfg($arch)] Backend::$Backend => None$(.or_else(<$aes>::kernel))+,)?)+
                _ => None,
            }
        }

        /// The kernel of a cipher on nibbles.
        pub(crate) fn nibbles<C: OnNibbles>(backend: Backend) -> Option<&'static Kernel<C>> {
            match backend {
                $($(#[cfg($arch)] Backend::$Backend => None$(.or_else(<$nibbles>::kernel))+,)?)+
                _ => None,
            }
        }

        /// That of Minalpher.
        #[cfg(feature = "minalpher")]
        pub(crate) fn minalpher(backend: Backend) -> Option<&'static crate::minalpher::mode::Kernel> {
            let kernel = match backend {
                $($(#[cfg($arch)] Backend::$Backend => &$minalpher,)?)+
                _ => return None,
            };
            backend.is_available().then_some(kernel)
        }

        /// That of a permutation.
        pub(crate) fn permuting<F: Family<W, P>, P: 'static, const W: usize>(
            backend: Backend,
        ) -> Option<&'static PermutationKernel<W, P>> {
            match backend {
                Backend::Portable => Portable::permuting::<F::Portable, P, W>(),
                $($(#[cfg($arch)] Backend::$Backend => {
                    None$(.or_else(<$permuting>::permuting::<F, P, W>))+
                })?)+
                _ => None,
            }
        }
    };
}

backends! {
    /// Any CPU: bit-sliced, so no table lookup and no branch depends on a secret.
    Portable "portable" on all(), proven by Portable {
        aes Portable;
        nibbles Portable;
        minalpher portable::MINALPHER;
    }
    /// x86-64 with AES-NI.
    Aesni "aesni" on target_arch = "x86_64", proven by x86_64::Aesni {
        aes x86_64::Vex, x86_64::Aesni;
        permutations x86_64::Evex, x86_64::Vex, x86_64::Aesni;
    }
    /// x86-64 with AVX2.
    Avx2 "avx2" on target_arch = "x86_64", proven by x86_64::Avx2 {
        nibbles x86_64::Avx2;
        minalpher x86_64::MINALPHER_AVX2;
    }
    /// x86-64 with AVX2 and VAES: two AES rounds an instruction.
    Vaes256 "vaes256" on target_arch = "x86_64", proven by x86_64::Vaes256 {
        aes x86_64::Vaes256;
        permutations x86_64::Vaes256;
    }
    /// x86-64 with AVX-512 F, BW and VL, and VAES: four AES rounds an instruction, 32 registers.
    Vaes512 "vaes512" on target_arch = "x86_64", proven by x86_64::Vaes512 {
        aes x86_64::Vaes512;
        permutations x86_64::Vaes512;
    }
    /// x86-64 with AVX-512 F, BW, VL and VBMI, and with GFNI.
    Avx512 "avx512" on target_arch = "x86_64", proven by x86_64::Avx512 {
        nibbles x86_64::Evex256, x86_64::Avx512;
        minalpher x86_64::MINALPHER_AVX512;
    }
    /// 64-bit Arm with its AES instructions.
    Aarch64 "aarch64" on target_arch = "aarch64", proven by aarch64::Aarch64 {
        aes aarch64::Aarch64;
        permutations aarch64::Aarch64;
    }
}

/// What has a function of its own, and so all registers of the CPU.
pub(crate) trait Apart<L> {
    fn run(&mut self, l: L);
}

/// A token of a back end that has ciphers.
pub(crate) trait Kernels: Copy {
    /// Whether states have no registers to stay in.
    const STEPWISE: bool;

    /// The kernel of a cipher, if this CPU has the instructions.
    fn kernel<C: Stream<Self>>() -> Option<&'static Kernel<C>>;

    /// Runs `what` as a function of its own, compiled once however often it is needed.
    fn apart<T: Apart<Self>>(self, what: &mut T);

    /// The state after `steps` of entry points from `s` on, where that is no slower than inlined.
    #[inline(always)]
    fn resume<C: Stream<Self>>(
        self,
        s: C::State,
        steps: impl FnOnce(&'static Kernel<C>, &mut Saved),
    ) -> C::State {
        let kernel = Self::kernel::<C>().expect("a token is proof that it was detected");
        let mut state = Saved::uninit();
        state.put(s);
        steps(kernel, &mut state);
        // SAFETY: the entry points of this kernel put states of this type, as was done above.
        unsafe { state.get() }
    }
}

/// On an architecture without a back end of its own.
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
mod elsewhere {
    pub(crate) use super::entry::clear_blocks;

    pub(crate) trait OnAes {}
    impl<C> OnAes for C {}
    pub(crate) trait OnNibbles {}
    impl<C> OnNibbles for C {}

    /// Those of an architecture not known here are left as they are.
    #[inline(always)]
    pub(crate) fn clear_registers() {}
}

/// The vector types, for tests of single operations.
#[cfg(test)]
pub(crate) mod testing {
    pub(crate) use super::portable::Portable;
    #[cfg(target_arch = "x86_64")]
    pub(crate) use super::x86_64::{Avx2, Avx512};

    pub(crate) fn portable() -> Portable {
        Portable::detect().expect("every CPU will do")
    }

    /// What dropping `value` leaves where `field` was.
    pub(crate) fn after_drop<T, const N: usize>(value: T, field: fn(&T) -> &[u8; N]) -> [u8; N] {
        let mut place = core::mem::MaybeUninit::new(value);
        // SAFETY: `place` was just filled.
        let value = unsafe { place.assume_init_ref() };
        let offset = field(value).as_ptr() as usize - core::ptr::from_ref(value) as usize;
        assert!(
            offset + N <= size_of::<T>(),
            "`field` is not inside `value`"
        );
        // SAFETY: filled, and dropped only here.
        unsafe { place.assume_init_drop() };
        // SAFETY: by the assertion these are bytes of `place`, which a drop may change but not
        // take away; the field is of bytes, so they are initialised and need no alignment.
        unsafe {
            place
                .as_ptr()
                .cast::<[u8; N]>()
                .byte_add(offset)
                .read_volatile()
        }
    }
}
