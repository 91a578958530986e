//! Runs of rounds that absorb one block over and over: it stands in slots 9 to 14, from where the shuffle that takes
//! words to where the round adds them takes it, too.
//!
//! F must leave those slots alone. Zeros before the second S-box cost nothing, since the instructions before it can
//! give zeros for some bytes; but S(0) = 1, which is plane 1 alone. So plane 1 of the block changes in every
//! round to its complement, and of two copies of the block, one with plane 1 and one with the complement, a
//! round takes what is right then.

use core::arch::asm;
use core::arch::x86_64::*;

use super::f::{exchanged, f_by};
use super::layout::{AGAIN, COMPLEMENT, ENTER, WORD_BYTES};
use super::{Evex256, State, Two};
use crate::aether::ROUNDS;

#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
#[inline]
pub(super) fn rounds(cpu: Evex256, s: State, x: Two) -> State {
    let mut planes = cpu.pick_each(&ENTER, s.planes, x);
    let complement = cpu.load(&COMPLEMENT[s.phase % 2]);
    planes[1] = cpu.xor(planes[1], complement);
    planes[5] = cpu.xor(planes[5], complement);
    let words: __mmask32;
    // SAFETY: a move, with an instruction that `cpu` proves.
    unsafe {
        asm!(
            "kmovd {words}, {bytes:e}",
            words = out(kreg) words,
            bytes = in(reg) WORD_BYTES,
            options(pure, nomem, nostack, preserves_flags),
        );
    }
    // By hand: the compiler would give the sum of two products zeros by an instruction of its own.
    let times = |x: __m256i, matrix: __m256i| {
        let product: __m256i;
        // SAFETY: an instruction that `cpu` proves.
        unsafe {
            asm!(
                "vgf2p8affineqb {product:y}{{{words}}}{{z}}, {x:y}, {matrix:y}, 0",
                product = lateout(zmm_reg) product,
                words = in(kreg) words,
                x = in(zmm_reg) x,
                matrix = in(zmm_reg) matrix,
                options(nomem, nostack, preserves_flags),
            );
        }
        product
    };
    for again in &AGAIN[s.phase..s.phase + ROUNDS] {
        let images = f_by(exchanged(planes), times);
        planes = cpu.xor_planes(images, cpu.pick_all(again, planes));
    }
    for plane in &mut planes {
        *plane = _mm256_maskz_mov_epi8(WORD_BYTES, *plane);
    }
    State {
        planes,
        phase: (s.phase + ROUNDS) % 9,
    }
}
