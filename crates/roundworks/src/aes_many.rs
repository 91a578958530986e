//! Several messages interleaved: each has a lane of every word.
#![forbid(unsafe_code)]
#![allow(clippy::needless_range_loop)] // words and lanes at one index

mod ends;

use core::array::from_fn;
use core::ops::Range;

use self::ends::{LastAd, LastBlocks, end};
use crate::aes::{AesLanes, word, word_mut};
use crate::aes_aead::{AesAead, Degree, Words};
use crate::arch::{Kernels, afresh};
use crate::cipher::Message;
use crate::stream::{self, Batch, Block, Bytes, Direction, Lane, Stream};

/// Messages at once, where the most are.
pub(crate) const WIDEST: usize = 4;

/// One of the messages by itself.
type Alone<A, const R: usize> = Degree<A, R, 1, R>;
/// The state of all, and of one.
type State<A, L, const R: usize, const D: usize> =
    <A as AesAead<R>>::State<<L as AesLanes<D>>::Word>;

/// What a back end must have.
pub(crate) trait SideBySide: AesLanes<1> + AesLanes<2> + AesLanes<4> + Kernels {}
impl<L: AesLanes<1> + AesLanes<2> + AesLanes<4> + Kernels> SideBySide for L {}

/// All blocks that every message has are done in step, and so are ends that are alike. What is
/// left of longer messages is done one by one. Associated data has one length.
///
/// Messages are left in memory: pointers and lengths of all of them are more than there are registers. Arrays are
/// filled in loops over `W`, not by `array::map`: in a crate of many codegen units that stays a call, for each
/// word of each block.
#[inline(always)]
pub(crate) fn run<A, L, const R: usize, const W: usize>(
    l: L,
    key: &A::Key,
    mut batch: Batch<'_, '_>,
) where
    A: AesAead<R>,
    L: AesLanes<W> + SideBySide,
    [(); R]: Words,
{
    let rate = size_of::<Block<Alone<A, R>>>();
    let direction = batch.direction;
    let messages: &mut [_; W] = (&mut *batch.messages).try_into().expect("W messages");
    let mut nonces = [A::Nonce::ZERO; W];
    for j in 0..W {
        nonces[j] = *Bytes::of(messages[j].nonce).expect("checked before");
    }
    let mut s = A::start::<L, W>(l, key, &nonces, None);
    s = absorb::<A, L, R, W>(l, s, messages);

    let bytes = messages[0].plain_bytes();
    let (mut common, mut alike) = (bytes / rate, true);
    for m in &*messages {
        common = common.min(m.plain_bytes() / rate);
        alike &= m.plain_bytes() == bytes;
    }
    s = match direction {
        Direction::Encrypt => whole::<A, L, R, W, true>(l, s, messages, common),
        Direction::Decrypt => whole::<A, L, R, W, false>(l, s, messages, common),
    };
    if alike {
        if !bytes.is_multiple_of(rate) {
            let mut last = LastBlocks::<A, L, R, W>(s, messages, bytes, direction);
            end::<A, L, R, W>(l, &mut last);
            s = last.0;
        }
        let lengths = [messages[0].ad.len() as u64, bytes as u64];
        let s = A::finish::<L, W>(l, s, &[lengths; W]);
        if messages[0].data.len().abs_diff(messages[0].out.len()) == 16 {
            let tag = A::tag16::<L, W>(l, s);
            put_tags::<L, W>(l, tag, &mut batch, bytes, 0);
        } else {
            let [first, second] = A::tag32::<L, W>(l, s);
            put_tags::<L, W>(l, first, &mut batch, bytes, 0);
            put_tags::<L, W>(l, second, &mut batch, bytes, 1);
        }
        return;
    }
    let states = split::<A, L, R, W>(l, s);
    for j in 0..W {
        let lane = Lane::<A::Nonce>::of(&mut messages[j], &mut batch.tags[j], direction);
        let lengths = [lane.ad.len() as u64, lane.buf.len() as u64];
        let (_, rest) = lane.buf.split_at(common * rate);
        if const { L::STEPWISE } {
            l.resume::<Alone<A, R>>(states[j], |kernel, state| {
                match direction {
                    Direction::Encrypt => (kernel.encrypt_blocks)(state, rest),
                    Direction::Decrypt => (kernel.decrypt_blocks)(state, rest),
                }
                (kernel.finish)(state, key, lengths, lane.tag);
            });
        } else {
            let (mut s, (blocks, rest)) = (states[j], rest.into_chunks());
            for mut block in blocks {
                s = match direction {
                    Direction::Encrypt => Alone::<A, R>::encrypt(l, s, block.reborrow()),
                    Direction::Decrypt => Alone::<A, R>::decrypt(l, s, block.reborrow()),
                };
            }
            s = stream::crypt_either::<Alone<A, R>, L>(l, s, rest, direction);
            Alone::<A, R>::finish(l, s, key, lengths, lane.tag);
        }
    }
}

