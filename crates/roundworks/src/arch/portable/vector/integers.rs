//! In two integers, and not in arrays of `u16`: those the compiler takes apart again.
#![forbid(unsafe_code)]

use core::array::from_fn;

use super::super::sbox::Bits;
use super::Units;
use crate::aes::Lane;

/// Eight units of 16 bits.
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
        Self([halves[0], halves[1]].map(u64::from_le_bytes))
    }

    #[inline(always)]
    fn to_bytes(self) -> Lane {
        (u128::from(self.0[1]) << 64 | u128::from(self.0[0])).to_le_bytes()
    }

    #[inline(always)]
    fn units(unit: u16) -> Self {
        Self([four(unit); 2])
    }

    #[inline(always)]
    fn longs(long: u64) -> Self {
        Self([long; 2])
    }

    #[inline(always)]
    fn or(self, b: Self) -> Self {
        Self([self.0[0] | b.0[0], self.0[1] | b.0[1]])
    }

    #[inline(always)]
    fn shl<const N: i32>(self) -> Self {
        Self(self.0.map(|x| (x << N) & four(u16::MAX << N)))
    }

    #[inline(always)]
    fn shr<const N: i32>(self) -> Self {
        Self(self.0.map(|x| (x >> N) & four(u16::MAX >> N)))
    }

    #[inline(always)]
    fn shl64<const N: i32>(self) -> Self {
        Self(self.0.map(|x| x << N))
    }

    #[inline(always)]
    fn shr64<const N: i32>(self) -> Self {
        Self(self.0.map(|x| x >> N))
    }

    #[inline(always)]
    fn interleave(self) -> Self {
        let [low, high] = self.0;
        Self([0, 32].map(|at| spread(low >> at) | spread(high >> at) << 8))
    }

    #[inline(always)]
    fn deinterleave(self) -> Self {
        Self([0, 8].map(|at| gather(self.0[0] >> at) | gather(self.0[1] >> at) << 32))
    }

    #[inline(always)]
    fn exchange(x: [Self; 8]) -> [Self; 8] {
        let mut y = [[0; 2]; 8];
        for row in 0..2 {
            for column in 0..2 {
                let quarter = transpose4(from_fn(|i| x[4 * row + i].0[column]));
                for (i, from) in quarter.into_iter().enumerate() {
                    y[4 * column + i][row] = from;
                }
            }
        }
        y.map(Self)
    }
}

/// The same 16 bits four times.
const fn four(unit: u16) -> u64 {
    unit as u64 * 0x0001_0001_0001_0001
}

/// The lower four bytes, each with a zero byte above.
#[inline(always)]
fn spread(x: u64) -> u64 {
    let x = x & 0xffff_ffff;
    let x = (x | x << 16) & 0x0000_ffff_0000_ffff;
    (x | x << 8) & 0x00ff_00ff_00ff_00ff
}

/// The other way.
#[inline(always)]
fn gather(x: u64) -> u64 {
    let x = x & 0x00ff_00ff_00ff_00ff;
    let x = (x | x >> 8) & 0x0000_ffff_0000_ffff;
    (x | x >> 16) & 0x0000_0000_ffff_ffff
}

/// 4 x 4 units.
#[inline(always)]
fn transpose4([a, b, c, d]: [u64; 4]) -> [u64; 4] {
    let swap = |x: u64, y: u64, mask: u64, shift: u32| {
        let t = ((x >> shift) ^ y) & mask;
        (x ^ (t << shift), y ^ t)
    };
    let (a, c) = swap(a, c, 0x0000_0000_ffff_ffff, 32);
    let (b, d) = swap(b, d, 0x0000_0000_ffff_ffff, 32);
    let (a, b) = swap(a, b, 0x0000_ffff_0000_ffff, 16);
    let (c, d) = swap(c, d, 0x0000_ffff_0000_ffff, 16);
    [a, b, c, d]
}
