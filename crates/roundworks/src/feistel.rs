//! The Feistel permutations made of AES instructions alone, of any configuration. [AESNI-PERM,
//! section 3]
//!
//! Pairs (x, y) -> (F1(x) ^ y, F2(x)), of four words two of them and a shuffle behind. The constant
//! of a pair is the key of F1's first instruction of two, else of F2's last; the last key of F1 is
//! y; all others are zero. Where F1 and F2 begin with the same instruction its result without a key
//! serves both: one AES round less, one XOR more.
#![forbid(unsafe_code)]
#![allow(clippy::needless_range_loop)] // as in `aes_layers`

use crate::aes_layers::{AesLayers, Layer};
use crate::arch::permuting;
use crate::backend::Backend;
use crate::permutation::Parameters;
use crate::permutation::constants::AREION;
use crate::permutation::kernel::{Family, Kernel};

/// What a function may be: how many instructions, and which of them are `aesenclast` (0 none, 1 the
/// first, 2 the last, 3 both). Elsewhere a function is its place here.
pub(crate) const CODES: [&str; 6] = ["1-0", "1-1", "2-0", "2-1", "2-2", "2-3"];

/// new\[i\] = old\[SHUFFLE\[i\]\]: the only one with which all of [AESNI-PERM, table 2] holds.
pub(crate) const SHUFFLE: [u8; 4] = [3, 0, 1, 2];

/// Those of [AESNI-PERM, tables 1 and 2], with their rounds.
pub(crate) const FOUND_256: [([u8; 2], u8); 6] = [
    ([0, 2], 6),
    ([2, 0], 6),
    ([2, 2], 6),
    ([0, 1], 8),
    ([2, 1], 5),
    ([2, 4], 4),
];
pub(crate) const FOUND_512: [([u8; 4], u8); 5] = [
    ([0, 2, 2, 0], 7),
    ([2, 0, 0, 2], 7),
    ([2, 0, 2, 0], 7),
    ([2, 2, 2, 2], 6),
    ([2, 4, 2, 4], 5),
];

const fn has_two(code: u8) -> bool {
    code >= 2
}

/// Whether the first instruction is `aesenclast`.
const fn first_is_last(code: u8) -> bool {
    code % 2 == 1
}

/// Whether the second one is.
const fn second_is_last(code: u8) -> bool {
    code >= 4
}

/// Two words; F1 and F2 known when it is compiled.
pub(crate) struct Two<const F1: u8, const F2: u8>;

impl<const F1: u8, const F2: u8> Family<2> for Two<F1, F2> {
    /// Without AES instructions a look at the functions takes no time.
    type Portable = Any;
    /// No mode here inverts one, so no code of its own for each choice of functions.
    type Inverse = Any;

    #[inline(always)]
    fn forward<L: AesLayers<D>, const D: usize, const N: usize>(
        l: L,
        p: &Parameters,
        x: Layer<L::Word, N, 2>,
    ) -> Layer<L::Word, N, 2> {
        forward_2(l, [F1, F2], Turns::Group, p.rounds(), x)
    }

    #[inline(always)]
    fn backward<L: AesLayers<D>, const D: usize, const N: usize>(
        l: L,
        p: &Parameters,
        x: Layer<L::Word, N, 2>,
    ) -> Layer<L::Word, N, 2> {
        backward_2(l, [F1, F2], p.rounds(), x)
    }
}

/// Four words in the standard shuffle; functions known when it is compiled.
pub(crate) struct Four<const F1: u8, const F2: u8, const F3: u8, const F4: u8>;

impl<const F1: u8, const F2: u8, const F3: u8, const F4: u8> Family<4> for Four<F1, F2, F3, F4> {
    type Portable = Any;
    /// No mode here inverts one, so no code of its own for each choice of functions.
    type Inverse = Any;
    const SOONER: bool = true;

