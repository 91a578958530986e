//! Several messages interleaved: each has a lane of every word.
#![forbid(unsafe_code)]
#![allow(clippy::needless_range_loop)] // words and lanes at one index

use inout::InOutBuf;

use crate::aes::{AesLanes, word, word_mut};
use crate::aes_aead::{AesAead, Degree, Words, part};
use crate::arch::Kernels;
use crate::stream::{self, Block, Direction, Lane, Shape, Stream};

/// Messages at once, where the most are.
pub(crate) const WIDEST: usize = 4;

/// One of the messages by itself.
type Alone<A, const R: usize> = Degree<A, R, 1, R>;
/// The state of all, and of one.
type State<A, L, const R: usize, const D: usize> =
    <A as AesAead<R>>::State<<L as AesLanes<D>>::Word>;
/// Of each message the blocks that every message has, and what follows its last whole block. Arrays are filled
/// in loops over `W`, not by `array::map`: in a crate of many codegen units that stays a call, for each word
/// of each block.
type Each<'a, A, const R: usize, const W: usize> =
    [Option<(InOutBuf<'a, 'a, Block<Alone<A, R>>>, InOutBuf<'a, 'a, u8>)>; W];

/// What a back end must have.
pub(crate) trait SideBySide: AesLanes<1> + AesLanes<2> + AesLanes<4> + Kernels {}
impl<L: AesLanes<1> + AesLanes<2> + AesLanes<4> + Kernels> SideBySide for L {}

