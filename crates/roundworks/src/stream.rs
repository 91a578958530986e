//! A streaming AEAD, written once: start, absorb, encrypt or decrypt, finish, over the vector
//! operations of any back end. A family gives the steps on one block; what is the same for all of
//! them (blocks, the incomplete last one, the order of things) is here.
#![forbid(unsafe_code)]

use hybrid_array::{Array, ArraySize};
use inout::{InOut, InOutBuf};
use zeroize::Zeroize;

use crate::arch::Saved;
use crate::backend::Backend;
use crate::cipher::Message;

/// Bytes of a fixed size: a key or a nonce.
pub trait Bytes: Copy + AsRef<[u8]> + AsMut<[u8]> + Zeroize + Send + Sync + 'static {
    /// All zero.
    const ZERO: Self;

    /// The same bytes, if their number is right. A copy would be read back before it is written: many cycles
    /// of a short message.
    fn of(bytes: &[u8]) -> Option<&Self>;
}

impl<const N: usize> Bytes for [u8; N] {
    const ZERO: Self = [0; N];

    fn of(bytes: &[u8]) -> Option<&Self> {
        bytes.try_into().ok()
    }
}

/// Space for any tag.
pub(crate) const LARGEST_TAG: usize = 32;

/// Zeros that the compiler may not leave out; byte by byte would be slow.
pub(crate) fn wipe(secret: &mut [u8]) {
    secret.fill(0);
    zeroize::optimization_barrier(secret);
}

/// The sizes of a streaming cipher.
pub trait Shape: Sized + 'static {
    type Key: Bytes;
    type Nonce: Bytes;
    /// Bytes that one update absorbs.
    type Rate: ArraySize;
    /// The first byte after an incomplete last block; zeros follow.
    const PAD: u8 = 0;
    /// Messages that are interleaved on the back end where the most do.
    const WIDEST: usize = 1;
}

pub type Block<C> = Array<u8, <C as Shape>::Rate>;

/// The steps of a streaming cipher on one block; `l` proves that the CPU has the operations.
///
/// All of it is inlined into the entry points of a back end, so that no call crosses from code
/// with the instruction set to code without.
pub(crate) trait Stream<L: Copy>: Shape {
    type State: Copy;
    /// Whether a whole message goes by the incremental entry points: where a state has no registers to stay in,
    /// inlining all of it in one more place buys nothing.
    const STEPWISE: bool = false;

    /// Load key and nonce, and initialise.
    fn start(l: L, key: &Self::Key, nonce: &Self::Nonce) -> Self::State;
    /// Takes in one block of associated data.
    fn absorb(l: L, s: Self::State, block: &Block<Self>) -> Self::State;
    /// Whole blocks of it.
    #[inline(always)]
    fn absorb_whole(l: L, mut s: Self::State, blocks: &[Block<Self>]) -> Self::State {
        for block in blocks {
            s = Self::absorb(l, s, block);
        }
        s
    }
    /// What the next block of message is XORed with, or an incomplete one if whole ones are not.
    fn keystream(l: L, s: Self::State) -> Block<Self>;
    fn encrypt(l: L, s: Self::State, block: InOut<'_, '_, Block<Self>>) -> Self::State;
    fn decrypt(l: L, s: Self::State, block: InOut<'_, '_, Block<Self>>) -> Self::State;
    /// Whole blocks.
    #[inline(always)]
    fn crypt_whole<const ENCRYPT: bool>(
        l: L,
        mut s: Self::State,
        blocks: InOutBuf<'_, '_, Block<Self>>,
    ) -> Self::State {
        for block in blocks {
            s = step::<Self, L, ENCRYPT>(l, s, block);
        }
        s
    }

    /// The incomplete last block, by default as a whole one that is padded.
    #[inline(always)]
    fn absorb_last(l: L, s: Self::State, rest: &[u8]) -> Self::State {
        Self::absorb(l, s, &padded::<Self>(rest))
    }
    #[inline(always)]
    fn encrypt_last(l: L, s: Self::State, mut rest: InOutBuf<'_, '_, u8>) -> Self::State {
        let mut last = padded::<Self>(rest.get_in());
        let s = Self::encrypt(l, s, InOut::from(&mut last));
        let out = rest.get_out();
        out.copy_from_slice(&last[..out.len()]);
        s
    }
    #[inline(always)]
    fn decrypt_last(l: L, s: Self::State, mut rest: InOutBuf<'_, '_, u8>) -> Self::State {
        let keystream = Self::keystream(l, s);
        rest.xor_in2out(&keystream[..rest.len()]);
        // Absorbed as in encryption: a block of plaintext, padded.
        Self::absorb(l, s, &padded::<Self>(rest.get_out()))
    }

