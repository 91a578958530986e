//! AEGIS-128 on bit planes: bit j of every byte stands in plane j, five words side by side, so one
//! pass of the S-box circuit serves all 80 bytes.
#![forbid(unsafe_code)]

use core::array::from_fn;

use super::sbox::{Bits, sub_bytes};
use crate::aegis::{Lanes, Word};

/// Needs nothing of the CPU.
#[derive(Clone, Copy)]
pub(crate) struct Planes;

/// One plane of five words, 16 bits each: S0..S3 in the first integer, S4 in the second. Bit
/// 4 * column + row of a word belongs to that byte of the AES state. [FIPS197, section 3.4]
#[derive(Clone, Copy)]
pub(crate) struct Plane([u64; 2]);

impl Bits for Plane {
    #[inline(always)]
    fn xor(self, b: Self) -> Self {
        Self([self.0[0] ^ b.0[0], self.0[1] ^ b.0[1]])
    }

    #[inline(always)]
    fn and(self, b: Self) -> Self {
        Self([self.0[0] & b.0[0], self.0[1] & b.0[1]])
    }

    #[inline(always)]
    fn not(self) -> Self {
        Self([!self.0[0], !self.0[1]])
    }
}

impl Lanes for Planes {
    /// Eight planes of one word.
    type Word = [u16; 8];
    type State = [Plane; 8];

    #[inline(always)]
    fn word(self, bytes: &Word) -> [u16; 8] {
        let (halves, _) = bytes.as_chunks::<8>();
        let [low, high] = [halves[0], halves[1]].map(|h| transpose(u64::from_le_bytes(h)));
        from_fn(|j| u16::from_le_bytes([low.to_le_bytes()[j], high.to_le_bytes()[j]]))
    }

    #[inline(always)]
    fn bytes(self, word: [u16; 8]) -> Word {
        let half = |k: usize| transpose(u64::from_le_bytes(word.map(|w| w.to_le_bytes()[k])));
        (u128::from(half(1)) << 64 | u128::from(half(0))).to_le_bytes()
    }

    #[inline(always)]
    fn xor(self, a: [u16; 8], b: [u16; 8]) -> [u16; 8] {
        from_fn(|j| a[j] ^ b[j])
    }

    #[inline(always)]
    fn and(self, a: [u16; 8], b: [u16; 8]) -> [u16; 8] {
        from_fn(|j| a[j] & b[j])
    }

    #[inline(always)]
    fn state(self, words: [[u16; 8]; 5]) -> [Plane; 8] {
        from_fn(|j| {
            let first = (0..4).fold(0, |plane, i| plane | u64::from(words[i][j]) << (16 * i));
            Plane([first, u64::from(words[4][j])])
        })
    }

    #[inline(always)]
    fn get(self, s: [Plane; 8], i: usize) -> [u16; 8] {
        s.map(|p| (p.0[i / 4] >> (16 * (i % 4))) as u16)
    }

    #[inline(always)]
    fn with_first(self, s: [Plane; 8], word: [u16; 8]) -> [Plane; 8] {
        from_fn(|j| Plane([s[j].0[0] & !0xffff | u64::from(word[j]), s[j].0[1]]))
    }

    #[inline(always)]
    fn rounds(self, s: [Plane; 8], keys: [Plane; 8]) -> [Plane; 8] {
        let s = aes_rounds(s);
        from_fn(|j| next_word(s[j]).xor(keys[j]))
    }
}

/// One AES round without key on all five words. A function of its own: inlined into every update it
/// is hardly faster, and the cipher several times as long.
#[inline(never)]
fn aes_rounds(s: [Plane; 8]) -> [Plane; 8] {
    mix_columns(sub_bytes(s).map(shift_rows))
}

/// Word i takes the place of word i + 1, modulo 5.
#[inline(always)]
fn next_word(p: Plane) -> Plane {
    let [first, last] = p.0;
    Plane([first << 16 | last & 0xffff, first >> 48])
}

/// Row r rotates by r columns, that is by 4 * r bits: rows 2 and 3 by 8, then rows 1 and 3 by 4.
#[inline(always)]
fn shift_rows(p: Plane) -> Plane {
    Plane(p.0.map(|x| {
        let two = x & lanes(0x3333) | (x >> 8) & lanes(0x00cc) | (x << 8) & lanes(0xcc00);
        two & lanes(0x5555) | (two >> 4) & lanes(0x0aaa) | (two << 12) & lanes(0xa000)
    }))
}

/// b_r = 2 (a_r + a_{r+1}) + a_{r+1} + a_{r+2} + a_{r+3}, rows modulo 4. [FIPS197, section 5.1.3]
#[inline(always)]
fn mix_columns(a: [Plane; 8]) -> [Plane; 8] {
    let a1 = a.map(|p| Plane(p.0.map(|x| (x >> 1) & lanes(0x7777) | (x << 3) & lanes(0x8888))));
    let t: [Plane; 8] = from_fn(|j| a[j].xor(a1[j]));
    let t2 = t.map(|p| Plane(p.0.map(|x| (x >> 2) & lanes(0x3333) | (x << 2) & lanes(0xcccc))));
    let rest: [Plane; 8] = from_fn(|j| a1[j].xor(t2[j]));
    // 2 t: bit j moves to j + 1, and bit 7 returns as x^8 = x^4 + x^3 + x + 1.
    from_fn(|j| match j {
        0 => rest[0].xor(t[7]),
        1 | 3 | 4 => rest[j].xor(t[j - 1]).xor(t[7]),
        _ => rest[j].xor(t[j - 1]),
    })
}

/// The same 16 bits for every word.
const fn lanes(mask: u16) -> u64 {
    mask as u64 * 0x0001_0001_0001_0001
}

/// Transposes 8 x 8 bits: bit j of byte i becomes bit i of byte j.
#[inline(always)]
fn transpose(x: u64) -> u64 {
    let exchange = |x: u64, mask: u64, shift: u32| {
        let t = (x ^ (x >> shift)) & mask;
        x ^ t ^ (t << shift)
    };
    let x = exchange(x, 0x00aa_00aa_00aa_00aa, 7);
    let x = exchange(x, 0x0000_cccc_0000_cccc, 14);
    exchange(x, 0x0000_0000_f0f0_f0f0, 28)
}
