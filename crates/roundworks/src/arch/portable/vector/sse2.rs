//! In a register of SSE2, which every CPU for x86-64 has.

use core::arch::x86_64::*;

use super::super::sbox::Bits;
use super::Units;
use crate::aes::Lane;

/// Four units of 32 bits.
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
        self.xor(Self::units(u32::MAX))
    }
}

impl Units for Vector {
    #[inline(always)]
    fn from_bytes(lane: &Lane) -> Self {
        // SAFETY: 16 readable bytes; the load wants no alignment.
        Self(unsafe { _mm_loadu_si128(lane.as_ptr().cast()) }).transpose()
    }

    #[inline(always)]
    fn to_bytes(self) -> Lane {
        let mut lane = [0; 16];
        // SAFETY: 16 writable bytes; the store wants no alignment.
        unsafe { _mm_storeu_si128(lane.as_mut_ptr().cast(), self.transpose().0) }
        lane
    }

    #[inline(always)]
    fn units(unit: u32) -> Self {
        // SAFETY: as in `xor`.
        Self(unsafe { _mm_set1_epi32(unit.cast_signed()) })
    }

    #[inline(always)]
    fn or(self, b: Self) -> Self {
        // SAFETY: as in `xor`.
        Self(unsafe { _mm_or_si128(self.0, b.0) })
    }

    #[inline(always)]
    fn shl<const N: i32>(self) -> Self {
        // SAFETY: as in `xor`.
        Self(unsafe { _mm_slli_epi32::<N>(self.0) })
    }

    #[inline(always)]
    fn shr<const N: i32>(self) -> Self {
        // SAFETY: as in `xor`.
        Self(unsafe { _mm_srli_epi32::<N>(self.0) })
    }

    #[inline(always)]
    fn double(self) -> Self {
        // SAFETY: as in `xor`.
        Self(unsafe { _mm_add_epi8(self.0, self.0) })
    }

    #[inline(always)]
    fn below(self) -> Self {
        // SAFETY: as in `xor`.
        Self(unsafe { _mm_shuffle_epi32::<0b00_11_10_01>(self.0) })
    }

    #[inline(always)]
    fn opposite(self) -> Self {
        // SAFETY: as in `xor`.
        Self(unsafe { _mm_shuffle_epi32::<0b01_00_11_10>(self.0) })
    }

    /// Units 2 and 3 by 16, which exchanges their halves; then units 1 and 3 by RIGHT.
    #[inline(always)]
    fn skew<const RIGHT: i32, const LEFT: i32>(self) -> Self {
        const { assert!(RIGHT + LEFT == 32 && 2 * RIGHT % 32 == 16) };
        // SAFETY: as in `xor`.
        let two = Self(unsafe { _mm_shufflehi_epi16::<0b10_11_00_01>(self.0) });
        // SAFETY: as in `xor`.
        let odd = Self(unsafe { _mm_set_epi32(-1, 0, -1, 0) });
        two.blend(two.shr::<RIGHT>().or(two.shl::<LEFT>()), odd)
    }
}

impl Vector {
    /// Byte 4 * i + j to byte 4 * j + i: twice the lower eight bytes between the upper eight.
    #[inline(always)]
    fn transpose(self) -> Self {
        // SAFETY: as in `xor`.
        let between = |x| unsafe { _mm_unpacklo_epi8(x, _mm_unpackhi_epi64(x, x)) };
        Self(between(between(self.0)))
    }
}
