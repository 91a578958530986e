//! Words of AES lanes in registers of one lane each.

use core::arch::aarch64::*;

use super::Aarch64;
use crate::aes::{AesLanes, Lane};

impl<const D: usize> AesLanes<D> for Aarch64 {
    type Word = [uint8x16_t; D];
    type One = uint8x16_t;
    const SPACE: usize = 24;
    const MESSAGES: usize = 2;

    #[inline(always)]
    fn load(self, lanes: &[Lane; D]) -> Self::Word {
        // SAFETY: each lane is 16 readable bytes and the load wants no alignment; NEON by `self`,
        // here and below.
        lanes
            .each_ref()
            .map(|lane| unsafe { vld1q_u8(lane.as_ptr()) })
    }

    #[inline(always)]
    fn store(self, word: Self::Word, lanes: &mut [Lane; D]) {
        for (lane, from) in lanes.iter_mut().zip(word) {
            // SAFETY: a lane is 16 writable bytes and the store wants no alignment.
            unsafe { vst1q_u8(lane.as_mut_ptr(), from) }
        }
    }

    #[inline(always)]
    fn one(self, lane: &Lane) -> uint8x16_t {
        // SAFETY: as in `load`.
        unsafe { vld1q_u8(lane.as_ptr()) }
    }

    #[inline(always)]
    fn put(self, one: uint8x16_t, lane: &mut Lane) {
        // SAFETY: as in `store`.
        unsafe { vst1q_u8(lane.as_mut_ptr(), one) }
    }

    #[inline(always)]
    fn join(self, ones: [uint8x16_t; D]) -> Self::Word {
        ones
    }

    #[inline(always)]
    fn split(self, word: Self::Word) -> [uint8x16_t; D] {
        word
    }

    #[inline(always)]
    fn xor(self, mut a: Self::Word, b: Self::Word) -> Self::Word {
        for (a, b) in a.iter_mut().zip(b) {
            // SAFETY: by `self`.
            *a = unsafe { veorq_u8(*a, b) };
        }
        a
    }

    #[inline(always)]
    fn and(self, mut a: Self::Word, b: Self::Word) -> Self::Word {
        for (a, b) in a.iter_mut().zip(b) {
            // SAFETY: by `self`.
            *a = unsafe { vandq_u8(*a, b) };
        }
        a
    }

    #[inline(always)]
    fn rounds<const K: usize>(
        self,
        mut x: [Self::Word; K],
        keys: [Self::Word; K],
    ) -> [Self::Word; K] {
        for (x, key) in x.iter_mut().zip(keys) {
            for (x, key) in x.iter_mut().zip(key) {
                // SAFETY: by `self`.
                *x = unsafe { round(*x, key) };
            }
        }
        x
    }
}

/// One AES round, then the key. AESE adds its key before the round, where AES adds it after: with
/// zero it leaves the word alone.
///
/// With the instructions enabled on it and without `always`: called straight from the generic code
/// above, which is compiled for any aarch64, the instructions would not be inlined.
#[inline]
#[target_feature(enable = "aes,neon")]
fn round(word: uint8x16_t, key: uint8x16_t) -> uint8x16_t {
    veorq_u8(vaesmcq_u8(vaeseq_u8(word, vdupq_n_u8(0))), key)
}
