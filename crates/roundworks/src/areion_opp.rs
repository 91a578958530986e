//! Areion256-OPP and Areion512-OPP: the mode OPP over Areion. [OPP, table 1] [AREION-CODE]
//!
//! A block x is enciphered as m ^ P(m ^ x) with a mask m of its own, so that blocks can be interleaved.
//! The letters: phi moves a mask on, beta = phi + 1, gamma = phi^2 + phi + 1. A mask is words of 64
//! bits x0, x1, ..., of which phi drops the first and appends a new one.
#![forbid(unsafe_code)]

mod masks;
#[cfg(test)]
mod tests;

use hybrid_array::Array;
use hybrid_array::typenum::{U32, U64};
use inout::{InOut, InOutBuf};

use crate::aes::{Lane, xor};
use crate::areion::Areion;
use crate::keyed::aead;
use crate::permutation::Parameters;
use crate::permutation::kernel::{Family, Permuting};
use crate::stream::{Block, Direction, Shape, Stream, padded};
use masks::{Mask, Masks, WORDS, beta, gamma};

aead! {
    /// OPP over Areion-256: blocks of 32 bytes. [AREION-CODE]
    ///
    /// Key, nonce and tag of 16 bytes. A nonce used twice under one key shows which blocks are equal, and
    /// breaks authenticity.
    Areion256Opp {
        name: "areion-256-opp",
        algorithm: Opp<2>,
        sizes: 16, 16, 16,
        backends: [Portable, Aesni, Vaes256, Vaes512, Aarch64],
        kernel: crate::arch::aes,
        max_bytes: u64::MAX, u64::MAX,
        incremental: BlockEncryptor, BlockDecryptor,
    }
}
aead! {
    /// OPP over Areion-512: blocks of 64 bytes. [AREION-CODE]
    ///
    /// Key, nonce and tag of 16 bytes. A nonce used twice under one key shows which blocks are equal, and
    /// breaks authenticity.
    Areion512Opp {
        name: "areion-512-opp",
        algorithm: Opp<4>,
        sizes: 16, 16, 16,
        backends: [Portable, Aesni, Vaes256, Vaes512, Aarch64],
        kernel: crate::arch::aes,
        max_bytes: u64::MAX, u64::MAX,
        incremental: BlockEncryptor, BlockDecryptor,
    }
}

/// The mode with blocks of `W` lanes.
pub struct Opp<const W: usize>;

/// What differs between the two.
pub(crate) trait Size: Shape<Key = [u8; 16], Nonce = [u8; 16]> {
    const P: Parameters;
    /// The word that phi appends to a mask that begins so.
    fn next(x: &[u64]) -> u64;
}

impl Shape for Opp<2> {
    type Key = [u8; 16];
    type Nonce = [u8; 16];
    type Rate = U32;
    const PAD: u8 = 1;
}

impl Size for Opp<2> {
    const P: Parameters = Parameters::of_rounds(10);

    #[inline(always)]
    fn next(x: &[u64]) -> u64 {
        x[0].rotate_left(3) ^ x[3] >> 5
    }
}

impl Shape for Opp<4> {
    type Key = [u8; 16];
    type Nonce = [u8; 16];
    type Rate = U64;
    const PAD: u8 = 1;
}

impl Size for Opp<4> {
    const P: Parameters = Parameters::of_rounds(15);

    #[inline(always)]
    fn next(x: &[u64]) -> u64 {
        x[0].rotate_left(29) ^ x[1] << 9
    }
}

/// Associated data or message, so far.
#[derive(Clone, Copy)]
pub struct Part<const W: usize> {
    /// Of the next block.
    mask: Mask,
    sum: [Lane; W],
}

#[derive(Clone, Copy)]
pub struct State<const W: usize> {
    ad: Part<W>,
    message: Part<W>,
}

/// One block under a mask: m ^ P(m ^ x).
#[inline(always)]
fn masked<L: Permuting, const W: usize>(l: L, mask: &Mask, block: &mut [Lane; W])
where
    Areion: Family<W>,
    Opp<W>: Size,
{
    let masks = Masks::<W, WORDS>::new(mask, 0);
    masks.add(0, block);
    (l.permutation::<Areion, _, W>().forward)(&Opp::<W>::P, block, 1);
    masks.add(0, block);
}

