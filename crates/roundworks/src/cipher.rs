//! Any AEAD behind one trait, with slices for keys, nonces and buffers: for bindings, tools and
//! whoever picks a cipher at run time.
#![forbid(unsafe_code)]

#[cfg(feature = "alloc")]
use alloc::boxed::Box;
use core::fmt;

use crate::backend::{Backend, BackendUnavailable};
use crate::permutation::UnknownPermutation;
#[cfg(any(feature = "areion", feature = "haraka"))]
use crate::permutation::hash::hashes;
use crate::registry::ciphers;
use crate::tag::BadTag;

/// What is fixed about a cipher.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[allow(missing_docs)] // sizes in bytes, named as the constants of each cipher
pub struct Facts {
    /// Name on every surface.
    pub name: &'static str,
    pub key_bytes: usize,
    pub nonce_bytes: usize,
    pub tag_bytes: usize,
    /// Longest message.
    pub max_message_bytes: u64,
    /// Longest associated data.
    pub max_ad_bytes: u64,
    /// The back ends it is written for, slowest first; none of a cipher from another library.
    pub backends: &'static [Backend],
    /// For study only: it protects nothing.
    pub study: bool,
    /// Whether it pads, so that the size of what is sealed does not tell that of the message.
    pub pads: bool,
}

impl Facts {
    /// What is fixed about a cipher from elsewhere, which has no back end of ours.
    #[must_use]
    pub const fn new(name: &'static str, key: usize, nonce: usize, tag: usize, max: u64) -> Self {
        Self {
            name,
            key_bytes: key,
            nonce_bytes: nonce,
            tag_bytes: tag,
            max_message_bytes: max,
            max_ad_bytes: max,
            backends: &[],
            study: false,
            pads: false,
        }
    }
}

/// A keyed AEAD, whichever it is. *Sealed* is the ciphertext with the tag behind it.
///
/// ```
/// use roundworks::{Aegis128L, Cipher};
///
/// let cipher: &dyn Cipher = &Aegis128L::new(&[7; 16]);
/// let mut sealed = vec![0; cipher.sealed_bytes(6)];
/// cipher.seal_into(&[1; 16], b"header", b"attack", &mut sealed)?;
///
/// let mut opened = vec![0; cipher.opened_bytes(sealed.len()).unwrap()];
/// let len = cipher.open_into(&[1; 16], b"header", &sealed, &mut opened)?;
/// assert_eq!(&opened[..len], b"attack");
/// # Ok::<(), roundworks::Error>(())
/// ```
pub trait Cipher: Send + Sync {
    /// Name, sizes, back ends.
    fn facts(&self) -> &'static Facts;

    /// Name of the back end in use, or of the library the cipher is from.
    fn backend_name(&self) -> &'static str;

    /// Size of what `data_bytes` of data become, tag included.
    fn sealed_bytes(&self, data_bytes: usize) -> usize {
        data_bytes.saturating_add(self.facts().tag_bytes)
    }

    /// Size of the buffer that opening `sealed_bytes` wants; `None` if nothing sealed has that
    /// size. The data may be shorter where a cipher pads.
    fn opened_bytes(&self, sealed_bytes: usize) -> Option<usize> {
        sealed_bytes.checked_sub(self.facts().tag_bytes)
    }

    /// Writes ciphertext and tag of `data` to `out`, and returns their size.
    ///
    /// # Errors
    ///
    /// [`Error::Length`] if `nonce` has another size than the cipher's, or `out` another than
    /// [`Cipher::sealed_bytes`]; then nothing was written.
    fn seal_into(
        &self,
        nonce: &[u8],
        ad: &[u8],
        data: &[u8],
        out: &mut [u8],
    ) -> Result<usize, Error>;

    /// Writes the data in `sealed` to `out`, and returns its size.
    ///
    /// # Errors
    ///
    /// [`Error::BadTag`] if it is not authentic; then `out` is all zero. [`Error::Length`] as in
    /// [`Cipher::seal_into`], with [`Cipher::opened_bytes`].
    fn open_into(
        &self,
        nonce: &[u8],
        ad: &[u8],
        sealed: &[u8],
        out: &mut [u8],
    ) -> Result<usize, Error>;

