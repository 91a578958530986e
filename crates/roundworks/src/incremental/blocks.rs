//! A message in parts of any size, for a cipher whose blocks are enciphered whole: what is not a
//! block yet waits.
#![forbid(unsafe_code)]

#[cfg(feature = "alloc")]
use alloc::boxed::Box;
use core::fmt;

use inout::InOutBuf;

use super::{Incremental, Limits, TAG, count, debug};
use crate::cipher::Error;
#[cfg(feature = "alloc")]
use crate::cipher::{Opening, Sealing, check};
use crate::keyed::{Keyed, Streaming};
use crate::stream::Shape;
use crate::tag::BadTag;

/// Encrypts a message that comes in parts: associated data first, then data, then the tag.
///
/// ```
/// use roundworks::Areion256Opp;
///
/// let cipher = Areion256Opp::new(&[7; 16]);
/// let mut out = [0; 14];
/// let mut encryptor = cipher.encryptor(&[1; 16]);
/// encryptor.ad(b"hea")?.ad(b"der")?;
/// let mut len = encryptor.update(b"attack", &mut out)?;
/// len += encryptor.update(b" at dawn", &mut out[len..])?;
/// let (last, tag) = encryptor.finish(&mut out[len..])?;
/// assert_eq!(len + last, 14);
/// cipher.decrypt_in_place(&[1; 16], b"header", &mut out, &tag)?;
/// # Ok::<(), roundworks::Error>(())
/// ```
pub struct BlockEncryptor<C: Streaming>(Incremental<C::Algorithm>, Limits);

/// Decrypts a message that comes in parts into a buffer, which it keeps to itself until the tag
/// has been checked, as [`Decryptor`](crate::Decryptor) does.
///
/// ```
/// use roundworks::Areion256Opp;
///
/// let cipher = Areion256Opp::new(&[7; 16]);
/// let mut ciphertext = *b"attack at dawn";
/// let tag = cipher.encrypt_in_place(&[1; 16], b"header", &mut ciphertext);
///
/// let mut buf = [0; 14];
/// let mut decryptor = cipher.decryptor(&[1; 16], &mut buf);
/// decryptor.ad(b"header")?;
/// for part in ciphertext.chunks(5) {
///     decryptor.update(part)?;
/// }
/// assert_eq!(decryptor.finish(&tag)?, b"attack at dawn");
/// # Ok::<(), roundworks::Error>(())
/// ```
pub struct BlockDecryptor<'a, C: Streaming> {
    parts: Incremental<C::Algorithm>,
    limits: Limits,
    /// What was written is zero again unless `finish` gave it out.
    out: &'a mut [u8],
    filled: usize,
    /// Of the filled bytes those that are no longer ciphertext.
    decrypted: usize,
}

fn limits<C: Streaming>() -> Limits {
    Limits {
        ad: C::FACTS.max_ad_bytes,
        message: C::FACTS.max_message_bytes,
    }
}

impl<C: Streaming> BlockEncryptor<C> {
    pub(crate) fn new(keyed: &Keyed<C::Algorithm>, nonce: &<C::Algorithm as Shape>::Nonce) -> Self {
        Self(Incremental::new(keyed, nonce), limits::<C>())
    }

    /// Takes in more associated data.
    ///
    /// # Errors
    ///
    /// [`Error::TooLong`], or [`Error::AdAfterData`] after the first [`Self::update`]; nothing was
    /// taken in.
    pub fn ad(&mut self, ad: &[u8]) -> Result<&mut Self, Error> {
        self.0.ad(ad, self.1.ad)?;
        Ok(self)
    }

    /// Bytes of ciphertext that [`Self::update`] with that many bytes will write.
    #[must_use]
    pub fn update_bytes(&self, data_bytes: usize) -> usize {
        let block = self.0.block.len();
        self.finish_bytes().saturating_add(data_bytes) / block * block
    }

    /// Bytes of ciphertext that [`Self::finish`] will write: those of the message that wait.
    #[must_use]
    pub fn finish_bytes(&self) -> usize {
        if self.0.in_message { self.0.used } else { 0 }
    }