#[inline(always)]
fn absorb<A, L, const R: usize, const W: usize>(
    l: L,
    mut s: State<A, L, R, W>,
    messages: &[Message<'_>; W],
) -> State<A, L, R, W>
where
    A: AesAead<R>,
    L: AesLanes<W> + SideBySide,
    [(); R]: Words,
{
    let rate = size_of::<Block<Alone<A, R>>>();
    // Of one length, so that one comparison serves all of them; so below.
    let mut whole = [messages[0].ad; W];
    for j in 1..W {
        whole[j] = &messages[j].ad[..whole[0].len()];
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
    if done < whole[0].len() {
        for j in 0..W {
            whole[j] = &whole[j][done..];
        }
        let mut last = LastAd::<A, L, R, W>(s, whole);
        end::<A, L, R, W>(l, &mut last);
        s = last.0;
    }
    s
}

/// Of each message what is read and what is written.
type Each<'a, const W: usize> = [Option<(&'a [u8], &'a mut [u8])>; W];

/// Whether there are no more registers than twice the words of a state.
const fn crowded<A: AesAead<R>, L: AesLanes<W>, const R: usize, const W: usize>() -> bool {
    <L as AesLanes<W>>::SPACE < usize::MAX && size_of::<A::State<u8>>() >= 8
}

/// The words of a block of each message, from memory.
#[inline(always)]
fn read<L: AesLanes<W>, const R: usize, const W: usize>(
    l: L,
    each: &Each<'_, W>,
    block: Range<usize>,
) -> [L::Word; R] {
    let mut words = [l.splat(&[0; 16]); R];
    for r in 0..R {
        let mut ones = [l.one(&[0; 16]); W];
        for j in 0..W {
            let (data, _) = each[j].as_ref().expect("W messages");
            let [word] = afresh(word::<1>(&data[block.clone()], r));
            ones[j] = l.one(word);
        }
        words[r] = l.join(ones);
    }
    words
}

/// `common` blocks of each message.
#[inline(always)]
fn whole<A, L, const R: usize, const W: usize, const ENCRYPT: bool>(
    l: L,
    mut s: State<A, L, R, W>,
    messages: &mut [Message<'_>; W],
    common: usize,
) -> State<A, L, R, W>
where
    A: AesAead<R>,
    L: AesLanes<W> + SideBySide,
    [(); R]: Words,
{
    let rate = size_of::<Block<Alone<A, R>>>();
    let mut each: Each<'_, W> = [const { None }; W];
    for (each, m) in each.iter_mut().zip(messages) {
        *each = Some((&m.data[..common * rate], &mut m.out[..common * rate]));
    }
    for i in 0..common {
        let block = i * rate..(i + 1) * rate;
        let input = read::<L, R, W>(l, &each, block.clone());
        let (output, next) = if const { !crowded::<A, L, R, W>() } {
            if const { ENCRYPT } {
                A::encrypt::<L, W>(l, s, input)
            } else {
                A::decrypt::<L, W>(l, s, input)
            }
        } else if const { ENCRYPT } {
            // Read twice, as in `Stream::encrypt`.
            let next = A::update::<L, W>(l, s, input);
            let input = read::<L, R, W>(l, &each, block.clone());
            (A::mask::<L, W>(l, s, input), next)
        } else {
            let m = A::mask::<L, W>(l, s, input);
            (m, A::update::<L, W>(l, s, m))
        };
        let mut ones = [[AesLanes::<W>::one(l, &[0; 16]); W]; R];
        for r in 0..R {
            ones[r] = AesLanes::<W>::split(l, output[r]);
        }
        for j in 0..W {
            let (_, out) = each[j].as_mut().expect("W messages");
            let block = &mut out[block.clone()];
            for r in 0..R {
                AesLanes::<W>::put(l, ones[r][j], &mut word_mut::<1>(block, r)[0]);
            }
        }
        s = next;
    }
    s
}

/// A word to place `r` of the tags, of messages whose plaintext has `bytes` bytes.
#[inline(always)]
fn put_tags<L: AesLanes<W>, const W: usize>(
    l: L,
    word: L::Word,
    batch: &mut Batch<'_, '_>,
    bytes: usize,
    r: usize,
) {
    let ones = l.split(word);
    for j in 0..W {
        let tag = match batch.direction {
            Direction::Encrypt => &mut batch.messages[j].out[bytes..],
            Direction::Decrypt => &mut batch.tags[j][..],
        };
        l.put(ones[j], &mut word_mut::<1>(tag, r)[0]);
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
    from_fn(|j| A::map(lanes, |lanes| AesLanes::<1>::load(l, &[lanes[j]])))
}