/// P or its inverse on the first `n` of up to a batch of blocks. A few are as fast as more of them interleaved, so
/// those behind them may be permuted, too.
#[inline(always)]
fn permute_few<L: Permuting, const W: usize>(
    l: L,
    direction: Direction,
    blocks: &mut [[Lane; W]],
    n: usize,
) where
    Areion: Family<W>,
    Opp<W>: Size,
{
    let kernel = l.permutation::<Areion, _, W>();
    let permute = match direction {
        Direction::Encrypt => kernel.forward_many,
        Direction::Decrypt => kernel.backward_many,
    };
    permute(&Opp::<W>::P, &mut blocks[..together::<L, W>(n)]);
}

/// How many blocks take no longer than `n`, which is at most a batch.
#[inline(always)]
fn together<L: Permuting, const W: usize>(n: usize) -> usize {
    match n {
        1 => 1,
        _ if n <= 2 * L::LANES => n.next_multiple_of(L::LANES),
        _ => L::batch(W),
    }
}

#[inline(always)]
fn add<const W: usize>(sum: &mut [Lane; W], block: &[Lane; W]) {
    for (x, y) in sum.iter_mut().zip(block) {
        *x = xor(*x, *y);
    }
}

impl<const W: usize> Part<W>
where
    Areion: Family<W>,
    Opp<W>: Size,
{
    /// Takes up to `N` blocks of associated data in, for which `M` words of masks are enough.
    #[inline(always)]
    fn absorb<L: Permuting, const N: usize, const M: usize>(
        &mut self,
        l: L,
        blocks: &[Block<Opp<W>>],
    ) {
        let n = blocks.len();
        let masks = Masks::<W, M>::new(&self.mask, n);
        let mut all = [[[0; 16]; W]; N];
        for (i, (to, from)) in all.iter_mut().zip(blocks).enumerate() {
            *to = lanes(from);
            masks.add(i, to);
        }
        permute_few(l, Direction::Encrypt, &mut all, n);
        for (i, block) in all[..n].iter_mut().enumerate() {
            masks.add(i, block);
            add(&mut self.sum, block);
        }
        self.mask = masks.at(n);
    }

    /// Up to `N` blocks of a message.
    #[inline(always)]
    fn crypt<L: Permuting, const N: usize, const M: usize>(
        &mut self,
        l: L,
        mut blocks: InOutBuf<'_, '_, Block<Opp<W>>>,
        direction: Direction,
    ) {
        let n = blocks.len();
        let masks = Masks::<W, M>::new(&self.mask, n);
        for (i, mut block) in blocks.reborrow().into_iter().enumerate() {
            let mut x = lanes(block.get_in());
            if let Direction::Encrypt = direction {
                add(&mut self.sum, &x);
            }
            masks.add(i, &mut x);
            block.get_out().copy_from_slice(x.as_flattened());
        }
        let bytes = Array::slice_as_flattened_mut(blocks.get_out());
        let out: &mut [[Lane; W]] = bytes.as_chunks_mut().0.as_chunks_mut().0;
        if together::<L, W>(n) == n {
            permute_few(l, direction, out, n);
        } else {
            let mut all = [[[0; 16]; W]; N];
            all[..n].copy_from_slice(out);
            permute_few(l, direction, &mut all, n);
            out.copy_from_slice(&all[..n]);
        }
        for (i, block) in out.iter_mut().enumerate() {
            masks.add(i, block);
            if let Direction::Decrypt = direction {
                add(&mut self.sum, block);
            }
        }
        self.mask = masks.at(n);
    }
}

/// A call of `absorb` or `crypt` with arrays for a batch of this back end. What they hold is in frames that are
/// cleared after each message.
macro_rules! batch {
    ($part:expr, $what:ident($($given:expr),+)) => {
        match L::batch(W) {
            ..=8 => $part.$what::<L, 8, { WORDS + 8 }>($($given),+),
            ..=16 => $part.$what::<L, 16, { WORDS + 16 }>($($given),+),
            batch => {
                debug_assert!(batch <= 32);
                $part.$what::<L, 32, { WORDS + 32 }>($($given),+);
            }
        }
    };
}

#[inline(always)]
fn lanes<const W: usize>(block: &[u8]) -> [Lane; W] {
    let lanes = block.as_chunks().0;
    lanes.try_into().expect("a block")
}

