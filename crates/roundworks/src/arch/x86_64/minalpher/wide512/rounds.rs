//! A round of P on the planes of 64 blocks.

use core::arch::asm;
use core::arch::x86_64::*;

use super::layout::FREE;
use super::{Planes, Wide512};

impl Wide512 {
    /// S and T, where the shuffle `FREE` needs no instruction unless `PUT_BACK`. Written out, so that
    /// the planes stay in registers.
    #[inline(always)]
    pub(super) fn substitute<const PUT_BACK: bool>(self, x: &mut Planes, matrices: &[i64; 4]) {
        let (old, _) = x.as_chunks::<4>();
        let [a0, a1, a2, a3] = [old[0], old[1], old[2], old[3]];
        let [b0, b1, b2, b3] = [old[4], old[5], old[6], old[7]];
        let (new, _) = x.as_chunks_mut::<4>();
        new[4] = self.row::<PUT_BACK, 0>(matrices, a0);
        new[5] = self.row::<PUT_BACK, 1>(matrices, a1);
        new[6] = self.row::<PUT_BACK, 2>(matrices, a2);
        new[7] = self.row::<PUT_BACK, 3>(matrices, a3);
        new[0] = self.row::<PUT_BACK, 2>(matrices, b0);
        new[1] = self.row::<PUT_BACK, 3>(matrices, b1);
        new[2] = self.row::<PUT_BACK, 0>(matrices, b2);
        new[3] = self.row::<PUT_BACK, 1>(matrices, b3);
    }

    #[inline(always)]
    fn row<const PUT_BACK: bool, const BY: usize>(
        self,
        matrices: &[i64; 4],
        [x0, x1, x2, x3]: [__m512i; 4],
    ) -> [__m512i; 4] {
        // SAFETY: the token proves AVX-512 F and GFNI.
        unsafe {
            let g0 = _mm512_ternarylogic_epi64::<0xd2>(x2, x1, x0);
            let g1 = _mm512_ternarylogic_epi64::<0x6c>(x3, x0, g0);
            let g2 = _mm512_ternarylogic_epi64::<0x6c>(x3, x1, g1);
            let g3 = _mm512_ternarylogic_epi64::<0x69>(x3, g0, g2);
            let g4 = _mm512_ternarylogic_epi64::<0xe1>(x0, g0, g2);
            let g5 = _mm512_ternarylogic_epi64::<0xd2>(g0, g1, g3);
            let g6 = _mm512_ternarylogic_epi64::<0xb4>(g2, g4, g5);
            if BY == FREE && !PUT_BACK {
                return [g4, g5, g6, g3];
            }
            let matrix = _mm512_set1_epi64(matrices[BY]);
            [
                _mm512_gf2p8affine_epi64_epi8::<0>(g4, matrix),
                _mm512_gf2p8affine_epi64_epi8::<0>(g5, matrix),
                _mm512_gf2p8affine_epi64_epi8::<0>(g6, matrix),
                _mm512_gf2p8affine_epi64_epi8::<0>(g3, matrix),
            ]
        }
    }

    /// M, and the round constant: c ^ i, and r, on columns 0 to 3 of B. A bit of B right after that of A, so
    /// that fewer planes wait on the stack.
    #[inline(always)]
    pub(super) fn mix<const HALVES: bool>(self, x: &mut Planes, columns: &[i64; 4], four: i64) {
        for (b, &columns) in columns.iter().enumerate() {
            if HALVES {
                self.mix_a_by_two(x, b);
            } else {
                self.mix_a(x, b);
            }
            self.mix_b(x, b, columns, four);
        }
    }

    /// Bit b of the new rows of A.
    #[inline(always)]
    fn mix_a(self, x: &mut Planes, b: usize) {
        let [a0, a1, a2, a3] = [x[b], x[4 + b], x[8 + b], x[12 + b]];
        x[b] = self.xor3(a0, a1, a3);
        x[4 + b] = self.xor3(a1, a2, a0);
        x[8 + b] = self.xor3(a2, a3, a1);
        x[12 + b] = self.xor3(a3, a0, a2);
    }

    /// The same in sums of two. Where 512 bits take two passes, a sum of three takes the time of almost two sums of
    /// two, and less when mixed with them.
    #[inline(always)]
    fn mix_a_by_two(self, x: &mut Planes, b: usize) {
        let [a0, a1, a2, a3] = [x[b], x[4 + b], x[8 + b], x[12 + b]];
        let (low, high) = (self.xor(a0, a1), self.xor(a2, a3));
        x[b] = self.xor(low, a3);
        x[4 + b] = self.xor(low, a2);
        x[8 + b] = self.xor(high, a1);
        x[12 + b] = self.xor(high, a0);
    }

    /// Bit b of the new rows of B; those of A are new.
    #[inline(always)]
    fn mix_b(self, x: &mut Planes, b: usize, columns: i64, four: i64) {
        let [b0, b1, b2, b3] = [x[16 + b], x[20 + b], x[24 + b], x[28 + b]];
        // SAFETY: the token proves AVX-512 F.
        let (columns, four) = unsafe { (_mm512_set1_epi64(columns), _mm512_set1_epi64(four)) };
        let even = self.xor3(self.xor3(b0, b1, b2), b3, columns);
        // For the rows whose number has bit b.
        // SAFETY: the token proves AVX-512 F.
        let odd = unsafe { _mm512_xor_si512(even, four) };
        x[16 + b] = self.xor3(x[b], even, b2);
        x[20 + b] = self.xor3(x[4 + b], if b == 0 { odd } else { even }, b3);
        x[24 + b] = self.xor3(x[8 + b], if b == 1 { odd } else { even }, b0);
        x[28 + b] = self.xor3(x[12 + b], if b < 2 { odd } else { even }, b1);
    }

    #[inline(always)]
    fn xor(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: the token proves AVX-512 F.
        unsafe { sum_of_two(a, b) }
    }

    #[inline(always)]
    pub(super) fn xor3(self, a: __m512i, b: __m512i, c: __m512i) -> __m512i {
        // SAFETY: the token proves AVX-512 F.
        unsafe { _mm512_ternarylogic_epi64::<0x96>(a, b, c) }
    }
}

/// Which the compiler does not join with others to sums of three.
#[target_feature(enable = "avx512f")]
#[inline]
fn sum_of_two(a: __m512i, b: __m512i) -> __m512i {
    let mut sum = _mm512_xor_si512(a, b);
    // SAFETY: no instruction.
    unsafe { asm!("/* {0} */", inout(zmm_reg) sum, options(nomem, nostack, preserves_flags)) }
    sum
}
