//! Runs of whole blocks. Functions of their own, so that all registers are theirs: one state word
//! spilled in the loop lengthens the chain from round to round by a store and a load.

use core::arch::asm;
use core::arch::x86_64::*;

use super::layout::PHASES;
use super::{Avx512, Planes, State, load as load_last, store};
use crate::aether::Blocks;
use crate::aether::Lanes;

/// Encryption does not wait for its keystream. The sums take part in F one round late, so that
/// forming them is no part of the chain from round to round; and the block goes out one round
/// later still, when the stores of [`Quarters`] are done, for which its load has to wait.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
#[inline(never)]
pub(super) fn encrypt(cpu: Avx512, s: State, blocks: Blocks<'_>) -> State {
    let mut blocks = blocks;
    let zero = Quarters([_mm_setzero_si128(); 4]);
    // Of this block and of the last one, this at `i % 2`.
    let (mut masks, mut sums) = ([zero; 2], [zero; 2]);
    let quarters = Merge::new();
    // In variables of their own: what is returned has a place in memory, and would go through it.
    let [mut p0, mut p1, mut p2, mut p3] = s.planes;
    let mut phase_index = s.phase;
    let n = blocks.len();
    for i in 0..n {
        let phase = &PHASES[phase_index];
        let images = cpu.f(State {
            planes: [p0, p1, p2, p3],
            phase: phase_index,
        });
        sums[i % 2].fill(images);
        if i >= 2 {
            let keystream = cpu.xor(sums[(i - 1) % 2].get(), masks[i % 2].get());
            put(cpu, phase_index, keystream, &mut blocks, i - 2);
        }
        let x = cpu.slice(load(&blocks, i));
        let masks = &mut masks[i % 2];
        let mut next = |j: usize, plane| {
            let addends = cpu.pick(&phase.late[0], plane);
            let second = cpu.pick(&phase.late[1], plane);
            let absorb = cpu.pick(&phase.absorb[j], x);
            masks.set(j, _mm512_castsi512_si128(second));
            quarters.merge(addends, second, images[j], absorb)
        };
        [p0, p1, p2, p3] = [next(0, p0), next(1, p1), next(2, p2), next(3, p3)];
        phase_index = if phase_index == 17 {
            0
        } else {
            phase_index + 1
        };
    }
    let s = State {
        planes: [p0, p1, p2, p3],
        phase: phase_index,
    };
    if n >= 2 {
        let keystream = cpu.xor(sums[(n - 1) % 2].get(), masks[n % 2].get());
        put(cpu, s.phase, keystream, &mut blocks, n - 2);
    }
    if n >= 1 {
        sums[n % 2].fill(cpu.f(s));
        let keystream = cpu.xor(sums[n % 2].get(), masks[(n - 1) % 2].get());
        put(cpu, s.phase ^ 1, keystream, &mut blocks, n - 1);
    }
    s
}

/// Here the next round waits for the keystream; but not for the block to go out.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
#[inline(never)]
pub(super) fn decrypt(cpu: Avx512, s: State, blocks: Blocks<'_>) -> State {
    let mut blocks = blocks;
    let zero = Quarters([_mm_setzero_si128(); 4]);
    let mut keystream = [zero; 2];
    let [mut p0, mut p1, mut p2, mut p3] = s.planes;
    let mut phase_index = s.phase;
    let n = blocks.len();
    for i in 0..n {
        let phase = &PHASES[phase_index];
        let images = cpu.f_and_sums(State {
            planes: [p0, p1, p2, p3],
            phase: phase_index,
        });
        if i >= 1 {
            let out = keystream[(i - 1) % 2].get();
            put(cpu, phase_index, out, &mut blocks, i - 1);
        }
        let x = cpu.slice(load(&blocks, i));
        let keystream = &mut keystream[i % 2];
        let mut next = |j: usize, plane| {
            let addends = cpu.pick(&phase.addends, plane);
            let absorb = cpu.pick(&phase.absorb[j], x);
            let sum = cpu.xor3(images[j], addends, absorb);
            keystream.set(j, _mm512_extracti32x4_epi32::<3>(sum));
            cpu.xor(sum, cpu.pick(&phase.absorb_sums, sum))
        };
        [p0, p1, p2, p3] = [next(0, p0), next(1, p1), next(2, p2), next(3, p3)];
        phase_index = if phase_index == 17 {
            0
        } else {
            phase_index + 1
        };
    }
    if n >= 1 {
        put(
            cpu,
            phase_index,
            keystream[(n - 1) % 2].get(),
            &mut blocks,
            n - 1,
        );
    }
    State {
        planes: [p0, p1, p2, p3],
        phase: phase_index,
    }
}

