//! 32 blocks of Minalpher with AVX2: a register for each of the 64 nibbles, a byte of it one block.
//! Between calls of P a register holds both nibbles of a byte.

use core::arch::x86_64::*;

use super::super::Avx2;
use super::columns::{self, Nibbles};
use crate::minalpher::lanes::{BEFORE, BLOCK, Lanes, SBOX, Schedule};

/// `Wide256` proves what the token in it proves.
#[derive(Clone, Copy)]
pub(crate) struct Wide256(pub(crate) Avx2);

/// Byte i of every block.
type State = [__m256i; 32];

/// 32 bytes of a table.
#[repr(align(32))]
struct Bytes([u8; 32]);

static TABLE: Bytes = {
    let mut bytes = [0; 32];
    let mut i = 0;
    while i < 32 {
        bytes[i] = SBOX[i % 16];
        i += 1;
    }
    Bytes(bytes)
};

/// Each nibble in all bytes.
static ALL_OF: [Bytes; 16] = {
    let mut all = [const { Bytes([0; 32]) }; 16];
    let mut value = 0;
    while value < 16 {
        all[value] = Bytes([value as u8; 32]);
        value += 1;
    }
    all
};

/// The tweaks of 32 blocks: byte i of them is `bytes[i % 2]` from i / 2 * `step` on, and the last
/// three have addends.
pub(crate) struct Tweaks {
    bytes: [[u8; 64]; 2],
    addends: [__m256i; 3],
    step: usize,
}

impl Lanes for Wide256 {
    const BLOCKS: usize = 32;
    type Bytes = [u8; 32 * BLOCK];
    type State = State;
    type Tweaks = Tweaks;

    #[inline(always)]
    fn zero(self) -> State {
        // SAFETY: the token proves AVX2.
        [unsafe { _mm256_setzero_si256() }; 32]
    }

    #[inline(always)]
    fn bytes(self) -> [u8; 32 * BLOCK] {
        [0; 32 * BLOCK]
    }

    #[inline(always)]
    fn load(self, from: &[u8], to: &mut State) {
        let from: &[u8; 32 * BLOCK] = from.try_into().expect("32 blocks");
        for (half, to) in to.as_chunks_mut::<16>().0.iter_mut().enumerate() {
            *to = self.transpose(sixteen!(g => self.gather(from, half, g)));
        }
    }

    #[inline(always)]
    fn store(self, x: &State, to: &mut [u8]) {
        let to: &mut [u8; 32 * BLOCK] = to.try_into().expect("32 blocks");
        for (half, x) in x.as_chunks::<16>().0.iter().enumerate() {
            for (g, v) in self.transpose(*x).into_iter().enumerate() {
                self.scatter(v, to, half, g);
            }
        }
    }

    #[inline(always)]
    fn add(self, to: &mut State, x: &State) {
        for (to, x) in to.iter_mut().zip(x) {
            *to = self.sum(*to, *x);
        }
    }

    #[inline(always)]
    fn every(self, window: &[u8]) -> Tweaks {
        let window: &[u8; 65] = window[BEFORE..].first_chunk().expect("a window of 32");
        let [bytes, next] = [0, 1].map(|i| *window[i..].first_chunk().expect("64 of 65"));
        self.tweaks([bytes, next], 2)
    }

    #[inline(always)]
    fn pairs(self, window: &[u8]) -> [Tweaks; 2] {
        let window: &[u8; 128] = window[BEFORE..].first_chunk().expect("a window of 64");
        let mut bytes = [[0; 64]; 3];
        for (i, pair) in window.as_chunks::<2>().0.iter().enumerate() {
            (bytes[0][i], bytes[1][i]) = (pair[0], pair[1]);
        }
        let [first, second, third] = &mut bytes;
        third[..63].copy_from_slice(&first[1..]);
        [
            self.tweaks([*first, *second], 1),
            self.tweaks([*second, *third], 1),
        ]
    }

    #[inline(always)]
    fn mask(self, x: &mut State, tweaks: &Tweaks) {
        for (i, two) in x.as_chunks_mut::<2>().0.iter_mut().enumerate() {
            let at = tweaks.step * i;
            two[0] = self.sum(two[0], self.window(&tweaks.bytes[0], at));
            two[1] = self.sum(two[1], self.window(&tweaks.bytes[1], at));
        }
        for (x, addend) in x[29..].iter_mut().zip(tweaks.addends) {
            *x = self.sum(*x, addend);
        }
    }

