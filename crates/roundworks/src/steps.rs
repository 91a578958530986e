//! Steps of two AES rounds on every word and a shuffle of columns: those of Haraka and of Pholkos, which
//! differ in the shuffle and in the keys.
#![forbid(unsafe_code)]
#![allow(clippy::needless_range_loop)] // as in `aes_layers`

use crate::aes::Lane;
use crate::aes_layers::{AesLayers, Layer, same};

/// The shuffle of a number of words.
pub trait Shuffle<const W: usize> {
    fn shuffle<L: AesLayers<D>, const D: usize, const N: usize>(
        l: L,
        x: Layer<L::Word, N, W>,
    ) -> Layer<L::Word, N, W>;
    fn unshuffle<L: AesLayers<D>, const D: usize, const N: usize>(
        l: L,
        x: Layer<L::Word, N, W>,
    ) -> Layer<L::Word, N, W>;
}

/// Round keys of two AES layers each.
pub(crate) type Pairs<'a, const W: usize> = &'a [[[Lane; W]; 2]];

#[inline(always)]
pub(crate) fn step<F, L, const D: usize, const N: usize, const W: usize>(
    l: L,
    [first, second]: [Layer<L::Word, N, W>; 2],
    x: Layer<L::Word, N, W>,
) -> Layer<L::Word, N, W>
where
    F: Shuffle<W>,
    L: AesLayers<D>,
{
    F::shuffle(l, l.enc(l.enc(x, first), second))
}

/// With the first key as `aesdec` wants it.
#[inline(always)]
pub(crate) fn unstep<F, L, const D: usize, const N: usize, const W: usize>(
    l: L,
    [first, second]: [Layer<L::Word, N, W>; 2],
    x: Layer<L::Word, N, W>,
) -> Layer<L::Word, N, W>
where
    F: Shuffle<W>,
    L: AesLayers<D>,
{
    let x = l.unmix(added(l, F::unshuffle(l, x), second));
    l.dec_last(l.dec(x, first), same(l.zero()))
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
    keys: Layer<L::Word, N, W>,
) -> Layer<L::Word, N, W> {
    for i in 0..W {
        for n in 0..N {
            x[i][n] = l.xor(x[i][n], keys[i][n]);
        }
    }
    x
}
