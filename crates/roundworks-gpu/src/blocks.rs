//! Messages of Minalpher one after another in whole blocks: their padding and their places.

use zeroize::Zeroizing;

use crate::batch::as_words;
use crate::minalpher::BLOCK;

/// Of one message, as its places are 32-bit words.
pub(crate) const MOST: usize = BLOCK << 28;
/// What ends a message, before zeros.
const MARKER: u8 = 0x80;

/// Parts of messages, each in whole blocks.
pub(crate) struct Blocks {
    pub data: Zeroizing<Vec<u8>>,
    /// How many each has.
    pub counts: Vec<usize>,
}

impl Blocks {
    /// Each with the marker behind it.
    pub(crate) fn padded<'a>(parts: impl Iterator<Item = &'a [u8]> + Clone) -> Self {
        Self::of(parts, |part| part.len() / BLOCK + 1)
    }

    /// Ciphertexts, which are whole.
    pub(crate) fn whole<'a>(parts: impl Iterator<Item = &'a [u8]> + Clone) -> Self {
        Self::of(parts, |part| part.len() / BLOCK)
    }

    /// Associated data, with the marker behind what is not whole; one block at least.
    pub(crate) fn of_ads<'a>(parts: impl Iterator<Item = &'a [u8]> + Clone) -> Self {
        Self::of(parts, |part| part.len().div_ceil(BLOCK).max(1))
    }

    fn of<'a>(
        parts: impl Iterator<Item = &'a [u8]> + Clone,
        blocks: impl Fn(&[u8]) -> usize,
    ) -> Self {
        let counts: Vec<_> = parts.clone().map(blocks).collect();
        // Grown, it would leave a copy.
        let mut data = Vec::with_capacity(BLOCK * counts.iter().sum::<usize>());
        for (part, count) in parts.zip(&counts) {
            let end = data.len() + BLOCK * count;
            data.extend_from_slice(part);
            if data.len() < end {
                data.push(MARKER);
            }
            data.resize(end, 0);
        }
        let data = Zeroizing::new(data);
        Self { data, counts }
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
