//! Ciphers whose every piece waits for the one before, from the entries of `kernels/aegis`,
//! `kernels/rocca` and `kernels/aether`: a lane for each message, or for four of AETHER.
//! [AEGIS-RFC] [ROCCA-S-DRAFT] [AETHER]
//!
//! Lanes wait for the longest message of their warp. A tag is compared on the device, and of a message
//! whose tag was wrong nothing is written.

use std::sync::Arc;

use roundworks::{Aegis128L, Aegis128LTag32, Aether, AetherLb, Facts, RoccaS};

use crate::Error;
use crate::batch::{Batch, Batches, MOST, is_right, places};
use crate::driver::Stream;
use crate::error::at_most;
use crate::gpu::Gpu;
use crate::memory::Memory;
use crate::on_device::OnDevice;

/// Of a cipher's kernels.
pub(crate) struct Entries {
    pub facts: &'static Facts,
    /// Of their names.
    prefix: &'static str,
    /// Messages of a lane.
    of_lane: usize,
}

/// Default sizes of tags first.
pub(crate) const ALL: &[Entries] = &[
    Entries {
        facts: Aegis128L::FACTS,
        prefix: "aegis128l",
        of_lane: 1,
    },
    Entries {
        facts: Aegis128LTag32::FACTS,
        prefix: "aegis128l_tag32",
        of_lane: 1,
    },
    Entries {
        facts: RoccaS::FACTS,
        prefix: "rocca_s",
        of_lane: 1,
    },
    Entries {
        facts: Aether::FACTS,
        prefix: "aether",
        of_lane: 4,
    },
    Entries {
        facts: AetherLb::FACTS,
        prefix: "aether_lb",
        of_lane: 4,
    },
];

pub(crate) struct Streams {
    gpu: Arc<Gpu>,
    entries: &'static Entries,
    key: Memory,
}

impl Streams {
    pub(crate) fn new(
        gpu: &Arc<Gpu>,
        entries: &'static Entries,
        key: &[u8],
    ) -> Result<Self, Error> {
        Ok(Self {
            gpu: Arc::clone(gpu),
            entries,
            key: Memory::put(gpu, key, gpu.stream)?,
        })
    }

    pub(crate) fn seal(&self, stream: Stream, nonce: &[u8], at: &OnDevice) -> Result<(), Error> {
        self.one(stream, "seal", nonce, at).map(drop)
    }

    /// How many bytes of the output are the data, once the tag was found right.
    pub(crate) fn open(&self, stream: Stream, nonce: &[u8], at: &OnDevice) -> Result<usize, Error> {
        let verdict = self.one(stream, "open", nonce, at)?;
        is_right(&self.gpu, stream, &verdict)?;
        Ok(at.data_bytes)
    }

    /// A batch of one, and its verdict.
    fn one(&self, stream: Stream, way: &str, nonce: &[u8], at: &OnDevice) -> Result<Memory, Error> {
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
    fn batch(&self, stream: Stream, way: &str, batch: &Batch<'_>) -> Result<(), Error> {
        let entry = format!("{}_{way}_many", self.entries.prefix);
        let lanes = batch.count.div_ceil(self.entries.of_lane);
        let mut args = vec![self.key.arg()];
        args.extend(batch.args());
        self.gpu.launch(stream, &entry, lanes as u64, &args)
    }
}
