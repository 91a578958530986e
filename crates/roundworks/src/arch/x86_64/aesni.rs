//! AEGIS-128 with AES-NI: a word is a register.

use core::arch::x86_64::*;

use super::{Aesni, DETECTED};
use crate::aegis::{Lanes, Word};
use crate::keyed::Direction;

/// AEGIS-128 with AES-NI.
pub(crate) fn aegis128_aesni(
    key: &[u8; 16],
    nonce: &[u8; 16],
    ad: &[u8],
    buf: &mut [u8],
    direction: Direction,
) -> [u8; 16] {
    #[target_feature(enable = "aes,sse2")]
    fn run(
        cpu: Aesni,
        key: &[u8; 16],
        nonce: &[u8; 16],
        ad: &[u8],
        buf: &mut [u8],
        direction: Direction,
    ) -> [u8; 16] {
        crate::aegis::run(cpu, key, nonce, ad, buf, direction)
    }
    let cpu = Aesni::detect().expect(DETECTED);
    // SAFETY: `cpu` proves AES-NI; SSE2 belongs to x86-64.
    unsafe { run(cpu, key, nonce, ad, buf, direction) }
}

impl Lanes for Aesni {
    type Word = __m128i;
    type State = [__m128i; 5];

    #[inline(always)]
    fn word(self, bytes: &Word) -> __m128i {
        // SAFETY: `bytes` are 16 readable bytes and the load wants no alignment; SSE2 by `self`.
        unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) }
    }

    #[inline(always)]
    fn bytes(self, word: __m128i) -> Word {
        let mut bytes = [0; 16];
        // SAFETY: `bytes` are 16 writable bytes and the store wants no alignment; SSE2 by `self`.
        unsafe { _mm_storeu_si128(bytes.as_mut_ptr().cast(), word) };
        bytes
    }

    #[inline(always)]
    fn xor(self, a: __m128i, b: __m128i) -> __m128i {
        // SAFETY: `self` proves SSE2.
        unsafe { _mm_xor_si128(a, b) }
    }

    #[inline(always)]
    fn and(self, a: __m128i, b: __m128i) -> __m128i {
        // SAFETY: `self` proves SSE2.
        unsafe { _mm_and_si128(a, b) }
    }

    #[inline(always)]
    fn state(self, words: [__m128i; 5]) -> [__m128i; 5] {
        words
    }

    #[inline(always)]
    fn get(self, s: [__m128i; 5], i: usize) -> __m128i {
        s[i]
    }

    #[inline(always)]
    fn with_first(self, s: [__m128i; 5], word: __m128i) -> [__m128i; 5] {
        [word, s[1], s[2], s[3], s[4]]
    }

    #[inline(always)]
    fn rounds(self, s: [__m128i; 5], keys: [__m128i; 5]) -> [__m128i; 5] {
        let mut next = s;
        for (i, to) in next.iter_mut().enumerate() {
            // SAFETY: `self` proves AES-NI.
            *to = unsafe { _mm_aesenc_si128(s[(i + 4) % 5], keys[i]) };
        }
        next
    }
}
