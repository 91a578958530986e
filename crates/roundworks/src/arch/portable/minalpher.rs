//! Minalpher on bit planes: each bit of a block is a bit of one integer for as many blocks as that
//! has bits, so that nothing secret picks an address or a branch.
#![forbid(unsafe_code)]

use core::ops::{BitAnd, BitOr, BitXor, Not};

use super::Portable;
use crate::arch::entry::clear_stack;
use crate::backend::Backend;
use crate::minalpher::columns::{self, Nibbles};
use crate::minalpher::lanes::{BEFORE, BLOCK, Lanes, Schedule};
use crate::minalpher::mode::{self, Engine, Kernel, LAST};

/// Blocks in the bits of a `W`.
#[derive(Clone, Copy)]
pub(crate) struct Planes<W>(W);

/// An integer.
pub(crate) trait Word:
    Copy + BitXor<Output = Self> + BitAnd<Output = Self> + BitOr<Output = Self> + Not<Output = Self>
{
    const ZERO: Self;
    /// How many blocks are put in it.
    const BLOCKS: usize;
    type Bytes: AsRef<[u8]> + AsMut<[u8]>;
    const BYTES: Self::Bytes;
    fn truncated(bits: u128) -> Self;
    fn extended(self) -> u64;
}

impl Word for u64 {
    const ZERO: Self = 0;
    const BLOCKS: usize = 64;
    type Bytes = [u8; 64 * BLOCK];
    const BYTES: Self::Bytes = [0; 64 * BLOCK];

    #[inline(always)]
    fn truncated(bits: u128) -> Self {
        bits as Self
    }

    #[inline(always)]
    fn extended(self) -> u64 {
        self
    }
}

/// Half of its bits are idle, but a block or two are faster.
impl Word for u8 {
    const ZERO: Self = 0;
    const BLOCKS: usize = LAST;
    type Bytes = [u8; LAST * BLOCK];
    const BYTES: Self::Bytes = [0; LAST * BLOCK];

    #[inline(always)]
    fn truncated(bits: u128) -> Self {
        bits as Self
    }

    #[inline(always)]
    fn extended(self) -> u64 {
        self.into()
    }
}

/// The planes of bytes of the tweak sequence: the tweak of block j has as byte i the byte
/// j + (from + i) / stride of sequence (from + i) % stride, but for the last three.
pub(crate) struct Tweaks<W> {
    sequences: [[u128; 8]; 2],
    last: [[W; 8]; 3],
    from: usize,
    stride: usize,
}

/// Plane b of byte i.
type State<W> = [[W; 8]; BLOCK];

impl<W: Word> Lanes for Planes<W> {
    const BLOCKS: usize = W::BLOCKS;
    type Bytes = W::Bytes;
    type State = State<W>;
    type Tweaks = Tweaks<W>;

    #[inline(always)]
    fn zero(self) -> State<W> {
        [[W::ZERO; 8]; BLOCK]
    }

    #[inline(always)]
    fn bytes(self) -> W::Bytes {
        W::BYTES
    }

