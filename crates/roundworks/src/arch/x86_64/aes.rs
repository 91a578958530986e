//! Words of AES lanes in registers of 16, 32 or 64 bytes.

use core::arch::asm;
use core::arch::x86_64::*;

use super::{Aesni, Evex, Vaes256, Vaes512, Vex};
use crate::aes::{AesLanes, Lane, part};

/// `D` lanes in `D / w` registers of w lanes each.
macro_rules! words {
    ($(
        $(#[$doc:meta])*
        $token:ident<$D:literal>: $N:literal x $register:ident,
        $load:ident $store:ident $xor:ident $and:ident $round:ident $fold:ident $join:ident $split:ident
        $(, space $space:literal)?
        $(, pinned $pin:ident)?
        $(, ternary $ternary:ident)?
        $(, masked $load_part:ident $store_part:ident $keep:ident)?
        $(, ends $one_part:ident $put_part:ident)?
        $(, $messages:literal messages)?;
    )+) => {$(
        $(#[$doc])*
        impl AesLanes<$D> for $token {
            type Word = [$register; $N];
            type One = __m128i;
            $(const SPACE: usize = $space;)?
            $(const MESSAGES: usize = $messages;)?

            #[inline(always)]
            fn load(self, lanes: &[Lane; $D]) -> Self::Word {
                let from = lanes.as_ptr().cast::<$register>();
                // SAFETY: N registers are D lanes, all readable; the load wants no alignment. The
                // instructions by `self`, here and below.
                unsafe {
                    let mut word = [$load(from.cast()); $N];
                    for (i, to) in word.iter_mut().enumerate().skip(1) {
                        *to = $load(from.add(i).cast());
                    }
                    word
                }
            }

            #[inline(always)]
            fn store(self, word: Self::Word, lanes: &mut [Lane; $D]) {
                let to = lanes.as_mut_ptr().cast::<$register>();
                for (i, from) in word.into_iter().enumerate() {
                    // SAFETY: N registers are D lanes, all writable; no alignment is wanted.
                    unsafe { $store(to.add(i).cast(), from) }
                }
            }

            #[inline(always)]
            fn xor(self, mut a: Self::Word, b: Self::Word) -> Self::Word {
                for (a, b) in a.iter_mut().zip(b) {
                    // SAFETY: by `self`.
                    *a = unsafe { $xor(*a, b) };
                }
                a
            }

            #[inline(always)]
            fn and(self, mut a: Self::Word, b: Self::Word) -> Self::Word {
                for (a, b) in a.iter_mut().zip(b) {
                    // SAFETY: by `self`.
                    *a = unsafe { $and(*a, b) };
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
                        *x = unsafe { $round(*x, key) };
                    }
                }
                x
            }

            #[inline(always)]
            fn fold(self, word: Self::Word) -> Lane {
                // SAFETY: by `self`.
                unsafe { $fold(word) }
            }

            $(
                #[inline(always)]
                fn xor3(self, mut a: Self::Word, b: Self::Word, c: Self::Word) -> Self::Word {
                    for ((a, b), c) in a.iter_mut().zip(b).zip(c) {
                        // SAFETY: by `self`.
                        *a = unsafe { $xor($pin($xor(*a, b)), c) };
                    }
                    a
                }
            )?

            $(
                #[inline(always)]
                fn xor3(self, mut a: Self::Word, b: Self::Word, c: Self::Word) -> Self::Word {
                    for ((a, b), c) in a.iter_mut().zip(b).zip(c) {
                        // SAFETY: by `self`.
                        *a = unsafe { $ternary::<0x96>(*a, b, c) };
                    }
                    a
                }

                #[inline(always)]
                fn xor_and(self, mut a: Self::Word, b: Self::Word, c: Self::Word) -> Self::Word {
                    for ((a, b), c) in a.iter_mut().zip(b).zip(c) {
                        // SAFETY: by `self`. The bits of 0x78: a ^ (b & c).
                        *a = unsafe { $ternary::<0x78>(*a, b, c) };
                    }
                    a
                }
            )?

            $(
                #[inline(always)]
                fn load_parts<const R: usize>(self, bytes: &[u8]) -> [Self::Word; R] {
                    let mut words = [AesLanes::<$D>::splat(self, &[0; 16]); R];
                    for r in 0..R {
                        let here = &bytes[part::<$D>(bytes.len(), r)];
                        // SAFETY: by `self`. Reads what the mask allows, the bytes there are.
                        words[r] = [unsafe { $load_part(first(here.len()) as _, here.as_ptr().cast()) }];
                    }
                    words
                }

                #[inline(always)]
                fn store_parts<const R: usize>(self, words: [Self::Word; R], bytes: &mut [u8]) {
                    for (r, [word]) in words.into_iter().enumerate() {
                        let here = part::<$D>(bytes.len(), r);
                        let here = &mut bytes[here];
                        // SAFETY: by `self`. Writes what the mask allows, the bytes there are.
                        unsafe { $store_part(here.as_mut_ptr().cast(), first(here.len()) as _, word) }
                    }
                }

                #[inline(always)]
                fn keep(self, [word]: Self::Word, n: usize) -> Self::Word {
                    // SAFETY: by `self`.
                    [unsafe { $keep(first(n) as _, word) }]
                }
            )?

            #[inline(always)]
            fn one(self, lane: &Lane) -> __m128i {
                // SAFETY: a lane is 16 readable bytes; no alignment is wanted.
                unsafe { _mm_loadu_si128(lane.as_ptr().cast()) }
            }

            #[inline(always)]
            fn put(self, one: __m128i, lane: &mut Lane) {
                // SAFETY: a lane is 16 writable bytes; no alignment is wanted.
                unsafe { _mm_storeu_si128(lane.as_mut_ptr().cast(), one) }
            }

            #[inline(always)]
            fn join(self, ones: [__m128i; $D]) -> Self::Word {
                // SAFETY: by `self`.
                unsafe { $join(ones) }
            }

            #[inline(always)]
            fn split(self, word: Self::Word) -> [__m128i; $D] {
                // SAFETY: by `self`.
                unsafe { $split(word) }
            }

            $(
                #[inline(always)]
                fn one_part(self, bytes: &[u8]) -> __m128i {
                    let mask = first(bytes.len());
                    // SAFETY: by `self`. Reads what the mask allows, the bytes there are.
                    unsafe { $one_part(mask as _, bytes.as_ptr().cast()) }
                }

                #[inline(always)]
                fn put_part(self, one: __m128i, bytes: &mut [u8]) {
                    let mask = first(bytes.len());
                    // SAFETY: by `self`. Writes what the mask allows, the bytes there are.
                    unsafe { $put_part(bytes.as_mut_ptr().cast(), mask as _, one) }
                }
            )?
        }
    )+};
}

words! {
    Aesni<1>: 1 x __m128i,
    _mm_loadu_si128 _mm_storeu_si128 _mm_xor_si128 _mm_and_si128 round128 fold128 same same, space 12,
    pinned pin128;
    Aesni<2>: 2 x __m128i,
    _mm_loadu_si128 _mm_storeu_si128 _mm_xor_si128 _mm_and_si128 round128 fold128 same same, space 12,
    pinned pin128;
    Aesni<4>: 4 x __m128i,
    _mm_loadu_si128 _mm_storeu_si128 _mm_xor_si128 _mm_and_si128 round128 fold128 same same, space 12,
    pinned pin128;

    Vex<1>: 1 x __m128i,
    _mm_loadu_si128 _mm_storeu_si128 _mm_xor_si128 _mm_and_si128 round128 fold128 same same, space 12,
    pinned pin128;
    Vex<2>: 2 x __m128i,
    _mm_loadu_si128 _mm_storeu_si128 _mm_xor_si128 _mm_and_si128 round128 fold128 same same, space 12,
    pinned pin128;
    Vex<4>: 4 x __m128i,
    _mm_loadu_si128 _mm_storeu_si128 _mm_xor_si128 _mm_and_si128 round128 fold128 same same, space 12,
    pinned pin128;

    Evex<1>: 1 x __m128i,
    _mm_loadu_si128 _mm_storeu_si128 _mm_xor_si128 _mm_and_si128 round128 fold128 same same,
    ternary _mm_ternarylogic_epi64;

    Vaes256<1>: 1 x __m128i,
    _mm_loadu_si128 _mm_storeu_si128 _mm_xor_si128 _mm_and_si128 round128 fold128 same same,
    pinned pin128, 2 messages;
    Vaes256<2>: 1 x __m256i,
    _mm256_loadu_si256 _mm256_storeu_si256 _mm256_xor_si256 _mm256_and_si256 round256 fold256
    join256 split256, space 24,
    pinned pin256;
    Vaes256<4>: 2 x __m256i,
    _mm256_loadu_si256 _mm256_storeu_si256 _mm256_xor_si256 _mm256_and_si256 round256 fold256
    join256x2 split256x2, space 24,
    pinned pin256;

    Vaes512<1>: 1 x __m128i,
    _mm_loadu_si128 _mm_storeu_si128 _mm_xor_si128 _mm_and_si128 round128 fold128 same same,
    ternary _mm_ternarylogic_epi64,
    masked _mm_maskz_loadu_epi8 _mm_mask_storeu_epi8 _mm_maskz_mov_epi8,
    ends _mm_maskz_loadu_epi8 _mm_mask_storeu_epi8, 4 messages;
    Vaes512<2>: 1 x __m256i,
    _mm256_loadu_si256 _mm256_storeu_si256 _mm256_xor_si256 _mm256_and_si256 round256 fold256
    join256 split256, ternary _mm256_ternarylogic_epi64,
    masked _mm256_maskz_loadu_epi8 _mm256_mask_storeu_epi8 _mm256_maskz_mov_epi8,
    ends _mm_maskz_loadu_epi8 _mm_mask_storeu_epi8;
    Vaes512<4>: 1 x __m512i,
    _mm512_loadu_si512 _mm512_storeu_si512 _mm512_xor_si512 _mm512_and_si512 round512 fold512
    join512 split512, ternary _mm512_ternarylogic_epi64,
    masked _mm512_maskz_loadu_epi8 _mm512_mask_storeu_epi8 _mm512_maskz_mov_epi8,
    ends _mm_maskz_loadu_epi8 _mm_mask_storeu_epi8;
}

/// Its argument, which the compiler does not know: it can then not regroup XORs so that one of a late word
/// makes others late.
#[inline]
#[target_feature(enable = "aes")]
pub(super) fn pin128(mut x: __m128i) -> __m128i {
    // SAFETY: no instruction.
    unsafe { asm!("/* {0} */", inout(xmm_reg) x, options(nomem, nostack, preserves_flags)) }
    x
}

/// One AES round. Rounds stay in the order they are written in; the compiler's own made loops 4 to 8 %
/// slower.
#[inline]
#[target_feature(enable = "aes")]
fn round128(x: __m128i, key: __m128i) -> __m128i {
    pin128(_mm_aesenc_si128(x, key))
}

#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn pin256(mut x: __m256i) -> __m256i {
    // SAFETY: no instruction.
    unsafe { asm!("/* {0} */", inout(ymm_reg) x, options(nomem, nostack, preserves_flags)) }
    x
}

