//! Layers of AES instructions on words of one register.
//!
//! Loops here count: over iterators some were left in memory, where a block waited for its stores.
#![allow(clippy::needless_range_loop)]

use core::arch::x86_64::*;

use super::aes::{pin128, pin256, pin512};
use super::{Aesni, Evex, Vaes256, Vaes512, Vex};
use crate::aes::{AesLanes, Lane};
use crate::aes_layers::{AesLayers, same};

/// What a register of every width has. `OP` is a constant wherever it is passed.
///
/// # Safety
///
/// Of all methods: the CPU has the instructions of a token whose words are of such registers.
trait Layered: Copy {
    /// Whether it has `aesimc`.
    const UNMIXES: bool = false;

    unsafe fn instruction<const OP: u8>(x: Self, key: Self) -> Self;
    unsafe fn columns<const OP: u8>(a: Self, b: Self) -> Self;

    unsafe fn unmix(_: Self) -> Self {
        unreachable!("not at this width")
    }

    /// From parts of blocks in memory's order to words, and back.
    #[inline(always)]
    unsafe fn apart<const W: usize>(_: &mut [[Self; 1]; W]) {}
    #[inline(always)]
    unsafe fn together<const W: usize>(_: &mut [[Self; 1]; W]) {}

    #[inline(always)]
    unsafe fn load_blocks<L, const D: usize, const W: usize>(
        l: L,
        blocks: &[[Lane; W]; D],
    ) -> [[Self; 1]; W]
    where
        L: AesLanes<D, Word = [Self; 1]>,
    {
        let (parts, _) = blocks.as_flattened().as_chunks::<D>();
        let mut words = [l.load(&parts[0]); W];
        for i in 1..W {
            words[i] = l.load(&parts[i]);
        }
        // SAFETY: the caller's promise, here and below.
        unsafe { Self::apart(&mut words) };
        words
    }

    #[inline(always)]
    unsafe fn store_blocks<L, const D: usize, const W: usize>(
        l: L,
        mut words: [[Self; 1]; W],
        blocks: &mut [[Lane; W]; D],
    ) where
        L: AesLanes<D, Word = [Self; 1]>,
    {
        // SAFETY: as above.
        unsafe { Self::together(&mut words) };
        let (parts, _) = blocks.as_flattened_mut().as_chunks_mut::<D>();
        for i in 0..W {
            l.store(words[i], &mut parts[i]);
        }
    }
}

/// A token here, for permutations.
pub(super) trait Wide: Copy {
    const TO_SPARE: bool = false;
}

impl Wide for Aesni {}
impl Wide for Vex {}
impl Wide for Evex {
    const TO_SPARE: bool = true;
}
impl Wide for Vaes256 {}
impl Wide for Vaes512 {}

const ENC_LAST: u8 = 0;
const DEC: u8 = 1;
const DEC_LAST: u8 = 2;

const LOW: u8 = 0;
const HIGH: u8 = 1;
const EVEN: u8 = 2;
const ODD: u8 = 3;
const ALTERNATE: u8 = 4;
const HALVES: u8 = 5;

#[inline(always)]
fn layer<R: Layered, const OP: u8, const N: usize, const M: usize>(
    mut x: [[[R; 1]; N]; M],
    keys: [[[R; 1]; N]; M],
) -> [[[R; 1]; N]; M] {
    for m in 0..M {
        for n in 0..N {
            // SAFETY: words are made by a token that proves the instructions.
            x[m][n] = [unsafe { R::instruction::<OP>(x[m][n][0], keys[m][n][0]) }];
        }
    }
    x
}

#[inline(always)]
fn columns<R: Layered, const OP: u8>([a]: [R; 1], [b]: [R; 1]) -> [R; 1] {
    // SAFETY: as in `layer`.
    [unsafe { R::columns::<OP>(a, b) }]
}