    fn load(self, from: &[u8], to: &mut State<W>) {
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
                    *plane = *plane | W::truncated(u128::from(bits) << (8 * group));
                }
            }
        }
    }

    fn store(self, x: &State<W>, to: &mut [u8]) {
        for (group, blocks) in to.chunks_mut(8 * BLOCK).enumerate() {
            let blocks = blocks.as_chunks_mut::<BLOCK>().0;
            for (i, planes) in x.iter().enumerate() {
                let mut bits = 0;
                for (b, plane) in planes.iter().enumerate() {
                    bits |= (plane.extended() >> (8 * group) & 0xff) << (8 * b);
                }
                let bytes = transpose(bits).to_le_bytes();
                for (block, byte) in blocks.iter_mut().zip(bytes) {
                    block[i] = byte;
                }
            }
        }
    }

    fn add(self, to: &mut State<W>, x: &State<W>) {
        for (to, x) in to.as_flattened_mut().iter_mut().zip(x.as_flattened()) {
            *to = *to ^ *x;
        }
    }

    fn every(self, window: &[u8]) -> Tweaks<W> {
        let window = &window[BEFORE..];
        let bytes = core::array::from_fn(|i| window[i]);
        Tweaks::new([bytes; 2], 0, 1)
    }

    fn pairs(self, window: &[u8]) -> [Tweaks<W>; 2] {
        let window = &window[BEFORE..];
        let bytes = [0, 1].map(|i| core::array::from_fn(|j| *window.get(2 * j + i).unwrap_or(&0)));
        [Tweaks::new(bytes, 0, 2), Tweaks::new(bytes, 1, 2)]
    }

    fn mask(self, x: &mut State<W>, tweaks: &Tweaks<W>) {
        for (i, x) in x.iter_mut().enumerate() {
            let tweak = if i < 29 {
                tweaks.byte(i)
            } else {
                tweaks.last[i - 29]
            };
            *x = xor(*x, tweak);
        }
    }

    fn permute(self, x: &mut State<W>, schedule: &Schedule) {
        let mut nibbles = [[W::ZERO; 4]; 64];
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

impl<W: Word> Nibbles for Planes<W> {
    type Nibble = [W; 4];

    /// The table in gates; the unit tests compare P with the table. [MINALPHER, section 2.4]
    #[inline(always)]
    fn substitute(self, mut x: [[W; 4]; 8]) -> [[W; 4]; 8] {
        for nibble in &mut x {
            let [x0, x1, x2, x3] = *nibble;
            let g0 = x2 ^ (x0 & !x1);
            let g1 = x0 ^ (x3 & g0);
            let g2 = x1 ^ (x3 & g1);
            let y3 = !(x3 ^ g0 ^ g2);
            let y0 = !(x0 ^ (g0 | g2));
            let y1 = g0 ^ (y3 & !g1);
            let y2 = g2 ^ (y0 & !y1);
            *nibble = [y0, y1, y2, y3];
        }
        x
    }

    #[inline(always)]
    fn sum(self, a: [W; 4], b: [W; 4]) -> [W; 4] {
        xor(a, b)
    }

    #[inline(always)]
    fn constant(self, mut a: [W; 4], value: u8) -> [W; 4] {
        for (b, plane) in a.iter_mut().enumerate() {
            let ones = u128::from(value >> b & 1).wrapping_neg();
            *plane = *plane ^ W::truncated(ones);
        }
        a
    }
}

impl<W: Word> Tweaks<W> {
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
            last: [[W::ZERO; 8]; 3],
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

    fn byte(&self, i: usize) -> [W; 8] {
        let i = self.from + i;
        self.sequences[i % self.stride].map(|plane| W::truncated(plane >> (i / self.stride)))
    }
}

#[inline(always)]
fn xor<W: Word, const N: usize>(mut a: [W; N], b: [W; N]) -> [W; N] {
    for (a, b) in a.iter_mut().zip(&b) {
        *a = *a ^ *b;
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
    type Wide = Planes<u64>;
    type Narrow = Planes<u8>;
    const WIDE_FROM: usize = 9;

    fn wide(self) -> Planes<u64> {
        Planes(0)
    }

    fn narrow(self) -> Planes<u8> {
        Planes(0)
    }
}

pub(crate) static MINALPHER: Kernel = Kernel {
    backend: Backend::Portable,
    permute: |blocks| mode::permute(Portable(()), blocks),
    encrypt: |chain, data| mode::encrypt(Portable(()), chain, data),
    encrypt_last: |chain, blocks, n| mode::encrypt_last(Portable(()), chain, blocks, n),
    hash_ciphertext: |chain, data| mode::hash_ciphertext(Portable(()), chain, data),
    decrypt: |chain, data| mode::decrypt(Portable(()), chain, data),
    hash: |chain, data| mode::hash(Portable(()), chain, data),
    wipe_stack: |data_bytes| {
        if data_bytes >= BLOCK * Portable::WIDE_FROM {
            clear_stack::<128>();
        } else {
            clear_stack::<32>();
        }
    },
};