#[inline]
#[target_feature(enable = "vaes,avx2")]
fn round256(x: __m256i, key: __m256i) -> __m256i {
    pin256(_mm256_aesenc_epi128(x, key))
}

#[inline]
#[target_feature(enable = "vaes,avx512f")]
pub(super) fn pin512(mut x: __m512i) -> __m512i {
    // SAFETY: no instruction.
    unsafe { asm!("/* {0} */", inout(zmm_reg) x, options(nomem, nostack, preserves_flags)) }
    x
}

#[inline]
#[target_feature(enable = "vaes,avx512f")]
fn round512(x: __m512i, key: __m512i) -> __m512i {
    pin512(_mm512_aesenc_epi128(x, key))
}

/// One bit for each of the first `n` bytes, of 64 at most.
#[inline(always)]
fn first(n: usize) -> u64 {
    u64::MAX.checked_shr(64 - n as u32).unwrap_or(0)
}

#[inline]
#[target_feature(enable = "sse2")]
fn fold128<const N: usize>(word: [__m128i; N]) -> Lane {
    let sum = word.into_iter().reduce(|a, b| _mm_xor_si128(a, b));
    let mut lane = [0; 16];
    // SAFETY: 16 writable bytes; no alignment is wanted.
    unsafe { _mm_storeu_si128(lane.as_mut_ptr().cast(), sum.expect("a word has lanes")) }
    lane
}

