//! AEGIS-128 with the AES extension: a word is a register.

use core::arch::aarch64::*;

use super::{Aarch64, DETECTED};
use crate::aegis::{Lanes, Word};
use crate::keyed::Direction;

/// AEGIS-128 with the AES extension.
pub(crate) fn aegis128(
    key: &[u8; 16],
    nonce: &[u8; 16],
    ad: &[u8],
    buf: &mut [u8],
    direction: Direction,
) -> [u8; 16] {
    #[target_feature(enable = "aes,neon")]
    fn run(
        cpu: Aarch64,
        key: &[u8; 16],
        nonce: &[u8; 16],
        ad: &[u8],
        buf: &mut [u8],
        direction: Direction,
    ) -> [u8; 16] {
        crate::aegis::run(cpu, key, nonce, ad, buf, direction)
    }
    let cpu = Aarch64::detect().expect(DETECTED);
    // SAFETY: `cpu` proves the AES extension; NEON belongs to the target.
    unsafe { run(cpu, key, nonce, ad, buf, direction) }
}

impl Lanes for Aarch64 {
    type Word = uint8x16_t;
    type State = [uint8x16_t; 5];

    #[inline(always)]
    fn word(self, bytes: &Word) -> uint8x16_t {
        // SAFETY: `bytes` are 16 readable bytes and the load wants no alignment; NEON by `self`.
        unsafe { vld1q_u8(bytes.as_ptr()) }
    }

    #[inline(always)]
    fn bytes(self, word: uint8x16_t) -> Word {
        let mut bytes = [0; 16];
        // SAFETY: `bytes` are 16 writable bytes and the store wants no alignment; NEON by `self`.
        unsafe { vst1q_u8(bytes.as_mut_ptr(), word) };
        bytes
    }

    #[inline(always)]
    fn xor(self, a: uint8x16_t, b: uint8x16_t) -> uint8x16_t {
        // SAFETY: `self` proves NEON.
        unsafe { veorq_u8(a, b) }
    }

    #[inline(always)]
    fn and(self, a: uint8x16_t, b: uint8x16_t) -> uint8x16_t {
        // SAFETY: `self` proves NEON.
        unsafe { vandq_u8(a, b) }
    }

    #[inline(always)]
    fn state(self, words: [uint8x16_t; 5]) -> [uint8x16_t; 5] {
        words
    }

    #[inline(always)]
    fn get(self, s: [uint8x16_t; 5], i: usize) -> uint8x16_t {
        s[i]
    }

    #[inline(always)]
    fn with_first(self, s: [uint8x16_t; 5], word: uint8x16_t) -> [uint8x16_t; 5] {
        [word, s[1], s[2], s[3], s[4]]
    }

    #[inline(always)]
    fn rounds(self, s: [uint8x16_t; 5], keys: [uint8x16_t; 5]) -> [uint8x16_t; 5] {
        let mut next = s;
        for (i, to) in next.iter_mut().enumerate() {
            // SAFETY: `self` proves the AES extension and NEON.
            *to = unsafe { aes_round(s[(i + 4) % 5], keys[i]) };
        }
        next
    }
}

/// One AES round, then the key. AESE adds its key before the round where AES adds it after: with
/// zero it leaves the word alone. [ARM-ARM, AESE]
///
/// With the instructions enabled on it and without `always`: called straight from the generic code
/// above, which is compiled for any aarch64, the instructions would not be inlined.
#[inline]
#[target_feature(enable = "aes,neon")]
fn aes_round(word: uint8x16_t, key: uint8x16_t) -> uint8x16_t {
    veorq_u8(vaesmcq_u8(vaeseq_u8(word, vdupq_n_u8(0))), key)
}
