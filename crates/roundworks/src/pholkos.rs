//! Pholkos-256 and Pholkos-512 [PHOLKOS, section 3] without tweak and key, as the paper of the
//! Feistel family times them [AESNI-PERM, section 5.2]; with both in `tweakable`.
//!
//! A step is two AES rounds and a shuffle of columns. Where the tweakable cipher adds a round
//! tweakey there is a constant in the first word.
#![forbid(unsafe_code)]
#![allow(clippy::needless_range_loop)] // as in `aes_layers`

pub(crate) mod tweakable;

use crate::aes::Lane;
use crate::aes_layers::{AesLayers, Layer, interleaved, same};
use crate::permutation::Parameters;
use crate::permutation::constants::{HARAKA, HARAKA_UNMIXED};
use crate::permutation::kernel::Family;
use crate::steps::{Shuffle, added, step, unstep};

pub struct Pholkos;

/// Column j of a word comes from the j-th word after it, except that of two words each is the other's second.
impl Shuffle<2> for Pholkos {
    #[inline(always)]
    fn shuffle<L: AesLayers<D>, const D: usize, const N: usize>(
        l: L,
        mut x: Layer<L::Word, N, 2>,
    ) -> Layer<L::Word, N, 2> {
        for n in 0..N {
            let (a, b) = (x[0][n], x[1][n]);
            (x[0][n], x[1][n]) = (l.alternate(a, b), l.alternate(b, a));
        }
        x
    }

    #[inline(always)]
    fn unshuffle<L: AesLayers<D>, const D: usize, const N: usize>(
        l: L,
        x: Layer<L::Word, N, 2>,
    ) -> Layer<L::Word, N, 2> {
        Self::shuffle(l, x)
    }
}

impl Shuffle<4> for Pholkos {
    #[inline(always)]
    fn shuffle<L: AesLayers<D>, const D: usize, const N: usize>(
        l: L,
        mut x: Layer<L::Word, N, 4>,
    ) -> Layer<L::Word, N, 4> {
        for n in 0..N {
            let (a, b, c, d) = (x[0][n], x[1][n], x[2][n], x[3][n]);
            let (ac, ca) = (l.halves(a, c), l.halves(c, a));
            let (bd, db) = (l.halves(b, d), l.halves(d, b));
            (x[0][n], x[1][n]) = (l.alternate(ac, bd), l.alternate(bd, ca));
            (x[2][n], x[3][n]) = (l.alternate(ca, db), l.alternate(db, ac));
        }
        x
    }

    #[inline(always)]
    fn unshuffle<L: AesLayers<D>, const D: usize, const N: usize>(
        l: L,
        [a, b, c, d]: Layer<L::Word, N, 4>,
    ) -> Layer<L::Word, N, 4> {
        let [a, d, c, b] = Self::shuffle(l, [a, d, c, b]);
        [a, b, c, d]
    }
}

impl<const W: usize> Family<W> for Pholkos
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
        let (whitening, pairs, before, last) = layers(&HARAKA, p);
        x = added(l, x, key(l, whitening));
        for [first, second] in pairs {
            x = interleaved!(l: L, N, x => step::<Self, _, _, _, _>(l, [key(l, first), key(l, second)], x));
        }
        if let Some(before) = before {
            x = l.enc(x, key(l, before));
        }
        l.enc_last(x, key(l, last))
    }

    #[inline(always)]
    fn backward<L: AesLayers<D>, const D: usize, const N: usize>(
        l: L,
        p: &Parameters,
        mut x: Layer<L::Word, N, W>,
    ) -> Layer<L::Word, N, W> {
        let zero = same(l.zero());
        let (whitening, pairs, _, last) = layers(&HARAKA, p);
        let (_, unmixed, before, _) = layers(&HARAKA_UNMIXED, p);
        x = added(l, x, key(l, last));
        if let Some(before) = before {
            x = l.dec(x, key(l, before));
        }
        x = l.dec_last(x, zero);
        for ([first, _], [_, second]) in unmixed.iter().zip(pairs).rev() {
            x = interleaved!(l: L, N, x => unstep::<Self, _, _, _, _>(l, [key(l, first), key(l, second)], x));
        }
        x = added(l, x, key(l, whitening));
        x
    }
}

/// Constants before the first AES layer, of the layers of every step but the last, of the layer
/// before the last if the last step is whole, and of the last.
type Layers<'a> = (&'a Lane, &'a [[Lane; 2]], Option<&'a Lane>, &'a Lane);

#[inline(always)]
fn layers<'a>(constants: &'a [Lane; 40], p: &Parameters) -> Layers<'a> {
    let steps = (p.halves() - 1) / 2;
    let (pairs, rest) = constants[1..].split_at(2 * steps);
    let (before, last) = if p.half() {
        (None, &rest[0])
    } else {
        (Some(&rest[0]), &rest[1])
    };
    (&constants[0], pairs.as_chunks().0, before, last)
}

/// Nothing for any word but the first.
#[inline(always)]
fn key<L: AesLayers<D>, const D: usize, const N: usize, const W: usize>(
    l: L,
    constant: &Lane,
) -> Layer<L::Word, N, W> {
    let mut keys = same(l.zero());
    keys[0] = [l.splat(constant); N];
    keys
}
