//! A streaming AEAD whose state words go through AES rounds, over words of any number of lanes.
//!
//! One description serves two ends: lanes that hold parts of one message, as in AEGIS-128X and
//! AEGIS-256X, and lanes that hold messages of their own.
#![forbid(unsafe_code)]

use core::marker::PhantomData;

use hybrid_array::ArraySize;
use hybrid_array::typenum::{U4, U16, U32, U64, U128};
use inout::{InOut, InOutBuf};

use crate::aes::{self, AesLanes, Wired, Wiring, part, word, word_mut};
use crate::aes_many::{self, SideBySide};
use crate::aes_parts;
use crate::arch::afresh;
use crate::cipher::Message;
use crate::stream::{Batch, Block, Bytes, Direction, Shape, Stream, step};

/// What becomes of two words. A closure of more than a few instructions is not always inlined, and then
/// lacks the instruction set; an `of` of its own says that it is.
pub trait Wordwise<W, V, U> {
    fn of(&mut self, a: W, b: V) -> U;
}

impl<W, V, U, F: FnMut(W, V) -> U> Wordwise<W, V, U> for F {
    #[inline(always)]
    fn of(&mut self, a: W, b: V) -> U {
        self(a, b)
    }
}

/// The steps on words, of which an update absorbs `R`.
pub trait AesAead<const R: usize>: Sized + 'static {
    type Key: Bytes;
    type Nonce: Bytes;
    /// An array of words.
    type State<W: Copy>: Copy + AsRef<[W]> + AsMut<[W]>;
    /// What `update` computes, as data: some back ends are then faster at start and end of a message. A
    /// cipher that adds a context has one.
    const WIRING: Option<Wiring> = None;

    /// Word-wise.
    fn zip<W: Copy, V: Copy, U: Copy>(
        s: Self::State<W>,
        t: Self::State<V>,
        f: impl Wordwise<W, V, U>,
    ) -> Self::State<U>;

    #[inline(always)]
    fn map<W: Copy, V: Copy>(s: Self::State<W>, mut f: impl FnMut(W) -> V) -> Self::State<V> {
        Self::zip(s, s, |word, _| f(word))
    }

    /// From keys and nonces to the state that absorbs the first block. Each lane has a nonce;
    /// `context` is XORed into the state before every update, where a cipher has one.
    fn start<L: AesLanes<D>, const D: usize>(
        l: L,
        key: &Self::Key,
        nonces: &[Self::Nonce; D],
        context: Option<L::Word>,
    ) -> Self::State<L::Word>;

    /// `x` ^ keystream.
    fn mask<L: AesLanes<D>, const D: usize>(
        l: L,
        s: Self::State<L::Word>,
        x: [L::Word; R],
    ) -> [L::Word; R];

    /// One update that absorbs `m`.
    fn update<L: AesLanes<D>, const D: usize>(
        l: L,
        s: Self::State<L::Word>,
        m: [L::Word; R],
    ) -> Self::State<L::Word>;

    /// `TIMES` times each of `blocks`, with `context` as in `start`. Where an update is few
    /// instructions, four are written one after another: words that change places are then not moved,
    /// whichever optimiser sees them.
    #[inline(always)]
    fn updates<L: AesLanes<D>, const D: usize, const TIMES: usize, const K: usize>(
        l: L,
        mut s: Self::State<L::Word>,
        blocks: [[L::Word; R]; K],
        context: Option<L::Word>,
    ) -> Self::State<L::Word> {
        if const { Updates::<Self, R>::WIRING.fills::<L, D>() } {
            l.wired::<Updates<Self, R>, R, K>(s.as_mut(), &blocks, context, TIMES);
            return s;
        }
        if K == 1 && context.is_none() {
            for _ in 0..TIMES / 4 {
                s = Self::update(l, s, blocks[0]);
                s = Self::update(l, s, blocks[0]);
                s = Self::update(l, s, blocks[0]);
                s = Self::update(l, s, blocks[0]);
            }
            for _ in 0..TIMES % 4 {
                s = Self::update(l, s, blocks[0]);
            }
            return s;
        }
        for _ in 0..TIMES {
            for block in blocks {
                if let Some(context) = context {
                    s = in_context::<Self, L, R, D>(l, s, context);
                }
                s = Self::update(l, s, block);
            }
        }
        s
    }

    /// A block of ciphertext from one of message, and the state after it. The AES rounds first:
    /// the next block waits for them, and nothing for the ciphertext. But where the state takes all the
    /// space, there is none for the words of before and those of after.
    #[inline(always)]
    fn encrypt<L: AesLanes<D>, const D: usize>(
        l: L,
        s: Self::State<L::Word>,
        m: [L::Word; R],
    ) -> ([L::Word; R], Self::State<L::Word>) {
        if const { aes_parts::full::<Self, L, R, D>() } {
            let c = Self::mask(l, s, m);
            (c, Self::update(l, s, m))
        } else {
            let next = Self::update(l, s, m);
            (Self::mask(l, s, m), next)
        }
    }

    /// A block of message from one of ciphertext, and the state after it.
    #[inline(always)]
    fn decrypt<L: AesLanes<D>, const D: usize>(
        l: L,
        s: Self::State<L::Word>,
        c: [L::Word; R],
    ) -> ([L::Word; R], Self::State<L::Word>) {
        if const { aes_parts::full::<Self, L, R, D>() } {
            let m = Self::mask(l, s, c);
            (m, Self::update(l, s, m))
        } else {
            Self::decrypt_soonest(l, s, c)
        }
    }

    /// The same in an order in which the next block waits as short as it can, where there is such a one.
    #[inline(always)]
    fn decrypt_soonest<L: AesLanes<D>, const D: usize>(
        l: L,
        s: Self::State<L::Word>,
        c: [L::Word; R],
    ) -> ([L::Word; R], Self::State<L::Word>) {
        let m = Self::mask(l, s, c);
        (m, Self::update(l, s, m))
    }

    /// The rounds that end a message. Each lane has the bytes of associated data and message.
    fn finish<L: AesLanes<D>, const D: usize>(
        l: L,
        s: Self::State<L::Word>,
        lengths: &[[u64; 2]; D],
    ) -> Self::State<L::Word>;

    /// The same with any two counts, as one word: for a cipher that has a MAC.
    #[inline(always)]
    fn finish_counts<L: AesLanes<D>, const D: usize>(
        _: L,
        _: Self::State<L::Word>,
        _: L::Word,
    ) -> Self::State<L::Word> {
        unreachable!("not a MAC")
    }

    /// The tag of 16 bytes in the first word.
    fn tag16<L: AesLanes<D>, const D: usize>(l: L, s: Self::State<L::Word>) -> L::Word;

    /// The tag of 32 bytes in two words.
    fn tag32<L: AesLanes<D>, const D: usize>(l: L, s: Self::State<L::Word>) -> [L::Word; 2];
}

