//! 128 bits in parallel: what every CPU of an architecture has for them.

#[allow(dead_code)] // where there is none of the others
mod integers;
#[cfg(all(
    target_arch = "aarch64",
    target_feature = "neon",
    target_endian = "little"
))]
mod neon;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod sse2;

cfg_select! {
    all(target_arch = "aarch64", target_feature = "neon", target_endian = "little") => {
        pub(super) use neon::Vector;
    }
    all(target_arch = "x86_64", target_feature = "sse2") => { pub(super) use sse2::Vector; }
    _ => { pub(super) use integers::Vector; }
}

use super::sbox::Bits;
use crate::aes::Lane;

/// Four units of 32 bits, or 16 bytes: what a kind of vector computes, and what is the same for all.
pub(super) trait Units: Bits {
    /// Bytes as they stand in memory.
    fn load(lane: &Lane) -> Self;
    fn store(self) -> Lane;
    /// Byte 4 * i + j to byte 4 * j + i.
    fn transpose(self) -> Self;
    /// The bytes of both vectors interleaved: those of the lower halves, then those of the upper ones.
    fn zip_bytes(self, b: Self) -> [Self; 2];
    /// The same in parts of 16 bits,
    fn zip_words(self, b: Self) -> [Self; 2];
    /// and of 64.
    fn zip_halves(self, b: Self) -> [Self; 2];
    /// The other way: what is even of both, then what is odd.
    fn unzip_bytes(self, b: Self) -> [Self; 2];
    fn unzip_words(self, b: Self) -> [Self; 2];
    /// Unit `ORDER >> 2 * i & 3` to unit i.
    fn shuffle_units<const ORDER: i32>(self) -> Self;
    /// The same in parts of 16 bits, within each half.
    fn shuffle_halves<const LOW: i32, const HIGH: i32>(self) -> Self;
    /// The same in every unit.
    fn units(unit: u32) -> Self;
    fn or(self, b: Self) -> Self;
    /// Of every unit; what leaves it is dropped.
    fn shl<const N: i32>(self) -> Self;
    fn shr<const N: i32>(self) -> Self;
    /// Every byte times two; bit 7 is dropped.
    fn double(self) -> Self;
    /// Rotates unit i to the right by i * RIGHT bits; LEFT is 32 - RIGHT, and two of RIGHT are 16
    /// modulo 32.
    fn skew<const RIGHT: i32, const LEFT: i32>(self) -> Self;

    /// Column by column in memory, row by row here: byte 4 * column + row to byte 4 * row + column.
    #[inline(always)]
    fn from_bytes(lane: &Lane) -> Self {
        Self::load(lane).transpose()
    }

    /// The other way.
    #[inline(always)]
    fn to_bytes(self) -> Lane {
        self.transpose().store()
    }

    /// Unit i + 1 to unit i, the first to the last.
    #[inline(always)]
    fn below(self) -> Self {
        self.shuffle_units::<0b00_11_10_01>()
    }

    /// Unit i + 2 to unit i, modulo 4.
    #[inline(always)]
    fn opposite(self) -> Self {
        self.shuffle_units::<0b01_00_11_10>()
    }

    /// The same in every byte.
    #[inline(always)]
    fn bytes(byte: u8) -> Self {
        Self::units(u32::from_ne_bytes([byte; 4]))
    }

    /// This one where `mask` has zeros, the other where it has ones.
    #[inline(always)]
    fn blend(self, ones: Self, mask: Self) -> Self {
        self.xor(self.xor(ones).and(mask))
    }

    /// Of every byte of vector j bit i to bit j of that byte of vector i: words to bit planes, and back.
    #[inline(always)]
    fn flip([a, b, c, d, e, f, g, h]: [Self; 8]) -> [Self; 8] {
        let (a, b) = a.exchange_bits::<1>(b, 0x55);
        let (c, d) = c.exchange_bits::<1>(d, 0x55);
        let (e, f) = e.exchange_bits::<1>(f, 0x55);
        let (g, h) = g.exchange_bits::<1>(h, 0x55);
        let (a, c) = a.exchange_bits::<2>(c, 0x33);
        let (b, d) = b.exchange_bits::<2>(d, 0x33);
        let (e, g) = e.exchange_bits::<2>(g, 0x33);
        let (f, h) = f.exchange_bits::<2>(h, 0x33);
        let (a, e) = a.exchange_bits::<4>(e, 0x0f);
        let (b, f) = b.exchange_bits::<4>(f, 0x0f);
        let (c, g) = c.exchange_bits::<4>(g, 0x0f);
        let (d, h) = d.exchange_bits::<4>(h, 0x0f);
        [a, b, c, d, e, f, g, h]
    }

