//! Minalpher from the entries of `kernels/minalpher`. [MINALPHER]
//!
//! Masks, tweaks, sums and tags are made where the data are. The CPU compares the tag and looks for
//! the end of the padding.

use std::sync::Arc;

use roundworks::{Error::BadTag, Tag};
use zeroize::Zeroizing;

use crate::Error;
use crate::blocks::unpadded;
use crate::driver::{Address, Stream};
use crate::gpu::{Arg, Gpu};
use crate::memory::{Memory, copy, get};
use crate::on_device::OnDevice;

pub(crate) const BLOCK: usize = 32;
pub(crate) const NONCE: usize = 13;
pub(crate) const TAG: usize = 16;
// Of kernels/minalpher: bytes for 64 powers of y, columns that a start makes, groups of a tile.
pub(crate) const COLUMN_BYTES: usize = 64;
const POWERS: usize = 64;
pub(crate) const STARTED: usize = 64;
const TILE: usize = 64;
// The byte between key and nonce in the input of a mask.
pub(crate) const MESSAGE: u8 = 0x40;
pub(crate) const AD: u8 = 0x00;

pub(crate) struct Minalpher {
    pub(crate) gpu: Arc<Gpu>,
    key: Zeroizing<[u8; 16]>,
}

impl Minalpher {
    pub(crate) fn new(gpu: &Arc<Gpu>, key: &[u8; 16]) -> Self {
        Self {
            gpu: Arc::clone(gpu),
            key: Zeroizing::new(*key),
        }
    }

    pub(crate) fn seal(&self, stream: Stream, nonce: &[u8], at: &OnDevice) -> Result<(), Error> {
        let blocks = at.data_bytes / BLOCK + 1;
        let sequence = self.sequence(stream, MESSAGE, nonce, 2 * blocks)?;
        let sums = Memory::zeros(&self.gpu, BLOCK, stream)?;
        self.over_blocks(
            stream,
            "minalpher_encrypt",
            blocks,
            &[
                sequence.arg(),
                Arg::Word(at.data),
                Arg::Word(at.data_bytes as u64),
                Arg::Word(at.out),
                sums.arg(),
            ],
        )?;
        let tag = self.tag(stream, &sequence, &sums, at.out, blocks, at)?;
        copy(&self.gpu, at.tag, tag.address, TAG, stream)
    }

    /// How many bytes of the output are the data, once the tag was found right.
    pub(crate) fn open(&self, stream: Stream, nonce: &[u8], at: &OnDevice) -> Result<usize, Error> {
        let blocks = at.data_bytes / BLOCK;
        if blocks == 0 || !at.data_bytes.is_multiple_of(BLOCK) {
            return Err(BadTag.into());
        }
        let sequence = self.sequence(stream, MESSAGE, nonce, 2 * blocks)?;
        let sums = Memory::zeros(&self.gpu, BLOCK, stream)?;
        let count = Arg::Word(blocks as u64);
        self.over_blocks(
            stream,
            "minalpher_tag",
            blocks,
            &[sequence.arg(), Arg::Word(at.data), count, sums.arg()],
        )?;
        let found = self.tag(stream, &sequence, &sums, at.data, blocks, at)?;
        // What the tag of a forgery would be is a secret.
        let (mut want, mut given) = (Zeroizing::new([0; TAG]), [0; TAG]);
        get(&self.gpu, found.address, &mut *want, stream)?;
        get(&self.gpu, at.tag, &mut given, stream)?;
        if Tag::from(*want) != Tag::from(given) {
            return Err(BadTag.into());
        }
        self.over_blocks(
            stream,
            "minalpher_decrypt",
            blocks,
            &[
                sequence.arg(),
                Arg::Word(at.data),
                Arg::Word(blocks as u64),
                Arg::Word(at.out),
            ],
        )?;
        let last = (at.data_bytes - BLOCK) as u64;
        let mut end = Zeroizing::new([0; BLOCK]);
        get(&self.gpu, at.out + last, &mut *end, stream)?;
        let marker = unpadded(&*end).ok_or(BadTag)?;
        Ok(at.data_bytes - BLOCK + marker)
    }

