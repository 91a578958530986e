//! Layers of AES instructions on words of one register.
//!
//! Loops here count: over iterators some were left in memory, where a block waited for its stores.
#![allow(clippy::needless_range_loop)]

use core::arch::asm;
use core::arch::x86_64::*;

use super::aes::pin512;
use super::{Aesni, Evex, Vaes256, Vaes512, Vex};
use crate::aes::{AesLanes, Lane};
use crate::aes_layers::AesLayers;

macro_rules! layers {
    ($(
        $token:ident<$D:literal>:
        $enc_last:ident $dec:ident $dec_last:ident
        $low:ident $high:ident $even:ident $odd:ident $alternate:ident $halves:ident
        $(, single $unmix:ident)?
        $(, to spare $spare:literal)?
        $(, blocks $apart:ident $together:ident)?
        $(, parts $load:ident $store:ident)?;
    )+) => {$(
        impl AesLayers<$D> for $token {
            $(const TO_SPARE: bool = $spare;)?

            layers! { instruction enc_last $enc_last }
            layers! { instruction dec $dec }
            layers! { instruction dec_last $dec_last }
            layers! { columns low $low }
            layers! { columns high $high }
            layers! { columns even $even }
            layers! { columns odd $odd }
            layers! { columns alternate $alternate }
            layers! { columns halves $halves }

            $(
                #[inline(always)]
                fn unmix<const N: usize, const M: usize>(
                    self,
                    mut x: [[Self::Word; N]; M],
                ) -> [[Self::Word; N]; M] {
                    for m in 0..M {
                        for n in 0..N {
                            // SAFETY: by `self`.
                            x[m][n] = [unsafe { $unmix(x[m][n][0]) }];
                        }
                    }
                    x
                }
            )?

            $(
                #[inline(always)]
                fn load_blocks<const W: usize>(self, blocks: &[[Lane; W]; $D]) -> [Self::Word; W] {
                    let (parts, _) = blocks.as_flattened().as_chunks::<$D>();
                    let mut words = [self.load(&parts[0]); W];
                    for i in 1..W {
                        words[i] = self.load(&parts[i]);
                    }
                    // SAFETY: by `self`.
                    unsafe { $apart(&mut words) };
                    words
                }

                #[inline(always)]
                fn store_blocks<const W: usize>(
                    self,
                    mut words: [Self::Word; W],
                    blocks: &mut [[Lane; W]; $D],
                ) {
                    // SAFETY: by `self`.
                    unsafe { $together(&mut words) };
                    let (parts, _) = blocks.as_flattened_mut().as_chunks_mut::<$D>();
                    for i in 0..W {
                        self.store(words[i], &mut parts[i]);
                    }
                }
            )?

            $(
                #[inline(always)]
                fn load_blocks<const W: usize>(self, blocks: &[[Lane; W]; $D]) -> [Self::Word; W] {
                    // SAFETY: by `self`.
                    unsafe { $load(blocks) }
                }

                #[inline(always)]
                fn store_blocks<const W: usize>(
                    self,
                    words: [Self::Word; W],
                    blocks: &mut [[Lane; W]; $D],
                ) {
                    // SAFETY: by `self`.
                    unsafe { $store(words, blocks) }
                }
            )?
        }
    )+};
    (instruction $name:ident $with:ident) => {
        #[inline(always)]
        fn $name<const N: usize, const M: usize>(
            self,
            mut x: [[Self::Word; N]; M],
            keys: [[Self::Word; N]; M],
        ) -> [[Self::Word; N]; M] {
            for m in 0..M {
                for n in 0..N {
                    // SAFETY: by `self`.
                    x[m][n] = [unsafe { $with(x[m][n][0], keys[m][n][0]) }];
                }
            }
            x
        }
    };
    (columns $name:ident $with:ident) => {
        #[inline(always)]
        fn $name(self, [a]: Self::Word, [b]: Self::Word) -> Self::Word {
            // SAFETY: by `self`.
            [unsafe { $with(a, b) }]
        }
    };
}

