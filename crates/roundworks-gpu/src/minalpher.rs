//! Minalpher from the entries of `kernels/minalpher`. [MINALPHER]
//!
//! Masks, tweaks, sums and tags are made where the data are. The CPU compares the tag and looks for
//! the end of the padding.

use std::sync::Arc;

use roundworks::{Error::BadTag, Tag};
use zeroize::Zeroizing;

use crate::blocks::unpadded;
use crate::driver::{Address, Stream};
use crate::error::Result;
use crate::gpu::Gpu;
use crate::kernels::{Arg, Entry, args};
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

/// A message on its way: its tweaks, what its tag sums up, and what associated data add to that.
pub(crate) struct Begun {
    pub sequence: Memory,
    pub sums: Memory,
    added: Memory,
    blocks: usize,
}

impl Minalpher {
    pub(crate) fn new(gpu: &Arc<Gpu>, key: &[u8; 16]) -> Self {
        Self {
            gpu: Arc::clone(gpu),
            key: Zeroizing::new(*key),
        }
    }

    pub(crate) fn seal(&self, stream: Stream, nonce: &[u8], at: &OnDevice) -> Result {
        let blocks = at.data_bytes / BLOCK + 1;
        let begun = self.begin(stream, nonce, blocks, (at.ad, at.ad_bytes))?;
        let args = args![&begun.sequence, at.data, at.data_bytes, at.out, &begun.sums];
        self.over_blocks(stream, "encrypt", blocks, args)?;
        let tag = self.end(stream, &begun, at.out, blocks)?;
        copy(&self.gpu, at.tag, tag.address, TAG, stream)
    }

    /// How many bytes of the output are the data, once the tag was found right.
    pub(crate) fn open(&self, stream: Stream, nonce: &[u8], at: &OnDevice) -> Result<usize> {
        let blocks = at.data_bytes / BLOCK;
        if blocks == 0 || !at.data_bytes.is_multiple_of(BLOCK) {
            return Err(BadTag.into());
        }
        let begun = self.begin(stream, nonce, blocks, (at.ad, at.ad_bytes))?;
        let args = args![&begun.sequence, at.data, blocks, &begun.sums];
        self.over_blocks(stream, "tag", blocks, args)?;
        let made = self.end(stream, &begun, at.data, blocks)?;
        let mut given = [0; TAG];
        get(&self.gpu, at.tag, &mut given, stream)?;
        self.check(stream, &made, given)?;
        let args = args![&begun.sequence, at.data, blocks, at.out];
        self.over_blocks(stream, "decrypt", blocks, args)?;
        let last = (at.data_bytes - BLOCK) as u64;
        let mut end = Zeroizing::new([0; BLOCK]);
        get(&self.gpu, at.out + last, &mut *end, stream)?;
        let marker = unpadded(&*end).ok_or(BadTag)?;
        Ok(at.data_bytes - BLOCK + marker)
    }

    /// A message of that many blocks, and a place of associated data and their bytes.
    pub(crate) fn begin(
        &self,
        stream: Stream,
        nonce: &[u8],
        blocks: usize,
        (ad, ad_bytes): (Address, usize),
    ) -> Result<Begun> {
        Ok(Begun {
            sequence: self.sequence(stream, MESSAGE, nonce, 2 * blocks)?,
            sums: Memory::zeros(&self.gpu, BLOCK, stream)?,
            added: self.hash(stream, ad, ad_bytes)?,
            blocks,
        })
    }

    /// The tag, in a block; the last `here` blocks of the ciphertext are at `text`.
    pub(crate) fn end(
        &self,
        stream: Stream,
        begun: &Begun,
        text: Address,
        here: usize,
    ) -> Result<Memory> {
        let out = Memory::zeros(&self.gpu, BLOCK, stream)?;
        let args = args![
            &begun.sequence,
            2 * begun.blocks - 1,
            1_usize,
            &begun.sums,
            &begun.added,
            text,
            BLOCK * here,
            false,
            here - 1,
            &out
        ];
        self.call(stream, "finish", 32, args)?;
        Ok(out)
    }

    /// Whether the tag that was found is the given one.
    pub(crate) fn check(&self, stream: Stream, found: &Memory, given: [u8; TAG]) -> Result {
        let mut want = Zeroizing::new([0; TAG]); // what the tag of a forgery would be is a secret
        get(&self.gpu, found.address, &mut *want, stream)?;
        match Tag::from(*want) == Tag::from(given) {
            true => Ok(()),
            false => Err(BadTag.into()),
        }
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
    ) -> Result<Memory> {
        let columns = STARTED.max(powers / POWERS + 2);
        let size_bytes = COLUMN_BYTES * (columns + TILE); // the end of a tile reads behind
        let seed = Memory::put(&self.gpu, &*self.seed(flag, nonce), stream)?;
        let mask = Memory::zeros(&self.gpu, BLOCK, stream)?;
        let sequence = Memory::zeros(&self.gpu, size_bytes, stream)?;
        let args = args![&seed, &mask, &sequence, 0_usize, 1_usize];
        self.call(stream, "start", 32, args)?;
        if columns > STARTED {
            self.call(stream, "fill", columns / 8, args![&sequence, columns])?;
        }
        Ok(sequence)
    }

    /// Of associated data all blocks but the last under y^i L', then what remains with the last.
    pub(crate) fn hash(&self, stream: Stream, ad: Address, ad_bytes: usize) -> Result<Memory> {
        let out = Memory::zeros(&self.gpu, BLOCK, stream)?;
        if ad_bytes == 0 {
            return Ok(out);
        }
        let padded = !ad_bytes.is_multiple_of(BLOCK);
        let blocks = ad_bytes.div_ceil(BLOCK);
        let sequence = self.sequence(stream, AD, &[0; NONCE], blocks)?;
        let sums = Memory::zeros(&self.gpu, BLOCK, stream)?;
        let nothing = Memory::zeros(&self.gpu, BLOCK, stream)?;
        let args = args![&sequence, ad, ad_bytes, &sums];
        self.over_blocks(stream, "hash", blocks, args)?;
        let args = args![
            &sequence,
            blocks - 1,
            1 + usize::from(padded),
            &sums,
            &nothing,
            ad,
            ad_bytes,
            padded,
            blocks - 1,
            &out
        ];
        self.call(stream, "finish", 32, args)?;
        Ok(out)
    }

    /// Two lanes for 32 blocks.
    pub(crate) fn over_blocks(
        &self,
        stream: Stream,
        entry: &str,
        blocks: usize,
        args: &[Arg<'_>],
    ) -> Result {
        self.call(stream, entry, 2 * blocks.div_ceil(32), args)
    }

    /// The entry of that name without the family's.
    pub(crate) fn call(
        &self,
        stream: Stream,
        entry: &str,
        lanes: usize,
        args: &[Arg<'_>],
    ) -> Result {
        let name = format!("minalpher_{entry}");
        let entry = Entry::new("minalpher", &name);
        self.gpu.launch(stream, entry, lanes as u64, args).map(drop)
    }
}
