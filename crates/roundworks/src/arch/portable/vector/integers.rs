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
    fn from_bytes(lane: &Lane) -> Self {
        let (halves, _) = lane.as_chunks::<8>();
        Self([halves[0], halves[1]].map(u64::from_le_bytes)).transpose()
    }

    #[inline(always)]
    fn to_bytes(self) -> Lane {
        let [low, high] = self.transpose().0;
        (u128::from(high) << 64 | u128::from(low)).to_le_bytes()
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
    fn below(self) -> Self {
        let [low, high] = self.0;
        Self([low >> 32 | high << 32, high >> 32 | low << 32])
    }

    #[inline(always)]
    fn opposite(self) -> Self {
        Self([self.0[1], self.0[0]])
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

impl Vector {
    /// Byte 4 * i + j to byte 4 * j + i: first in every square of 2 x 2 bytes, then the squares.
    #[inline(always)]
    fn transpose(self) -> Self {
        let [low, high] = self.0.map(|x| {
            let t = (x ^ x >> 24) & 0x0000_0000_ff00_ff00;
            x ^ t ^ t << 24
        });
        let t = (low >> 16 ^ high) & two(0x0000_ffff);
        Self([low ^ t << 16, high ^ t])
    }
}

/// The same 32 bits twice.
const fn two(unit: u32) -> u64 {
    (unit as u64) << 32 | unit as u64
}
