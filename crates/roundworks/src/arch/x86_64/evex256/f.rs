//! F, the function on one word.

use core::arch::x86_64::*;

use super::Planes;
use super::operations::pin;
use crate::arch::x86_64::avx512::cells::{OTHER, OWN};

/// F on every slot.
#[target_feature(enable = "avx512f,avx512vl,gfni")]
#[inline]
pub(super) fn f(planes: Planes) -> Planes {
    f_exchanged(exchanged(planes))
}

/// Bytes 2 and 1 of every word exchanged: byte 1 to where byte 0 is, byte 2 to where byte 3 is.
#[target_feature(enable = "avx512f,avx512vl")]
#[inline]
pub(super) fn exchanged([p0, p1, p2, p3, q0, q1, q2, q3]: Planes) -> Planes {
    let exchange = |q| pin(_mm256_shuffle_epi32::<0b01_00_11_10>(q));
    let [q0, q1, q2, q3] = [exchange(q0), exchange(q1), exchange(q2), exchange(q3)];
    [p0, p1, p2, p3, q0, q1, q2, q3]
}

/// F of a state that is [`exchanged`].
#[target_feature(enable = "avx512f,avx512vl,gfni")]
#[inline]
pub(super) fn f_exchanged(planes: Planes) -> Planes {
    f_by(planes, |x, matrix| {
        pin(_mm256_gf2p8affine_epi64_epi8::<0>(x, matrix))
    })
}

/// The same, where `times` multiplies each byte by a matrix.
#[target_feature(enable = "avx512f,avx512vl,gfni")]
#[inline]
pub(super) fn f_by(
    [p0, p1, p2, p3, q0, q1, q2, q3]: Planes,
    times: impl Fn(__m256i, __m256i) -> __m256i,
) -> Planes {
    let matrix = |m: u64| _mm256_set1_epi64x(m as i64);
    let [own0, own1, other0, other1] = [
        matrix(OWN[0]),
        matrix(OWN[1]),
        matrix(OTHER[0]),
        matrix(OTHER[1]),
    ];
    let [q0, q1, q2, q3] = sbox([q0, q1, q2, q3]);
    let [p0, p1, p2, p3] = sbox([p0, p1, p2, p3]);
    let low = |p, q| pin(_mm256_xor_si256(times(p, own0), times(q, other0)));
    let high = |p, q| pin(_mm256_xor_si256(times(q, own1), times(p, other1)));
    let [a0, a1, a2, a3] = sbox([low(p0, q0), low(p1, q1), low(p2, q2), low(p3, q3)]);
    let [b0, b1, b2, b3] = sbox([high(p0, q0), high(p1, q1), high(p2, q2), high(p3, q3)]);
    [a0, a1, a2, a3, b0, b1, b2, b3]
}

/// As in `avx512`.
#[target_feature(enable = "avx512f,avx512vl")]
#[inline]
fn sbox([x0, x1, x2, x3]: [__m256i; 4]) -> [__m256i; 4] {
    let h0 = pin(_mm256_ternarylogic_epi64::<0x6b>(x2, x1, x0));
    let h1 = pin(_mm256_ternarylogic_epi64::<0x34>(h0, x3, x0));
    [
        pin(_mm256_ternarylogic_epi64::<0xac>(h1, x2, x0)),
        pin(_mm256_ternarylogic_epi64::<0xe8>(h1, h0, x1)),
        pin(_mm256_ternarylogic_epi64::<0x2c>(h1, x3, x2)),
        pin(_mm256_ternarylogic_epi64::<0xd8>(x3, x1, x0)),
    ]
}
