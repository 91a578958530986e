//! Minalpher v1.1, AEAD and MAC. [MINALPHER]
//!
//! The paper's letters: P is the permutation on a block of 32 bytes, y the generator of the field
//! of the tweaks, L, L' and L'' the masks of messages, associated data and MAC, TEM(t, m) =
//! t ^ P(t ^ m) with a tweak t.
#![forbid(unsafe_code)]

mod incremental;
pub(crate) mod lanes;
pub(crate) mod mode;
mod slices;
mod tweaks;

#[cfg(test)]
mod tests;

use core::fmt;

use inout::InOutBuf;

use crate::arch;
use crate::backend::{Backend, BackendUnavailable};
use crate::cipher::{Error, Facts, check};
use crate::stream::wipe;
use crate::tag::{BadTag, Tag};
pub use incremental::{MinalpherDecryptor, MinalpherEncryptor, MinalpherMac};
use lanes::{BLOCK, Block};
use mode::{Chain, Kernel, LAST, xor};

/// Minalpher v1.1: AEAD with a nonce of 13 bytes, and a MAC. \[MINALPHER\]
///
/// The message is always padded, so that ciphertext and tag are 17 to 48 bytes longer than it:
/// [`Minalpher::sealed_bytes`]. The tag is that of the ciphertext, so decryption verifies first
/// and only then makes plaintext.
///
/// ```
/// use roundworks::Minalpher;
///
/// let cipher = Minalpher::new(&[7; 16]);
/// let nonce = [1; Minalpher::NONCE_BYTES]; // never twice under one key
/// let mut sealed = [0; Minalpher::sealed_bytes(14)];
/// cipher.encrypt_into(&nonce, b"header", b"attack at dawn", &mut sealed)?;
///
/// let mut opened = [0; 32];
/// let len = cipher.decrypt_into(&nonce, b"header", &sealed, &mut opened)?;
/// assert_eq!(&opened[..len], b"attack at dawn");
///
/// let tag = cipher.mac(b"a message");
/// cipher.verify(b"a message", &tag)?;
/// # Ok::<(), roundworks::Error>(())
/// ```
#[derive(Clone)]
pub struct Minalpher {
    key: [u8; 16],
    /// L'
    of_ad: Block,
    /// L''
    of_mac: Block,
    kernel: &'static Kernel,
}

const FLAG_MESSAGE: u8 = 0x40;
const FLAG_AD: u8 = 0x00;
const FLAG_MAC: u8 = 0x80;

impl Minalpher {
    /// Name on every surface.
    pub const NAME: &'static str = "minalpher";
    /// Size of a key, in bytes.
    pub const KEY_BYTES: usize = 16;
    /// Size of a nonce, in bytes. A nonce must never serve twice under one key.
    pub const NONCE_BYTES: usize = 13;
    /// Size of a tag, in bytes.
    pub const TAG_BYTES: usize = 16;
    /// Longest message, in bytes: no slice is longer, and tweaks repeat only after 2^254 blocks.
    pub const MAX_MESSAGE_BYTES: u64 = u64::MAX;
    /// Longest associated data, in bytes, for the same reason.
    pub const MAX_AD_BYTES: u64 = u64::MAX;
    /// The back ends this cipher is written for, slowest first.
    pub const BACKENDS: &'static [Backend] = &[Backend::Portable, Backend::Avx2, Backend::Avx512];

