//! A state that has more words than the CPU has registers for it: some of its lanes after the others, each
//! time as a state of their own. In this order words stay in registers from block to block. Lanes that hold
//! parts of one message meet in its tag alone. [AEGIS-RFC]
//!
//! Of `D` lanes `W` are a part, and there are two or four parts. Loops over them are written out: what is
//! indexed lies in memory.
#![forbid(unsafe_code)]

use hybrid_array::{Array, ArraySize};
use inout::InOutBuf;

use crate::aes::{AesLanes, Lane, word, word_mut};
use crate::aes_aead::{AesAead, Wordwise};
use crate::arch::{Apart, Kernels};

/// Bytes of a message that all parts go over before any goes further: they stay in the first-level cache.
const NEAR: usize = 8192;

type State<A, L, const R: usize, const D: usize> =
    <A as AesAead<R>>::State<<L as AesLanes<D>>::Word>;

/// Whether `W` of the `D` lanes of a state are the most that there is space for at a time, and all are not.
pub(crate) const fn are<A, L, const R: usize, const D: usize, const W: usize>() -> bool
where
    A: AesAead<R>,
    L: AesLanes<D>,
{
    let words = size_of::<A::State<u8>>();
    let mut lanes = D; // a power of two
    while lanes > 1 && lanes * words > L::SPACE {
        lanes /= 2;
    }
    lanes == W && W < D
}

/// Whether all `D` lanes take the whole space.
pub(crate) const fn full<A, L, const R: usize, const D: usize>() -> bool
where
    A: AesAead<R>,
    L: AesLanes<D>,
{
    size_of::<A::State<u8>>() * D == L::SPACE
}

/// Load key and nonce, and initialise; `context` is of all lanes.
#[inline(always)]
pub(crate) fn start<A, L, const R: usize, const D: usize, const W: usize>(
    l: L,
    key: &A::Key,
    nonce: &A::Nonce,
    context: &[Lane; D],
) -> State<A, L, R, D>
where
    A: AesAead<R>,
    L: AesLanes<D> + AesLanes<W>,
{
    let nonces = [*nonce; W];
    let a = A::start::<L, W>(
        l,
        key,
        &nonces,
        Some(AesLanes::<W>::load(l, at(context, 0))),
    );
    let b = A::start::<L, W>(
        l,
        key,
        &nonces,
        Some(AesLanes::<W>::load(l, at(context, W))),
    );
    if const { D / W == 2 } {
        return joined::<A, L, R, D, W>(l, [a, b, a, b]);
    }
    let c = A::start::<L, W>(
        l,
        key,
        &nonces,
        Some(AesLanes::<W>::load(l, at(context, 2 * W))),
    );
    let d = A::start::<L, W>(
        l,
        key,
        &nonces,
        Some(AesLanes::<W>::load(l, at(context, 3 * W))),
    );
    joined::<A, L, R, D, W>(l, [a, b, c, d])
}

/// Whole blocks.
#[inline(always)]
pub(crate) fn crypt<A, L, B, const R: usize, const D: usize, const W: usize, const ENCRYPT: bool>(
    l: L,
    s: State<A, L, R, D>,
    mut blocks: InOutBuf<'_, '_, Array<u8, B>>,
) -> State<A, L, R, D>
where
    A: AesAead<R>,
    L: AesLanes<D> + AesLanes<W> + Kernels,
    B: ArraySize,
{
    if blocks.is_empty() {
        return s;
    }
    let [mut a, mut b, mut c, mut d] = parts::<A, L, R, D, W>(l, s);
    while !blocks.is_empty() {
        let count = blocks.len().min(NEAR / B::USIZE);
        let (mut near, far) = blocks.split_at(count);
        l.apart(&mut Blocks::<A, L, B, R, D, W, 0, ENCRYPT>(
            &mut a,
            near.reborrow(),
        ));
        l.apart(&mut Blocks::<A, L, B, R, D, W, 1, ENCRYPT>(
            &mut b,
            near.reborrow(),
        ));
        if const { D / W == 4 } {
            l.apart(&mut Blocks::<A, L, B, R, D, W, 2, ENCRYPT>(
                &mut c,
                near.reborrow(),
            ));
            l.apart(&mut Blocks::<A, L, B, R, D, W, 3, ENCRYPT>(
                &mut d,
                near.reborrow(),
            ));
        }
        blocks = far;
    }
    joined::<A, L, R, D, W>(l, [a, b, c, d])
}

/// The same of a state that takes the whole space.
#[inline(always)]
pub(crate) fn crypt_full<A, L, B, const R: usize, const D: usize, const ENCRYPT: bool>(
    l: L,
    mut s: State<A, L, R, D>,
    blocks: InOutBuf<'_, '_, Array<u8, B>>,
) -> State<A, L, R, D>
where
    A: AesAead<R>,
    L: AesLanes<D> + Kernels,
    B: ArraySize,
{
    if !blocks.is_empty() {
        l.apart(&mut Blocks::<A, L, B, R, D, D, 0, ENCRYPT>(&mut s, blocks));
    }
    s
}

/// The same of one part: a loop that shares the registers with no other.
struct Blocks<
    'a,
    A: AesAead<R>,
    L: AesLanes<W>,
    B: ArraySize,
    const R: usize,
    const D: usize,
    const W: usize,
    const PART: usize,
    const ENCRYPT: bool,
