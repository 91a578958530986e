//! AETHER as published, and our variant with lengths bound. [AETHER, section 2]
//!
//! The paper's letters: S0..S8 is the state, F the function on one word, R(S; X0, X1, X2) the
//! round, K = K0 || K1 the key, N the nonce, Z0, Z1, Z2 the constants, T the tag. A word is 128
//! bits; nibble 0 is the high half of byte 0.
#![forbid(unsafe_code)]

use crate::arch;
use crate::keyed::{Direction, aead};

mod many;
#[cfg(test)]
mod tests;

pub(crate) use many::{Lockstep, run_many};

aead! {
    /// AETHER as published. **Research only: it is forgeable.** [AETHER, section 2]
    ///
    /// Lengths are bound nowhere, and associated data and message enter the state in the same
    /// way. So the boundary between them can be shifted: from one ciphertext `C1 || C2` with tag
    /// `T`, made of associated data `A` and a message `M1 || M2` whose first block `M1` is full
    /// and ends in `80 00..00`, anybody gets the forgery
    ///
    /// ```text
    /// associated data: A padded || M1 without its padding    ciphertext: C2    tag: T
    /// ```
    ///
    /// which verifies always, without the key. Truncation gives more. Protect nothing with it;
    /// [`AetherLb`] differs by one round.
    Aether {
        name: "aether",
        key_bytes: 32,
        backends: [Portable, Avx2, Avx512],
        kernel: arch::aether::<AsPublished>,
        /// Largest message, in bytes. The paper allows 2^128 blocks, more than any slice can hold.
        /// [AETHER, section 2]
        max_message_bytes: u64::MAX,
        /// Largest associated data, in bytes. The paper allows 2^64 blocks, more than any slice
        /// can hold. [AETHER, section 2]
        max_ad_bytes: u64::MAX,
    }
}

aead! {
    /// AETHER-LB, lengths bound: a variant of ours, for study.
    ///
    /// [`Aether`] and one extra round before the finalisation, always:
    /// `R(S; bits of associated data, bits of message, Z1)`, both counts as 128-bit big-endian
    /// words. That closes the boundary shift and the truncations of [`Aether`]. It is not the
    /// designers' cipher and nobody else has analysed it.
    AetherLb {
        name: "aether-lb",
        key_bytes: 32,
        backends: [Portable, Avx2, Avx512],
        kernel: arch::aether::<LengthsBound>,
        /// Largest message, in bytes: no slice is longer, and its bits fit the 128-bit count.
        max_message_bytes: u64::MAX,
        /// Largest associated data, in bytes: no slice is longer, and its bits fit the count.
        max_ad_bytes: u64::MAX,
    }
}

/// What tells the two ciphers apart.
pub(crate) trait Variant {
    const BIND_LENGTHS: bool;
}

pub(crate) struct AsPublished;
impl Variant for AsPublished {
    const BIND_LENGTHS: bool = false;
}

pub(crate) struct LengthsBound;
impl Variant for LengthsBound {
    const BIND_LENGTHS: bool = true;
}

pub(crate) type Word = [u8; 16];
pub(crate) type Block = [u8; BLOCK];

/// Bytes absorbed by one round: X0, X1, X2.
const BLOCK: usize = 48;
pub(crate) const ROUNDS: usize = 20;

const Z0: Word = 0x428a2f98d728ae227137449123ef65cd_u128.to_be_bytes();
const Z1: Word = 0xb5c0fbcfec4d3b2fe9b5dba58189dbbc_u128.to_be_bytes();
const Z2: Word = 0x7137449123ef65cd428a2f98d728ae22_u128.to_be_bytes();

/// A word that the round XORs to an image under F.
#[derive(Clone, Copy)]
pub(crate) enum Addend {
    /// X_j of the absorbed block.
    X(usize),
    /// S_j before the round.
    S(usize),
}
use Addend::{S, X};

/// R: S'\[i\] = F(S\[i - 1\]) ^ ADDENDS\[i\], indices modulo 9. [AETHER, figure 1]
pub(crate) const ADDENDS: [Addend; 9] = [X(0), S(3), S(6), X(1), S(4), X(2), S(8), S(2), S(0)];

/// Keystream word j = F(sum of two words, SUMS\[j\]) ^ S\[MASKS\[j\]\]. [AETHER, section 2]
pub(crate) const SUMS: [[usize; 2]; 3] = [[0, 1], [2, 6], [3, 5]];
pub(crate) const MASKS: [usize; 3] = [4, 7, 8];

/// The vector operations that AETHER asks of a back end; `self` proves that the CPU has them.
pub(crate) trait Lanes: Copy {
    /// S0..S8.
    type State: Copy;
    /// The images of S0..S8 under F and, after `f_and_sums`, of the three sums [`SUMS`].
    type Images: Copy;
    /// X0, X1, X2.
    type Block: Copy;

    fn state(self, words: &[Word; 9]) -> Self::State;
    fn block(self, bytes: &Block) -> Self::Block;
    fn store(self, block: Self::Block, to: &mut Block);
    fn xor_states(self, a: Self::State, b: Self::State) -> Self::State;
    fn xor_blocks(self, a: Self::Block, b: Self::Block) -> Self::Block;
    /// F on the nine words.
    fn f(self, s: Self::State) -> Self::Images;
    /// F on the nine words and on the three sums.
    fn f_and_sums(self, s: Self::State) -> Self::Images;
    /// R by [`ADDENDS`], given the images of `s`.
    fn round(self, images: Self::Images, s: Self::State, x: Self::Block) -> Self::State;
    /// The keystream by [`MASKS`], given the images of `s` and of its sums.
    fn keystream(self, images: Self::Images, s: Self::State) -> Self::Block;
    /// XOR of the nine words.
    fn fold(self, s: Self::State) -> Word;