    /// All of the above.
    pub const FACTS: &'static Facts = &Facts {
        name: Self::NAME,
        key_bytes: Self::KEY_BYTES,
        nonce_bytes: Self::NONCE_BYTES,
        tag_bytes: Self::TAG_BYTES,
        max_message_bytes: Self::MAX_MESSAGE_BYTES,
        max_ad_bytes: Self::MAX_AD_BYTES,
        backends: Self::BACKENDS,
        study: false,
        pads: true,
    };

    /// Sets the key, for the fastest back end this CPU can run.
    #[must_use]
    pub fn new(key: &[u8; 16]) -> Self {
        let kernel = Self::BACKENDS
            .iter()
            .rev()
            .find_map(|&b| arch::minalpher(b));
        Self::with_kernel(
            key,
            kernel.expect("portable is always written and available"),
        )
    }

    /// Sets the key for one named back end.
    ///
    /// # Errors
    ///
    /// [`BackendUnavailable`] if the back end is not among [`Self::BACKENDS`] or this CPU lacks
    /// its instructions.
    pub fn with_backend(key: &[u8; 16], backend: Backend) -> Result<Self, BackendUnavailable> {
        let kernel = arch::minalpher(backend).ok_or(BackendUnavailable {
            cipher: Self::NAME,
            backend,
            written: Self::BACKENDS,
        })?;
        Ok(Self::with_kernel(key, kernel))
    }

    fn with_kernel(key: &[u8; 16], kernel: &'static Kernel) -> Self {
        let no_nonce = [0; Self::NONCE_BYTES];
        let mut seeds = [FLAG_AD, FLAG_MAC].map(|flag| seed(key, flag, &no_nonce));
        let mut blocks = seeds;
        (kernel.permute)(&mut blocks, 2);
        (kernel.wipe_stack)(0);
        let [of_ad, of_mac] = [0, 1].map(|i| xor(&seeds[i], &blocks[i]));
        wipe(blocks.as_flattened_mut());
        wipe(seeds.as_flattened_mut());
        Self {
            key: *key,
            of_ad,
            of_mac,
            kernel,
        }
    }

    /// The back end chosen when the key was set.
    #[must_use]
    pub fn backend(&self) -> Backend {
        self.kernel.backend
    }

    /// Size of the ciphertext of that many bytes, without the tag: the next multiple of 32 that is
    /// larger.
    #[must_use]
    pub const fn ciphertext_bytes(message_bytes: usize) -> usize {
        (message_bytes / BLOCK * BLOCK).saturating_add(BLOCK)
    }

    /// Size of ciphertext and tag of that many bytes.
    #[must_use]
    pub const fn sealed_bytes(message_bytes: usize) -> usize {
        Self::ciphertext_bytes(message_bytes).saturating_add(Self::TAG_BYTES)
    }

    /// Writes ciphertext and tag of `message` to `out`.
    ///
    /// # Errors
    ///
    /// [`Error::Length`] if `out` has not [`Minalpher::sealed_bytes`]; then nothing was written.
    pub fn encrypt_into(
        &self,
        nonce: &[u8; 13],
        ad: &[u8],
        message: &[u8],
        out: &mut [u8],
    ) -> Result<(), Error> {
        check("out", out.len(), Self::sealed_bytes(message.len()))?;
        let (ciphertext, tag) = out.split_at_mut(out.len() - Self::TAG_BYTES);
        let made = self.encrypt_detached_into(nonce, ad, message, ciphertext)?;
        tag.copy_from_slice(made.as_bytes());
        Ok(())
    }

    /// Writes the ciphertext of `message` to `out`, and returns the tag.
    ///
    /// # Errors
    ///
    /// [`Error::Length`] if `out` has not [`Minalpher::ciphertext_bytes`]; then nothing was
    /// written.
    pub fn encrypt_detached_into(
        &self,
        nonce: &[u8; 13],
        ad: &[u8],
        message: &[u8],
        out: &mut [u8],
    ) -> Result<Tag, Error> {
        check("out", out.len(), Self::ciphertext_bytes(message.len()))?;
        let mut last = Last::new(message.len());
        last.fill(message);
        let head = message.len() - last.filled;
        let (out, rest) = out.split_at_mut(head);
        let data = InOutBuf::new(&message[..head], out).expect("of one size");
        let tag = self.encrypt(nonce, ad, data, &mut last);
        rest.copy_from_slice(last.blocks());
        Ok(tag)
    }

    /// Encrypts the first `message_bytes` of `buf` in place; `buf` has space for the padding, and
    /// is all ciphertext afterwards. Returns the tag.
    ///
    /// # Errors
    ///
    /// [`Error::Length`] if `buf` has not [`Minalpher::ciphertext_bytes`]; then it is unchanged.
    pub fn encrypt_in_place(
        &self,
        nonce: &[u8; 13],
        ad: &[u8],
        buf: &mut [u8],
        message_bytes: usize,
    ) -> Result<Tag, Error> {
        check("buf", buf.len(), Self::ciphertext_bytes(message_bytes))?;
        let mut last = Last::new(message_bytes);
        last.fill(&buf[..message_bytes]);
        let (head, rest) = buf.split_at_mut(message_bytes - last.filled);
        let tag = self.encrypt(nonce, ad, head.into(), &mut last);
        rest.copy_from_slice(last.blocks());
        Ok(tag)
    }

    /// Decrypts ciphertext and tag to `out`, which has [`Minalpher::TAG_BYTES`] less than
    /// `sealed`, and returns the size of the message; behind it `out` is zero.
    ///
    /// # Errors
    ///
    /// [`Error::BadTag`] if it is not authentic, padding included; then `out` is all zero.
    /// [`Error::Length`] if `out` has another size; then nothing was written.
    pub fn decrypt_into(
        &self,
        nonce: &[u8; 13],
        ad: &[u8],
        sealed: &[u8],
        out: &mut [u8],
    ) -> Result<usize, Error> {
        let Some((ciphertext, tag)) = sealed.split_last_chunk() else {
            out.fill(0);
            return Err(Error::BadTag);
        };
        self.decrypt_detached_into(nonce, ad, ciphertext, &Tag::from(*tag), out)
    }

    /// As [`Minalpher::decrypt_into`], with `out` as long as `ciphertext`.
    ///
    /// # Errors
    ///
    /// As [`Minalpher::decrypt_into`].
    pub fn decrypt_detached_into(
        &self,
        nonce: &[u8; 13],
        ad: &[u8],
        ciphertext: &[u8],
        tag: &Tag,
        out: &mut [u8],
    ) -> Result<usize, Error> {
        check("out", out.len(), ciphertext.len())?;
        let data = InOutBuf::new(ciphertext, out).expect("of one size");
        Ok(self.decrypt(nonce, ad, data, tag)?)
    }

    /// Decrypts `buf` in place, and returns the size of the message; behind it `buf` is zero.
    ///
    /// # Errors
    ///
    /// [`BadTag`] if it is not authentic, padding included; then `buf` is all zero.
    pub fn decrypt_in_place(
        &self,
        nonce: &[u8; 13],
        ad: &[u8],
        buf: &mut [u8],
        tag: &Tag,
    ) -> Result<usize, BadTag> {
        self.decrypt(nonce, ad, buf.into(), tag)
    }

    /// The tag of `data` in the MAC mode, which needs no nonce. [MINALPHER, section 2.8]
    #[must_use]
    pub fn mac(&self, data: &[u8]) -> Tag {
        let mut chain = Chain::new(&self.of_mac);
        let mut last = self.hash(&mut chain, data);
        let mut hash = image_of_last(self.kernel, &last);
        (self.kernel.wipe_stack)(data.len());
        let (tag, _) = hash.split_first_chunk().expect("16 of 32 bytes");
        let tag = Tag::from(*tag);
        chain.wipe();
        [last.as_flattened_mut(), &mut hash]
            .into_iter()
            .for_each(wipe);
        tag
    }

    /// Whether `tag` is that of `data` in the MAC mode.
    ///
    /// # Errors
    ///
    /// [`BadTag`] if it is not.
    pub fn verify(&self, data: &[u8], tag: &Tag) -> Result<(), BadTag> {
        let mut want = self.mac(data);
        let good = want == *tag;
        zeroize::Zeroize::zeroize(&mut want); // a valid tag for forged data is a secret
        if good { Ok(()) } else { Err(BadTag) }
    }

    fn encrypt(
        &self,
        nonce: &[u8; 13],
        ad: &[u8],
        head: InOutBuf<'_, '_, u8>,
        last: &mut Last,
    ) -> Tag {
        let mut start = self.start(nonce, ad);
        let most = ad.len().max(head.len());
        if !head.is_empty() {
            (self.kernel.encrypt)(&mut start.chain, head);
        }
        (self.kernel.encrypt_last)(&mut start.chain, &mut last.bytes, last.count);
        let tag = start.finish(self.kernel, last.very_last());
        (self.kernel.wipe_stack)(most);
        tag
    }

    fn decrypt(
        &self,
        nonce: &[u8; 13],
        ad: &[u8],
        mut data: InOutBuf<'_, '_, u8>,
        tag: &Tag,
    ) -> Result<usize, BadTag> {
        let checked = (|| {
            let (head, very_last) = data.get_in().split_last_chunk::<BLOCK>()?;
            if !head.len().is_multiple_of(BLOCK) {
                return None;
            }
            let mut start = self.start(nonce, ad);
            let mut again = start.chain.clone();
            if !head.is_empty() {
                (self.kernel.hash_ciphertext)(&mut start.chain, head);
            }
            let mut want = start.finish(self.kernel, very_last);
            let good = want == *tag;
            zeroize::Zeroize::zeroize(&mut want); // a valid tag for a forged message is a secret
            if good {
                (self.kernel.decrypt)(&mut again, data.reborrow());
            }
            again.wipe();
            let message_bytes = good.then(|| unpadded(data.get_out())).flatten();
            (self.kernel.wipe_stack)(ad.len().max(data.len()));
            message_bytes
        })();
        checked.ok_or_else(|| {
            data.get_out().fill(0); // the caller's memory, so the compiler keeps these stores
            BadTag
        })
    }

    /// L and the hash of the associated data, interleaved as far as they are.
    fn start(&self, nonce: &[u8; 13], ad: &[u8]) -> Start {
        let mut seed = seed(&self.key, FLAG_MESSAGE, nonce);
        let mut blocks = [seed, [0; BLOCK]];
        let mut mask = [0; BLOCK];
        if !ad.is_empty() {
            let mut chain = Chain::new(&self.of_ad);
            let [x, of_last] = self.hash(&mut chain, ad);
            (blocks[1], mask) = (x, of_last);
            chain.wipe();
        }
        (self.kernel.permute)(&mut blocks, if ad.is_empty() { 1 } else { 2 });
        let [l, h] = &blocks;
        let mut start = Start {
            chain: Chain::new(&xor(l, &seed)),
            ad_hash: if ad.is_empty() {
                [0; BLOCK]
            } else {
                xor(h, &mask)
            },
        };
        start.chain.tweaks.advance(1);
        [&mut mask, &mut seed, blocks.as_flattened_mut()]
            .into_iter()
            .for_each(wipe);
        start
    }

    /// What P takes last for the hash of `data`, and the mask to be added.
    fn hash(&self, chain: &mut Chain, data: &[u8]) -> [Block; 2] {
        let (head, rest) = data.split_at(data.len().saturating_sub(1) / BLOCK * BLOCK);
        if !head.is_empty() {
            (self.kernel.hash)(chain, head);
        }
        last_of_hash(chain, rest)
    }
}

