//! Where columns stand in a byte, and the matrices of bits that move them.
#![forbid(unsafe_code)]

use crate::minalpher::lanes::{ROUNDS, SHUFFLES, inverse};

/// The bit of a byte at which column c stands: what the nibble exchange and the transposition of
/// bits leave.
const fn bit(c: usize) -> usize {
    if c % 2 == 1 { 7 - c / 2 } else { 3 - c / 2 }
}

/// A matrix of bits as `gf2p8affine` wants it: output bit i is row 7 - i.
const fn shuffle_matrix(p: [usize; 8]) -> i64 {
    let mut rows = [0; 8];
    let mut c = 0;
    while c < 8 {
        rows[7 - bit(c)] = 1 << bit(p[c]);
        c += 1;
    }
    i64::from_le_bytes(rows)
}

/// Takes bit b of the two nibbles of byte p of a row to their columns.
const fn spread_matrix(b: usize, p: usize) -> i64 {
    let mut rows = [0; 8];
    rows[7 - bit(2 * p)] = 1 << (4 + b);
    rows[7 - bit(2 * p + 1)] = 1 << b;
    i64::from_le_bytes(rows)
}

/// Columns are not put back in order after every ShuffleRows: the two rows that `FREE` shuffles
/// stay as they are and give their order to the others. In round i column FRAMES\[i\]\[c\] stands at
/// place c; after eight rounds that is column c again.
const FRAMES: [[usize; 8]; 9] = {
    let mut frames = [[0, 1, 2, 3, 4, 5, 6, 7]; 9];
    let mut i = 0;
    while i < 8 {
        frames[i + 1] = after(inverse(SHUFFLES[FREE]), frames[i]);
        i += 1;
    }
    frames
};
pub(super) const FREE: usize = 2;

/// First q, then p.
const fn after(p: [usize; 8], q: [usize; 8]) -> [usize; 8] {
    let mut both = [0; 8];
    let mut c = 0;
    while c < 8 {
        both[c] = p[q[c]];
        c += 1;
    }
    both
}

/// The shuffle `by` from the order of one frame to that of another.
const fn between(from: [usize; 8], by: usize, to: [usize; 8]) -> i64 {
    shuffle_matrix(after(inverse(from), after(SHUFFLES[by], to)))
}

/// What a round takes, for each of the eight frames.
pub(super) struct Frame {
    pub(super) matrices: [i64; 4],
    /// For each round number and each plane, c ^ i on columns 0 to 3.
    pub(super) columns: [[i64; 4]; 16],
    /// Columns 0 to 3.
    pub(super) four: i64,
}

pub(super) static ROUND: [Frame; 8] = {
    let mut all = [const { frame(0) }; 8];
    let mut i = 1;
    while i < 8 {
        all[i] = frame(i);
        i += 1;
    }
    all
};

const fn frame(i: usize) -> Frame {
    let (from, to) = (FRAMES[i], FRAMES[i + 1]);
    let mut frame = Frame {
        matrices: [0; 4],
        columns: [[0; 4]; 16],
        four: places(to, 0, 0b1111),
    };
    let mut n = 0;
    while n < 16 * 4 {
        let (number, b) = (n / 4, n % 4);
        frame.matrices[b] = between(from, b, to);
        frame.columns[number][b] = places(to, number, 1 << b);
        n += 1;
    }
    frame
}

/// The places of the columns c < 4 for which c ^ number has a bit of `bits`, or all four.
const fn places(frame: [usize; 8], number: usize, bits: usize) -> i64 {
    let mut byte = 0;
    let mut place = 0;
    while place < 8 {
        let c = frame[place];
        if c < 4 && (bits == 0b1111 || (c ^ number) & bits != 0) {
            byte |= 1 << bit(place);
        }
        place += 1;
    }
    i64::from_le_bytes([byte; 8])
}

/// After the last round: columns in order.
pub(super) static LAST: [i64; 4] = {
    let (from, to) = (FRAMES[ROUNDS % 8], FRAMES[0]);
    [
        between(from, 0, to),
        between(from, 1, to),
        between(from, 2, to),
        between(from, 3, to),
    ]
};

const fn spread_matrices() -> [[i64; 4]; 4] {
    let mut all = [[0; 4]; 4];
    let mut i = 0;
    while i < 16 {
        all[i / 4][i % 4] = spread_matrix(i / 4, i % 4);
        i += 1;
    }
    all
}
pub(super) static SPREAD: [[i64; 4]; 4] = spread_matrices();
