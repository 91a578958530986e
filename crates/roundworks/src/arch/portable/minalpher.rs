//! Minalpher on bit planes: each bit of a block is a bit of one integer for as many blocks as that
//! has bits, so that nothing secret picks an address or a branch.
#![forbid(unsafe_code)]

mod planes;

use super::Portable;
use crate::arch::entry::clear_stack;
use crate::backend::Backend;
use crate::minalpher::columns::{self, Nibbles};
use crate::minalpher::lanes::{BEFORE, BLOCK, Block, FORWARD, Lanes, Schedule};
use crate::minalpher::mode::{self, Engine, Kernel};
use planes::Few;

/// As many blocks as an integer has bits.
#[derive(Clone, Copy)]
pub(crate) struct Many;

/// How many.
const BLOCKS: usize = 64;

/// The planes of bytes of the tweak sequence: the tweak of block j has as byte i the byte
/// j + (from + i) / stride of sequence (from + i) % stride, but for the last three.
pub(crate) struct Tweaks {
    sequences: [[u128; 8]; 2],
    last: [[u64; 8]; 3],
    from: usize,
    stride: usize,
}

/// Plane b of byte i.
type State = [[u64; 8]; BLOCK];

impl Lanes for Many {
    const BLOCKS: usize = BLOCKS;
    type Bytes = [u8; BLOCKS * BLOCK];
    type State = State;
    type Tweaks = Tweaks;

    #[inline(always)]
    fn zero(self) -> State {
        [[0; 8]; BLOCK]
    }

    #[inline(always)]
    fn bytes(self) -> Self::Bytes {
        [0; BLOCKS * BLOCK]
    }

    fn load(self, from: &[u8], to: &mut State) {
        *to = self.zero();
        for (group, blocks) in from.chunks(8 * BLOCK).enumerate() {
            let blocks = blocks.as_chunks::<BLOCK>().0;
            for (i, planes) in to.iter_mut().enumerate() {
                let mut bytes = 0;
                for (k, block) in blocks.iter().enumerate() {
                    bytes |= u64::from(block[i]) << (8 * k);
                }
                let bits = transpose(bytes);
                for (b, plane) in planes.iter_mut().enumerate() {
                    let bits = bits >> (8 * b) & 0xff;
                    *plane |= bits << (8 * group);
                }
            }
        }
    }

    fn store(self, x: &State, to: &mut [u8]) {
        for (group, blocks) in to.chunks_mut(8 * BLOCK).enumerate() {
            let blocks = blocks.as_chunks_mut::<BLOCK>().0;
            for (i, planes) in x.iter().enumerate() {
                let mut bits = 0;
                for (b, plane) in planes.iter().enumerate() {
                    bits |= (plane >> (8 * group) & 0xff) << (8 * b);
                }
                let bytes = transpose(bits).to_le_bytes();
                for (block, byte) in blocks.iter_mut().zip(bytes) {
                    block[i] = byte;
                }
            }
        }
    }

    fn add(self, to: &mut State, x: &State) {
        for (to, x) in to.as_flattened_mut().iter_mut().zip(x.as_flattened()) {
            *to ^= *x;
        }
    }

    fn every(self, window: &[u8]) -> Tweaks {
        let window = &window[BEFORE..];
        let bytes = core::array::from_fn(|i| window[i]);
        Tweaks::new([bytes; 2], 0, 1)
    }

    fn pairs(self, window: &[u8]) -> [Tweaks; 2] {
        let window = &window[BEFORE..];
        let bytes = [0, 1].map(|i| core::array::from_fn(|j| *window.get(2 * j + i).unwrap_or(&0)));
        [Tweaks::new(bytes, 0, 2), Tweaks::new(bytes, 1, 2)]
    }

    fn mask(self, x: &mut State, tweaks: &Tweaks) {
        for (i, x) in x.iter_mut().enumerate() {
            let tweak = if i < 29 {
                tweaks.byte(i)
            } else {
                tweaks.last[i - 29]
            };
            *x = xor(*x, tweak);
        }
    }