    /// Of which P makes a mask.
    pub(crate) fn seed(&self, flag: u8, nonce: &[u8]) -> Zeroizing<[u8; BLOCK]> {
        let mut seed = Zeroizing::new([0; BLOCK]);
        seed[..16].copy_from_slice(&*self.key);
        seed[16] = flag;
        seed[BLOCK - NONCE..].copy_from_slice(nonce);
        seed
    }

    /// What holds y^k L, k <= powers + 2, for the mask L of a flag and a nonce.
    pub(crate) fn sequence(
        &self,
        stream: Stream,
        flag: u8,
        nonce: &[u8],
        powers: usize,
    ) -> Result<Memory, Error> {
        let columns = STARTED.max(powers / POWERS + 2);
        let size_bytes = COLUMN_BYTES * (columns + TILE); // the end of a tile reads behind
        let seed = Memory::put(&self.gpu, &*self.seed(flag, nonce), stream)?;
        let mask = Memory::zeros(&self.gpu, BLOCK, stream)?;
        let sequence = Memory::zeros(&self.gpu, size_bytes, stream)?;
        self.gpu.launch(
            stream,
            "minalpher_start",
            32,
            &[
                seed.arg(),
                mask.arg(),
                sequence.arg(),
                Arg::Word(0),
                Arg::Word(1),
            ],
        )?;
        if columns > STARTED {
            let args = [sequence.arg(), Arg::Word(columns as u64)];
            self.gpu
                .launch(stream, "minalpher_fill", columns as u64 / 8, &args)?;
        }
        Ok(sequence)
    }

    /// The tag, in a block.
    fn tag(
        &self,
        stream: Stream,
        sequence: &Memory,
        sums: &Memory,
        ciphertext: Address,
        blocks: usize,
        at: &OnDevice,
    ) -> Result<Memory, Error> {
        let added = self.hash(stream, at.ad, at.ad_bytes)?;
        let out = Memory::zeros(&self.gpu, BLOCK, stream)?;
        let blocks = blocks as u64;
        let args = [
            sequence.arg(),
            Arg::Word(2 * blocks - 1),
            Arg::Word(1),
            sums.arg(),
            added.arg(),
            Arg::Word(ciphertext),
            Arg::Word(BLOCK as u64 * blocks),
            Arg::Word(0),
            Arg::Word(blocks - 1),
            out.arg(),
        ];
        self.gpu.launch(stream, "minalpher_finish", 32, &args)?;
        Ok(out)
    }

    /// Of associated data all blocks but the last under y^i L', then what remains with the last.
    pub(crate) fn hash(
        &self,
        stream: Stream,
        ad: Address,
        ad_bytes: usize,
    ) -> Result<Memory, Error> {
        let out = Memory::zeros(&self.gpu, BLOCK, stream)?;
        if ad_bytes == 0 {
            return Ok(out);
        }
        let padded = !ad_bytes.is_multiple_of(BLOCK);
        let blocks = ad_bytes.div_ceil(BLOCK);
        let sequence = self.sequence(stream, AD, &[0; NONCE], blocks)?;
        let sums = Memory::zeros(&self.gpu, BLOCK, stream)?;
        let nothing = Memory::zeros(&self.gpu, BLOCK, stream)?;
        let (data, bytes) = (|| Arg::Word(ad), || Arg::Word(ad_bytes as u64));
        self.over_blocks(
            stream,
            "minalpher_hash",
            blocks,
            &[sequence.arg(), data(), bytes(), sums.arg()],
        )?;
        let last = blocks as u64 - 1;
        let args = [
            sequence.arg(),
            Arg::Word(last),
            Arg::Word(1 + u64::from(padded)),
            sums.arg(),
            nothing.arg(),
            data(),
            bytes(),
            Arg::Word(u64::from(padded)),
            Arg::Word(last),
            out.arg(),
        ];
        self.gpu.launch(stream, "minalpher_finish", 32, &args)?;
        Ok(out)
    }

    /// Two lanes for 32 blocks.
    pub(crate) fn over_blocks(
        &self,
        stream: Stream,
        entry: &str,
        blocks: usize,
        args: &[Arg<'_>],
    ) -> Result<(), Error> {
        let lanes = 2 * blocks.div_ceil(32) as u64;
        self.gpu.launch(stream, entry, lanes, args)
    }
}
