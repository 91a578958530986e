//! Several messages interleaved: each has a lane of every word.
#![forbid(unsafe_code)]

use core::array::from_fn;

use hybrid_array::Array;
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
    let nonces = from_fn(|i| lanes[i].nonce);
    let lengths = from_fn(|i| [lanes[i].ad.len() as u64, lanes[i].buf.len() as u64]);
    let mut s = A::start::<L, W>(l, key, &nonces, None);
    s = absorb::<A, L, R, W>(l, s, from_fn(|i| lanes[i].ad));

    let bufs = lanes.each_mut().map(|lane| lane.buf.reborrow());
    let bufs = bufs.map(InOutBuf::into_chunks::<<Alone<A, R> as Shape>::Rate>);
    let common = bufs.iter().map(|(blocks, _)| blocks.len()).min();
    let common = common.expect("there are lanes");
    // Of one length, so that one comparison serves all of them.
    let mut bufs = bufs.map(|(blocks, rest)| (blocks.split_at(common), rest));
    let blocks = bufs.each_mut().map(|((blocks, _), _)| blocks.reborrow());
    s = match direction {
        Direction::Encrypt => whole::<A, L, R, W, true>(l, s, blocks, common),
        Direction::Decrypt => whole::<A, L, R, W, false>(l, s, blocks, common),
    };
    if lengths.iter().all(|length| length[1] == lengths[0][1]) {
        let mut rests = bufs.map(|(_, rest)| rest);
        if !rests[0].is_empty() {
            s = crypt_rests::<A, L, R, W>(l, s, &mut rests, direction);
        }
        let s = A::finish::<L, W>(l, s, &lengths);
        return tags::<A, L, R, W>(l, s, lanes.each_mut().map(|lane| &mut *lane.tag));
    }
    let mut states = split::<A, L, R, W>(l, s);
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
    for (s, ((_, blocks), rest)) in states.iter_mut().zip(bufs) {
        for mut block in blocks {
            *s = match direction {
                Direction::Encrypt => Alone::<A, R>::encrypt(l, *s, block.reborrow()),
                Direction::Decrypt => Alone::<A, R>::decrypt(l, *s, block.reborrow()),
            };
        }
        *s = stream::crypt_either::<Alone<A, R>, L>(l, *s, rest, direction);
    }
    for ((s, lengths), lane) in states.into_iter().zip(lengths).zip(lanes) {
        Alone::<A, R>::finish(l, s, key, lengths, lane.tag);
    }
}

#[inline(always)]
fn absorb<A, L, const R: usize, const W: usize>(
    l: L,
    mut s: State<A, L, R, W>,
    ads: [&[u8]; W],
) -> State<A, L, R, W>
where
    A: AesAead<R>,
    L: AesLanes<W> + SideBySide,
    [(); R]: Words,
{
    let parts = ads.map(Array::<u8, <Alone<A, R> as Shape>::Rate>::slice_as_chunks);
    let common = parts.iter().map(|(blocks, _)| blocks.len()).min();
    let common = common.expect("there are lanes");
    for i in 0..common {
        s = A::update::<L, W>(l, s, gather::<L, R, W>(l, from_fn(|j| &parts[j].0[i][..])));
    }
    if !parts[0].1.is_empty() {
        let n = parts[0].1.len();
        let last = |r| l.gather_part(parts.map(|(_, rest)| &rest[part::<1>(n, r)]));
        s = A::update::<L, W>(l, s, from_fn(last));
    }
    s
}

/// `common` blocks of each message, which is all that there are.
#[inline(always)]
fn whole<A, L, const R: usize, const W: usize, const ENCRYPT: bool>(
    l: L,
    mut s: State<A, L, R, W>,
    mut blocks: [InOutBuf<'_, '_, Block<Alone<A, R>>>; W],
    common: usize,
) -> State<A, L, R, W>
where
    A: AesAead<R>,
    L: AesLanes<W> + SideBySide,
    [(); R]: Words,
{
    for i in 0..common {
        let mut blocks = blocks.each_mut().map(|blocks| blocks.get(i));
        let input = gather::<L, R, W>(l, blocks.each_ref().map(|block| &block.get_in()[..]));
        let (output, next) = if const { ENCRYPT } {
            A::encrypt::<L, W>(l, s, input)
        } else {
            A::decrypt::<L, W>(l, s, input)
        };
        let out = blocks.each_mut().map(|block| &mut block.get_out()[..]);
        scatter(l, output, out);
        s = next;
    }
    s
}

/// The incomplete last block of each, all of one length.
#[inline(always)]
fn crypt_rests<A, L, const R: usize, const W: usize>(
    l: L,
    s: State<A, L, R, W>,
    rests: &mut [InOutBuf<'_, '_, u8>; W],
    direction: Direction,
) -> State<A, L, R, W>
where
    A: AesAead<R>,
    L: AesLanes<W> + SideBySide,
    [(); R]: Words,
{
    let n = rests[0].len();
    let input = from_fn(|r| l.gather_part(rests.each_ref().map(|x| &x.get_in()[part::<1>(n, r)])));
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
        let to = rests.each_mut().map(|x| &mut x.get_out()[part::<1>(n, r)]);
        l.scatter_part(word, to);
    }
    s
}

#[inline(always)]
fn tags<A, L, const R: usize, const W: usize>(l: L, s: State<A, L, R, W>, mut tags: [&mut [u8]; W])
where
    A: AesAead<R>,
    L: AesLanes<W> + SideBySide,
{
    if tags[0].len() == 16 {
        scatter(
            l,
            [A::tag16::<L, W>(l, s)],
            tags.each_mut().map(|tag| &mut tag[..]),
        );
    } else {
        scatter(
            l,
            A::tag32::<L, W>(l, s),
            tags.each_mut().map(|tag| &mut tag[..]),
        );
    }
}

/// Words of a block, lane j from `from[j]`.
#[inline(always)]
fn gather<L: AesLanes<W>, const R: usize, const W: usize>(l: L, from: [&[u8]; W]) -> [L::Word; R] {
    let at = |r| l.gather(from.map(|bytes| &word::<1>(bytes, r)[0]));
    let mut words = [at(0); R];
    for (r, to) in words.iter_mut().enumerate().skip(1) {
        *to = at(r);
    }
    words
}

#[inline(always)]
fn scatter<L: AesLanes<W>, const R: usize, const W: usize>(
    l: L,
    words: [L::Word; R],
    mut to: [&mut [u8]; W],
) {
    for (r, from) in words.into_iter().enumerate() {
        l.scatter(
            from,
            to.each_mut().map(|bytes| &mut word_mut::<1>(bytes, r)[0]),
        );
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
