//! A message or a MAC in parts of any size.
#![forbid(unsafe_code)]

#[cfg(feature = "alloc")]
use alloc::boxed::Box;
use core::fmt;

use super::lanes::BLOCK;
use super::mode::{BATCH, Chain, Kernel, LAST};
use super::{Last, Minalpher, Start, image_of_last, last_of_hash};
use crate::arch::cleared;
use crate::cipher::Error;
#[cfg(feature = "alloc")]
use crate::cipher::{Opening, Sealing, check};
use crate::stream::wipe;
use crate::tag::{BadTag, Tag, verified};

const BATCH_BYTES: usize = BATCH * BLOCK;

/// Bytes that are not enough yet. Filled, it is kept until more comes, since the last block of a
/// hash is another matter.
struct Pending {
    bytes: [u8; BATCH_BYTES],
    filled: usize,
}

impl Pending {
    const EMPTY: Self = Self {
        bytes: [0; BATCH_BYTES],
        filled: 0,
    };

    fn fill<'a>(&mut self, data: &'a [u8]) -> &'a [u8] {
        let n = data.len().min(BATCH_BYTES - self.filled);
        self.bytes[self.filled..][..n].copy_from_slice(&data[..n]);
        self.filled += n;
        &data[n..]
    }

    fn filled(&self) -> &[u8] {
        &self.bytes[..self.filled]
    }
}

/// A hash under L' or L''.
struct Hasher {
    kernel: &'static Kernel,
    chain: Chain,
    pending: Pending,
}

impl Hasher {
    fn update(&mut self, mut data: &[u8]) {
        if self.pending.filled > 0 {
            data = self.pending.fill(data);
            if data.is_empty() {
                return;
            }
            (self.kernel.hash)(&mut self.chain, &self.pending.bytes);
            self.pending.filled = 0;
        }
        // As many batches as leave something.
        let whole = data.len().saturating_sub(1) / BATCH_BYTES * BATCH_BYTES;
        if whole > 0 {
            (self.kernel.hash)(&mut self.chain, &data[..whole]);
        }
        (self.kernel.wipe_stack)(BATCH_BYTES);
        self.pending.fill(&data[whole..]);
    }

    fn finish(&mut self) -> [u8; BLOCK] {
        let data = self.pending.filled();
        let (head, rest) = data.split_at(data.len().saturating_sub(1) / BLOCK * BLOCK);
        if !head.is_empty() {
            (self.kernel.hash)(&mut self.chain, head);
        }
        let mut last = last_of_hash(&mut self.chain, rest);
        let hash = image_of_last(self.kernel, &last);
        (self.kernel.wipe_stack)(BATCH_BYTES);
        wipe(last.as_flattened_mut());
        hash
    }
}

/// Associated data before a message, and what is then known of the message.
struct Opened {
    ad: Hasher,
    start: Start,
    in_message: bool,
}

impl Opened {
    fn new(cipher: &Minalpher, nonce: &[u8; 13]) -> Self {
        let start = cipher.start(nonce, &[]);
        (cipher.kernel.wipe_stack)(0);
        let ad = Hasher {
            kernel: cipher.kernel,
            chain: Chain::new(&cipher.of_ad),
            pending: Pending::EMPTY,
        };
        Self {
            ad,
            start,
            in_message: false,
        }
    }

    fn ad(&mut self, ad: &[u8]) -> Result<(), Error> {
        if self.in_message {
            return Err(Error::AdAfterData);
        }
        self.ad.update(ad);
        Ok(())
    }

    /// Something is pending as soon as there is any associated data.
    fn begin_message(&mut self) {
        if !self.in_message && self.ad.pending.filled > 0 {
            // On its way the hash is in the frames of both.
            cleared::<4, _>(|| self.start.ad_hash = self.ad.finish());
            self.ad.pending.filled = 0;
        }
        self.in_message = true;
    }
}

impl Drop for Hasher {
    fn drop(&mut self) {
        self.chain.wipe();
        wipe(&mut self.pending.bytes);
    }
}

/// The MAC mode on data that come in parts.
///
/// ```
/// use roundworks::Minalpher;
///
/// let cipher = Minalpher::new(&[7; 16]);
/// let mut mac = cipher.mac_incremental();
/// mac.update(b"a mess");
/// mac.update(b"age");
/// assert_eq!(mac.finish(), cipher.mac(b"a message"));
/// ```
pub struct MinalpherMac(Hasher);

impl MinalpherMac {
    /// More data.
    pub fn update(&mut self, data: &[u8]) {
        self.0.update(data);
    }

