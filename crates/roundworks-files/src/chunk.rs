//! One chunk: its nonce, sealing, and what a failure to open it means.
//!
//! The shape is STREAM, [STREAM, section 7]: the nonce of chunk i is a prefix of the file, i, and
//! whether it is the last. A cipher's key here is one file's own, so the nonces of a file only have
//! to differ among themselves.
#![forbid(unsafe_code)]

use zeroize::Zeroizing;

use crate::cipher::Cipher;
use crate::error::Kind;
use crate::header::{CHUNK_BYTES, MAX_CHUNKS};

/// Counter and flag at the end of a nonce.
const COUNTER_BYTES: usize = 9;
/// The shortest nonce: counter, flag and three bytes of prefix.
pub(crate) const LEAST_NONCE_BYTES: usize = 12;
const MOST_NONCE_BYTES: usize = 64;

/// The cipher of one file.
pub(crate) struct Chunks {
    cipher: Box<dyn Cipher>,
    prefix: Zeroizing<Vec<u8>>,
}

impl Chunks {
    /// `prefix` is cut to what the nonce has room for.
    pub(crate) fn new(name: &str, cipher: Box<dyn Cipher>, prefix: &[u8]) -> Result<Self, Kind> {
        let got = cipher.nonce_bytes();
        if got < LEAST_NONCE_BYTES {
            let cipher = name.to_owned();
            return Err(Kind::ShortNonce { cipher, got });
        }
        assert!(got <= MOST_NONCE_BYTES && got - COUNTER_BYTES <= prefix.len());
        Ok(Self {
            prefix: Zeroizing::new(prefix[..got - COUNTER_BYTES].to_vec()),
            cipher,
        })
    }

    /// Bytes of a sealed chunk that is not the last.
    pub(crate) fn sealed_bytes(&self) -> usize {
        self.cipher.sealed_bytes(CHUNK_BYTES)
    }

    /// Bytes of the chunk `data`, sealed.
    pub(crate) fn sealed_bytes_of(&self, data: &[u8]) -> usize {
        self.cipher.sealed_bytes(data.len())
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

    /// Seals `data`, all of `CHUNK_BYTES` unless it is the last.
    pub(crate) fn seal(
        &self,
        index: u64,
        last: bool,
        data: &[u8],
        sealed: &mut [u8],
    ) -> Result<(), Kind> {
        debug_assert!(last || data.len() == CHUNK_BYTES);
        if index >= MAX_CHUNKS {
            return Err(Kind::TooLong);
        }
        let (nonce, len) = self.nonce(index, last);
        self.cipher.seal_into(&nonce[..len], &[], data, sealed);
        Ok(())
    }

    /// Opens a chunk into `data`; returns its bytes. On failure `data` holds nothing of it.
    pub(crate) fn open(
        &self,
        index: u64,
        last: bool,
        sealed: &[u8],
        data: &mut [u8],
    ) -> Result<usize, Kind> {
        if index >= MAX_CHUNKS {
            return Err(Kind::TooLong);
        }
        let want = self.cipher.sealed_bytes(0);
        if sealed.len() < want {
            let got = sealed.len();
            return Err(Kind::CutInTag { index, got, want });
        }
        let (nonce, len) = self.nonce(index, last);
        match self.cipher.open_into(&nonce[..len], &[], sealed, data) {
            Ok(0) if index > 0 => Err(Kind::EmptyLast { index }),
            Ok(bytes) if bytes == CHUNK_BYTES || last => Ok(bytes),
            Ok(_) => {
                data.fill(0);
                Err(Kind::BadChunk {
                    index,
                    at_end: last,
                })
            }
            Err(_) => Err(self.why(index, last, sealed, data)),
        }
    }

    /// Why a chunk did not open: with the other flag it may, and then the file was cut or
    /// extended after it. Its bytes are not kept.
    fn why(&self, index: u64, last: bool, sealed: &[u8], data: &mut [u8]) -> Kind {
        let (nonce, len) = self.nonce(index, !last);
        let whole = sealed.len() == self.sealed_bytes();
        if whole
            && self
                .cipher
                .open_into(&nonce[..len], &[], sealed, data)
                .is_ok()
        {
            data.fill(0);
            return if last {
                Kind::CutAfter { index }
            } else {
                Kind::Extended { index }
            };
        }
        Kind::BadChunk {
            index,
            at_end: last,
        }
    }
}
