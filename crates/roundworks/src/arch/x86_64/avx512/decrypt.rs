//! Runs of whole blocks to decrypt. The next round waits for the keystream, unlike that of
//! encryption, but not for the block to go out.
//!
//! In round t the ciphertext of block t stands in slots 9 to 11, as the plaintext does in
//! encryption, and the sums of the same round in slots 12 to 14. After F, the keystream is added to
//! where the ciphertext now is and to the next sums, at one go: what is left in slots 12 and 14 is
//! already part of them.

use core::arch::asm;
use core::arch::x86_64::*;

use super::blocks::{FEW, Quarters, Run};
use super::layout::{DECRYPT_PHASES, DecryptPhase, NOT_BLOCK_BYTES, PHASES, WORD_BYTES};
use super::rounds::f;
use super::{Avx512, Planes, State};
use crate::aether::{Blocks, decrypt_each};

struct Decryption<'a> {
    run: Run<'a>,
    /// Of block i, in i % 4.
    keystream: [Quarters; 4],
}

#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
#[inline(never)]
pub(super) fn decrypt(cpu: Avx512, s: State, blocks: Blocks<'_>) -> State {
    let n = blocks.len();
    if n <= FEW {
        return decrypt_each(cpu, s, blocks);
    }
    let mut run = Decryption {
        run: Run::new(cpu, blocks),
        keystream: [Quarters::zero(); 4],
    };
    let mut phase = s.phase;
    for i in 0..3 {
        let arrange = &DECRYPT_PHASES[phase + i].arrange;
        run.run.enter::<false>(i, arrange, i);
    }
    let [first, second] = PHASES[phase].sums.each_ref().map(|sums| cpu.load(sums));
    let [p0, p1, p2, p3] = s.planes;
    let enter = |j, plane| {
        let entering = run.run.entering[0].get(j);
        let sums = cpu.xor(
            _mm512_permutexvar_epi8(first, plane),
            _mm512_permutexvar_epi8(second, plane),
        );
        _mm512_mask_mov_epi8(entering, NOT_BLOCK_BYTES, sums)
    };
    let mut planes = [enter(0, p0), enter(1, p1), enter(2, p2), enter(3, p3)];

    let not_block = mask();
    let mut i = 0;
    while i < n {
        if i >= 4 {
            // Blocks up to i + 6 enter here, and there is one more.
            while i + 8 <= n {
                let phases = &DECRYPT_PHASES[phase..phase + 4];
                planes = run.round::<true>(not_block, 0, i, &phases[0], &phases[1], planes);
                planes = run.round::<true>(not_block, 1, i + 1, &phases[1], &phases[2], planes);
                planes = run.round::<true>(not_block, 2, i + 2, &phases[2], &phases[3], planes);
                planes = run.round::<true>(not_block, 3, i + 3, &phases[3], &phases[0], planes);
                i += 4;
                phase = if phase >= 14 { phase - 14 } else { phase + 4 };
            }
        }
        for _ in 0..4 {
            if i == n {
                break;
            }
            let phases = &DECRYPT_PHASES[phase..phase + 2];
            planes = run.round::<false>(not_block, i % 4, i, &phases[0], &phases[1], planes);
            i += 1;
            phase = if phase == 17 { 0 } else { phase + 1 };
        }
    }
    for back in [2, 1] {
        let keystream = run.keystream[(n - back) % 4].get();
        let rows = &PHASES[(phase + back) % 2].rows;
        run.run.put::<false>(rows, n - back, keystream);
    }
    State {
        planes: planes.map(|plane| _mm512_maskz_mov_epi8(WORD_BYTES, plane)),
        phase,
    }
}

impl Decryption<'_> {
    /// Round i, where `here` is i % 4. `INSIDE` there is no need to look where the blocks begin
    /// and end. `after` has the layout of the round after.
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
    #[inline]
    fn round<const INSIDE: bool>(
        &mut self,
        not_block: __mmask64,
        here: usize,
        i: usize,
        phase: &DecryptPhase,
        after: &DecryptPhase,
        planes: Planes,
    ) -> Planes {
        let cpu = self.run.cpu;
        let images = f(cpu, cpu.load(&phase.exchange), planes);
        let addends = cpu.load(&phase.addends);
        let [first, second, third] = phase.sums.each_ref().map(|sums| cpu.load(sums));
        let mut next = planes;
        for (j, next) in next.iter_mut().enumerate() {
            let sum = cpu.xor(images[j], _mm512_permutexvar_epi8(addends, planes[j]));
            self.keystream[here].set(j, _mm512_extracti32x4_epi32::<3>(sum));
            let entering = self.run.entering[(here + 1) % 4].get(j);
            let first = pick_into(not_block, entering, first, sum);
            let second = _mm512_permutexvar_epi8(second, sum);
            let third = _mm512_shuffle_epi8(sum, third);
            *next = cpu.xor(cpu.xor3(first, second, sum), third);
        }
        if INSIDE || i >= 2 {
            let keystream = self.keystream[(here + 2) % 4].get();
            self.run.put::<INSIDE>(&phase.rows, i - 2, keystream);
        }
        self.run
            .enter::<INSIDE>((here + 3) % 4, &after.arrange, i + 3);
        next
    }
}

/// All but the block, which stays. Written out, because the compiler prefers blends to masks,
/// which are free.
#[target_feature(enable = "avx512f,avx512vbmi")]
#[inline]
fn pick_into(not_block: __mmask64, mut block: __m512i, index: __m512i, x: __m512i) -> __m512i {
    // SAFETY: one operation on registers.
    unsafe {
        asm!(
            "vpermb {to}{{{mask}}}, {index}, {x}",
            to = inout(zmm_reg) block,
            index = in(zmm_reg) index,
            x = in(zmm_reg) x,
            mask = in(kreg) not_block,
            options(pure, nomem, nostack, preserves_flags),
        );
    }
    block
}

/// Where the block is not, in a register: the compiler would load it for every use.
#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
fn mask() -> __mmask64 {
    let mask;
    // SAFETY: moves a constant to a register.
    unsafe {
        asm!(
            "kmovq {mask}, {bytes}",
            mask = out(kreg) mask,
            bytes = in(reg) NOT_BLOCK_BYTES,
            options(pure, nomem, nostack, preserves_flags),
        );
    }
    mask
}