>(&'a mut State<A, L, R, W>, InOutBuf<'a, 'a, Array<u8, B>>);

impl<
    A,
    L,
    B,
    const R: usize,
    const D: usize,
    const W: usize,
    const PART: usize,
    const ENCRYPT: bool,
> Apart<L> for Blocks<'_, A, L, B, R, D, W, PART, ENCRYPT>
where
    A: AesAead<R>,
    L: AesLanes<W>,
    B: ArraySize,
{
    #[inline(always)]
    fn run(&mut self, l: L) {
        let mut s = *self.0;
        for mut block in self.1.reborrow() {
            let from = block.get_in();
            let mut input = [l.load(at(word::<D>(from, 0), PART * W)); R];
            for (r, to) in input.iter_mut().enumerate().skip(1) {
                *to = l.load(at(word::<D>(from, r), PART * W));
            }
            let (output, next) = if const { ENCRYPT } {
                A::encrypt::<L, W>(l, s, input)
            } else {
                A::decrypt::<L, W>(l, s, input)
            };
            for (r, from) in output.into_iter().enumerate() {
                l.store(from, at_mut(word_mut::<D>(block.get_out(), r), PART * W));
            }
            s = next;
        }
        *self.0 = s;
    }
}

/// The rounds that end a message.
#[inline(always)]
pub(crate) fn finish<A, L, const R: usize, const D: usize, const W: usize>(
    l: L,
    s: State<A, L, R, D>,
    lengths: [u64; 2],
) -> State<A, L, R, D>
where
    A: AesAead<R>,
    L: AesLanes<D> + AesLanes<W>,
{
    let [a, b, c, d] = parts::<A, L, R, D, W>(l, s);
    let a = A::finish::<L, W>(l, a, &[lengths; W]);
    let b = A::finish::<L, W>(l, b, &[lengths; W]);
    if const { D / W == 2 } {
        return joined::<A, L, R, D, W>(l, [a, b, c, d]);
    }
    let c = A::finish::<L, W>(l, c, &[lengths; W]);
    let d = A::finish::<L, W>(l, d, &[lengths; W]);
    joined::<A, L, R, D, W>(l, [a, b, c, d])
}

/// The parts of a state; of two the last two are the same again.
#[inline(always)]
fn parts<A, L, const R: usize, const D: usize, const W: usize>(
    l: L,
    s: State<A, L, R, D>,
) -> [State<A, L, R, W>; 4]
where
    A: AesAead<R>,
    L: AesLanes<D> + AesLanes<W>,
{
    [
        A::zip(s, s, Part::<L, D, W, 0>(l)),
        A::zip(s, s, Part::<L, D, W, 1>(l)),
        A::zip(s, s, Part::<L, D, W, 2>(l)),
        A::zip(s, s, Part::<L, D, W, 3>(l)),
    ]
}

/// Of a word; behind the last part comes the first.
struct Part<L, const D: usize, const W: usize, const PART: usize>(L);

impl<L, const D: usize, const W: usize, const PART: usize>
    Wordwise<<L as AesLanes<D>>::Word, <L as AesLanes<D>>::Word, <L as AesLanes<W>>::Word>
    for Part<L, D, W, PART>
where
    L: AesLanes<D> + AesLanes<W>,
{
    #[inline(always)]
    fn of(
        &mut self,
        word: <L as AesLanes<D>>::Word,
        _: <L as AesLanes<D>>::Word,
    ) -> <L as AesLanes<W>>::Word {
        let mut lanes = [[0; 16]; D];
        AesLanes::<D>::store(self.0, word, &mut lanes);
        AesLanes::<W>::load(self.0, at(&lanes, PART * W % D))
    }
}

/// The other way.
#[inline(always)]
fn joined<A, L, const R: usize, const D: usize, const W: usize>(
    l: L,
    [a, b, c, d]: [State<A, L, R, W>; 4],
) -> State<A, L, R, D>
where
    A: AesAead<R>,
    L: AesLanes<D> + AesLanes<W>,
{
    let (first, second) = (A::zip(a, b, |a, b| [a, b]), A::zip(c, d, |c, d| [c, d]));
    A::zip(first, second, Whole::<L, D, W>(l))
}

struct Whole<L, const D: usize, const W: usize>(L);

impl<L, const D: usize, const W: usize>
    Wordwise<[<L as AesLanes<W>>::Word; 2], [<L as AesLanes<W>>::Word; 2], <L as AesLanes<D>>::Word>
    for Whole<L, D, W>
where
    L: AesLanes<D> + AesLanes<W>,
{
    #[inline(always)]
    fn of(
        &mut self,
        [a, b]: [<L as AesLanes<W>>::Word; 2],
        [c, d]: [<L as AesLanes<W>>::Word; 2],
    ) -> <L as AesLanes<D>>::Word {
        let (l, mut lanes) = (self.0, [[0; 16]; D]);
        AesLanes::<W>::store(l, a, at_mut(&mut lanes, 0));
        AesLanes::<W>::store(l, b, at_mut(&mut lanes, W));
        if const { D / W == 4 } {
            AesLanes::<W>::store(l, c, at_mut(&mut lanes, 2 * W));
            AesLanes::<W>::store(l, d, at_mut(&mut lanes, 3 * W));
        }
        AesLanes::<D>::load(l, &lanes)
    }
}

#[inline(always)]
fn at<const W: usize>(lanes: &[Lane], first: usize) -> &[Lane; W] {
    lanes[first..].first_chunk().expect("W lanes")
}

#[inline(always)]
fn at_mut<const W: usize>(lanes: &mut [Lane], first: usize) -> &mut [Lane; W] {
    lanes[first..].first_chunk_mut().expect("W lanes")
}
