//! AETHER as published, and our variant with lengths bound. [AETHER, section 2]
//!
//! The paper's letters: S0..S8 is the state, F the function on one word, R(S; X0, X1, X2) the
//! round, K = K0 || K1 the key, N the nonce, Z0, Z1, Z2 the constants, T the tag. A word is 128
//! bits; nibble 0 is the high half of byte 0.
#![forbid(unsafe_code)]

use core::array::from_fn;
use core::marker::PhantomData;

use hybrid_array::{Array, typenum::U48};
use inout::{InOut, InOutBuf};

use crate::arch;
use crate::cipher::Message;
use crate::keyed::aead;
use crate::stream::{Batch, Block, Direction, Shape, Stream};

#[cfg(target_arch = "x86_64")] // where the one back end is that has lanes for it
mod many;
#[cfg(test)]
mod tests;

#[cfg(target_arch = "x86_64")]
pub(crate) use many::{Batched, InPlace, run_many};

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
        algorithm: AsPublished,
        sizes: 32, 16, 16,
        backends: [Portable, Avx2, Avx512],
        kernel: arch::nibbles,
        max_bytes: MAX_BYTES, MAX_BYTES,
        incremental: Encryptor, Decryptor,
        study: true,
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
        algorithm: LengthsBound,
        sizes: 32, 16, 16,
        backends: [Portable, Avx2, Avx512],
        kernel: arch::nibbles,
        max_bytes: MAX_BYTES, MAX_BYTES,
        incremental: Encryptor, Decryptor,
        study: true,
    }
}

/// No slice is longer. The paper allows 2^128 blocks of message and 2^64 of associated data; our
/// variant counts bits in 128. [AETHER, section 2]
const MAX_BYTES: u64 = u64::MAX;

/// How the two ciphers differ.
pub trait Variant: 'static {
    const BIND_LENGTHS: bool;
}

pub struct Published;
impl Variant for Published {
    const BIND_LENGTHS: bool = false;
}

pub struct Bound;
impl Variant for Bound {
    const BIND_LENGTHS: bool = true;
}

pub struct Algorithm<V>(PhantomData<V>);
pub(crate) type AsPublished = Algorithm<Published>;
pub(crate) type LengthsBound = Algorithm<Bound>;

impl<V: Variant> Shape for Algorithm<V> {
    type Key = [u8; 32];
    type Nonce = [u8; 16];
    type Rate = U48;
    /// Only for a length that is not a multiple of 48 bytes. [AETHER, section 2]
    const PAD: u8 = 0x80;
    const WIDEST: usize = 16;
}

pub(crate) type Word = [u8; 16];

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

/// The vector operations that AETHER needs of a back end; `self` proves that the CPU has them.
pub(crate) trait Lanes: Copy {
    /// S0..S8.
    type State: Copy;
    /// The images of S0..S8 under F and, after `f_and_sums`, of the three sums [`SUMS`].
    type Images: Copy;
    /// X0, X1, X2.
    type Block: Copy;

    fn state(self, words: &[Word; 9]) -> Self::State;
    fn block(self, bytes: &[u8; BLOCK]) -> Self::Block;
    fn store(self, block: Self::Block, to: &mut [u8; BLOCK]);
    fn xor_states(self, a: Self::State, b: Self::State) -> Self::State;
    /// XORs the second key to words whose bit in `WHICH` is set, and the first to all others.
    #[inline(always)]
    fn add_keys<const WHICH: u16>(self, s: Self::State, keys: [Word; 2]) -> Self::State {
        let words = from_fn(|i| keys[usize::from(WHICH >> i & 1)]);
        self.xor_states(s, self.state(&words))
    }
    fn xor_blocks(self, a: Self::Block, b: Self::Block) -> Self::Block;
    /// F on the nine words.
    fn f(self, s: Self::State) -> Self::Images;
    /// F on the nine words and on the three sums.
    fn f_and_sums(self, s: Self::State) -> Self::Images;
    /// R by [`ADDENDS`], given the images of `s`.
    fn round(self, images: Self::Images, s: Self::State, x: Self::Block) -> Self::State;
    /// [`ROUNDS`] times R, with the same block, which came from memory.
    #[inline(always)]
    fn all_rounds(self, mut s: Self::State, x: Self::Block) -> Self::State {
        for _ in 0..ROUNDS {
            s = self.round(self.f(s), s, x);
        }
        s
    }
    /// The keystream by [`MASKS`], given the images of `s` and of its sums.
    fn keystream(self, images: Self::Images, s: Self::State) -> Self::Block;
    /// XOR of the nine words.
    fn fold(self, s: Self::State) -> Word;

    /// Plaintext to ciphertext, and a round for each block.
    #[inline(always)]
    fn encrypt_blocks(self, s: Self::State, blocks: Blocks<'_>) -> Self::State {
        encrypt_each(self, s, blocks)
    }

    /// Ciphertext to plaintext, and a round for each block.
    #[inline(always)]
    fn decrypt_blocks(self, s: Self::State, blocks: Blocks<'_>) -> Self::State {
        decrypt_each(self, s, blocks)
    }

    /// Messages that are interleaved.
    const WIDTH: usize = 1;
    /// See [`Stream::pays`]; of that many messages, the shortest with that many bytes.
    #[inline(always)]
    fn pays(count: usize, _bytes: usize, _direction: Direction) -> bool {
        count == Self::WIDTH
    }
    /// At most `WIDTH` whole messages, if it pays.
    #[inline(always)]
    fn many<V: Variant>(self, _: &[u8; 32], _: Batch<'_, '_>) {
        unreachable!("WIDTH is 1");
    }
}

