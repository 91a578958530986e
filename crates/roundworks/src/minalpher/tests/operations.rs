//! Each form of P on each back end, and its tweaks, against the model.

use super::std::vec;
use super::std::vec::Vec;

use super::model::{p, power, times_y};
use super::noise;
use crate::arch::testing;
use crate::minalpher::lanes::{BACKWARD, BEFORE, FORWARD, Lanes, Schedule};
use crate::minalpher::mode::Engine;
#[cfg(target_arch = "x86_64")]
use crate::minalpher::mode::Wide;

fn permuted<L: Lanes>(l: L, x: &[u8], schedule: &Schedule) -> Vec<u8> {
    let mut out = l.bytes();
    let mut state = l.zero();
    l.load(x, &mut state);
    l.permute(&mut state, schedule);
    l.store(&state, out.as_mut());
    out.as_ref().to_vec()
}

fn tweaks_of<L: Lanes>(l: L, tweaks: &L::Tweaks) -> Vec<u8> {
    let mut out = l.bytes();
    let mut state = l.zero();
    l.mask(&mut state, tweaks);
    l.store(&state, out.as_mut());
    out.as_ref().to_vec()
}

/// Single operations of one form of P.
fn operations<L: Lanes>(l: L, name: &str) {
    let x = noise(1, 32 * L::BLOCKS);
    let image = permuted(l, &x, &FORWARD);
    for (j, (x, y)) in x.chunks(32).zip(image.chunks(32)).enumerate() {
        assert_eq!(p(x), y, "{name}: P of block {j}");
    }
    assert_eq!(permuted(l, &image, &BACKWARD), x, "{name}: inverse of P");

    // A tweak sequence, from its definition: the first bytes of the powers, then some bytes that
    // no tweak depends on.
    let mask = noise(2, 32);
    let mut window = vec![0; BEFORE];
    let mut tweak = mask.clone();
    for _ in 0..2 * L::BLOCKS + 40 {
        window.push(tweak[0]);
        tweak = times_y(&tweak);
    }
    window.resize(BEFORE + 400, 0x5a);
    for (j, got) in tweaks_of(l, &l.every(&window)).chunks(32).enumerate() {
        assert_eq!(got, power(&mask, j), "{name}: every, {j}");
    }
    for (i, pair) in l.pairs(&window).iter().enumerate() {
        for (j, got) in tweaks_of(l, pair).chunks(32).enumerate() {
            assert_eq!(got, power(&mask, 2 * j + i), "{name}: pairs, {j}, {i}");
        }
    }
}

/// The form for two blocks.
fn two_blocks<E: Engine>(engine: E, name: &str) {
    let x = noise(15, 64);
    let mut blocks = [0, 32].map(|at| *x[at..].first_chunk().expect("32 bytes"));
    engine.permute(&mut blocks, 2);
    for (j, (x, y)) in x.chunks(32).zip(&blocks).enumerate() {
        assert_eq!(p(x), y, "{name}: P of block {j} of two");
    }
}

#[test]
fn operations_are_the_model() {
    two_blocks(testing::portable(), "portable");
    operations(testing::portable().narrow(), "portable, 4 blocks");
    #[cfg(target_arch = "x86_64")]
    if let Some(cpu) = testing::Avx2::detect() {
        two_blocks(cpu, "avx2");
        operations(cpu.wide(), "avx2, 32 blocks");
        operations(cpu.narrow(), "avx2, 4 blocks");
    }
    #[cfg(target_arch = "x86_64")]
    if let Some(cpu) = testing::Avx512::detect() {
        two_blocks(cpu, "avx512");
        for wide in [cpu.wide(), cpu.wide().other()] {
            operations(wide, "avx512, 64 blocks");
        }
        operations(cpu.narrow(), "avx512, 4 blocks");
    }
}