    #[inline(always)]
    fn forward<L: AesLayers<D>, const D: usize, const N: usize>(
        l: L,
        p: &Parameters,
        x: Layer<L::Word, N, 4>,
    ) -> Layer<L::Word, N, 4> {
        forward_4(l, [F1, F2, F3, F4], SHUFFLE, Turns::Group, p.rounds(), x)
    }

    #[inline(always)]
    fn backward<L: AesLayers<D>, const D: usize, const N: usize>(
        l: L,
        p: &Parameters,
        x: Layer<L::Word, N, 4>,
    ) -> Layer<L::Word, N, 4> {
        backward_4(l, [F1, F2, F3, F4], SHUFFLE, p.rounds(), x)
    }
}

/// Whatever the parameters say.
pub(crate) struct Any;

impl Family<2> for Any {
    type Portable = Self;
    type Inverse = Self;
    const HALVES: bool = false;

    #[inline(always)]
    fn forward<L: AesLayers<D>, const D: usize, const N: usize>(
        l: L,
        p: &Parameters,
        x: Layer<L::Word, N, 2>,
    ) -> Layer<L::Word, N, 2> {
        let [f1, f2, ..] = p.functions();
        forward_2(l, [f1, f2], Turns::Instruction, p.rounds(), x)
    }

    #[inline(always)]
    fn backward<L: AesLayers<D>, const D: usize, const N: usize>(
        l: L,
        p: &Parameters,
        x: Layer<L::Word, N, 2>,
    ) -> Layer<L::Word, N, 2> {
        let [f1, f2, ..] = p.functions();
        backward_2(l, [f1, f2], p.rounds(), x)
    }
}

impl Family<4> for Any {
    type Portable = Self;
    type Inverse = Self;
    const HALVES: bool = false;

    #[inline(always)]
    fn forward<L: AesLayers<D>, const D: usize, const N: usize>(
        l: L,
        p: &Parameters,
        x: Layer<L::Word, N, 4>,
    ) -> Layer<L::Word, N, 4> {
        forward_4(
            l,
            p.functions(),
            p.shuffle(),
            Turns::Instruction,
            p.rounds(),
            x,
        )
    }

    #[inline(always)]
    fn backward<L: AesLayers<D>, const D: usize, const N: usize>(
        l: L,
        p: &Parameters,
        x: Layer<L::Word, N, 4>,
    ) -> Layer<L::Word, N, 4> {
        backward_4(l, p.functions(), p.shuffle(), p.rounds(), x)
    }
}

#[inline(always)]
fn forward_2<L: AesLayers<D>, const D: usize, const N: usize>(
    l: L,
    f: [u8; 2],
    turns: Turns,
    rounds: usize,
    mut x: Layer<L::Word, N, 2>,
) -> Layer<L::Word, N, 2> {
    for constant in &AREION[..rounds] {
        x = pair(l, f, turns, x, l.splat(constant));
    }
    x
}

#[inline(always)]
fn backward_2<L: AesLayers<D>, const D: usize, const N: usize>(
    l: L,
    f: [u8; 2],
    rounds: usize,
    mut x: Layer<L::Word, N, 2>,
) -> Layer<L::Word, N, 2> {
    for constant in AREION[..rounds].iter().rev() {
        x = unpair(l, f, x, l.splat(constant));
    }
    x
}

#[inline(always)]
fn forward_4<L: AesLayers<D>, const D: usize, const N: usize>(
    l: L,
    [f1, f2, f3, f4]: [u8; 4],
    shuffle: [u8; 4],
    turns: Turns,
    rounds: usize,
    mut x: Layer<L::Word, N, 4>,
) -> Layer<L::Word, N, 4> {
    for [c0, c1] in &AREION.as_chunks().0[..rounds] {
        let [x1, x0] = pair(l, [f1, f2], turns, [x[0], x[1]], l.splat(c0));
        let [x3, x2] = pair(l, [f3, f4], turns, [x[2], x[3]], l.splat(c1));
        let old = [x0, x1, x2, x3];
        x = shuffle.map(|from| old[usize::from(from) % 4]);
    }
    x
}

