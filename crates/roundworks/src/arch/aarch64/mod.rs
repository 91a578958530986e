//! 64-bit Arm: the AES instructions of its cryptographic extension.
//!
//! The token can only come from `detect`, so holding one proves that the CPU and the operating
//! system support the instructions. NEON belongs to every target of this architecture that Rust's
//! standard library is built for.

mod aes;

use super::entry::kernel;

cpufeatures::new!(detect_aes, "aes");

/// Proof that this CPU has the AES instructions.
#[derive(Clone, Copy)]
pub(crate) struct Aarch64(());

impl Aarch64 {
    #[inline(always)]
    pub(crate) fn detect() -> Option<Self> {
        detect_aes::get().then_some(Self(()))
    }
}

kernel! { Aarch64: Aarch64, ["aes,neon"], 1024 bytes of stack }
