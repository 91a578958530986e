//! One long message of host memory, in pieces.
//!
//! A ciphertext comes in twice: its tag is made the first time, and text leaves the device only if
//! it is right. Holding it on the device in between would take as long, since copies out run beside
//! copies in, and would want memory for all of it.

use std::sync::Arc;

use roundworks::Error::BadTag;

use crate::Error;
use crate::batch::{BLOCK as AES_BLOCK, is_right};
use crate::blocks::unpadded;
use crate::error::at_most;
use crate::gcm::{self, AesGcm, OF_TEXT, counter};
use crate::gpu::Gpu;
use crate::kernels::Arg;
use crate::memory::{Memory, get};
use crate::minalpher::{BLOCK, COLUMN_BYTES, Minalpher};
use crate::pieces::{Cut, Piece, Text, Way, through};

const TAG: usize = 16;
/// What AES-GCM allows: a counter of 32 bits begins at 2.
pub(crate) const MOST_OF_GCM: u64 = AES_BLOCK as u64 * ((1 << 32) - 2);

/// A cipher that takes a message in pieces.
pub(crate) trait Long {
    /// The tag; ciphertext to the other end.
    fn seal_long(&self, nonce: &[u8], ad: &[u8], text: &Text<'_>) -> Result<[u8; TAG], Error>;

    /// How many bytes of the other end are the data, which nothing is written to before the tag was
    /// found right.
    fn open_long(
        &self,
        nonce: &[u8],
        ad: &[u8],
        text: &Text<'_>,
        tag: [u8; TAG],
    ) -> Result<usize, Error>;
}

/// Of its tweaks the device holds all, a 16th of the message.
impl Long for Minalpher {
    fn seal_long(&self, nonce: &[u8], ad: &[u8], text: &Text<'_>) -> Result<[u8; TAG], Error> {
        let (gpu, stream) = (&self.gpu, self.gpu.stream);
        let cut = cut(gpu, |piece_bytes| text.bytes / piece_bytes + 1);
        let held = Memory::put(gpu, ad, stream)?;
        let blocks = text.bytes / BLOCK + 1;
        let begun = self.begin(stream, nonce, blocks, (held.address, ad.len()))?;
        let mut tag = None;
        through(gpu, text, Way::Writes, cut, |piece| {
            // A piece before the last is padded too, behind its end, with a block that no sum takes
            // in, as of every message, and that nobody copies.
            let here = piece.bytes / BLOCK + 1;
            let args = [
                columns(&begun.sequence, piece, cut),
                Arg::Word(piece.data),
                Arg::Word(piece.bytes as u64),
                Arg::Word(piece.out),
                begun.sums.arg(),
            ];
            self.over_blocks(stream, "minalpher_encrypt", here, &args)?;
            if piece.is_last {
                tag = Some(self.end(stream, &begun, piece.out, here)?);
            }
            Ok(())
        })?;
        read(gpu, &tag.expect("there is a last piece"))
    }

    fn open_long(
        &self,
        nonce: &[u8],
        ad: &[u8],
        text: &Text<'_>,
        tag: [u8; TAG],
    ) -> Result<usize, Error> {
        let (gpu, stream) = (&self.gpu, self.gpu.stream);
        let cut = cut(gpu, |piece_bytes| text.bytes.div_ceil(piece_bytes));
        let held = Memory::put(gpu, ad, stream)?;
        let blocks = text.bytes / BLOCK;
        let begun = self.begin(stream, nonce, blocks, (held.address, ad.len()))?;
        let mut found = None;
        through(gpu, text, Way::Reads, cut, |piece| {
            // The last block is left to the end, and a piece before the last has none of that kind.
            let here = piece.bytes / BLOCK;
            let summed = if piece.is_last { here } else { here + 1 };
            let args = [
                columns(&begun.sequence, piece, cut),
                Arg::Word(piece.data),
                Arg::Word(summed as u64),
                begun.sums.arg(),
            ];
            self.over_blocks(stream, "minalpher_tag", here, &args)?;
            if piece.is_last {
                found = Some(self.end(stream, &begun, piece.data, here)?);
            }
            Ok(())
        })?;
        self.check(stream, &found.expect("there is a last piece"), tag)?;
        through(gpu, text, Way::Writes, cut, |piece| {
            let here = piece.bytes / BLOCK;
            let args = [
                columns(&begun.sequence, piece, cut),
                Arg::Word(piece.data),
                Arg::Word(here as u64),
                Arg::Word(piece.out),
            ];
            self.over_blocks(stream, "minalpher_decrypt", here, &args)
        })?;
        Ok(unpadded(text.written()).ok_or(BadTag)?)
    }
}

impl Long for AesGcm {
    fn seal_long(&self, nonce: &[u8], ad: &[u8], text: &Text<'_>) -> Result<[u8; TAG], Error> {
        let (gpu, stream) = (&self.gpu, self.gpu.stream);
        let cut = cut(gpu, |piece_bytes| text.bytes.div_ceil(piece_bytes));
        let mut sum = self.sum_of(ad, text.bytes)?;
        through(gpu, text, Way::Writes, cut, |piece| {
            let place = (piece.data, piece.bytes, piece.out);
            self.crypt(stream, counter(nonce, first(piece, cut)), place, 0)?;
            sum = self.absorb(stream, &sum, piece.out, piece.bytes)?;
            Ok(())
        })?;
        let sum = self.with_lengths(&sum, ad.len(), text.bytes)?;
        let tag = Memory::zeros(gpu, TAG, stream)?;
        self.tag(stream, nonce, &sum, tag.address)?;
        read(gpu, &tag)
    }

