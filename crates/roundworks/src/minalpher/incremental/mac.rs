//! A MAC of data in parts of any size.
#![forbid(unsafe_code)]

#[cfg(feature = "alloc")]
use alloc::boxed::Box;
use core::fmt;

use super::super::Minalpher;
use super::super::mode::Chain;
use super::{Hasher, Pending};
#[cfg(feature = "alloc")]
use crate::cipher::check;
#[cfg(feature = "alloc")]
use crate::error::Error;
use crate::stream::wipe;
#[cfg(feature = "alloc")]
use crate::tag::equal;
use crate::tag::{BadTag, Tag};

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
        let good = want == *tag;
        zeroize::Zeroize::zeroize(&mut want); // a valid tag for forged data is a secret
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
        let good = equal(&hash[..Minalpher::TAG_BYTES], tag);
        wipe(&mut hash); // a valid tag for forged data is a secret
        if good { Ok(()) } else { Err(Error::BadTag) }
    }
}

impl Minalpher {
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

impl fmt::Debug for MinalpherMac {
    /// Nothing secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MinalpherMac").finish_non_exhaustive()
    }
}