    /// Encrypts the next bytes of the message. Writes what ciphertext there is to the first bytes
    /// of `out`, and returns its size.
    ///
    /// # Errors
    ///
    /// [`Error::Length`] if `out` has less than [`Self::update_bytes`], or [`Error::TooLong`]; then
    /// nothing was taken in.
    pub fn update(&mut self, mut data: &[u8], out: &mut [u8]) -> Result<usize, Error> {
        let written = self.update_bytes(data.len());
        let mut out = space(out, written)?;
        let Self(parts, limits) = self;
        count(&mut parts.lengths[1], data.len(), "message", limits.message)?;
        parts.end_ad();
        let block = parts.block.len();
        if written > 0 && parts.used > 0 {
            let (first, rest) = data.split_at(block - parts.used);
            let (to, others) = out.split_at_mut(block);
            to[..parts.used].copy_from_slice(&parts.block[..parts.used]);
            to[parts.used..].copy_from_slice(first);
            (parts.kernel.encrypt_blocks)(&mut parts.state, to.into());
            (parts.used, data, out) = (0, rest, others);
        }
        let (whole, rest) = data.split_at(out.len());
        if !whole.is_empty() {
            let whole = InOutBuf::new(whole, out).expect("split there");
            (parts.kernel.encrypt_blocks)(&mut parts.state, whole);
        }
        parts.block[parts.used..][..rest.len()].copy_from_slice(rest);
        parts.used += rest.len();
        (parts.kernel.wipe_stack)();
        Ok(written)
    }

    /// Writes the rest of the ciphertext to the first bytes of `out`, and returns its size and the
    /// tag over everything.
    ///
    /// # Errors
    ///
    /// [`Error::Length`] if `out` has less than [`Self::finish_bytes`].
    pub fn finish(mut self, out: &mut [u8]) -> Result<(usize, C::Tag), Error> {
        let out = space(out, self.finish_bytes())?;
        let mut tag = [0; TAG];
        let tag = &mut tag[..C::FACTS.tag_bytes];
        self.end(out, tag);
        Ok((out.len(), C::tag(tag)))
    }

    /// With `out` of exactly the size of what is left.
    fn end(&mut self, out: &mut [u8], tag: &mut [u8]) {
        let parts = &mut self.0;
        parts.end_ad();
        if !out.is_empty() {
            out.copy_from_slice(&parts.block[..out.len()]);
            (parts.kernel.encrypt_blocks)(&mut parts.state, out.into());
            parts.used = 0;
        }
        parts.finish(tag);
    }
}

fn space(out: &mut [u8], want: usize) -> Result<&mut [u8], Error> {
    let (what, got) = ("out", out.len());
    out.get_mut(..want).ok_or(Error::Length { what, want, got })
}

impl<'a, C: Streaming> BlockDecryptor<'a, C> {
    pub(crate) fn new(
        keyed: &Keyed<C::Algorithm>,
        nonce: &<C::Algorithm as Shape>::Nonce,
        out: &'a mut [u8],
    ) -> Self {
        Self {
            parts: Incremental::new(keyed, nonce),
            limits: limits::<C>(),
            out,
            filled: 0,
            decrypted: 0,
        }
    }

    /// Takes in more associated data.
    ///
    /// # Errors
    ///
    /// [`Error::TooLong`], or [`Error::AdAfterData`] after the first [`Self::update`]; nothing was
    /// taken in.
    pub fn ad(&mut self, ad: &[u8]) -> Result<&mut Self, Error> {
        self.parts.ad(ad, self.limits.ad)?;
        Ok(self)
    }