#[inline(always)]
fn backward_4<L: AesLayers<D>, const D: usize, const N: usize>(
    l: L,
    [f1, f2, f3, f4]: [u8; 4],
    shuffle: [u8; 4],
    rounds: usize,
    mut x: Layer<L::Word, N, 4>,
) -> Layer<L::Word, N, 4> {
    for [c0, c1] in AREION.as_chunks().0[..rounds].iter().rev() {
        let mut old = x;
        for (word, from) in x.into_iter().zip(shuffle) {
            old[usize::from(from) % 4] = word;
        }
        let [x0, x1] = unpair(l, [f1, f2], [old[1], old[0]], l.splat(c0));
        let [x2, x3] = unpair(l, [f3, f4], [old[3], old[2]], l.splat(c1));
        x = [x0, x1, x2, x3];
    }
    x
}

/// When the next of several groups of blocks has its turn.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Turns {
    /// After each instruction: the functions are looked at once for all groups.
    Instruction,
    /// After each pair: fewer words wait in registers, and the CPU finds the order by itself.
    Group,
}

/// F1(x) ^ y and F2(x).
#[inline(always)]
fn pair<L: AesLayers<D>, const D: usize, const N: usize>(
    l: L,
    f: [u8; 2],
    turns: Turns,
    [mut x, mut y]: Layer<L::Word, N, 2>,
    constant: L::Word,
) -> Layer<L::Word, N, 2> {
    if const { L::AT_ONCE > 1 || L::TO_SPARE } || turns == Turns::Instruction {
        return together(l, f, [x, y], constant, N * L::AT_ONCE > 1);
    }
    for n in 0..N {
        [[x[n]], [y[n]]] = together(l, f, [[x[n]], [y[n]]], constant, N > 1);
    }
    [x, y]
}

/// If they `share` the first instruction, an XOR follows on it: one block alone would wait for it.
#[inline(always)]
fn together<L: AesLayers<D>, const D: usize, const N: usize>(
    l: L,
    [f1, f2]: [u8; 2],
    [x, y]: Layer<L::Word, N, 2>,
    constant: L::Word,
    share: bool,
) -> Layer<L::Word, N, 2> {
    let (zero, constant) = ([l.zero(); N], [constant; N]);
    // Of F2's last instruction.
    let key = if has_two(f1) { zero } else { constant };
    let share = share && first_is_last(f1) == first_is_last(f2);
    if share && has_two(f1) && !has_two(f2) {
        // F1 goes on with the constant; F2's result, which waits for a round, loses it again.
        let t = step(l, first_is_last(f1), x, constant);
        return [step(l, second_is_last(f1), t, y), sum(l, t, constant)];
    }
    if share {
        let t = step(l, first_is_last(f1), x, zero);
        let a = if has_two(f1) {
            step(l, second_is_last(f1), sum(l, t, constant), y)
        } else {
            sum(l, t, y)
        };
        let b = if has_two(f2) {
            step(l, second_is_last(f2), t, key)
        } else {
            sum(l, t, constant)
        };
        return [a, b];
    }
    let mut a = step(
        l,
        first_is_last(f1),
        x,
        if has_two(f1) { constant } else { y },
    );
    let mut b = step(
        l,
        first_is_last(f2),
        x,
        if has_two(f2) { zero } else { key },
    );
    if has_two(f1) {
        a = step(l, second_is_last(f1), a, y);
    }
    if has_two(f2) {
        b = step(l, second_is_last(f2), b, key);
    }
    [a, b]
}

