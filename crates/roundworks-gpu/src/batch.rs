//! Messages in whole blocks one after another on the device, as kernels of batches take them.

use std::sync::Arc;

use roundworks::Error::BadTag;
use roundworks::Message;

use crate::driver::{Address, Stream};
use crate::error::Result;
use crate::gpu::Gpu;
use crate::kernels::{Arg, args};
use crate::memory::{Memory, get};

pub(crate) const BLOCK: usize = 16;
/// Of one message: a size is a word of 32 bits.
pub(crate) const MOST: usize = (1 << 31) - 1;

/// What is done with messages.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    Seal,
    Open,
}

impl Way {
    /// In names of entries.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Seal => "seal",
            Self::Open => "open",
        }
    }
}

/// Messages of a launch, as `kernels/gcm` and `kernels/common/streams.hpp` have them.
pub(crate) struct Batch<'a> {
    pub nonces: Address,
    pub places: &'a Memory,
    pub ad: Address,
    pub data: Address,
    pub out: Address,
    pub tags: Address,
    pub verdicts: Address,
    pub count: usize,
    /// Of the shortest message.
    pub each_bytes: usize,
}

impl Batch<'_> {
    /// What every kernel of batches takes, behind the keys.
    pub(crate) fn args(&self) -> Vec<Arg<'_>> {
        args![
            self.nonces,
            self.places,
            self.ad,
            self.data,
            self.out,
            self.tags,
            self.verdicts,
            self.count
        ]
        .to_vec()
    }
}

/// A cipher that takes many messages in one launch.
pub(crate) trait Batches {
    /// Seals or opens messages; no text where a tag was wrong.
    fn batch(&self, stream: Stream, way: Way, batch: &Batch<'_>) -> Result;

    /// From how many bytes on messages have another launch than shorter ones.
    fn apart_from(&self) -> usize {
        usize::MAX
    }
}

/// Bytes of associated data and of data.
pub(crate) fn bytes_of(message: &Message<'_>) -> usize {
    message.ad.len() + message.data.len()
}

/// Of which messages the tag was right.
pub(crate) fn read_verdicts(gpu: &Arc<Gpu>, from: &Memory, count: usize) -> Result<Vec<bool>> {
    let mut words = vec![0; 4 * count];
    get(gpu, from.address, &mut words, gpu.stream)?;
    Ok(words.chunks_exact(4).map(|word| word != [0; 4]).collect())
}

/// Whether the verdict of one message is that its tag was right, once the stream has done its work.
pub(crate) fn is_right(gpu: &Arc<Gpu>, stream: Stream, verdict: &Memory) -> Result {
    let mut word = [0; 4];
    get(gpu, verdict.address, &mut word, stream)?;
    match u32::from_ne_bytes(word) {
        1 => Ok(()),
        _ => Err(BadTag.into()),
    }
}

/// Of each message: first block and bytes of associated data, the same of its text.
pub(crate) fn places(bytes: impl Iterator<Item = (usize, usize, usize, usize)>) -> Vec<u8> {
    let words = bytes.flat_map(|(ad, ad_bytes, text, text_bytes)| {
        [ad / BLOCK, ad_bytes, text / BLOCK, text_bytes]
    });
    as_words(words)
}

/// Numbers as words of the device.
pub(crate) fn as_words(numbers: impl IntoIterator<Item = usize>) -> Vec<u8> {
    let mut words = Vec::new();
    for number in numbers {
        words.extend_from_slice(&(number as u32).to_ne_bytes());
    }
    words
}

pub(crate) fn whole(bytes: usize) -> usize {
    bytes.next_multiple_of(BLOCK)
}
