//! Many messages of Minalpher at once: masks, tweaks, texts, sums and tags of all, each in one launch.
//!
//! A lane pair has 32 blocks of one message, so those below 1 KiB leave some of its places empty. Tags
//! are compared on the device, and of a message whose tag was wrong nothing is written.

use roundworks::Message;
use zeroize::Zeroizing;

use crate::Error;
use crate::batch::{AsMessage, Opening, as_words, read_verdicts};
use crate::blocks::{Blocks, fitting, numbered, unpadded};
use crate::kernels::Arg;
use crate::memory::{Memory, get};
use crate::minalpher::{AD, BLOCK, COLUMN_BYTES, MESSAGE, Minalpher, NONCE, STARTED, TAG};

// Of kernels/minalpher: blocks of a group, columns of a tile and what it writes behind them.
const GROUP: usize = 32;
const TILE_COLUMNS: usize = 256;
const BEHIND: usize = 32;
// How the last block of associated data enters.
const NONE: usize = 0;
const WHOLE: usize = 1;
const PADDED: usize = 2;

/// Texts or associated data side by side: `Batch` of `kernels/minalpher`.
struct Side {
    data: Memory,
    places: Memory,
    groups: Memory,
    of_groups: usize,
    count: usize,
}

/// Of associated data: one for all messages, or of each its own, where its place says so.
struct Hashes {
    added: Memory,
    places: Memory,
    each: bool,
}