    /// Writes the tag, whose size picks the form where a cipher has several. `lengths` are those
    /// of the associated data and of the message, in bytes.
    fn finish(l: L, s: Self::State, key: &Self::Key, lengths: [u64; 2], tag: &mut [u8]);

    /// Of a MAC: the rounds that end a message, with counts of bits, and the tag of each lane, one
    /// after the other, which `finish` would put together.
    #[inline(always)]
    fn finish_lanes(_: L, _: Self::State, _counts: [u64; 2], _tags: &mut [u8]) -> Self::State {
        unreachable!("not a MAC")
    }

    /// Whether blocks of one message are interleaved.
    const BATCHES: bool = false;
    /// Messages that are interleaved.
    const WIDTH: usize = 1;
    /// Whether it pays to interleave these, not more than `WIDTH`, the shortest first.
    fn pays(messages: &[Message<'_>], _direction: Direction) -> bool {
        messages.len() == Self::WIDTH
    }
    /// That many whole messages as pay; never called where `WIDTH` is 1.
    #[inline(always)]
    fn many(_: L, _: &Self::Key, _: Batch<'_, '_>) {
        unreachable!("WIDTH is 1");
    }
}

/// Which way the data goes.
#[derive(Clone, Copy)]
pub(crate) enum Direction {
    Encrypt,
    Decrypt,
}

impl Direction {
    #[inline(always)]
    pub(crate) const fn of<const ENCRYPT: bool>() -> Self {
        if ENCRYPT {
            Self::Encrypt
        } else {
            Self::Decrypt
        }
    }
}

/// Messages that are interleaved, of sizes that were checked.
pub(crate) struct Batch<'a, 'm> {
    pub(crate) messages: &'a mut [Message<'m>],
    /// A place for each: of what is opened the right tag is written there.
    pub(crate) tags: &'a mut [[u8; LARGEST_TAG]],
    pub(crate) direction: Direction,
}

/// One of them.
pub(crate) struct Lane<'a, N> {
    pub(crate) nonce: N,
    pub(crate) ad: &'a [u8],
    pub(crate) buf: InOutBuf<'a, 'a, u8>,
    /// To be written.
    pub(crate) tag: &'a mut [u8],
}

impl<N: Bytes> Default for Lane<'_, N> {
    /// No message.
    #[inline(always)]
    fn default() -> Self {
        Self {
            nonce: N::ZERO,
            ad: &[],
            buf: InOutBuf::from(&mut [][..]),
            tag: &mut [],
        }
    }
}

impl<'a, N: Bytes> Lane<'a, N> {
    /// A message that is sealed has space for its tag; one that is opened has its own there, and gets the right
    /// one in `tag`.
    #[inline(always)]
    pub(crate) fn of(
        m: &'a mut Message<'_>,
        tag: &'a mut [u8; LARGEST_TAG],
        direction: Direction,
    ) -> Self {
        let bytes = m.plain_bytes();
        let (data, tag_here) = m.data.split_at(bytes);
        let (out, sealed_tag) = m.out.split_at_mut(bytes);
        Self {
            nonce: *N::of(m.nonce).expect("checked before"),
            ad: m.ad,
            buf: InOutBuf::new(data, out).expect("cut to the same length"),
            tag: match direction {
                Direction::Encrypt => sealed_tag,
                Direction::Decrypt => &mut tag[..tag_here.len()],
            },
        }
    }
}

