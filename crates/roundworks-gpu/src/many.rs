//! Many messages of host memory, in as few launches as they fit.

use roundworks::Message;

use crate::batch::{BLOCK, MOST, Way, bytes_of};
use crate::blocks::{self, unpadded};
use crate::cipher::{Cipher, Launches};
use crate::copies::each;
use crate::error::{Result, at_most, check};

impl Cipher {
    /// Seals independent messages of any sizes.
    ///
    /// # Errors
    ///
    /// As [`Cipher::seal_into`]. Where a size is wrong nothing was written.
    pub fn seal_many(&self, messages: &mut [Message<'_>]) -> Result {
        self.check_all(messages, |bytes| Some(self.sealed_bytes(bytes)))?;
        let mut messages: Vec<_> = messages.iter_mut().map(|m| (m, ())).collect();
        self.in_launches(&mut messages, Way::Seal, |(m, ()), text, tag, _| {
            let (ciphertext, end) = m.out.split_at_mut(m.out.len() - tag.len());
            ciphertext.copy_from_slice(text);
            end.copy_from_slice(tag);
        })
    }

    /// Opens independent messages, whose `data` is ciphertext and tag. Returns how many were not
    /// authentic, those of an impossible size among them: the `out` of those is all zero. Each of
    /// `opened` is set to the size of the data, or to `None` where that was refused.
    ///
    /// # Errors
    ///
    /// As [`Cipher::seal_into`]. Where a size is wrong nothing was written; after any other, every
    /// `out` is zeros.
    ///
    /// # Panics
    ///
    /// Unless there is one `opened` for each message.
    pub fn open_many(
        &self,
        messages: &mut [Message<'_>],
        opened: &mut [Option<usize>],
    ) -> Result<usize> {
        self.check_all(messages, |bytes| self.opened_bytes(bytes))?;
        assert_eq!(opened.len(), messages.len(), "a result for each message");
        let mut possible = Vec::new();
        for (m, opened) in messages.iter_mut().zip(opened.iter_mut()) {
            *opened = None;
            if self.opened_bytes(m.data.len()).is_some() {
                possible.push((m, opened));
            } else {
                m.out.fill(0);
            }
        }
        let pads = matches!(self.launches, Launches::Minalpher(_));
        let done = self.in_launches(&mut possible, Way::Open, |(m, opened), text, _, right| {
            let bytes = if pads {
                unpadded(text)
            } else {
                Some(text.len())
            };
            **opened = bytes.filter(|_| right);
            let (data, behind) = m.out.split_at_mut(opened.unwrap_or_default());
            data.copy_from_slice(&text[..data.len()]);
            behind.fill(0);
        });
        if let Err(error) = done {
            messages.iter_mut().for_each(|m| m.out.fill(0));
            return Err(error);
        }
        Ok(opened.iter().filter(|opened| opened.is_none()).count())
    }

    /// By length, as lanes of a warp wait for the longest message; `deliver` gets text, tag and verdict.
    fn in_launches<'a, R: Send>(
        &self,
        messages: &mut [(&mut Message<'a>, R)],
        way: Way,
        deliver: impl Fn(&mut (&mut Message<'a>, R), &[u8], &[u8], bool) + Sync,
    ) -> Result {
        messages.sort_by_key(|(m, _)| bytes_of(m));
        let _here = self.gpu.here()?;
        let mut left = messages;
        while !left.is_empty() {
            self.gpu.go_on()?;
            let all: Vec<_> = left.iter().map(|(m, _)| &**m).collect();
            let count = self.fitting(&all, way);
            let staged = self.staged(&all[..count], way)?;
            self.run(&staged)?;
            let done = staged.read()?;
            let (part, rest) = left.split_at_mut(count);
            each(part, done.bytes(), |i, m| {
                let (text, tag, right) = done.message(i);
                deliver(m, text, tag, right);
            });
            left = rest;
        }
        Ok(())
    }

    /// How many of the first messages a launch takes.
    fn fitting(&self, messages: &[&Message<'_>], way: Way) -> usize {
        let launches = self.batches();
        let mut apart_from = launches.map_or(usize::MAX, |it| it.apart_from());
        if way == Way::Open {
            apart_from = apart_from.saturating_add(self.facts.tag_bytes);
        }
        let (at_once, mut bytes) = (self.gpu.tuning().launch_bytes, 0);
        let is_short = bytes_of(messages[0]) < apart_from;
        let fit = messages.iter().take_while(|m| {
            bytes += bytes_of(m) + 2 * BLOCK;
            bytes <= at_once && is_short == (bytes_of(m) < apart_from)
        });
        fit.count().max(1)
    }

    pub(crate) fn check_sizes(&self, m: &Message<'_>) -> Result {
        check("nonce", m.nonce.len(), self.facts.nonce_bytes)?;
        let most = match self.launches {
            Launches::Minalpher(_) => blocks::MOST,
            Launches::AesGcm(_) | Launches::Streams(_) => MOST,
        };
        at_most("data", m.data.len(), most)?;
        at_most("ad", m.ad.len(), most)
    }

    fn check_all(
        &self,
        messages: &[Message<'_>],
        out_bytes: impl Fn(usize) -> Option<usize>,
    ) -> Result {
        for m in messages {
            self.check_sizes(m)?;
            // What has no possible size is refused later, whatever its `out`.
            if let Some(want) = out_bytes(m.data.len()) {
                check("out", m.out.len(), want)?;
            }
        }
        Ok(())
    }
}