/// The wiring of a cipher, or none.
struct Updates<A, const R: usize>(PhantomData<A>);

impl<A: AesAead<R>, const R: usize> Wired for Updates<A, R> {
    const WIRING: Wiring = match A::WIRING {
        Some(wiring) => wiring,
        None => Wiring::NONE,
    };
}

/// The state with `context` added to its words.
#[inline(always)]
fn in_context<A: AesAead<R>, L: AesLanes<D>, const R: usize, const D: usize>(
    l: L,
    s: A::State<L::Word>,
    context: L::Word,
) -> A::State<L::Word> {
    let wiring = A::WIRING.expect("it says where the context goes");
    let mut i = 0;
    A::map(s, |word| {
        let here = wiring.context.contains(&i);
        i += 1;
        if here { l.xor(word, context) } else { word }
    })
}

/// The message of one user, in `D` lanes: blocks of `N = R * D` words of 16 bytes.
pub struct Degree<A, const R: usize, const D: usize, const N: usize>(PhantomData<A>);

/// Blocks of that many words.
pub trait Words {
    type Bytes: ArraySize;
}

impl Words for [(); 1] {
    type Bytes = U16;
}
impl Words for [(); 2] {
    type Bytes = U32;
}
impl Words for [(); 4] {
    type Bytes = U64;
}
impl Words for [(); 8] {
    type Bytes = U128;
}

impl<A: AesAead<R>, const R: usize, const D: usize, const N: usize> Shape for Degree<A, R, D, N>
where
    [(); N]: Words,
{
    type Key = A::Key;
    type Nonce = A::Nonce;
    type Rate = <[(); N] as Words>::Bytes;
    const WIDEST: usize = if D == 1 { aes_many::WIDEST } else { 1 };
}

