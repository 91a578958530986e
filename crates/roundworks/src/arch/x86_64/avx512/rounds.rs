//! Runs of rounds that absorb one block over and over: it stands in slots 9 to 11, from where one
//! shuffle takes it with the words to where the round adds them, and to its own place again.

use core::arch::x86_64::*;

use super::cells::{OTHER, OWN};
use super::layout::{ENTER, NOT_BLOCK_BYTES, RUN_PHASES, WORD_BYTES};
use super::{Avx512, Planes, State, sbox};
use crate::aether::ROUNDS;

/// `x` is a sliced block.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
#[inline(never)]
pub(super) fn rounds(cpu: Avx512, s: State, x: __m512i) -> State {
    const { assert!(ROUNDS.is_multiple_of(4)) };
    let mut phase = s.phase;
    let enter = &ENTER[phase % 2];
    let [p0, p1, p2, p3] = s.planes;
    let enter = |j: usize, plane| cpu.xor(plane, cpu.pick(&enter[j], x));
    let mut planes = [enter(0, p0), enter(1, p1), enter(2, p2), enter(3, p3)];
    for _ in 0..ROUNDS / 4 {
        for phase in &RUN_PHASES[phase..phase + 4] {
            let [f0, f1, f2, f3] = f(cpu, cpu.load(&phase.exchange), planes);
            let [p0, p1, p2, p3] = planes;
            let keep = cpu.load(&phase.again);
            let next = |image, plane| cpu.xor(image, _mm512_permutexvar_epi8(keep, plane));
            planes = [next(f0, p0), next(f1, p1), next(f2, p2), next(f3, p3)];
        }
        phase = if phase >= 14 { phase - 14 } else { phase + 4 };
    }
    State {
        planes: planes.map(|plane| _mm512_maskz_mov_epi8(WORD_BYTES, plane)),
        phase,
    }
}

/// F; zero for slots 9, 10, 11, where the second S-box gets ones: S(1) = 0.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
#[inline]
pub(super) fn f(cpu: Avx512, exchange: __m512i, x: Planes) -> Planes {
    let [own, other] = [OWN, OTHER].map(|m| cpu.quarters(m));
    let block = _mm512_maskz_set1_epi8(!NOT_BLOCK_BYTES, -1);
    let linear = |x| {
        let exchanged = _mm512_shuffle_epi8(x, exchange);
        (
            _mm512_gf2p8affine_epi64_epi8::<0>(x, own),
            _mm512_gf2p8affine_epi64_epi8::<0>(exchanged, other),
        )
    };
    let zeros = |x| {
        let (a, b) = linear(x);
        _mm512_ternarylogic_epi64::<0x14>(a, b, block)
    };
    let [x0, x1, x2, x3] = sbox(x);
    let (a, b) = linear(x1);
    let ones = _mm512_ternarylogic_epi64::<0xbe>(a, b, block);
    sbox([zeros(x0), ones, zeros(x2), zeros(x3)])
}
