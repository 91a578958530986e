//! Ciphers whose every update waits for the one before, from the entries of `kernels/aegis`,
//! `kernels/rocca` and `kernels/aether`: a lane for each message, or for four of AETHER.
//! [AEGIS-RFC] [ROCCA-S-DRAFT] [AETHER]
//!
//! Lanes wait for the longest message of their warp. A tag is compared on the device, and of a message
//! whose tag was wrong nothing is written.

use std::sync::Arc;

use roundworks::{Aegis128L, Aegis128LTag32, Aether, AetherLb, Facts, RoccaS};

use crate::batch::{Batch, Batches, MOST, Way, is_right, places};
use crate::driver::Stream;
use crate::error::{Result, at_most};
use crate::gcm::TABLES;
use crate::gpu::Gpu;
use crate::kernels::{Arg, Entry};
use crate::memory::Memory;
use crate::on_device::OnDevice;

// What messages go through at minimum: 64 bytes of a lane, of 16 warps; 48 bytes of four messages of a
// lane, of four warps.
const AES_TILES: u32 = 16 * 32 * 64;
const AETHER_TILES: u32 = 4 * 32 * 4 * 48;

/// Of a cipher's kernels.
pub(crate) struct Entries {
    pub facts: &'static Facts,
    pub family: &'static str,
    /// Of their names.
    prefix: &'static str,
    /// Messages of a lane.
    of_lane: usize,
    /// What a launch's block shares: tables, and a tile for each warp.
    table_bytes: u32,
    tile_bytes: u32,
}

impl Entries {
    /// Of a cipher that looks up AES's rounds.
    const fn aes(facts: &'static Facts, family: &'static str, prefix: &'static str) -> Self {
        Self {
            facts,
            family,
            prefix,
            of_lane: 1,
            table_bytes: TABLES,
            tile_bytes: AES_TILES,
        }
    }

    const fn aether(facts: &'static Facts, prefix: &'static str) -> Self {
        Self {
            facts,
            family: "aether",
            prefix,
            of_lane: 4,
            table_bytes: 0,
            tile_bytes: AETHER_TILES,
        }
    }
}

/// Default sizes of tags first.
pub(crate) const ALL: &[Entries] = &[
    Entries::aes(Aegis128L::FACTS, "aegis", "aegis128l"),
    Entries::aes(Aegis128LTag32::FACTS, "aegis", "aegis128l_tag32"),
    Entries::aes(RoccaS::FACTS, "rocca", "rocca_s"),
    Entries::aether(Aether::FACTS, "aether"),
    Entries::aether(AetherLb::FACTS, "aether_lb"),
];

pub(crate) struct Streams {
    gpu: Arc<Gpu>,
    entries: &'static Entries,
    key: Memory,
}

impl Streams {
    pub(crate) fn new(gpu: &Arc<Gpu>, entries: &'static Entries, key: &[u8]) -> Result<Self> {
        Ok(Self {
            gpu: Arc::clone(gpu),
            entries,
            key: Memory::put(gpu, key, gpu.stream)?,
        })
    }

    pub(crate) fn seal(&self, stream: Stream, nonce: &[u8], at: &OnDevice) -> Result {
        self.one(stream, Way::Seal, nonce, at).map(drop)
    }

    /// How many bytes of the output are the data, once the tag was found right.
    pub(crate) fn open(&self, stream: Stream, nonce: &[u8], at: &OnDevice) -> Result<usize> {
        let verdict = self.one(stream, Way::Open, nonce, at)?;
        is_right(&self.gpu, stream, &verdict)?;
        Ok(at.data_bytes)
    }

    /// A batch of one, and its verdict.
    fn one(&self, stream: Stream, way: Way, nonce: &[u8], at: &OnDevice) -> Result<Memory> {
        at_most("data", at.data_bytes, MOST)?;
        at_most("ad", at.ad_bytes, MOST)?;
        let place = places([(0, at.ad_bytes, 0, at.data_bytes)].into_iter());
        let nonces = Memory::put(&self.gpu, nonce, stream)?;
        let verdict = Memory::zeros(&self.gpu, 4, stream)?;
        let batch = Batch {
            nonces: nonces.address,
            places: &Memory::put(&self.gpu, &place, stream)?,
            ad: at.ad,
            data: at.data,
            out: at.out,
            tags: at.tag,
            verdicts: verdict.address,
            count: 1,
            each_bytes: at.data_bytes,
        };
        self.batch(stream, way, &batch)?;
        Ok(verdict)
    }
}

impl Batches for Streams {
    fn batch(&self, stream: Stream, way: Way, batch: &Batch<'_>) -> Result {
        let of = self.entries;
        let name = format!("{}_{}_many", of.prefix, way.name());
        let tiles = of.tile_bytes << u32::from(self.gpu.has_large_tiles());
        let entry = Entry::new(of.family, &name).sharing(of.table_bytes + tiles);
        let lanes = batch.count.div_ceil(of.of_lane) as u64;
        let args = [&[Arg::from(&self.key)], &batch.args()[..]].concat();
        self.gpu.launch(stream, entry, lanes, &args).map(drop)
    }
}
