//! Everything that depends on the CPU: the one home of `unsafe`.
//!
//! A family (`aether.rs`, `aegis.rs`) asks for a few vector operations; a folder here supplies
//! them for one architecture, each behind a value that only CPU detection hands out.
#![allow(unsafe_code)]

#[cfg(target_arch = "aarch64")]
mod aarch64;
mod portable;
#[cfg(target_arch = "x86_64")]
mod x86_64;

use zeroize::zeroize_stack;

use crate::aether::Variant;
use crate::backend::Backend;
use crate::keyed::Direction;

/// Encrypts or decrypts in place and returns the tag.
pub(crate) type Run<const KEY: usize> =
    fn(&[u8; KEY], nonce: &[u8; 16], ad: &[u8], buf: &mut [u8], Direction) -> [u8; 16];

/// One cipher on one back end that this CPU has.
#[derive(Clone, Copy)]
pub(crate) struct Kernel<const KEY: usize> {
    pub(crate) backend: Backend,
    pub(crate) run: Run<KEY>,
    /// To be called after `run`, from where `run` was called: clears the dead stack below, in
    /// which `run` leaves spilled state words. Best effort: registers are not cleared.
    pub(crate) wipe_stack: fn(),
}

/// Bytes of stack to clear for AEGIS-128 with AES-NI, whose frame in the disassembly has 240.
#[cfg(any(target_arch = "aarch64", target_arch = "x86_64"))]
const SMALL_FRAME: usize = 512;
/// Bytes of stack to clear elsewhere; the largest frame, AETHER with AVX-512, has 2600.
const LARGE_FRAME: usize = 4096;

impl<const KEY: usize> Kernel<KEY> {
    fn available(backend: Backend, run: Run<KEY>, wipe_stack: fn()) -> Option<Self> {
        is_available(backend).then_some(Self {
            backend,
            run,
            wipe_stack,
        })
    }
}

/// Whether this CPU has the instructions of `backend`.
pub(crate) fn is_available(backend: Backend) -> bool {
    match backend {
        Backend::Portable => true,
        #[cfg(target_arch = "x86_64")]
        Backend::Aesni => x86_64::Aesni::detect().is_some(),
        #[cfg(target_arch = "x86_64")]
        Backend::Avx2 => x86_64::Avx2::detect().is_some(),
        #[cfg(target_arch = "x86_64")]
        Backend::Avx512 => x86_64::Avx512::detect().is_some(),
        #[cfg(target_arch = "aarch64")]
        Backend::Aarch64 => aarch64::Aarch64::detect().is_some(),
        #[allow(unreachable_patterns)]
        _ => false,
    }
}

/// AETHER on `backend`, if this CPU has it.
pub(crate) fn aether<V: Variant>(backend: Backend) -> Option<Kernel<32>> {
    let run: Run<32> = match backend {
        Backend::Portable => portable::aether::<V>,
        #[cfg(target_arch = "x86_64")]
        Backend::Avx2 => x86_64::aether_avx2::<V>,
        #[cfg(target_arch = "x86_64")]
        Backend::Avx512 => x86_64::aether_avx512::<V>,
        _ => return None,
    };
    Kernel::available(backend, run, zeroize_stack::<LARGE_FRAME>)
}

/// AEGIS-128 on `backend`, if this CPU has it.
pub(crate) fn aegis128(backend: Backend) -> Option<Kernel<16>> {
    let (run, wipe_stack): (Run<16>, fn()) = match backend {
        Backend::Portable => (portable::aegis128, zeroize_stack::<LARGE_FRAME>),
        #[cfg(target_arch = "x86_64")]
        Backend::Aesni => (x86_64::aegis128_aesni, zeroize_stack::<SMALL_FRAME>),
        #[cfg(target_arch = "aarch64")]
        Backend::Aarch64 => (aarch64::aegis128, zeroize_stack::<SMALL_FRAME>),
        _ => return None,
    };
    Kernel::available(backend, run, wipe_stack)
}

/// The vector types, for tests of single operations.
#[cfg(test)]
pub(crate) mod testing {
    pub(crate) use super::portable::Planes;
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