/// One cipher on one back end that this CPU has: safe functions around the steps.
pub struct Kernel<C: Shape> {
    pub(crate) backend: Backend,
    /// The whole of a message.
    pub(crate) encrypt: OneShot<C>,
    pub(crate) decrypt: OneShot<C>,
    /// The steps one at a time, with the state in memory between them.
    pub(crate) start: fn(&C::Key, &C::Nonce, &mut Saved),
    /// Whole blocks, and a last one that is padded if it is incomplete.
    pub(crate) absorb: fn(&mut Saved, &[u8]),
    pub(crate) encrypt_blocks: fn(&mut Saved, InOutBuf<'_, '_, u8>),
    pub(crate) decrypt_blocks: fn(&mut Saved, InOutBuf<'_, '_, u8>),
    pub(crate) keystream: fn(&Saved, &mut Block<C>),
    pub(crate) finish: fn(&Saved, &C::Key, [u64; 2], &mut [u8]),
    pub(crate) finish_lanes: fn(&mut Saved, [u64; 2], &mut [u8]),
    /// That many whole messages are interleaved, or fewer, if it pays.
    pub(crate) width: usize,
    pub(crate) pays: fn(&[Message<'_>], Direction) -> bool,
    pub(crate) many: Many<C>,
    /// To be called after any of these, from where it was called: clears the dead stack below, in
    /// which spilled state words may lie, and the registers. Best effort.
    pub(crate) wipe_stack: fn(),
    /// The same after `many`.
    pub(crate) wipe_many: fn(),
    /// The same after messages of one length.
    pub(crate) wipe_alike: fn(),
}

/// Key, nonce, associated data, message, tag to be written.
pub(crate) type OneShot<C> =
    fn(&<C as Shape>::Key, &<C as Shape>::Nonce, &[u8], InOutBuf<'_, '_, u8>, &mut [u8]);

/// Key, messages.
pub(crate) type Many<C> = fn(&<C as Shape>::Key, Batch<'_, '_>);

/// The whole of a message. A constant says which way, so that there is no code for the other, not even to
/// be left out again.
#[inline(always)]
pub(crate) fn crypt<C: Stream<L>, L: Copy, const ENCRYPT: bool>(
    l: L,
    key: &C::Key,
    nonce: &C::Nonce,
    ad: &[u8],
    buf: InOutBuf<'_, '_, u8>,
    tag: &mut [u8],
) {
    let s = absorb::<C, L>(l, C::start(l, key, nonce), ad);
    let lengths = [ad.len() as u64, buf.len() as u64];
    let s = crypt_blocks::<C, L, ENCRYPT>(l, s, buf);
    C::finish(l, s, key, lengths, tag);
}

#[inline(always)]
pub(crate) fn absorb<C: Stream<L>, L: Copy>(l: L, mut s: C::State, ad: &[u8]) -> C::State {
    let (blocks, rest) = Array::slice_as_chunks(ad);
    s = C::absorb_whole(l, s, blocks);
    if !rest.is_empty() {
        s = C::absorb_last(l, s, rest);
    }
    s
}

/// Whole blocks, and the incomplete last one.
#[inline(always)]
pub(crate) fn crypt_blocks<C: Stream<L>, L: Copy, const ENCRYPT: bool>(
    l: L,
    s: C::State,
    buf: InOutBuf<'_, '_, u8>,
) -> C::State {
    let (blocks, rest) = buf.into_chunks();
    let s = C::crypt_whole::<ENCRYPT>(l, s, blocks);
    if rest.is_empty() {
        s
    } else if const { ENCRYPT } {
        C::encrypt_last(l, s, rest)
    } else {
        C::decrypt_last(l, s, rest)
    }
}

/// The same where no constant says which way.
#[inline(always)]
pub(crate) fn crypt_either<C: Stream<L>, L: Copy>(
    l: L,
    s: C::State,
    buf: InOutBuf<'_, '_, u8>,
    direction: Direction,
) -> C::State {
    match direction {
        Direction::Encrypt => crypt_blocks::<C, L, true>(l, s, buf),
        Direction::Decrypt => crypt_blocks::<C, L, false>(l, s, buf),
    }
}

/// One block.
#[inline(always)]
pub(crate) fn step<C: Stream<L>, L: Copy, const ENCRYPT: bool>(
    l: L,
    s: C::State,
    block: InOut<'_, '_, Block<C>>,
) -> C::State {
    if const { ENCRYPT } {
        C::encrypt(l, s, block)
    } else {
        C::decrypt(l, s, block)
    }
}

/// `rest`, which is shorter than a block, and what fills the block.
#[inline(always)]
pub(crate) fn padded<C: Shape>(rest: &[u8]) -> Block<C> {
    let mut block = Block::<C>::default();
    block[..rest.len()].copy_from_slice(rest);
    block[rest.len()] = C::PAD;
    block
}
