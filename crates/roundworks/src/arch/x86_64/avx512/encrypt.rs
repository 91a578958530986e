//! Runs of whole blocks to encrypt. The message is known and nothing waits for the keystream, so
//! what is no part of the chain from round to round goes by way of memory, where a move between
//! quarters costs no shuffle: ports 0 and 5 bound this loop on Intel cores, which have no other for
//! 512 bits.
//!
//! In round t block t stands in slots 9 to 11, from where one shuffle takes it with the words to
//! where the round adds them; F leaves zeros in its place, and so space for the next one. The sums
//! take part in F one round late. What is loaded was stored two rounds before: a load of what
//! several stores wrote has to wait until they are done.

use core::arch::asm;
use core::arch::x86_64::*;

use super::blocks::{FEW, Quarters, Run};
use super::layout::{NOT_BLOCK_BYTES, RUN_PHASES, RunPhase, WORD_BYTES};
use super::rounds::f;
use super::{Avx512, Planes, State};
use crate::aether::{Blocks, encrypt_each};

struct Encryption<'a> {
    run: Run<'a>,
    /// Of round t, in t % 4.
    masks: [Quarters; 4],
    /// Of the sums in round t, which are those of block t - 1.
    images: [Quarters; 4],
}

#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
#[inline(never)]
pub(super) fn encrypt(cpu: Avx512, s: State, blocks: Blocks<'_>) -> State {
    let n = blocks.len();
    if n <= FEW {
        return encrypt_each(cpu, s, blocks);
    }
    let mut run = Encryption {
        run: Run::new(cpu, blocks),
        masks: [Quarters::zero(); 4],
        images: [Quarters::zero(); 4],
    };
    let mut phase = s.phase;
    for i in 0..3 {
        run.run.enter::<false>(i, &RUN_PHASES[phase + i].arrange, i);
    }
    let [p0, p1, p2, p3] = s.planes;
    let enter = |j, plane| {
        let x = run.run.entering[0].get(j);
        _mm512_mask_mov_epi8(x, NOT_BLOCK_BYTES, plane)
    };
    let mut planes = [enter(0, p0), enter(1, p1), enter(2, p2), enter(3, p3)];

    let masks = Masks::new();
    let mut i = 0;
    while i < n {
        if i >= 4 {
            // Blocks up to i + 6 enter here, and there is one more.
            while i + 8 <= n {
                let phases = &RUN_PHASES[phase..phase + 4];
                planes = run.round::<true>(masks, 0, i, &phases[0], &phases[1], planes);
                planes = run.round::<true>(masks, 1, i + 1, &phases[1], &phases[2], planes);
                planes = run.round::<true>(masks, 2, i + 2, &phases[2], &phases[3], planes);
                planes = run.round::<true>(masks, 3, i + 3, &phases[3], &phases[0], planes);
                i += 4;
                phase = if phase >= 14 { phase - 14 } else { phase + 4 };
            }
        }
        for _ in 0..4 {
            if i == n {
                break;
            }
            let phases = &RUN_PHASES[phase..phase + 2];
            planes = run.round::<false>(masks, i % 4, i, &phases[0], &phases[1], planes);
            i += 1;
            phase = if phase == 17 { 0 } else { phase + 1 };
        }
    }
    run.finish(phase, planes);
    State {
        planes: planes.map(|plane| _mm512_maskz_mov_epi8(WORD_BYTES, plane)),
        phase,
    }
}

