//! A message in parts of any size.
#![forbid(unsafe_code)]

mod blocks;

#[cfg(feature = "alloc")]
use alloc::boxed::Box;
use core::fmt;

use inout::InOutBuf;

use crate::arch::Saved;
use crate::cipher::{Error, check};
#[cfg(feature = "alloc")]
use crate::cipher::{Opening, Sealing};
use crate::keyed::{Keyed, Streaming};
use crate::stream::{Block, Kernel, LARGEST_TAG as TAG, Shape, wipe};
use crate::tag::BadTag;
pub use blocks::{BlockDecryptor, BlockEncryptor};

/// Encrypts a message that comes in parts: associated data first, then data, then the tag.
///
/// ```
/// use roundworks::Aegis128L;
///
/// let cipher = Aegis128L::new(&[7; 16]);
/// let mut buf = *b"attack at dawn";
/// let (first, second) = buf.split_at_mut(3);
///
/// let mut encryptor = cipher.encryptor(&[1; 16]);
/// encryptor.ad(b"hea")?.ad(b"der")?;
/// encryptor.update(first)?;
/// encryptor.update(second)?;
/// let tag = encryptor.finish();
/// cipher.decrypt_in_place(&[1; 16], b"header", &mut buf, &tag)?;
/// # Ok::<(), roundworks::Error>(())
/// ```
pub struct Encryptor<C: Streaming>(Incremental<C::Algorithm>, Limits);

/// Decrypts a message that comes in parts into a buffer, which it keeps to itself until the tag
/// has been checked: no unverified plaintext can be read, unless the decryptor is leaked on purpose
/// ([`core::mem::forget`]).
///
/// ```
/// use roundworks::Aegis128L;
///
/// let cipher = Aegis128L::new(&[7; 16]);
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
pub struct Decryptor<'a, C: Streaming> {
    parts: Incremental<C::Algorithm>,
    limits: Limits,
    /// What was written is zero again unless `finish` gave it out.
    out: &'a mut [u8],
    filled: usize,
}

#[derive(Clone, Copy)]
struct Limits {
    ad: u64,
    message: u64,
}

/// A state between blocks, and the block that is not complete yet.
pub(crate) struct Incremental<A: Shape> {
    kernel: &'static Kernel<A>,
    key: A::Key,
    state: Saved,
    /// Associated data, or the message block as the state wants it; filled up to `used`.
    block: Block<A>,
    /// Keystream of the block that `used` bytes of a message are in.
    keystream: Block<A>,
    used: usize,
    lengths: [u64; 2],
    in_message: bool,
}

impl<A: Shape> Incremental<A> {
    pub(crate) fn new(keyed: &Keyed<A>, nonce: &A::Nonce) -> Self {
        let (kernel, key) = keyed.parts();
        let mut state = Saved::zero();
        (kernel.start)(key, nonce, &mut state);
        (kernel.wipe_stack)();
        Self {
            kernel,
            key: *key,
            state,
            block: Block::<A>::default(),
            keystream: Block::<A>::default(),
            used: 0,
            lengths: [0; 2],
            in_message: false,
        }
    }

    pub(crate) fn ad(&mut self, mut ad: &[u8], most: u64) -> Result<(), Error> {
        if self.in_message {
            return Err(Error::AdAfterData);
        }
        count(&mut self.lengths[0], ad.len(), "associated data", most)?;
        if self.used > 0 {
            let n = ad.len().min(self.block.len() - self.used);
            self.block[self.used..][..n].copy_from_slice(&ad[..n]);
            (self.used, ad) = (self.used + n, &ad[n..]);
            if self.used < self.block.len() {
                return Ok(());
            }
            (self.kernel.absorb)(&mut self.state, &self.block);
            self.used = 0;
        }
        let (whole, rest) = ad.split_at(ad.len() - ad.len() % self.block.len());
        if !whole.is_empty() {
            (self.kernel.absorb)(&mut self.state, whole);
        }
        self.block[..rest.len()].copy_from_slice(rest);
        self.used = rest.len();
        (self.kernel.wipe_stack)();
        Ok(())
    }

    /// Pads what is left of the associated data.
    fn end_ad(&mut self) {
        if !self.in_message && self.used > 0 {
            (self.kernel.absorb)(&mut self.state, &self.block[..self.used]);
            self.used = 0;
        }
        self.in_message = true;
    }