/// Block i; its last quarter may be anything.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
#[inline]
fn load(blocks: &Blocks<'_>, i: usize) -> __m512i {
    match &blocks.get_in()[i..] {
        // SAFETY: 96 readable bytes, which need no alignment.
        both @ [_, _, ..] => unsafe { _mm512_loadu_si512(both.as_ptr().cast()) },
        rest => load_last(&rest[0].0),
    }
}

/// Adds the keystream, in the layout of `phase`, to block i.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
#[inline]
fn put(cpu: Avx512, phase: usize, keystream: __m512i, blocks: &mut Blocks<'_>, i: usize) {
    let keystream = cpu.unslice_quarters(&PHASES[phase ^ 1].rows, keystream);
    let bytes = cpu.xor(load(blocks, i), keystream);
    store(bytes, &mut blocks.get(i).get_out().0);
}

/// Two mask registers. Written out, because the compiler prefers blends to masks, which are free.
#[derive(Clone, Copy)]
struct Merge {
    words: __mmask16,
    sums: __mmask16,
}

impl Merge {
    #[target_feature(enable = "avx512f")]
    #[inline]
    fn new() -> Self {
        let (words, sums);
        // SAFETY: moves constants to registers.
        unsafe {
            asm!(
                "kmovw {words}, {w:e}",
                "kmovw {sums}, {s:e}",
                words = out(kreg) words,
                sums = out(kreg) sums,
                w = in(reg) 0x0fff,
                s = in(reg) 0xf000,
                options(pure, nomem, nostack, preserves_flags),
            );
        }
        Self { words, sums }
    }

    /// `a ^ b` in the last quarter, `a ^ c ^ d` in the others.
    #[target_feature(enable = "avx512f")]
    #[inline]
    fn merge(self, mut a: __m512i, b: __m512i, c: __m512i, d: __m512i) -> __m512i {
        // SAFETY: two operations on registers.
        unsafe {
            asm!(
                "vpxord {a}{{{sums}}}, {a}, {b}",
                "vpternlogd {a}{{{words}}}, {c}, {d}, 0x96",
                a = inout(zmm_reg) a,
                b = in(zmm_reg) b,
                c = in(zmm_reg) c,
                d = in(zmm_reg) d,
                words = in(kreg) self.words,
                sums = in(kreg) self.sums,
                options(pure, nomem, nostack, preserves_flags),
            );
        }
        a
    }
}

/// A quarter of each plane, in memory: stores and a load cost no shuffle.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Quarters([__m128i; 4]);

impl Quarters {
    #[target_feature(enable = "avx512f")]
    #[inline]
    fn set(&mut self, j: usize, quarter: __m128i) {
        // SAFETY: one of four. Volatile, or else the compiler shuffles registers instead.
        unsafe { (&raw mut self.0[j]).write_volatile(quarter) }
    }

    /// The quarters of the sums.
    #[target_feature(enable = "avx512f")]
    #[inline]
    fn fill(&mut self, planes: Planes) {
        self.set(0, _mm512_extracti32x4_epi32::<3>(planes[0]));
        self.set(1, _mm512_extracti32x4_epi32::<3>(planes[1]));
        self.set(2, _mm512_extracti32x4_epi32::<3>(planes[2]));
        self.set(3, _mm512_extracti32x4_epi32::<3>(planes[3]));
    }

    #[target_feature(enable = "avx512f")]
    #[inline]
    fn get(&self) -> __m512i {
        // SAFETY: 64 bytes, aligned.
        unsafe { (&raw const self.0).cast::<__m512i>().read_volatile() }
    }
}