    /// Exchanges the bits of every byte of `b` in `mask` with those SHIFT above them here.
    #[inline(always)]
    fn exchange_bits<const SHIFT: i32>(self, b: Self, mask: u8) -> (Self, Self) {
        let t = self.shr::<SHIFT>().xor(b).and(Self::bytes(mask));
        (self.xor(t.shl::<SHIFT>()), b.xor(t))
    }
}

#[cfg(test)]
mod tests {
    use core::array::from_fn;

    use super::*;

    /// Bytes without a pattern.
    fn some(seed: u64) -> Lane {
        let mut x = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        from_fn(|_| {
            x ^= x << 13;
            x ^= x >> 7;
            x ^= x << 17;
            (x >> 32) as u8
        })
    }

    /// Every operation on two vectors.
    fn all<V: Units>(a: &Lane, b: &Lane) -> [Lane; 25] {
        let [a, b] = [a, b].map(V::from_bytes);
        [
            a.xor(b),
            a.and(b),
            a.or(b),
            a.not(),
            a.shl::<4>(),
            a.shr::<12>(),
            a.double(),
            a.zip_bytes(b)[0],
            a.zip_bytes(b)[1],
            a.zip_words(b)[0],
            a.zip_words(b)[1],
            a.zip_halves(b)[0],
            a.zip_halves(b)[1],
            a.unzip_bytes(b)[0],
            a.unzip_bytes(b)[1],
            a.unzip_words(b)[0],
            a.unzip_words(b)[1],
            a.shuffle_units::<0b00_11_01_10>(),
            a.shuffle_halves::<0b00_11_01_10, 0b10_01_11_00>(),
            a.below(),
            a.opposite(),
            a.skew::<8, 24>(),
            a.skew::<24, 8>(),
            a.blend(b, V::units(0x1234_5678)),
            a.exchange_bits::<2>(b, 0x33).0,
        ]
        .map(V::to_bytes)
    }

    #[test]
    fn instructions_compute_what_integers_do() {
        for seed in 0..200 {
            let (a, b) = (some(2 * seed), some(2 * seed + 1));
            assert_eq!(all::<Vector>(&a, &b), all::<integers::Vector>(&a, &b));
        }
    }

    fn rows_of<V: Units>(lane: &Lane) {
        let at = |x: V, row: usize, column: usize| x.to_bytes()[4 * column + row];
        let x = V::from_bytes(lane);
        assert_eq!(x.to_bytes(), *lane);
        for row in 0..4 {
            for column in 0..4 {
                let byte = |row: usize, column: usize| lane[4 * (column % 4) + row % 4];
                assert_eq!(at(x.below(), row, column), byte(row + 1, column));
                assert_eq!(at(x.opposite(), row, column), byte(row + 2, column));
                assert_eq!(at(x.skew::<8, 24>(), row, column), byte(row, column + row));
                let other = byte(row, column + 3 * row);
                assert_eq!(at(x.skew::<24, 8>(), row, column), other);
            }
        }
    }

    #[test]
    fn units_are_rows() {
        rows_of::<Vector>(&some(7));
        rows_of::<integers::Vector>(&some(7));
    }

    fn flipped<V: Units>() {
        let x: [Lane; 8] = from_fn(|i| some(i as u64));
        let y = V::flip(x.each_ref().map(V::from_bytes)).map(V::to_bytes);
        for (j, x) in x.iter().enumerate() {
            for (i, y) in y.iter().enumerate() {
                for (x, y) in x.iter().zip(y) {
                    assert_eq!(x >> i & 1, y >> j & 1, "word {j}, bit {i}");
                }
            }
        }
    }

    #[test]
    fn flip_is_bit_wise() {
        flipped::<Vector>();
        flipped::<integers::Vector>();
    }
}