    fn update(&mut self, mut buf: InOutBuf<'_, '_, u8>, way: Way, most: u64) -> Result<(), Error> {
        count(&mut self.lengths[1], buf.len(), "message", most)?;
        self.end_ad();
        if self.used > 0 {
            let n = buf.len().min(self.block.len() - self.used);
            let (part, rest) = buf.split_at(n);
            self.part(part, way);
            buf = rest;
            if self.used == self.block.len() {
                (self.kernel.absorb)(&mut self.state, &self.block);
                self.used = 0;
            }
        }
        let whole = buf.len() - buf.len() % self.block.len();
        let (whole, rest) = buf.split_at(whole);
        if !whole.is_empty() {
            match way {
                Way::Encrypt => (self.kernel.encrypt_blocks)(&mut self.state, whole),
                Way::Decrypt => (self.kernel.decrypt_blocks)(&mut self.state, whole),
            }
        }
        if !rest.is_empty() {
            (self.kernel.keystream)(&self.state, &mut self.keystream);
            self.part(rest, way);
        }
        (self.kernel.wipe_stack)();
        Ok(())
    }

    /// Part of a block whose keystream is there.
    fn part(&mut self, mut buf: InOutBuf<'_, '_, u8>, way: Way) {
        let here = self.used..self.used + buf.len();
        let plaintext = &mut self.block[here.clone()];
        if let Way::Encrypt = way {
            plaintext.copy_from_slice(buf.get_in());
        }
        buf.xor_in2out(&self.keystream[here.clone()]);
        if let Way::Decrypt = way {
            plaintext.copy_from_slice(buf.get_out());
        }
        self.used = here.end;
    }

    /// For a MAC of what was taken in as associated data: its state, which ends it, and its bytes.
    pub(crate) fn mac(&mut self) -> (&'static Kernel<A>, &mut Saved, u64) {
        self.end_ad();
        (self.kernel, &mut self.state, self.lengths[0])
    }

    fn finish(&mut self, tag: &mut [u8]) {
        self.end_ad();
        if self.used > 0 {
            (self.kernel.absorb)(&mut self.state, &self.block[..self.used]);
        }
        (self.kernel.finish)(&self.state, &self.key, self.lengths, tag);
        (self.kernel.wipe_stack)();
    }
}

impl<A: Shape> Drop for Incremental<A> {
    fn drop(&mut self) {
        self.state.wipe();
        for secret in [self.key.as_mut(), &mut self.block, &mut self.keystream] {
            wipe(secret);
        }
    }
}

#[derive(Clone, Copy)]
enum Way {
    Encrypt,
    Decrypt,
}

fn count(sum: &mut u64, more: usize, what: &'static str, most: u64) -> Result<(), Error> {
    let new = sum.checked_add(more as u64).filter(|&new| new <= most);
    *sum = new.ok_or(Error::TooLong { what, most })?;
    Ok(())
}

