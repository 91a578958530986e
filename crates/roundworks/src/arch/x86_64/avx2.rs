//! AETHER with AVX2: a word is half a register, F runs on two words at a time. The S-box is a byte
//! shuffle of a 16-byte table that stays in a register, so the time depends on no secret.

use core::arch::x86_64::*;

use super::Avx2;
use crate::aether::{ADDENDS, Addend, Lanes, MASKS, SUMS, Word};

impl Lanes for Avx2 {
    type State = [__m128i; 9];
    type Images = [__m128i; 12];
    type Block = [__m128i; 3];

    #[inline(always)]
    fn state(self, words: &[Word; 9]) -> [__m128i; 9] {
        let mut s = [self.load(&words[0]); 9];
        for (to, word) in s.iter_mut().zip(words) {
            *to = self.load(word);
        }
        s
    }

    #[inline(always)]
    fn block(self, bytes: &[u8; 48]) -> [__m128i; 3] {
        let (words, _) = bytes.as_chunks::<16>();
        [
            self.load(&words[0]),
            self.load(&words[1]),
            self.load(&words[2]),
        ]
    }

    #[inline(always)]
    fn store(self, block: [__m128i; 3], to: &mut [u8; 48]) {
        for (to, word) in to.as_chunks_mut::<16>().0.iter_mut().zip(block) {
            *to = self.bytes(word);
        }
    }

    #[inline(always)]
    fn xor_states(self, mut a: [__m128i; 9], b: [__m128i; 9]) -> [__m128i; 9] {
        for (a, b) in a.iter_mut().zip(b) {
            *a = self.xor(*a, b);
        }
        a
    }

    #[inline(always)]
    fn xor_blocks(self, a: [__m128i; 3], b: [__m128i; 3]) -> [__m128i; 3] {
        [
            self.xor(a[0], b[0]),
            self.xor(a[1], b[1]),
            self.xor(a[2], b[2]),
        ]
    }

    #[inline(always)]
    fn f(self, s: [__m128i; 9]) -> [__m128i; 12] {
        let ([f0, f1], [f2, f3]) = (self.f2(s[0], s[1]), self.f2(s[2], s[3]));
        let ([f4, f5], [f6, f7]) = (self.f2(s[4], s[5]), self.f2(s[6], s[7]));
        let [f8, unused] = self.f2(s[8], s[8]);
        [f0, f1, f2, f3, f4, f5, f6, f7, f8, unused, unused, unused]
    }

    #[inline(always)]
    fn f_and_sums(self, s: [__m128i; 9]) -> [__m128i; 12] {
        let sum = |j: usize| self.xor(s[SUMS[j][0]], s[SUMS[j][1]]);
        let ([f0, f1], [f2, f3]) = (self.f2(s[0], s[1]), self.f2(s[2], s[3]));
        let ([f4, f5], [f6, f7]) = (self.f2(s[4], s[5]), self.f2(s[6], s[7]));
        let ([f8, f9], [f10, f11]) = (self.f2(s[8], sum(0)), self.f2(sum(1), sum(2)));
        [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11]
    }

    #[inline(always)]
    fn round(self, images: [__m128i; 12], s: [__m128i; 9], x: [__m128i; 3]) -> [__m128i; 9] {
        let mut next = s;
        for (i, to) in next.iter_mut().enumerate() {
            let addend = match ADDENDS[i] {
                Addend::X(w) => x[w],
                Addend::S(w) => s[w],
            };
            *to = self.xor(images[(i + 8) % 9], addend);
        }
        next
    }

    #[inline(always)]
    fn keystream(self, images: [__m128i; 12], s: [__m128i; 9]) -> [__m128i; 3] {
        self.xor_blocks([images[9], images[10], images[11]], MASKS.map(|i| s[i]))
    }

    #[inline(always)]
    fn fold(self, s: [__m128i; 9]) -> Word {
        let mut sum = s[0];
        for word in &s[1..] {
            sum = self.xor(sum, *word);
        }
        self.bytes(sum)
    }
}

