//! What the ciphers on AES rounds need of a back end: a word is `D` AES states in parallel.
#![forbid(unsafe_code)]
#![allow(clippy::needless_range_loop)] // words and lanes at one index

use core::cmp::Ordering;
use core::ops::Range;

/// An AES state, or a round key, as it stands in memory.
pub type Lane = [u8; 16];

/// Words that an update has at most, where it is given as data.
pub(crate) const MOST: usize = 8;

/// An update as data, for a back end that has bit `i` of a byte for word `i`.
#[derive(Clone, Copy)]
pub struct Wiring {
    /// Of each word: the one whose AES round it takes.
    pub round: [Option<usize>; MOST],
    /// Of each word: those that are added to it, a bit for each.
    pub sum: [u8; MOST],
    /// The words to which those of a block are added, one each.
    pub message: &'static [usize],
    /// The words to which the context is added before.
    pub context: &'static [usize],
}

impl Wiring {
    /// Of no word.
    pub(crate) const NONE: Self = Self {
        round: [None; MOST],
        sum: [0; MOST],
        message: &[],
        context: &[],
    };

    /// Whether its AES rounds in `D` lanes, a lane at a time, are not more for the back end than all at once.
    pub(crate) const fn fills<L: AesLanes<D>, const D: usize>(&self) -> bool {
        let (mut rounds, mut i) = (0, 0);
        while i < MOST {
            rounds += self.round[i].is_some() as usize;
            i += 1;
        }
        L::AT_ONCE > 1 && (rounds * D).div_ceil(L::AT_ONCE) >= D
    }
}

/// What is wired so.
pub trait Wired {
    const WIRING: Wiring;
}

/// Vector operations on words of `D` lanes; `self` proves that the CPU has them.
pub trait AesLanes<const D: usize>: Copy {
    type Word: Copy;
    /// One of its lanes.
    type One: Copy;
    /// AES rounds, lanes counted, that take as long as one.
    const AT_ONCE: usize = 1;
    /// Lanes of a state that stay in registers.
    const SPACE: usize = usize::MAX;
    /// Words of whole messages, a lane each, that it pays to interleave; `D` is 1.
    const MESSAGES: usize = 1;

    fn load(self, lanes: &[Lane; D]) -> Self::Word;
    fn store(self, word: Self::Word, lanes: &mut [Lane; D]);
    fn one(self, lane: &Lane) -> Self::One;
    fn put(self, one: Self::One, lane: &mut Lane);
    fn join(self, ones: [Self::One; D]) -> Self::Word;
    fn split(self, word: Self::Word) -> [Self::One; D];
    fn xor(self, a: Self::Word, b: Self::Word) -> Self::Word;
    fn and(self, a: Self::Word, b: Self::Word) -> Self::Word;
    /// MixColumns(ShiftRows(SubBytes(x\[i\]))) ^ keys\[i\] for every i. [FIPS197, section 5.1]
    fn rounds<const N: usize>(self, x: [Self::Word; N], keys: [Self::Word; N]) -> [Self::Word; N];

    /// `times` times an update with each of `blocks`, `context` added before every one. For a back
    /// end that takes more than one AES round at once; see [`Wiring::fills`].
    fn wired<A: Wired, const R: usize, const K: usize>(
        self,
        _: &mut [Self::Word],
        _blocks: &[[Self::Word; R]; K],
        _context: Option<Self::Word>,
        _times: usize,
    ) {
        unreachable!("update by update")
    }

    #[inline(always)]
    fn xor3(self, a: Self::Word, b: Self::Word, c: Self::Word) -> Self::Word {
        self.xor(self.xor(a, b), c)
    }

    /// a ^ (b & c)
    #[inline(always)]
    fn xor_and(self, a: Self::Word, b: Self::Word, c: Self::Word) -> Self::Word {
        self.xor(a, self.and(b, c))
    }

    /// As `load`, of lanes that were written one by one: a load of all of them would wait for memory.
    #[inline(always)]
    fn gather(self, lanes: &[Lane; D]) -> Self::Word {
        let mut ones = [self.one(&lanes[0]); D];
        for j in 1..D {
            ones[j] = self.one(&lanes[j]);
        }
        self.join(ones)
    }

    /// As `one`, from at most 16 bytes; zeros follow.
    #[inline(always)]
    fn one_part(self, bytes: &[u8]) -> Self::One {
        self.one(&first_bytes(bytes))
    }

    /// As `put`, to at most 16 bytes.
    #[inline(always)]
    fn put_part(self, one: Self::One, bytes: &mut [u8]) {
        let mut lane = [0; 16];
        self.put(one, &mut lane);
        set_first(lane, bytes);
    }

    /// The words of a block that ends early; zeros follow.
    #[inline(always)]
    fn load_parts<const R: usize>(self, bytes: &[u8]) -> [Self::Word; R] {
        let zero = self.one(&[0; 16]);
        let (whole, rest) = bytes.as_chunks();
        let rest = self.one_part(rest);
        let mut words = [self.splat(&[0; 16]); R];
        for r in 0..R {
            let mut ones = [zero; D];
            for j in 0..D {
                ones[j] = match (r * D + j).cmp(&whole.len()) {
                    Ordering::Less => self.one(&whole[r * D + j]),
                    Ordering::Equal => rest,
                    Ordering::Greater => zero,
                };
            }
            words[r] = self.join(ones);
        }
        words
    }

