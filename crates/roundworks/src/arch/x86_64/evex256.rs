//! AETHER with AVX-512 and GFNI in registers of 256 bits, for CPUs that compute 512 bits in two passes.
//!
//! As in `avx512`, bit planes hold the whole state, and words move by name only. A plane is two registers here: one
//! has bytes 0 and 3 of every word, the other bytes 2 and 1. Once the halves of the second were exchanged, bytes
//! that F joins stand in the same place of both, so that there is no shuffle between the S-boxes. What
//! a round adds comes by one shuffle of two registers, one of the state and one of the block.

mod f;
mod layout;
mod operations;
mod rounds;

use core::arch::x86_64::*;

use super::Evex256;
use crate::aether::{Blocks, Lanes, Variant, Word, join};
use crate::stream::{Batch, Direction};
use layout::{Keys, LOAD, PHASES};

/// Bytes 0 and 3 of planes 0 to 3, then bytes 2 and 1.
type Planes = [__m256i; 8];
/// A block: as it stands in memory, two words and then one; or sliced, planes 0 and 1 and then 2 and 3.
type Two = [__m256i; 2];

/// The nine words in slots 0..9. Slots 9..12 and 15 are zero, and stay so, since F(0) = 0; slots
/// 12, 13, 14 may hold anything, and are read only when just filled with sums.
#[derive(Clone, Copy)]
pub(crate) struct State {
    planes: Planes,
    /// The rounds done, modulo 9.
    phase: usize,
}

/// A block in the forms that its users want, as in `avx512`.
#[derive(Clone, Copy)]
pub(crate) struct Block {
    bytes: Two,
    /// The part that came from memory.
    sliced: Two,
    /// The part that is keystream, in the slots of the sums. The sum of both is the block.
    keystream: Option<Planes>,
}

impl Lanes for Evex256 {
    type State = State;
    type Images = Planes;
    type Block = Block;

    #[inline(always)]
    fn state(self, words: &[Word; 9]) -> State {
        let mut planes = [self.zero(); 8];
        let (bytes, _) = words.as_flattened().as_chunks::<48>();
        for (three, load) in bytes.iter().zip(&LOAD) {
            planes = self.pick_each(load, planes, self.block(three).sliced);
        }
        State { planes, phase: 0 }
    }

    #[inline(always)]
    fn block(self, bytes: &[u8; 48]) -> Block {
        let bytes = self.bytes(bytes);
        Block {
            bytes,
            sliced: self.slice(bytes),
            keystream: None,
        }
    }

    #[inline(always)]
    fn store(self, block: Block, to: &mut [u8; 48]) {
        self.store_bytes(block.bytes, to);
    }

    /// `b` was just loaded, so its phase is 0.
    #[inline(always)]
    fn xor_states(self, a: State, b: State) -> State {
        debug_assert_eq!(b.phase, 0);
        let moved = self.pick_all(&PHASES[a.phase].from_zero, b.planes);
        State {
            planes: self.xor_planes(a.planes, moved),
            phase: a.phase,
        }
    }

    #[inline(always)]
    fn add_keys<const WHICH: u16>(self, s: State, keys: [Word; 2]) -> State {
        let x = self.block(&join(keys[0], keys[1], [0; 16])).sliced;
        let planes = self.pick_each(&Keys::<WHICH>::MOVES, [self.zero(); 8], x);
        self.xor_states(s, State { planes, phase: 0 })
    }

    #[inline(always)]
    fn xor_blocks(self, a: Block, b: Block) -> Block {
        let keystream = match (a.keystream, b.keystream) {
            (Some(a), Some(b)) => Some(self.xor_planes(a, b)),
            (a, b) => a.or(b),
        };
        Block {
            bytes: self.xor_two(a.bytes, b.bytes),
            sliced: self.xor_two(a.sliced, b.sliced),
            keystream,
        }
    }

    #[inline(always)]
    fn f(self, s: State) -> Planes {
        // SAFETY: `self` proves the features that are enabled there.
        unsafe { f::f(s.planes) }
    }