    /// As [`Cipher::seal_into`], with the data in the first bytes of `buf`, which is as long as
    /// what it becomes.
    ///
    /// # Errors
    ///
    /// As [`Cipher::seal_into`].
    fn seal_in_place(
        &self,
        nonce: &[u8],
        ad: &[u8],
        buf: &mut [u8],
        data_bytes: usize,
    ) -> Result<usize, Error>;

    /// As [`Cipher::open_into`], with the result in the first bytes of `buf`; those behind it are
    /// no longer of use.
    ///
    /// # Errors
    ///
    /// As [`Cipher::open_into`].
    fn open_in_place(&self, nonce: &[u8], ad: &[u8], buf: &mut [u8]) -> Result<usize, Error>;

    /// Seals a message that comes in parts.
    ///
    /// # Errors
    ///
    /// [`Error::Length`] of the nonce; [`Error::NotIncremental`] if the cipher cannot.
    #[cfg(feature = "alloc")]
    fn sealing(&self, nonce: &[u8]) -> Result<Box<dyn Sealing>, Error> {
        check("nonce", nonce.len(), self.facts().nonce_bytes)?;
        Err(Error::NotIncremental)
    }

    /// Opens a message that comes in parts, into `out`. What stands there is not to be read
    /// before [`Opening::finish`], and Rust does not let it be unless `Opening` is leaked.
    ///
    /// # Errors
    ///
    /// As [`Cipher::sealing`].
    #[cfg(feature = "alloc")]
    fn opening<'a>(&self, nonce: &[u8], _: &'a mut [u8]) -> Result<Box<dyn Opening + 'a>, Error> {
        check("nonce", nonce.len(), self.facts().nonce_bytes)?;
        Err(Error::NotIncremental)
    }

    /// Seals independent messages. Where a back end has registers for several at once, it
    /// interleaves them; the result is that of one call each.
    ///
    /// # Errors
    ///
    /// [`Error::Length`] if any size is wrong; then nothing was written.
    fn seal_many(&self, messages: &mut [Message<'_>]) -> Result<(), Error> {
        check_all(self.facts(), messages, |len| Some(self.sealed_bytes(len)))?;
        messages
            .iter_mut()
            .try_for_each(|m| self.seal_into(m.nonce, m.ad, m.data, m.out).map(drop))
    }

    /// Opens independent messages, whose `data` is ciphertext and tag. Returns how many were not
    /// authentic, those of an impossible size among them: the `out` of those is all zero. Each of
    /// `opened` is set to the size of the data in the message at its place, or to `None` where that
    /// was refused.
    ///
    /// # Errors
    ///
    /// [`Error::Length`] if any size is wrong; then nothing was written.
    ///
    /// # Panics
    ///
    /// Unless there is one `opened` for each message.
    fn open_many(
        &self,
        messages: &mut [Message<'_>],
        opened: &mut [Option<usize>],
    ) -> Result<usize, Error> {
        check_all(self.facts(), messages, |len| self.opened_bytes(len))?;
        assert_eq!(opened.len(), messages.len(), "a result for each message");
        let mut refused = 0;
        for (m, opened) in messages.iter_mut().zip(opened) {
            // Nothing checked its `out`, so that opening it may call this a wrong size.
            if self.opened_bytes(m.data.len()).is_none() {
                m.out.fill(0);
                *opened = None;
                refused += 1;
                continue;
            }
            *opened = match self.open_into(m.nonce, m.ad, m.data, m.out) {
                Ok(bytes) => Some(bytes),
                Err(Error::BadTag) => None,
                Err(error) => return Err(error),
            };
            refused += usize::from(opened.is_none());
        }
        Ok(refused)
    }
}

/// A message on its way to be sealed, in parts: associated data first. See
/// [`Encryptor`](crate::Encryptor).
#[cfg(feature = "alloc")]
pub trait Sealing: Send {
    /// Takes in more associated data.
    ///
    /// # Errors
    ///
    /// [`Error::TooLong`], [`Error::AdAfterData`]; then nothing was taken in.
    fn ad(&mut self, ad: &[u8]) -> Result<(), Error>;

    /// Bytes that [`Sealing::update_into`] will write for that many more: the size of its `out`.
    fn update_bytes(&self, data_bytes: usize) -> usize;

    /// Encrypts the next bytes of data and returns how many it wrote to `out`: all of it.
    ///
    /// # Errors
    ///
    /// [`Error::Length`] if `out` has another size than [`Sealing::update_bytes`],
    /// [`Error::TooLong`]; then nothing was taken in.
    fn update_into(&mut self, data: &[u8], out: &mut [u8]) -> Result<usize, Error>;

    /// Bytes that [`Sealing::finish_into`] will write: the size of its `out`.
    fn finish_bytes(&self) -> usize;

    /// Writes what is left of the ciphertext, and the tag.
    ///
    /// # Errors
    ///
    /// [`Error::Length`] if `out` has another size than [`Sealing::finish_bytes`].
    fn finish_into(self: Box<Self>, out: &mut [u8]) -> Result<usize, Error>;
}

/// A message on its way to be opened, in parts. See [`Decryptor`](crate::Decryptor).
#[cfg(feature = "alloc")]
pub trait Opening: Send {
    /// Takes in more associated data.
    ///
    /// # Errors
    ///
    /// [`Error::TooLong`], [`Error::AdAfterData`]; then nothing was taken in.
    fn ad(&mut self, ad: &[u8]) -> Result<(), Error>;

    /// Takes in the next bytes of ciphertext.
    ///
    /// # Errors
    ///
    /// [`Error::NoRoom`], [`Error::TooLong`]; then nothing was taken in.
    fn update(&mut self, ciphertext: &[u8]) -> Result<(), Error>;

    /// How many bytes of the buffer are the data, if the message is authentic.
    ///
    /// # Errors
    ///
    /// [`Error::BadTag`]; then every byte that was written is zero.
    fn finish(self: Box<Self>, tag: &[u8]) -> Result<usize, Error>;
}

/// One of many messages under a key.
#[derive(Debug)]
pub struct Message<'a> {
    /// Never twice under one key.
    pub nonce: &'a [u8],
    /// Associated data.
    pub ad: &'a [u8],
    /// What is to be sealed or opened.
    pub data: &'a [u8],
    /// Where the result goes; exactly its size.
    pub out: &'a mut [u8],
}