/// 16 bytes of a shuffle or of a table, the same in both halves of a register.
#[repr(align(32))]
struct Both([[u8; 16]; 2]);

const fn both(half: [u8; 16]) -> Both {
    Both([half, half])
}

/// The S-box of Orthros, its output in both nibbles of a byte. [AETHER, table 2]
static SBOX_TWICE: Both = both([
    0x11, 0x00, 0x22, 0x44, 0x33, 0x88, 0x66, 0xdd, 0x99, 0xaa, 0xbb, 0xee, 0xff, 0xcc, 0x77, 0x55,
]);
/// The S-box of Orthros. [AETHER, table 2]
static SBOX: Both = both([1, 0, 2, 4, 3, 8, 6, 13, 9, 10, 11, 14, 15, 12, 7, 5]);

// M_b works on 8 bytes, 4 rows of 2 bytes each.
/// Rows 1 0 3 2.
static PAIRS: Both = both([2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13]);
/// Rows 3 2 1 0.
static MIRROR: Both = both([6, 7, 4, 5, 2, 3, 0, 1, 14, 15, 12, 13, 10, 11, 8, 9]);
/// Rows 3 2 1 0, and the bytes of each exchanged.
static MIRROR_SWAPPED: Both = both([7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8]);

impl Avx2 {
    #[inline(always)]
    fn load(self, bytes: &Word) -> __m128i {
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
    fn constant(self, both: &Both) -> __m256i {
        // SAFETY: `both` are 32 readable bytes; AVX by `self`.
        unsafe { _mm256_loadu_si256((&raw const both.0).cast()) }
    }

    /// F on two words.
    #[inline(always)]
    fn f2(self, a: __m128i, b: __m128i) -> [__m128i; 2] {
        let (sbox, sbox_twice) = (self.constant(&SBOX), self.constant(&SBOX_TWICE));
        let pairs = self.constant(&PAIRS);
        let (mirror, swapped) = (self.constant(&MIRROR), self.constant(&MIRROR_SWAPPED));
        // SAFETY: `self` proves AVX2.
        unsafe {
            let low = _mm256_set1_epi8(0x0f);
            let x = _mm256_set_m128i(b, a);

            // ApplySbox. `both` holds the sum of a byte's two nibbles twice: it gives back the
            // high nibble here, and the parity of a row below.
            let even = _mm256_and_si256(_mm256_srli_epi16::<4>(x), low);
            let odd = _mm256_and_si256(x, low);
            let odd = _mm256_shuffle_epi8(sbox_twice, odd);
            let both = _mm256_xor_si256(_mm256_shuffle_epi8(sbox_twice, even), odd);
            let x = _mm256_xor_si256(odd, _mm256_andnot_si256(low, both));

            // MatrixMul: every row but its mirror, and the parity of the mirror.
            let y = _mm256_xor_si256(x, _mm256_shuffle_epi8(x, pairs));
            let y = _mm256_xor_si256(y, _mm256_shuffle_epi32::<0b10_11_00_01>(x));
            let y = _mm256_xor_si256(y, _mm256_shuffle_epi8(both, mirror));
            let y = _mm256_xor_si256(y, _mm256_shuffle_epi8(both, swapped));

            // ApplySbox, then Permutation: even nibbles to the first half, odd ones to the second.
            let even = _mm256_and_si256(_mm256_srli_epi16::<4>(y), low);
            let even = _mm256_shuffle_epi8(sbox, even);
            let odd = _mm256_shuffle_epi8(sbox, _mm256_and_si256(y, low));
            let join = _mm256_set1_epi16(0x0110); // 16 times the first nibble and the second
            let even = _mm256_maddubs_epi16(even, join);
            let odd = _mm256_maddubs_epi16(odd, join);
            let f = _mm256_packus_epi16(even, odd);
            [_mm256_castsi256_si128(f), _mm256_extracti128_si256::<1>(f)]
        }
    }
}
