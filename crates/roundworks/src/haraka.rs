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

pub(crate) struct Haraka;

/// The shuffle of a number of words.
pub(crate) trait Mix<const W: usize> {
    fn mix<L: AesLayers<D>, const D: usize, const N: usize>(
        l: L,
        x: Layer<L::Word, N, W>,
    ) -> Layer<L::Word, N, W>;
    fn unmix<L: AesLayers<D>, const D: usize, const N: usize>(
        l: L,
        x: Layer<L::Word, N, W>,
    ) -> Layer<L::Word, N, W>;
}

impl Mix<2> for Haraka {
    #[inline(always)]
    fn mix<L: AesLayers<D>, const D: usize, const N: usize>(
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
    fn unmix<L: AesLayers<D>, const D: usize, const N: usize>(
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

impl Mix<4> for Haraka {
    #[inline(always)]
    fn mix<L: AesLayers<D>, const D: usize, const N: usize>(
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
    fn unmix<L: AesLayers<D>, const D: usize, const N: usize>(
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
    Self: Mix<W>,
{
    type Portable = Self;

    #[inline(always)]
    fn forward<L: AesLayers<D>, const D: usize, const N: usize>(
        l: L,
        p: &Parameters,
        mut x: Layer<L::Word, N, W>,
    ) -> Layer<L::Word, N, W> {
        let (pairs, half) = layers(&HARAKA, p);
        for pair in pairs {
            x = interleaved!(l: L, N, x => round(l, pair, x));
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
            x = l.dec_last(added(l, x, last), zero);
        }
        for ([first, _], [_, second]) in unmixed.iter().zip(pairs).rev() {
            x = interleaved!(l: L, N, x => unround(l, [first, second], x));
        }
        x
    }
}

#[inline(always)]
fn round<L: AesLayers<D>, const D: usize, const N: usize, const W: usize>(
    l: L,
    [first, second]: &[[Lane; W]; 2],
    mut x: Layer<L::Word, N, W>,
) -> Layer<L::Word, N, W>
where
    Haraka: Mix<W>,
{
    x = l.enc(x, keys(l, first));
    x = l.enc(x, keys(l, second));
    Haraka::mix(l, x)
}

/// With the first key as `aesdec` wants it.
#[inline(always)]
fn unround<L: AesLayers<D>, const D: usize, const N: usize, const W: usize>(
    l: L,
    [first, second]: [&[Lane; W]; 2],
    mut x: Layer<L::Word, N, W>,
) -> Layer<L::Word, N, W>
where
    Haraka: Mix<W>,
{
    x = l.unmix(added(l, Haraka::unmix(l, x), second));
    x = l.dec(x, keys(l, first));
    l.dec_last(x, same(l.zero()))
}

/// Round keys of two AES layers each.
pub(crate) type Pairs<'a, const W: usize> = &'a [[[Lane; W]; 2]];

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

#[inline(always)]
pub(crate) fn keys<L: AesLayers<D>, const D: usize, const N: usize, const W: usize>(
    l: L,
    lanes: &[Lane; W],
) -> Layer<L::Word, N, W> {
    let mut keys = same(l.zero());
    for i in 0..W {
        keys[i] = [l.splat(&lanes[i]); N];
    }
    keys
}

#[inline(always)]
pub(crate) fn added<L: AesLayers<D>, const D: usize, const N: usize, const W: usize>(
    l: L,
    mut x: Layer<L::Word, N, W>,
    lanes: &[Lane; W],
) -> Layer<L::Word, N, W> {
    for i in 0..W {
        let key = l.splat(&lanes[i]);
        for n in 0..N {
            x[i][n] = l.xor(x[i][n], key);
        }
    }
    x
}
