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
mod tests {
    use roundworks::Facts;

    use super::*;

    fn chunks(name: &str) -> Chunks {
        let facts = crate::cipher::named(name).expect("known");
        let cipher = crate::cipher::keyed(facts, &vec![7; facts.key_bytes]);
        Chunks::new(cipher, &[9; 64]).expect("a nonce that is long enough")
    }

    /// Sealed as `seal` would not: any length, any flag.
    fn forced(chunks: &Chunks, index: u64, last: bool, data: &[u8]) -> Vec<u8> {
        let (nonce, len) = chunks.nonce(index, last);
        let mut sealed = vec![0; chunks.cipher.sealed_bytes(data.len())];
        let made = chunks
            .cipher
            .seal_into(&nonce[..len], &[], data, &mut sealed);
        made.expect("right sizes");
        sealed
    }

    #[test]
    fn nonces_hold_counter_and_flag() {
        let chunks = chunks("aegis-128");
        let (nonce, len) = chunks.nonce(0x0102, true);
        assert_eq!(
            nonce[..len],
            [9, 9, 9, 9, 9, 9, 9, 0, 0, 0, 0, 0, 0, 1, 2, 1]
        );
        assert_eq!(chunks.nonce(0x0102, false).0[len - 1], 0);
    }

    #[test]
    fn the_counter_has_an_end() {
        let chunks = chunks("aegis-256x2");
        let (data, mut space) = ([3; 5], [0; 64]);
        let last = MAX_CHUNKS - 1;
        let made = chunks
            .seal(last, true, &data, &mut space)
            .expect("the last that fits");
        let sealed = space[..made].to_vec();
        assert_eq!(
            chunks
                .open(last, true, &sealed, &mut space)
                .expect("its own"),
            5
        );
        assert_eq!(space[..5], data);
        for index in [MAX_CHUNKS, u64::MAX] {
            let refused = chunks.seal(index, true, &data, &mut space);
            assert!(matches!(refused, Err(Kind::TooLong)));
            let refused = chunks.open(index, true, &sealed, &mut space);
            assert!(matches!(refused, Err(Kind::TooLong)));
        }
    }

    #[test]
    fn what_no_sealer_makes_is_refused() {
        let chunks = chunks("rocca-s");
        let mut space = vec![0; CHUNK_BYTES];
        let empty = forced(&chunks, 1, true, &[]);
        let refused = chunks.open(1, true, &empty, &mut space);
        assert!(matches!(refused, Err(Kind::EmptyLast { index: 1 })));
        // A short chunk in the middle: authentic, but the bytes after it are at the wrong place.
        let short = forced(&chunks, 2, false, &[8; 100]);
        let refused = chunks.open(2, false, &short, &mut space);
        assert!(matches!(
            refused,
            Err(Kind::BadChunk {
                index: 2,
                at_end: false
            })
        ));
        assert!(space.iter().all(|byte| *byte == 0));
    }

    #[test]
    fn the_flag_of_the_other_kind_says_cut_or_extended() {
        let chunks = chunks("aegis-128l");
        let mut space = vec![0; CHUNK_BYTES];
        let data = vec![8; CHUNK_BYTES];
        let inner = forced(&chunks, 4, false, &data);
        let refused = chunks.open(4, true, &inner, &mut space);
        assert!(matches!(refused, Err(Kind::CutAfter { index: 4 })));
        assert!(space.iter().all(|byte| *byte == 0));
        let last = forced(&chunks, 4, true, &data);
        let refused = chunks.open(4, false, &last, &mut space);
        assert!(matches!(refused, Err(Kind::Extended { index: 4 })));
        assert!(space.iter().all(|byte| *byte == 0));
    }

    /// With a nonce of 8 bytes, as older ciphers have it.
    struct Short;

    impl Cipher for Short {
        fn facts(&self) -> &'static Facts {
            const FACTS: Facts = Facts::new("short", 16, 8, 16, 1 << 32);
            &FACTS
        }
        fn backend_name(&self) -> &'static str {
            "none"
        }
        fn seal_into(&self, _: &[u8], _: &[u8], _: &[u8], _: &mut [u8]) -> Result<usize, Error> {
            panic!("never used")
        }
        fn open_into(&self, _: &[u8], _: &[u8], _: &[u8], _: &mut [u8]) -> Result<usize, Error> {
            panic!("never used")
        }
        fn seal_in_place(
            &self,
            _: &[u8],
            _: &[u8],
            _: &mut [u8],
            _: usize,
        ) -> Result<usize, Error> {
            panic!("never used")
        }
        fn open_in_place(&self, _: &[u8], _: &[u8], _: &mut [u8]) -> Result<usize, Error> {
            panic!("never used")
        }
    }

    #[test]
    fn a_short_nonce_is_refused() {
        let refused = Chunks::new(Box::new(Short), &[0; 64])
            .err()
            .expect("refused");
        assert_eq!(
            refused.to_string(),
            "cipher short: nonce: want 12 bytes or more for the chunk counter, got 8"
        );
        for facts in crate::cipher::ciphers() {
            assert!(facts.nonce_bytes >= MIN_NONCE_BYTES, "{}", facts.name);
            assert!(facts.key_bytes <= 32 && facts.tag_bytes <= 32 && facts.name.len() <= 16);
        }
    }
}
