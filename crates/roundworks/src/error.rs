//! Why a call was refused.
#![forbid(unsafe_code)]

use core::fmt;

use crate::backend::BackendUnavailable;
use crate::permutation::UnknownPermutation;
#[cfg(any(feature = "areion", feature = "haraka"))]
use crate::permutation::hash::hashes;
use crate::registry::ciphers;
use crate::tag::BadTag;

/// Why a [`Cipher`](crate::Cipher) or a [`Permutation`](crate::Permutation) refused a call.
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
