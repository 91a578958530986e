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
    fn load(lane: &Lane) -> Self {
        // SAFETY: 16 readable bytes; the load wants no alignment.
        Self(unsafe { _mm_loadu_si128(lane.as_ptr().cast()) })
    }

    #[inline(always)]
    fn store(self) -> Lane {
        let mut lane = [0; 16];
        // SAFETY: 16 writable bytes; the store wants no alignment.
        unsafe { _mm_storeu_si128(lane.as_mut_ptr().cast(), self.0) }
        lane
    }

    /// Twice the lower eight bytes between the upper eight.
    #[inline(always)]
    fn transpose(self) -> Self {
        // SAFETY: as in `xor`.
        let between = |x| unsafe { _mm_unpacklo_epi8(x, _mm_unpackhi_epi64(x, x)) };
        Self(between(between(self.0)))
    }

    #[inline(always)]
    fn zip_bytes(self, b: Self) -> [Self; 2] {
        let (a, b) = (self.0, b.0);
        // SAFETY: as in `xor`.
        unsafe { [_mm_unpacklo_epi8(a, b), _mm_unpackhi_epi8(a, b)].map(Self) }
    }

    #[inline(always)]
    fn zip_words(self, b: Self) -> [Self; 2] {
        let (a, b) = (self.0, b.0);
        // SAFETY: as in `xor`.
        unsafe { [_mm_unpacklo_epi16(a, b), _mm_unpackhi_epi16(a, b)].map(Self) }
    }

    #[inline(always)]
    fn zip_halves(self, b: Self) -> [Self; 2] {
        let (a, b) = (self.0, b.0);
        // SAFETY: as in `xor`.
        unsafe { [_mm_unpacklo_epi64(a, b), _mm_unpackhi_epi64(a, b)].map(Self) }
    }

    #[inline(always)]
    fn unzip_bytes(self, b: Self) -> [Self; 2] {
        // SAFETY: as in `xor`.
        unsafe {
            let [even, odd] = [
                [self.0, b.0].map(|x| _mm_and_si128(x, _mm_set1_epi16(0x00ff))),
                [self.0, b.0].map(|x| _mm_srli_epi16::<8>(x)),
            ];
            [even, odd].map(|[a, b]| Self(_mm_packus_epi16(a, b)))
        }
    }

    /// As numbers with a sign, of which packing keeps all that have 16 bits.
    #[inline(always)]
    fn unzip_words(self, b: Self) -> [Self; 2] {
        // SAFETY: as in `xor`.
        unsafe {
            let even = [self.0, b.0].map(|x| _mm_slli_epi32::<16>(x));
            [even, [self.0, b.0]].map(|both| {
                let [a, b] = both.map(|x| _mm_srai_epi32::<16>(x));
                Self(_mm_packs_epi32(a, b))
            })
        }
    }

    #[inline(always)]
    fn shuffle_units<const ORDER: i32>(self) -> Self {
        // SAFETY: as in `xor`.
        Self(unsafe { _mm_shuffle_epi32::<ORDER>(self.0) })
    }

    #[inline(always)]
    fn shuffle_halves<const LOW: i32, const HIGH: i32>(self) -> Self {
        // SAFETY: as in `xor`.
        Self(unsafe { _mm_shufflehi_epi16::<HIGH>(_mm_shufflelo_epi16::<LOW>(self.0)) })
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
