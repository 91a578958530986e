//! Runs of whole blocks to decrypt. Functions of their own, so that all registers are theirs: one state word
//! spilled in the loop lengthens the chain from round to round by a store and a load.

use core::arch::x86_64::*;

use super::layout::PHASES;
use super::{Avx512, State, load as load_last, store};
use crate::aether::Blocks;
use crate::aether::Lanes;

/// The next round waits for the keystream, unlike that of encryption; but not for the block to go
/// out: the stores of [`Quarters`] have to be done before they are loaded.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
#[inline(never)]
pub(super) fn decrypt(cpu: Avx512, s: State, blocks: Blocks<'_>) -> State {
    let mut blocks = blocks;
    let mut keystream = [Quarters::zero(); 2];
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
pub(super) fn load(blocks: &Blocks<'_>, i: usize) -> __m512i {
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

/// A quarter of each plane, in memory: stores and a load cost no shuffle.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(super) struct Quarters([__m128i; 4]);

impl Quarters {
    #[target_feature(enable = "avx512f")]
    #[inline]
    pub(super) fn zero() -> Self {
        Self([_mm_setzero_si128(); 4])
    }

    #[target_feature(enable = "avx512f")]
    #[inline]
    pub(super) fn set(&mut self, j: usize, quarter: __m128i) {
        // SAFETY: one of four. Volatile, or else the compiler shuffles registers instead.
        unsafe { (&raw mut self.0[j]).write_volatile(quarter) }
    }

    #[target_feature(enable = "avx512f")]
    #[inline]
    pub(super) fn get(&self) -> __m512i {
        // SAFETY: 64 bytes, aligned.
        unsafe { (&raw const self.0).cast::<__m512i>().read_volatile() }
    }
}