    /// The tag of all data.
    #[must_use]
    pub fn finish(mut self) -> Tag {
        let mut hash = self.0.finish();
        let (tag, _) = hash.split_first_chunk().expect("16 of 32 bytes");
        let tag = Tag::from(*tag);
        wipe(&mut hash);
        tag
    }

    /// Whether `tag` is that of all data.
    ///
    /// # Errors
    ///
    /// [`BadTag`] if it is not.
    pub fn verify(self, tag: &Tag) -> Result<(), BadTag> {
        let mut want = self.finish();
        let good = verified(&mut want, tag.as_bytes());
        if good { Ok(()) } else { Err(BadTag) }
    }
}

#[cfg(feature = "alloc")]
impl crate::mac::Mac for MinalpherMac {
    fn tag_bytes(&self) -> usize {
        Minalpher::TAG_BYTES
    }

    fn update(&mut self, data: &[u8]) -> Result<(), Error> {
        self.update(data);
        Ok(())
    }

    fn finish_into(mut self: Box<Self>, tag: &mut [u8]) -> Result<(), Error> {
        check("tag", tag.len(), Minalpher::TAG_BYTES)?;
        let mut hash = self.0.finish();
        tag.copy_from_slice(&hash[..Minalpher::TAG_BYTES]);
        wipe(&mut hash);
        Ok(())
    }

    fn verify(mut self: Box<Self>, tag: &[u8]) -> Result<(), Error> {
        check("tag", tag.len(), Minalpher::TAG_BYTES)?;
        let mut hash = self.0.finish();
        let good = verified(&mut hash[..Minalpher::TAG_BYTES], tag);
        wipe(&mut hash);
        if good { Ok(()) } else { Err(Error::BadTag) }
    }
}

/// Encrypts a message that comes in parts: associated data first.
///
/// ```
/// use roundworks::Minalpher;
///
/// let cipher = Minalpher::new(&[7; 16]);
/// let mut sealed = [0; Minalpher::sealed_bytes(14)];
/// cipher.encrypt_into(&[1; 13], b"header", b"attack at dawn", &mut sealed)?;
///
/// let mut ciphertext = [0; Minalpher::ciphertext_bytes(14)];
/// let mut encryptor = cipher.encryptor(&[1; 13]);
/// encryptor.ad(b"hea")?.ad(b"der")?;
/// let mut len = encryptor.update(b"attack", &mut ciphertext)?;
/// len += encryptor.update(b" at dawn", &mut ciphertext[len..])?;
/// let (last, tag) = encryptor.finish(&mut ciphertext[len..])?;
/// assert_eq!(len + last, ciphertext.len());
/// assert_eq!((&ciphertext[..], &tag.as_bytes()[..]), sealed.split_at(32));
/// # Ok::<(), roundworks::Error>(())
/// ```
pub struct MinalpherEncryptor {
    kernel: &'static Kernel,
    /// When the associated data are over, its buffer is that of the message.
    opened: Opened,
}

impl MinalpherEncryptor {
    /// Takes in more associated data.
    ///
    /// # Errors
    ///
    /// [`Error::AdAfterData`] after the first [`Self::update`]; nothing was taken in.
    pub fn ad(&mut self, ad: &[u8]) -> Result<&mut Self, Error> {
        self.opened.ad(ad)?;
        Ok(self)
    }

    /// Bytes of the message that wait for more.
    fn waiting(&self) -> usize {
        if self.opened.in_message {
            self.opened.ad.pending.filled
        } else {
            0
        }
    }

    /// Bytes of ciphertext that [`Self::update`] with that many bytes will write.
    #[must_use]
    pub fn update_bytes(&self, data_bytes: usize) -> usize {
        self.waiting().saturating_add(data_bytes) / BATCH_BYTES * BATCH_BYTES
    }

    /// Bytes of ciphertext that [`Self::finish`] will write.
    #[must_use]
    pub fn finish_bytes(&self) -> usize {
        Minalpher::ciphertext_bytes(self.waiting())
    }

