//! AES-GCM from the entries of `kernels/aes`, `kernels/ghash` and `kernels/gcm`. [GCM]
//!
//! The tag is compared on the device in constant time, and counter mode of a ciphertext does nothing
//! where it was wrong.

use std::sync::Arc;

use zeroize::{Zeroize, Zeroizing};

use crate::Error;
use crate::batch::{BLOCK, Batch, Batches, is_right};
use crate::driver::{Address, Stream};
use crate::error::at_most;
use crate::gpu::Gpu;
use crate::kernels::Arg;
use crate::memory::{Memory, get};
use crate::on_device::OnDevice;

// Of kernels/ghash and kernels/aes: lanes of a group, bytes of a lane's counters.
const LANES: usize = 1024;
const LANE_BYTES: u64 = 8 * BLOCK as u64;
/// The counter where a text begins.
pub(crate) const OF_TEXT: u32 = 2;
/// Of a message that is on the device at once: a place in it is a word of 32 bits, of words.
pub(crate) const MOST: usize = BLOCK * ((1 << 30) - 1);
/// From how many bytes on a message is better given to a warp than to a lane, by the instructions
/// counted.
const OF_A_WARP: usize = 1500;

/// Round keys, an argument by value.
#[repr(C)]
pub(crate) struct Keys {
    words: [u32; 60],
    rounds: u32,
}

/// A nonce and the first counter, an argument by value.
#[derive(Clone, Copy)]
#[repr(C)]
pub(crate) struct Counter {
    nonce: [u8; 12],
    first: u32,
}

pub(crate) struct AesGcm {
    pub(crate) gpu: Arc<Gpu>,
    bits: usize,
    /// In one place, so that no copy of them is left behind.
    keys: Box<Keys>,
    /// H^0 .. H^1024
    powers: Memory,
    /// (H^1024)^0 .. (H^1024)^groups
    of_groups: Memory,
}

impl AesGcm {
    /// A key of 16 or 32 bytes.
    pub(crate) fn new(gpu: &Arc<Gpu>, key: &[u8]) -> Result<Self, Error> {
        let stream = gpu.stream;
        let given = Memory::put(gpu, key, stream)?;
        let (expanded, h) = (
            Memory::zeros(gpu, size_of::<Keys>(), stream)?,
            Memory::zeros(gpu, BLOCK, stream)?,
        );
        let words = Arg::Word(key.len() as u64 / 4);
        gpu.launch(
            stream,
            "aes_expand",
            1,
            &[given.arg(), expanded.arg(), words],
        )?;
        let mut read = Zeroizing::new([0; size_of::<Keys>()]);
        get(gpu, expanded.address, &mut *read, stream)?;
        let mut keys = Box::new(Keys {
            words: [0; 60],
            rounds: 0,
        });
        let words = keys.words.iter_mut().chain([&mut keys.rounds]);
        for (word, bytes) in words.zip(read.chunks_exact(4)) {
            *word = u32::from_ne_bytes(bytes.try_into().expect("4 bytes"));
        }
        gpu.launch(stream, "gcm_subkey", 1, &[Arg::Keys(&keys), h.arg()])?;
        let list = |base: Address, highest: usize| {
            let (count, powers) = (
                highest + 1,
                Memory::zeros(gpu, BLOCK * (highest + 1), stream)?,
            );
            let args = [Arg::Word(base), powers.arg(), Arg::Word(count as u64)];
            gpu.launch(stream, "ghash_powers", count as u64, &args)?;
            Ok::<_, Error>(powers)
        };
        let powers = list(h.address, LANES)?;
        let of_groups = list(
            powers.address + (BLOCK * LANES) as u64,
            gpu.multiprocessors() as usize,
        )?;
        gpu.wait(stream)?; // other streams will read them
        Ok(Self {
            gpu: Arc::clone(gpu),
            bits: 8 * key.len(),
            keys,
            powers,
            of_groups,
        })
    }

    pub(crate) fn seal(&self, stream: Stream, nonce: &[u8], at: &OnDevice) -> Result<(), Error> {
        check_sizes(at)?;
        let text = (at.data, at.data_bytes, at.out);
        self.crypt(stream, counter(nonce, OF_TEXT), text, 0)?;
        let sum = self.sum(stream, at, at.out)?;
        self.tag(stream, nonce, &sum, at.tag)
    }

    /// How many bytes of the output are the data, once the tag was found right.
    pub(crate) fn open(&self, stream: Stream, nonce: &[u8], at: &OnDevice) -> Result<usize, Error> {
        check_sizes(at)?;
        let sum = self.sum(stream, at, at.data)?;
        let verdict = Memory::zeros(&self.gpu, 4, stream)?;
        self.check(stream, nonce, &sum, at.tag, &verdict)?;
        let text = (at.data, at.data_bytes, at.out);
        self.crypt(stream, counter(nonce, OF_TEXT), text, verdict.address)?;
        is_right(&self.gpu, stream, &verdict)?;
        Ok(at.data_bytes)
    }

