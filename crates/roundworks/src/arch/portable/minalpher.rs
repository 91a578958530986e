//! Minalpher on four blocks at a time, in eight vectors: one for each row of A, and of B.
//!
//! Unit c ^ 1 of 16 bits has nibble c of a row, of block i in its bits 4 i to 4 i + 3: in memory, too, the
//! odd column stands first. Nothing secret picks an address or a branch.
#![forbid(unsafe_code)]

use core::array::from_fn;

use super::Portable;
use super::sbox::Bits;
use super::vector::{Units, Vector};
use crate::aes::Lane;
use crate::arch::entry::clear_stack;
use crate::backend::Backend;
use crate::minalpher::lanes::{BEFORE, BLOCK, Block, FORWARD, Lanes, SHUFFLES, Schedule};
use crate::minalpher::mode::{self, Decrypt, Encrypt, Engine, Hash, HashCiphertext, Kernel, LAST};

/// As many blocks as 16 bits have nibbles.
#[derive(Clone, Copy)]
pub(crate) struct Four;

/// The halves of four blocks.
type Blocks = [[Vector; 2]; LAST];
/// The rows of a matrix, or bit i of each of their nibbles.
type Rows = [Vector; 4];

/// Blocks are rows within P alone.
impl Lanes for Four {
    const BLOCKS: usize = LAST;
    type Bytes = [u8; LAST * BLOCK];
    type State = Blocks;
    type Tweaks = Blocks;

    #[inline(always)]
    fn zero(self) -> Blocks {
        [[Vector::units(0); 2]; LAST]
    }

    #[inline(always)]
    fn bytes(self) -> [u8; LAST * BLOCK] {
        [0; LAST * BLOCK]
    }

    #[inline(always)]
    fn load(self, from: &[u8], to: &mut Blocks) {
        let lanes = from.as_chunks().0;
        for (to, from) in to.as_flattened_mut().iter_mut().zip(lanes) {
            *to = Vector::load(from);
        }
    }

    #[inline(always)]
    fn store(self, x: &Blocks, to: &mut [u8]) {
        let lanes = to.as_chunks_mut().0;
        for (to, from) in lanes.iter_mut().zip(x.as_flattened()) {
            *to = from.store();
        }
    }

    #[inline(always)]
    fn add(self, to: &mut Blocks, x: &Blocks) {
        for (to, x) in to.as_flattened_mut().iter_mut().zip(x.as_flattened()) {
            *to = to.xor(*x);
        }
    }

    #[inline(always)]
    fn every(self, window: &[u8]) -> Blocks {
        from_fn(|i| tweak(window, i))
    }

    #[inline(always)]
    fn pairs(self, window: &[u8]) -> [Blocks; 2] {
        [0, 1].map(|first| from_fn(|i| tweak(window, first + 2 * i)))
    }

    #[inline(always)]
    fn mask(self, x: &mut Blocks, tweaks: &Blocks) {
        self.add(x, tweaks);
    }

    fn permute(self, x: &mut Blocks, schedule: &Schedule) {
        let [[a0, b0, a1, b1], [a2, b2, a3, b3]] = [0, 1].map(|i| rows(x.map(|half| half[i])));
        let (mut a, mut b) = ([a0, a1, a2, a3], [b0, b1, b2, b3]);
        for &number in schedule {
            let (of_a, of_b) = (shuffle(substitute(a)), substitute(b));
            let of_b = opposite(shuffle(opposite(of_b)));
            a = mix(of_b);
            b = mix(from_fn(|r| of_a[r].xor(of_b[r])));
            b = from_fn(|r| b[r].xor(Vector::load(&CONSTANTS[usize::from(number) ^ r])));
        }
        let [b0, b1, b2, b3] = shuffle(substitute(a));
        let [a2, a3, a0, a1] = shuffle(opposite(substitute(b)));
        let halves = [[a0, b0, a1, b1], [a2, b2, a3, b3]].map(bytes);
        *x = from_fn(|i| halves.map(|half| half[i]));
    }
}

