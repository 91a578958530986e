//! One chunk: its nonce, sealing, and what a failure to open it means.
//!
//! The shape is STREAM, [STREAM]: the nonce of chunk i is a prefix of the file, i, and
//! whether it is the last. A cipher's key here is one file's own, so the nonces of a file only have
//! to differ among themselves.
#![forbid(unsafe_code)]

use roundworks::{Cipher, Error};
use zeroize::Zeroizing;

use crate::error::Kind;
use crate::header::{CHUNK_BYTES, MAX_CHUNKS};

/// Counter and flag at the end of a nonce.
const COUNTER_BYTES: usize = 9;
/// The shortest nonce: counter, flag and three bytes of prefix.
pub(crate) const MIN_NONCE_BYTES: usize = 12;
const MOST_NONCE_BYTES: usize = 64;

/// The cipher of one file.
pub(crate) struct Chunks {
    cipher: Box<dyn Cipher>,
    prefix: Zeroizing<Vec<u8>>,
}

impl Chunks {
    /// `prefix` is cut to what the nonce has space for.
    pub(crate) fn new(cipher: Box<dyn Cipher>, prefix: &[u8]) -> Result<Self, Kind> {
        let nonce_bytes = cipher.facts().nonce_bytes;
        if nonce_bytes < MIN_NONCE_BYTES {
            let cipher = cipher.facts().name;
            return Err(Kind::ShortNonce {
                cipher,
                got: nonce_bytes,
            });
        }
        // Chunks that tell their size; others were refused by name.
        assert!(cipher.sealed_bytes(0) == cipher.facts().tag_bytes);
        assert!(nonce_bytes <= MOST_NONCE_BYTES && nonce_bytes - COUNTER_BYTES <= prefix.len());
        Ok(Self {
            prefix: Zeroizing::new(prefix[..nonce_bytes - COUNTER_BYTES].to_vec()),
            cipher,
        })
    }

    /// Bytes of a sealed chunk that is not the last.
    pub(crate) fn sealed_bytes(&self) -> usize {
        self.cipher.sealed_bytes(CHUNK_BYTES)
    }

    /// Bytes of space that opening such a chunk wants.
    pub(crate) fn opened_bytes(&self) -> usize {
        let space = self.cipher.opened_bytes(self.sealed_bytes());
        space.expect("a size that sealing makes")
    }

    /// prefix || index, 8 bytes big endian || 1 for the last chunk, else 0
    fn nonce(&self, index: u64, last: bool) -> ([u8; MOST_NONCE_BYTES], usize) {
        let mut nonce = [0; MOST_NONCE_BYTES];
        let at = self.prefix.len();
        nonce[..at].copy_from_slice(&self.prefix);
        nonce[at..at + 8].copy_from_slice(&index.to_be_bytes());
        nonce[at + 8] = last.into();
        (nonce, at + COUNTER_BYTES)
    }

    /// Seals `data`, all of `CHUNK_BYTES` unless it is the last, into the start of `space`; returns
    /// the bytes made.
    pub(crate) fn seal(
        &self,
        index: u64,
        last: bool,
        data: &[u8],
        space: &mut [u8],
    ) -> Result<usize, Kind> {
        debug_assert!(last || data.len() == CHUNK_BYTES);
        if index >= MAX_CHUNKS {
            return Err(Kind::TooLong);
        }
        let (nonce, len) = self.nonce(index, last);
        let space = &mut space[..self.cipher.sealed_bytes(data.len())];
        let made = self.cipher.seal_into(&nonce[..len], &[], data, space);
        Ok(made.expect("buffers of the sizes that the cipher requests"))
    }

    /// Opens a chunk into the start of `space`; returns its bytes. On failure nothing of it is
    /// there.
    pub(crate) fn open(
        &self,
        index: u64,
        last: bool,
        sealed: &[u8],
        space: &mut [u8],
    ) -> Result<usize, Kind> {
        if index >= MAX_CHUNKS {
            return Err(Kind::TooLong);
        }
        let want = self.cipher.sealed_bytes(0);
        let actual = sealed.len();
        if actual < want {
            return Err(Kind::CutInTag {
                index,
                got: actual,
                want,
            });
        }
        let at_end = last;
        let Some(opened_bytes) = self.cipher.opened_bytes(actual) else {
            return Err(Kind::BadChunk { index, at_end });
        };
        let space = &mut space[..opened_bytes];
        match self.try_open(index, last, sealed, space) {
            Some(0) if index > 0 => Err(Kind::EmptyLast { index }),
            Some(bytes) if bytes == CHUNK_BYTES || (last && bytes < CHUNK_BYTES) => Ok(bytes),
            Some(_) => {
                space.fill(0);
                Err(Kind::BadChunk { index, at_end })
            }
            // With the other flag it may open: then the file was cut or extended after it.
            None if actual == self.sealed_bytes()
                && self.try_open(index, !last, sealed, space).is_some() =>
            {
                space.fill(0);
                Err(if last {
                    Kind::CutAfter { index }
                } else {
                    Kind::Extended { index }
                })
            }
            None => Err(Kind::BadChunk { index, at_end }),
        }
    }

    fn try_open(&self, index: u64, last: bool, sealed: &[u8], space: &mut [u8]) -> Option<usize> {
        let (nonce, len) = self.nonce(index, last);
        match self.cipher.open_into(&nonce[..len], &[], sealed, space) {
            Ok(bytes) => Some(bytes),
            Err(Error::BadTag) => None,
            Err(error) => unreachable!("sizes are those of the cipher: {error}"),
        }
    }
}

#[cfg(test)]
mod tests;