impl<A, L, const R: usize, const D: usize, const N: usize> Stream<L> for Degree<A, R, D, N>
where
    A: AesAead<R>,
    L: AesLanes<D> + SideBySide,
    [(); N]: Words,
    [(); R]: Words,
{
    type State = A::State<<L as AesLanes<D>>::Word>;
    /// Of a state that is parted, where vectors have one lane: it is in memory most of the time anyway.
    const STEPWISE: bool = (aes_parts::are::<A, L, R, D, 1>() || aes_parts::are::<A, L, R, D, 2>())
        && <L as AesLanes<D>>::SPACE < 16;

    #[inline(always)]
    fn start(l: L, key: &A::Key, nonce: &A::Nonce) -> Self::State {
        const { assert!(N == R * D) };
        if const { aes_parts::are::<A, L, R, D, 1>() } {
            aes_parts::start::<A, L, R, D, 1>(l, key, nonce, &context())
        } else if const { aes_parts::are::<A, L, R, D, 2>() } {
            aes_parts::start::<A, L, R, D, 2>(l, key, nonce, &context())
        } else {
            let context = (D > 1).then(|| AesLanes::<D>::load(l, &context()));
            A::start::<L, D>(l, key, &[*nonce; D], context)
        }
    }

    #[inline(always)]
    fn absorb(l: L, s: Self::State, block: &Block<Self>) -> Self::State {
        A::update::<L, D>(l, s, load::<L, D, R>(l, block))
    }

    #[inline(always)]
    fn keystream(l: L, s: Self::State) -> Block<Self> {
        let mut block = Block::<Self>::default();
        let zero = load::<L, D, R>(l, &block);
        store::<L, D, R>(l, A::mask::<L, D>(l, s, zero), &mut block);
        block
    }

    #[inline(always)]
    fn encrypt(l: L, s: Self::State, mut block: InOut<'_, '_, Block<Self>>) -> Self::State {
        let m = load::<L, D, R>(l, block.get_in());
        let together = const { <L as AesLanes<D>>::AT_ONCE > 1 || aes_parts::full::<A, L, R, D>() };
        let (c, s) = if together {
            A::encrypt::<L, D>(l, s, m)
        } else {
            // In that order, but the message is read twice: next to the words of before and after there is
            // no register for it, and on the stack it costs most where another thread has the same core.
            let next = A::update::<L, D>(l, s, m);
            let m = load::<L, D, R>(l, afresh::<Block<Self>>(block.get_in()));
            (A::mask::<L, D>(l, s, m), next)
        };
        store::<L, D, R>(l, c, block.get_out());
        s
    }

    #[inline(always)]
    fn decrypt(l: L, s: Self::State, mut block: InOut<'_, '_, Block<Self>>) -> Self::State {
        let (m, s) = A::decrypt::<L, D>(l, s, load::<L, D, R>(l, block.get_in()));
        store::<L, D, R>(l, m, block.get_out());
        s
    }

    #[inline(always)]
    fn crypt_whole<const ENCRYPT: bool>(
        l: L,
        mut s: Self::State,
        blocks: InOutBuf<'_, '_, Block<Self>>,
    ) -> Self::State {
        if const { aes_parts::are::<A, L, R, D, 1>() } {
            aes_parts::crypt::<A, L, _, R, D, 1, ENCRYPT>(l, s, blocks)
        } else if const { aes_parts::are::<A, L, R, D, 2>() } {
            aes_parts::crypt::<A, L, _, R, D, 2, ENCRYPT>(l, s, blocks)
        } else if const { aes_parts::full::<A, L, R, D>() } {
            aes_parts::crypt_full::<A, L, _, R, D, ENCRYPT>(l, s, blocks)
        } else {
            // Four at a time, which saves the moves of words that change places.
            let (several, rest) = blocks.into_chunks::<U4>();
            for mut blocks in several {
                for i in 0..4 {
                    s = step::<Self, L, ENCRYPT>(l, s, blocks.get(i));
                }
            }
            for block in rest {
                s = step::<Self, L, ENCRYPT>(l, s, block);
            }
            s
        }
    }

    #[inline(always)]
    fn absorb_last(l: L, s: Self::State, rest: &[u8]) -> Self::State {
        A::update::<L, D>(l, s, AesLanes::<D>::load_parts(l, rest))
    }

    #[inline(always)]
    fn encrypt_last(l: L, s: Self::State, mut rest: InOutBuf<'_, '_, u8>) -> Self::State {
        let m = AesLanes::<D>::load_parts(l, rest.get_in());
        let (c, s) = A::encrypt::<L, D>(l, s, m);
        AesLanes::<D>::store_parts(l, c, rest.get_out());
        s
    }

    #[inline(always)]
    fn decrypt_last(l: L, s: Self::State, mut rest: InOutBuf<'_, '_, u8>) -> Self::State {
        let mut m = A::mask::<L, D>(l, s, AesLanes::<D>::load_parts(l, rest.get_in()));
        // Absorbed as in encryption: a block of plaintext, padded.
        for (r, word) in m.iter_mut().enumerate() {
            *word = AesLanes::<D>::keep(l, *word, part::<D>(rest.len(), r).len());
        }
        AesLanes::<D>::store_parts(l, m, rest.get_out());
        A::update::<L, D>(l, s, m)
    }

    #[inline(always)]
    fn finish(l: L, s: Self::State, _: &A::Key, lengths: [u64; 2], tag: &mut [u8]) {
        let s = if const { aes_parts::are::<A, L, R, D, 1>() } {
            aes_parts::finish::<A, L, R, D, 1>(l, s, lengths)
        } else if const { aes_parts::are::<A, L, R, D, 2>() } {
            aes_parts::finish::<A, L, R, D, 2>(l, s, lengths)
        } else {
            A::finish::<L, D>(l, s, &[lengths; D])
        };
        let (lanes, _) = tag.as_chunks_mut::<16>();
        match lanes {
            [tag] => *tag = AesLanes::<D>::fold(l, A::tag16::<L, D>(l, s)),
            [first, second] => {
                [*first, *second] = A::tag32::<L, D>(l, s).map(|word| AesLanes::<D>::fold(l, word))
            }
            _ => unreachable!("a tag has 16 or 32 bytes"),
        }
    }

    #[inline(always)]
    fn finish_lanes(l: L, s: Self::State, counts: [u64; 2], tags: &mut [u8]) -> Self::State {
        let word = u128::from(counts[1]) << 64 | u128::from(counts[0]);
        let counts = AesLanes::<D>::splat(l, &word.to_le_bytes());
        let s = A::finish_counts::<L, D>(l, s, counts);
        let (tags, _) = tags.as_chunks_mut::<16>();
        if tags.len() == D {
            spread::<L, D>(l, A::tag16::<L, D>(l, s), tags, 1);
        } else {
            let [first, second] = A::tag32::<L, D>(l, s);
            spread::<L, D>(l, first, tags, 2);
            spread::<L, D>(l, second, &mut tags[1..], 2);
        }
        s
    }

    /// A message of one lane leaves space for others; one of several fills the registers.
    const WIDTH: usize = if D == 1 {
        <L as AesLanes<1>>::MESSAGES
    } else {
        1
    };

    fn pays(messages: &[Message<'_>], _: Direction) -> bool {
        let whole = messages.len() == <Self as Stream<L>>::WIDTH;
        whole && messages.iter().all(|m| m.ad.len() == messages[0].ad.len())
    }

    #[inline(always)]
    fn many(l: L, key: &A::Key, batch: Batch<'_, '_>) {
        // Of these the compiler sees one.
        if const { <Self as Stream<L>>::WIDTH == 4 } {
            aes_many::run::<A, L, R, 4>(l, key, batch);
        } else if const { <Self as Stream<L>>::WIDTH == 2 } {
            aes_many::run::<A, L, R, 2>(l, key, batch);
        } else {
            unreachable!("one by one");
        }
    }
}

/// Lane i holds (i, D - 1, 0, ...), so that no two lanes start alike. [AEGIS-RFC]
#[inline(always)]
fn context<const D: usize>() -> [aes::Lane; D] {
    let mut lanes = [[0; 16]; D];
    for (i, lane) in lanes.iter_mut().enumerate() {
        [lane[0], lane[1]] = [i as u8, (D - 1) as u8];
    }
    lanes
}

/// The lanes of a word, one to every `step`-th place.
#[inline(always)]
fn spread<L: AesLanes<D>, const D: usize>(l: L, word: L::Word, to: &mut [aes::Lane], step: usize) {
    let mut lanes = [[0; 16]; D];
    l.store(word, &mut lanes);
    for (to, lane) in to.iter_mut().step_by(step).zip(lanes) {
        *to = lane;
    }
}

#[inline(always)]
fn load<L: AesLanes<D>, const D: usize, const R: usize>(l: L, block: &[u8]) -> [L::Word; R] {
    let mut words = [l.load(word(block, 0)); R];
    for (i, to) in words.iter_mut().enumerate() {
        *to = l.load(word(block, i));
    }
    words
}

#[inline(always)]
fn store<L: AesLanes<D>, const D: usize, const R: usize>(
    l: L,
    words: [L::Word; R],
    block: &mut [u8],
) {
    for (i, from) in words.into_iter().enumerate() {
        l.store(from, word_mut(block, i));
    }
}

/// Both counts of bits in one word, 64 bits each, little endian. [AEGIS, section 3.6]
#[inline(always)]
pub(crate) fn bits64<L: AesLanes<D>, const D: usize>(l: L, lengths: &[[u64; 2]; D]) -> L::Word {
    let mut lanes = [[0; 16]; D];
    for (lane, bytes) in lanes.iter_mut().zip(lengths) {
        *lane = lengths_in_bits(*bytes);
    }
    l.gather(&lanes)
}

/// adlen || msglen
#[inline(always)]
pub(crate) fn lengths_in_bits([ad, message]: [u64; 2]) -> aes::Lane {
    (u128::from(8 * message) << 64 | u128::from(8 * ad)).to_le_bytes()
}