impl<L: Permuting, const W: usize> Stream<L> for Opp<W>
where
    Areion: Family<W>,
    Self: Size,
{
    type State = State<W>;
    const BATCHES: bool = true;

    /// La = P(nonce || 0 || key), and gamma of it for the message.
    #[inline(always)]
    fn start(l: L, key: &[u8; 16], nonce: &[u8; 16]) -> State<W> {
        let mut block = [[0; 16]; W];
        (block[0], block[W - 1]) = (*nonce, *key);
        (l.permutation::<Areion, _, W>().forward)(&Self::P, &mut block, 1);
        let mut la = [0; WORDS];
        for (to, from) in la.iter_mut().zip(block.as_flattened().as_chunks().0) {
            *to = u64::from_le_bytes(*from);
        }
        let part = |mask| Part {
            mask,
            sum: [[0; 16]; W],
        };
        State {
            ad: part(la),
            message: part(gamma::<W>(&la)),
        }
    }

    #[inline(always)]
    fn absorb(l: L, mut s: State<W>, block: &Block<Self>) -> State<W> {
        s.ad.absorb::<L, 1, { WORDS + 1 }>(l, core::slice::from_ref(block));
        s
    }

    #[inline(always)]
    fn absorb_whole(l: L, mut s: State<W>, blocks: &[Block<Self>]) -> State<W> {
        for batch in blocks.chunks(L::batch(W)) {
            batch!(s.ad, absorb(l, batch));
        }
        s
    }

    /// Of an incomplete block: the image of zero under beta of its mask.
    #[inline(always)]
    fn keystream(l: L, s: State<W>) -> Block<Self> {
        let mut block = [[0; 16]; W];
        masked(l, &beta::<W>(&s.message.mask), &mut block);
        let mut stream = Block::<Self>::default();
        stream.copy_from_slice(block.as_flattened());
        stream
    }

    #[inline(always)]
    fn encrypt(l: L, s: State<W>, block: InOut<'_, '_, Block<Self>>) -> State<W> {
        Self::crypt_whole::<true>(l, s, block.into_buf().into_chunks().0)
    }

    #[inline(always)]
    fn decrypt(l: L, s: State<W>, block: InOut<'_, '_, Block<Self>>) -> State<W> {
        Self::crypt_whole::<false>(l, s, block.into_buf().into_chunks().0)
    }

    #[inline(always)]
    fn crypt_whole<const ENCRYPT: bool>(
        l: L,
        mut s: State<W>,
        mut blocks: InOutBuf<'_, '_, Block<Self>>,
    ) -> State<W> {
        let direction = Direction::of::<ENCRYPT>();
        while !blocks.is_empty() {
            let n = blocks.len().min(L::batch(W));
            let (batch, rest) = blocks.split_at(n);
            batch!(s.message, crypt(l, batch, direction));
            blocks = rest;
        }
        s
    }

    #[inline(always)]
    fn absorb_last(l: L, mut s: State<W>, rest: &[u8]) -> State<W> {
        s.ad.mask = beta::<W>(&s.ad.mask);
        Self::absorb(l, s, &padded::<Self>(rest))
    }

    #[inline(always)]
    fn encrypt_last(l: L, mut s: State<W>, mut rest: InOutBuf<'_, '_, u8>) -> State<W> {
        let stream = Self::keystream(l, s);
        add(&mut s.message.sum, &lanes(&padded::<Self>(rest.get_in())));
        rest.xor_in2out(&stream[..rest.len()]);
        s.message.mask = beta::<W>(&s.message.mask);
        s
    }

    #[inline(always)]
    fn decrypt_last(l: L, mut s: State<W>, mut rest: InOutBuf<'_, '_, u8>) -> State<W> {
        let stream = Self::keystream(l, s);
        rest.xor_in2out(&stream[..rest.len()]);
        add(&mut s.message.sum, &lanes(&padded::<Self>(rest.get_out())));
        s.message.mask = beta::<W>(&s.message.mask);
        s
    }

    /// The image of the message's sum under beta twice, and the sum of the associated data's
    /// images. Lengths are bound by the masks.
    #[inline(always)]
    fn finish(l: L, s: State<W>, _: &[u8; 16], _: [u64; 2], tag: &mut [u8]) {
        let mut block = s.message.sum;
        masked(l, &beta::<W>(&beta::<W>(&s.message.mask)), &mut block);
        add(&mut block, &s.ad.sum);
        tag.copy_from_slice(&block.as_flattened()[..tag.len()]);
    }
}
