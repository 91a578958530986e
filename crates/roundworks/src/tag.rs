//! The tag and the refusal.
#![forbid(unsafe_code)]

use core::fmt;

use subtle::ConstantTimeEq;
use zeroize::Zeroize;

use crate::arch::clear_stack;

/// An authentication tag of `N` bytes. Comparing two takes the same time whatever they hold.
#[derive(Clone, Copy)]
pub struct Tag<const N: usize = 16>([u8; N]);

impl<const N: usize> Tag<N> {
    /// Size in bytes.
    pub const BYTES: usize = N;

    /// The tag as bytes, in the order they are sent.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; N] {
        &self.0
    }
}

impl<const N: usize> From<[u8; N]> for Tag<N> {
    fn from(bytes: [u8; N]) -> Self {
        Self(bytes)
    }
}

impl<const N: usize> From<Tag<N>> for [u8; N] {
    fn from(tag: Tag<N>) -> Self {
        tag.0
    }
}

impl<const N: usize> AsRef<[u8]> for Tag<N> {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl<const N: usize> Zeroize for Tag<N> {
    fn zeroize(&mut self) {
        self.0.zeroize();
    }
}

impl<const N: usize> PartialEq for Tag<N> {
    fn eq(&self, other: &Self) -> bool {
        equal(&self.0, &other.0)
    }
}

impl<const N: usize> Eq for Tag<N> {}

impl<const N: usize> fmt::Debug for Tag<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Tag(")?;
        self.0.iter().try_for_each(|b| write!(f, "{b:02x}"))?;
        f.write_str(")")
    }
}

/// Whether two tags are the same, in a time that depends on their sizes alone.
pub(crate) fn equal(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    // Sixteen bytes at a time where there are enough: byte by byte is slow.
    let ((a, a_rest), (b, b_rest)) = (a.as_chunks::<16>(), b.as_chunks::<16>());
    let mut difference = 0;
    for (a, b) in a.iter().zip(b) {
        difference |= u128::from_ne_bytes(*a) ^ u128::from_ne_bytes(*b);
    }
    for (a, b) in a_rest.iter().zip(b_rest) {
        difference |= u128::from(a ^ b);
    }
    (((difference >> 64) as u64) | (difference as u64))
        .ct_eq(&0)
        .into()
}

/// Whether a tag that was computed is the one that came with the message. It is wiped, and nothing of it stays in
/// registers: a valid tag for a forged message is a secret.
pub(crate) fn verified<T: Zeroize + AsRef<[u8]> + ?Sized>(want: &mut T, tag: &[u8]) -> bool {
    let good = equal_apart(want.as_ref(), tag);
    want.zeroize();
    clear_stack::<1>();
    good
}

/// Not in the caller's frame, which is not cleared.
#[inline(never)]
fn equal_apart(a: &[u8], b: &[u8]) -> bool {
    equal(a, b)
}

/// The tag does not belong to this key, nonce, associated data and ciphertext.
///
/// Which of them is wrong is not known and not reported; the buffer was filled with zeros.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BadTag;

impl fmt::Display for BadTag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("authentication failed; the buffer was filled with zeros")
    }
}

impl core::error::Error for BadTag {}
