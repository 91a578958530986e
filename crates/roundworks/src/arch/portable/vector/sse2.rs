//! In a register of SSE2, which every CPU for x86-64 has.

use core::arch::x86_64::*;

use super::super::sbox::Bits;
use super::Units;
use crate::aes::Lane;

/// Eight units of 16 bits.
#[derive(Clone, Copy)]
pub struct Vector(__m128i);

impl Bits for Vector {
    #[inline(always)]
    fn xor(self, b: Self) -> Self {
        // SAFETY: this file is compiled where the target has SSE2.
        Self(unsafe { _mm_xor_si128(self.0, b.0) })
    }

    #[inline(always)]
    fn and(self, b: Self) -> Self {
        // SAFETY: as in `xor`.
        Self(unsafe { _mm_and_si128(self.0, b.0) })
    }

    #[inline(always)]
    fn not(self) -> Self {
        self.xor(Self::units(u16::MAX))
    }
}

impl Units for Vector {
    #[inline(always)]
    fn from_bytes(lane: &Lane) -> Self {
        // SAFETY: 16 readable bytes; the load wants no alignment.
        Self(unsafe { _mm_loadu_si128(lane.as_ptr().cast()) })
    }

    #[inline(always)]
    fn to_bytes(self) -> Lane {
        let mut lane = [0; 16];
        // SAFETY: 16 writable bytes; the store wants no alignment.
        unsafe { _mm_storeu_si128(lane.as_mut_ptr().cast(), self.0) }
        lane
    }

    #[inline(always)]
    fn units(unit: u16) -> Self {
        // SAFETY: as in `xor`.
        Self(unsafe { _mm_set1_epi16(unit.cast_signed()) })
    }

    #[inline(always)]
    fn longs(long: u64) -> Self {
        // SAFETY: as in `xor`.
        Self(unsafe { _mm_set1_epi64x(long.cast_signed()) })
    }

    #[inline(always)]
    fn or(self, b: Self) -> Self {
        // SAFETY: as in `xor`.
        Self(unsafe { _mm_or_si128(self.0, b.0) })
    }

    #[inline(always)]
    fn shl<const N: i32>(self) -> Self {
        // SAFETY: as in `xor`.
        Self(unsafe { _mm_slli_epi16::<N>(self.0) })
    }

    #[inline(always)]
    fn shr<const N: i32>(self) -> Self {
        // SAFETY: as in `xor`.
        Self(unsafe { _mm_srli_epi16::<N>(self.0) })
    }

    #[inline(always)]
    fn shl64<const N: i32>(self) -> Self {
        // SAFETY: as in `xor`.
        Self(unsafe { _mm_slli_epi64::<N>(self.0) })
    }

    #[inline(always)]
    fn shr64<const N: i32>(self) -> Self {
        // SAFETY: as in `xor`.
        Self(unsafe { _mm_srli_epi64::<N>(self.0) })
    }

    #[inline(always)]
    fn interleave(self) -> Self {
        // SAFETY: as in `xor`.
        Self(unsafe { _mm_unpacklo_epi8(self.0, _mm_unpackhi_epi64(self.0, self.0)) })
    }

    #[inline(always)]
    fn deinterleave(self) -> Self {
        let low = self.and(Self::units(0x00ff));
        // SAFETY: as in `xor`.
        Self(unsafe { _mm_packus_epi16(low.0, self.shr::<8>().0) })
    }

    #[inline(always)]
    fn exchange([a, b, c, d, e, f, g, h]: [Self; 8]) -> [Self; 8] {
        // SAFETY: as in `xor`.
        let words = |x: Self, y: Self| unsafe {
            [_mm_unpacklo_epi16(x.0, y.0), _mm_unpackhi_epi16(x.0, y.0)]
        };
        let ([ab0, ab1], [cd0, cd1]) = (words(a, b), words(c, d));
        let ([ef0, ef1], [gh0, gh1]) = (words(e, f), words(g, h));
        // SAFETY: as in `words`.
        let pairs = |x, y| unsafe { [_mm_unpacklo_epi32(x, y), _mm_unpackhi_epi32(x, y)] };
        let ([ad0, ad1], [ad2, ad3]) = (pairs(ab0, cd0), pairs(ab1, cd1));
        let ([eh0, eh1], [eh2, eh3]) = (pairs(ef0, gh0), pairs(ef1, gh1));
        // SAFETY: as in `words`.
        let fours =
            |x, y| unsafe { [_mm_unpacklo_epi64(x, y), _mm_unpackhi_epi64(x, y)] }.map(Self);
        let ([y0, y1], [y2, y3]) = (fours(ad0, eh0), fours(ad1, eh1));
        let ([y4, y5], [y6, y7]) = (fours(ad2, eh2), fours(ad3, eh3));
        [y0, y1, y2, y3, y4, y5, y6, y7]
    }
}