impl Encryption<'_> {
    /// Round i, where `here` is i % 4. `INSIDE` there is no need to look where the blocks begin
    /// and end. `after` has the layout of round i + 2.
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
    #[inline]
    fn round<const INSIDE: bool>(
        &mut self,
        masks: Masks,
        here: usize,
        i: usize,
        phase: &RunPhase,
        after: &RunPhase,
        planes: Planes,
    ) -> Planes {
        let cpu = self.run.cpu;
        let [p0, p1, p2, p3] = f(cpu, cpu.load(&phase.exchange), planes);
        let images = [p0, p1, p2, p3];

        if INSIDE || i >= 3 {
            self.put::<INSIDE>(after, i - 3, (here + 2) % 4, (here + 1) % 4);
        }
        for (j, image) in images.into_iter().enumerate() {
            self.images[here].set(j, _mm512_extracti32x4_epi32::<3>(image));
        }
        self.run
            .enter::<INSIDE>((here + 3) % 4, &after.arrange, i + 3);

        let addends = cpu.load(&phase.addends);
        let late = cpu.load(&phase.late);
        let mut next = planes;
        for (j, next) in next.iter_mut().enumerate() {
            let second = _mm512_permutexvar_epi8(late, planes[j]);
            self.masks[here].set(j, _mm512_castsi512_si128(second));
            let entering = self.run.entering[(here + 1) % 4].get(j);
            *next = masks.add(entering, addends, planes[j], second, images[j]);
        }
        next
    }

    /// Adds the keystream to block i.
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
    #[inline]
    fn put<const INSIDE: bool>(&mut self, phase: &RunPhase, i: usize, images: usize, masks: usize) {
        let (images, masks) = (self.images[images].get(), self.masks[masks].get());
        let keystream = _mm512_xor_si512(images, masks);
        self.run.put::<INSIDE>(&phase.rows, i, keystream);
    }

    /// The last three blocks, in the phase after the last round.
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
    #[inline]
    fn finish(&mut self, phase: usize, planes: Planes) {
        let n = self.run.blocks.len();
        let [now, after] = [&RUN_PHASES[phase], &RUN_PHASES[phase + 1]];
        let images = f(self.run.cpu, self.run.cpu.load(&now.exchange), planes);
        for (j, image) in images.into_iter().enumerate() {
            self.images[n % 4].set(j, _mm512_extracti32x4_epi32::<3>(image));
        }
        for back in [3, 2, 1] {
            let phase = if back == 2 { now } else { after };
            self.put::<false>(phase, n - back, (n - back + 1) % 4, (n - back) % 4);
        }
    }
}

/// Three mask registers. Written out, because the compiler prefers blends to masks, which are
/// free.
#[derive(Clone, Copy)]
struct Masks {
    not_block: __mmask64,
    sums: __mmask16,
    words: __mmask16,
}

impl Masks {
    #[target_feature(enable = "avx512f,avx512bw")]
    #[inline]
    fn new() -> Self {
        let (not_block, sums, words);
        // SAFETY: moves constants to registers.
        unsafe {
            asm!(
                "kmovq {not_block}, {b}",
                "kmovw {sums}, {s:e}",
                "kmovw {words}, {w:e}",
                not_block = out(kreg) not_block,
                sums = out(kreg) sums,
                words = out(kreg) words,
                b = in(reg) NOT_BLOCK_BYTES,
                s = in(reg) 0xf000,
                w = in(reg) 0x0fff,
                options(pure, nomem, nostack, preserves_flags),
            );
        }
        Self {
            not_block,
            sums,
            words,
        }
    }

    /// What `addends` picks, and in the place of the block the next one; `second` added to the
    /// sums, the images to all else.
    #[target_feature(enable = "avx512f,avx512vbmi")]
    #[inline]
    fn add(
        self,
        mut entering: __m512i,
        addends: __m512i,
        plane: __m512i,
        second: __m512i,
        image: __m512i,
    ) -> __m512i {
        // SAFETY: three operations on registers.
        unsafe {
            asm!(
                "vpermb {sum}{{{not_block}}}, {addends}, {plane}",
                "vpxord {sum}{{{sums}}}, {sum}, {second}",
                "vpxord {sum}{{{words}}}, {sum}, {image}",
                sum = inout(zmm_reg) entering,
                addends = in(zmm_reg) addends,
                plane = in(zmm_reg) plane,
                second = in(zmm_reg) second,
                image = in(zmm_reg) image,
                not_block = in(kreg) self.not_block,
                sums = in(kreg) self.sums,
                words = in(kreg) self.words,
                options(pure, nomem, nostack, preserves_flags),
            );
        }
        entering
    }
}