impl Message<'_> {
    /// Without the tag, whichever of the two has it.
    #[inline(always)]
    pub(crate) fn plain_bytes(&self) -> usize {
        self.data.len().min(self.out.len())
    }
}

pub(crate) fn check_all(
    facts: &Facts,
    messages: &[Message<'_>],
    out_bytes: impl Fn(usize) -> Option<usize>,
) -> Result<(), Error> {
    for m in messages {
        check("nonce", m.nonce.len(), facts.nonce_bytes)?;
        // What has no possible size is refused later, whatever its `out`.
        if let Some(want) = out_bytes(m.data.len()) {
            check("out", m.out.len(), want)?;
        }
    }
    Ok(())
}

/// `nonce: want 16 bytes, got 12`
pub(crate) fn check(what: &'static str, got: usize, want: usize) -> Result<(), Error> {
    if got == want {
        Ok(())
    } else {
        Err(Error::Length { what, want, got })
    }
}

/// Why a [`Cipher`] or a [`Permutation`](crate::Permutation) refused a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// A key, nonce or buffer has the wrong size.
    Length {
        /// Which one.
        what: &'static str,
        /// Its size in bytes.
        want: usize,
        /// The size it had.
        got: usize,
    },
    /// More ciphertext than the buffer of a decryptor has space for.
    NoRoom {
        /// Bytes left.
        most: usize,
        /// Bytes that came.
        got: usize,
    },
    /// More data under one nonce than the cipher can count.
    TooLong {
        /// Message or associated data.
        what: &'static str,
        /// In bytes.
        most: u64,
    },
    /// Associated data comes before the first data.
    AdAfterData,
    /// The cipher does not take messages incrementally.
    NotIncremental,
    /// No cipher of that name.
    UnknownCipher,
    /// No MAC of that name.
    UnknownMac,
    /// The cipher has no tag of that size.
    TagSize {
        /// Its name.
        cipher: &'static str,
        /// The size requested, in bytes.
        got: usize,
    },
    /// The message is not authentic; what would have been plaintext is zeros.
    BadTag,
    /// The back end cannot run here.
    Unavailable(BackendUnavailable),
    /// No permutation has that name.
    Permutation(UnknownPermutation),
    /// A key of Pholkos is as long as a block.
    KeySize {
        /// The size it had, in bytes.
        got: usize,
    },
    /// No hash function has that name.
    UnknownHash,
    /// More bytes than can be hashed.
    Most {
        /// Of what.
        what: &'static str,
        /// How many can be.
        most: usize,
        /// How many there were.
        got: usize,
    },
    /// Bytes that do not end with a block.
    Blocks {
        /// Size of a block in bytes.
        want: usize,
        /// How many bytes there were.
        got: usize,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Length { what, want, got } => write!(f, "{what}: want {want} bytes, got {got}"),
            Self::NoRoom { most, got } => {
                write!(f, "ciphertext: want at most {most} bytes, got {got}")
            }
            Self::TooLong { what, most } => {
                write!(
                    f,
                    "{what}: want at most {most} bytes under one nonce, got more"
                )
            }
            Self::AdAfterData => f.write_str("associated data: must come before the first data"),
            Self::NotIncremental => f.write_str("the cipher does not take messages incrementally"),
            Self::UnknownCipher => {
                f.write_str("cipher: unknown name, want one of ")?;
                listed(f, once(ciphers().map(|facts| facts.name)))
            }
            Self::UnknownMac => {
                f.write_str("mac: unknown name, want one of ")?;
                #[cfg(feature = "alloc")]
                listed(f, once(crate::registry::macs().map(|(name, ..)| name)))?;
                Ok(())
            }
            Self::TagSize { cipher, got } => {
                write!(f, "tag_bytes: {cipher} has tags of ")?;
                let mut sizes = ciphers().filter(|facts| facts.name == *cipher);
                sizes.try_fold("", |or, facts| {
                    write!(f, "{or}{}", facts.tag_bytes).map(|()| " or ")
                })?;
                write!(f, " bytes, got {got}")
            }
            Self::BadTag => BadTag.fmt(f),
            Self::Unavailable(error) => error.fmt(f),
            Self::Permutation(error) => error.fmt(f),
            Self::KeySize { got } => write!(f, "key: want 32 or 64 bytes, got {got}"),
            Self::UnknownHash => {
                f.write_str("hash function: unknown name, want one of ")?;
                #[cfg(any(feature = "areion", feature = "haraka"))]
                listed(f, hashes())?;
                Ok(())
            }
            Self::Most { what, most, got } => {
                write!(f, "{what}: want at most {most} bytes, got {got}")
            }
            Self::Blocks { want, got } => {
                write!(f, "blocks: want a multiple of {want} bytes, got {got}")
            }
        }
    }
}

impl core::error::Error for Error {}

/// `a, b, c`
fn listed(
    f: &mut fmt::Formatter<'_>,
    mut names: impl Iterator<Item = &'static str>,
) -> fmt::Result {
    names
        .try_fold("", |comma, name| write!(f, "{comma}{name}").map(|()| ", "))
        .map(drop)
}

/// Each name once, of entries that follow each other.
fn once<'a>(names: impl Iterator<Item = &'a str>) -> impl Iterator<Item = &'a str> {
    let mut last = "";
    names.filter(move |&name| name != core::mem::replace(&mut last, name))
}

impl From<BadTag> for Error {
    fn from(_: BadTag) -> Self {
        Self::BadTag
    }
}

impl From<UnknownPermutation> for Error {
    fn from(error: UnknownPermutation) -> Self {
        Self::Permutation(error)
    }
}

impl From<BackendUnavailable> for Error {
    fn from(error: BackendUnavailable) -> Self {
        Self::Unavailable(error)
    }
}
