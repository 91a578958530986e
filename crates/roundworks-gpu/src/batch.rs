//! Messages side by side in whole blocks, as kernels take them, and from host memory to there.

use std::sync::Arc;

use roundworks::Error::BadTag;
use roundworks::{Facts, Message};
use zeroize::Zeroizing;

use crate::Error;
use crate::driver::{Address, Stream};
use crate::gpu::Gpu;
use crate::kernels::Arg;
use crate::memory::{Memory, get};

pub(crate) const BLOCK: usize = 16;
/// Blocks of a launch, unless it is one message.
pub(crate) const AT_ONCE: usize = 1 << 24;
/// Of one message: a size is a word of 32 bits.
pub(crate) const MOST: usize = (1 << 31) - 1;

/// Messages of a launch, as `kernels/gcm` and `kernels/common/streams.hpp` have them.
pub(crate) struct Batch<'a> {
    pub nonces: Address,
    pub places: &'a Memory,
    pub ad: Address,
    pub data: Address,
    pub out: Address,
    pub tags: Address,
    pub verdicts: Address,
    pub count: usize,
    /// Of the shortest message.
    pub each_bytes: usize,
}

impl Batch<'_> {
    /// What every kernel of batches takes, behind the keys.
    pub(crate) fn args(&self) -> [Arg<'_>; 8] {
        [
            Arg::Word(self.nonces),
            self.places.arg(),
            Arg::Word(self.ad),
            Arg::Word(self.data),
            Arg::Word(self.out),
            Arg::Word(self.tags),
            Arg::Word(self.verdicts),
            Arg::Word(self.count as u64),
        ]
    }
}

/// A cipher that takes many messages in one launch.
pub(crate) trait Batches {
    /// Seals or opens messages; no text where a tag was wrong.
    fn batch(&self, stream: Stream, way: &str, batch: &Batch<'_>) -> Result<(), Error>;

    /// From how many bytes on messages have another launch than shorter ones.
    fn apart_from(&self) -> usize {
        usize::MAX
    }
}

/// A message, perhaps with more beside it.
pub(crate) trait AsMessage {
    fn message(&self) -> &Message<'_>;

    /// Bytes of associated data and of data.
    fn bytes(&self) -> usize {
        self.message().ad.len() + self.message().data.len()
    }
}

impl AsMessage for &mut Message<'_> {
    fn message(&self) -> &Message<'_> {
        self
    }
}

/// A message with the place of its answer.
pub(crate) type Opening<'a, 'b> = (&'a mut Message<'b>, &'a mut Option<usize>);

impl AsMessage for Opening<'_, '_> {
    fn message(&self) -> &Message<'_> {
        self.0
    }
}

/// How many of the first messages a launch takes; they are in order of their bytes.
pub(crate) fn fitting(messages: &[impl AsMessage], apart_from: usize) -> usize {
    let mut blocks = 0;
    let is_short = messages[0].bytes() < apart_from;
    let fit = messages.iter().take_while(|m| {
        blocks += m.bytes() / BLOCK + 2;
        blocks <= AT_ONCE && is_short == (m.bytes() < apart_from)
    });
    fit.count().max(1)
}

/// Messages of host memory, side by side.
pub(crate) struct Gathered {
    nonces: Vec<u8>,
    ads: Vec<u8>,
    texts: Zeroizing<Vec<u8>>,
    tags: Vec<u8>,
    places: Vec<u8>,
    count: usize,
    each_bytes: usize,
}

/// What a launch made of them.
pub(crate) struct Done {
    pub texts: Zeroizing<Vec<u8>>,
    pub tags: Vec<u8>,
    pub right: Vec<bool>,
}

