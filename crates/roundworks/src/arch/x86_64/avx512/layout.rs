//! Where every byte of AETHER's planes stands, phase by phase: tables computed at compile time.
#![forbid(unsafe_code)]

use crate::aether::{ADDENDS, Addend, MASKS, SUMS};

/// 64 byte indices of a permutation.
#[repr(align(64))]
pub(super) struct Index(pub(super) [u8; 64]);

/// Brings plane j of a sliced block into slots, and zeros into all others.
pub(super) type Spread = [Index; 4];

/// Where everything goes in a round that starts in one phase.
pub(super) struct Phase {
    /// Words of the state to where the round XORs them, and [`MASKS`] to the slots of the sums.
    pub(super) addends: Index,
    /// X0, X1, X2 to where the round XORs them.
    pub(super) absorb: Spread,
    /// The same for a block in the slots of the sums.
    pub(super) absorb_sums: Index,
    /// First and second summand of each of [`SUMS`], to its slot. The first leaves all other words
    /// where they are, the second makes them zero: the sum of both is the state with its sums.
    pub(super) sums: [Index; 2],
    /// Words of phase 0 to their slots.
    pub(super) from_zero: Index,
}

/// First slot of the sums.
const SUM_SLOT: usize = 12;
/// A byte that is zero in every state: of slot 15.
const ZERO: u8 = 63;
/// A byte that is zero in every sliced block.
const SLICED_ZERO: u8 = 63;

/// Place of byte k of a slot: four words share a quarter of the register, first bytes first.
const fn at(slot: usize, k: usize) -> usize {
    16 * (slot / 4) + 4 * k + slot % 4
}

/// Slot of S\[word\].
const fn slot(word: usize, phase: usize) -> usize {
    (word + 9 - phase % 9) % 9
}

/// Place, in a sliced block, of byte k of plane j of X\[word\]; see [`super::Avx512::slice`].
const fn sliced_at(word: usize, k: usize, j: usize) -> usize {
    let (quarter, odd) = (k / 2, k % 2);
    if word < 2 {
        8 * (4 * odd + 2 * word + quarter) + j
    } else {
        8 * (2 * odd + quarter) + 4 + j
    }
}

/// Sets the four bytes of slot `to` to those of slot `from`.
const fn route(mut index: [u8; 64], to: usize, from: usize) -> [u8; 64] {
    let mut k = 0;
    while k < 4 {
        index[at(to, k)] = at(from, k) as u8;
        k += 1;
    }
    index
}

/// Slot `slots[w]` from word w of a sliced block.
const fn spread(slots: [usize; 3]) -> Spread {
    let mut spread = [const { Index([SLICED_ZERO; 64]) }; 4];
    let mut n = 0;
    while n < 48 {
        let (word, k, j) = (n / 16, n / 4 % 4, n % 4);
        spread[j].0[at(slots[word], k)] = sliced_at(word, k, j) as u8;
        n += 1;
    }
    spread
}

const fn phase(phase: usize) -> Phase {
    let mut addends = [ZERO; 64];
    let mut absorbed = [0; 3];
    let mut from_zero = [ZERO; 64];
    let mut i = 0;
    while i < 9 {
        let to = slot(i, phase + 1);
        match ADDENDS[i] {
            Addend::S(word) => addends = route(addends, to, slot(word, phase)),
            Addend::X(word) => absorbed[word] = to,
        }
        from_zero = route(from_zero, slot(i, phase), slot(i, 0));
        i += 1;
    }
    let mut absorb_sums = [ZERO; 64];
    let mut sums = [[ZERO; 64]; 2];
    let mut n = 0;
    while n < 9 {
        sums[0] = route(sums[0], n, n);
        n += 1;
    }
    let mut j = 0;
    while j < 3 {
        addends = route(addends, SUM_SLOT + j, slot(MASKS[j], phase));
        absorb_sums = route(absorb_sums, absorbed[j], SUM_SLOT + j);
        sums[0] = route(sums[0], SUM_SLOT + j, slot(SUMS[j][0], phase));
        sums[1] = route(sums[1], SUM_SLOT + j, slot(SUMS[j][1], phase));
        j += 1;
    }
    Phase {
        addends: Index(addends),
        absorb: spread(absorbed),
        absorb_sums: Index(absorb_sums),
        sums: [Index(sums[0]), Index(sums[1])],
        from_zero: Index(from_zero),
    }
}

pub(super) static PHASES: [Phase; 9] = [
    phase(0),
    phase(1),
    phase(2),
    phase(3),
    phase(4),
    phase(5),
    phase(6),
    phase(7),
    phase(8),
];

/// Words 0..3, 3..6 and 6..9 of phase 0.
pub(super) static LOAD: [Spread; 3] = [spread([0, 1, 2]), spread([3, 4, 5]), spread([6, 7, 8])];

/// Permutation . MatrixMul of one plane, as it acts on the `from`-th byte (0 or 1) of a half, for
/// the result's even (`parity` 0) or odd nibbles; a matrix as GF2P8AFFINEQB wants it, row of bit 0
/// in the last byte.
///
/// Nibble index b4 b3 b2 b1 b0: b4 is the half, b3 b2 the row, b1 b0 the column in M_b. Byte b3 of
/// a half holds two rows. A row is the sum of all rows but its mirror, which lies in the other
/// byte, and of the mirror's parity. The permutation makes it b0 b4 b3 b2 b1.
const fn matrix(parity: usize, from: usize) -> u64 {
    let mut rows = [0u8; 8];
    let mut out = 0;
    while out < 8 {
        let (b3, b2, column) = (out >> 2, out >> 1 & 1, (out & 1) << 1 | parity);
        let mut bit = 0;
        while bit < 8 {
            let (row, same_column) = (bit >> 2, bit & 3 == column);
            let mirror = b3 != from && row != b2;
            if mirror || same_column {
                rows[7 - out] |= 1 << bit;
            }
            bit += 1;
        }
        out += 1;
    }
    u64::from_le_bytes(rows)
}

/// Even nibbles go to the lower eight bytes of each quarter, odd ones to the upper.
pub(super) const MATRICES: [[u64; 2]; 2] =
    [[matrix(0, 0), matrix(1, 0)], [matrix(0, 1), matrix(1, 1)]];

/// Bit offset of nibble 7 - i of eight, for byte i: the last byte is the row of bit 0. In memory a
/// byte's first nibble is its high one.
pub(super) const NIBBLES: [u8; 8] = [24, 28, 16, 20, 8, 12, 0, 4];

/// Where [`super::Avx512::unslice`] finds the rows of its matrices: for byte i, plane (7 - i) % 4.
const fn rows(words: [usize; 2]) -> Index {
    let mut index = [0; 64];
    let mut i = 0;
    while i < 64 {
        let (word, k, plane) = (words[i / 32], i / 8 % 4, (7 - i % 8) % 4);
        index[i] = (16 * plane + 4 * k + word) as u8;
        i += 1;
    }
    Index(index)
}

pub(super) static ROWS: [Index; 2] = [rows([0, 1]), rows([2, 2])];
