//! How a permutation written for words of any width runs: one block, or many interleaved.
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
    /// What goes the other way: the family itself, or one that serves many.
    type Inverse: Family<W, P>;

    /// Whether a group less interleaved is faster where a batch has 32 stores: as measured, for some.
    #[cfg_attr(not(target_arch = "x86_64"), allow(dead_code))] // read on x86-64 alone
    const SOONER: bool = false;
    /// Whether half a batch takes less time than a whole one on the portable back end: not where an AES
    /// layer has one word, so that it takes two groups of four blocks to fill a pass of eight lanes.
    const HALVES: bool = true;

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

    /// Blocks of that many words that go best together.
    fn batch(words: usize) -> usize;

    /// The kernel of a permutation, if this CPU has the instructions.
    fn permuting<F: Family<W, P>, P: 'static, const W: usize>() -> Option<&'static Kernel<W, P>>;

    /// The same: the token is proof that it has them. Calls of it are not inlined: a mode has many, and each
    /// would be the whole permutation.
    fn permutation<F: Family<W, P>, P: 'static, const W: usize>(self) -> &'static Kernel<W, P>;
}

/// A family on one back end. One indirect call is all that choosing it costs a block.
pub struct Kernel<const W: usize, P = Parameters> {
    pub(crate) backend: Backend,
    /// One block, that many times over.
    pub(crate) forward: fn(&P, &mut [Lane; W], usize),
    pub(crate) backward: fn(&P, &mut [Lane; W], usize),
    pub(crate) forward_many: fn(&P, &mut [[Lane; W]]),
    pub(crate) backward_many: fn(&P, &mut [[Lane; W]]),
}

/// One block, as soon as possible, that many times over; in between it stays in registers.
#[inline(always)]
pub(crate) fn one<F, L, P, const W: usize, const FORWARD: bool>(
    l: L,
    p: &P,
    block: &mut [Lane; W],
    times: usize,
) where
    F: Family<W, P>,
    L: AesLayers<1>,
{
    groups::<F, L, P, W, 1, 1, FORWARD>(l, p, from_mut(from_mut(block)), times);
}

/// Blocks in words of `D` lanes, `N` groups of them interleaved, so that while one waits for an
/// instruction the others keep the unit busy; of what is left `R` interleaved. A single block is called,
/// not inlined: it would be compiled once more.
#[inline(always)]
pub(crate) fn many<
    F,
    L,
    P,
    const W: usize,
    const D: usize,
    const N: usize,
    const R: usize,
    const FORWARD: bool,
>(
    l: L,
    p: &P,
    blocks: &mut [[Lane; W]],
) where
    F: Family<W, P>,
    L: AesLayers<D> + Permuting,
    P: 'static,
{
    let (wide, rest) = blocks.as_chunks_mut::<D>();
    let (batches, mut few) = wide.as_chunks_mut::<N>();
    for batch in batches {
        groups::<F, L, P, W, D, N, FORWARD>(l, p, batch, 1);
    }
    // In a condition that is `const` only one branch is compiled.
    if const { R > 1 } {
        let (batches, left) = few.as_chunks_mut::<R>();
        for batch in batches {
            groups::<F, L, P, W, D, R, FORWARD>(l, p, batch, 1);
        }
        few = left;
    }
    let single = if const { D > 1 } {
        for group in few {
            groups::<F, L, P, W, D, 1, FORWARD>(l, p, from_mut(group), 1);
        }
        rest
    } else {
        few.as_flattened_mut()
    };
    let (alone, _) = called::<F, L, P, W, FORWARD>(l);
    for block in single {
        alone(p, block, 1);
    }
}

/// As [`many`], on a back end that takes as long for a few blocks as for a group or a batch: what is left is
/// padded to one, and a batch that was padded is called, too.
#[inline(always)]
pub(crate) fn padded<F, L, P, const W: usize, const D: usize, const N: usize, const FORWARD: bool>(
    l: L,
    p: &P,
    blocks: &mut [[Lane; W]],
) where
    F: Family<W, P>,
    L: AesLayers<D> + Permuting,
    P: 'static,
{
    let (batches, mut left) = blocks.split_at_mut(blocks.len() / (D * N) * (D * N));
    for batch in batches.as_chunks_mut().0.as_chunks_mut().0 {
        groups::<F, L, P, W, D, N, FORWARD>(l, p, batch, 1);
    }
    let mut spare = [[[[0; 16]; W]; D]; N];
    if const { F::HALVES } && (2..=D + 1).contains(&left.len()) {
        let (now, later) = left.split_at_mut(left.len().min(D));
        let group = &mut spare[0];
        group[..now.len()].copy_from_slice(now);
        groups::<F, L, P, W, D, 1, FORWARD>(l, p, from_mut(group), 1);
        now.copy_from_slice(&group[..now.len()]);
        left = later;
    }
    let (alone, whole) = called::<F, L, P, W, FORWARD>(l);
    match left {
        [] => {}
        [block] => alone(p, block, 1),
        _ => {
            let spare = spare.as_flattened_mut();
            spare[..left.len()].copy_from_slice(left);
            whole(p, spare);
            left.copy_from_slice(&spare[..left.len()]);
        }
    }
}

/// The entry points of one block and of many, that way.
#[inline(always)]
#[allow(clippy::type_complexity)] // as in `Kernel`
fn called<F, L, P, const W: usize, const FORWARD: bool>(
    l: L,
) -> (fn(&P, &mut [Lane; W], usize), fn(&P, &mut [[Lane; W]]))
where
    F: Family<W, P>,
    L: Permuting,
    P: 'static,
{
    let kernel = l.permutation::<F, P, W>();
    if const { FORWARD } {
        (kernel.forward, kernel.forward_many)
    } else {
        (kernel.backward, kernel.backward_many)
    }
}

#[inline(always)]
fn groups<F, L, P, const W: usize, const D: usize, const N: usize, const FORWARD: bool>(
    l: L,
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
        // No code for the other way, not even to be left out again.
        x = if const { FORWARD } {
            F::forward::<L, D, N>(l, p, x)
        } else {
            F::backward::<L, D, N>(l, p, x)
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
