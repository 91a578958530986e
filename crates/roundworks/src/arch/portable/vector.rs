//! 128 bits in parallel: what every CPU of an architecture has for them.

#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "sse2"))))]
mod integers;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod sse2;

#[cfg(not(all(target_arch = "x86_64", target_feature = "sse2")))]
pub(super) use integers::Vector;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(super) use sse2::Vector;

use super::sbox::Bits;
use crate::aes::Lane;

/// Eight units of 16 bits: what a kind of vector computes, and what is the same for all.
pub(super) trait Units: Bits {
    fn from_bytes(lane: &Lane) -> Self;
    fn to_bytes(self) -> Lane;
    /// The same in every unit.
    fn units(unit: u16) -> Self;
    /// The same in both halves.
    fn longs(long: u64) -> Self;
    fn or(self, b: Self) -> Self;
    /// Of every unit; what leaves it is dropped.
    fn shl<const N: i32>(self) -> Self;
    fn shr<const N: i32>(self) -> Self;
    /// Of both halves.
    fn shl64<const N: i32>(self) -> Self;
    fn shr64<const N: i32>(self) -> Self;
    /// Byte i of both halves to unit i.
    fn interleave(self) -> Self;
    /// The other way.
    fn deinterleave(self) -> Self;
    /// Unit j of vector i to unit i of vector j.
    fn exchange(x: [Self; 8]) -> [Self; 8];

    /// Rotates every unit of 16 bits to the right.
    #[inline(always)]
    fn rotate<const RIGHT: i32, const LEFT: i32>(self) -> Self {
        const { assert!(RIGHT + LEFT == 16) };
        self.shr::<RIGHT>().or(self.shl::<LEFT>())
    }

    /// This one where `mask` has zeros, the other where it has ones.
    #[inline(always)]
    fn blend(self, ones: Self, mask: Self) -> Self {
        self.xor(self.xor(ones).and(mask))
    }

    /// Bytes to planes: bit j of byte i is bit i of unit j.
    #[inline(always)]
    fn slice(lane: &Lane) -> Self {
        Self::from_bytes(lane).transpose().interleave()
    }

    /// Planes to bytes.
    #[inline(always)]
    fn unslice(self) -> Lane {
        self.deinterleave().transpose().to_bytes()
    }

    /// Of both halves: bit j of byte i becomes bit i of byte j.
    #[inline(always)]
    fn transpose(self) -> Self {
        self.exchange_bits::<7>(0x00aa_00aa_00aa_00aa)
            .exchange_bits::<14>(0x0000_cccc_0000_cccc)
            .exchange_bits::<28>(0x0000_0000_f0f0_f0f0)
    }

    /// Exchanges the bits in `mask`, of both halves, with those SHIFT above them.
    #[inline(always)]
    fn exchange_bits<const SHIFT: i32>(self, mask: u64) -> Self {
        let t = self.xor(self.shr64::<SHIFT>()).and(Self::longs(mask));
        self.xor(t).xor(t.shl64::<SHIFT>())
    }
}

#[cfg(all(test, target_arch = "x86_64", target_feature = "sse2"))]
mod tests {
    use super::*;

    /// Bytes without a pattern.
    fn some(seed: u64) -> Lane {
        let mut x = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        core::array::from_fn(|_| {
            x ^= x << 13;
            x ^= x >> 7;
            x ^= x << 17;
            (x >> 32) as u8
        })
    }

    /// Every operation on two vectors.
    fn all<V: Units>(a: &Lane, b: &Lane) -> [Lane; 11] {
        let [a, b] = [a, b].map(V::from_bytes);
        let x = [
            a,
            b,
            a.xor(b),
            a.not(),
            a.shl::<3>(),
            b.shr::<5>(),
            a.and(b),
            b.not(),
        ];
        let sum = V::exchange(x)
            .into_iter()
            .fold(V::units(0), |sum, y| sum.rotate::<3, 13>().xor(y));
        [
            a.xor(b),
            a.and(b),
            a.or(b),
            a.not(),
            a.shl::<4>(),
            a.shr::<12>(),
            a.rotate::<8, 8>(),
            a.blend(b, V::units(0xcccc)),
            V::slice(&a.to_bytes()),
            V::from_bytes(&a.unslice()),
            sum,
        ]
        .map(V::to_bytes)
    }

    #[test]
    fn sse2_computes_what_integers_do() {
        for seed in 0..200 {
            let (a, b) = (some(2 * seed), some(2 * seed + 1));
            assert_eq!(all::<sse2::Vector>(&a, &b), all::<integers::Vector>(&a, &b));
        }
    }

    #[test]
    fn slicing_is_bit_wise() {
        let lane = some(7);
        let planes = integers::Vector::slice(&lane).to_bytes();
        for (i, byte) in lane.into_iter().enumerate() {
            for j in 0..8 {
                let unit = u16::from_le_bytes([planes[2 * j], planes[2 * j + 1]]);
                assert_eq!(unit >> i & 1, u16::from(byte >> j & 1), "byte {i}, bit {j}");
            }
        }
        assert_eq!(integers::Vector::slice(&lane).unslice(), lane);
    }

    #[test]
    fn exchange_is_a_transposition() {
        let x: [Lane; 8] = core::array::from_fn(|i| some(i as u64));
        let y = integers::Vector::exchange(x.each_ref().map(integers::Vector::from_bytes));
        let y = y.map(integers::Vector::to_bytes);
        for (i, x) in x.iter().enumerate() {
            for (j, y) in y.iter().enumerate() {
                assert_eq!(x[2 * j..][..2], y[2 * i..][..2]);
            }
        }
    }
}
