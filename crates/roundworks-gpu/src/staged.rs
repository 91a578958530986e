//! Many messages of host memory, copied to the device and ready for the launches.

use std::sync::Arc;

use roundworks::Error::BadTag;
use roundworks::{Facts, Message};

use crate::Error;
use crate::batch::{Batch, Way, bytes_of, places, read_verdicts, whole};
use crate::buffers::{Buffer, gathered};
use crate::cipher::{Cipher, Launches};
use crate::error::Result;
use crate::gpu::Gpu;
use crate::memory::{Memory, get};
use crate::minalpher_many::Layout;

/// Messages on the device. What seals or opens them copies nothing and waits for nothing, so it can be
/// timed by itself.
pub struct Staged {
    gpu: Arc<Gpu>,
    pub(crate) data: Memory,
    pub(crate) out: Memory,
    /// Those that are given, or where those that are found go.
    pub(crate) tags: Memory,
    pub(crate) verdicts: Memory,
    /// Of each text: first byte, and how many.
    spans: Vec<(usize, usize)>,
    text_bytes: usize,
    tag_stride: usize,
    facts: &'static Facts,
    pub(crate) way: Way,
    kind: Kind,
}

enum Kind {
    Batch(Gathered),
    Blocks(Layout),
}

struct Gathered {
    nonces: Memory,
    places: Memory,
    ad: Memory,
    each_bytes: usize,
}

/// What the launches made of messages.
pub struct Contents<'a> {
    /// One after another, with what is behind them.
    texts: Buffer,
    /// More than tags, for some ciphers.
    tags: Buffer,
    right: Vec<bool>,
    staged: &'a Staged,
}

impl Contents<'_> {
    /// How many messages there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.right.len()
    }

    /// Of all texts.
    pub(crate) fn bytes(&self) -> usize {
        self.texts.len()
    }

    /// Of one: its text with its padding, its tag, and whether the tag that was given was right.
    #[must_use]
    pub fn message(&self, number: usize) -> (&[u8], &[u8], bool) {
        let of = self.staged;
        let (first, bytes) = of.spans[number];
        let tag = &self.tags[of.tag_stride * number..][..of.facts.tag_bytes];
        (&self.texts[first..][..bytes], tag, self.right[number])
    }
}

