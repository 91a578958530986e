//! Any CPU: bit planes in what registers all have, so that nothing secret picks an address or a
//! branch.

mod aes;
#[cfg(feature = "aether")]
mod aether;
#[cfg(feature = "minalpher")]
mod minalpher;
mod sbox;
mod vector;
mod wired;

use super::entry::token;
#[cfg(feature = "minalpher")]
pub(super) use minalpher::MINALPHER;

token! {
    /// Needs nothing of the CPU.
    Portable of Portable, compiled for [], on CPUs that pass true;
    ciphers: [16, 16 or 16 blocks of stack, stepwise];
    permutations: [4 lanes, 2 or 2 groups interleaved; padded];
}