/// All blocks that every message has are done in step, and so are ends that are alike. What is
/// left of longer messages is done one by one. Associated data has one length.
#[inline(always)]
pub(crate) fn run<A, L, const R: usize, const W: usize>(
    l: L,
    key: &A::Key,
    lanes: &mut [Lane<'_, A::Nonce>; W],
    direction: Direction,
) where
    A: AesAead<R>,
    L: AesLanes<W> + SideBySide,
    [(); R]: Words,
{
    let mut nonces = [lanes[0].nonce; W];
    let mut lengths = [[0; 2]; W];
    let mut ads = [lanes[0].ad; W];
    let mut common = usize::MAX;
    for (j, lane) in lanes.iter().enumerate() {
        nonces[j] = lane.nonce;
        lengths[j] = [lane.ad.len() as u64, lane.buf.len() as u64];
        ads[j] = lane.ad;
        common = common.min(lane.buf.len() / size_of::<Block<Alone<A, R>>>());
    }
    let mut s = A::start::<L, W>(l, key, &nonces, None);
    s = absorb::<A, L, R, W>(l, s, &ads);

    let mut each: Each<'_, A, R, W> = [const { None }; W];
    for (parts, lane) in each.iter_mut().zip(&mut *lanes) {
        let (blocks, rest) = lane
            .buf
            .reborrow()
            .into_chunks::<<Alone<A, R> as Shape>::Rate>();
        // Of one length, so that one comparison serves all of them.
        *parts = Some((blocks.split_at(common).0, rest));
    }
    s = match direction {
        Direction::Encrypt => whole::<A, L, R, W, true>(l, s, &mut each, common),
        Direction::Decrypt => whole::<A, L, R, W, false>(l, s, &mut each, common),
    };
    if lengths.iter().all(|length| length[1] == lengths[0][1]) {
        let n = lengths[0][1] as usize % size_of::<Block<Alone<A, R>>>();
        if n != 0 {
            s = crypt_rests::<A, L, R, W>(l, s, &mut each, n, direction);
        }
        let s = A::finish::<L, W>(l, s, &lengths);
        return tags::<A, L, R, W>(l, s, lanes);
    }
    let states = split::<A, L, R, W>(l, s);
    if const { L::STEPWISE } {
        for ((s, lengths), lane) in states.into_iter().zip(lengths).zip(lanes) {
            let done = common * size_of::<Block<Alone<A, R>>>();
            let (_, rest) = lane.buf.reborrow().split_at(done);
            l.resume::<Alone<A, R>>(s, |kernel, state| {
                match direction {
                    Direction::Encrypt => (kernel.encrypt_blocks)(state, rest),
                    Direction::Decrypt => (kernel.decrypt_blocks)(state, rest),
                }
                (kernel.finish)(state, key, lengths, lane.tag);
            });
        }
        return;
    }
    for j in 0..W {
        let (mut s, lane) = (states[j], &mut lanes[j]);
        let done = common * size_of::<Block<Alone<A, R>>>();
        let (_, left) = lane.buf.reborrow().split_at(done);
        let (blocks, rest) = left.into_chunks::<<Alone<A, R> as Shape>::Rate>();
        for mut block in blocks {
            s = match direction {
                Direction::Encrypt => Alone::<A, R>::encrypt(l, s, block.reborrow()),
                Direction::Decrypt => Alone::<A, R>::decrypt(l, s, block.reborrow()),
            };
        }
        s = stream::crypt_either::<Alone<A, R>, L>(l, s, rest, direction);
        Alone::<A, R>::finish(l, s, key, lengths[j], lane.tag);
    }
}

#[inline(always)]
fn absorb<A, L, const R: usize, const W: usize>(
    l: L,
    mut s: State<A, L, R, W>,
    ads: &[&[u8]; W],
) -> State<A, L, R, W>
where
    A: AesAead<R>,
    L: AesLanes<W> + SideBySide,
    [(); R]: Words,
{
    let rate = size_of::<Block<Alone<A, R>>>();
    // Of one length, as above.
    let mut whole = *ads;
    for ad in &mut whole {
        *ad = &ad[..ads[0].len()];
    }
    let mut done = 0;
    while whole[0].len() - done >= rate {
        let mut m = [AesLanes::<W>::splat(l, &[0; 16]); R];
        for r in 0..R {
            let mut ones = [AesLanes::<W>::one(l, &[0; 16]); W];
            for j in 0..W {
                ones[j] = AesLanes::<W>::one(l, &word::<1>(&whole[j][done..][..rate], r)[0]);
            }
            m[r] = AesLanes::<W>::join(l, ones);
        }
        s = A::update::<L, W>(l, s, m);
        done += rate;
    }
    let n = whole[0].len() - done;
    if n != 0 {
        let mut m = [AesLanes::<W>::splat(l, &[0; 16]); R];
        for r in 0..R {
            let mut ones = [AesLanes::<W>::one(l, &[0; 16]); W];
            for j in 0..W {
                ones[j] = AesLanes::<W>::one_part(l, &whole[j][done..][part::<1>(n, r)]);
            }
            m[r] = AesLanes::<W>::join(l, ones);
        }
        s = A::update::<L, W>(l, s, m);
    }
    s
}

/// `common` blocks of each message, which is all that there are.
#[inline(always)]
fn whole<A, L, const R: usize, const W: usize, const ENCRYPT: bool>(
    l: L,
    mut s: State<A, L, R, W>,
    each: &mut Each<'_, A, R, W>,
    common: usize,
) -> State<A, L, R, W>
where
    A: AesAead<R>,
    L: AesLanes<W> + SideBySide,
    [(); R]: Words,
{
    for i in 0..common {
        let mut ones = [[AesLanes::<W>::one(l, &[0; 16]); W]; R];
        for j in 0..W {
            let blocks = &mut each[j].as_mut().expect("W messages").0;
            let block = blocks.get(i);
            for r in 0..R {
                ones[r][j] = AesLanes::<W>::one(l, &word::<1>(block.get_in(), r)[0]);
            }
        }
        let mut input = [AesLanes::<W>::splat(l, &[0; 16]); R];
        for r in 0..R {
            input[r] = AesLanes::<W>::join(l, ones[r]);
        }
        let (output, next) = if const { ENCRYPT } {
            A::encrypt::<L, W>(l, s, input)
        } else {
            A::decrypt::<L, W>(l, s, input)
        };
        for r in 0..R {
            ones[r] = AesLanes::<W>::split(l, output[r]);
        }
        for j in 0..W {
            let blocks = &mut each[j].as_mut().expect("W messages").0;
            let mut block = blocks.get(i);
            for r in 0..R {
                AesLanes::<W>::put(l, ones[r][j], &mut word_mut::<1>(block.get_out(), r)[0]);
            }
        }
        s = next;
    }
    s
}

/// The incomplete last block of each, all of `n` bytes.
#[inline(always)]
fn crypt_rests<A, L, const R: usize, const W: usize>(
    l: L,
    s: State<A, L, R, W>,
    each: &mut Each<'_, A, R, W>,
    n: usize,
    direction: Direction,
) -> State<A, L, R, W>
where
    A: AesAead<R>,
    L: AesLanes<W> + SideBySide,
    [(); R]: Words,
{
    let mut input = [AesLanes::<W>::splat(l, &[0; 16]); R];
    for r in 0..R {
        let mut ones = [AesLanes::<W>::one(l, &[0; 16]); W];
        for j in 0..W {
            let rest = &each[j].as_ref().expect("W messages").1;
            ones[j] = AesLanes::<W>::one_part(l, &rest.get_in()[part::<1>(n, r)]);
        }
        input[r] = AesLanes::<W>::join(l, ones);
    }
    let (output, s) = match direction {
        Direction::Encrypt => A::encrypt::<L, W>(l, s, input),
        Direction::Decrypt => {
            // Absorbed as in encryption: a block of plaintext, padded.
            let mut m = A::mask::<L, W>(l, s, input);
            for (r, word) in m.iter_mut().enumerate() {
                let mut kept = [0; 16];
                kept[..part::<1>(n, r).len()].fill(0xff);
                *word = AesLanes::<W>::and(l, *word, AesLanes::<W>::splat(l, &kept));
            }
            (m, A::update::<L, W>(l, s, m))
        }
    };
    for (r, word) in output.into_iter().enumerate() {
        let ones = AesLanes::<W>::split(l, word);
        for j in 0..W {
            let rest = &mut each[j].as_mut().expect("W messages").1;
            AesLanes::<W>::put_part(l, ones[j], &mut rest.get_out()[part::<1>(n, r)]);
        }
    }
    s
}

#[inline(always)]
fn tags<A, L, const R: usize, const W: usize>(
    l: L,
    s: State<A, L, R, W>,
    lanes: &mut [Lane<'_, A::Nonce>; W],
) where
    A: AesAead<R>,
    L: AesLanes<W> + SideBySide,
{
    if lanes[0].tag.len() == 16 {
        put::<L, W, _>(l, A::tag16::<L, W>(l, s), lanes, 0);
    } else {
        let [first, second] = A::tag32::<L, W>(l, s);
        put::<L, W, _>(l, first, lanes, 0);
        put::<L, W, _>(l, second, lanes, 1);
    }
}

/// A word to place `r` of the tags.
#[inline(always)]
fn put<L: AesLanes<W>, const W: usize, N>(
    l: L,
    word: L::Word,
    lanes: &mut [Lane<'_, N>; W],
    r: usize,
) {
    let ones = l.split(word);
    for j in 0..W {
        l.put(ones[j], &mut word_mut::<1>(lanes[j].tag, r)[0]);
    }
}

/// The state of each message.
#[inline(always)]
fn split<A, L, const R: usize, const W: usize>(l: L, s: State<A, L, R, W>) -> [State<A, L, R, 1>; W]
where
    A: AesAead<R>,
    L: AesLanes<W> + SideBySide,
{
    let lanes = A::map(s, |word| {
        let mut lanes = [[0; 16]; W];
        AesLanes::<W>::store(l, word, &mut lanes);
        lanes
    });
    core::array::from_fn(|j| A::map(lanes, |lanes| AesLanes::<1>::load(l, &[lanes[j]])))
}