impl<L, R: Layered, const D: usize> AesLayers<D> for L
where
    L: Wide + AesLanes<D, Word = [R; 1]>,
{
    const TO_SPARE: bool = L::TO_SPARE;

    #[inline(always)]
    fn enc_last<const N: usize, const M: usize>(
        self,
        x: [[[R; 1]; N]; M],
        keys: [[[R; 1]; N]; M],
    ) -> [[[R; 1]; N]; M] {
        layer::<R, ENC_LAST, N, M>(x, keys)
    }

    #[inline(always)]
    fn dec<const N: usize, const M: usize>(
        self,
        x: [[[R; 1]; N]; M],
        keys: [[[R; 1]; N]; M],
    ) -> [[[R; 1]; N]; M] {
        layer::<R, DEC, N, M>(x, keys)
    }

    #[inline(always)]
    fn dec_last<const N: usize, const M: usize>(
        self,
        x: [[[R; 1]; N]; M],
        keys: [[[R; 1]; N]; M],
    ) -> [[[R; 1]; N]; M] {
        layer::<R, DEC_LAST, N, M>(x, keys)
    }

    #[inline(always)]
    fn unmix<const N: usize, const M: usize>(self, mut x: [[[R; 1]; N]; M]) -> [[[R; 1]; N]; M] {
        if L::TO_SPARE || !R::UNMIXES {
            let zero = same(self.zero());
            return self.dec(self.enc_last(x, zero), zero);
        }
        for m in 0..M {
            for n in 0..N {
                // SAFETY: as in `layer`.
                x[m][n] = [unsafe { R::unmix(x[m][n][0]) }];
            }
        }
        x
    }

    #[inline(always)]
    fn low(self, a: [R; 1], b: [R; 1]) -> [R; 1] {
        columns::<R, LOW>(a, b)
    }

    #[inline(always)]
    fn high(self, a: [R; 1], b: [R; 1]) -> [R; 1] {
        columns::<R, HIGH>(a, b)
    }

    #[inline(always)]
    fn even(self, a: [R; 1], b: [R; 1]) -> [R; 1] {
        columns::<R, EVEN>(a, b)
    }

    #[inline(always)]
    fn odd(self, a: [R; 1], b: [R; 1]) -> [R; 1] {
        columns::<R, ODD>(a, b)
    }

    #[inline(always)]
    fn alternate(self, a: [R; 1], b: [R; 1]) -> [R; 1] {
        columns::<R, ALTERNATE>(a, b)
    }

    #[inline(always)]
    fn halves(self, a: [R; 1], b: [R; 1]) -> [R; 1] {
        columns::<R, HALVES>(a, b)
    }

    #[inline(always)]
    fn load_blocks<const W: usize>(self, blocks: &[[Lane; W]; D]) -> [[R; 1]; W] {
        // SAFETY: as in `layer`.
        unsafe { R::load_blocks(self, blocks) }
    }

    #[inline(always)]
    fn store_blocks<const W: usize>(self, words: [[R; 1]; W], blocks: &mut [[Lane; W]; D]) {
        // SAFETY: as in `layer`.
        unsafe { R::store_blocks(self, words, blocks) }
    }
}

impl Layered for __m128i {
    const UNMIXES: bool = true;

    #[inline(always)]
    unsafe fn instruction<const OP: u8>(x: Self, key: Self) -> Self {
        // SAFETY: the caller's promise, here and below.
        unsafe {
            pin128(match OP {
                ENC_LAST => _mm_aesenclast_si128(x, key),
                DEC => _mm_aesdec_si128(x, key),
                _ => _mm_aesdeclast_si128(x, key),
            })
        }
    }

    #[inline(always)]
    unsafe fn columns<const OP: u8>(a: Self, b: Self) -> Self {
        // SAFETY: as above.
        unsafe {
            let (x, y) = (_mm_castsi128_ps(a), _mm_castsi128_ps(b));
            match OP {
                LOW => _mm_unpacklo_epi32(a, b),
                HIGH => _mm_unpackhi_epi32(a, b),
                EVEN => _mm_castps_si128(_mm_shuffle_ps::<0x88>(x, y)),
                ODD => _mm_castps_si128(_mm_shuffle_ps::<0xdd>(x, y)),
                ALTERNATE => _mm_blend_epi16::<0xcc>(a, b),
                _ => _mm_blend_epi16::<0xf0>(a, b),
            }
        }
    }

    #[inline(always)]
    unsafe fn unmix(x: Self) -> Self {
        // SAFETY: as above.
        unsafe { _mm_aesimc_si128(x) }
    }

