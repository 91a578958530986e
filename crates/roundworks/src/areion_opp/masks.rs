//! Masks as windows of one sequence of words.
#![forbid(unsafe_code)]

use super::{Opp, Size};
use crate::aes::{Lane, xor};

/// Words of the largest mask.
pub(super) const WORDS: usize = 8;

/// A mask as words: the first `2 * W`.
pub(super) type Mask = [u64; WORDS];

/// phi^0 to phi^n of a mask as windows of one sequence of `M` words, `2 * W` more than n at least.
pub(super) struct Masks<const W: usize, const M: usize>([[u8; 8]; M]);

impl<const W: usize, const M: usize> Masks<W, M>
where
    Opp<W>: Size,
{
    #[inline(always)]
    pub(super) fn new(mask: &Mask, n: usize) -> Self {
        let mut words = [0; M];
        words[..2 * W].copy_from_slice(&mask[..2 * W]);
        for i in 0..n {
            words[i + 2 * W] = Opp::<W>::next(&words[i..i + 2 * W]);
        }
        // By a loop: where the crate is compiled in parts, `map` of an array is a call.
        let mut bytes = [[0; 8]; M];
        for (to, word) in bytes.iter_mut().zip(words) {
            *to = word.to_le_bytes();
        }
        Self(bytes)
    }

    /// phi^i of the mask, added to a block. Lane by lane: of 32 bytes one by one the compiler made no
    /// vectors.
    #[inline(always)]
    pub(super) fn add(&self, i: usize, block: &mut [Lane; W]) {
        let mask = self.0[i..i + 2 * W].as_flattened().as_chunks().0;
        for (x, m) in block.iter_mut().zip(mask) {
            *x = xor(*x, *m);
        }
    }

    #[inline(always)]
    pub(super) fn at(&self, i: usize) -> Mask {
        let mut mask = [0; WORDS];
        for (to, from) in mask.iter_mut().zip(&self.0[i..i + 2 * W]) {
            *to = u64::from_le_bytes(*from);
        }
        mask
    }
}

/// phi + 1
#[inline(always)]
pub(super) fn beta<const W: usize>(mask: &Mask) -> Mask
where
    Opp<W>: Size,
{
    let next = Masks::<W, { WORDS + 1 }>::new(mask, 1).at(1);
    core::array::from_fn(|i| mask[i] ^ next[i])
}

/// phi^2 + phi + 1
#[inline(always)]
pub(super) fn gamma<const W: usize>(mask: &Mask) -> Mask
where
    Opp<W>: Size,
{
    let all = Masks::<W, { WORDS + 2 }>::new(mask, 2);
    let (one, two) = (all.at(1), all.at(2));
    core::array::from_fn(|i| mask[i] ^ one[i] ^ two[i])
}