    /// Whole blocks of plaintext to ciphertext, each with its round.
    #[inline(always)]
    fn encrypt_blocks(self, mut s: Self::State, blocks: &mut [Block]) -> Self::State {
        for block in blocks {
            let m = self.block(block);
            let images = self.f_and_sums(s);
            self.store(self.xor_blocks(m, self.keystream(images, s)), block);
            s = self.round(images, s, m);
        }
        s
    }

    /// Whole blocks of ciphertext to plaintext, each with its round.
    #[inline(always)]
    fn decrypt_blocks(self, mut s: Self::State, blocks: &mut [Block]) -> Self::State {
        for block in blocks {
            let images = self.f_and_sums(s);
            let m = self.xor_blocks(self.block(block), self.keystream(images, s));
            self.store(m, block);
            s = self.round(images, s, m);
        }
        s
    }
}

/// The cipher on one message. Inlined whole into each back end's entry point, so that no call
/// crosses from code with the instruction set to code without.
#[inline(always)]
pub(crate) fn run<V: Variant, L: Lanes>(
    l: L,
    key: &[u8; 32],
    nonce: &[u8; 16],
    ad: &[u8],
    buf: &mut [u8],
    direction: Direction,
) -> Word {
    let [k0, k1] = [0, 16].map(|at| word(&key[at..at + 16]));
    let mut s = initialise(l, k0, k1, *nonce);
    s = absorb(l, s, ad);
    let message_bytes = buf.len();
    s = match direction {
        Direction::Encrypt => encrypt(l, s, buf),
        Direction::Decrypt => decrypt(l, s, buf),
    };
    if V::BIND_LENGTHS {
        s = update(
            l,
            s,
            l.block(&join(bits(ad.len()), bits(message_bytes), Z1)),
        );
    }
    finalise(l, s, k0, k1)
}

#[inline(always)]
fn initialise<L: Lanes>(l: L, k0: Word, k1: Word, n: Word) -> L::State {
    let zero = [0; 16];
    let n_k0 = core::array::from_fn(|i| n[i] ^ k0[i]);
    let s = l.state(&[Z1, k0, n_k0, zero, Z0, zero, n, k1, Z2]);
    let s = rounds(l, s, l.block(&join(Z0, Z1, Z2)));
    l.xor_states(s, l.state(&[k0, k0, k0, k0, k1, k0, k1, k1, k1]))
}

#[inline(always)]
fn finalise<L: Lanes>(l: L, s: L::State, k0: Word, k1: Word) -> Word {
    let s = l.xor_states(s, l.state(&[k0, k0, k1, k1, k0, k0, k1, k0, k1]));
    let s = rounds(l, s, l.block(&join(k0, Z0, k1)));
    l.fold(l.xor_states(s, l.state(&[k1, k0, k0, k0, k1, k0, k0, k1, k1])))
}

#[inline(always)]
fn rounds<L: Lanes>(l: L, mut s: L::State, x: L::Block) -> L::State {
    for _ in 0..ROUNDS {
        s = update(l, s, x);
    }
    s
}

/// R(S; X0, X1, X2).
#[inline(always)]
fn update<L: Lanes>(l: L, s: L::State, x: L::Block) -> L::State {
    l.round(l.f(s), s, x)
}

#[inline(always)]
fn absorb<L: Lanes>(l: L, mut s: L::State, ad: &[u8]) -> L::State {
    let (blocks, rest) = ad.as_chunks::<BLOCK>();
    for block in blocks {
        s = update(l, s, l.block(block));
    }
    if !rest.is_empty() {
        s = update(l, s, l.block(&padded(rest)));
    }
    s
}

#[inline(always)]
fn encrypt<L: Lanes>(l: L, mut s: L::State, buf: &mut [u8]) -> L::State {
    let (blocks, rest) = buf.as_chunks_mut::<BLOCK>();
    s = l.encrypt_blocks(s, blocks);
    if !rest.is_empty() {
        let mut last = padded(rest);
        let m = l.block(&last);
        let images = l.f_and_sums(s);
        l.store(l.xor_blocks(m, l.keystream(images, s)), &mut last);
        rest.copy_from_slice(&last[..rest.len()]);
        s = l.round(images, s, m);
    }
    s
}

#[inline(always)]
fn decrypt<L: Lanes>(l: L, mut s: L::State, buf: &mut [u8]) -> L::State {
    let (blocks, rest) = buf.as_chunks_mut::<BLOCK>();
    s = l.decrypt_blocks(s, blocks);
    if !rest.is_empty() {
        let images = l.f_and_sums(s);
        let mut keystream = [0; BLOCK];
        l.store(l.keystream(images, s), &mut keystream);
        rest.iter_mut().zip(keystream).for_each(|(c, k)| *c ^= k);
        s = l.round(images, s, l.block(&padded(rest)));
    }
    s
}

/// Byte 80, then zeros. Only for a length that is not a multiple of 48 bytes. [AETHER, section 2]
#[inline(always)]
fn padded(rest: &[u8]) -> Block {
    let mut block = [0; BLOCK];
    block[..rest.len()].copy_from_slice(rest);
    block[rest.len()] = 0x80;
    block
}

#[inline(always)]
fn join(x0: Word, x1: Word, x2: Word) -> Block {
    let mut block = [0; BLOCK];
    for (to, from) in block.chunks_exact_mut(16).zip([x0, x1, x2]) {
        to.copy_from_slice(&from);
    }
    block
}

/// The bits of so many bytes, big endian.
#[inline(always)]
fn bits(bytes: usize) -> Word {
    (8 * bytes as u128).to_be_bytes()
}

#[inline(always)]
fn word(bytes: &[u8]) -> Word {
    bytes.try_into().expect("16 bytes")
}
