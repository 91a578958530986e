//! Any CPU, in safe code: bit planes in integers, so that nothing secret picks an address or a
//! branch.

mod aegis;
mod aether;
mod minalpher;
mod sbox;

pub(super) use minalpher::MINALPHER;

#[cfg(test)]
pub(crate) use aether::Planes;
#[cfg(test)]
pub(crate) use minalpher::Portable;

use crate::aether::Variant;
use crate::keyed::Direction;

/// AETHER on bit planes.
pub(super) fn aether<V: Variant>(
    key: &[u8; 32],
    nonce: &[u8; 16],
    ad: &[u8],
    buf: &mut [u8],
    direction: Direction,
) -> [u8; 16] {
    crate::aether::run::<V, _>(aether::Planes, key, nonce, ad, buf, direction)
}

/// AEGIS-128 on bit planes.
pub(super) fn aegis128(
    key: &[u8; 16],
    nonce: &[u8; 16],
    ad: &[u8],
    buf: &mut [u8],
    direction: Direction,
) -> [u8; 16] {
    crate::aegis::run(aegis::Planes, key, nonce, ad, buf, direction)
}