    fn permute(self, x: &mut State, schedule: &Schedule) {
        let mut nibbles = [[0; 4]; 64];
        for (two, [x0, x1, x2, x3, x4, x5, x6, x7]) in nibbles.chunks_exact_mut(2).zip(*x) {
            two[0] = [x4, x5, x6, x7];
            two[1] = [x0, x1, x2, x3];
        }
        columns::permute(self, &mut nibbles, schedule);
        for (x, two) in x.iter_mut().zip(nibbles.as_chunks::<2>().0) {
            let [[x4, x5, x6, x7], [x0, x1, x2, x3]] = *two;
            *x = [x0, x1, x2, x3, x4, x5, x6, x7];
        }
    }
}

impl Nibbles for Many {
    type Nibble = [u64; 4];

    #[inline(always)]
    fn substitute(self, mut x: [[u64; 4]; 8]) -> [[u64; 4]; 8] {
        for nibble in &mut x {
            *nibble = planes::substitute(*nibble);
        }
        x
    }

    #[inline(always)]
    fn sum(self, a: [u64; 4], b: [u64; 4]) -> [u64; 4] {
        xor(a, b)
    }

    #[inline(always)]
    fn constant(self, mut a: [u64; 4], value: u8) -> [u64; 4] {
        for (b, plane) in a.iter_mut().enumerate() {
            *plane ^= u64::from(value >> b & 1).wrapping_neg();
        }
        a
    }
}

impl Tweaks {
    fn new(bytes: [[u8; 96]; 2], from: usize, stride: usize) -> Self {
        let sequences = bytes.map(|bytes| {
            let mut planes = [0; 8];
            for (group, eight) in bytes.as_chunks::<8>().0.iter().enumerate() {
                let bits = transpose(u64::from_le_bytes(*eight)).to_le_bytes();
                for (plane, bits) in planes.iter_mut().zip(bits) {
                    *plane |= u128::from(bits) << (8 * group);
                }
            }
            planes
        });
        let mut tweaks = Self {
            sequences,
            last: [[0; 8]; 3],
            from,
            stride,
        };
        let [a0, a1, a2] = [tweaks.byte(0), tweaks.byte(1), tweaks.byte(2)];
        tweaks.last = [
            xor(tweaks.byte(29), a0),
            xor(tweaks.byte(30), xor(a0, a1)),
            xor(tweaks.byte(31), xor(a1, a2)),
        ];
        tweaks
    }

    fn byte(&self, i: usize) -> [u64; 8] {
        let i = self.from + i;
        self.sequences[i % self.stride].map(|plane| (plane >> (i / self.stride)) as u64)
    }
}

#[inline(always)]
fn xor<const N: usize>(mut a: [u64; N], b: [u64; N]) -> [u64; N] {
    for (a, b) in a.iter_mut().zip(&b) {
        *a ^= *b;
    }
    a
}

/// Bit b of byte k to bit k of byte b.
fn transpose(mut x: u64) -> u64 {
    for (mask, shift) in [
        (0x00aa_00aa_00aa_00aa, 7),
        (0x0000_cccc_0000_cccc, 14),
        (0x0000_0000_f0f0_f0f0, 28),
    ] {
        let t = (x ^ x >> shift) & mask;
        x ^= t ^ t << shift;
    }
    x
}

impl Engine for Portable {
    type Wide = Many;
    type Narrow = Few;
    const WIDE_FROM: usize = 28;

    fn wide(self) -> Many {
        Many
    }

    fn narrow(self) -> Few {
        Few
    }

    fn permute(self, blocks: &mut [Block; 2], n: usize) {
        for block in &mut blocks[..n] {
            planes::permute(block, &FORWARD);
        }
    }
}

pub(crate) static MINALPHER: Kernel = Kernel {
    backend: Backend::Portable,
    permute: |blocks, n| mode::permute(Portable(()), blocks, n),
    encrypt: |chain, data| mode::encrypt(Portable(()), chain, data),
    encrypt_last: |chain, blocks, n| mode::encrypt_last(Portable(()), chain, blocks, n),
    hash_ciphertext: |chain, data| mode::hash_ciphertext(Portable(()), chain, data),
    decrypt: |chain, data| mode::decrypt(Portable(()), chain, data),
    hash: |chain, data| mode::hash(Portable(()), chain, data),
    wipe_stack: |data_bytes| {
        if data_bytes >= BLOCK * Portable::WIDE_FROM {
            clear_stack::<128>();
        } else {
            clear_stack::<40>();
        }
    },
};
