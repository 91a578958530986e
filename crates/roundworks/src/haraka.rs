//! Haraka v2 on two and on four words. [HARAKA, section 2]
//!
//! A round is two AES rounds on every word and a shuffle of columns. The paper of the Feistel
//! family times 3.5 and 4.5 rounds: the last has one AES round, without MixColumns, and no shuffle.
//! [AESNI-PERM, section 5.2]
#![forbid(unsafe_code)]

use crate::aes::Lane;
use crate::aes_layers::{AesLayers, Layer, same};
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
        x: Layer<L::Word, N, 2>,
    ) -> Layer<L::Word, N, 2> {
        on_words(x, |[a, b]| [l.low(a, b), l.high(a, b)])
    }

    #[inline(always)]
    fn unmix<L: AesLayers<D>, const D: usize, const N: usize>(
        l: L,
        x: Layer<L::Word, N, 2>,
    ) -> Layer<L::Word, N, 2> {
        on_words(x, |[a, b]| [l.even(a, b), l.odd(a, b)])
    }
}

impl Mix<4> for Haraka {
    #[inline(always)]
    fn mix<L: AesLayers<D>, const D: usize, const N: usize>(
        l: L,
        x: Layer<L::Word, N, 4>,
    ) -> Layer<L::Word, N, 4> {
        on_words(x, |[a, b, c, d]| {
            let (ab0, ab1) = (l.low(a, b), l.high(a, b));
            let (cd0, cd1) = (l.low(c, d), l.high(c, d));
            [
                l.high(ab1, cd1),
                l.low(cd0, ab0),
                l.high(cd0, ab0),
                l.low(ab1, cd1),
            ]
        })
    }

    #[inline(always)]
    fn unmix<L: AesLayers<D>, const D: usize, const N: usize>(
        l: L,
        x: Layer<L::Word, N, 4>,
    ) -> Layer<L::Word, N, 4> {
        on_words(x, |[a, b, c, d]| {
            let (ab1, cd1) = (l.even(d, a), l.odd(d, a));
            let (cd0, ab0) = (l.even(b, c), l.odd(b, c));
            [
                l.even(ab0, ab1),
                l.odd(ab0, ab1),
                l.even(cd0, cd1),
                l.odd(cd0, cd1),
            ]
        })
    }
}

/// The same on the words of each group of blocks.
#[inline(always)]
pub(crate) fn on_words<T: Copy, const N: usize, const W: usize>(
    mut x: Layer<T, N, W>,
    f: impl Fn([T; W]) -> [T; W],
) -> Layer<T, N, W> {
    for n in 0..N {
        let y = f(x.map(|word| word[n]));
        for (x, y) in x.iter_mut().zip(y) {
            x[n] = y;
        }
    }
    x
}

impl<const W: usize> Family<W> for Haraka
where
    Self: Mix<W>,
{
    #[inline(always)]
    fn forward<L: AesLayers<D>, const D: usize, const N: usize>(
        l: L,
        p: &Parameters,
        mut x: Layer<L::Word, N, W>,
    ) -> Layer<L::Word, N, W> {
        let (pairs, half) = layers(&HARAKA, p);
        for [first, second] in pairs {
            x = l.enc(x, keys(l, first));
            x = l.enc(x, keys(l, second));
            x = Self::mix(l, x);
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
            x = l.unmix(added(l, Self::unmix(l, x), second));
            x = l.dec(x, keys(l, first));
            x = l.dec_last(x, zero);
        }
        x
    }
}

/// Round keys of two AES layers each.
type Pairs<'a, const W: usize> = &'a [[[Lane; W]; 2]];

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
    for (key, lane) in keys.iter_mut().zip(lanes) {
        *key = [l.splat(lane); N];
    }
    keys
}

#[inline(always)]
fn added<L: AesLayers<D>, const D: usize, const N: usize, const W: usize>(
    l: L,
    mut x: Layer<L::Word, N, W>,
    lanes: &[Lane; W],
) -> Layer<L::Word, N, W> {
    for (x, lane) in x.iter_mut().zip(lanes) {
        let key = l.splat(lane);
        for x in x {
            *x = l.xor(*x, key);
        }
    }
    x
}