impl Cipher {
    /// Copies messages to the device, whose `out` is not used: to seal them, or if `sealed` ciphertexts
    /// and tags to open.
    ///
    /// # Errors
    ///
    /// As of [`Cipher::seal_many`].
    pub fn stage(&self, messages: &[Message<'_>], sealed: bool) -> Result<Staged> {
        for m in messages {
            self.check_sizes(m)?;
            if sealed && self.opened_bytes(m.data.len()).is_none() {
                return Err(BadTag.into());
            }
        }
        let _here = self.gpu.here()?;
        let messages: Vec<_> = messages.iter().collect();
        self.staged(&messages, if sealed { Way::Open } else { Way::Seal })
    }

    /// Begins to seal or to open staged messages, as they were staged for.
    ///
    /// # Errors
    ///
    /// [`Error::Argument`] if they were staged on another GPU or by another cipher, or with another
    /// size of tag. [`Error::Memory`], [`Error::Driver`].
    pub fn run(&self, staged: &Staged) -> Result {
        if staged.facts != self.facts || !Arc::ptr_eq(&staged.gpu, &self.gpu) {
            let (want, got) = (self.facts.name, staged.facts.name);
            let line = format!("staged: want messages of {want} on its GPU, got {got}");
            return Err(Error::Argument(line));
        }
        let (_here, stream) = (self.gpu.here()?, self.gpu.stream);
        match (self.batches(), &self.launches, &staged.kind) {
            (Some(it), _, Kind::Batch(of)) => it.batch(stream, staged.way, &staged.batch(of)),
            (_, Launches::Minalpher(it), Kind::Blocks(layout)) => it.many(staged, layout),
            _ => unreachable!("of the same cipher"),
        }
    }

    /// Of messages that were sealed the end of the data is the tag.
    pub(crate) fn staged(&self, messages: &[&Message<'_>], way: Way) -> Result<Staged> {
        let (gpu, facts) = (&self.gpu, self.facts);
        let tag_bytes = if way == Way::Open { facts.tag_bytes } else { 0 };
        let all = || messages.iter().copied();
        let parts = || all().map(|m| m.data.split_at(m.data.len().saturating_sub(tag_bytes)));
        let texts: Vec<_> = parts().map(|(text, _)| text).collect();
        let ads: Vec<_> = all().map(|m| m.ad).collect();
        let put = |data: &[u8]| Memory::put(gpu, data, gpu.stream);
        let zeros = |bytes: usize| Memory::zeros(gpu, bytes, gpu.stream);
        let count = messages.len();
        let (texts, spans, kind, tag_stride) = if let Launches::Minalpher(it) = &self.launches {
            let nonces = all().map(|m| m.nonce);
            let (data, spans, layout) = it.layout(nonces, &texts, &ads, way)?;
            let stride = if way == Way::Seal {
                32
            } else {
                facts.tag_bytes
            };
            (data, spans, Kind::Blocks(layout), stride)
        } else {
            let (ads, ad_spans) = joined(gpu, &ads)?;
            let (texts, spans) = joined(gpu, &texts)?;
            let both = ad_spans.iter().zip(&spans);
            let places = places(both.map(|(ad, text)| (ad.0, ad.1, text.0, text.1)));
            let nonces = all().map(|m| m.nonce).collect::<Vec<_>>().concat();
            let each_bytes = all().map(|m| bytes_of(m) - tag_bytes).min();
            let kind = Kind::Batch(Gathered {
                nonces: put(&nonces)?,
                places: put(&places)?,
                ad: put(&ads)?,
                each_bytes: each_bytes.unwrap_or_default(),
            });
            (texts, spans, kind, facts.tag_bytes)
        };
        let given = parts().map(|(_, tag)| tag).collect::<Vec<_>>().concat();
        Ok(Staged {
            gpu: Arc::clone(gpu),
            data: put(&texts)?,
            out: zeros(texts.len())?,
            tags: match way {
                Way::Seal => zeros(tag_stride * count)?,
                Way::Open => put(&given)?,
            },
            verdicts: zeros(4 * count)?,
            spans,
            text_bytes: texts.len(),
            tag_stride,
            facts,
            way,
            kind,
        })
    }
}

impl Staged {
    fn batch<'a>(&self, of: &'a Gathered) -> Batch<'a> {
        Batch {
            nonces: of.nonces.address,
            places: &of.places,
            ad: of.ad.address,
            data: self.data.address,
            out: self.out.address,
            tags: self.tags.address,
            verdicts: self.verdicts.address,
            count: self.spans.len(),
            each_bytes: of.each_bytes,
        }
    }

    /// Copies texts, tags and verdicts out, once the work is done.
    ///
    /// # Errors
    ///
    /// [`Error::Driver`].
    pub fn read(&self) -> Result<Contents<'_>> {
        let (gpu, count) = (&self.gpu, self.spans.len());
        let _here = gpu.here()?;
        let mut texts = Buffer::of(gpu, self.text_bytes)?;
        let mut tags = Buffer::of(gpu, self.tag_stride * count)?;
        get(gpu, self.out.address, &mut texts, gpu.stream)?;
        get(gpu, self.tags.address, &mut tags, gpu.stream)?;
        Ok(Contents {
            texts,
            tags,
            right: read_verdicts(gpu, &self.verdicts, count)?,
            staged: self,
        })
    }
}

/// Each in whole blocks, and where each is.
fn joined(gpu: &Arc<Gpu>, parts: &[&[u8]]) -> Result<(Buffer, Vec<(usize, usize)>)> {
    let sizes = parts.iter().map(|part| whole(part.len()));
    let mut end = 0;
    let spans = parts.iter().map(|part| {
        let first = end;
        end += whole(part.len());
        (first, part.len())
    });
    let spans = spans.collect();
    Ok((gathered(gpu, parts, sizes, &[])?, spans))
}
