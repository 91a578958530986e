//! AES-GCM from the entries of `kernels/aes`, `kernels/ghash` and `kernels/gcm`. [GCM]
//!
//! The tag is compared on the device in constant time, and counter mode of a ciphertext does nothing
//! where it was wrong.

use std::sync::Arc;

use zeroize::Zeroizing;

use crate::Error;
use crate::batch::{BLOCK, Batch, Batches, Way, is_right};
use crate::driver::{Address, Stream};
use crate::error::{Result, at_most};
use crate::gpu::Gpu;
use crate::kernels::{Arg, Entry, args};
use crate::memory::{Memory, get};
use crate::on_device::OnDevice;

// Of kernels/ghash and kernels/aes: lanes of a group, bytes of a lane's counters from tables and of a
// lane with bit slices; bytes of the tables of a block, and with them those of a batch.
const LANES: usize = 1024;
const LANE_BYTES: usize = 8 * BLOCK;
const SLICES_LANE_BYTES: usize = 32 * BLOCK;
pub(crate) const TABLES: u32 = 131_072;
const BATCH: u32 = 147_456;
/// The counter where a text begins.
pub(crate) const OF_TEXT: u32 = 2;
/// Of a message that is on the device at once: a place in it is a word of 32 bits, of words.
pub(crate) const MOST: usize = BLOCK * ((1 << 30) - 1);
/// Round keys and how many: 61 words, an argument by value.
const KEYS_BYTES: usize = 244;

pub(crate) struct AesGcm {
    pub(crate) gpu: Arc<Gpu>,
    bits: usize,
    /// In one place, so that no copy of them is left behind.
    keys: Box<Zeroizing<[u8; KEYS_BYTES]>>,
    /// H^0 .. H^1024
    powers: Memory,
    /// (H^1024)^0 .. (H^1024)^groups
    of_groups: Memory,
}

