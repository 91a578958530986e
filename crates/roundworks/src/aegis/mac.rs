//! AEGIS as a MAC: data are absorbed as associated data are, and the tags of the lanes are put
//! together by absorbing them, not by XOR. [AEGIS-RFC]
#![forbid(unsafe_code)]

#[cfg(feature = "alloc")]
use alloc::boxed::Box;

use zeroize::Zeroize;

use crate::cipher::Error;
#[cfg(feature = "alloc")]
use crate::cipher::check;
use crate::incremental::Incremental;
use crate::keyed::{Keyed, Streaming};
use crate::stream::{LARGEST_TAG as TAG, Shape};
use crate::tag::{BadTag, verified};

/// Largest number of lanes, and block, in bytes.
const LANES: usize = 4;
const BLOCK: usize = 128;

/// The MAC of data that come in parts.
///
/// ```
/// use roundworks::Aegis128L;
///
/// let cipher = Aegis128L::new(&[7; 16]);
/// let mut mac = cipher.mac_incremental(&[1; 16]);
/// mac.update(b"a mess")?;
/// mac.update(b"age")?;
/// assert_eq!(mac.finish(), cipher.mac(&[1; 16], b"a message"));
/// # Ok::<(), roundworks::Error>(())
/// ```
pub struct AegisMac<C: Streaming> {
    parts: Incremental<C::Algorithm>,
    /// Of a lane, in a block.
    words: usize,
    lanes: usize,
}

impl<C: Streaming> AegisMac<C> {
    pub(crate) fn new(
        keyed: &Keyed<C::Algorithm>,
        nonce: &<C::Algorithm as Shape>::Nonce,
        words: usize,
        lanes: usize,
    ) -> Self {
        let parts = Incremental::new(keyed, nonce);
        Self {
            parts,
            words,
            lanes,
        }
    }

    /// More data.
    ///
    /// # Errors
    ///
    /// [`Error::TooLong`]; nothing was taken in.
    pub fn update(&mut self, data: &[u8]) -> Result<(), Error> {
        self.parts.ad(data, C::FACTS.max_ad_bytes)
    }

    /// The tag of all data.
    #[must_use]
    pub fn finish(mut self) -> C::Tag {
        let mut tag = [0; TAG];
        self.compute(&mut tag);
        let bytes = C::tag(&tag[..C::FACTS.tag_bytes]);
        tag.zeroize();
        bytes
    }

    /// Whether `tag` is that of all data.
    ///
    /// # Errors
    ///
    /// [`BadTag`] if it is not.
    pub fn verify(mut self, tag: &C::Tag) -> Result<(), BadTag> {
        self.compare(tag.as_ref())
    }

    fn compare(&mut self, tag: &[u8]) -> Result<(), BadTag> {
        let mut want = [0; TAG];
        self.compute(&mut want);
        let good = verified(&mut want[..C::FACTS.tag_bytes], tag);
        want.zeroize();
        if good { Ok(()) } else { Err(BadTag) }
    }

    /// Not returned, or a copy would stay on the stack.
    fn compute(&mut self, tag: &mut [u8; TAG]) {
        let (words, lanes, size) = (self.words, self.lanes, C::FACTS.tag_bytes);
        let (kernel, state, data_bytes) = self.parts.mac();
        let (mut tags, mut block) = ([0; LANES * TAG], [0; BLOCK]);
        let of_lanes = &mut tags[..lanes * size];
        (kernel.finish_lanes)(state, [8 * data_bytes, 8 * size as u64], of_lanes);
        if lanes > 1 {
            // Lane 0 absorbs its own tag too where that takes the tags of two lanes to fill a block.
            let first = if size < 16 * words { 0 } else { size };
            for filling in of_lanes[first..].chunks(16 * words) {
                for (row, word) in block.chunks_mut(16 * lanes).zip(filling.chunks(16)) {
                    row[..16].copy_from_slice(word);
                }
                (kernel.absorb)(state, &block[..16 * words * lanes]);
            }
            (kernel.finish_lanes)(state, [lanes as u64, 8 * size as u64], of_lanes);
        }
        tag[..size].copy_from_slice(&tags[..size]);
        tags.zeroize();
        block.zeroize();
        (kernel.wipe_stack)();
    }
}

#[cfg(feature = "alloc")]
impl<C: Streaming> crate::mac::Mac for AegisMac<C>
where
    C::Algorithm: Send,
{
    fn tag_bytes(&self) -> usize {
        C::FACTS.tag_bytes
    }

    fn update(&mut self, data: &[u8]) -> Result<(), Error> {
        self.update(data)
    }

    /// In the box: moved out of it, the key would stay there too.
    fn finish_into(mut self: Box<Self>, tag: &mut [u8]) -> Result<(), Error> {
        check("tag", tag.len(), C::FACTS.tag_bytes)?;
        let mut made = [0; TAG];
        self.compute(&mut made);
        tag.copy_from_slice(&made[..tag.len()]);
        made.zeroize();
        Ok(())
    }

    fn verify(mut self: Box<Self>, tag: &[u8]) -> Result<(), Error> {
        check("tag", tag.len(), C::FACTS.tag_bytes)?;
        Ok(self.compare(tag)?)
    }
}