    fn open_long(
        &self,
        nonce: &[u8],
        ad: &[u8],
        text: &Text<'_>,
        tag: [u8; TAG],
    ) -> Result<usize, Error> {
        let (gpu, stream) = (&self.gpu, self.gpu.stream);
        let cut = cut(gpu, |piece_bytes| text.bytes.div_ceil(piece_bytes));
        let mut sum = self.sum_of(ad, text.bytes)?;
        through(gpu, text, Way::Reads, cut, |piece| {
            sum = self.absorb(stream, &sum, piece.data, piece.bytes)?;
            Ok(())
        })?;
        let sum = self.with_lengths(&sum, ad.len(), text.bytes)?;
        let (given, verdict) = (
            Memory::put(gpu, &tag, stream)?,
            Memory::zeros(gpu, 4, stream)?,
        );
        self.check(stream, nonce, &sum, given.address, &verdict)?;
        is_right(gpu, stream, &verdict)?;
        through(gpu, text, Way::Writes, cut, |piece| {
            let place = (piece.data, piece.bytes, piece.out);
            let counter = counter(nonce, first(piece, cut));
            self.crypt(stream, counter, place, verdict.address)
        })?;
        Ok(text.bytes)
    }
}

impl AesGcm {
    /// Of associated data.
    fn sum_of(&self, ad: &[u8], text_bytes: usize) -> Result<Memory, Error> {
        at_most("data", text_bytes, MOST_OF_GCM as usize)?;
        at_most("ad", ad.len(), gcm::MOST)?;
        let (gpu, stream) = (&self.gpu, self.gpu.stream);
        let nothing = Memory::zeros(gpu, AES_BLOCK, stream)?;
        if ad.is_empty() {
            return Ok(nothing);
        }
        let held = Memory::put(gpu, ad, stream)?;
        self.absorb(stream, &nothing, held.address, ad.len())
    }

    fn with_lengths(&self, sum: &Memory, ad: usize, text: usize) -> Result<Memory, Error> {
        let lengths = [ad, text].map(|bytes| (8 * bytes as u64).to_be_bytes());
        let held = Memory::put(&self.gpu, lengths.as_flattened(), self.gpu.stream)?;
        self.absorb(self.gpu.stream, sum, held.address, AES_BLOCK)
    }
}

fn cut(gpu: &Arc<Gpu>, count: impl FnOnce(usize) -> usize) -> Cut {
    let piece_bytes = gpu.piece_bytes();
    let count = count(piece_bytes);
    Cut { piece_bytes, count }
}

/// Where the tweaks of a piece begin.
fn columns(sequence: &Memory, piece: &Piece, cut: Cut) -> Arg<'static> {
    let groups = cut.piece_bytes / (32 * BLOCK) * piece.number;
    Arg::Word(sequence.address + (COLUMN_BYTES * groups) as u64)
}

/// The counter of a piece's first block.
fn first(piece: &Piece, cut: Cut) -> u32 {
    OF_TEXT + (piece.number * (cut.piece_bytes / AES_BLOCK)) as u32
}

fn read(gpu: &Gpu, tag: &Memory) -> Result<[u8; TAG], Error> {
    let mut found = [0; TAG];
    get(gpu, tag.address, &mut found, gpu.stream)?;
    Ok(found)
}
