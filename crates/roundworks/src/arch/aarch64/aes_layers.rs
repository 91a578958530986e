//! Layers of AES instructions on registers of one lane each.

use core::arch::aarch64::*;

use super::Aarch64;
use crate::aes_layers::AesLayers;

const ENC_LAST: u8 = 0;
const DEC: u8 = 1;
const DEC_LAST: u8 = 2;
const UNMIX: u8 = 3;

const LOW: u8 = 0;
const HIGH: u8 = 1;
const EVEN: u8 = 2;
const ODD: u8 = 3;
const ALTERNATE: u8 = 4;
const HALVES: u8 = 5;

impl Aarch64 {
    #[inline(always)]
    fn layer<const OP: u8, const D: usize, const N: usize, const M: usize>(
        self,
        mut x: [[[uint8x16_t; D]; N]; M],
        keys: [[[uint8x16_t; D]; N]; M],
    ) -> [[[uint8x16_t; D]; N]; M] {
        let words = x.as_flattened_mut().iter_mut().zip(keys.as_flattened());
        for (x, key) in words {
            for (x, key) in x.iter_mut().zip(key) {
                // SAFETY: by `self`.
                *x = unsafe { instruction::<OP>(*x, *key) };
            }
        }
        x
    }

    #[inline(always)]
    fn columns<const OP: u8, const D: usize>(
        self,
        mut a: [uint8x16_t; D],
        b: [uint8x16_t; D],
    ) -> [uint8x16_t; D] {
        for (a, b) in a.iter_mut().zip(b) {
            // SAFETY: by `self`.
            *a = unsafe { columns::<OP>(*a, b) };
        }
        a
    }
}

impl<const D: usize> AesLayers<D> for Aarch64 {
    #[inline(always)]
    fn enc_last<const N: usize, const M: usize>(
        self,
        x: [[Self::Word; N]; M],
        keys: [[Self::Word; N]; M],
    ) -> [[Self::Word; N]; M] {
        self.layer::<ENC_LAST, D, N, M>(x, keys)
    }

    #[inline(always)]
    fn dec<const N: usize, const M: usize>(
        self,
        x: [[Self::Word; N]; M],
        keys: [[Self::Word; N]; M],
    ) -> [[Self::Word; N]; M] {
        self.layer::<DEC, D, N, M>(x, keys)
    }

    #[inline(always)]
    fn dec_last<const N: usize, const M: usize>(
        self,
        x: [[Self::Word; N]; M],
        keys: [[Self::Word; N]; M],
    ) -> [[Self::Word; N]; M] {
        self.layer::<DEC_LAST, D, N, M>(x, keys)
    }

    #[inline(always)]
    fn unmix<const N: usize, const M: usize>(
        self,
        x: [[Self::Word; N]; M],
    ) -> [[Self::Word; N]; M] {
        self.layer::<UNMIX, D, N, M>(x, x)
    }

    #[inline(always)]
    fn low(self, a: Self::Word, b: Self::Word) -> Self::Word {
        self.columns::<LOW, D>(a, b)
    }

    #[inline(always)]
    fn high(self, a: Self::Word, b: Self::Word) -> Self::Word {
        self.columns::<HIGH, D>(a, b)
    }

    #[inline(always)]
    fn even(self, a: Self::Word, b: Self::Word) -> Self::Word {
        self.columns::<EVEN, D>(a, b)
    }

    #[inline(always)]
    fn odd(self, a: Self::Word, b: Self::Word) -> Self::Word {
        self.columns::<ODD, D>(a, b)
    }

    #[inline(always)]
    fn alternate(self, a: Self::Word, b: Self::Word) -> Self::Word {
        self.columns::<ALTERNATE, D>(a, b)
    }

    #[inline(always)]
    fn halves(self, a: Self::Word, b: Self::Word) -> Self::Word {
        self.columns::<HALVES, D>(a, b)
    }
}

/// AESE and AESD add their key before the round, where AES adds it after: as in `aes.rs` it is zero.
#[inline]
#[target_feature(enable = "aes,neon")]
fn instruction<const OP: u8>(x: uint8x16_t, key: uint8x16_t) -> uint8x16_t {
    let zero = vdupq_n_u8(0);
    match OP {
        ENC_LAST => veorq_u8(vaeseq_u8(x, zero), key),
        DEC => veorq_u8(vaesimcq_u8(vaesdq_u8(x, zero)), key),
        DEC_LAST => veorq_u8(vaesdq_u8(x, zero), key),
        _ => vaesimcq_u8(x),
    }
}

#[inline]
#[target_feature(enable = "neon")]
fn columns<const OP: u8>(a: uint8x16_t, b: uint8x16_t) -> uint8x16_t {
    let (a, b) = (vreinterpretq_u32_u8(a), vreinterpretq_u32_u8(b));
    vreinterpretq_u8_u32(match OP {
        LOW => vzip1q_u32(a, b),
        HIGH => vzip2q_u32(a, b),
        EVEN => vuzp1q_u32(a, b),
        ODD => vuzp2q_u32(a, b),
        ALTERNATE => vbslq_u32(vreinterpretq_u32_u64(vdupq_n_u64(0xffff_ffff)), a, b),
        _ => vcombine_u32(vget_low_u32(a), vget_high_u32(b)),
    })
}