/// P of two blocks. A unit has nibbles of row r of A in its lower half, and in its upper half those of row
/// r + 2 of B, which is shuffled as they are. A round makes A of B where it is, so the halves change places.
fn permute_two(blocks: &mut [Block; 2]) {
    let [[a0, b0], [a1, b1]] = blocks.map(|block| {
        let (halves, _) = block.as_chunks();
        let [x, y] = [0, 1].map(|i| Vector::load(&halves[i]).shuffle_units::<EVEN_FIRST>());
        let [a, b] = x.zip_halves(y);
        [a, b.opposite()]
    });
    let [lower, upper] = [0x00ff_00ff, 0xff00_ff00].map(Vector::units);
    let to_lower = |x: Vector| x.shr::<8>().and(lower);
    let to_upper = |x: Vector| x.shl::<8>().and(upper);
    let mut x = rows([a0, a1, b0, b1]);
    let (pairs, last) = FORWARD.as_chunks();
    for &[even, odd] in pairs {
        x = round_of_two(x, to_lower, even, &OF_LOWER);
        x = round_of_two(x, to_upper, odd, &OF_UPPER);
    }
    x = round_of_two(x, to_lower, last[0], &OF_LOWER);
    let [b0, b1, a0, a1] = bytes(shuffle(substitute(x)));
    *blocks = [[a0, b0], [a1, b1]].map(|[a, b]| {
        let halves = b.opposite().zip_halves(a);
        let mut block = [0; BLOCK];
        for (to, from) in block.as_chunks_mut().0.iter_mut().zip(halves) {
            *to = from.shuffle_units::<EVEN_FIRST>().store();
        }
        block
    });
}

/// A round whose B, with the round constants, stands where A was.
#[inline(always)]
fn round_of_two(
    x: Rows,
    to_a: impl Fn(Vector) -> Vector,
    number: u8,
    constants: &[Lane; 16],
) -> Rows {
    let x = shuffle(substitute(x));
    let x = mix(from_fn(|r| x[r].xor(to_a(x[r ^ 2]))));
    let constants = |r: usize| &constants[usize::from(number) ^ r];
    opposite(from_fn(|r| x[r].xor(Vector::load(constants(r)))))
}

/// Units 0 and 2, then 1 and 3.
const EVEN_FIRST: i32 = 0b11_01_10_00;

/// Tweak j of a window. [MINALPHER, section 2.3]
#[inline(always)]
fn tweak(window: &[u8], j: usize) -> [Vector; 2] {
    let (halves, _) = window[BEFORE + j..][..BLOCK].as_chunks();
    let [low, high] = [0, 1].map(|i| Vector::load(&halves[i]));
    // The sums of bytes 0 to 2 and those before them, to bytes 29 to 31.
    let sums = low.xor(low.shl::<8>()).shl::<8>();
    let last = Vector::load(&LAST_UNIT);
    [low, high.xor(sums.shuffle_units::<0>().and(last))]
}

const LAST_UNIT: Lane = (0xffff_ffff_u128 << 96).to_le_bytes();

/// Four bytes of each vector to one vector: the lower nibble of byte i, then the upper one, of all four to
/// 16 bits.
#[inline(always)]
fn rows([a, b, c, d]: [Vector; 4]) -> Rows {
    let ((a, b), (c, d)) = (exchange_nibbles(a, b), exchange_nibbles(c, d));
    let ([a, c], [b, d]) = (a.zip_bytes(c), b.zip_bytes(d));
    let ([a, b], [c, d]) = (a.zip_words(b), c.zip_words(d));
    [a, b, c, d]
}

/// The other way.
#[inline(always)]
fn bytes([a, b, c, d]: Rows) -> [Vector; 4] {
    let ([a, b], [c, d]) = (a.unzip_words(b), c.unzip_words(d));
    let ([a, c], [b, d]) = (a.unzip_bytes(c), b.unzip_bytes(d));
    let ((a, b), (c, d)) = (exchange_nibbles(a, b), exchange_nibbles(c, d));
    [a, b, c, d]
}

/// The upper nibbles of `a` and the lower ones of `b`.
#[inline(always)]
fn exchange_nibbles(a: Vector, b: Vector) -> (Vector, Vector) {
    a.exchange_bits::<4>(b, 0x0f)
}

/// Of every nibble.
#[inline(always)]
fn substitute(x: Rows) -> Rows {
    flip(gates(flip(x)))
}

/// Bit j of every nibble of vector i to bit i of vector j: rows to bit planes, and back.
#[inline(always)]
fn flip([a, b, c, d]: Rows) -> Rows {
    let (a, b) = a.exchange_bits::<1>(b, 0x55);
    let (c, d) = c.exchange_bits::<1>(d, 0x55);
    let (a, c) = a.exchange_bits::<2>(c, 0x33);
    let (b, d) = b.exchange_bits::<2>(d, 0x33);
    [a, b, c, d]
}

