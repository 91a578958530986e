//! In two integers, and not in arrays of units: those the compiler takes apart again.
#![forbid(unsafe_code)]

use super::super::sbox::Bits;
use super::Units;
use crate::aes::Lane;

/// Four units of 32 bits.
#[derive(Clone, Copy)]
pub struct Vector([u64; 2]);

impl Bits for Vector {
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
        Self(self.0.map(|x| !x))
    }
}

impl Units for Vector {
    #[inline(always)]
    fn load(lane: &Lane) -> Self {
        let (halves, _) = lane.as_chunks::<8>();
        Self([halves[0], halves[1]].map(u64::from_le_bytes))
    }

    #[inline(always)]
    fn store(self) -> Lane {
        let [low, high] = self.0;
        (u128::from(high) << 64 | u128::from(low)).to_le_bytes()
    }

    /// First in every square of 2 x 2 bytes, then the squares.
    #[inline(always)]
    fn transpose(self) -> Self {
        let [low, high] = self.0.map(|x| {
            let t = (x ^ x >> 24) & 0x0000_0000_ff00_ff00;
            x ^ t ^ t << 24
        });
        let t = (low >> 16 ^ high) & two(0x0000_ffff);
        Self([low ^ t << 16, high ^ t])
    }

    #[inline(always)]
    fn zip_bytes(self, b: Self) -> [Self; 2] {
        let (a, c) = (self.0.map(spread_bytes), b.0.map(spread_bytes));
        [0, 1].map(|i| Self([a[i][0] | c[i][0] << 8, a[i][1] | c[i][1] << 8]))
    }

    #[inline(always)]
    fn zip_words(self, b: Self) -> [Self; 2] {
        let (a, c) = (self.0.map(spread_words), b.0.map(spread_words));
        [0, 1].map(|i| Self([a[i][0] | c[i][0] << 16, a[i][1] | c[i][1] << 16]))
    }

    #[inline(always)]
    fn zip_halves(self, b: Self) -> [Self; 2] {
        [0, 1].map(|i| Self([self.0[i], b.0[i]]))
    }

    #[inline(always)]
    fn unzip_bytes(self, b: Self) -> [Self; 2] {
        let even = |x: [u64; 2]| {
            let words = x.map(|x| (x & two(0x00ff_00ff)) | (x & two(0x00ff_00ff)) >> 8);
            gather_words(words.map(|x| x & two(0x0000_ffff)))
        };
        [0, 8].map(|odd| Self([self.0, b.0].map(|x| even(x.map(|x| x >> odd)))))
    }

    #[inline(always)]
    fn unzip_words(self, b: Self) -> [Self; 2] {
        let even = |x: [u64; 2]| gather_words(x.map(|x| x & two(0x0000_ffff)));
        [0, 16].map(|odd| Self([self.0, b.0].map(|x| even(x.map(|x| x >> odd)))))
    }

    #[inline(always)]
    fn shuffle_units<const ORDER: i32>(self) -> Self {
        let unit = |i: i32| {
            let from = (ORDER >> (2 * i) & 3) as usize;
            (self.0[from / 2] >> (32 * (from % 2))) as u32
        };
        let half = |i: i32| u64::from(unit(i + 1)) << 32 | u64::from(unit(i));
        Self([half(0), half(2)])
    }

    #[inline(always)]
    fn shuffle_halves<const LOW: i32, const HIGH: i32>(self) -> Self {
        let shuffled = |x: u64, order: i32| {
            let part = |i: i32| (x >> (16 * (order >> (2 * i) & 3)) & 0xffff) << (16 * i);
            part(0) | part(1) | part(2) | part(3)
        };
        Self([shuffled(self.0[0], LOW), shuffled(self.0[1], HIGH)])
    }

    #[inline(always)]
    fn units(unit: u32) -> Self {
        Self([two(unit); 2])
    }

    #[inline(always)]
    fn or(self, b: Self) -> Self {
        Self([self.0[0] | b.0[0], self.0[1] | b.0[1]])
    }

    #[inline(always)]
    fn shl<const N: i32>(self) -> Self {
        Self(self.0.map(|x| (x << N) & two(u32::MAX << N)))
    }

    #[inline(always)]
    fn shr<const N: i32>(self) -> Self {
        Self(self.0.map(|x| (x >> N) & two(u32::MAX >> N)))
    }

    #[inline(always)]
    fn double(self) -> Self {
        Self(self.0.map(|x| (x & two(0x7f7f_7f7f)) << 1))
    }

    #[inline(always)]
    fn skew<const RIGHT: i32, const LEFT: i32>(self) -> Self {
        const { assert!(RIGHT + LEFT == 32 && 2 * RIGHT % 32 == 16) };
        let right = RIGHT.cast_unsigned();
        let moved = |x: u64, low: u32, high: u32| {
            let (a, b) = (x as u32, (x >> 32) as u32);
            u64::from(b.rotate_right(high)) << 32 | u64::from(a.rotate_right(low))
        };
        let [low, high] = self.0;
        Self([moved(low, 0, right), moved(high, 16, (16 + right) % 32)])
    }
}

/// Each byte to 16 bits: those of the lower half, then those of the upper one.
#[inline(always)]
fn spread_bytes(x: u64) -> [u64; 2] {
    spread_words(x).map(|x| (x | x << 8) & two(0x00ff_00ff))
}

/// Each 16 bits to 32.
#[inline(always)]
fn spread_words(x: u64) -> [u64; 2] {
    [x & 0xffff_ffff, x >> 32].map(|x| (x | x << 16) & two(0x0000_ffff))
}

/// The lower 16 bits of each 32, where there is nothing else.
#[inline(always)]
fn gather_words([low, high]: [u64; 2]) -> u64 {
    let [low, high] = [low, high].map(|x| (x | x >> 16) & 0xffff_ffff);
    low | high << 32
}

/// The same 32 bits twice.
const fn two(unit: u32) -> u64 {
    (unit as u64) << 32 | unit as u64
}
