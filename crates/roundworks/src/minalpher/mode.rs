//! The mode: tweakable Even-Mansour with P on every block, all of them independent.
#![forbid(unsafe_code)]

use inout::InOutBuf;

use super::lanes::{BACKWARD, BLOCK, Block, FORWARD, Lanes};
use super::tweaks::Tweaks;
use crate::backend::Backend;
use crate::stream::wipe;

/// Most blocks that end a message: up to three that are full, and the padded one.
pub(crate) const LAST: usize = 4;

/// Blocks of a batch that fills every back end.
pub(crate) const BATCH: usize = 64;

/// The forms of P that a back end has.
pub(crate) trait Engine: Copy {
    /// For up to four blocks, quickly.
    type Narrow: Lanes<Bytes = [u8; LAST * BLOCK]>;

    fn narrow(self) -> Self::Narrow;

    /// P on `n` of the blocks, one or two, even more quickly; what the others become is undefined.
    fn permute(self, blocks: &mut [Block; 2], n: usize);
}

/// An engine with a form for many blocks.
#[cfg(target_arch = "x86_64")]
pub(crate) trait Wide: Engine {
    type Lanes: Lanes;
    /// From that many blocks on it is faster to leave part of a batch empty.
    const FROM: usize;

    fn wide(self) -> Self::Lanes;
}

/// Tweaks, and the sum of the images of the blocks hashed so far.
#[derive(Clone)]
pub(crate) struct Chain {
    /// Of a message: the odd power of the next block is next. Of a hash: the power before it.
    pub(crate) tweaks: Tweaks,
    pub(crate) sum: Block,
}

impl Chain {
    #[inline(always)]
    pub(crate) fn new(l: &Block) -> Self {
        Self {
            tweaks: Tweaks::new(l),
            sum: [0; BLOCK],
        }
    }

    /// What P takes for the last block of a hash, and the mask to be added to its image: the tweak
    /// times (y + 1)^e, where (y + 1)^2 = y^2 + 1.
    #[inline(always)]
    pub(crate) fn last(&mut self, block: &Block, e: usize) -> [Block; 2] {
        let (now, later) = (self.tweaks.tweak(0), self.tweaks.tweak(e));
        let mask = xor(&now, &later);
        [xor(&xor(&self.sum, block), &mask), mask]
    }

    pub(crate) fn wipe(&mut self) {
        self.tweaks.wipe();
        wipe(&mut self.sum);
    }
}

#[inline(always)]
pub(crate) fn xor(a: &Block, b: &Block) -> Block {
    core::array::from_fn(|i| a[i] ^ b[i])
}

/// Minalpher on one back end that this CPU has. Data are whole blocks.
pub(crate) struct Kernel {
    pub(crate) backend: Backend,
    /// P on one or two of the blocks.
    pub(crate) permute: fn(&mut [Block; 2], usize),
    /// Encrypts under odd powers of y and hashes what results under even ones.
    pub(crate) encrypt: fn(&mut Chain, InOutBuf<'_, '_, u8>),
    /// The same with the last blocks, of which there are 1 to 4; the very last is not hashed.
    pub(crate) encrypt_last: fn(&mut Chain, &mut [u8; LAST * BLOCK], usize),
    /// Hashes ciphertext under even powers.
    pub(crate) hash_ciphertext: fn(&mut Chain, &[u8]),
    /// Decrypts under odd powers.
    pub(crate) decrypt: fn(&mut Chain, InOutBuf<'_, '_, u8>),
    /// Hashes under all powers.
    pub(crate) hash: fn(&mut Chain, &[u8]),
    /// To be called afterwards, from where the others were called: clears the dead stack below, in
    /// which they leave spilled words, and the registers. Best effort.
    /// The more, the more bytes of data they were given.
    pub(crate) wipe_stack: fn(data_bytes: usize),
}

/// What happens to a batch: first what is written, then what is hashed.
pub(crate) trait Step<L: Lanes> {
    /// Powers of y before that of the first block.
    const FROM: usize;
    /// Powers of y for each block.
    const STRIDE: usize;
    const WRITES: bool;
    const HASHES: bool;
    type Tweaks;
    fn tweaks(l: L, window: &[u8]) -> Self::Tweaks;
    fn first(l: L, tweaks: &Self::Tweaks, x: &mut L::State);
    fn second(l: L, tweaks: &Self::Tweaks, x: &mut L::State);
}

