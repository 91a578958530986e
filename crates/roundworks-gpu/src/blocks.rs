//! Messages of Minalpher one after another in whole blocks: their padding and their places.

use std::sync::Arc;

use crate::batch::as_words;
use crate::buffers::{Buffer, gathered};
use crate::error::Result;
use crate::gpu::Gpu;
use crate::minalpher::BLOCK;

/// Of one message, as its places are 32-bit words.
pub(crate) const MOST: usize = BLOCK << 28;
/// What ends a message, before zeros.
const MARKER: u8 = 0x80;

/// Parts of messages, each in whole blocks.
pub(crate) struct Blocks {
    pub data: Buffer,
    /// How many each has.
    pub counts: Vec<usize>,
}

impl Blocks {
    /// Each with the marker behind it.
    pub(crate) fn padded(gpu: &Arc<Gpu>, parts: &[&[u8]]) -> Result<Self> {
        Self::of(gpu, parts, |part| part.len() / BLOCK + 1)
    }

    /// Ciphertexts, which are whole.
    pub(crate) fn whole(gpu: &Arc<Gpu>, parts: &[&[u8]]) -> Result<Self> {
        Self::of(gpu, parts, |part| part.len() / BLOCK)
    }

    /// Associated data, with the marker behind what is not whole; one block at least.
    pub(crate) fn of_ads(gpu: &Arc<Gpu>, parts: &[&[u8]]) -> Result<Self> {
        Self::of(gpu, parts, |part| part.len().div_ceil(BLOCK).max(1))
    }

    fn of(gpu: &Arc<Gpu>, parts: &[&[u8]], blocks: impl Fn(&[u8]) -> usize) -> Result<Self> {
        let counts: Vec<_> = parts.iter().map(|part| blocks(part)).collect();
        let sizes = counts.iter().map(|count| BLOCK * count);
        let data = gathered(gpu, parts, sizes, &[MARKER])?;
        Ok(Self { data, counts })
    }

    /// Of each: its first block, how many, and two words more.
    pub(crate) fn places(&self, more: impl IntoIterator<Item = [usize; 2]>) -> Vec<u8> {
        let mut first = 0;
        as_words(
            self.counts
                .iter()
                .zip(more)
                .flat_map(|(count, [column, end])| {
                    let place = [first, *count, column, end];
                    first += count;
                    place
                }),
        )
    }
}

/// Bytes before the marker, which must be in the last block.
pub(crate) fn unpadded(text: &[u8]) -> Option<usize> {
    let marker = text.iter().rposition(|byte| *byte != 0)?;
    (text[marker] == MARKER && marker + BLOCK >= text.len()).then_some(marker)
}

/// The number of every count with 0, 1, ..: pairs of words, and how many pairs.
pub(crate) fn numbered(counts: impl Iterator<Item = usize>) -> (Vec<u8>, usize) {
    let pairs = counts.enumerate().flat_map(|(name, count)| {
        let of_name = move |at| [name, at];
        (0..count).flat_map(of_name)
    });
    let words = as_words(pairs);
    let count = words.len() / 8;
    (words, count)
}