impl<C: Streaming> Encryptor<C> {
    pub(crate) fn new(keyed: &Keyed<C::Algorithm>, nonce: &<C::Algorithm as Shape>::Nonce) -> Self {
        let limits = Limits {
            ad: C::FACTS.max_ad_bytes,
            message: C::FACTS.max_message_bytes,
        };
        Self(Incremental::new(keyed, nonce), limits)
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

    /// Encrypts the next bytes of the message in place.
    ///
    /// # Errors
    ///
    /// [`Error::TooLong`]; `buf` is as it was.
    pub fn update(&mut self, buf: &mut [u8]) -> Result<(), Error> {
        self.0.update(buf.into(), Way::Encrypt, self.1.message)
    }

    /// Encrypts the next bytes of the message into `out`.
    ///
    /// # Errors
    ///
    /// [`Error::Length`] if `out` is not as long as `data`, or [`Error::TooLong`]; then nothing
    /// was written.
    pub fn update_into(&mut self, data: &[u8], out: &mut [u8]) -> Result<(), Error> {
        check("out", out.len(), data.len())?;
        let buf = InOutBuf::new(data, out).expect("checked above");
        self.0.update(buf, Way::Encrypt, self.1.message)
    }

    /// The tag over everything.
    #[must_use = "without its tag nobody can decrypt the message"]
    pub fn finish(mut self) -> C::Tag {
        let mut tag = [0; TAG];
        let tag = &mut tag[..C::FACTS.tag_bytes];
        self.0.finish(tag);
        C::tag(tag)
    }
}

impl<'a, C: Streaming> Decryptor<'a, C> {
    pub(crate) fn new(
        keyed: &Keyed<C::Algorithm>,
        nonce: &<C::Algorithm as Shape>::Nonce,
        out: &'a mut [u8],
    ) -> Self {
        Self {
            parts: Incremental::new(keyed, nonce),
            limits: Limits {
                ad: C::FACTS.max_ad_bytes,
                message: C::FACTS.max_message_bytes,
            },
            out,
            filled: 0,
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
        let (most, got) = (self.out.len() - self.filled, ciphertext.len());
        if got > most {
            return Err(Error::NoRoom { most, got });
        }
        let out = &mut self.out[self.filled..][..ciphertext.len()];
        let buf = InOutBuf::new(ciphertext, out).expect("cut to the same length");
        self.parts.update(buf, Way::Decrypt, self.limits.message)?;
        self.filled += ciphertext.len();
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
        let mut want = [0; TAG];
        let want = &mut want[..C::FACTS.tag_bytes];
        self.parts.finish(want);
        if !crate::tag::verified(want, tag) {
            return Err(BadTag);
        }
        Ok(core::mem::take(&mut self.filled))
    }
}

#[cfg(feature = "alloc")]
impl<C: Streaming> Sealing for Encryptor<C>
where
    C::Algorithm: Send,
{
    fn ad(&mut self, ad: &[u8]) -> Result<(), Error> {
        self.ad(ad).map(drop)
    }

    fn update_bytes(&self, data_bytes: usize) -> usize {
        data_bytes
    }

    fn update_into(&mut self, data: &[u8], out: &mut [u8]) -> Result<usize, Error> {
        self.update_into(data, out).map(|()| data.len())
    }

    fn finish_bytes(&self) -> usize {
        C::FACTS.tag_bytes
    }

    /// In the box: moved out of it, the key would stay there too.
    fn finish_into(mut self: Box<Self>, out: &mut [u8]) -> Result<usize, Error> {
        check("out", out.len(), C::FACTS.tag_bytes)?;
        self.0.finish(out);
        Ok(out.len())
    }
}

#[cfg(feature = "alloc")]
impl<C: Streaming> Opening for Decryptor<'_, C>
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

impl<C: Streaming> Drop for Decryptor<'_, C> {
    fn drop(&mut self) {
        self.out[..self.filled].fill(0);
    }
}

impl<C: Streaming> fmt::Debug for Encryptor<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        debug(f, "Encryptor", C::FACTS.name, self.0.lengths)
    }
}

impl<C: Streaming> fmt::Debug for Decryptor<'_, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        debug(f, "Decryptor", C::FACTS.name, self.parts.lengths)
    }
}

/// The lengths so far, never the state.
fn debug(
    f: &mut fmt::Formatter<'_>,
    what: &str,
    cipher: &str,
    [ad_bytes, message_bytes]: [u64; 2],
) -> fmt::Result {
    f.debug_struct(what)
        .field("cipher", &cipher)
        .field("ad_bytes", &ad_bytes)
        .field("message_bytes", &message_bytes)
        .finish_non_exhaustive()
}

#[cfg(all(test, feature = "aegis"))]
mod tests {
    extern crate std;

    use std::string::ToString;

    use super::*;
    use crate::Aegis128L;

    /// More bytes than a test can encrypt.
    #[test]
    fn too_long_is_an_error_and_takes_nothing_in() {
        let cipher = Aegis128L::new(&[1; 16]);
        let most = Aegis128L::MAX_MESSAGE_BYTES;
        let mut e = cipher.encryptor(&[2; 16]);
        e.0.lengths = [most - 1, most - 2];
        assert_eq!(
            e.ad(&[0; 2]).unwrap_err().to_string(),
            "associated data: want at most 2305843009213693951 bytes under one nonce, got more"
        );
        e.ad(&[0]).unwrap();
        let mut buf = [3; 3];
        let error = e.update(&mut buf).unwrap_err();
        assert_eq!(
            error,
            Error::TooLong {
                what: "message",
                most
            }
        );
        assert_eq!(buf, [3; 3]);
        e.update(&mut buf[..2]).unwrap();
        assert_eq!(e.0.lengths, [most, most]);
    }
}