    /// The first bytes of the words of a block, all that there is space for.
    #[inline(always)]
    fn store_parts<const R: usize>(self, words: [Self::Word; R], bytes: &mut [u8]) {
        let (whole, rest) = bytes.as_chunks_mut();
        let mut last = self.one(&[0; 16]);
        for r in 0..R {
            let ones = self.split(words[r]);
            for j in 0..D {
                match (r * D + j).cmp(&whole.len()) {
                    Ordering::Less => self.put(ones[j], &mut whole[r * D + j]),
                    Ordering::Equal => last = ones[j],
                    Ordering::Greater => {}
                }
            }
        }
        self.put_part(last, rest);
    }

    /// The first `n` bytes, then zeros.
    #[inline(always)]
    fn keep(self, word: Self::Word, n: usize) -> Self::Word {
        const MOST: usize = 16 * 4;
        const ONES: [u8; 2 * MOST] = {
            let mut ones = [0; 2 * MOST];
            let mut i = 0;
            while i < MOST {
                ones[i] = 0xff;
                i += 1;
            }
            ones
        };
        let (lanes, _) = ONES[MOST - n..].as_chunks();
        self.and(
            word,
            self.load(lanes.first_chunk().expect("D is at most 4")),
        )
    }

    /// The same lane everywhere.
    #[inline(always)]
    fn splat(self, lane: &Lane) -> Self::Word {
        self.load(&[*lane; D])
    }

    /// XOR of the lanes.
    #[inline(always)]
    fn fold(self, word: Self::Word) -> Lane {
        let mut lanes = [[0; 16]; D];
        self.store(word, &mut lanes);
        let mut sum = lanes[0];
        for lane in &lanes[1..] {
            sum = xor(sum, *lane);
        }
        sum
    }
}

#[inline(always)]
pub(crate) fn xor(a: Lane, b: Lane) -> Lane {
    (u128::from_ne_bytes(a) ^ u128::from_ne_bytes(b)).to_ne_bytes()
}

/// Word `i` of `bytes`: lanes `i * D` and on.
#[inline(always)]
pub(crate) fn word<const D: usize>(bytes: &[u8], i: usize) -> &[Lane; D] {
    let lanes = &bytes.as_chunks::<16>().0[i * D..][..D];
    lanes.try_into().expect("D lanes")
}

#[inline(always)]
pub(crate) fn word_mut<const D: usize>(bytes: &mut [u8], i: usize) -> &mut [Lane; D] {
    let lanes = &mut bytes.as_chunks_mut::<16>().0[i * D..][..D];
    lanes.try_into().expect("D lanes")
}

/// Where the bytes of word `r` are among `n`, which may end before it.
#[inline(always)]
pub(crate) fn part<const D: usize>(n: usize, r: usize) -> Range<usize> {
    n.min(16 * D * r)..n.min(16 * D * (r + 1))
}

/// At most 16 bytes, then zeros, of two loads that overlap. Copied to a lane in memory, the bytes would be stores that
/// a load of the lane waits for; and where that copy is a call, all registers are saved for it.
#[inline(always)]
fn first_bytes(bytes: &[u8]) -> Lane {
    let n = bytes.len();
    if let Some(lane) = bytes.first_chunk::<16>() {
        return *lane;
    }
    let (mut low, mut high) = (0, 0);
    if let (Some(first), Some(last)) = (bytes.first_chunk::<8>(), bytes.last_chunk::<8>()) {
        low = u64::from_le_bytes(*first);
        high = u64::from_le_bytes(*last) >> (8 * (15 - n)) >> 8;
    } else if let (Some(first), Some(last)) = (bytes.first_chunk::<4>(), bytes.last_chunk::<4>()) {
        let last = u64::from(u32::from_le_bytes(*last));
        low = u64::from(u32::from_le_bytes(*first)) | last << (8 * (n - 4));
    } else if n > 0 {
        for i in [0, n / 2, n - 1] {
            low |= u64::from(bytes[i]) << (8 * i);
        }
    }
    (u128::from(high) << 64 | u128::from(low)).to_le_bytes()
}

/// The first bytes of a lane, at most 16, by two stores that overlap.
#[inline(always)]
fn set_first(lane: Lane, bytes: &mut [u8]) {
    let (n, x) = (bytes.len(), u128::from_le_bytes(lane));
    let low = x as u64;
    if let Some(all) = bytes.first_chunk_mut::<16>() {
        *all = lane;
    } else if n >= 8 {
        bytes[..8].copy_from_slice(&low.to_le_bytes());
        bytes[n - 8..].copy_from_slice(&((x >> (8 * (n - 8))) as u64).to_le_bytes());
    } else if n >= 4 {
        bytes[..4].copy_from_slice(&(low as u32).to_le_bytes());
        bytes[n - 4..].copy_from_slice(&((low >> (8 * (n - 4))) as u32).to_le_bytes());
    } else if n > 0 {
        for i in [0, n / 2, n - 1] {
            bytes[i] = (low >> (8 * i)) as u8;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{first_bytes, set_first};

    #[test]
    fn a_part_of_a_lane_is_copied_byte_by_byte() {
        let bytes: [u8; 16] = core::array::from_fn(|i| 0x81 + 3 * i as u8);
        for n in 0..=16 {
            let mut lane = [0; 16];
            lane[..n].copy_from_slice(&bytes[..n]);
            assert_eq!(first_bytes(&bytes[..n]), lane, "{n}");

            let mut to = [0x55; 18];
            set_first(bytes, &mut to[1..][..n]);
            assert_eq!((to[0], &to[1..][..n]), (0x55, &bytes[..n]), "{n}");
            assert!(to[1 + n..].iter().all(|&byte| byte == 0x55), "{n}");
        }
    }
}
