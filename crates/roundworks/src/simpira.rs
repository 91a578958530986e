//! Simpira v2 of two and of four words. [SIMPIRA, section 3]
//!
//! The words turn instead of the round: the one that is to go through F next stands first.
#![forbid(unsafe_code)]

use crate::aes::Lane;
use crate::aes_layers::{AesLayers, Layer};
use crate::permutation::Parameters;
use crate::permutation::kernel::Family;

/// More than any number of rounds in use.
pub(crate) const MOST_ROUNDS: usize = 64;

const TWO: [Lane; MOST_ROUNDS] = constants(2);
const FOUR: [Lane; 2 * MOST_ROUNDS] = constants(4);

/// C of the calls F_(c, b), c from 1.
const fn constants<const N: usize>(b: u32) -> [Lane; N] {
    let mut lanes = [[0; 16]; N];
    let mut i = 0;
    while i < 16 * N {
        let (call, byte) = (i / 16, i % 16);
        let column = (call as u32 + 1) ^ b ^ (0x10 * (byte as u32 / 4));
        lanes[call][byte] = column.to_le_bytes()[byte % 4];
        i += 1;
    }
    lanes
}

pub(crate) struct Simpira;

impl Family<2> for Simpira {
    type Portable = Self;
    type Inverse = Self;
    const HALVES: bool = false;

    #[inline(always)]
    fn forward<L: AesLayers<D>, const D: usize, const N: usize>(
        l: L,
        p: &Parameters,
        x: Layer<L::Word, N, 2>,
    ) -> Layer<L::Word, N, 2> {
        let [mut a, mut b] = x;
        for constant in &TWO[..p.rounds()] {
            let [f] = l.enc([a], [[l.splat(constant); N]]);
            let [next] = l.enc([f], [b]);
            (a, b) = (next, a);
        }
        if p.rounds().is_multiple_of(2) {
            [a, b]
        } else {
            [b, a]
        }
    }

    #[inline(always)]
    fn backward<L: AesLayers<D>, const D: usize, const N: usize>(
        l: L,
        p: &Parameters,
        x: Layer<L::Word, N, 2>,
    ) -> Layer<L::Word, N, 2> {
        let [mut a, mut b] = if p.rounds().is_multiple_of(2) {
            x
        } else {
            [x[1], x[0]]
        };
        for constant in TWO[..p.rounds()].iter().rev() {
            let [f] = l.enc([b], [[l.splat(constant); N]]);
            let [before] = l.enc([f], [a]);
            (a, b) = (b, before);
        }
        [a, b]
    }
}

impl Family<4> for Simpira {
    type Portable = Self;
    type Inverse = Self;

    #[inline(always)]
    fn forward<L: AesLayers<D>, const D: usize, const N: usize>(
        l: L,
        p: &Parameters,
        x: Layer<L::Word, N, 4>,
    ) -> Layer<L::Word, N, 4> {
        let [mut a, mut b, mut c, mut d] = x;
        for constants in &FOUR.as_chunks::<2>().0[..p.rounds()] {
            let f = l.enc([a, c], constants.map(|c| [l.splat(&c); N]));
            let [next_a, next_c] = l.enc(f, [b, d]);
            (a, b, c, d) = (next_a, c, next_c, a);
        }
        rotated([a, b, c, d], p.rounds())
    }

    #[inline(always)]
    fn backward<L: AesLayers<D>, const D: usize, const N: usize>(
        l: L,
        p: &Parameters,
        x: Layer<L::Word, N, 4>,
    ) -> Layer<L::Word, N, 4> {
        let [mut a, mut b, mut c, mut d] = rotated(x, 4 - p.rounds() % 4);
        for constants in FOUR.as_chunks::<2>().0[..p.rounds()].iter().rev() {
            let f = l.enc([d, b], constants.map(|c| [l.splat(&c); N]));
            let [before_b, before_d] = l.enc(f, [a, c]);
            (a, b, c, d) = (d, before_b, b, before_d);
        }
        [a, b, c, d]
    }
}

/// Word i to place i + `by`.
#[inline(always)]
fn rotated<T: Copy>([a, b, c, d]: [T; 4], by: usize) -> [T; 4] {
    match by % 4 {
        0 => [a, b, c, d],
        1 => [d, a, b, c],
        2 => [c, d, a, b],
        _ => [b, c, d, a],
    }
}
