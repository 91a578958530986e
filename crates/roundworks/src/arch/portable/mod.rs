//! Any CPU, in safe code: bit planes in integers, so that nothing secret picks an address or a
//! branch.

mod aes;
#[cfg(feature = "aether")]
mod aether;
#[cfg(feature = "minalpher")]
mod minalpher;
mod sbox;

use super::entry::{kernel, permuting};
#[cfg(feature = "minalpher")]
pub(super) use minalpher::MINALPHER;

/// Needs nothing of the CPU.
#[derive(Clone, Copy)]
pub(crate) struct Portable;

impl Portable {
    #[inline(always)]
    fn detect() -> Option<Self> {
        Some(Self)
    }
}

kernel! { Portable: Portable, [], 16, 16 or 16 blocks of stack }
permuting! { Portable: Portable, [], 4 lanes, 2 or 2 groups in turns }
