//! In a register of NEON, which every CPU for AArch64 has.

use core::arch::aarch64::*;

use super::super::sbox::Bits;
use super::Units;
use crate::aes::Lane;

/// Four units of 32 bits.
#[derive(Clone, Copy)]
pub struct Vector(uint8x16_t);

impl Bits for Vector {
    #[inline(always)]
    fn xor(self, b: Self) -> Self {
        // SAFETY: this file is compiled where the target has NEON.
        Self(unsafe { veorq_u8(self.0, b.0) })
    }

    #[inline(always)]
    fn and(self, b: Self) -> Self {
        // SAFETY: as in `xor`.
        Self(unsafe { vandq_u8(self.0, b.0) })
    }

    #[inline(always)]
    fn not(self) -> Self {
        // SAFETY: as in `xor`.
        Self(unsafe { vmvnq_u8(self.0) })
    }
}

impl Units for Vector {
    #[inline(always)]
    fn load(lane: &Lane) -> Self {
        // SAFETY: 16 readable bytes; the load wants no alignment.
        Self(unsafe { vld1q_u8(lane.as_ptr()) })
    }

    #[inline(always)]
    fn store(self) -> Lane {
        let mut lane = [0; 16];
        // SAFETY: 16 writable bytes; the store wants no alignment.
        unsafe { vst1q_u8(lane.as_mut_ptr(), self.0) }
        lane
    }

    #[inline(always)]
    fn transpose(self) -> Self {
        self.moved(const { &[0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15] })
    }

    #[inline(always)]
    fn zip_bytes(self, b: Self) -> [Self; 2] {
        // SAFETY: as in `xor`.
        unsafe { [vzip1q_u8(self.0, b.0), vzip2q_u8(self.0, b.0)] }.map(Self)
    }

    #[inline(always)]
    fn zip_words(self, b: Self) -> [Self; 2] {
        let (a, b) = (self.words(), b.words());
        // SAFETY: as in `xor`.
        unsafe { [vzip1q_u16(a, b), vzip2q_u16(a, b)] }.map(Self::of_words)
    }

    #[inline(always)]
    fn zip_halves(self, b: Self) -> [Self; 2] {
        // SAFETY: as in `xor`.
        unsafe {
            let [a, b] = [self.0, b.0].map(|x| vreinterpretq_u64_u8(x));
            [vzip1q_u64(a, b), vzip2q_u64(a, b)].map(|x| Self(vreinterpretq_u8_u64(x)))
        }
    }

    #[inline(always)]
    fn unzip_bytes(self, b: Self) -> [Self; 2] {
        // SAFETY: as in `xor`.
        unsafe { [vuzp1q_u8(self.0, b.0), vuzp2q_u8(self.0, b.0)] }.map(Self)
    }

    #[inline(always)]
    fn unzip_words(self, b: Self) -> [Self; 2] {
        let (a, b) = (self.words(), b.words());
        // SAFETY: as in `xor`.
        unsafe { [vuzp1q_u16(a, b), vuzp2q_u16(a, b)] }.map(Self::of_words)
    }

    #[inline(always)]
    fn shuffle_units<const ORDER: i32>(self) -> Self {
        self.moved(const { &places(4, [ORDER, ORDER >> 4]) })
    }

    #[inline(always)]
    fn shuffle_halves<const LOW: i32, const HIGH: i32>(self) -> Self {
        self.moved(const { &places(2, [LOW, HIGH]) })
    }

    #[inline(always)]
    fn units(unit: u32) -> Self {
        // SAFETY: as in `xor`.
        Self(unsafe { vreinterpretq_u8_u32(vdupq_n_u32(unit)) })
    }

    #[inline(always)]
    fn or(self, b: Self) -> Self {
        // SAFETY: as in `xor`.
        Self(unsafe { vorrq_u8(self.0, b.0) })
    }

    #[inline(always)]
    fn shl<const N: i32>(self) -> Self {
        // SAFETY: as in `xor`.
        Self(unsafe { vreinterpretq_u8_u32(vshlq_n_u32::<N>(vreinterpretq_u32_u8(self.0))) })
    }

    #[inline(always)]
    fn shr<const N: i32>(self) -> Self {
        // SAFETY: as in `xor`.
        Self(unsafe { vreinterpretq_u8_u32(vshrq_n_u32::<N>(vreinterpretq_u32_u8(self.0))) })
    }

    #[inline(always)]
    fn double(self) -> Self {
        // SAFETY: as in `xor`.
        Self(unsafe { vaddq_u8(self.0, self.0) })
    }

    #[inline(always)]
    fn skew<const RIGHT: i32, const LEFT: i32>(self) -> Self {
        const { assert!(RIGHT + LEFT == 32 && 2 * RIGHT % 32 == 16) };
        self.moved(const { &skewed(RIGHT as usize / 8) })
    }
}

impl Vector {
    /// Byte `from[i]` to byte i.
    #[inline(always)]
    fn moved(self, from: &Lane) -> Self {
        // SAFETY: as in `xor`.
        Self(unsafe { vqtbl1q_u8(self.0, Self::load(from).0) })
    }

    #[inline(always)]
    fn words(self) -> uint16x8_t {
        // SAFETY: as in `xor`.
        unsafe { vreinterpretq_u16_u8(self.0) }
    }

    #[inline(always)]
    fn of_words(words: uint16x8_t) -> Self {
        // SAFETY: as in `xor`.
        Self(unsafe { vreinterpretq_u8_u16(words) })
    }
}

/// Where each byte comes from if an order moves parts of `bytes` bytes: parts of 4 within the vector, parts of 2
/// within each half.
const fn places(bytes: usize, orders: [i32; 2]) -> Lane {
    let (mut from, mut i) = ([0; 16], 0);
    while i < 16 {
        let (half, part) = (i / 8, i % 8 / bytes);
        let source = (orders[half] >> (2 * part) & 3) as usize;
        let start = if bytes == 2 { 8 * half } else { 0 };
        from[i] = (start + bytes * source + i % bytes) as u8;
        i += 1;
    }
    from
}

/// Byte j of unit i comes from its byte j + i * right, modulo 4.
const fn skewed(right: usize) -> Lane {
    let (mut from, mut i) = ([0; 16], 0);
    while i < 16 {
        from[i] = (i / 4 * 4 + (i + i / 4 * right) % 4) as u8;
        i += 1;
    }
    from
}
