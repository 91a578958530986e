//! 64-bit Arm: the AES instructions of its cryptographic extension.
//!
//! NEON belongs to every target of this architecture that Rust's standard library is built for.

mod aes;
mod aes_layers;
mod registers;

pub(super) use super::entry::clear_blocks;
use super::entry::token;
use crate::stream::Stream;
pub(super) use registers::clear_registers;

cpufeatures::new!(detect_aes, "aes");

/// Written for the AES instructions.
pub(crate) trait OnAes: Stream<Aarch64> {}
impl<C: Stream<Aarch64>> OnAes for C {}

/// Nothing here has nibbles.
pub(crate) trait OnNibbles {}
impl<C> OnNibbles for C {}

token! {
    /// Proof that this CPU has the AES instructions.
    Aarch64 of Aarch64, compiled for ["aes,neon"], on CPUs that pass detect_aes::get();
    // The largest frame in the disassembly, of AEGIS-128X4, has 1040.
    ciphers: [8, 8 or 32 blocks of stack, inlined];
    permutations: [1 lanes, 4 or 2 groups interleaved];
}