/// The hash of up to 32 bytes at the end: padded only if there are fewer.
fn last_of_hash(chain: &mut Chain, rest: &[u8]) -> [Block; 2] {
    match rest.try_into() {
        Ok(block) => chain.last(block, 1),
        Err(_) => chain.last(&padded(rest), 2),
    }
}

/// After L is known.
struct Start {
    chain: Chain,
    ad_hash: Block,
}

impl Start {
    /// The tag, when all blocks but the last are hashed.
    fn finish(&mut self, kernel: &Kernel, very_last: &Block) -> Tag {
        let mut last = self.chain.last(&xor(&self.ad_hash, very_last), 1);
        let mut hash = image_of_last(kernel, &last);
        let (tag, _) = hash.split_first_chunk().expect("16 of 32 bytes");
        let tag = Tag::from(*tag);
        [last.as_flattened_mut(), &mut hash]
            .into_iter()
            .for_each(wipe);
        tag
    }
}

impl Drop for Start {
    fn drop(&mut self) {
        self.chain.wipe();
        wipe(&mut self.ad_hash);
    }
}

/// The end of a message: up to three full blocks, and the padded one.
struct Last {
    bytes: [u8; LAST * BLOCK],
    /// Blocks.
    count: usize,
    /// Bytes of the message.
    filled: usize,
}

