//! Four blocks of Minalpher in eight registers of AVX2: row r of matrix m is one register, a byte
//! of it one nibble. The S-box is a byte shuffle of a table that stays in a register.

use core::arch::x86_64::*;

use super::super::{Avx2, Avx512};
use crate::minalpher::lanes::{BEFORE, BLOCK, Lanes, SBOX, SHUFFLES, Schedule};

/// `Narrow` proves what the token in it proves, AVX2 at least.
#[derive(Clone, Copy)]
pub(crate) struct Narrow<T>(pub(crate) T);

/// The sums of rows, which AVX-512 makes of three at once.
pub(crate) trait Sums: Copy {
    fn xor3(self, a: __m256i, b: __m256i, c: __m256i) -> __m256i;

    /// MixColumns: each row but the one two below.
    fn mix(self, x: Rows) -> Rows;

    /// Rows in eights of bytes, A before B, to a byte for each nibble.
    #[inline(always)]
    fn split(self, row: __m256i) -> (__m256i, __m256i) {
        // SAFETY: `self` proves AVX2.
        unsafe {
            let low = _mm256_set1_epi8(0x0f);
            let even = _mm256_and_si256(_mm256_srli_epi16::<4>(row), low);
            let odd = _mm256_and_si256(row, low);
            (
                _mm256_blend_epi32::<0xaa>(even, _mm256_slli_epi64::<32>(odd)),
                _mm256_blend_epi32::<0xaa>(_mm256_srli_epi64::<32>(even), odd),
            )
        }
    }

    /// The reverse of [`Sums::split`].
    #[inline(always)]
    fn join(self, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: `self` proves AVX2.
        unsafe {
            let even = _mm256_blend_epi32::<0xaa>(a, _mm256_slli_epi64::<32>(b));
            let odd = _mm256_blend_epi32::<0xaa>(_mm256_srli_epi64::<32>(a), b);
            _mm256_or_si256(_mm256_slli_epi16::<4>(even), odd)
        }
    }
}

impl Sums for Avx2 {
    #[inline(always)]
    fn xor3(self, a: __m256i, b: __m256i, c: __m256i) -> __m256i {
        // SAFETY: `self` proves AVX2.
        unsafe { _mm256_xor_si256(_mm256_xor_si256(a, b), c) }
    }

    #[inline(always)]
    fn mix(self, x: Rows) -> Rows {
        // SAFETY: `self` proves AVX2.
        unsafe {
            let (upper, lower) = (_mm256_xor_si256(x[0], x[1]), _mm256_xor_si256(x[2], x[3]));
            [
                _mm256_xor_si256(upper, x[3]),
                _mm256_xor_si256(upper, x[2]),
                _mm256_xor_si256(lower, x[1]),
                _mm256_xor_si256(lower, x[0]),
            ]
        }
    }
}

impl Sums for Avx512 {
    #[inline(always)]
    fn xor3(self, a: __m256i, b: __m256i, c: __m256i) -> __m256i {
        // SAFETY: `self` proves AVX-512 VL.
        unsafe { _mm256_ternarylogic_epi64::<0x96>(a, b, c) }
    }

    #[inline(always)]
    fn mix(self, x: Rows) -> Rows {
        [
            self.xor3(x[0], x[1], x[3]),
            self.xor3(x[1], x[2], x[0]),
            self.xor3(x[2], x[3], x[1]),
            self.xor3(x[3], x[0], x[2]),
        ]
    }
}

/// 32 bytes of a table or a shuffle.
#[repr(align(32))]
pub(super) struct Bytes(pub(super) [u8; 32]);

/// The byte of a row's eight at which column c stands: what taking nibbles apart leaves.
pub(super) const fn place(c: usize) -> usize {
    c / 2 + 4 * (c % 2)
}

const fn shuffle(p: [usize; 8]) -> Bytes {
    let mut bytes = [0; 32];
    let mut i = 0;
    while i < 32 {
        // In each quarter; a shuffle counts from the half of the register.
        bytes[i / 8 * 8 + place(i % 8)] = (i / 8 % 2 * 8 + place(p[i % 8])) as u8;
        i += 1;
    }
    Bytes(bytes)
}
static SHUFFLE: [Bytes; 4] = [
    shuffle(SHUFFLES[0]),
    shuffle(SHUFFLES[1]),
    shuffle(SHUFFLES[2]),
    shuffle(SHUFFLES[3]),
];

