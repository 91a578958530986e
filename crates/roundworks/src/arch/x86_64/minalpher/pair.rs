//! P on two blocks of Minalpher with AVX2, for the calls that wait for each other: a half of a
//! register is of one block and holds two rows, two apart, a byte for each nibble. MixColumns then
//! takes a register, the other one, and the other one with its rows exchanged, which is a second
//! shuffle where T takes the first.

use core::arch::x86_64::*;

use super::narrow::{Bytes, Sums, TABLE, place};
use crate::minalpher::lanes::{Block, FORWARD, SHUFFLES};

/// Rows 0 and 2, then 1 and 3.
type Rows = [__m256i; 2];

/// For rows r and r + 2: the shuffles `first` and `second`, the rows exchanged if `exchanged`.
const fn shuffle(first: [usize; 8], second: [usize; 8], exchanged: bool) -> Bytes {
    let mut bytes = [0; 32];
    let mut i = 0;
    while i < 32 {
        let (half, c) = (i / 8 % 2, i % 8);
        let from_second = (half == 1) != exchanged;
        let shuffled = if from_second { second[c] } else { first[c] };
        bytes[i / 8 * 8 + place(c)] = (8 * from_second as usize + place(shuffled)) as u8;
        i += 1;
    }
    Bytes(bytes)
}

/// Of A, rows 0 and 2, rows 1 and 3; of B it is the one with the rows' shuffles exchanged.
static STRAIGHT: [[Bytes; 2]; 2] = shuffles(false);
static EXCHANGED: [[Bytes; 2]; 2] = shuffles(true);

const fn shuffles(exchanged: bool) -> [[Bytes; 2]; 2] {
    let [s0, s1, s2, s3] = SHUFFLES;
    [
        [shuffle(s0, s2, exchanged), shuffle(s1, s3, exchanged)],
        [shuffle(s2, s0, exchanged), shuffle(s3, s1, exchanged)],
    ]
}

/// The round constants, which B gets after M: c ^ r ^ number in columns 0 to 3.
static CONSTANTS: [[Bytes; 2]; 16] = {
    let mut all = [const { [Bytes([0; 32]), Bytes([0; 32])] }; 16];
    let mut i = 0;
    while i < 16 * 2 * 4 * 4 {
        let (number, odd, quarter, c) = (i / 32, i / 16 % 2, i / 4 % 4, i % 4);
        let r = 2 * (quarter % 2) + odd;
        all[number][odd].0[8 * quarter + place(c)] = (c ^ r ^ number) as u8;
        i += 1;
    }
    all
};

/// P on both.
#[inline(always)]
pub(super) fn permute<T: Sums>(token: T, blocks: &mut [Block; 2]) {
    let pair = Pair(token);
    let (mut a, mut b) = pair.split(blocks);
    for &number in &FORWARD {
        (a, b) = pair.round(a, b, &CONSTANTS[usize::from(number % 16)]);
    }
    let (x, y) = (pair.substitute(b), pair.substitute(a));
    let a = [
        pair.shuffle(x[0], &STRAIGHT[1][0]),
        pair.shuffle(x[1], &STRAIGHT[1][1]),
    ];
    let b = [
        pair.shuffle(y[0], &STRAIGHT[0][0]),
        pair.shuffle(y[1], &STRAIGHT[0][1]),
    ];
    pair.join(a, b, blocks);
}

/// `Pair` proves what the token in it proves, AVX2 at least.
#[derive(Clone, Copy)]
struct Pair<T>(T);

impl<T: Sums> Pair<T> {
    #[inline(always)]
    fn bytes(self, from: &[u8; 32]) -> __m256i {
        // SAFETY: 32 readable bytes, which need no alignment; AVX by the token.
        unsafe { _mm256_loadu_si256(from.as_ptr().cast()) }
    }

    #[inline(always)]
    fn shuffle(self, x: __m256i, by: &Bytes) -> __m256i {
        // SAFETY: the token proves AVX2.
        unsafe { _mm256_shuffle_epi8(x, self.bytes(&by.0)) }
    }

    #[inline(always)]
    fn substitute(self, [x, y]: Rows) -> Rows {
        let table = self.bytes(&TABLE.0);
        // SAFETY: the token proves AVX2.
        unsafe { [_mm256_shuffle_epi8(table, x), _mm256_shuffle_epi8(table, y)] }
    }

    #[inline(always)]
    fn round(self, a: Rows, b: Rows, constants: &[Bytes; 2]) -> (Rows, Rows) {
        let a_new = self.shuffle_and_mix(self.substitute(b), 1);
        let b_new = self.shuffle_and_mix(self.substitute(a), 0);
        let [even, odd] = [self.bytes(&constants[0].0), self.bytes(&constants[1].0)];
        let b_new = [
            self.0.xor3(b_new[0], a_new[0], even),
            self.0.xor3(b_new[1], a_new[1], odd),
        ];
        (a_new, b_new)
    }

    /// T on what was matrix `from`, and MixColumns: each row but the one two below.
    #[inline(always)]
    fn shuffle_and_mix(self, [x, y]: Rows, from: usize) -> Rows {
        let (straight, exchanged) = (&STRAIGHT[from], &EXCHANGED[from]);
        let (even, odd) = (self.shuffle(x, &straight[0]), self.shuffle(y, &straight[1]));
        [
            self.0.xor3(even, odd, self.shuffle(y, &exchanged[1])),
            self.0.xor3(even, odd, self.shuffle(x, &exchanged[0])),
        ]
    }

    /// Two blocks to the rows of A and of B.
    #[inline(always)]
    fn split(self, blocks: &[Block; 2]) -> (Rows, Rows) {
        let (x, y) = (self.bytes(&blocks[0]), self.bytes(&blocks[1]));
        // SAFETY: the token proves AVX2.
        unsafe {
            let upper = _mm256_permute2x128_si256::<0x20>(x, y);
            let lower = _mm256_permute2x128_si256::<0x31>(x, y);
            let rows = [
                _mm256_unpacklo_epi64(upper, lower),
                _mm256_unpackhi_epi64(upper, lower),
            ];
            let (mut a, mut b) = (rows, rows);
            for (i, row) in rows.into_iter().enumerate() {
                (a[i], b[i]) = self.0.split(row);
            }
            (a, b)
        }
    }

    #[inline(always)]
    fn join(self, a: Rows, b: Rows, blocks: &mut [Block; 2]) {
        let (even, odd) = (self.0.join(a[0], b[0]), self.0.join(a[1], b[1]));
        // SAFETY: 32 writable bytes each, which need no alignment; the token proves AVX2.
        unsafe {
            let (upper, lower) = (
                _mm256_unpacklo_epi64(even, odd),
                _mm256_unpackhi_epi64(even, odd),
            );
            let x = _mm256_permute2x128_si256::<0x20>(upper, lower);
            let y = _mm256_permute2x128_si256::<0x31>(upper, lower);
            _mm256_storeu_si256(blocks[0].as_mut_ptr().cast(), x);
            _mm256_storeu_si256(blocks[1].as_mut_ptr().cast(), y);
        }
    }
}
