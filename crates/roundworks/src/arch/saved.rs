//! A state of any cipher, in memory between two steps.

use core::mem::MaybeUninit;

/// Space for the largest state, eight words of four lanes, and for AETHER's with its phase.
const BYTES: usize = 512;

/// Bytes of a state, at an address that any vector type may have.
#[repr(C, align(64))]
pub(crate) struct Saved([MaybeUninit<u8>; BYTES]);

impl Saved {
    pub(crate) const fn zero() -> Self {
        Self([MaybeUninit::new(0); BYTES])
    }

    pub(super) const fn uninit() -> Self {
        Self([MaybeUninit::uninit(); BYTES])
    }

    /// Puts `state` here. What is read must have been put with the same type: the kernel that does
    /// both is chosen once, when the key is set.
    #[inline(always)]
    pub(super) fn put<S: Copy>(&mut self, state: S) {
        const { assert!(size_of::<S>() <= BYTES && align_of::<S>() <= 64) };
        // SAFETY: by the assertion a value of S fits here, size and alignment.
        unsafe { self.0.as_mut_ptr().cast::<S>().write(state) }
    }

    /// # Safety
    ///
    /// The last `put` was of the same type.
    #[inline(always)]
    pub(super) unsafe fn get<S: Copy>(&self) -> S {
        const { assert!(size_of::<S>() <= BYTES && align_of::<S>() <= 64) };
        // SAFETY: the caller's word that an S was put here; S is `Copy`.
        unsafe { self.0.as_ptr().cast::<S>().read() }
    }

    pub(crate) fn wipe(&mut self) {
        *self = Self::zero();
        zeroize::optimization_barrier(self);
    }
}