const fn twice(half: [u8; 16]) -> Bytes {
    let mut bytes = [0; 32];
    let mut i = 0;
    while i < 32 {
        bytes[i] = half[i % 16];
        i += 1;
    }
    Bytes(bytes)
}
pub(super) static TABLE: Bytes = twice(SBOX);

/// Round constants before M, a row each: M of c ^ r ^ i is c ^ r ^ 2 ^ i.
const fn constants() -> [[i64; 4]; 16] {
    let mut all = [[0; 4]; 16];
    let mut i = 0;
    while i < 16 * 4 {
        let (number, r) = (i / 4, i % 4);
        let mut bytes = [0; 8];
        let mut c = 0;
        while c < 4 {
            bytes[place(c)] = (c ^ r ^ 2 ^ number) as u8;
            c += 1;
        }
        all[number][r] = i64::from_le_bytes(bytes);
        i += 1;
    }
    all
}
static CONSTANTS: [[i64; 4]; 16] = constants();

/// Bytes 29 to 31, and bytes 30 and 31, of a block.
static LAST_THREE: Bytes = last(3);
static LAST_TWO: Bytes = last(2);

const fn last(n: usize) -> Bytes {
    let mut bytes = [0; 32];
    let mut i = 32 - n;
    while i < 32 {
        bytes[i] = 0xff;
        i += 1;
    }
    Bytes(bytes)
}

type Rows = [__m256i; 4];

impl<T: Sums> Lanes for Narrow<T> {
    const BLOCKS: usize = 4;
    type Bytes = [u8; 4 * BLOCK];
    /// A block each, as it stands in memory.
    type State = [__m256i; 4];
    type Tweaks = [__m256i; 4];

    #[inline(always)]
    fn zero(self) -> [__m256i; 4] {
        // SAFETY: the token proves AVX2.
        [unsafe { _mm256_setzero_si256() }; 4]
    }

    #[inline(always)]
    fn bytes(self) -> [u8; 4 * BLOCK] {
        [0; 4 * BLOCK]
    }

    #[inline(always)]
    fn load(self, from: &[u8], to: &mut [__m256i; 4]) {
        let from: &[u8; 4 * BLOCK] = from.try_into().expect("four blocks");
        for (to, from) in to.iter_mut().zip(from.as_chunks::<32>().0) {
            *to = self.block(from);
        }
    }

    #[inline(always)]
    fn store(self, x: &[__m256i; 4], to: &mut [u8]) {
        let to: &mut [u8; 4 * BLOCK] = to.try_into().expect("four blocks");
        for (to, x) in to.as_chunks_mut::<32>().0.iter_mut().zip(x) {
            // SAFETY: 32 writable bytes, which need no alignment; AVX by the token.
            unsafe { _mm256_storeu_si256(to.as_mut_ptr().cast(), *x) };
        }
    }

    #[inline(always)]
    fn add(self, to: &mut [__m256i; 4], x: &[__m256i; 4]) {
        for (to, x) in to.iter_mut().zip(x) {
            *to = self.xor(*to, *x);
        }
    }

    #[inline(always)]
    fn every(self, window: &[u8]) -> [__m256i; 4] {
        let window: &[u8; BEFORE + 35] = window.first_chunk().expect("a window of four");
        [
            self.tweak(window, 0),
            self.tweak(window, 1),
            self.tweak(window, 2),
            self.tweak(window, 3),
        ]
    }

    #[inline(always)]
    fn pairs(self, window: &[u8]) -> [[__m256i; 4]; 2] {
        let window: &[u8; BEFORE + 39] = window.first_chunk().expect("a window of eight");
        let (mut odd, mut even) = (self.zero(), self.zero());
        for i in 0..4 {
            odd[i] = self.tweak(window, 2 * i);
            even[i] = self.tweak(window, 2 * i + 1);
        }
        [odd, even]
    }

    #[inline(always)]
    fn mask(self, x: &mut [__m256i; 4], tweaks: &[__m256i; 4]) {
        self.add(x, tweaks);
    }

