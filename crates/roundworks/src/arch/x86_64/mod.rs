//! x86-64: one file per instruction set, one token type per set.
//!
//! A token can only come from `detect`, so holding one proves that the CPU and the operating
//! system support the instructions; each entry point obtains one before it enters code compiled
//! for them. Detection reads the CPU once and then costs one relaxed load.

mod aesni;
mod avx2;
mod avx512;
mod minalpher;

pub(super) use aesni::aegis128_aesni;
pub(super) use avx2::aether_avx2;
pub(super) use avx512::aether_avx512;
pub(crate) use minalpher::{MINALPHER_AVX2, MINALPHER_AVX512, Narrow, Wide256, Wide512};

/// Defines a token type and its detection.
macro_rules! token {
    ($(#[$doc:meta])* $token:ident, $module:ident, $($feature:tt),+) => {
        cpufeatures::new!($module, $($feature),+);

        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub(crate) struct $token(());

        impl $token {
            #[inline(always)]
            pub(crate) fn detect() -> Option<Self> {
                $module::get().then_some(Self(()))
            }
        }
    };
}

token! {
    /// Proof that this CPU has AES-NI.
    Aesni, detect_aesni, "aes", "sse2"
}
token! {
    /// Proof that this CPU has AVX2.
    Avx2, detect_avx2, "avx2"
}
token! {
    /// Proof that this CPU has AVX-512 F, BW, VL and VBMI, and GFNI.
    Avx512, detect_avx512, "avx512f", "avx512bw", "avx512vl", "avx512vbmi", "gfni"
}

/// Why the `expect` in an entry point holds.
const DETECTED: &str = "an entry point is handed out only after its back end was detected";