    /// More of the message. Writes what ciphertext there is to the first bytes of `out`, and
    /// returns its size.
    ///
    /// # Errors
    ///
    /// [`Error::Length`] if `out` has less than [`Self::update_bytes`]; then nothing was taken in.
    pub fn update(&mut self, mut data: &[u8], out: &mut [u8]) -> Result<usize, Error> {
        let written = self.update_bytes(data.len());
        let mut out = space(out, written)?;
        self.opened.begin_message();
        let pending = &mut self.opened.ad.pending;
        let chain = &mut self.opened.start.chain;
        if written > 0 && pending.filled > 0 {
            data = pending.fill(data);
            let (first, rest) = out.split_at_mut(BATCH_BYTES);
            first.copy_from_slice(&pending.bytes);
            (self.kernel.encrypt)(chain, first.into());
            pending.filled = 0;
            out = rest;
        }
        let (whole, rest) = data.split_at(out.len());
        if !whole.is_empty() {
            let data = inout::InOutBuf::new(whole, out).expect("split there");
            (self.kernel.encrypt)(chain, data);
        }
        (self.kernel.wipe_stack)(written);
        pending.fill(rest);
        Ok(written)
    }

    /// Writes the rest of the ciphertext to the first bytes of `out`, and returns its size and the
    /// tag.
    ///
    /// # Errors
    ///
    /// [`Error::Length`] if `out` has less than [`Self::finish_bytes`].
    pub fn finish(mut self, out: &mut [u8]) -> Result<(usize, Tag), Error> {
        let out = space(out, self.finish_bytes())?;
        let tag = self.end(out);
        Ok((out.len(), tag))
    }

    /// With `out` of exactly the size of what is left.
    fn end(&mut self, out: &mut [u8]) -> Tag {
        self.opened.begin_message();
        let start = &mut self.opened.start;
        let message = self.opened.ad.pending.filled();
        let mut last = Last::new(message.len());
        last.fill(message);
        let head = message.len() - last.filled;
        out[..head].copy_from_slice(&message[..head]);
        if head > 0 {
            (self.kernel.encrypt)(&mut start.chain, (&mut out[..head]).into());
        }
        (self.kernel.encrypt_last)(&mut start.chain, &mut last.bytes, last.count);
        out[head..].copy_from_slice(last.blocks());
        let tag = start.finish(self.kernel, last.very_last());
        (self.kernel.wipe_stack)(BATCH_BYTES);
        tag
    }
}

fn space(out: &mut [u8], want: usize) -> Result<&mut [u8], Error> {
    let (what, got) = ("out", out.len());
    out.get_mut(..want).ok_or(Error::Length { what, want, got })
}

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
        let good = verified(&mut want, tag.as_bytes());
        (self.kernel.wipe_stack)(0);
        if !good {
            return Err(BadTag);
        }
        let message = &mut self.out[..self.filled];
        (self.kernel.decrypt)(&mut self.again, (&mut *message).into());
        let len = super::unpadded(message);
        (self.kernel.wipe_stack)(message.len()); // and registers, which have the end of the message
        let len = len.ok_or(BadTag)?;
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
    /// Encrypts a message that comes in parts.
    #[must_use]
    pub fn encryptor(&self, nonce: &[u8; 13]) -> MinalpherEncryptor {
        MinalpherEncryptor {
            kernel: self.kernel,
            opened: Opened::new(self, nonce),
        }
    }

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

    /// The MAC mode on data that come in parts.
    #[must_use]
    pub fn mac_incremental(&self) -> MinalpherMac {
        MinalpherMac(Hasher {
            kernel: self.kernel,
            chain: Chain::new(&self.of_mac),
            pending: Pending::EMPTY,
        })
    }
}

#[cfg(feature = "alloc")]
impl Sealing for MinalpherEncryptor {
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
        self.finish_bytes() + Minalpher::TAG_BYTES
    }

    /// In the box: moved out of it, its state would stay there too.
    fn finish_into(mut self: Box<Self>, out: &mut [u8]) -> Result<usize, Error> {
        check("out", out.len(), Sealing::finish_bytes(&*self))?;
        let (ciphertext, tag) = out.split_at_mut(out.len() - Minalpher::TAG_BYTES);
        tag.copy_from_slice(self.end(ciphertext).as_bytes());
        Ok(out.len())
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
        let tag: &[u8; 16] = crate::keyed::sized("tag", tag)?;
        Ok(self.check_and_decrypt(&(*tag).into())?)
    }
}

impl fmt::Debug for MinalpherMac {
    /// Nothing secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MinalpherMac").finish_non_exhaustive()
    }
}

impl fmt::Debug for MinalpherEncryptor {
    /// Nothing secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MinalpherEncryptor").finish_non_exhaustive()
    }
}

impl fmt::Debug for MinalpherDecryptor<'_> {
    /// Nothing secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MinalpherDecryptor").finish_non_exhaustive()
    }
}

const _: () = assert!(BATCH_BYTES.is_multiple_of(LAST * BLOCK));