impl Last {
    /// Of a message of that many bytes, still empty.
    fn new(message_bytes: usize) -> Self {
        let filled = message_bytes % (LAST * BLOCK);
        Self {
            bytes: [0; LAST * BLOCK],
            count: filled / BLOCK + 1,
            filled,
        }
    }

    /// Where it stays: if it were moved then, a copy would be left on the stack, and only one of
    /// the two is overwritten by the ciphertext.
    fn fill(&mut self, message: &[u8]) {
        let rest = &message[message.len() - self.filled..];
        self.bytes[..self.filled].copy_from_slice(rest);
        self.bytes[self.filled] = 0x80;
    }

    fn blocks(&self) -> &[u8] {
        &self.bytes[..BLOCK * self.count]
    }

    fn very_last(&self) -> &Block {
        &self.bytes.as_chunks::<BLOCK>().0[self.count - 1]
    }
}

/// Behind the ciphertext there are images under the key: blocks are encrypted in pairs.
impl Drop for Last {
    fn drop(&mut self) {
        wipe(&mut self.bytes);
    }
}

/// K || flag || 00 00 || N, from which masks come.
fn seed(key: &[u8; 16], flag: u8, nonce: &[u8; 13]) -> Block {
    let mut block = [0; BLOCK];
    block[..16].copy_from_slice(key);
    block[16] = flag;
    block[19..].copy_from_slice(nonce);
    block
}

