//! One message that is on the device already, and where its parts may lie.

use crate::Error;
use crate::cipher::{Cipher, Launches};
use crate::driver::{Address, Stream};
use crate::error::{Result, check};

/// One message in the device's memory. Addresses are multiples of 16, and memory is there up to a
/// multiple of 32 bytes of Minalpher, of 16 of the others: what is behind an input's end may be read,
/// and behind the output's end is written.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)] // a place and its bytes
pub struct OnDevice {
    pub ad: Address,
    pub ad_bytes: usize,
    /// What is sealed, or a ciphertext without its tag.
    pub data: Address,
    pub data_bytes: usize,
    /// Where the other goes; it may be `data`, but not of Minalpher.
    pub out: Address,
    /// Of the cipher's size.
    pub tag: Address,
}

impl Cipher {
    /// Seals a message that is on the device, as work of a stream: it returns at once. Nonces never
    /// serve twice under one key.
    ///
    /// # Errors
    ///
    /// As [`Cipher::seal_into`]; [`Error::Argument`] of a place in memory.
    ///
    /// # Safety
    ///
    /// Memory is of the device's primary context, good for its bytes, and with stream and cipher
    /// there until the work is done; the stream is 0 or a `CUstream` of that context.
    pub unsafe fn seal_on_device(&self, stream: Stream, nonce: &[u8], at: &OnDevice) -> Result {
        check("nonce", nonce.len(), self.facts.nonce_bytes)?;
        self.check_places(at, self.out_bytes(at.data_bytes))?;
        let _here = self.gpu.here()?;
        self.seal_at(stream, nonce, at)
    }

    /// Opens a message that is on the device, once the stream's work is done, and returns how many
    /// bytes of `out` are the data.
    ///
    /// # Errors
    ///
    /// [`Error::Cipher`] if it is not authentic; then `out` is zeros. Else as [`Cipher::seal_on_device`].
    ///
    /// # Safety
    ///
    /// As of [`Cipher::seal_on_device`].
    pub unsafe fn open_on_device(
        &self,
        stream: Stream,
        nonce: &[u8],
        at: &OnDevice,
    ) -> Result<usize> {
        check("nonce", nonce.len(), self.facts.nonce_bytes)?;
        self.check_places(at, at.data_bytes)?;
        let _here = self.gpu.here()?;
        self.open_at(stream, nonce, at)
    }

    fn check_places(&self, at: &OnDevice, out_bytes: usize) -> Result {
        let out = ("out", at.out, out_bytes);
        let (ad, data) = (("ad", at.ad, at.ad_bytes), ("data", at.data, at.data_bytes));
        let tag = ("tag", at.tag, self.facts.tag_bytes);
        let in_place = at.data == at.out && !matches!(self.launches, Launches::Minalpher(_));
        let data = (!in_place).then_some(data);
        check_places(
            out,
            &[Some(ad), data, Some(tag)].map(|part| part.unwrap_or(out)),
        )
    }
}

/// A name, a place on the device and its bytes.
pub(crate) type Place = (&'static str, Address, usize);

/// Refuses places that are no multiple of 16, and a part that shares a byte with the output.
pub(crate) fn check_places(out: Place, parts: &[Place]) -> Result {
    for part in [&[out], parts].concat() {
        let (what, start, bytes) = part;
        if !start.is_multiple_of(16) {
            return Err(Error::Argument(format!(
                "{what}: want an address that is a multiple of 16, got {start:#x}"
            )));
        }
        let end =
            |(_, start, bytes): Place| start.saturating_add(bytes.next_multiple_of(16) as u64);
        let both = bytes > 0 && out.2 > 0 && start < end(out) && out.1 < end(part);
        if part != out && both {
            let line = format!("{what}: overlaps an output; want no common byte");
            return Err(Error::Argument(line));
        }
    }
    Ok(())
}