layers! {
    Aesni<1>:
    enc_last128 dec128 dec_last128 low128 high128 even128 odd128 alternate128 halves128,
    single unmix128;

    Vex<1>:
    enc_last128 dec128 dec_last128 low128 high128 even128 odd128 alternate128 halves128,
    single unmix128;

    Evex<1>:
    enc_last128 dec128 dec_last128 low128 high128 even128 odd128 alternate128 halves128,
    to spare true;

    Vaes256<1>:
    enc_last128 dec128 dec_last128 low128 high128 even128 odd128 alternate128 halves128,
    single unmix128;
    Vaes256<2>:
    enc_last256 dec256 dec_last256 low256 high256 even256 odd256 alternate256 halves256,
    blocks apart256 together256;

    Vaes512<1>:
    enc_last128 dec128 dec_last128 low128 high128 even128 odd128 alternate128 halves128,
    single unmix128;
    Vaes512<4>:
    enc_last512 dec512 dec_last512 low512 high512 even512 odd512 alternate512 halves512,
    parts load512 store512;
}

/// The instructions in the order they are written in, as those of `aes.rs`.
macro_rules! ordered {
    ($($features:literal $register:ident $class:ident: $($name:ident $instruction:ident),+;)+) => {
        $($(
            #[inline]
            #[target_feature(enable = $features)]
            fn $name(x: $register, key: $register) -> $register {
                let mut y = $instruction(x, key);
                // SAFETY: no instruction.
                unsafe {
                    asm!("/* {0} */", inout($class) y, options(nomem, nostack, preserves_flags));
                }
                y
            }
        )+)+
    };
}
ordered! {
    "aes" __m128i xmm_reg:
    enc_last128 _mm_aesenclast_si128, dec128 _mm_aesdec_si128, dec_last128 _mm_aesdeclast_si128;
    "vaes,avx2" __m256i ymm_reg:
    enc_last256 _mm256_aesenclast_epi128, dec256 _mm256_aesdec_epi128,
    dec_last256 _mm256_aesdeclast_epi128;
    "vaes,avx512f" __m512i zmm_reg:
    enc_last512 _mm512_aesenclast_epi128, dec512 _mm512_aesdec_epi128,
    dec_last512 _mm512_aesdeclast_epi128;
}

#[inline]
#[target_feature(enable = "aes")]
fn unmix128(x: __m128i) -> __m128i {
    _mm_aesimc_si128(x)
}

macro_rules! columns {
    ($($features:literal $register:ident: $($name:ident |$a:ident, $b:ident| $body:expr),+;)+) => {
        $($(
            #[inline]
            #[target_feature(enable = $features)]
            fn $name($a: $register, $b: $register) -> $register {
                $body
            }
        )+)+
    };
}
columns! {
    "sse4.1" __m128i:
    low128 |a, b| _mm_unpacklo_epi32(a, b),
    high128 |a, b| _mm_unpackhi_epi32(a, b),
    even128 |a, b| _mm_castps_si128(_mm_shuffle_ps::<0x88>(
        _mm_castsi128_ps(a), _mm_castsi128_ps(b)
    )),
    odd128 |a, b| _mm_castps_si128(_mm_shuffle_ps::<0xdd>(
        _mm_castsi128_ps(a), _mm_castsi128_ps(b)
    )),
    alternate128 |a, b| _mm_blend_epi16::<0xcc>(a, b),
    halves128 |a, b| _mm_blend_epi16::<0xf0>(a, b);

    "avx2" __m256i:
    low256 |a, b| _mm256_unpacklo_epi32(a, b),
    high256 |a, b| _mm256_unpackhi_epi32(a, b),
    even256 |a, b| _mm256_castps_si256(_mm256_shuffle_ps::<0x88>(
        _mm256_castsi256_ps(a), _mm256_castsi256_ps(b)
    )),
    odd256 |a, b| _mm256_castps_si256(_mm256_shuffle_ps::<0xdd>(
        _mm256_castsi256_ps(a), _mm256_castsi256_ps(b)
    )),
    alternate256 |a, b| _mm256_blend_epi32::<0xaa>(a, b),
    halves256 |a, b| _mm256_blend_epi32::<0xcc>(a, b);

    "avx512f" __m512i:
    low512 |a, b| _mm512_unpacklo_epi32(a, b),
    high512 |a, b| _mm512_unpackhi_epi32(a, b),
    even512 |a, b| _mm512_castps_si512(_mm512_shuffle_ps::<0x88>(
        _mm512_castsi512_ps(a), _mm512_castsi512_ps(b)
    )),
    odd512 |a, b| _mm512_castps_si512(_mm512_shuffle_ps::<0xdd>(
        _mm512_castsi512_ps(a), _mm512_castsi512_ps(b)
    )),
    alternate512 |a, b| _mm512_mask_blend_epi32(0xaaaa, a, b),
    halves512 |a, b| _mm512_mask_blend_epi32(0xcccc, a, b);
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
