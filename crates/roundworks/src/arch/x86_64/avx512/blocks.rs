//! What runs of whole blocks share: ways through memory, where a move between quarters costs no
//! shuffle. What is loaded was stored two rounds before: a load of what several stores wrote has to
//! wait until they are done.

use core::arch::x86_64::*;

use super::layout::Index;
use super::{Avx512, load as load_last, store};
use crate::aether::Blocks;

/// That few blocks one after the other: a run is longer by its beginning and its end.
pub(super) const FEW: usize = 4;

/// The blocks of a run, and those on their way into the registers: block i in i % 4.
pub(super) struct Run<'a> {
    pub(super) cpu: Avx512,
    pub(super) blocks: Blocks<'a>,
    pub(super) entering: [Entering; 4],
}

impl<'a> Run<'a> {
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
    #[inline]
    pub(super) fn new(cpu: Avx512, blocks: Blocks<'a>) -> Self {
        Self {
            cpu,
            blocks,
            entering: [Entering([_mm_setzero_si128(); 8]); 4],
        }
    }

    /// Block i, arranged for its round, if there is one. `INSIDE` there is, and another one.
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
    #[inline]
    pub(super) fn enter<const INSIDE: bool>(&mut self, at: usize, arrange: &Index, i: usize) {
        let x = if INSIDE {
            // SAFETY: 96 readable bytes, which need no alignment.
            unsafe { _mm512_loadu_si512(self.blocks.get_in().as_ptr().add(i).cast()) }
        } else if i < self.blocks.len() {
            load(&self.blocks, i)
        } else {
            return;
        };
        let sliced = self.cpu.pick(arrange, self.cpu.slice(x));
        self.entering[at].set(sliced);
    }

    /// Adds the keystream to block i. `INSIDE` there is another block after it.
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
    #[inline]
    pub(super) fn put<const INSIDE: bool>(&mut self, rows: &Index, i: usize, keystream: __m512i) {
        let keystream = self.cpu.unslice_quarters(rows, keystream);
        debug_assert!(i < self.blocks.len());
        // SAFETY: block i is one, of 48 readable and 48 writable bytes; `INSIDE` there is another.
        unsafe {
            let (from, to) = (
                self.blocks.get_in().as_ptr(),
                self.blocks.get_out().as_mut_ptr(),
            );
            let bytes = if INSIDE {
                _mm512_loadu_si512(from.add(i).cast())
            } else {
                load(&self.blocks, i)
            };
            store(self.cpu.xor(bytes, keystream), &mut (*to.add(i)).0);
        }
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

/// A block, as slots 9 to 11 of the four planes want it: a quarter for each.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(super) struct Entering([__m128i; 8]);

impl Entering {
    #[target_feature(enable = "avx512f")]
    #[inline]
    pub(super) fn set(&mut self, quarters: __m512i) {
        // SAFETY: 64 bytes of 128; the address has no need to be aligned.
        unsafe {
            (&raw mut self.0[2])
                .cast::<__m512i>()
                .write_unaligned(quarters)
        }
    }

    /// For plane j; all but the third quarter may be anything.
    #[target_feature(enable = "avx512f")]
    #[inline]
    pub(super) fn get(&self, j: usize) -> __m512i {
        // SAFETY: 64 bytes of 128, from two quarters before that of plane j on.
        unsafe { _mm512_loadu_si512((&raw const self.0[j]).cast()) }
    }
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