impl Gathered {
    /// Of messages that were sealed the end of the data is the tag.
    pub(crate) fn of(messages: &[impl AsMessage], facts: &Facts, sealed: bool) -> Self {
        let tag_bytes = if sealed { facts.tag_bytes } else { 0 };
        let all = || messages.iter().map(AsMessage::message);
        let ad_bytes = all().map(|m| whole(m.ad.len())).sum();
        let text_bytes = all().map(|m| whole(m.data.len())).sum();
        let mut made = Self {
            nonces: Vec::with_capacity(facts.nonce_bytes * messages.len()),
            ads: Vec::with_capacity(ad_bytes),
            texts: Zeroizing::new(Vec::with_capacity(text_bytes)), // grown, it would leave a copy
            tags: Vec::with_capacity(facts.tag_bytes * messages.len()),
            places: Vec::new(),
            count: messages.len(),
            each_bytes: messages[0].bytes() - tag_bytes,
        };
        let mut at = Vec::with_capacity(messages.len());
        for m in all() {
            let (text, tag) = m.data.split_at(m.data.len() - tag_bytes);
            at.push((made.ads.len(), m.ad.len(), made.texts.len(), text.len()));
            made.nonces.extend_from_slice(m.nonce);
            made.tags.extend_from_slice(tag);
            for (all, part) in [(&mut made.ads, m.ad), (&mut *made.texts, text)] {
                all.extend_from_slice(part);
                all.resize(whole(all.len()), 0);
            }
        }
        made.tags.resize(facts.tag_bytes * messages.len(), 0);
        made.places = places(at.into_iter());
        made
    }

    pub(crate) fn launch(
        &self,
        gpu: &Arc<Gpu>,
        launches: &dyn Batches,
        way: &str,
    ) -> Result<Done, Error> {
        let stream = gpu.stream;
        let put = |data: &[u8]| Memory::put(gpu, data, stream);
        let (nonces, ads, texts) = (put(&self.nonces)?, put(&self.ads)?, put(&self.texts)?);
        let (tags, places) = (put(&self.tags)?, put(&self.places)?);
        let out = Memory::zeros(gpu, self.texts.len(), stream)?;
        let verdicts = Memory::zeros(gpu, 4 * self.count, stream)?;
        let batch = Batch {
            nonces: nonces.address,
            places: &places,
            ad: ads.address,
            data: texts.address,
            out: out.address,
            tags: tags.address,
            verdicts: verdicts.address,
            count: self.count,
            each_bytes: self.each_bytes,
        };
        launches.batch(stream, way, &batch)?;
        let mut done = Done {
            texts: Zeroizing::new(vec![0; self.texts.len()]),
            tags: vec![0; self.tags.len()],
            right: Vec::new(),
        };
        get(gpu, out.address, &mut done.texts, stream)?;
        get(gpu, tags.address, &mut done.tags, stream)?;
        done.right = read_verdicts(gpu, &verdicts, self.count)?;
        Ok(done)
    }
}

/// Of which messages the tag was right.
pub(crate) fn read_verdicts(gpu: &Gpu, from: &Memory, count: usize) -> Result<Vec<bool>, Error> {
    let mut words = vec![0; 4 * count];
    get(gpu, from.address, &mut words, gpu.stream)?;
    Ok(words.chunks_exact(4).map(|word| word != [0; 4]).collect())
}

/// Whether the verdict of one message is that its tag was right, once the stream has done its work.
pub(crate) fn is_right(gpu: &Gpu, stream: Stream, verdict: &Memory) -> Result<(), Error> {
    let mut word = [0; 4];
    get(gpu, verdict.address, &mut word, stream)?;
    match u32::from_ne_bytes(word) {
        1 => Ok(()),
        _ => Err(BadTag.into()),
    }
}

/// Of each message: first block and bytes of associated data, the same of its text.
pub(crate) fn places(bytes: impl Iterator<Item = (usize, usize, usize, usize)>) -> Vec<u8> {
    let words = bytes.flat_map(|(ad, ad_bytes, text, text_bytes)| {
        [ad / BLOCK, ad_bytes, text / BLOCK, text_bytes]
    });
    as_words(words)
}

/// Numbers as words of the device.
pub(crate) fn as_words(numbers: impl IntoIterator<Item = usize>) -> Vec<u8> {
    let words = numbers.into_iter().map(|number| number as u32);
    words.flat_map(u32::to_ne_bytes).collect()
}

pub(crate) fn whole(bytes: usize) -> usize {
    bytes.next_multiple_of(BLOCK)
}