    #[inline(always)]
    fn permute(self, x: &mut [__m256i; 4], schedule: &Schedule) {
        let (mut a, mut b) = self.split(*x);
        for &number in schedule {
            let constants = &CONSTANTS[usize::from(number)];
            (a, b) = self.substitute_and_shuffle(a, b);
            for r in 0..4 {
                // SAFETY: the token proves AVX.
                let constant = unsafe { _mm256_set1_epi64x(constants[r]) };
                b[r] = self.0.xor3(b[r], a[r], constant);
            }
            (a, b) = (self.0.mix(a), self.0.mix(b));
        }
        (a, b) = self.substitute_and_shuffle(a, b);
        *x = self.join(a, b);
    }
}

impl<T: Sums> Narrow<T> {
    #[inline(always)]
    fn xor(self, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: the token proves AVX2.
        unsafe { _mm256_xor_si256(a, b) }
    }

    #[inline(always)]
    fn block(self, from: &[u8; 32]) -> __m256i {
        // SAFETY: 32 readable bytes, which need no alignment; AVX by the token.
        unsafe { _mm256_loadu_si256(from.as_ptr().cast()) }
    }

    /// The tweak k places after the window's: its last three bytes have addends.
    #[inline(always)]
    fn tweak(self, window: &[u8], k: usize) -> __m256i {
        let [all, three, two] = [BEFORE + k, BEFORE + k - 29, BEFORE + k - 30];
        let all = self.block(window[all..].first_chunk().expect("32 bytes"));
        let three = self.block(window[three..].first_chunk().expect("32 bytes"));
        let two = self.block(window[two..].first_chunk().expect("32 bytes"));
        // SAFETY: the token proves AVX2.
        unsafe {
            let three = _mm256_and_si256(three, self.block(&LAST_THREE.0));
            let two = _mm256_and_si256(two, self.block(&LAST_TWO.0));
            self.0.xor3(all, three, two)
        }
    }

    /// S, then T.
    #[inline(always)]
    fn substitute_and_shuffle(self, a: Rows, b: Rows) -> (Rows, Rows) {
        (
            [
                self.shuffle(b[0], 2),
                self.shuffle(b[1], 3),
                self.shuffle(b[2], 0),
                self.shuffle(b[3], 1),
            ],
            [
                self.shuffle(a[0], 0),
                self.shuffle(a[1], 1),
                self.shuffle(a[2], 2),
                self.shuffle(a[3], 3),
            ],
        )
    }

    #[inline(always)]
    fn shuffle(self, x: __m256i, by: usize) -> __m256i {
        let (table, shuffle) = (self.block(&TABLE.0), self.block(&SHUFFLE[by].0));
        // SAFETY: the token proves AVX2.
        unsafe { _mm256_shuffle_epi8(_mm256_shuffle_epi8(table, x), shuffle) }
    }

    /// Four blocks to the rows of A and of B.
    #[inline(always)]
    fn split(self, x: [__m256i; 4]) -> (Rows, Rows) {
        let rows = self.transpose(x);
        let (mut a, mut b) = (rows, rows);
        for (r, row) in rows.into_iter().enumerate() {
            (a[r], b[r]) = self.0.split(row);
        }
        (a, b)
    }

    #[inline(always)]
    fn join(self, a: Rows, b: Rows) -> [__m256i; 4] {
        let mut rows = a;
        for (r, row) in rows.iter_mut().enumerate() {
            *row = self.0.join(a[r], b[r]);
        }
        self.transpose(rows)
    }

    /// Quarter i of register j to quarter j of register i.
    #[inline(always)]
    fn transpose(self, [x0, x1, x2, x3]: [__m256i; 4]) -> [__m256i; 4] {
        // SAFETY: the token proves AVX2.
        unsafe {
            let (y0, y1) = (_mm256_unpacklo_epi64(x0, x1), _mm256_unpackhi_epi64(x0, x1));
            let (y2, y3) = (_mm256_unpacklo_epi64(x2, x3), _mm256_unpackhi_epi64(x2, x3));
            [
                _mm256_permute2x128_si256::<0x20>(y0, y2),
                _mm256_permute2x128_si256::<0x20>(y1, y3),
                _mm256_permute2x128_si256::<0x31>(y0, y2),
                _mm256_permute2x128_si256::<0x31>(y1, y3),
            ]
        }
    }
}
