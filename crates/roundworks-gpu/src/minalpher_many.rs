//! Many messages of Minalpher at once: masks, tweaks, texts, sums and tags of all, each in one launch.
//!
//! A lane pair has 32 blocks of one message, so those below 1 KiB leave some of its places empty. Tags
//! are compared on the device, and of a message whose tag was wrong nothing is written.

use zeroize::Zeroizing;

use crate::batch::{Way, as_words};
use crate::blocks::{Blocks, numbered};
use crate::buffers::Buffer;
use crate::error::Result;
use crate::kernels::{Arg, args};
use crate::memory::Memory;
use crate::minalpher::{AD, BLOCK, COLUMN_BYTES, MESSAGE, Minalpher, NONCE, STARTED};
use crate::staged::Staged;

// Of kernels/minalpher: blocks of a group, columns of a tile and what it writes behind them.
const GROUP: usize = 32;
const TILE_COLUMNS: usize = 256;
const BEHIND: usize = 32;
// How the last block of associated data enters.
const NONE: usize = 0;
const WHOLE: usize = 1;
const PADDED: usize = 2;

/// What the launches know of messages in addition to their texts.
pub(crate) struct Layout {
    texts: Side,
    seeds: Memory,
    /// Columns of all tweaks, and the tiles of the longer ones.
    columns: usize,
    tiles: Memory,
    of_tiles: usize,
    ads: Ads,
}

/// Texts or associated data one after another: `Batch` of `kernels/minalpher`.
struct Side {
    places: Memory,
    groups: Memory,
    of_groups: usize,
    count: usize,
}

/// Associated data of all messages, or of each its own.
enum Ads {
    One(Memory, usize, Memory),
    Each {
        data: Memory,
        side: Side,
        most_blocks: usize,
    },
}

/// Bytes in whole blocks, and where each text is.
type Texts = (Buffer, Vec<(usize, usize)>, Layout);