/// x and y of F1(x) ^ y and F2(x).
#[inline(always)]
fn unpair<L: AesLayers<D>, const D: usize, const N: usize>(
    l: L,
    [f1, f2]: [u8; 2],
    [a, b]: Layer<L::Word, N, 2>,
    constant: L::Word,
) -> Layer<L::Word, N, 2> {
    let (zero, constant) = ([l.zero(); N], [constant; N]);
    let mut x = if has_two(f1) { b } else { sum(l, b, constant) };
    if !(if has_two(f2) {
        second_is_last(f2)
    } else {
        first_is_last(f2)
    }) {
        [x] = l.unmix([x]);
    }
    if has_two(f2) {
        [x] = l.dec_either(first_is_last(f2), [x], [zero]);
    }
    [x] = l.dec_last([x], [zero]);
    let mut y = a;
    y = if has_two(f1) {
        let first = step(l, first_is_last(f1), x, constant);
        step(l, second_is_last(f1), first, y)
    } else {
        step(l, first_is_last(f1), x, y)
    };
    [x, y]
}

/// One instruction of a function.
#[inline(always)]
fn step<L: AesLayers<D>, const D: usize, const N: usize>(
    l: L,
    last: bool,
    x: [L::Word; N],
    key: [L::Word; N],
) -> [L::Word; N] {
    let [x] = l.enc_either(last, [x], [key]);
    x
}

#[inline(always)]
fn sum<L: AesLayers<D>, const D: usize, const N: usize>(
    l: L,
    mut a: [L::Word; N],
    b: [L::Word; N],
) -> [L::Word; N] {
    for n in 0..N {
        a[n] = l.xor(a[n], b[n]);
    }
    a
}

/// The kernel of two words. Code of their own for those that the paper found or missed with 16
/// instructions, and for those that are as fast as any where an S-layer on one input counts once.
pub(crate) fn kernel_256(f: [u8; 4], backend: Backend) -> Option<&'static Kernel<2>> {
    match f {
        [0, 1, ..] => permuting::<Two<0, 1>, _, 2>(backend),
        [0, 2, ..] => permuting::<Two<0, 2>, _, 2>(backend),
        [0, 4, ..] => permuting::<Two<0, 4>, _, 2>(backend),
        [0, 5, ..] => permuting::<Two<0, 5>, _, 2>(backend),
        [1, 0, ..] => permuting::<Two<1, 0>, _, 2>(backend),
        [1, 4, ..] => permuting::<Two<1, 4>, _, 2>(backend),
        [2, 0, ..] => permuting::<Two<2, 0>, _, 2>(backend),
        [2, 1, ..] => permuting::<Two<2, 1>, _, 2>(backend),
        [2, 2, ..] => permuting::<Two<2, 2>, _, 2>(backend),
        [2, 4, ..] => permuting::<Two<2, 4>, _, 2>(backend),
        [2, 5, ..] => permuting::<Two<2, 5>, _, 2>(backend),
        [3, 4, ..] => permuting::<Two<3, 4>, _, 2>(backend),
        [4, 2, ..] => permuting::<Two<4, 2>, _, 2>(backend),
        [4, 3, ..] => permuting::<Two<4, 3>, _, 2>(backend),
        [5, 2, ..] => permuting::<Two<5, 2>, _, 2>(backend),
        _ => permuting::<Any, _, 2>(backend),
    }
}

/// The same of four words.
pub(crate) fn kernel_512(
    f: [u8; 4],
    shuffle: [u8; 4],
    backend: Backend,
) -> Option<&'static Kernel<4>> {
    match (f, shuffle) {
        ([0, 2, 2, 0], SHUFFLE) => permuting::<Four<0, 2, 2, 0>, _, 4>(backend),
        ([2, 0, 0, 2], SHUFFLE) => permuting::<Four<2, 0, 0, 2>, _, 4>(backend),
        ([2, 0, 2, 0], SHUFFLE) => permuting::<Four<2, 0, 2, 0>, _, 4>(backend),
        ([2, 2, 2, 2], SHUFFLE) => permuting::<Four<2, 2, 2, 2>, _, 4>(backend),
        ([2, 4, 2, 4], SHUFFLE) => permuting::<Four<2, 4, 2, 4>, _, 4>(backend),
        _ => permuting::<Any, _, 4>(backend),
    }
}