/// The hash, given what P takes last for it and the mask to be added.
fn image_of_last(kernel: &Kernel, [x, mask]: &[Block; 2]) -> Block {
    let mut blocks = [*x, [0; BLOCK]];
    (kernel.permute)(&mut blocks, 1);
    let image = xor(&blocks[0], mask);
    wipe(blocks.as_flattened_mut());
    image
}

/// Byte 80, then zeros.
fn padded(rest: &[u8]) -> Block {
    let mut block = [0; BLOCK];
    block[..rest.len()].copy_from_slice(rest);
    block[rest.len()] = 0x80;
    block
}

/// The size of what was padded, in a time that depends on nothing but the size of `data`, whose
/// padding becomes zeros.
fn unpadded(data: &mut [u8]) -> Option<usize> {
    let before = data.len() - BLOCK;
    let last = &mut data[before..];
    // All ones as long as nothing but zeros came from behind.
    let (mut only_zeros, mut good, mut len) = (0xff_u8, 0_u8, 0_u8);
    for (i, byte) in last.iter_mut().enumerate().rev() {
        let zero = is_zero(*byte);
        let end = only_zeros & is_zero(*byte ^ 0x80);
        good |= end;
        len |= end & i as u8;
        *byte &= !end;
        only_zeros &= zero;
    }
    (good != 0).then(|| before + usize::from(len))
}

/// All ones for zero, else none.
fn is_zero(byte: u8) -> u8 {
    ((u16::from(byte).wrapping_sub(1)) >> 8) as u8
}

impl Drop for Minalpher {
    fn drop(&mut self) {
        [&mut self.key[..], &mut self.of_ad, &mut self.of_mac]
            .into_iter()
            .for_each(wipe);
    }
}

impl zeroize::ZeroizeOnDrop for Minalpher {}

impl fmt::Debug for Minalpher {
    /// Names the back end, never the key.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Minalpher")
            .field("backend", &self.backend())
            .finish_non_exhaustive()
    }
}