/// Plaintext to ciphertext, block after block.
#[inline(always)]
pub(crate) fn encrypt_each<L: Lanes>(l: L, mut s: L::State, blocks: Blocks<'_>) -> L::State {
    for mut block in blocks {
        let m = l.block(&block.get_in().0);
        let images = l.f_and_sums(s);
        let c = l.xor_blocks(m, l.keystream(images, s));
        l.store(c, &mut block.get_out().0);
        s = l.round(images, s, m);
    }
    s
}

/// Ciphertext to plaintext, block after block.
#[inline(always)]
pub(crate) fn decrypt_each<L: Lanes>(l: L, mut s: L::State, blocks: Blocks<'_>) -> L::State {
    for mut block in blocks {
        let images = l.f_and_sums(s);
        let c = l.block(&block.get_in().0);
        let m = l.xor_blocks(c, l.keystream(images, s));
        l.store(m, &mut block.get_out().0);
        s = l.round(images, s, m);
    }
    s
}

/// Whole blocks of message.
pub(crate) type Blocks<'a> = InOutBuf<'a, 'a, Array<u8, U48>>;

impl<V: Variant, L: Lanes> Stream<L> for Algorithm<V> {
    type State = L::State;

    #[inline(always)]
    fn start(l: L, key: &[u8; 32], nonce: &[u8; 16]) -> L::State {
        let [k0, k1] = halves(key);
        initialise(l, k0, k1, *nonce)
    }

    #[inline(always)]
    fn absorb(l: L, s: L::State, block: &Block<Self>) -> L::State {
        update(l, s, l.block(&block.0))
    }

    #[inline(always)]
    fn keystream(l: L, s: L::State) -> Block<Self> {
        let mut keystream = Block::<Self>::default();
        l.store(l.keystream(l.f_and_sums(s), s), &mut keystream.0);
        keystream
    }

    #[inline(always)]
    fn encrypt(l: L, s: L::State, mut block: InOut<'_, '_, Block<Self>>) -> L::State {
        let m = l.block(&block.get_in().0);
        let images = l.f_and_sums(s);
        let c = l.xor_blocks(m, l.keystream(images, s));
        l.store(c, &mut block.get_out().0);
        l.round(images, s, m)
    }

    #[inline(always)]
    fn decrypt(l: L, s: L::State, mut block: InOut<'_, '_, Block<Self>>) -> L::State {
        let images = l.f_and_sums(s);
        let m = l.xor_blocks(l.block(&block.get_in().0), l.keystream(images, s));
        l.store(m, &mut block.get_out().0);
        l.round(images, s, m)
    }

    #[inline(always)]
    fn crypt_whole<const ENCRYPT: bool>(
        l: L,
        s: L::State,
        blocks: InOutBuf<'_, '_, Block<Self>>,
    ) -> L::State {
        if ENCRYPT {
            l.encrypt_blocks(s, blocks)
        } else {
            l.decrypt_blocks(s, blocks)
        }
    }

    const WIDTH: usize = L::WIDTH;

    fn pays(messages: &[Message<'_>], direction: Direction) -> bool {
        L::pays(messages.len(), messages[0].data.len(), direction)
    }

    #[inline(always)]
    fn many(l: L, key: &[u8; 32], batch: Batch<'_, '_>) {
        l.many::<V>(key, batch);
    }

    #[inline(always)]
    fn finish(l: L, s: L::State, key: &[u8; 32], [ad, message]: [u64; 2], tag: &mut [u8]) {
        let [k0, k1] = halves(key);
        let s = if V::BIND_LENGTHS {
            update(l, s, l.block(&join(bits(ad), bits(message), Z1)))
        } else {
            s
        };
        tag.copy_from_slice(&finalise(l, s, k0, k1));
    }
}

#[inline(always)]
fn initialise<L: Lanes>(l: L, k0: Word, k1: Word, n: Word) -> L::State {
    let zero = [0; 16];
    let n_k0 = from_fn(|i| n[i] ^ k0[i]);
    let s = l.state(&[Z1, k0, n_k0, zero, Z0, zero, n, k1, Z2]);
    let s = l.all_rounds(s, l.block(&join(Z0, Z1, Z2)));
    l.add_keys::<0b1_1101_0000>(s, [k0, k1])
}

#[inline(always)]
fn finalise<L: Lanes>(l: L, s: L::State, k0: Word, k1: Word) -> Word {
    let s = l.add_keys::<0b1_0100_1100>(s, [k0, k1]);
    let s = l.all_rounds(s, l.block(&join(k0, Z0, k1)));
    // T is the sum of the words after K1 was added to S0, S4, S7 and S8, and K0 to the other five: K1 vanishes.
    let sum = l.fold(s);
    from_fn(|i| sum[i] ^ k0[i])
}

/// R(S; X0, X1, X2).
#[inline(always)]
fn update<L: Lanes>(l: L, s: L::State, x: L::Block) -> L::State {
    l.round(l.f(s), s, x)
}

#[inline(always)]
pub(crate) fn join(x0: Word, x1: Word, x2: Word) -> [u8; BLOCK] {
    let mut block = [0; BLOCK];
    for (to, from) in block.chunks_exact_mut(16).zip([x0, x1, x2]) {
        to.copy_from_slice(&from);
    }
    block
}

/// The bits of that many bytes, big endian.
#[inline(always)]
fn bits(bytes: u64) -> Word {
    (8 * u128::from(bytes)).to_be_bytes()
}

/// K0 and K1.
#[inline(always)]
fn halves(key: &[u8; 32]) -> [Word; 2] {
    let (halves, _) = key.as_chunks::<16>();
    [halves[0], halves[1]]
}
