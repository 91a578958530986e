//! Blocks in memory to planes, and back.

use core::arch::x86_64::*;

use super::Wide512;
use crate::minalpher::lanes::BLOCK;

impl Wide512 {
    /// Rows of A and B in the halves of an integer to and from: low nibbles are A, high nibbles B,
    /// odd columns before even ones.
    #[inline(always)]
    fn exchange(self, x: __m512i) -> __m512i {
        const OFFSETS: i64 = i64::from_le_bytes([28, 36, 44, 52, 4, 12, 20, 28]);
        const KEEP: i64 = 0xf0f0_f0f0_0f0f_0f0f_u64 as i64;
        // SAFETY: the token proves AVX-512 F and VBMI.
        unsafe {
            let moved = _mm512_multishift_epi64_epi8(_mm512_set1_epi64(OFFSETS), x);
            _mm512_ternarylogic_epi64::<0xe4>(x, moved, _mm512_set1_epi64(KEEP))
        }
    }

    /// Half a block of each of g, g + 16, g + 32 and g + 48, sliced: byte 4 m + b of each eight is
    /// plane b of a row of matrix m.
    #[inline(always)]
    pub(super) fn gather(self, from: &[u8; 64 * BLOCK], half: usize, g: usize) -> __m512i {
        assert!(half < 2 && g < 16);
        // SAFETY: 16-byte parts at 32 j + 16 half, j < 64, lie within `from`; AVX-512 F and GFNI
        // by the token.
        unsafe {
            let at: *const __m128i = from.as_ptr().add(BLOCK * g + 16 * half).cast();
            let v = _mm512_castsi128_si512(_mm_loadu_si128(at));
            let v = _mm512_inserti32x4::<1>(v, _mm_loadu_si128(at.add(32)));
            let v = _mm512_inserti32x4::<2>(v, _mm_loadu_si128(at.add(64)));
            let v = _mm512_inserti32x4::<3>(v, _mm_loadu_si128(at.add(96)));
            let bits = _mm512_set1_epi64(i64::from_le_bytes([1, 2, 4, 8, 16, 32, 64, 128]));
            _mm512_gf2p8affine_epi64_epi8::<0>(bits, self.exchange(v))
        }
    }

    #[inline(always)]
    pub(super) fn scatter(self, v: __m512i, to: &mut [u8; 64 * BLOCK], half: usize, g: usize) {
        assert!(half < 2 && g < 16);
        // SAFETY: 16-byte parts at 32 j + 16 half, j < 64, lie within `to`; AVX-512 F and GFNI by
        // the token.
        unsafe {
            let bits = _mm512_set1_epi64(i64::from_le_bytes([128, 64, 32, 16, 8, 4, 2, 1]));
            let v = self.exchange(_mm512_gf2p8affine_epi64_epi8::<0>(bits, v));
            let at: *mut __m128i = to.as_mut_ptr().add(BLOCK * g + 16 * half).cast();
            _mm_storeu_si128(at, _mm512_castsi512_si128(v));
            _mm_storeu_si128(at.add(32), _mm512_extracti32x4_epi32::<1>(v));
            _mm_storeu_si128(at.add(64), _mm512_extracti32x4_epi32::<2>(v));
            _mm_storeu_si128(at.add(96), _mm512_extracti32x4_epi32::<3>(v));
        }
    }

    /// In each quarter: byte c of register g to byte g of register c.
    #[inline(always)]
    pub(super) fn transpose(self, rows: [__m512i; 16]) -> [__m512i; 16] {
        self.riffle(self.riffle(self.riffle(self.riffle(rows))))
    }

    #[inline(always)]
    fn riffle(self, x: [__m512i; 16]) -> [__m512i; 16] {
        // SAFETY: the token proves AVX-512 BW.
        unsafe {
            sixteen!(i => {
                let (a, b) = (x[i / 2], x[i / 2 + 8]);
                if i.is_multiple_of(2) { _mm512_unpacklo_epi8(a, b) } else { _mm512_unpackhi_epi8(a, b) }
            })
        }
    }
}
