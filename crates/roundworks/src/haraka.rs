//! Haraka v2 on two and on four words. [HARAKA, section 2]
//!
//! A round is two AES rounds on every word and a shuffle of columns. The paper of the Feistel
//! family times 3.5 and 4.5 rounds: the last has one AES round, without MixColumns, and no shuffle.
//! [AESNI-PERM, section 5.2]
#![forbid(unsafe_code)]
#![allow(clippy::needless_range_loop)] // as in `aes_layers`

use crate::aes::Lane;
use crate::aes_layers::{AesLayers, Layer, interleaved, same};
use crate::permutation::Parameters;
use crate::permutation::constants::{HARAKA, HARAKA_UNMIXED};
use crate::permutation::kernel::Family;
use crate::steps::{Pairs, Shuffle, added, keys, step, unstep};

pub(crate) struct Haraka;

impl Shuffle<2> for Haraka {
    #[inline(always)]
    fn shuffle<L: AesLayers<D>, const D: usize, const N: usize>(
        l: L,
        mut x: Layer<L::Word, N, 2>,
    ) -> Layer<L::Word, N, 2> {
        for n in 0..N {
            let (a, b) = (x[0][n], x[1][n]);
            (x[0][n], x[1][n]) = (l.low(a, b), l.high(a, b));
        }
        x
    }

    #[inline(always)]
    fn unshuffle<L: AesLayers<D>, const D: usize, const N: usize>(
        l: L,
        mut x: Layer<L::Word, N, 2>,
    ) -> Layer<L::Word, N, 2> {
        for n in 0..N {
            let (a, b) = (x[0][n], x[1][n]);
            (x[0][n], x[1][n]) = (l.even(a, b), l.odd(a, b));
        }
        x
    }
}

impl Shuffle<4> for Haraka {
    #[inline(always)]
    fn shuffle<L: AesLayers<D>, const D: usize, const N: usize>(
        l: L,
        mut x: Layer<L::Word, N, 4>,
    ) -> Layer<L::Word, N, 4> {
        for n in 0..N {
            let (a, b, c, d) = (x[0][n], x[1][n], x[2][n], x[3][n]);
            let (ab0, ab1) = (l.low(a, b), l.high(a, b));
            let (cd0, cd1) = (l.low(c, d), l.high(c, d));
            (x[0][n], x[1][n]) = (l.high(ab1, cd1), l.low(cd0, ab0));
            (x[2][n], x[3][n]) = (l.high(cd0, ab0), l.low(ab1, cd1));
        }
        x
    }

    #[inline(always)]
    fn unshuffle<L: AesLayers<D>, const D: usize, const N: usize>(
        l: L,
        mut x: Layer<L::Word, N, 4>,
    ) -> Layer<L::Word, N, 4> {
        for n in 0..N {
            let (a, b, c, d) = (x[0][n], x[1][n], x[2][n], x[3][n]);
            let (ab1, cd1) = (l.even(d, a), l.odd(d, a));
            let (cd0, ab0) = (l.even(b, c), l.odd(b, c));
            (x[0][n], x[1][n]) = (l.even(ab0, ab1), l.odd(ab0, ab1));
            (x[2][n], x[3][n]) = (l.even(cd0, cd1), l.odd(cd0, cd1));
        }
        x
    }
}

impl<const W: usize> Family<W> for Haraka
where
    Self: Shuffle<W>,
{
    type Portable = Self;
    type Inverse = Self;

    #[inline(always)]
    fn forward<L: AesLayers<D>, const D: usize, const N: usize>(
        l: L,
        p: &Parameters,
        mut x: Layer<L::Word, N, W>,
    ) -> Layer<L::Word, N, W> {
        let (pairs, half) = layers(&HARAKA, p);
        for [first, second] in pairs {
            x = interleaved!(l: L, N, x => step::<Self, _, _, _, _>(l, [keys(l, first), keys(l, second)], x));
        }
        if let Some(last) = half {
            x = l.enc_last(x, keys(l, last));
        }
        x
    }

    #[inline(always)]
    fn backward<L: AesLayers<D>, const D: usize, const N: usize>(
        l: L,
        p: &Parameters,
        mut x: Layer<L::Word, N, W>,
    ) -> Layer<L::Word, N, W> {
        let zero = same(l.zero());
        let (pairs, half) = layers(&HARAKA, p);
        let (unmixed, _) = layers(&HARAKA_UNMIXED, p);
        if let Some(last) = half {
            x = l.dec_last(added(l, x, keys(l, last)), zero);
        }
        for ([first, _], [_, second]) in unmixed.iter().zip(pairs).rev() {
            x = interleaved!(l: L, N, x => unstep::<Self, _, _, _, _>(l, [keys(l, first), keys(l, second)], x));
        }
        x
    }
}

/// The keys of every round, and of half a round behind them.
#[inline(always)]
fn layers<'a, const W: usize>(
    constants: &'a [Lane; 40],
    p: &Parameters,
) -> (Pairs<'a, W>, Option<&'a [Lane; W]>) {
    let (layers, _) = constants.as_chunks::<W>();
    let (whole, rest) = layers.split_at(2 * p.rounds());
    (whole.as_chunks().0, p.half().then(|| &rest[0]))
}
