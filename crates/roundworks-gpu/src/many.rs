//! Many messages of host memory, of AES-GCM in one launch.

use roundworks::Error::BadTag;
use roundworks::Message;
use zeroize::Zeroizing;

use crate::Error;
use crate::cipher::{Cipher, Launches};
use crate::error::{at_most, check};
use crate::gcm::{AesGcm, BLOCK, Batch};
use crate::memory::{Memory, get};

/// Blocks of a launch, unless it is one message.
pub(crate) const AT_ONCE: usize = 1 << 24;
/// Of one message: a size is a word of 32 bits.
pub(crate) const MOST: usize = (1 << 31) - 1;
pub(crate) const NONCE: usize = 12;
pub(crate) const TAG: usize = 16;

impl Cipher {
    /// Seals independent messages; messages of like sizes are best neighbours. Of Minalpher each
    /// has the device for itself.
    ///
    /// # Errors
    ///
    /// As [`Cipher::sealed`]. Where a size is wrong nothing was written.
    pub fn seal_many(&self, messages: &mut [Message<'_>]) -> Result<(), Error> {
        self.check_all(messages, |bytes| Some(self.sealed_bytes(bytes)))?;
        let Launches::AesGcm(gcm) = &self.launches else {
            return messages
                .iter_mut()
                .try_for_each(|m| self.sealed(m.nonce, m.ad, m.data)?.copy_to(m.out));
        };
        let _here = self.gpu.here()?;
        let mut left = messages;
        while !left.is_empty() {
            let (part, rest) = left.split_at_mut(fitting(left, 0));
            let done = Gathered::of(part, 0).launch(self, gcm, "seal")?;
            let mut text = &done.texts[..];
            for (m, tag) in part.iter_mut().zip(done.tags.chunks_exact(TAG)) {
                let (ciphertext, end) = m.out.split_at_mut(m.data.len());
                ciphertext.copy_from_slice(&text[..m.data.len()]);
                end.copy_from_slice(tag);
                text = &text[whole(m.data.len())..];
            }
            left = rest;
        }
        Ok(())
    }

    /// Opens independent messages, whose `data` is ciphertext and tag. Returns how many were not
    /// authentic, those of an impossible size among them: the `out` of those is all zero. Each of
    /// `opened` is set to the size of the data, or to `None` where that was refused.
    ///
    /// # Errors
    ///
    /// As [`Cipher::sealed`]. Where a size is wrong nothing was written; after any other, every `out`
    /// is zeros.
    ///
    /// # Panics
    ///
    /// If there are not as many `opened` as messages.
    pub fn open_many(
        &self,
        messages: &mut [Message<'_>],
        opened: &mut [Option<usize>],
    ) -> Result<usize, Error> {
        self.check_all(messages, |bytes| self.opened_bytes(bytes))?;
        assert_eq!(opened.len(), messages.len(), "a result for each message");
        let mut possible = Vec::new();
        for (m, opened) in messages.iter_mut().zip(opened.iter_mut()) {
            *opened = None;
            m.out.fill(0);
            if self.opened_bytes(m.data.len()).is_some() {
                possible.push((m, opened));
            }
        }
        let done = match &self.launches {
            Launches::AesGcm(gcm) => self.open_batches(gcm, &mut possible),
            Launches::Minalpher(_) => self.open_each(&mut possible),
        };
        if let Err(error) = done {
            messages.iter_mut().for_each(|m| m.out.fill(0));
            return Err(error);
        }
        Ok(opened.iter().filter(|opened| opened.is_none()).count())
    }

    fn open_each(&self, messages: &mut [Opening<'_, '_>]) -> Result<(), Error> {
        for (m, opened) in messages {
            match self.opened(m.nonce, m.ad, m.data) {
                Ok(held) => **opened = Some(held.copy_to(m.out)?),
                Err(Error::Cipher(BadTag)) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    fn open_batches(&self, gcm: &AesGcm, messages: &mut [Opening<'_, '_>]) -> Result<(), Error> {
        let _here = self.gpu.here()?;
        let mut left = messages;
        while !left.is_empty() {
            let (part, rest) = left.split_at_mut(fitting(left, TAG));
            let done = Gathered::of(part, TAG).launch(self, gcm, "open")?;
            let mut text = &done.texts[..];
            for ((m, opened), right) in part.iter_mut().zip(done.right) {
                let bytes = m.out.len();
                if right {
                    m.out.copy_from_slice(&text[..bytes]);
                    **opened = Some(bytes);
                }
                text = &text[whole(bytes)..];
            }
            left = rest;
        }
        Ok(())
    }

    fn check_all(
        &self,
        messages: &[Message<'_>],
        out_bytes: impl Fn(usize) -> Option<usize>,
    ) -> Result<(), Error> {
        for m in messages {
            check("nonce", m.nonce.len(), self.facts().nonce_bytes)?;
            if let Launches::AesGcm(_) = self.launches {
                at_most("data", m.data.len(), MOST)?;
                at_most("ad", m.ad.len(), MOST)?;
            }
            // What has no possible size is refused later, whatever its `out`.
            if let Some(want) = out_bytes(m.data.len()) {
                check("out", m.out.len(), want)?;
            }
        }
        Ok(())
    }
}

/// A message with the place of its answer.
type Opening<'a, 'b> = (&'a mut Message<'b>, &'a mut Option<usize>);

/// Messages side by side in whole blocks, as kernels want them.
struct Gathered {
    nonces: Vec<u8>,
    ads: Vec<u8>,
    texts: Zeroizing<Vec<u8>>,
    tags: Vec<u8>,
    places: Vec<u8>,
    count: usize,
}

/// What a launch made of them.
struct Done {
    texts: Zeroizing<Vec<u8>>,
    tags: Vec<u8>,
    right: Vec<bool>,
}

impl Gathered {
    /// Of the last `tag_bytes` of each message's data a tag.
    fn of<'a>(messages: &[impl AsMessage<'a>], tag_bytes: usize) -> Self {
        let all = || messages.iter().map(AsMessage::message);
        let ad_bytes = all().map(|m| whole(m.ad.len())).sum();
        let text_bytes = all().map(|m| whole(m.data.len())).sum();
        let mut made = Self {
            nonces: Vec::with_capacity(NONCE * messages.len()),
            ads: Vec::with_capacity(ad_bytes),
            texts: Zeroizing::new(Vec::with_capacity(text_bytes)), // grown, it would leave a copy
            tags: Vec::with_capacity(TAG * messages.len()),
            places: Vec::new(),
            count: messages.len(),
        };
        let mut at = Vec::with_capacity(messages.len());
        for m in all() {
            let (text, tag) = m.data.split_at(m.data.len() - tag_bytes);
            at.push((made.ads.len(), m.ad.len(), made.texts.len(), text.len()));
            made.nonces.extend_from_slice(m.nonce);
            made.tags
                .extend_from_slice(if tag.is_empty() { &[0; TAG] } else { tag });
            for (all, part) in [(&mut made.ads, m.ad), (&mut *made.texts, text)] {
                all.extend_from_slice(part);
                all.resize(whole(all.len()), 0);
            }
        }
        made.places = places(at.into_iter());
        made
    }

    fn launch(&self, cipher: &Cipher, gcm: &AesGcm, way: &str) -> Result<Done, Error> {
        let (gpu, stream) = (&cipher.gpu, cipher.gpu.stream);
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
            each_bytes: (self.texts.len() + self.ads.len()) / self.count,
        };
        gcm.batch(stream, way, &batch)?;
        let mut done = Done {
            texts: Zeroizing::new(vec![0; self.texts.len()]),
            tags: vec![0; self.tags.len()],
            right: Vec::new(),
        };
        let mut words = vec![0; 4 * self.count];
        get(gpu, out.address, &mut done.texts, stream)?;
        get(gpu, tags.address, &mut done.tags, stream)?;
        get(gpu, verdicts.address, &mut words, stream)?;
        done.right = words.chunks_exact(4).map(|word| word != [0; 4]).collect();
        Ok(done)
    }
}

/// How many of the first messages a launch takes.
fn fitting<'a>(messages: &[impl AsMessage<'a>], tag_bytes: usize) -> usize {
    let mut blocks = 0;
    let each = messages.iter().map(AsMessage::message);
    let fit = each.take_while(|m| {
        blocks += (m.data.len() - tag_bytes + m.ad.len()) / BLOCK + 2;
        blocks <= AT_ONCE
    });
    fit.count().max(1)
}

/// A message, perhaps with more beside it.
trait AsMessage<'a> {
    fn message(&self) -> &Message<'a>;
}

impl<'a> AsMessage<'a> for Message<'a> {
    fn message(&self) -> &Message<'a> {
        self
    }
}

impl<'a> AsMessage<'a> for Opening<'_, 'a> {
    fn message(&self) -> &Message<'a> {
        self.0
    }
}

/// Of each message: first block and bytes of associated data, the same of its text.
pub(crate) fn places(bytes: impl Iterator<Item = (usize, usize, usize, usize)>) -> Vec<u8> {
    bytes
        .flat_map(|(ad, ad_bytes, text, text_bytes)| {
            [ad / BLOCK, ad_bytes, text / BLOCK, text_bytes]
        })
        .flat_map(|word| (word as u32).to_ne_bytes())
        .collect()
}

pub(crate) fn whole(bytes: usize) -> usize {
    bytes.next_multiple_of(BLOCK)
}
