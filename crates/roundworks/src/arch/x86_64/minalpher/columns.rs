//! P with a vector for each of the 64 nibbles, which holds that nibble of many blocks. ShuffleRows
//! and the exchange of A and B are then only names.
#![forbid(unsafe_code)]

use crate::minalpher::lanes::{self, SHUFFLES, Schedule};

/// Vectors of nibbles.
pub(crate) trait Nibbles: Copy {
    type Nibble: Copy;
    fn substitute(self, x: [Self::Nibble; 8]) -> [Self::Nibble; 8];
    fn sum(self, a: Self::Nibble, b: Self::Nibble) -> Self::Nibble;
    /// The sum of `a` and the nibble `value`.
    fn constant(self, a: Self::Nibble, value: u8) -> Self::Nibble;
}

/// P, where nibble c of row r of A is `x[16 r + c]`, of B `x[16 r + 8 + c]`.
#[inline(always)]
pub(crate) fn permute<T: Nibbles>(t: T, x: &mut [T::Nibble; 64], schedule: &Schedule) {
    let mut other = *x;
    let (mut from, mut to) = (&mut *x, &mut other);
    for &number in schedule {
        // Written out, so that every place is a constant.
        round::<T, 0>(t, from, to, number);
        round::<T, 1>(t, from, to, number);
        round::<T, 2>(t, from, to, number);
        round::<T, 3>(t, from, to, number);
        round::<T, 4>(t, from, to, number);
        round::<T, 5>(t, from, to, number);
        round::<T, 6>(t, from, to, number);
        round::<T, 7>(t, from, to, number);
        (from, to) = (to, from);
    }
    // After an odd number of rounds `to` is `x`.
    const { assert!(lanes::ROUNDS % 2 == 1) };
    put(to, 0, substitute::<T, 0>(t, from));
    put(to, 1, substitute::<T, 1>(t, from));
    put(to, 2, substitute::<T, 2>(t, from));
    put(to, 3, substitute::<T, 3>(t, from));
    put(to, 4, substitute::<T, 4>(t, from));
    put(to, 5, substitute::<T, 5>(t, from));
    put(to, 6, substitute::<T, 6>(t, from));
    put(to, 7, substitute::<T, 7>(t, from));
}

/// Column C of a round.
#[inline(always)]
fn round<T: Nibbles, const C: usize>(
    t: T,
    from: &[T::Nibble; 64],
    to: &mut [T::Nibble; 64],
    number: u8,
) {
    let [a, b] = substitute::<T, C>(t, from);
    // No closures here: a compiler may leave them out of line, where they lack the instructions.
    let b = [
        t.sum(b[0], a[0]),
        t.sum(b[1], a[1]),
        t.sum(b[2], a[2]),
        t.sum(b[3], a[3]),
    ];
    let (a, mut b) = (mix(t, a), mix(t, b));
    if C < 4 {
        for (r, b) in b.iter_mut().enumerate() {
            *b = t.constant(*b, (C ^ r) as u8 ^ number);
        }
    }
    put(to, C, [a, b]);
}

/// Where the nibbles of a column come from: those of A from B, and those of B from A.
const SOURCES: [[usize; 8]; 8] = {
    let mut all = [[0; 8]; 8];
    let mut i = 0;
    while i < 32 {
        let (c, r) = (i / 4, i % 4);
        all[c][r] = 16 * r + 8 + SHUFFLES[r ^ 2][c];
        all[c][4 + r] = 16 * r + SHUFFLES[r][c];
        i += 1;
    }
    all
};

type Column<T> = [[<T as Nibbles>::Nibble; 4]; 2];

/// S and T.
#[inline(always)]
fn substitute<T: Nibbles, const C: usize>(t: T, from: &[T::Nibble; 64]) -> Column<T> {
    let [i0, i1, i2, i3, i4, i5, i6, i7] = const { SOURCES[C] };
    let x = [
        from[i0], from[i1], from[i2], from[i3], from[i4], from[i5], from[i6], from[i7],
    ];
    let [a0, a1, a2, a3, b0, b1, b2, b3] = t.substitute(x);
    [[a0, a1, a2, a3], [b0, b1, b2, b3]]
}

/// Written out: loops over arrays by value go through memory.
#[inline(always)]
fn put<T: Copy>(to: &mut [T; 64], c: usize, [a, b]: [[T; 4]; 2]) {
    to[c] = a[0];
    to[16 + c] = a[1];
    to[32 + c] = a[2];
    to[48 + c] = a[3];
    to[8 + c] = b[0];
    to[24 + c] = b[1];
    to[40 + c] = b[2];
    to[56 + c] = b[3];
}

/// MixColumns: each row but the one two below.
#[inline(always)]
fn mix<T: Nibbles>(t: T, x: [T::Nibble; 4]) -> [T::Nibble; 4] {
    let (upper, lower) = (t.sum(x[0], x[1]), t.sum(x[2], x[3]));
    [
        t.sum(upper, x[3]),
        t.sum(upper, x[2]),
        t.sum(lower, x[1]),
        t.sum(lower, x[0]),
    ]
}