    #[inline(always)]
    fn permute(self, x: &mut State, schedule: &Schedule) {
        // SAFETY: the token proves AVX2.
        unsafe { permute(self, x, schedule) }
    }
}

#[inline(never)]
#[target_feature(enable = "avx2")]
fn permute(lanes: Wide256, x: &mut State, schedule: &Schedule) {
    let low = _mm256_set1_epi8(0x0f);
    let mut nibbles = [_mm256_setzero_si256(); 64];
    for (two, x) in nibbles.as_chunks_mut::<2>().0.iter_mut().zip(&*x) {
        two[0] = _mm256_and_si256(_mm256_srli_epi16::<4>(*x), low);
        two[1] = _mm256_and_si256(*x, low);
    }
    columns::permute(lanes, &mut nibbles, schedule);
    for (two, x) in nibbles.as_chunks::<2>().0.iter().zip(x) {
        *x = _mm256_or_si256(_mm256_slli_epi16::<4>(two[0]), two[1]);
    }
}

impl Nibbles for Wide256 {
    type Nibble = __m256i;

    #[inline(always)]
    fn substitute(self, mut x: [__m256i; 8]) -> [__m256i; 8] {
        let table = self.load32(&TABLE.0);
        for x in &mut x {
            // SAFETY: the token proves AVX2.
            *x = unsafe { _mm256_shuffle_epi8(table, *x) };
        }
        x
    }

    #[inline(always)]
    fn sum(self, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: the token proves AVX2.
        unsafe { _mm256_xor_si256(a, b) }
    }

    #[inline(always)]
    fn constant(self, a: __m256i, value: u8) -> __m256i {
        self.sum(a, self.load32(&ALL_OF[usize::from(value % 16)].0))
    }
}

impl Wide256 {
    #[inline(always)]
    fn load32(self, from: &[u8; 32]) -> __m256i {
        // SAFETY: 32 readable bytes, which need no alignment; AVX by the token.
        unsafe { _mm256_loadu_si256(from.as_ptr().cast()) }
    }

    /// Half a block of each of g and g + 16.
    #[inline(always)]
    fn gather(self, from: &[u8; 32 * BLOCK], half: usize, g: usize) -> __m256i {
        assert!(half < 2 && g < 16);
        // SAFETY: 16-byte parts at 32 j + 16 half, j < 32, lie within `from`; AVX2 by the token.
        unsafe {
            let at: *const __m128i = from.as_ptr().add(BLOCK * g + 16 * half).cast();
            let low = _mm256_castsi128_si256(_mm_loadu_si128(at));
            _mm256_inserti128_si256::<1>(low, _mm_loadu_si128(at.add(32)))
        }
    }

    #[inline(always)]
    fn scatter(self, v: __m256i, to: &mut [u8; 32 * BLOCK], half: usize, g: usize) {
        assert!(half < 2 && g < 16);
        // SAFETY: 16-byte parts at 32 j + 16 half, j < 32, lie within `to`; AVX2 by the token.
        unsafe {
            let at: *mut __m128i = to.as_mut_ptr().add(BLOCK * g + 16 * half).cast();
            _mm_storeu_si128(at, _mm256_castsi256_si128(v));
            _mm_storeu_si128(at.add(32), _mm256_extracti128_si256::<1>(v));
        }
    }

    /// In each half: byte c of register g to byte g of register c.
    #[inline(always)]
    fn transpose(self, rows: [__m256i; 16]) -> [__m256i; 16] {
        self.riffle(self.riffle(self.riffle(self.riffle(rows))))
    }

    #[inline(always)]
    fn riffle(self, x: [__m256i; 16]) -> [__m256i; 16] {
        // SAFETY: the token proves AVX2.
        unsafe {
            sixteen!(i => {
                let (a, b) = (x[i / 2], x[i / 2 + 8]);
                if i.is_multiple_of(2) { _mm256_unpacklo_epi8(a, b) } else { _mm256_unpackhi_epi8(a, b) }
            })
        }
    }

    #[inline(always)]
    fn tweaks(self, bytes: [[u8; 64]; 2], step: usize) -> Tweaks {
        let (a0, a1) = (self.window(&bytes[0], 0), self.window(&bytes[1], 0));
        let a2 = self.window(&bytes[0], step);
        Tweaks {
            bytes,
            addends: [a0, self.sum(a0, a1), self.sum(a1, a2)],
            step,
        }
    }

    #[inline(always)]
    fn window(self, bytes: &[u8; 64], at: usize) -> __m256i {
        self.load32(bytes[at..].first_chunk().expect("32 bytes"))
    }
}
