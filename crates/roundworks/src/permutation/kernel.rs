//! How a permutation written for words of any width runs: one block, or many side by side.
#![forbid(unsafe_code)]
#![allow(clippy::needless_range_loop)] // as in `aes_layers`

use core::array::from_mut;

use super::Parameters;
use crate::aes::Lane;
use crate::aes_layers::{AesLayers, Layer};
use crate::backend::Backend;

/// A permutation of `W` words, written once. Word i of `N` groups of blocks is `x[i]`. `P` is what
/// picks one of the family.
pub(crate) trait Family<const W: usize, P = Parameters>: 'static {
    /// What stands for it on the portable back end: the same map.
    type Portable: Family<W, P>;

    /// Whether a group less in turns is faster where a batch has 32 stores: as measured, for some.
    const SOONER: bool = false;

    fn forward<L: AesLayers<D>, const D: usize, const N: usize>(
        l: L,
        p: &P,
        x: Layer<L::Word, N, W>,
    ) -> Layer<L::Word, N, W>;

    /// The other way.
    fn backward<L: AesLayers<D>, const D: usize, const N: usize>(
        l: L,
        p: &P,
        x: Layer<L::Word, N, W>,
    ) -> Layer<L::Word, N, W>;
}

/// A token of a back end that has permutations.
pub(crate) trait Permuting: Copy {
    /// Blocks in one word.
    const LANES: usize;

    /// Blocks of so many words that go best together.
    fn batch(words: usize) -> usize;

    /// Calls of it are not inlined: a mode has many, and each would be the whole permutation.
    fn permutation<F: Family<W, P>, P: 'static, const W: usize>(self) -> &'static Kernel<W, P>;
}

/// A family on one back end. One indirect call is all that choosing it costs a block.
pub(crate) struct Kernel<const W: usize, P = Parameters> {
    pub(crate) backend: Backend,
    /// One block, so many times over.
    pub(crate) forward: fn(&P, &mut [Lane; W], usize),
    pub(crate) backward: fn(&P, &mut [Lane; W], usize),
    pub(crate) forward_many: fn(&P, &mut [[Lane; W]]),
    pub(crate) backward_many: fn(&P, &mut [[Lane; W]]),
}

/// Which way; a constant wherever it is passed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    Forward,
    Backward,
}

/// One block, as soon as possible, so many times over; in between it stays in registers.
#[inline(always)]
pub(crate) fn one<F, L, P, const W: usize>(
    l: L,
    way: Way,
    p: &P,
    block: &mut [Lane; W],
    times: usize,
) where
    F: Family<W, P>,
    L: AesLayers<1>,
{
    groups::<F, L, P, W, 1, 1>(l, way, p, from_mut(from_mut(block)), times);
}

/// Blocks in words of `D` lanes, `N` groups of them in turns, so that while one waits for an
/// instruction the others keep the unit busy; of what is left `R` in turns.
#[inline(always)]
pub(crate) fn many<F, L, P, const W: usize, const D: usize, const N: usize, const R: usize>(
    l: L,
    way: Way,
    p: &P,
    blocks: &mut [[Lane; W]],
) where
    F: Family<W, P>,
    L: AesLayers<D> + AesLayers<1>,
{
    let (wide, rest) = blocks.as_chunks_mut::<D>();
    let (batches, few) = wide.as_chunks_mut::<N>();
    for batch in batches {
        groups::<F, L, P, W, D, N>(l, way, p, batch, 1);
    }
    let (batches, few) = few.as_chunks_mut::<R>();
    for batch in batches {
        groups::<F, L, P, W, D, R>(l, way, p, batch, 1);
    }
    for group in few {
        groups::<F, L, P, W, D, 1>(l, way, p, from_mut(group), 1);
    }
    for block in rest {
        one::<F, L, P, W>(l, way, p, block, 1);
    }
}

#[inline(always)]
fn groups<F, L, P, const W: usize, const D: usize, const N: usize>(
    l: L,
    way: Way,
    p: &P,
    groups: &mut [[[Lane; W]; D]; N],
    times: usize,
) where
    F: Family<W, P>,
    L: AesLayers<D>,
{
    let mut x = [[l.zero(); N]; W];
    for n in 0..N {
        let words = l.load_blocks(&groups[n]);
        for i in 0..W {
            x[i][n] = words[i];
        }
    }
    for _ in 0..times {
        x = match way {
            Way::Forward => F::forward::<L, D, N>(l, p, x),
            Way::Backward => F::backward::<L, D, N>(l, p, x),
        };
    }
    for n in 0..N {
        let mut words = [l.zero(); W];
        for i in 0..W {
            words[i] = x[i][n];
        }
        l.store_blocks(words, &mut groups[n]);
    }
}