impl Minalpher {
    /// Ciphertext and tag of each to its `out`.
    pub(crate) fn seal_many(&self, messages: &mut [&mut Message<'_>]) -> Result<(), Error> {
        let mut left = messages;
        while !left.is_empty() {
            let (part, rest) = left.split_at_mut(fitting(left));
            let texts = Blocks::padded(part.iter().map(|m| m.data));
            let out = self.zeros(texts.data.len())?;
            let (side, sequences) = self.texts(part, &texts)?;
            let sums = self.zeros(BLOCK * side.count)?;
            let args = [side.data.arg(), out.arg(), sums.arg()];
            self.of_groups("minalpher_encrypt_many", &side, &sequences, &args)?;
            let hashes = self.hashes(part)?;
            let tags = self.ended(&side, &sequences, &sums, &out, Some(&hashes))?;
            let mut text = vec![0; texts.data.len()];
            let mut found = Zeroizing::new(vec![0; BLOCK * side.count]); // more than tags
            get(&self.gpu, out.address, &mut text, self.gpu.stream)?;
            get(&self.gpu, tags.address, &mut found, self.gpu.stream)?;
            let mut text = &text[..];
            for (m, tag) in part.iter_mut().zip(found.chunks_exact(BLOCK)) {
                let (ciphertext, end) = m.out.split_at_mut(m.out.len() - TAG);
                ciphertext.copy_from_slice(&text[..ciphertext.len()]);
                end.copy_from_slice(&tag[..TAG]);
                text = &text[ciphertext.len()..];
            }
            left = rest;
        }
        Ok(())
    }

    /// The data of those whose tag was right to their `out`, which is zeros, and their sizes.
    pub(crate) fn open_many(&self, messages: &mut [Opening<'_, '_>]) -> Result<(), Error> {
        let mut left = messages;
        while !left.is_empty() {
            let (part, rest) = left.split_at_mut(fitting(left));
            let split = |m: &Message<'_>| m.data.len() - TAG;
            let texts = Blocks::whole(part.iter().map(|(m, _)| &m.data[..split(m)]));
            let tags = part.iter().flat_map(|(m, _)| &m.data[split(m)..]);
            let given: Vec<_> = tags.copied().collect();
            let count = texts.counts.len();
            let (out, verdicts) = (self.zeros(texts.data.len())?, self.zeros(4 * count)?);
            self.opened(part, &texts, &given, &out, &verdicts)?;
            let right = read_verdicts(&self.gpu, &verdicts, count)?;
            let mut text = Zeroizing::new(vec![0; texts.data.len()]);
            get(&self.gpu, out.address, &mut text, self.gpu.stream)?;
            let mut text = &text[..];
            for ((m, opened), right) in part.iter_mut().zip(right) {
                let (mine, others) = text.split_at(m.out.len());
                if let Some(bytes) = unpadded(mine).filter(|_| right) {
                    m.out[..bytes].copy_from_slice(&mine[..bytes]);
                    **opened = Some(bytes);
                }
                text = others;
            }
            left = rest;
        }
        Ok(())
    }

    /// 1 to the verdict of each whose tag is the given one, else 0; padded texts of the former.
    fn opened(
        &self,
        messages: &[impl AsMessage],
        texts: &Blocks,
        given: &[u8],
        out: &Memory,
        verdicts: &Memory,
    ) -> Result<(), Error> {
        let (side, sequences) = self.texts(messages, texts)?;
        let sums = self.zeros(BLOCK * side.count)?;
        let args = [side.data.arg(), sums.arg()];
        self.of_groups("minalpher_tag_many", &side, &sequences, &args)?;
        let hashes = self.hashes(messages)?;
        let found = self.ended(&side, &sequences, &sums, &side.data, Some(&hashes))?;
        let given = self.put(given)?;
        let args = [
            found.arg(),
            given.arg(),
            verdicts.arg(),
            Arg::Word(side.count as u64),
        ];
        self.of_each("minalpher_check_many", side.count, &args)?;
        let args = [side.data.arg(), out.arg(), verdicts.arg()];
        self.of_groups("minalpher_decrypt_many", &side, &sequences, &args)
    }

    /// Messages on the device, and the tweaks of each from a mask of its own.
    fn texts(&self, messages: &[impl AsMessage], texts: &Blocks) -> Result<(Side, Memory), Error> {
        let count = messages.len();
        let mut seeds = Zeroizing::new(Vec::with_capacity(BLOCK * count));
        for m in messages {
            seeds.extend_from_slice(&*self.seed(MESSAGE, m.message().nonce));
        }
        let columns = |blocks: usize| blocks / GROUP + 2;
        let is_long = |blocks: usize| columns(blocks) > STARTED;
        let mut first = 0;
        let firsts = texts.counts.iter().map(|blocks| {
            let here = first;
            first += columns(*blocks) + if is_long(*blocks) { BEHIND } else { 0 };
            [here, 0]
        });
        let firsts: Vec<_> = firsts.collect();
        let side = self.side(
            texts,
            firsts,
            texts.counts.iter().map(|n| n.div_ceil(GROUP)),
        )?;

        let seeds = self.put(&seeds)?;
        let masks = self.permuted(&seeds, &seeds, count)?;
        let sequences = self.zeros(COLUMN_BYTES * first)?;
        let args = [
            side.places.arg(),
            masks.arg(),
            sequences.arg(),
            Arg::Word(count as u64),
        ];
        self.of_each("minalpher_start_many", count, &args)?;
        let tiles = texts.counts.iter().map(|blocks| match is_long(*blocks) {
            true => columns(*blocks).div_ceil(TILE_COLUMNS),
            false => 0,
        });
        let (tiles, of_tiles) = numbered(tiles);
        if of_tiles > 0 {
            let tiles = self.put(&tiles)?;
            let args = [
                side.places.arg(),
                tiles.arg(),
                sequences.arg(),
                Arg::Word(of_tiles as u64),
            ];
            self.of_each("minalpher_fill_many", 32 * of_tiles, &args)?;
        }
        Ok((side, sequences))
    }

    fn side(
        &self,
        blocks: &Blocks,
        more: impl IntoIterator<Item = [usize; 2]>,
        groups: impl Iterator<Item = usize>,
    ) -> Result<Side, Error> {
        let (groups, of_groups) = numbered(groups);
        Ok(Side {
            data: self.put(&blocks.data)?,
            places: self.put(&blocks.places(more))?,
            groups: self.put(&groups)?,
            of_groups,
            count: blocks.counts.len(),
        })
    }

    /// What associated data add to tags.
    fn hashes(&self, messages: &[impl AsMessage]) -> Result<Hashes, Error> {
        let ads = || messages.iter().map(|m| m.message().ad);
        let (stream, one) = (self.gpu.stream, messages[0].message().ad);
        if ads().all(|ad| ad == one) {
            let entered = if one.is_empty() { NONE } else { WHOLE };
            let data = self.put(one)?;
            return Ok(Hashes {
                added: self.hash(stream, data.address, one.len())?,
                places: self.put(&as_words(vec![entered; 4 * messages.len()]))?,
                each: false,
            });
        }
        let blocks = Blocks::of_ads(ads());
        let ends = ads().map(|ad| match (ad.len(), ad.len() % BLOCK) {
            (0, _) => [0, NONE],
            (_, 0) => [0, WHOLE],
            _ => [0, PADDED],
        });
        // Every other of 64 blocks, and not the last.
        let groups = blocks
            .counts
            .iter()
            .map(|n| (n - 1).div_ceil(2 * GROUP) * 2);
        let side = self.side(&blocks, ends, groups)?;
        let most = blocks.counts.iter().max().copied().unwrap_or_default();
        let sequence = self.sequence(stream, AD, &[0; NONCE], most)?;
        let sums = self.zeros(BLOCK * side.count)?;
        if side.of_groups > 0 {
            let args = [side.data.arg(), sums.arg()];
            self.of_groups("minalpher_hash_many", &side, &sequence, &args)?;
        }
        Ok(Hashes {
            added: self.ended(&side, &sequence, &sums, &side.data, None)?,
            places: side.places,
            each: true,
        })
    }

    /// Tags, or without hashes to take in the hashes, 32 bytes apart.
    fn ended(
        &self,
        side: &Side,
        sequences: &Memory,
        sums: &Memory,
        data: &Memory,
        hashes: Option<&Hashes>,
    ) -> Result<Memory, Error> {
        let bytes = BLOCK * side.count;
        let (joined, tweaks, nothing) =
            (self.zeros(bytes)?, self.zeros(bytes)?, self.zeros(BLOCK)?);
        let (of_text, each) = (hashes.is_some(), hashes.is_some_and(|it| it.each));
        let args = [
            side.places.arg(),
            sequences.arg(),
            sums.arg(),
            data.arg(),
            hashes.map_or(&side.places, |it| &it.places).arg(),
            hashes.map_or(&nothing, |it| &it.added).arg(),
            Arg::Word(side.count as u64),
            Arg::Word(of_text.into()),
            Arg::Word(each.into()),
            joined.arg(),
            tweaks.arg(),
        ];
        self.of_each("minalpher_join_many", side.count, &args)?;
        self.permuted(&joined, &tweaks, side.count)
    }

    /// P of so many blocks, and others added to it.
    fn permuted(&self, given: &Memory, added: &Memory, count: usize) -> Result<Memory, Error> {
        let out = self.zeros(BLOCK * count)?;
        let args = [given.arg(), added.arg(), out.arg(), Arg::Word(count as u64)];
        self.over_blocks(self.gpu.stream, "minalpher_permute_add", count, &args)?;
        Ok(out)
    }

    /// Two lanes for a group.
    fn of_groups(
        &self,
        entry: &str,
        side: &Side,
        sequences: &Memory,
        more: &[Arg<'_>],
    ) -> Result<(), Error> {
        let mut args = vec![
            side.places.arg(),
            sequences.arg(),
            side.groups.arg(),
            Arg::Word(side.of_groups as u64),
        ];
        args.extend_from_slice(more);
        self.of_each(entry, 2 * side.of_groups, &args)
    }

    fn of_each(&self, entry: &str, lanes: usize, args: &[Arg<'_>]) -> Result<(), Error> {
        self.gpu.launch(self.gpu.stream, entry, lanes as u64, args)
    }

    fn put(&self, data: &[u8]) -> Result<Memory, Error> {
        Memory::put(&self.gpu, data, self.gpu.stream)
    }

    fn zeros(&self, bytes: usize) -> Result<Memory, Error> {
        Memory::zeros(&self.gpu, bytes, self.gpu.stream)
    }
}