/// The table in gates; the unit tests compare P with the table. [MINALPHER, section 2.4]
#[inline(always)]
fn gates([x0, x1, x2, x3]: Rows) -> Rows {
    let g0 = x2.xor(x0.and(x1.not()));
    let g1 = x0.xor(x3.and(g0));
    let g = x3.and(x0.xor(g0));
    let g2 = x1.xor(g);
    let y3 = x3.not().xor(x1).xor(g0).xor(g);
    let y0 = x0.not().xor(g0.or(g2));
    let y1 = g0.xor(y3.and(g1.not()));
    let y2 = g2.xor(y0.and(y1.not()));
    [y0, y1, y2, y3]
}

/// ShuffleRows of A: every shuffle moves pairs of nibbles, and exchanges those of one.
#[inline(always)]
fn shuffle([a, b, c, d]: Rows) -> Rows {
    const S: [[i32; 3]; 4] = [order(0), order(1), order(2), order(3)];
    [
        a.shuffle_units::<{ S[0][0] }>()
            .shuffle_halves::<{ S[0][1] }, { S[0][2] }>(),
        b.shuffle_units::<{ S[1][0] }>()
            .shuffle_halves::<{ S[1][1] }, { S[1][2] }>(),
        c.shuffle_units::<{ S[2][0] }>()
            .shuffle_halves::<{ S[2][1] }, { S[2][2] }>(),
        d.shuffle_units::<{ S[3][0] }>()
            .shuffle_halves::<{ S[3][1] }, { S[3][2] }>(),
    ]
}

/// Where the pairs of row r come from, then the nibbles of the first two, and of the other two.
const fn order(r: usize) -> [i32; 3] {
    let (mut order, mut c) = ([0; 3], 0);
    while c < 8 {
        let (to, from) = (c ^ 1, (SHUFFLES[r][c] ^ 1) as i32);
        order[0] |= ((from / 2) & 3) << (2 * (to / 2));
        order[1 + to / 4] |= (to as i32 & 2 | from & 1) << (2 * (to % 4));
        c += 1;
    }
    order
}

/// Rows two below: those of B are shuffled so.
#[inline(always)]
fn opposite([a, b, c, d]: Rows) -> Rows {
    [c, d, a, b]
}

/// MixColumns: each row but the one two below.
#[inline(always)]
fn mix([a, b, c, d]: Rows) -> Rows {
    let (ac, bd) = (a.xor(c), b.xor(d));
    [a.xor(bd), b.xor(ac), c.xor(bd), d.xor(ac)]
}

/// The nibbles c ^ n of columns c < 4 of B: what round n adds to row 0, and round n ^ r to row r. Of four
/// blocks, and of two in either half of a unit.
static CONSTANTS: [Lane; 16] = constants(0x1111);
static OF_LOWER: [Lane; 16] = constants(0x0011);
static OF_UPPER: [Lane; 16] = constants(0x1100);

const fn constants(nibbles: u16) -> [Lane; 16] {
    let (mut all, mut i) = ([[0; 16]; 16], 0);
    while i < 64 {
        let (n, c) = (i / 4, i % 4);
        let unit = nibbles * (c ^ n) as u16;
        [all[n][2 * (c ^ 1)], all[n][2 * (c ^ 1) + 1]] = unit.to_le_bytes();
        i += 1;
    }
    all
}

impl Engine for Portable {
    type Narrow = Four;

    fn narrow(self) -> Four {
        Four
    }

    fn permute(self, blocks: &mut [Block; 2], _: usize) {
        permute_two(blocks);
    }
}

pub(crate) static MINALPHER: Kernel = Kernel {
    backend: Backend::Portable,
    permute: |blocks, n| mode::permute(Portable(()), blocks, n),
    encrypt: |chain, data| mode::narrow::<_, Encrypt, _>(Portable(()), chain, data),
    encrypt_last: |chain, blocks, n| mode::encrypt_last(Portable(()), chain, blocks, n),
    hash_ciphertext: |chain, data| mode::narrow::<_, HashCiphertext, _>(Portable(()), chain, data),
    decrypt: |chain, data| mode::narrow::<_, Decrypt, _>(Portable(()), chain, data),
    hash: |chain, data| mode::narrow::<_, Hash, _>(Portable(()), chain, data),
    wipe_stack: |data_bytes| {
        if data_bytes > 0 {
            clear_stack::<21>();
        } else {
            clear_stack::<8>();
        }
    },
};