    #[inline(always)]
    fn f_and_sums(self, mut s: State) -> Planes {
        for (r, plane) in s.planes.iter_mut().enumerate() {
            let [first, second] = &PHASES[s.phase].sums[r / 4];
            *plane = self.xor(self.pick(first, *plane), self.pick(second, *plane));
        }
        // SAFETY: as in `f`.
        unsafe { f::f_exchanged(s.planes) }
    }

    #[inline(always)]
    fn round(self, images: Planes, s: State, x: Block) -> State {
        let mut next = self.absorb(images, s, x.sliced);
        if let Some(keystream) = x.keystream {
            let words = self.pick_all(&PHASES[s.phase].absorb_sums, keystream);
            next.planes = self.xor_planes(next.planes, words);
        }
        next
    }

    #[inline(always)]
    fn all_rounds(self, s: State, x: Block) -> State {
        // SAFETY: as in `f`.
        unsafe { rounds::rounds(self, s, x.sliced) }
    }

    #[inline(always)]
    fn keystream(self, images: Planes, s: State) -> Block {
        let zero = [self.zero(); 2];
        let State { planes, .. } = self.absorb(images, s, zero);
        Block {
            bytes: self.unslice(planes),
            sliced: zero,
            keystream: Some(planes),
        }
    }

    #[inline(always)]
    fn fold(self, s: State) -> Word {
        let mut sums = s.planes;
        for sum in &mut sums {
            *sum = self.sum(*sum);
        }
        let [bytes, _] = self.unslice(sums);
        let mut word = [0; 16];
        // SAFETY: `word` are 16 writable bytes and the store wants no alignment; SSE2 by `self`.
        unsafe { _mm_storeu_si128(word.as_mut_ptr().cast(), _mm256_castsi256_si128(bytes)) };
        word
    }

    /// A block is sliced a round before it is absorbed, and its ciphertext stored in the round after, so that what
    /// others wait for comes first.
    #[inline(always)]
    fn encrypt_blocks(self, mut s: State, mut blocks: Blocks<'_>) -> State {
        let n = blocks.len();
        if n == 0 {
            return s;
        }
        let x = self.slice(self.bytes(&blocks.get(0).get_in().0));
        s = self.absorb(self.f_and_sums(s), s, x);
        for i in 1..n {
            let x = self.slice(self.bytes(&blocks.get(i).get_in().0));
            let rows = self.keystream_rows(s.planes);
            let images = self.f_and_sums(s);
            self.put(blocks.get(i - 1), rows);
            s = self.absorb(images, s, x);
        }
        self.put(blocks.get(n - 1), self.keystream_rows(s.planes));
        s
    }

    /// The plaintext is the sum of the ciphertext and of keystream, which is absorbed without a detour.
    #[inline(always)]
    fn decrypt_blocks(self, mut s: State, mut blocks: Blocks<'_>) -> State {
        let n = blocks.len();
        if n == 0 {
            return s;
        }
        let x = self.slice(self.bytes(&blocks.get(0).get_in().0));
        let mut absorb_sums = &PHASES[s.phase].absorb_sums;
        s = self.absorb(self.f_and_sums(s), s, x);
        for i in 1..n {
            let x = self.slice(self.bytes(&blocks.get(i).get_in().0));
            let rows = self.keystream_rows(s.planes);
            s.planes = self.xor_planes(s.planes, self.pick_all(absorb_sums, s.planes));
            absorb_sums = &PHASES[s.phase].absorb_sums;
            let images = self.f_and_sums(s);
            self.put(blocks.get(i - 1), rows);
            s = self.absorb(images, s, x);
        }
        let rows = self.keystream_rows(s.planes);
        s.planes = self.xor_planes(s.planes, self.pick_all(absorb_sums, s.planes));
        self.put(blocks.get(n - 1), rows);
        s
    }

    const WIDTH: usize = super::Avx512::WIDTH;

    /// Measured on Zen 4.
    fn pays(count: usize, _: usize, _: Direction) -> bool {
        count >= 11
    }

    #[inline(always)]
    fn many<V: Variant>(self, key: &[u8; 32], batch: Batch<'_, '_>) {
        self.wide().many::<V>(key, batch);
    }
}