    // Lane by lane: as parts that follow each other their addresses took more registers.
    #[inline(always)]
    unsafe fn load_blocks<L, const D: usize, const W: usize>(
        l: L,
        blocks: &[[Lane; W]; D],
    ) -> [[Self; 1]; W]
    where
        L: AesLanes<D, Word = [Self; 1]>,
    {
        let mut words = [l.splat(&[0; 16]); W];
        for i in 0..W {
            let mut ones = [l.one(&blocks[0][i]); D];
            for j in 1..D {
                ones[j] = l.one(&blocks[j][i]);
            }
            words[i] = l.join(ones);
        }
        words
    }

    #[inline(always)]
    unsafe fn store_blocks<L, const D: usize, const W: usize>(
        l: L,
        words: [[Self; 1]; W],
        blocks: &mut [[Lane; W]; D],
    ) where
        L: AesLanes<D, Word = [Self; 1]>,
    {
        for i in 0..W {
            let ones = l.split(words[i]);
            for j in 0..D {
                l.put(ones[j], &mut blocks[j][i]);
            }
        }
    }
}

impl Layered for __m256i {
    #[inline(always)]
    unsafe fn instruction<const OP: u8>(x: Self, key: Self) -> Self {
        // SAFETY: the caller's promise, here and below.
        unsafe {
            pin256(match OP {
                ENC_LAST => _mm256_aesenclast_epi128(x, key),
                DEC => _mm256_aesdec_epi128(x, key),
                _ => _mm256_aesdeclast_epi128(x, key),
            })
        }
    }

    #[inline(always)]
    unsafe fn columns<const OP: u8>(a: Self, b: Self) -> Self {
        // SAFETY: as above.
        unsafe {
            let (x, y) = (_mm256_castsi256_ps(a), _mm256_castsi256_ps(b));
            match OP {
                LOW => _mm256_unpacklo_epi32(a, b),
                HIGH => _mm256_unpackhi_epi32(a, b),
                EVEN => _mm256_castps_si256(_mm256_shuffle_ps::<0x88>(x, y)),
                ODD => _mm256_castps_si256(_mm256_shuffle_ps::<0xdd>(x, y)),
                ALTERNATE => _mm256_blend_epi32::<0xaa>(a, b),
                _ => _mm256_blend_epi32::<0xcc>(a, b),
            }
        }
    }

    #[inline(always)]
    unsafe fn apart<const W: usize>(words: &mut [[Self; 1]; W]) {
        // SAFETY: as above.
        unsafe { apart256(words) }
    }

    #[inline(always)]
    unsafe fn together<const W: usize>(words: &mut [[Self; 1]; W]) {
        // SAFETY: as above.
        unsafe { together256(words) }
    }
}

impl Layered for __m512i {
    #[inline(always)]
    unsafe fn instruction<const OP: u8>(x: Self, key: Self) -> Self {
        // SAFETY: the caller's promise, here and below.
        unsafe {
            pin512(match OP {
                ENC_LAST => _mm512_aesenclast_epi128(x, key),
                DEC => _mm512_aesdec_epi128(x, key),
                _ => _mm512_aesdeclast_epi128(x, key),
            })
        }
    }

    #[inline(always)]
    unsafe fn columns<const OP: u8>(a: Self, b: Self) -> Self {
        // SAFETY: as above.
        unsafe {
            let (x, y) = (_mm512_castsi512_ps(a), _mm512_castsi512_ps(b));
            match OP {
                LOW => _mm512_unpacklo_epi32(a, b),
                HIGH => _mm512_unpackhi_epi32(a, b),
                EVEN => _mm512_castps_si512(_mm512_shuffle_ps::<0x88>(x, y)),
                ODD => _mm512_castps_si512(_mm512_shuffle_ps::<0xdd>(x, y)),
                ALTERNATE => _mm512_mask_blend_epi32(0xaaaa, a, b),
                _ => _mm512_mask_blend_epi32(0xcccc, a, b),
            }
        }
    }

    #[inline(always)]
    unsafe fn load_blocks<L, const D: usize, const W: usize>(
        _: L,
        blocks: &[[Lane; W]; D],
    ) -> [[Self; 1]; W]
    where
        L: AesLanes<D, Word = [Self; 1]>,
    {
        // SAFETY: as above.
        unsafe { load512(blocks[..].try_into().expect("four blocks")) }
    }

