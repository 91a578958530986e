//! What the ciphers on AES rounds need of a back end: a word is `D` AES states in parallel.
#![forbid(unsafe_code)]

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
        let mut lane = [0; 16];
        lane[..bytes.len()].copy_from_slice(bytes);
        self.one(&lane)
    }

    /// As `put`, to at most 16 bytes.
    #[inline(always)]
    fn put_part(self, one: Self::One, bytes: &mut [u8]) {
        let mut lane = [0; 16];
        self.put(one, &mut lane);
        bytes.copy_from_slice(&lane[..bytes.len()]);
    }

    /// The first bytes of a word, then zeros.
    #[inline(always)]
    fn load_part(self, bytes: &[u8]) -> Self::Word {
        let mut lanes = [[0; 16]; D];
        lanes.as_flattened_mut()[..bytes.len()].copy_from_slice(bytes);
        self.load(&lanes)
    }

    /// As many bytes as there is space for.
    #[inline(always)]
    fn store_part(self, word: Self::Word, bytes: &mut [u8]) {
        let mut lanes = [[0; 16]; D];
        self.store(word, &mut lanes);
        bytes.copy_from_slice(&lanes.as_flattened()[..bytes.len()]);
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