impl Minalpher {
    /// Texts in whole blocks, where each is, and the rest of what was put on the device.
    pub(crate) fn layout<'a>(
        &self,
        nonces: impl Iterator<Item = &'a [u8]>,
        texts: &[&[u8]],
        ads: &[&[u8]],
        way: Way,
    ) -> Result<Texts> {
        let blocks = match way {
            Way::Seal => Blocks::padded(&self.gpu, texts)?,
            Way::Open => Blocks::whole(&self.gpu, texts)?,
        };
        let mut seeds = Zeroizing::new(Vec::with_capacity(BLOCK * texts.len()));
        for nonce in nonces {
            seeds.extend_from_slice(&*self.seed(MESSAGE, nonce));
        }
        let columns = |blocks: usize| blocks / GROUP + 2;
        let is_long = |blocks: usize| columns(blocks) > STARTED;
        let mut first = 0;
        let firsts = blocks.counts.iter().map(|blocks| {
            let here = first;
            first += columns(*blocks) + if is_long(*blocks) { BEHIND } else { 0 };
            [here, 0]
        });
        let firsts: Vec<_> = firsts.collect();
        let groups = blocks.counts.iter().map(|n| n.div_ceil(GROUP));
        let tiles = blocks.counts.iter().map(|blocks| match is_long(*blocks) {
            true => columns(*blocks).div_ceil(TILE_COLUMNS),
            false => 0,
        });
        let (tiles, of_tiles) = numbered(tiles);
        let layout = Layout {
            texts: self.side(&blocks, firsts, groups)?,
            seeds: self.put(&seeds)?,
            columns: first,
            tiles: self.put(&tiles)?,
            of_tiles,
            ads: self.ads(ads)?,
        };
        Ok((blocks.data, spans(&blocks.counts), layout))
    }

    /// Seals or opens what was staged.
    pub(crate) fn many(&self, staged: &Staged, layout: &Layout) -> Result {
        let (side, count) = (&layout.texts, layout.texts.count);
        let (data, out, verdicts) = (&staged.data, &staged.out, &staged.verdicts);
        let sequences = self.tweaks(layout)?;
        let sums = self.zeros(BLOCK * count)?;
        if staged.way == Way::Seal {
            self.of_groups("encrypt_many", side, &sequences, args![data, out, &sums])?;
            let hashes = self.hashes(layout)?;
            return self.end_all(side, &sequences, &sums, out, Some(&hashes), &staged.tags);
        }
        self.of_groups("tag_many", side, &sequences, args![data, &sums])?;
        let hashes = self.hashes(layout)?;
        let made = self.zeros(BLOCK * count)?;
        self.end_all(side, &sequences, &sums, data, Some(&hashes), &made)?;
        let args = args![&made, &staged.tags, verdicts, count];
        self.call(self.gpu.stream, "check_many", count, args)?;
        self.of_groups("decrypt_many", side, &sequences, args![data, out, verdicts])
    }

    /// Of each message from a mask of its own.
    fn tweaks(&self, layout: &Layout) -> Result<Memory> {
        let (stream, count, places) = (self.gpu.stream, layout.texts.count, &layout.texts.places);
        let masks = self.zeros(BLOCK * count)?;
        self.permute_add(&layout.seeds, &layout.seeds, count, &masks)?;
        let sequences = self.zeros(COLUMN_BYTES * layout.columns)?;
        let args = args![places, &masks, &sequences, count];
        self.call(stream, "start_many", count, args)?;
        if layout.of_tiles > 0 {
            let args = args![places, &layout.tiles, &sequences, layout.of_tiles];
            self.call(stream, "fill_many", 32 * layout.of_tiles, args)?;
        }
        Ok(sequences)
    }

    fn side(
        &self,
        blocks: &Blocks,
        more: impl IntoIterator<Item = [usize; 2]>,
        groups: impl Iterator<Item = usize>,
    ) -> Result<Side> {
        let (groups, of_groups) = numbered(groups);
        Ok(Side {
            places: self.put(&blocks.places(more))?,
            groups: self.put(&groups)?,
            of_groups,
            count: blocks.counts.len(),
        })
    }

    fn ads(&self, ads: &[&[u8]]) -> Result<Ads> {
        let one = ads.first().copied().unwrap_or_default();
        if ads.iter().all(|ad| *ad == one) {
            let entered = if one.is_empty() { NONE } else { WHOLE };
            let places = as_words(vec![entered; 4 * ads.len()]);
            return Ok(Ads::One(self.put(one)?, one.len(), self.put(&places)?));
        }
        let blocks = Blocks::of_ads(&self.gpu, ads)?;
        let ends = ads.iter().map(|ad| match (ad.len(), ad.len() % BLOCK) {
            (0, _) => [0, NONE],
            (_, 0) => [0, WHOLE],
            _ => [0, PADDED],
        });
        // Every other of 64 blocks, and not the last.
        let groups = blocks.counts.iter();
        let groups = groups.map(|n| (n - 1).div_ceil(2 * GROUP) * 2);
        Ok(Ads::Each {
            side: self.side(&blocks, ends, groups)?,
            most_blocks: blocks.counts.iter().max().copied().unwrap_or_default(),
            data: self.put(&blocks.data)?,
        })
    }

    /// What associated data add to tags, where it says so of each, and whether each has its own.
    fn hashes<'a>(&self, layout: &'a Layout) -> Result<Hashes<'a>> {
        let stream = self.gpu.stream;
        match &layout.ads {
            Ads::One(data, bytes, places) => Ok(Hashes {
                added: self.hash(stream, data.address, *bytes)?,
                places,
                each: false,
            }),
            Ads::Each {
                data,
                side,
                most_blocks,
            } => {
                let sequence = self.sequence(stream, AD, &[0; NONCE], *most_blocks)?;
                let sums = self.zeros(BLOCK * side.count)?;
                if side.of_groups > 0 {
                    self.of_groups("hash_many", side, &sequence, args![data, &sums])?;
                }
                let added = self.zeros(BLOCK * side.count)?;
                self.end_all(side, &sequence, &sums, data, None, &added)?;
                Ok(Hashes {
                    added,
                    places: &side.places,
                    each: true,
                })
            }
        }
    }

    /// Tags, or without hashes to take in the hashes, 32 bytes apart.
    fn end_all(
        &self,
        side: &Side,
        sequences: &Memory,
        sums: &Memory,
        data: &Memory,
        hashes: Option<&Hashes<'_>>,
        to: &Memory,
    ) -> Result {
        let bytes = BLOCK * side.count;
        let (joined, tweaks, nothing) =
            (self.zeros(bytes)?, self.zeros(bytes)?, self.zeros(BLOCK)?);
        let args = args![
            &side.places,
            sequences,
            sums,
            data,
            hashes.map_or(&side.places, |it| it.places),
            hashes.map_or(&nothing, |it| &it.added),
            side.count,
            hashes.is_some(),
            hashes.is_some_and(|it| it.each),
            &joined,
            &tweaks
        ];
        self.call(self.gpu.stream, "join_many", side.count, args)?;
        self.permute_add(&joined, &tweaks, side.count, to)
    }

    /// P of that many blocks, and others added to it.
    fn permute_add(&self, given: &Memory, added: &Memory, count: usize, to: &Memory) -> Result {
        let args = args![given, added, to, count];
        self.over_blocks(self.gpu.stream, "permute_add", count, args)
    }

    /// Two lanes for a group.
    fn of_groups(&self, entry: &str, side: &Side, sequences: &Memory, more: &[Arg<'_>]) -> Result {
        let args = args![&side.places, sequences, &side.groups, side.of_groups];
        let args = [args, more].concat();
        self.call(self.gpu.stream, entry, 2 * side.of_groups, &args)
    }

    fn put(&self, data: &[u8]) -> Result<Memory> {
        Memory::put(&self.gpu, data, self.gpu.stream)
    }

    fn zeros(&self, bytes: usize) -> Result<Memory> {
        Memory::zeros(&self.gpu, bytes, self.gpu.stream)
    }
}

struct Hashes<'a> {
    added: Memory,
    places: &'a Memory,
    each: bool,
}

/// Where each is.
fn spans(counts: &[usize]) -> Vec<(usize, usize)> {
    let mut first = 0;
    let spans = counts.iter().map(|count| {
        let here = (first, BLOCK * count);
        first += here.1;
        here
    });
    spans.collect()
}