impl AesGcm {
    /// A key of 16 or 32 bytes.
    pub(crate) fn new(gpu: &Arc<Gpu>, key: &[u8]) -> Result<Self> {
        let stream = gpu.stream;
        let given = Memory::put(gpu, key, stream)?;
        let (expanded, h) = (
            Memory::zeros(gpu, KEYS_BYTES, stream)?,
            Memory::zeros(gpu, BLOCK, stream)?,
        );
        let expand = Entry::new("aes", "aes_expand");
        gpu.launch(stream, expand, 1, args![&given, &expanded, key.len() / 4])?;
        let mut keys = Box::new(Zeroizing::new([0; KEYS_BYTES]));
        get(gpu, expanded.address, &mut **keys, stream)?;
        let subkey = Entry::new("gcm", "gcm_subkey");
        gpu.launch(stream, subkey, 1, &[Arg::Bytes(&**keys), Arg::from(&h)])?;
        let list = |base: Address, highest: usize| {
            let count = highest + 1;
            let powers = Memory::zeros(gpu, BLOCK * count, stream)?;
            let entry = Entry::new("ghash", "ghash_powers");
            gpu.launch(stream, entry, count as u64, args![base, &powers, count])?;
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

    pub(crate) fn seal(&self, stream: Stream, nonce: &[u8], at: &OnDevice) -> Result {
        check_sizes(at)?;
        let text = (at.data, at.data_bytes, at.out);
        self.crypt(stream, counter(nonce, OF_TEXT), text, 0)?;
        let sum = self.sum(stream, at, at.out)?;
        self.tag(stream, nonce, &sum, at.tag)
    }

    /// How many bytes of the output are the data, once the tag was found right.
    pub(crate) fn open(&self, stream: Stream, nonce: &[u8], at: &OnDevice) -> Result<usize> {
        check_sizes(at)?;
        let sum = self.sum(stream, at, at.data)?;
        let verdict = Memory::zeros(&self.gpu, 4, stream)?;
        self.check(stream, nonce, &sum, at.tag, &verdict)?;
        let text = (at.data, at.data_bytes, at.out);
        self.crypt(stream, counter(nonce, OF_TEXT), text, verdict.address)?;
        is_right(&self.gpu, stream, &verdict)?;
        Ok(at.data_bytes)
    }

    fn keys(&self) -> Arg<'_> {
        Arg::Bytes(&**self.keys)
    }

    /// That many bytes through counter mode from a counter on; nothing where `allowed` is the address
    /// of a 0.
    pub(crate) fn crypt(
        &self,
        stream: Stream,
        counter: [u8; BLOCK],
        (data, bytes, out): (Address, usize, Address),
        allowed: Address,
    ) -> Result {
        let name = format!("aes{}_tables_ctr", self.bits);
        let (entry, lane_bytes) = match self.gpu.tuning().bit_slices {
            true => (Entry::new("aes", "aes_slices_ctr"), SLICES_LANE_BYTES),
            false => (Entry::new("aes", &name).sharing(TABLES), LANE_BYTES),
        };
        let lanes = bytes.div_ceil(lane_bytes) as u64;
        let args = args![self.keys(), &counter, data, bytes, out, allowed];
        self.gpu.launch(stream, entry, lanes, args).map(drop)
    }

    /// The tag of a sum.
    pub(crate) fn tag(&self, stream: Stream, nonce: &[u8], sum: &Memory, tag: Address) -> Result {
        let entry = Entry::new("gcm", "gcm_tag");
        let counter = counter(nonce, 0);
        let args = args![self.keys(), &counter, sum, tag];
        self.gpu.launch(stream, entry, 1, args).map(drop)
    }

    /// 1 to `verdict` if the tag of a sum is the given one, else 0.
    pub(crate) fn check(
        &self,
        stream: Stream,
        nonce: &[u8],
        sum: &Memory,
        tag: Address,
        verdict: &Memory,
    ) -> Result {
        let entry = Entry::new("gcm", "gcm_check");
        let counter = counter(nonce, 0);
        let args = args![self.keys(), &counter, sum, tag, verdict];
        self.gpu.launch(stream, entry, 1, args).map(drop)
    }

    /// The sum of an input that goes on with that many bytes, and zeros to the end of a block.
    pub(crate) fn absorb(
        &self,
        stream: Stream,
        before: &Memory,
        text: Address,
        bytes: usize,
    ) -> Result<Memory> {
        let args = args![before, text, bytes];
        self.hash(stream, "ghash_part", args, bytes.div_ceil(BLOCK))
    }

    /// GHASH of associated data and a ciphertext.
    fn sum(&self, stream: Stream, at: &OnDevice, text: Address) -> Result<Memory> {
        let blocks = at.ad_bytes.div_ceil(BLOCK) + at.data_bytes.div_ceil(BLOCK) + 1;
        let args = args![at.ad, at.ad_bytes, text, at.data_bytes];
        self.hash(stream, "ghash_sum", args, blocks)
    }

    /// In groups of 1024 lanes.
    fn hash(&self, stream: Stream, entry: &str, args: &[Arg<'_>], blocks: usize) -> Result<Memory> {
        let most = self.gpu.multiprocessors() as usize;
        let groups = blocks.div_ceil(LANES).clamp(1, most);
        let total = Memory::zeros(&self.gpu, BLOCK, stream)?;
        let more = args![&self.powers, &self.of_groups, groups, &total];
        let entry = Entry::new("ghash", entry).sharing(TABLES);
        let lanes = (LANES * groups) as u64;
        self.gpu
            .launch(stream, entry, lanes, &[args, more].concat())?;
        Ok(total)
    }
}

impl Batches for AesGcm {
    fn apart_from(&self) -> usize {
        self.gpu.tuning().warp_bytes
    }

    // Each to a lane or a warp.
    fn batch(&self, stream: Stream, way: Way, batch: &Batch<'_>) -> Result {
        let (shape, lanes) = match batch.each_bytes >= self.apart_from() {
            true => ("warps", 32),
            false => ("batch", 1),
        };
        let name = format!("gcm{}_{}_{shape}", self.bits, way.name());
        let args = [&[self.keys(), Arg::from(&self.powers)], &batch.args()[..]].concat();
        let entry = Entry::new("gcm", &name).sharing(BATCH);
        let lanes = (lanes * batch.count) as u64;
        self.gpu.launch(stream, entry, lanes, &args).map(drop)
    }
}

/// A nonce and the first counter, an argument by value.
pub(crate) fn counter(nonce: &[u8], first: u32) -> [u8; BLOCK] {
    let mut counter = [0; BLOCK];
    counter[..12].copy_from_slice(nonce);
    counter[12..].copy_from_slice(&first.to_ne_bytes());
    counter
}

fn check_sizes(at: &OnDevice) -> Result {
    at_most("data", at.data_bytes, MOST)?;
    at_most("ad", at.ad_bytes, MOST)
}
