//! The AEGIS family. [AEGIS], [AEGIS-RFC]
//!
//! The letters of the papers: S0, S1, ... is the state, K the key, N the nonce, AESRound(A, B) one
//! AES round on A with round key B. The bytes of a word stand as they stand in memory.
#![forbid(unsafe_code)]

mod aegis128;
mod aegis128l;
mod aegis256;
mod mac;

use crate::aes::{Lane, MOST, Wiring};
use crate::aes_aead::Degree;
use crate::keyed::aead;
pub use mac::AegisMac;

#[cfg(test)]
mod tests;

/// The Fibonacci sequence modulo 256. [AEGIS, section 2.2]
const C0: Lane = 0x000101020305080d1522375990e97962_u128.to_be_bytes();
const C1: Lane = 0xdb3d18556dc22ff12011314273b528dd_u128.to_be_bytes();

/// S'i = AESRound(S(i - 1)) ^ Si of `N` words, from the last on to the first.
const fn ring<const N: usize>(message: &'static [usize], context: &'static [usize]) -> Wiring {
    let (mut round, mut sum) = ([None; MOST], [0; MOST]);
    let mut i = 0;
    while i < N {
        round[i] = Some((i + N - 1) % N);
        sum[i] = 1 << i;
        i += 1;
    }
    Wiring {
        round,
        sum,
        message,
        context,
    }
}

pub(crate) type Algorithm128 = Degree<aegis128::Steps, 1, 1, 1>;

/// In bytes: its length in bits is a 64-bit count. [AEGIS, section 3.1]
const MAX_BYTES: u64 = (1 << 61) - 1;

aead! {
    /// AEGIS-128, CAESAR submission v1.1. [AEGIS, section 3]
    ///
    /// Five words. Key, nonce and tag of 16 bytes. The AEGIS of the RFC are other ciphers, from
    /// [`Aegis128L`] on. A nonce used twice under one key breaks both secrecy and authenticity.
    Aegis128 {
        name: "aegis-128",
        algorithm: Algorithm128,
        sizes: 16, 16, 16,
        backends: [Portable, Aesni, Vaes256, Vaes512, Aarch64],
        kernel: crate::arch::aes,
        max_bytes: MAX_BYTES, MAX_BYTES,
        incremental: Encryptor, Decryptor,
    }
}

/// A member in its two tag sizes: the name of the longer one ends in `Tag32`.
macro_rules! rfc {
    ($(
        $(#[$doc:meta])*
        $cipher:ident $cipher32:ident: $name:literal, $steps:ty, $words:literal words,
        degree $degree:literal, key $key:literal,
        [$($backend:ident),+];
    )+) => {$(
        aead! {
            $(#[$doc])*
            ///
            /// The tag has 16 bytes. A nonce used twice under one key breaks both secrecy and
            /// authenticity.
            $cipher {
                name: $name,
                algorithm: Degree<$steps, $words, $degree, { $words * $degree }>,
                sizes: $key, $key, 16,
                backends: [$($backend),+],
                kernel: crate::arch::aes,
                max_bytes: MAX_BYTES, MAX_BYTES,
                incremental: Encryptor, Decryptor,
                mac: $words words, degree $degree,
            }
        }
        aead! {
            #[doc = concat!("[`", stringify!($cipher), "`] with a tag of 32 bytes.")]
            $cipher32 {
                name: $name,
                algorithm: Degree<$steps, $words, $degree, { $words * $degree }>,
                sizes: $key, $key, 32,
                backends: [$($backend),+],
                kernel: crate::arch::aes,
                max_bytes: MAX_BYTES, MAX_BYTES,
                incremental: Encryptor, Decryptor,
                mac: $words words, degree $degree,
            }
        }
    )+};
}

rfc! {
    /// AEGIS-128L: eight words, 32 bytes an update. Key and nonce of 16 bytes. [AEGIS-RFC]
    Aegis128L Aegis128LTag32: "aegis-128l", aegis128l::Steps, 2 words, degree 1, key 16,
    [Portable, Aesni, Vaes256, Vaes512, Aarch64];
    /// AEGIS-128X2: two AEGIS-128L in parallel, 64 bytes an update. Key and nonce of 16 bytes.
    /// [AEGIS-RFC]
    Aegis128X2 Aegis128X2Tag32: "aegis-128x2", aegis128l::Steps, 2 words, degree 2, key 16,
    [Portable, Aesni, Vaes256, Vaes512, Aarch64];
    /// AEGIS-128X4: four AEGIS-128L in parallel, 128 bytes an update. Key and nonce of 16 bytes.
    /// [AEGIS-RFC]
    Aegis128X4 Aegis128X4Tag32: "aegis-128x4", aegis128l::Steps, 2 words, degree 4, key 16,
    [Portable, Aesni, Vaes256, Vaes512, Aarch64];
    /// AEGIS-256: six words, 16 bytes an update. Key and nonce of 32 bytes. [AEGIS-RFC]
    Aegis256 Aegis256Tag32: "aegis-256", aegis256::Steps, 1 words, degree 1, key 32,
    [Portable, Aesni, Vaes256, Vaes512, Aarch64];
    /// AEGIS-256X2: two AEGIS-256 in parallel, 32 bytes an update. Key and nonce of 32 bytes.
    /// [AEGIS-RFC]
    Aegis256X2 Aegis256X2Tag32: "aegis-256x2", aegis256::Steps, 1 words, degree 2, key 32,
    [Portable, Aesni, Vaes256, Vaes512, Aarch64];
    /// AEGIS-256X4: four AEGIS-256 in parallel, 64 bytes an update. Key and nonce of 32 bytes.
    /// [AEGIS-RFC]
    Aegis256X4 Aegis256X4Tag32: "aegis-256x4", aegis256::Steps, 1 words, degree 4, key 32,
    [Portable, Aesni, Vaes256, Vaes512, Aarch64];
}
