//! 128 bits in parallel: what every CPU of an architecture has for them.

#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "sse2"))))]
mod integers;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod sse2;

#[cfg(not(all(target_arch = "x86_64", target_feature = "sse2")))]
pub(super) use integers::Vector;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(super) use sse2::Vector;

/// Exclusive or of x >> SHIFT, or of its bits in `mask`, into both places that the shift brings
/// together: exchanges those bits with the ones SHIFT above.
macro_rules! exchange_bits {
    ($x:expr, $shift:literal, $mask:literal) => {{
        let x = $x;
        let t = x.xor(x.shr64::<$shift>()).and(Self::longs($mask));
        x.xor(t).xor(t.shl64::<$shift>())
    }};
}

/// What is the same for all vectors.
macro_rules! slicing {
    () => {
        /// Rotates every unit of 16 bits to the right.
        #[inline(always)]
        pub(in super::super) fn rotate<const RIGHT: i32, const LEFT: i32>(self) -> Self {
            const { assert!(RIGHT + LEFT == 16) };
            self.shr::<RIGHT>().or(self.shl::<LEFT>())
        }

        /// This one where `mask` has zeros, the other where it has ones.
        #[inline(always)]
        pub(in super::super) fn blend(self, ones: Self, mask: Self) -> Self {
            self.xor(self.xor(ones).and(mask))
        }

        /// Bytes to planes: bit j of byte i is bit i of unit j.
        #[inline(always)]
        pub(in super::super) fn slice(lane: &crate::aes::Lane) -> Self {
            Self::from_bytes(lane).transpose().interleave()
        }

        /// Planes to bytes.
        #[inline(always)]
        pub(in super::super) fn unslice(self) -> crate::aes::Lane {
            self.deinterleave().transpose().to_bytes()
        }

        /// Of both halves: bit j of byte i becomes bit i of byte j.
        #[inline(always)]
        fn transpose(self) -> Self {
            let x = exchange_bits!(self, 7, 0x00aa_00aa_00aa_00aa);
            let x = exchange_bits!(x, 14, 0x0000_cccc_0000_cccc);
            exchange_bits!(x, 28, 0x0000_0000_f0f0_f0f0)
        }
    };
}
use {exchange_bits, slicing};

#[cfg(all(test, target_arch = "x86_64", target_feature = "sse2"))]
mod tests {
    use super::{integers, sse2};
    use crate::aes::Lane;

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

    /// The same of both kinds of vector.
    macro_rules! same {
        ($a:ident, $b:ident: $e:expr) => {{
            type Vector = integers::Vector;
            let f = |$a: Vector, $b: Vector| $e;
            let integers =
                |a: &Lane, b: &Lane| f(Vector::from_bytes(a), Vector::from_bytes(b)).to_bytes();
            let sse2 = {
                type Vector = sse2::Vector;
                let f = |$a: Vector, $b: Vector| $e;
                move |a: &Lane, b: &Lane| f(Vector::from_bytes(a), Vector::from_bytes(b)).to_bytes()
            };
            for seed in 0..200 {
                let (a, b) = (some(2 * seed), some(2 * seed + 1));
                assert_eq!(sse2(&a, &b), integers(&a, &b), "{}", stringify!($e));
            }
        }};
    }

    #[test]
    fn sse2_computes_what_integers_do() {
        use super::super::sbox::Bits;
        same!(a, b: a.xor(b));
        same!(a, b: a.and(b));
        same!(a, b: a.or(b));
        same!(a, _b: a.not());
        same!(a, _b: a.shl::<4>());
        same!(a, _b: a.shr::<12>());
        same!(a, _b: a.rotate::<8, 8>());
        same!(a, b: a.blend(b, Vector::units(0xcccc)));
        same!(a, _b: Vector::slice(&a.to_bytes()));
        same!(a, _b: Vector::from_bytes(&a.unslice()));
        same!(a, b: {
            let x = [a, b, a.xor(b), a.not(), a.shl::<3>(), b.shr::<5>(), a.and(b), b.not()];
            let mut sum = Vector::units(0);
            for (i, y) in Vector::exchange(x).into_iter().enumerate() {
                sum = if i % 2 == 0 { sum.rotate::<3, 13>() } else { sum.rotate::<5, 11>() };
                sum = sum.xor(y);
            }
            sum
        });
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
