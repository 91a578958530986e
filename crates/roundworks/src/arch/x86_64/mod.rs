//! x86-64: one token type per instruction set, one file per kind of word.
//!
//! A token can only come from `detect`, so holding one proves that the CPU and the operating
//! system support the instructions. Detection reads the CPU once and then costs one relaxed load.

mod aes;
mod aes_layers;
#[cfg(feature = "aether")]
mod avx2;
#[cfg(feature = "aether")]
mod avx512;
mod detect_vaes256;
#[cfg(feature = "minalpher")]
mod minalpher;

use super::entry::{kernel, permuting};
#[cfg(feature = "minalpher")]
pub(super) use minalpher::{MINALPHER_AVX2, MINALPHER_AVX512};

/// Defines a token type, its detection, of features or by a module that is there, and its kernels.
macro_rules! token {
    (
        $(#[$doc:meta])*
        $token:ident, $detect:ident: $($feature:tt),+; $($rest:tt)+
    ) => {
        cpufeatures::new!($detect, $($feature),+);

        token! { $(#[$doc])* $token, $detect; $($rest)+ }
    };
    (
        $(#[$doc:meta])*
        $token:ident, $detect:ident; compiled for $features:literal;
        $one:literal, $wide:literal or $many:literal blocks of stack
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub(crate) struct $token(());

        impl $token {
            #[inline(always)]
            pub(crate) fn detect() -> Option<Self> {
                $detect::get().then_some(Self(()))
            }
        }

        kernel! { $token: $token, [$features], $one, $wide or $many blocks of stack }
    };
}

token! {
    /// Proof that this CPU has AES-NI, and SSE4.1, which every CPU with it has.
    Aesni, detect_aesni: "aes", "sse4.1"; compiled for "aes,sse4.1"; 2, 8 or 16 blocks of stack
}
cpufeatures::new!(detect_vex, "aes", "avx");

/// Proof that this CPU has AES-NI with three operands, as AVX has it: the same back end, and a result
/// that leaves both operands as they are needs no move.
#[derive(Clone, Copy)]
pub(crate) struct Vex(());

impl Vex {
    #[inline(always)]
    pub(crate) fn detect() -> Option<Self> {
        detect_vex::get().then_some(Self(()))
    }
}

cpufeatures::new!(detect_evex, "aes", "vaes", "avx512f", "avx512vl");

/// Proof that this CPU has AES-NI with three operands and the 32 registers of AVX-512: the same back
/// end with more blocks side by side.
#[derive(Clone, Copy)]
pub(crate) struct Evex(());

impl Evex {
    #[inline(always)]
    pub(crate) fn detect() -> Option<Self> {
        detect_evex::get().then_some(Self(()))
    }
}

token! {
    /// Proof that this CPU has AVX2.
    Avx2, detect_avx2: "avx2"; compiled for "avx2"; 16, 16 or 16 blocks of stack
}
token! {
    /// Proof that this CPU has AVX2 and VAES.
    Vaes256, detect_vaes256; compiled for "aes,vaes,avx2"; 2, 8 or 16 blocks of stack
}
token! {
    /// Proof that this CPU has AVX-512 F, BW and VL, and VAES.
    Vaes512, detect_vaes512: "aes", "vaes", "avx512f", "avx512bw", "avx512vl";
    compiled for "aes,vaes,avx512f,avx512bw,avx512vl"; 1, 1 or 16 blocks of stack
}
token! {
    /// Proof that this CPU has AVX-512 F, BW, VL and VBMI, and GFNI.
    Avx512, detect_avx512: "avx512f", "avx512bw", "avx512vl", "avx512vbmi", "gfni";
    compiled for "avx512f,avx512bw,avx512vl,avx512vbmi,gfni"; 16, 16 or 16 blocks of stack
}

// As many groups in turns as leave registers for keys; fewer left the AES unit idle. Of 32 registers
// not all: more side by side was no faster.
permuting! { Aesni: Aesni, ["aes,sse4.1"], 1 lanes, 6 or 3 groups in turns }
permuting! { Vex: Aesni, ["aes,avx"], 1 lanes, 6 or 3 groups in turns }
permuting! {
    Evex: Aesni, ["aes,vaes,avx512f,avx512vl"], 1 lanes, 8 or 4 groups in turns, then 4 or 2
}
permuting! { Vaes256: Vaes256, ["aes,vaes,avx2"], 2 lanes, 6 or 3 groups in turns }
permuting! {
    Vaes512: Vaes512, ["aes,vaes,avx512f,avx512bw,avx512vl"], 4 lanes, 8 or 4 groups in turns,
    3 sooner
}
