//! Everything that depends on the CPU: the one home of `unsafe`.
//!
//! A family asks for a few vector operations: words of AES rounds (`AesLanes`), nibbles (AETHER),
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
pub(crate) use saved::Saved;

use crate::backend::Backend;
use crate::permutation::kernel::{Family, Kernel as PermutationKernel};
use crate::stream::{Kernel, Stream};
#[cfg(target_arch = "aarch64")]
use aarch64::Aarch64;
use portable::Portable;
#[cfg(target_arch = "x86_64")]
use x86_64::{Aesni, Avx2, Avx512, Evex, Vaes256, Vaes512, Vex};

/// Whether this CPU has the instructions of `backend`.
pub(crate) fn is_available(backend: Backend) -> bool {
    match backend {
        Backend::Portable => true,
        #[cfg(target_arch = "x86_64")]
        Backend::Aesni => Aesni::detect().is_some(),
        #[cfg(target_arch = "x86_64")]
        Backend::Avx2 => Avx2::detect().is_some(),
        #[cfg(target_arch = "x86_64")]
        Backend::Vaes256 => Vaes256::detect().is_some(),
        #[cfg(target_arch = "x86_64")]
        Backend::Vaes512 => Vaes512::detect().is_some(),
        #[cfg(target_arch = "x86_64")]
        Backend::Avx512 => Avx512::detect().is_some(),
        #[cfg(target_arch = "aarch64")]
        Backend::Aarch64 => Aarch64::detect().is_some(),
        _ => false,
    }
}

/// A token of a back end that has ciphers.
pub(crate) trait Kernels: Copy {
    /// The kernel of a cipher, if this CPU has the instructions.
    fn kernel<C: Stream<Self>>() -> Option<&'static Kernel<C>>;
}

/// Defines the alias `$alias` for a cipher on every token, and `$kernels`: its kernel on a back
/// end, if this CPU has it.
macro_rules! kernels {
    (
        $(#[$doc:meta])* $kernels:ident, $alias:ident:
        Portable $(, #[$arch:meta] $($backend:ident)*)*
    ) => {
        $(
            /// Written for every back end of this kind on this architecture.
            #[$arch]
            pub(crate) trait $alias: Stream<Portable> $(+ Stream<$backend>)* {}
            #[$arch]
            impl<C: Stream<Portable> $(+ Stream<$backend>)*> $alias for C {}
        )*

        $(#[$doc])*
        pub(crate) fn $kernels<C: $alias>(backend: Backend) -> Option<&'static Kernel<C>> {
            match backend {
                Backend::Portable => Portable::kernel(),
                // No code for what is never asked for.
                Backend::Vaes256 if !C::PAIRS => None,
                $($(#[$arch] Backend::$backend => $backend::kernel(),)*)*
                _ => None,
            }
        }
    };
}

kernels! {
    /// A cipher on AES rounds.
    aes, OnAes: Portable,
    #[cfg(target_arch = "x86_64")] Aesni Vaes256 Vaes512,
    #[cfg(target_arch = "aarch64")] Aarch64
}
kernels! {
    /// A cipher on nibbles.
    nibbles, OnNibbles: Portable,
    #[cfg(target_arch = "x86_64")] Avx2 Avx512,
    #[cfg(target_arch = "aarch64")]
}

/// Minalpher on a back end, if this CPU has it.
#[cfg(feature = "minalpher")]
pub(crate) fn minalpher(backend: Backend) -> Option<&'static crate::minalpher::mode::Kernel> {
    let kernel = match backend {
        Backend::Portable => &portable::MINALPHER,
        #[cfg(target_arch = "x86_64")]
        Backend::Avx2 => &x86_64::MINALPHER_AVX2,
        #[cfg(target_arch = "x86_64")]
        Backend::Avx512 => &x86_64::MINALPHER_AVX512,
        _ => return None,
    };
    is_available(backend).then_some(kernel)
}

/// A permutation on a back end, if this CPU has it.
pub(crate) fn permuting<F: Family<W, P>, P: 'static, const W: usize>(
    backend: Backend,
) -> Option<&'static PermutationKernel<W, P>> {
    match backend {
        Backend::Portable => Portable::permuting::<F::Portable, P, W>(),
        #[cfg(target_arch = "x86_64")]
        Backend::Aesni => Evex::permuting::<F, P, W>()
            .or_else(Vex::permuting::<F, P, W>)
            .or_else(Aesni::permuting::<F, P, W>),
        #[cfg(target_arch = "x86_64")]
        Backend::Vaes256 => Vaes256::permuting::<F, P, W>(),
        #[cfg(target_arch = "x86_64")]
        Backend::Vaes512 => Vaes512::permuting::<F, P, W>(),
        #[cfg(target_arch = "aarch64")]
        Backend::Aarch64 => Aarch64::permuting::<F, P, W>(),
        _ => None,
    }
}

/// On an architecture without a back end of its own.
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
mod elsewhere {
    use super::{Portable, Stream};

    pub(crate) trait OnAes: Stream<Portable> {}
    impl<C: Stream<Portable>> OnAes for C {}
    pub(crate) trait OnNibbles: Stream<Portable> {}
    impl<C: Stream<Portable>> OnNibbles for C {}
}
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
pub(crate) use elsewhere::{OnAes, OnNibbles};

/// The vector types, for tests of single operations.
#[cfg(test)]
pub(crate) mod testing {
    pub(crate) use super::portable::Portable;
    #[cfg(target_arch = "x86_64")]
    pub(crate) use super::x86_64::{Avx2, Avx512};

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
