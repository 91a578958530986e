//! A ciphertext in parts of any size.
#![forbid(unsafe_code)]

#[cfg(feature = "alloc")]
use alloc::boxed::Box;
use core::fmt;

use super::super::lanes::BLOCK;
use super::super::mode::{Chain, Kernel};
use super::super::{Minalpher, unpadded};
use super::{BATCH_BYTES, Opened};
#[cfg(feature = "alloc")]
use crate::cipher::Opening;
use crate::error::Error;
use crate::tag::{BadTag, Tag};

/// Decrypts a message that comes in parts into a buffer, which it keeps to itself until the tag
/// has been checked: there is no plaintext before.
///
/// ```
/// use roundworks::Minalpher;
///
/// let cipher = Minalpher::new(&[7; 16]);
/// let mut ciphertext = [0; Minalpher::ciphertext_bytes(14)];
/// let tag =
///     cipher.encrypt_detached_into(&[1; 13], b"header", b"attack at dawn", &mut ciphertext)?;
///
/// let mut buf = [0; 32];
/// let mut decryptor = cipher.decryptor(&[1; 13], &mut buf);
/// decryptor.ad(b"header")?;
/// for part in ciphertext.chunks(5) {
///     decryptor.update(part)?;
/// }
/// assert_eq!(decryptor.finish(&tag)?, b"attack at dawn");
/// # Ok::<(), roundworks::Error>(())
/// ```
pub struct MinalpherDecryptor<'a> {
    kernel: &'static Kernel,
    /// Hashes.
    opened: Opened,
    /// Decrypts, once the tag is checked.
    again: Chain,
    out: &'a mut [u8],
    filled: usize,
    hashed: usize,
}

impl<'a> MinalpherDecryptor<'a> {
    /// Takes in more associated data.
    ///
    /// # Errors
    ///
    /// [`Error::AdAfterData`] after the first [`Self::update`]; nothing was taken in.
    pub fn ad(&mut self, ad: &[u8]) -> Result<&mut Self, Error> {
        self.opened.ad(ad)?;
        Ok(self)
    }

    /// More ciphertext.
    ///
    /// # Errors
    ///
    /// [`Error::NoRoom`] if the buffer has not that many bytes left; then nothing was taken in.
    pub fn update(&mut self, ciphertext: &[u8]) -> Result<(), Error> {
        let space = &mut self.out[self.filled..];
        let (most, got) = (space.len(), ciphertext.len());
        let to = space.get_mut(..got).ok_or(Error::NoRoom { most, got })?;
        to.copy_from_slice(ciphertext);
        self.opened.begin_message();
        self.filled += got;
        // As many batches as leave something.
        let new = (self.filled - self.hashed).saturating_sub(1) / BATCH_BYTES * BATCH_BYTES;
        self.hash(new);
        Ok(())
    }

    /// The message, if `tag` belongs to it.
    ///
    /// # Errors
    ///
    /// [`BadTag`] if it does not, or the padding is not as it must be; then the buffer is zero.
    pub fn finish(mut self, tag: &Tag) -> Result<&'a [u8], BadTag> {
        let len = self.check_and_decrypt(tag)?; // or else dropping wipes the buffer
        let out = core::mem::take(&mut self.out);
        Ok(&out[..len])
    }

    /// How many bytes are the message; the buffer will not be wiped.
    fn check_and_decrypt(&mut self, tag: &Tag) -> Result<usize, BadTag> {
        if self.filled == 0 || !self.filled.is_multiple_of(BLOCK) {
            return Err(BadTag);
        }
        self.opened.begin_message();
        self.hash(self.filled - self.hashed - BLOCK);
        let very_last = self.out[self.hashed..self.filled]
            .try_into()
            .expect("a block");
        let mut want = self.opened.start.finish(self.kernel, very_last);
        let good = want == *tag;
        zeroize::Zeroize::zeroize(&mut want); // a valid tag for a forged message is a secret
        (self.kernel.wipe_stack)(0);
        if !good {
            return Err(BadTag);
        }
        let message = &mut self.out[..self.filled];
        (self.kernel.decrypt)(&mut self.again, (&mut *message).into());
        (self.kernel.wipe_stack)(message.len());
        let len = unpadded(message).ok_or(BadTag)?;
        self.filled = 0;
        Ok(len)
    }

    fn hash(&mut self, bytes: usize) {
        if bytes > 0 {
            let new = &self.out[self.hashed..][..bytes];
            (self.kernel.hash_ciphertext)(&mut self.opened.start.chain, new);
            (self.kernel.wipe_stack)(bytes);
            self.hashed += bytes;
        }
    }
}

impl Drop for MinalpherDecryptor<'_> {
    fn drop(&mut self) {
        self.again.wipe();
        self.out[..self.filled].fill(0);
    }
}

impl Minalpher {
    /// Decrypts a message that comes in parts, into `out`, which takes no more ciphertext than its
    /// size. It can be read when the tag has been checked.
    #[must_use]
    pub fn decryptor<'a>(&self, nonce: &[u8; 13], out: &'a mut [u8]) -> MinalpherDecryptor<'a> {
        let opened = Opened::new(self, nonce);
        MinalpherDecryptor {
            kernel: self.kernel,
            again: opened.start.chain.clone(),
            opened,
            out,
            filled: 0,
            hashed: 0,
        }
    }
}

#[cfg(feature = "alloc")]
impl Opening for MinalpherDecryptor<'_> {
    fn ad(&mut self, ad: &[u8]) -> Result<(), Error> {
        self.ad(ad).map(drop)
    }

    fn update(&mut self, ciphertext: &[u8]) -> Result<(), Error> {
        self.update(ciphertext)
    }

    fn finish(mut self: Box<Self>, tag: &[u8]) -> Result<usize, Error> {
        let tag: [u8; 16] = crate::keyed::sized("tag", tag)?;
        Ok(self.check_and_decrypt(&tag.into())?)
    }
}

impl fmt::Debug for MinalpherDecryptor<'_> {
    /// Nothing secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MinalpherDecryptor").finish_non_exhaustive()
    }
}
