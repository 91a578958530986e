//! Many messages of host memory, in as few launches as they fit.

use roundworks::Message;

use crate::Error;
use crate::batch::{AsMessage, Batches, Gathered, MOST, Opening, fitting, whole};
use crate::blocks;
use crate::cipher::{Cipher, Launches};
use crate::error::{at_most, check};

impl Cipher {
    /// Seals independent messages of any sizes.
    ///
    /// # Errors
    ///
    /// As [`Cipher::sealed`]. Where a size is wrong nothing was written.
    pub fn seal_many(&self, messages: &mut [Message<'_>]) -> Result<(), Error> {
        self.check_all(messages, |bytes| Some(self.sealed_bytes(bytes)))?;
        let _here = self.gpu.here()?;
        let mut messages: Vec<_> = messages.iter_mut().collect();
        match &self.launches {
            Launches::Minalpher(it) => it.seal_many(&mut messages),
            Launches::AesGcm(it) => self.seal_batches(it, &mut messages),
            Launches::Streams(it) => self.seal_batches(it, &mut messages),
        }
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
        let _here = self.gpu.here()?;
        let done = match &self.launches {
            Launches::Minalpher(it) => it.open_many(&mut possible),
            Launches::AesGcm(it) => self.open_batches(it, &mut possible),
            Launches::Streams(it) => self.open_batches(it, &mut possible),
        };
        if let Err(error) = done {
            messages.iter_mut().for_each(|m| m.out.fill(0));
            return Err(error);
        }
        Ok(opened.iter().filter(|opened| opened.is_none()).count())
    }

    fn seal_batches(
        &self,
        launches: &dyn Batches,
        messages: &mut [&mut Message<'_>],
    ) -> Result<(), Error> {
        let mut left = in_order(messages);
        while !left.is_empty() {
            let (part, rest) = left.split_at_mut(fitting(left, launches.apart_from()));
            let gathered = Gathered::of(part, self.facts, false);
            let done = gathered.launch(&self.gpu, launches, "seal")?;
            let mut text = &done.texts[..];
            for (m, tag) in part
                .iter_mut()
                .zip(done.tags.chunks_exact(self.facts.tag_bytes))
            {
                let (ciphertext, end) = m.out.split_at_mut(m.data.len());
                ciphertext.copy_from_slice(&text[..m.data.len()]);
                end.copy_from_slice(tag);
                text = &text[whole(m.data.len())..];
            }
            left = rest;
        }
        Ok(())
    }

    fn open_batches(
        &self,
        launches: &dyn Batches,
        messages: &mut [Opening<'_, '_>],
    ) -> Result<(), Error> {
        let apart_from = launches.apart_from().saturating_add(self.facts.tag_bytes);
        let mut left = in_order(messages);
        while !left.is_empty() {
            let (part, rest) = left.split_at_mut(fitting(left, apart_from));
            let gathered = Gathered::of(part, self.facts, true);
            let done = gathered.launch(&self.gpu, launches, "open")?;
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
            check("nonce", m.nonce.len(), self.facts.nonce_bytes)?;
            let most = match self.launches {
                Launches::Minalpher(_) => blocks::MOST,
                Launches::AesGcm(_) | Launches::Streams(_) => MOST,
            };
            at_most("data", m.data.len(), most)?;
            at_most("ad", m.ad.len(), most)?;
            // What has no possible size is refused later, whatever its `out`.
            if let Some(want) = out_bytes(m.data.len()) {
                check("out", m.out.len(), want)?;
            }
        }
        Ok(())
    }
}

/// By length: lanes of a warp wait for the longest message.
fn in_order<M: AsMessage>(messages: &mut [M]) -> &mut [M] {
    messages.sort_by_key(AsMessage::bytes);
    messages
}
