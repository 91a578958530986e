//! Layers of AES instructions on registers of one lane each.

use core::arch::aarch64::*;

use super::Aarch64;
use crate::aes_layers::AesLayers;

macro_rules! layers {
    (instructions $($name:ident $with:ident)+) => {$(
        #[inline(always)]
        fn $name<const N: usize, const M: usize>(
            self,
            mut x: [[Self::Word; N]; M],
            keys: [[Self::Word; N]; M],
        ) -> [[Self::Word; N]; M] {
            let words = x.as_flattened_mut().iter_mut().zip(keys.as_flattened());
            for (x, key) in words {
                for (x, key) in x.iter_mut().zip(key) {
                    // SAFETY: by `self`.
                    *x = unsafe { $with(*x, *key) };
                }
            }
            x
        }
    )+};
    (columns $($name:ident $with:ident)+) => {$(
        #[inline(always)]
        fn $name(self, mut a: Self::Word, b: Self::Word) -> Self::Word {
            for (a, b) in a.iter_mut().zip(b) {
                // SAFETY: by `self`.
                *a = unsafe { $with(*a, b) };
            }
            a
        }
    )+};
}

impl<const D: usize> AesLayers<D> for Aarch64 {
    layers! { instructions enc_last enc_last dec dec dec_last dec_last }
    layers! { columns low low high high even even odd odd alternate alternate halves halves }

    #[inline(always)]
    fn unmix<const N: usize, const M: usize>(
        self,
        mut x: [[Self::Word; N]; M],
    ) -> [[Self::Word; N]; M] {
        for x in x.as_flattened_mut().as_flattened_mut() {
            // SAFETY: by `self`.
            *x = unsafe { unmix(*x) };
        }
        x
    }
}

/// AESE and AESD add their key before the round, where AES adds it after: as in `aes.rs` it is zero.
#[inline]
#[target_feature(enable = "aes,neon")]
fn enc_last(x: uint8x16_t, key: uint8x16_t) -> uint8x16_t {
    veorq_u8(vaeseq_u8(x, vdupq_n_u8(0)), key)
}

#[inline]
#[target_feature(enable = "aes,neon")]
fn dec(x: uint8x16_t, key: uint8x16_t) -> uint8x16_t {
    veorq_u8(vaesimcq_u8(vaesdq_u8(x, vdupq_n_u8(0))), key)
}

#[inline]
#[target_feature(enable = "aes,neon")]
fn dec_last(x: uint8x16_t, key: uint8x16_t) -> uint8x16_t {
    veorq_u8(vaesdq_u8(x, vdupq_n_u8(0)), key)
}

#[inline]
#[target_feature(enable = "aes,neon")]
fn unmix(x: uint8x16_t) -> uint8x16_t {
    vaesimcq_u8(x)
}

macro_rules! columns {
    ($($name:ident |$a:ident, $b:ident| $body:expr;)+) => {$(
        #[inline]
        #[target_feature(enable = "neon")]
        fn $name(a: uint8x16_t, b: uint8x16_t) -> uint8x16_t {
            let ($a, $b) = (vreinterpretq_u32_u8(a), vreinterpretq_u32_u8(b));
            vreinterpretq_u8_u32($body)
        }
    )+};
}
columns! {
    low |a, b| vzip1q_u32(a, b);
    high |a, b| vzip2q_u32(a, b);
    even |a, b| vuzp1q_u32(a, b);
    odd |a, b| vuzp2q_u32(a, b);
    alternate |a, b| vbslq_u32(vreinterpretq_u32_u64(vdupq_n_u64(0xffff_ffff)), a, b);
    halves |a, b| vcombine_u32(vget_low_u32(a), vget_high_u32(b));
}