pub(crate) struct Encrypt;
pub(crate) struct Decrypt;
pub(crate) struct HashCiphertext;
pub(crate) struct Hash;

impl<L: Lanes> Step<L> for Encrypt {
    const FROM: usize = 0;
    const STRIDE: usize = 2;
    const WRITES: bool = true;
    const HASHES: bool = true;
    type Tweaks = [L::Tweaks; 2];

    #[inline(always)]
    fn tweaks(l: L, window: &[u8]) -> [L::Tweaks; 2] {
        l.pairs(window)
    }

    #[inline(always)]
    fn first(l: L, [odd, _]: &[L::Tweaks; 2], x: &mut L::State) {
        l.tem(x, odd, &FORWARD);
    }

    #[inline(always)]
    fn second(l: L, [_, even]: &[L::Tweaks; 2], x: &mut L::State) {
        l.tem(x, even, &FORWARD);
    }
}

impl<L: Lanes> Step<L> for Decrypt {
    const FROM: usize = 0;
    const STRIDE: usize = 2;
    const WRITES: bool = true;
    const HASHES: bool = false;
    type Tweaks = L::Tweaks;

    #[inline(always)]
    fn tweaks(l: L, window: &[u8]) -> L::Tweaks {
        let [odd, _] = l.pairs(window);
        odd
    }

    #[inline(always)]
    fn first(l: L, odd: &L::Tweaks, x: &mut L::State) {
        l.tem(x, odd, &BACKWARD);
    }

    #[inline(always)]
    fn second(_: L, _: &L::Tweaks, _: &mut L::State) {}
}

impl<L: Lanes> Step<L> for HashCiphertext {
    const FROM: usize = 0;
    const STRIDE: usize = 2;
    const WRITES: bool = false;
    const HASHES: bool = true;
    type Tweaks = L::Tweaks;

    #[inline(always)]
    fn tweaks(l: L, window: &[u8]) -> L::Tweaks {
        let [_, even] = l.pairs(window);
        even
    }

    #[inline(always)]
    fn first(_: L, _: &L::Tweaks, _: &mut L::State) {}

    #[inline(always)]
    fn second(l: L, even: &L::Tweaks, x: &mut L::State) {
        l.tem(x, even, &FORWARD);
    }
}

impl<L: Lanes> Step<L> for Hash {
    const FROM: usize = 1;
    const STRIDE: usize = 1;
    const WRITES: bool = false;
    const HASHES: bool = true;
    type Tweaks = L::Tweaks;

    #[inline(always)]
    fn tweaks(l: L, window: &[u8]) -> L::Tweaks {
        l.every(window)
    }

    #[inline(always)]
    fn first(_: L, _: &L::Tweaks, _: &mut L::State) {}

    #[inline(always)]
    fn second(l: L, tweaks: &L::Tweaks, x: &mut L::State) {
        l.tem(x, tweaks, &FORWARD);
    }
}

/// Where blocks come from and go to.
pub(crate) trait Data: Sized {
    fn blocks(&self) -> usize;
    fn take(self, blocks: usize) -> (Self, Self);
    fn read(&self) -> &[u8];
    fn write(&mut self) -> &mut [u8];
}

impl Data for InOutBuf<'_, '_, u8> {
    #[inline(always)]
    fn blocks(&self) -> usize {
        self.len() / BLOCK
    }

    #[inline(always)]
    fn take(self, blocks: usize) -> (Self, Self) {
        self.split_at(BLOCK * blocks)
    }

    #[inline(always)]
    fn read(&self) -> &[u8] {
        self.get_in()
    }

    #[inline(always)]
    fn write(&mut self) -> &mut [u8] {
        self.get_out()
    }
}

impl Data for &[u8] {
    #[inline(always)]
    fn blocks(&self) -> usize {
        self.len() / BLOCK
    }

    #[inline(always)]
    fn take(self, blocks: usize) -> (Self, Self) {
        self.split_at(BLOCK * blocks)
    }

    #[inline(always)]
    fn read(&self) -> &[u8] {
        self
    }

    /// Nothing that only reads writes.
    #[inline(always)]
    fn write(&mut self) -> &mut [u8] {
        &mut []
    }
}