    #[inline(always)]
    unsafe fn store_blocks<L, const D: usize, const W: usize>(
        _: L,
        words: [[Self; 1]; W],
        blocks: &mut [[Lane; W]; D],
    ) where
        L: AesLanes<D, Word = [Self; 1]>,
    {
        // SAFETY: as above.
        unsafe { store512(words, (&mut blocks[..]).try_into().expect("four blocks")) }
    }
}

/// From parts of blocks in memory's order to words: two blocks of two or of four words.
#[inline]
#[target_feature(enable = "avx2")]
fn apart256<const W: usize>(x: &mut [[__m256i; 1]; W]) {
    match x.as_mut_slice() {
        [[a], [b]] => (*a, *b) = pair256(*a, *b),
        [[a], [b], [c], [d]] => {
            let ((x0, x1), (x2, x3)) = (pair256(*a, *c), pair256(*b, *d));
            (*a, *b, *c, *d) = (x0, x1, x2, x3);
        }
        _ => unreachable!("blocks have two or four words"),
    }
}

/// The other way.
#[inline]
#[target_feature(enable = "avx2")]
fn together256<const W: usize>(x: &mut [[__m256i; 1]; W]) {
    match x.as_mut_slice() {
        [[a], [b]] => (*a, *b) = pair256(*a, *b),
        [[a], [b], [c], [d]] => {
            let ((x0, x1), (x2, x3)) = (pair256(*a, *b), pair256(*c, *d));
            (*a, *b, *c, *d) = (x0, x2, x1, x3);
        }
        _ => unreachable!("blocks have two or four words"),
    }
}

/// The first lanes of both, and the second ones.
#[inline]
#[target_feature(enable = "avx2")]
fn pair256(a: __m256i, b: __m256i) -> (__m256i, __m256i) {
    (
        _mm256_permute2x128_si256::<0x20>(a, b),
        _mm256_permute2x128_si256::<0x31>(a, b),
    )
}

/// Four blocks, two words of them at a time. Parts are put together on the way from memory and taken
/// apart on the way back, which leaves the one port of shuffles half of the work.
#[inline]
#[target_feature(enable = "vaes,avx512f")]
fn load512<const W: usize>(blocks: &[[Lane; W]; 4]) -> [[__m512i; 1]; W] {
    let mut words = [[_mm512_setzero_si512()]; W];
    for i in (0..W).step_by(2) {
        let [a, b, c, d] = blocks.each_ref().map(|block| part(block, i));
        let [ab, cd] = [[a, b], [c, d]].map(|[a, b]| {
            // Pinned: the compiler would shuffle first and insert then.
            pin512(_mm512_inserti64x4::<1>(_mm512_castsi256_si512(a), b))
        });
        words[i] = [_mm512_shuffle_i64x2::<0x88>(ab, cd)];
        words[i + 1] = [_mm512_shuffle_i64x2::<0xdd>(ab, cd)];
    }
    words
}

#[inline]
#[target_feature(enable = "vaes,avx512f")]
fn store512<const W: usize>(words: [[__m512i; 1]; W], blocks: &mut [[Lane; W]; 4]) {
    let low = _mm512_set_epi64(11, 10, 3, 2, 9, 8, 1, 0);
    let high = _mm512_set_epi64(15, 14, 7, 6, 13, 12, 5, 4);
    for i in (0..W).step_by(2) {
        let ([x], [y]) = (words[i], words[i + 1]);
        let ab = pin512(_mm512_permutex2var_epi64(x, low, y));
        let cd = pin512(_mm512_permutex2var_epi64(x, high, y));
        let [a, b, c, d] = blocks;
        put(_mm512_castsi512_si256(ab), a, i);
        put(_mm512_extracti64x4_epi64::<1>(ab), b, i);
        put(_mm512_castsi512_si256(cd), c, i);
        put(_mm512_extracti64x4_epi64::<1>(cd), d, i);
    }
}

/// Words i and i + 1 of a block.
#[inline]
#[target_feature(enable = "avx2")]
fn part<const W: usize>(block: &[Lane; W], i: usize) -> __m256i {
    // SAFETY: 32 readable bytes; no alignment is wanted.
    unsafe { _mm256_loadu_si256(block[i..i + 2].as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn put<const W: usize>(part: __m256i, block: &mut [Lane; W], i: usize) {
    // SAFETY: 32 writable bytes; no alignment is wanted.
    unsafe { _mm256_storeu_si256(block[i..i + 2].as_mut_ptr().cast(), part) }
}
