//! The tag and the refusal.
#![forbid(unsafe_code)]

use core::fmt;

use subtle::ConstantTimeEq;
use zeroize::Zeroize;

/// An authentication tag, 16 bytes. Comparing two takes the same time whatever they hold.
#[derive(Clone, Copy)]
pub struct Tag([u8; Self::BYTES]);

impl Tag {
    /// Size in bytes.
    pub const BYTES: usize = 16;

    /// The tag as bytes, in the order they are sent.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; Self::BYTES] {
        &self.0
    }
}

impl From<[u8; Tag::BYTES]> for Tag {
    fn from(bytes: [u8; Tag::BYTES]) -> Self {
        Self(bytes)
    }
}

impl From<Tag> for [u8; Tag::BYTES] {
    fn from(tag: Tag) -> Self {
        tag.0
    }
}

impl Zeroize for Tag {
    fn zeroize(&mut self) {
        self.0.zeroize();
    }
}

impl PartialEq for Tag {
    fn eq(&self, other: &Self) -> bool {
        let difference = u128::from_ne_bytes(self.0) ^ u128::from_ne_bytes(other.0);
        (((difference >> 64) as u64) | (difference as u64))
            .ct_eq(&0)
            .into()
    }
}

impl Eq for Tag {}

impl fmt::Debug for Tag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Tag(")?;
        self.0.iter().try_for_each(|b| write!(f, "{b:02x}"))?;
        f.write_str(")")
    }
}

/// The tag does not belong to this key, nonce, associated data and ciphertext.
///
/// Which of them is wrong is not known and not told; the buffer was filled with zeros.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BadTag;

impl fmt::Display for BadTag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("authentication failed; the buffer was filled with zeros")
    }
}

impl core::error::Error for BadTag {}