    /// So many bytes through counter mode from a counter on; nothing where `allowed` is the address
    /// of a 0.
    pub(crate) fn crypt(
        &self,
        stream: Stream,
        counter: Arg<'_>,
        (data, bytes, out): (Address, usize, Address),
        allowed: Address,
    ) -> Result<(), Error> {
        let entry = format!("aes{}_tables_ctr", self.bits);
        let args = [
            Arg::Keys(&self.keys),
            counter,
            Arg::Word(data),
            Arg::Word(bytes as u64),
            Arg::Word(out),
            Arg::Word(allowed),
        ];
        let lanes = (bytes as u64).div_ceil(LANE_BYTES);
        self.gpu.launch(stream, &entry, lanes, &args)
    }

    /// The tag of a sum.
    pub(crate) fn tag(
        &self,
        stream: Stream,
        nonce: &[u8],
        sum: &Memory,
        tag: Address,
    ) -> Result<(), Error> {
        let (keys, counter) = (Arg::Keys(&self.keys), counter(nonce, 0));
        let args = [keys, counter, sum.arg(), Arg::Word(tag)];
        self.gpu.launch(stream, "gcm_tag", 1, &args)
    }

    /// 1 to `verdict` if the tag of a sum is the given one, else 0.
    pub(crate) fn check(
        &self,
        stream: Stream,
        nonce: &[u8],
        sum: &Memory,
        tag: Address,
        verdict: &Memory,
    ) -> Result<(), Error> {
        let (keys, counter) = (Arg::Keys(&self.keys), counter(nonce, 0));
        let args = [keys, counter, sum.arg(), Arg::Word(tag), verdict.arg()];
        self.gpu.launch(stream, "gcm_check", 1, &args)
    }

    /// The sum of an input that goes on with so many bytes, and zeros to the end of a block.
    pub(crate) fn absorb(
        &self,
        stream: Stream,
        before: &Memory,
        text: Address,
        bytes: usize,
    ) -> Result<Memory, Error> {
        let total = Memory::zeros(&self.gpu, BLOCK, stream)?;
        let groups = self.groups(bytes.div_ceil(BLOCK));
        let args = [
            before.arg(),
            Arg::Word(text),
            Arg::Word(bytes as u64),
            self.powers.arg(),
            self.of_groups.arg(),
            Arg::Word(groups),
            total.arg(),
        ];
        let lanes = LANES as u64 * groups;
        self.gpu.launch(stream, "ghash_part", lanes, &args)?;
        Ok(total)
    }

    /// Of 1024 lanes, for so many blocks.
    fn groups(&self, blocks: usize) -> u64 {
        let most = self.gpu.multiprocessors() as usize;
        blocks.div_ceil(LANES).clamp(1, most) as u64
    }

    /// GHASH of associated data and a ciphertext.
    fn sum(&self, stream: Stream, at: &OnDevice, text: Address) -> Result<Memory, Error> {
        let sum = Memory::zeros(&self.gpu, BLOCK, stream)?;
        let blocks = at.ad_bytes.div_ceil(BLOCK) + at.data_bytes.div_ceil(BLOCK) + 1;
        let groups = self.groups(blocks);
        let args = [
            Arg::Word(at.ad),
            Arg::Word(at.ad_bytes as u64),
            Arg::Word(text),
            Arg::Word(at.data_bytes as u64),
            self.powers.arg(),
            self.of_groups.arg(),
            Arg::Word(groups),
            sum.arg(),
        ];
        self.gpu
            .launch(stream, "ghash_sum", LANES as u64 * groups, &args)?;
        Ok(sum)
    }
}

impl Batches for AesGcm {
    fn apart_from(&self) -> usize {
        OF_A_WARP
    }

    // Each to a lane or a warp.
    fn batch(&self, stream: Stream, way: &str, batch: &Batch<'_>) -> Result<(), Error> {
        let (shape, lanes) = match batch.each_bytes {
            OF_A_WARP.. => ("warps", 32),
            _ => ("batch", 1),
        };
        let entry = format!("gcm{}_{way}_{shape}", self.bits);
        let mut args = vec![Arg::Keys(&self.keys), self.powers.arg()];
        args.extend(batch.args());
        self.gpu
            .launch(stream, &entry, lanes * batch.count as u64, &args)
    }
}

impl Drop for AesGcm {
    fn drop(&mut self) {
        self.keys.words.zeroize();
    }
}

pub(crate) fn counter(nonce: &[u8], first: u32) -> Arg<'static> {
    let nonce = nonce.try_into().expect("12 bytes, as was checked");
    Arg::Counter(Counter { nonce, first })
}

fn check_sizes(at: &OnDevice) -> Result<(), Error> {
    at_most("data", at.data_bytes, MOST)?;
    at_most("ad", at.ad_bytes, MOST)
}