    /// Takes in the next bytes of the ciphertext.
    ///
    /// # Errors
    ///
    /// [`Error::NoRoom`] if the buffer is too small for them, or [`Error::TooLong`]; then nothing
    /// was taken in.
    pub fn update(&mut self, ciphertext: &[u8]) -> Result<(), Error> {
        let space = &mut self.out[self.filled..];
        let (most, got) = (space.len(), ciphertext.len());
        let to = space.get_mut(..got).ok_or(Error::NoRoom { most, got })?;
        let parts = &mut self.parts;
        count(&mut parts.lengths[1], got, "message", self.limits.message)?;
        to.copy_from_slice(ciphertext);
        parts.end_ad();
        self.filled += got;
        let new = self.filled - self.decrypted;
        self.decrypt(new - new % self.parts.block.len());
        Ok(())
    }

    /// The plaintext, if `tag` belongs to everything that was taken in.
    ///
    /// # Errors
    ///
    /// [`BadTag`]; then every byte that was written is zero.
    pub fn finish(mut self, tag: &C::Tag) -> Result<&'a mut [u8], BadTag> {
        let filled = self.verified(tag.as_ref())?; // or `drop` clears the buffer
        let out = core::mem::take(&mut self.out);
        Ok(&mut out[..filled])
    }

    /// How many bytes are the plaintext; they will not be cleared.
    fn verified(&mut self, tag: &[u8]) -> Result<usize, BadTag> {
        self.parts.end_ad();
        self.decrypt(self.filled - self.decrypted);
        let mut want = [0; TAG];
        let want = &mut want[..C::FACTS.tag_bytes];
        self.parts.finish(want);
        if !crate::tag::verified(want, tag) {
            return Err(BadTag);
        }
        Ok(core::mem::take(&mut self.filled))
    }

    fn decrypt(&mut self, bytes: usize) {
        if bytes > 0 {
            let new = &mut self.out[self.decrypted..][..bytes];
            (self.parts.kernel.decrypt_blocks)(&mut self.parts.state, new.into());
            (self.parts.kernel.wipe_stack)();
            self.decrypted += bytes;
        }
    }
}

impl<C: Streaming> Drop for BlockDecryptor<'_, C> {
    fn drop(&mut self) {
        self.out[..self.filled].fill(0);
    }
}

#[cfg(feature = "alloc")]
impl<C: Streaming> Sealing for BlockEncryptor<C>
where
    C::Algorithm: Send,
{
    fn ad(&mut self, ad: &[u8]) -> Result<(), Error> {
        self.ad(ad).map(drop)
    }

    fn update_bytes(&self, data_bytes: usize) -> usize {
        self.update_bytes(data_bytes)
    }

    fn update_into(&mut self, data: &[u8], out: &mut [u8]) -> Result<usize, Error> {
        check("out", out.len(), self.update_bytes(data.len()))?;
        self.update(data, out)
    }

    fn finish_bytes(&self) -> usize {
        self.finish_bytes() + C::FACTS.tag_bytes
    }

    /// In the box: moved out of it, the key would stay there too.
    fn finish_into(mut self: Box<Self>, out: &mut [u8]) -> Result<usize, Error> {
        check("out", out.len(), Sealing::finish_bytes(&*self))?;
        let (ciphertext, tag) = out.split_at_mut(out.len() - C::FACTS.tag_bytes);
        self.end(ciphertext, tag);
        Ok(out.len())
    }
}

#[cfg(feature = "alloc")]
impl<C: Streaming> Opening for BlockDecryptor<'_, C>
where
    C::Algorithm: Send,
{
    fn ad(&mut self, ad: &[u8]) -> Result<(), Error> {
        self.ad(ad).map(drop)
    }

    fn update(&mut self, ciphertext: &[u8]) -> Result<(), Error> {
        self.update(ciphertext)
    }

    fn finish(mut self: Box<Self>, tag: &[u8]) -> Result<usize, Error> {
        check("tag", tag.len(), C::FACTS.tag_bytes)?;
        Ok(self.verified(tag)?)
    }
}

impl<C: Streaming> fmt::Debug for BlockEncryptor<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        debug(f, "BlockEncryptor", C::FACTS.name, self.0.lengths)
    }
}

impl<C: Streaming> fmt::Debug for BlockDecryptor<'_, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        debug(f, "BlockDecryptor", C::FACTS.name, self.parts.lengths)
    }
}
