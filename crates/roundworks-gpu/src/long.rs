//! One long message of host memory, in increments.
//!
//! A ciphertext comes in twice: its tag is made the first time, and text leaves the device only if
//! it is right. Holding it on the device in between would take as long, since copies out overlap with
//! copies in, and would want memory for all of it.

use std::sync::Arc;

use roundworks::Error::BadTag;

use crate::batch::{BLOCK as AES_BLOCK, is_right};
use crate::blocks::unpadded;
use crate::driver::Address;
use crate::error::{Result, at_most};
use crate::gcm::{self, AesGcm, OF_TEXT, counter};
use crate::gpu::Gpu;
use crate::increments::{Cut, Increment, Pass, Text, through};
use crate::kernels::args;
use crate::memory::{Memory, get};
use crate::minalpher::{BLOCK, COLUMN_BYTES, Minalpher};

const TAG: usize = 16;
/// What AES-GCM allows: a counter of 32 bits begins at 2.
pub(crate) const MOST_OF_GCM: u64 = AES_BLOCK as u64 * ((1 << 32) - 2);

/// A cipher that takes a message in increments.
pub(crate) trait Long {
    /// The tag; ciphertext to the other end.
    fn seal_long(&self, nonce: &[u8], ad: &[u8], text: &Text<'_>) -> Result<[u8; TAG]>;

    /// How many bytes of the other end are the data, which nothing is written to before the tag was
    /// found right.
    fn open_long(&self, nonce: &[u8], ad: &[u8], text: &Text<'_>, tag: [u8; TAG]) -> Result<usize>;
}

/// Of its tweaks the device holds all, a 16th of the message.
impl Long for Minalpher {
    fn seal_long(&self, nonce: &[u8], ad: &[u8], text: &Text<'_>) -> Result<[u8; TAG]> {
        let (gpu, stream) = (&self.gpu, self.gpu.stream);
        let cut = cut(gpu, |increment_bytes| text.bytes / increment_bytes + 1);
        let given = Memory::put(gpu, ad, stream)?;
        let blocks = text.bytes / BLOCK + 1;
        let begun = self.begin(stream, nonce, blocks, (given.address, ad.len()))?;
        let mut tag = None;
        through(gpu, text, Pass::Writes, cut, |step| {
            // An increment before the last is padded too, behind its end, with a block that no sum takes
            // in, as of every message, and that nobody copies.
            let here = step.bytes / BLOCK + 1;
            let tweaks = columns(&begun.sequence, step, cut);
            let args = args![tweaks, step.data, step.bytes, step.out, &begun.sums];
            self.over_blocks(stream, "encrypt", here, args)?;
            if step.is_last {
                tag = Some(self.end(stream, &begun, step.out, here)?);
            }
            Ok(())
        })?;
        read(gpu, &tag.expect("there is a last increment"))
    }

    fn open_long(&self, nonce: &[u8], ad: &[u8], text: &Text<'_>, tag: [u8; TAG]) -> Result<usize> {
        let (gpu, stream) = (&self.gpu, self.gpu.stream);
        let cut = cut(gpu, |increment_bytes| text.bytes.div_ceil(increment_bytes));
        let given = Memory::put(gpu, ad, stream)?;
        let blocks = text.bytes / BLOCK;
        let begun = self.begin(stream, nonce, blocks, (given.address, ad.len()))?;
        let mut made = None;
        through(gpu, text, Pass::Reads, cut, |step| {
            // The last block is left to the end, and an increment before the last has none of that kind.
            let here = step.bytes / BLOCK;
            let summed = if step.is_last { here } else { here + 1 };
            let tweaks = columns(&begun.sequence, step, cut);
            let args = args![tweaks, step.data, summed, &begun.sums];
            self.over_blocks(stream, "tag", here, args)?;
            if step.is_last {
                made = Some(self.end(stream, &begun, step.data, here)?);
            }
            Ok(())
        })?;
        self.check(stream, &made.expect("there is a last increment"), tag)?;
        through(gpu, text, Pass::Writes, cut, |step| {
            let here = step.bytes / BLOCK;
            let tweaks = columns(&begun.sequence, step, cut);
            self.over_blocks(
                stream,
                "decrypt",
                here,
                args![tweaks, step.data, here, step.out],
            )
        })?;
        Ok(unpadded(text.written()).ok_or(BadTag)?)
    }
}

impl Long for AesGcm {
    fn seal_long(&self, nonce: &[u8], ad: &[u8], text: &Text<'_>) -> Result<[u8; TAG]> {
        let (gpu, stream) = (&self.gpu, self.gpu.stream);
        let cut = cut(gpu, |increment_bytes| text.bytes.div_ceil(increment_bytes));
        let mut sum = self.sum_of(ad, text.bytes)?;
        through(gpu, text, Pass::Writes, cut, |step| {
            let place = (step.data, step.bytes, step.out);
            self.crypt(stream, counter(nonce, first(step, cut)), place, 0)?;
            sum = self.absorb(stream, &sum, step.out, step.bytes)?;
            Ok(())
        })?;
        let sum = self.with_lengths(&sum, ad.len(), text.bytes)?;
        let tag = Memory::zeros(gpu, TAG, stream)?;
        self.tag(stream, nonce, &sum, tag.address)?;
        read(gpu, &tag)
    }

    fn open_long(&self, nonce: &[u8], ad: &[u8], text: &Text<'_>, tag: [u8; TAG]) -> Result<usize> {
        let (gpu, stream) = (&self.gpu, self.gpu.stream);
        let cut = cut(gpu, |increment_bytes| text.bytes.div_ceil(increment_bytes));
        let mut sum = self.sum_of(ad, text.bytes)?;
        through(gpu, text, Pass::Reads, cut, |step| {
            sum = self.absorb(stream, &sum, step.data, step.bytes)?;
            Ok(())
        })?;
        let sum = self.with_lengths(&sum, ad.len(), text.bytes)?;
        let (given, verdict) = (
            Memory::put(gpu, &tag, stream)?,
            Memory::zeros(gpu, 4, stream)?,
        );
        self.check(stream, nonce, &sum, given.address, &verdict)?;
        is_right(gpu, stream, &verdict)?;
        through(gpu, text, Pass::Writes, cut, |step| {
            let place = (step.data, step.bytes, step.out);
            let counter = counter(nonce, first(step, cut));
            self.crypt(stream, counter, place, verdict.address)
        })?;
        Ok(text.bytes)
    }
}

impl AesGcm {
    /// Of associated data.
    fn sum_of(&self, ad: &[u8], text_bytes: usize) -> Result<Memory> {
        at_most("data", text_bytes, MOST_OF_GCM as usize)?;
        at_most("ad", ad.len(), gcm::MOST)?;
        let (gpu, stream) = (&self.gpu, self.gpu.stream);
        let nothing = Memory::zeros(gpu, AES_BLOCK, stream)?;
        if ad.is_empty() {
            return Ok(nothing);
        }
        let given = Memory::put(gpu, ad, stream)?;
        self.absorb(stream, &nothing, given.address, ad.len())
    }

    fn with_lengths(&self, sum: &Memory, ad: usize, text: usize) -> Result<Memory> {
        let lengths = [ad, text].map(|bytes| (8 * bytes as u64).to_be_bytes());
        let given = Memory::put(&self.gpu, lengths.as_flattened(), self.gpu.stream)?;
        self.absorb(self.gpu.stream, sum, given.address, AES_BLOCK)
    }
}

fn cut(gpu: &Arc<Gpu>, count: impl FnOnce(usize) -> usize) -> Cut {
    let increment_bytes = gpu.tuning().increment_bytes;
    let count = count(increment_bytes);
    Cut {
        increment_bytes,
        count,
    }
}

/// Where the tweaks of an increment begin.
fn columns(sequence: &Memory, step: &Increment, cut: Cut) -> Address {
    let groups = cut.increment_bytes / (32 * BLOCK) * step.number;
    sequence.address + (COLUMN_BYTES * groups) as u64
}

/// The counter of an increment's first block.
fn first(step: &Increment, cut: Cut) -> u32 {
    OF_TEXT + (step.number * (cut.increment_bytes / AES_BLOCK)) as u32
}

fn read(gpu: &Arc<Gpu>, tag: &Memory) -> Result<[u8; TAG]> {
    let mut read = [0; TAG];
    get(gpu, tag.address, &mut read, gpu.stream)?;
    Ok(read)
}
