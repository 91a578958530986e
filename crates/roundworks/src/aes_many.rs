//! Several messages interleaved: each has a lane of every word.
#![forbid(unsafe_code)]

use core::array::from_fn;

use hybrid_array::Array;
use inout::{InOut, InOutBuf};

use crate::aes::{AesLanes, word, word_mut};
use crate::aes_aead::{AesAead, Degree, Words};
use crate::arch::Kernels;
use crate::stream::{self, Block, Direction, Lane, Shape, Stream, padded};

/// Messages at once.
pub(crate) const WIDTH: usize = 4;

/// One of the messages by itself.
type Alone<A, const R: usize> = Degree<A, R, 1, R>;
/// The state of all, and of one.
type State<A, L, const R: usize, const D: usize> =
    <A as AesAead<R>>::State<<L as AesLanes<D>>::Word>;

/// What a back end and a cipher must have; `R` words a block.
pub(crate) trait SideBySide<A, const R: usize>:
    AesLanes<1> + AesLanes<WIDTH> + Kernels
{
}
impl<A, L: AesLanes<1> + AesLanes<WIDTH> + Kernels, const R: usize> SideBySide<A, R> for L {}

/// All blocks that every message has are done in step, and so are ends that are alike. What is
/// left of longer messages is done one by one.
#[inline(always)]
pub(crate) fn run<A, L, const R: usize>(
    l: L,
    key: &A::Key,
    lanes: &mut [Lane<'_, A::Nonce>; WIDTH],
    direction: Direction,
) where
    A: AesAead<R>,
    L: SideBySide<A, R>,
    [(); R]: Words,
{
    let nonces = from_fn(|i| lanes[i].nonce);
    let lengths = from_fn(|i| [lanes[i].ad.len() as u64, lanes[i].buf.len() as u64]);
    let mut s = A::start::<L, WIDTH>(l, key, &nonces, None);
    s = absorb::<A, L, R>(l, s, from_fn(|i| lanes[i].ad));

    let bufs = lanes.each_mut().map(|lane| lane.buf.reborrow());
    let mut bufs = bufs.map(InOutBuf::into_chunks::<<Alone<A, R> as Shape>::Rate>);
    let common = bufs.iter().map(|(blocks, _)| blocks.len()).min();
    let common = common.expect("there are lanes");
    for i in 0..common {
        let blocks = bufs.each_mut().map(|(blocks, _)| blocks.get(i));
        s = crypt::<A, L, R>(l, s, blocks, direction);
    }
    if lengths.iter().all(|length| length[1] == lengths[0][1]) {
        let mut rests = bufs.map(|(_, rest)| rest);
        if !rests[0].is_empty() {
            s = crypt_rests::<A, L, R>(l, s, &mut rests, direction);
        }
        let s = A::finish::<L, WIDTH>(l, s, &lengths);
        return tags::<A, L, R>(l, s, lanes.each_mut().map(|lane| &mut *lane.tag));
    }
    let mut states = split::<A, L, R>(l, s);
    if L::STEPWISE {
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
    for (s, (blocks, rest)) in states.iter_mut().zip(bufs) {
        for mut block in blocks.split_at(common).1 {
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
fn absorb<A, L, const R: usize>(
    l: L,
    mut s: State<A, L, R, WIDTH>,
    ads: [&[u8]; WIDTH],
) -> State<A, L, R, WIDTH>
where
    A: AesAead<R>,
    L: SideBySide<A, R>,
    [(); R]: Words,
{
    let parts = ads.map(Array::<u8, <Alone<A, R> as Shape>::Rate>::slice_as_chunks);
    let common = parts.iter().map(|(blocks, _)| blocks.len()).min();
    let common = common.expect("there are lanes");
    for i in 0..common {
        s = A::update::<L, WIDTH>(l, s, gather(l, from_fn(|j| &parts[j].0[i][..])));
    }
    if ads.iter().all(|ad| ad.len() == ads[0].len()) {
        if !parts[0].1.is_empty() {
            let last = parts.map(|(_, rest)| padded::<Alone<A, R>>(rest));
            s = A::update::<L, WIDTH>(l, s, gather(l, from_fn(|j| &last[j][..])));
        }
        return s;
    }
    let mut states = split::<A, L, R>(l, s);
    for (s, ad) in states.iter_mut().zip(ads) {
        let done = common * size_of::<Block<Alone<A, R>>>();
        let rest = &ad[done..];
        *s = if L::STEPWISE {
            l.resume::<Alone<A, R>>(*s, |kernel, state| (kernel.absorb)(state, rest))
        } else {
            stream::absorb::<Alone<A, R>, L>(l, *s, rest)
        };
    }
    join::<A, L, R>(l, states)
}

/// One block of each message.
#[inline(always)]
fn crypt<A, L, const R: usize>(
    l: L,
    s: State<A, L, R, WIDTH>,
    mut blocks: [InOut<'_, '_, Block<Alone<A, R>>>; WIDTH],
    direction: Direction,
) -> State<A, L, R, WIDTH>
where
    A: AesAead<R>,
    L: SideBySide<A, R>,
    [(); R]: Words,
{
    let input = gather::<L, R>(l, blocks.each_ref().map(|block| &block.get_in()[..]));
    let (output, s) = match direction {
        Direction::Encrypt => A::encrypt::<L, WIDTH>(l, s, input),
        Direction::Decrypt => A::decrypt::<L, WIDTH>(l, s, input),
    };
    scatter(
        l,
        output,
        blocks.each_mut().map(|block| &mut block.get_out()[..]),
    );
    s
}

/// The incomplete last block of each, all of one length.
#[inline(always)]
fn crypt_rests<A, L, const R: usize>(
    l: L,
    s: State<A, L, R, WIDTH>,
    rests: &mut [InOutBuf<'_, '_, u8>; WIDTH],
    direction: Direction,
) -> State<A, L, R, WIDTH>
where
    A: AesAead<R>,
    L: SideBySide<A, R>,
    [(); R]: Words,
{
    let mut stream: [Block<Alone<A, R>>; WIDTH] = Default::default();
    let keystream = A::mask::<L, WIDTH>(l, s, [AesLanes::<WIDTH>::splat(l, &[0; 16]); R]);
    scatter(l, keystream, stream.each_mut().map(|block| &mut block[..]));
    let mut plaintext = rests
        .each_ref()
        .map(|rest| padded::<Alone<A, R>>(rest.get_in()));
    for ((rest, keystream), plaintext) in rests.iter_mut().zip(&stream).zip(&mut plaintext) {
        rest.xor_in2out(&keystream[..rest.len()]);
        if let Direction::Decrypt = direction {
            *plaintext = padded::<Alone<A, R>>(rest.get_out());
        }
    }
    A::update::<L, WIDTH>(
        l,
        s,
        gather(l, plaintext.each_ref().map(|block| &block[..])),
    )
}

#[inline(always)]
fn tags<A, L, const R: usize>(l: L, s: State<A, L, R, WIDTH>, mut tags: [&mut [u8]; WIDTH])
where
    A: AesAead<R>,
    L: SideBySide<A, R>,
{
    if tags[0].len() == 16 {
        scatter(
            l,
            [A::tag16::<L, WIDTH>(l, s)],
            tags.each_mut().map(|tag| &mut tag[..]),
        );
    } else {
        scatter(
            l,
            A::tag32::<L, WIDTH>(l, s),
            tags.each_mut().map(|tag| &mut tag[..]),
        );
    }
}

/// Words of a block, lane j from `from[j]`.
#[inline(always)]
fn gather<L: AesLanes<WIDTH>, const R: usize>(l: L, from: [&[u8]; WIDTH]) -> [L::Word; R] {
    let at = |r| l.gather(from.map(|bytes| &word::<1>(bytes, r)[0]));
    let mut words = [at(0); R];
    for (r, to) in words.iter_mut().enumerate().skip(1) {
        *to = at(r);
    }
    words
}

#[inline(always)]
fn scatter<L: AesLanes<WIDTH>, const R: usize>(
    l: L,
    words: [L::Word; R],
    mut to: [&mut [u8]; WIDTH],
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
fn split<A, L, const R: usize>(l: L, s: State<A, L, R, WIDTH>) -> [State<A, L, R, 1>; WIDTH]
where
    A: AesAead<R>,
    L: SideBySide<A, R>,
{
    let lanes = A::map(s, |word| {
        let mut lanes = [[0; 16]; WIDTH];
        AesLanes::<WIDTH>::store(l, word, &mut lanes);
        lanes
    });
    from_fn(|j| A::map(lanes, |lanes| AesLanes::<1>::load(l, &[lanes[j]])))
}

/// The other way.
#[inline(always)]
fn join<A, L, const R: usize>(l: L, states: [State<A, L, R, 1>; WIDTH]) -> State<A, L, R, WIDTH>
where
    A: AesAead<R>,
    L: SideBySide<A, R>,
{
    let mut words = states.map(|s| {
        A::map(s, |word| {
            let mut lane = [[0; 16]];
            AesLanes::<1>::store(l, word, &mut lane);
            lane[0]
        })
    });
    let [first, second, third, fourth] = &mut words;
    let (mut b, mut c, mut d) = (
        second.as_ref().iter(),
        third.as_ref().iter(),
        fourth.as_ref().iter(),
    );
    A::map(*first, |a| {
        let next = |lanes: &mut core::slice::Iter<'_, _>| *lanes.next().expect("a word for each");
        AesLanes::<WIDTH>::load(l, &[a, next(&mut b), next(&mut c), next(&mut d)])
    })
}
