//! 64-bit Arm: the AES instructions of its cryptographic extension.
//!
//! The token can only come from `detect`, so holding one proves that the CPU and the operating
//! system support the instructions. NEON belongs to every target of this architecture that Rust's
//! standard library is built for.

mod aes;
mod aes_layers;

use super::entry::{kernel, permuting};

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

// The largest frame in the disassembly, of AEGIS-128X4, has 1040.
kernel! { Aarch64: Aarch64, ["aes,neon"], 8, 8 or 32 blocks of stack }
permuting! { Aarch64: Aarch64, ["aes,neon"], 1 lanes, 4 or 2 groups in turns }