#[inline]
#[target_feature(enable = "avx2")]
fn fold256<const N: usize>(word: [__m256i; N]) -> Lane {
    let sum = word.into_iter().reduce(|a, b| _mm256_xor_si256(a, b));
    let sum = sum.expect("a word has lanes");
    fold128([
        _mm256_castsi256_si128(sum),
        _mm256_extracti128_si256::<1>(sum),
    ])
}

#[inline]
#[target_feature(enable = "avx512f")]
fn fold512([sum]: [__m512i; 1]) -> Lane {
    fold256([
        _mm512_castsi512_si256(sum),
        _mm512_extracti64x4_epi64::<1>(sum),
    ])
}

#[inline]
#[target_feature(enable = "aes")]
fn same<const N: usize>(ones: [__m128i; N]) -> [__m128i; N] {
    ones
}

#[inline]
#[target_feature(enable = "avx2")]
fn join256([a, b]: [__m128i; 2]) -> [__m256i; 1] {
    [_mm256_set_m128i(b, a)]
}

#[inline]
#[target_feature(enable = "avx2")]
fn split256([word]: [__m256i; 1]) -> [__m128i; 2] {
    [
        _mm256_castsi256_si128(word),
        _mm256_extracti128_si256::<1>(word),
    ]
}

#[inline]
#[target_feature(enable = "avx2")]
fn join256x2([a, b, c, d]: [__m128i; 4]) -> [__m256i; 2] {
    [_mm256_set_m128i(b, a), _mm256_set_m128i(d, c)]
}

#[inline]
#[target_feature(enable = "avx2")]
fn split256x2([low, high]: [__m256i; 2]) -> [__m128i; 4] {
    let ([a, b], [c, d]) = (split256([low]), split256([high]));
    [a, b, c, d]
}

#[inline]
#[target_feature(enable = "avx512f")]
fn join512([a, b, c, d]: [__m128i; 4]) -> [__m512i; 1] {
    // By halves: two instructions of 256 bits and one of 512.
    let (low, high) = (_mm256_set_m128i(b, a), _mm256_set_m128i(d, c));
    [_mm512_inserti64x4::<1>(_mm512_castsi256_si512(low), high)]
}

#[inline]
#[target_feature(enable = "avx512f")]
fn split512([word]: [__m512i; 1]) -> [__m128i; 4] {
    // By halves, too: the compiler would take each quarter out of all 512 bits, which takes units that AES
    // rounds want.
    let high = pin256(_mm512_extracti64x4_epi64::<1>(word));
    split256x2([_mm512_castsi512_si256(word), high])
}