/// Batches as long as `minimum` blocks are left; returns the rest.
#[inline(always)]
pub(crate) fn batches<L: Lanes, S: Step<L>, D: Data>(
    l: L,
    chain: &mut Chain,
    mut data: D,
    minimum: usize,
) -> D {
    let mut sum = l.zero();
    let mut summed = false;
    let mut x = l.zero();
    let mut bytes = l.bytes();
    while data.blocks() >= minimum {
        let n = data.blocks().min(L::BLOCKS);
        let (mut now, rest) = data.take(n);
        data = rest;
        let window = chain.tweaks.window(S::FROM + S::STRIDE * L::BLOCKS);
        let tweaks = S::tweaks(l, &window[S::FROM..]);
        let full = n == L::BLOCKS;
        if full {
            l.load(now.read(), &mut x);
        } else {
            copy(now.read(), bytes.as_mut());
            l.load(bytes.as_ref(), &mut x);
            l.only(&mut x, n);
        }
        S::first(l, &tweaks, &mut x);
        if S::WRITES && full {
            l.store(&x, now.write());
        } else if S::WRITES {
            l.store(&x, bytes.as_mut());
            copy(bytes.as_ref(), now.write());
        }
        if data.blocks() >= minimum {
            // Long before they are loaded: what was just stored in smaller parts comes late.
            chain.tweaks.window(S::FROM + 2 * S::STRIDE * L::BLOCKS);
        }
        S::second(l, &tweaks, &mut x);
        if S::HASHES && full {
            l.add(&mut sum, &x);
            summed = true;
        } else if S::HASHES {
            l.store(&x, bytes.as_mut());
            add_blocks(&mut chain.sum, &bytes.as_ref()[..BLOCK * n]);
        }
        chain.tweaks.advance(S::STRIDE * n);
    }
    if summed {
        l.store(&sum, bytes.as_mut());
        add_blocks(&mut chain.sum, bytes.as_ref());
    }
    wipe(bytes.as_mut());
    data
}

/// Block by block, so that no function is called for the few there are.
#[inline(always)]
fn copy(from: &[u8], to: &mut [u8]) {
    let (from, to) = (from.as_chunks::<BLOCK>().0, to.as_chunks_mut::<BLOCK>().0);
    for (to, from) in to.iter_mut().zip(from) {
        *to = *from;
    }
}

#[inline(always)]
fn add_blocks(sum: &mut Block, blocks: &[u8]) {
    for block in blocks.as_chunks::<BLOCK>().0 {
        *sum = xor(sum, block);
    }
}

/// Batches of the narrow form.
#[inline(always)]
pub(crate) fn narrow<E: Engine, S: Step<E::Narrow>, D: Data>(e: E, chain: &mut Chain, data: D) {
    batches::<E::Narrow, S, D>(e.narrow(), chain, data, 1);
}

/// [`Kernel::encrypt_last`]. Leaves the tweaks at that of the very last block.
#[inline(always)]
pub(crate) fn encrypt_last<E: Engine>(
    e: E,
    chain: &mut Chain,
    blocks: &mut [u8; LAST * BLOCK],
    n: usize,
) {
    let l = e.narrow();
    let mut x = l.zero();
    l.load(blocks, &mut x);
    l.only(&mut x, n);
    let [odd, even] = l.pairs(chain.tweaks.window(2 * LAST));
    tem_of_last(e, &mut x, &odd, n);
    l.store(&x, blocks);
    if n > 1 {
        l.only(&mut x, n - 1);
        tem_of_last(e, &mut x, &even, n - 1);
        let mut images = l.bytes();
        l.store(&x, &mut images);
        add_blocks(&mut chain.sum, &images[..BLOCK * (n - 1)]);
        wipe(&mut images);
    }
    chain.tweaks.advance(2 * (n - 1));
}

/// Of the first n blocks; the others may get any value.
#[inline(always)]
fn tem_of_last<E: Engine>(
    e: E,
    x: &mut <E::Narrow as Lanes>::State,
    tweaks: &<E::Narrow as Lanes>::Tweaks,
    n: usize,
) {
    let l = e.narrow();
    if n > 2 {
        return l.tem(x, tweaks, &FORWARD);
    }
    let mut bytes = l.bytes();
    l.mask(x, tweaks);
    l.store(x, &mut bytes);
    let two = bytes.as_chunks_mut::<BLOCK>().0.first_chunk_mut();
    e.permute(two.expect("two of four blocks"), n);
    l.load(&bytes, x);
    l.only(x, n);
    l.mask(x, tweaks);
    wipe(&mut bytes);
}

/// [`Kernel::permute`]
#[inline(always)]
pub(crate) fn permute<E: Engine>(e: E, blocks: &mut [Block; 2], n: usize) {
    e.permute(blocks, n);
}
