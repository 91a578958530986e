//! Areion-256 and Areion-512 [AREION, section 3]: a member of the Feistel family each, but for
//! constants, and at 256 bits for the place of the words after an odd number of rounds.
#![forbid(unsafe_code)]
#![allow(clippy::needless_range_loop)] // as in `aes_layers`

use crate::aes_layers::{AesLayers, Layer};
use crate::feistel::Two;
use crate::permutation::Parameters;
use crate::permutation::constants::AREION;
use crate::permutation::kernel::Family;

pub(crate) struct Areion;

type As = Two<2, 1>;

impl Family<2> for Areion {
    type Portable = Self;
    type Inverse = Self;
    const HALVES: bool = false;

    #[inline(always)]
    fn forward<L: AesLayers<D>, const D: usize, const N: usize>(
        l: L,
        p: &Parameters,
        x: Layer<L::Word, N, 2>,
    ) -> Layer<L::Word, N, 2> {
        in_place(p, As::forward::<L, D, N>(l, p, x))
    }

    #[inline(always)]
    fn backward<L: AesLayers<D>, const D: usize, const N: usize>(
        l: L,
        p: &Parameters,
        x: Layer<L::Word, N, 2>,
    ) -> Layer<L::Word, N, 2> {
        As::backward::<L, D, N>(l, p, in_place(p, x))
    }
}

/// Its authors leave the words where they are and swap their roles. Word-wise: whole arrays that
/// a condition picks from stay in memory, at twice the time of many blocks.
#[inline(always)]
fn in_place<T: Copy, const N: usize>(p: &Parameters, mut x: [[T; N]; 2]) -> [[T; N]; 2] {
    let swapped = !p.rounds().is_multiple_of(2);
    for n in 0..N {
        let (a, b) = (x[0][n], x[1][n]);
        x[0][n] = if swapped { b } else { a };
        x[1][n] = if swapped { a } else { b };
    }
    x
}

impl Family<4> for Areion {
    type Portable = Self;
    type Inverse = Self;

    #[inline(always)]
    fn forward<L: AesLayers<D>, const D: usize, const N: usize>(
        l: L,
        p: &Parameters,
        x: Layer<L::Word, N, 4>,
    ) -> Layer<L::Word, N, 4> {
        let [mut x0, mut x1, mut x2, mut x3] = x;
        let zero = [l.zero(); N];
        for constant in &AREION[..p.rounds()] {
            let [y1, y3] = l.enc([x0, x2], [x1, x3]);
            let [y0, y2] = l.enc_last([x0, x2], [zero, [l.splat(constant); N]]);
            let [y2] = l.enc([y2], [zero]);
            (x0, x1, x2, x3) = (y1, y2, y3, y0);
        }
        [x0, x1, x2, x3]
    }

    #[inline(always)]
    fn backward<L: AesLayers<D>, const D: usize, const N: usize>(
        l: L,
        p: &Parameters,
        x: Layer<L::Word, N, 4>,
    ) -> Layer<L::Word, N, 4> {
        let [mut x0, mut x1, mut x2, mut x3] = x;
        let zero = [l.zero(); N];
        for constant in AREION[..p.rounds()].iter().rev() {
            let (y1, y2, y3, y0) = (x0, x1, x2, x3);
            let [y2] = l.dec_last(l.unmix([y2]), [[l.splat(constant); N]]);
            [x0, x2] = l.dec_last([y0, y2], [zero; 2]);
            [x1, x3] = l.enc([x0, x2], [y1, y3]);
        }
        [x0, x1, x2, x3]
    }
}
