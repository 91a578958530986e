//! x86-64: one token type per instruction set, one file per kind of word.
//!
//! A token can only come from `detect`, so holding one proves that the CPU and the operating
//! system support the instructions. Detection reads the CPU once and then costs one relaxed load.

/// `get` of a module that detects something: what its `found` says, which is called once.
macro_rules! found_once {
    () => {
        const UNKNOWN: u8 = 2;
        static FOUND: core::sync::atomic::AtomicU8 = core::sync::atomic::AtomicU8::new(UNKNOWN);

        #[inline]
        pub(super) fn get() -> bool {
            match FOUND.load(core::sync::atomic::Ordering::Relaxed) {
                UNKNOWN => detect(),
                found => found == 1,
            }
        }

        #[cold]
        fn detect() -> bool {
            let result = found();
            FOUND.store(result.into(), core::sync::atomic::Ordering::Relaxed);
            result
        }
    };
}
use found_once;

mod aes;
mod aes_layers;
#[cfg(feature = "aether")]
mod avx2;
#[cfg(feature = "aether")]
mod avx512;
mod detect_evex256;
mod detect_vaes256;
#[cfg(feature = "aether")]
mod evex256;
#[cfg(feature = "minalpher")]
mod minalpher;
mod registers;

use super::entry::token;
use crate::stream::Stream;
#[cfg(feature = "minalpher")]
pub(super) use minalpher::{MINALPHER_AVX2, MINALPHER_AVX512};

/// Written for every back end that has AES rounds.
pub(crate) trait OnAes:
    Stream<Aesni> + Stream<Vex> + Stream<Vaes256> + Stream<Vaes512>
{
}
impl<C: Stream<Aesni> + Stream<Vex> + Stream<Vaes256> + Stream<Vaes512>> OnAes for C {}

/// Written for every back end that has nibbles.
pub(crate) trait OnNibbles: Stream<Avx2> + Stream<Evex256> + Stream<Avx512> {}
impl<C: Stream<Avx2> + Stream<Evex256> + Stream<Avx512>> OnNibbles for C {}

// A module for each token and what detects its instructions. Groups of a permutation are interleaved
// while that leaves registers for keys; fewer left the AES unit idle. Of 32 registers not all: more interleaved was
// no faster.

mod aesni {
    cpufeatures::new!(detect, "aes", "sse4.1");

    super::token! {
        /// Proof that this CPU has AES-NI, and SSE4.1, which every CPU with it has.
        Aesni of Aesni, compiled for ["aes,sse4.1"], on CPUs that pass detect::get();
        ciphers: [2, 8 or 16 blocks of stack, inlined];
        permutations: [1 lanes, 6 or 3 groups interleaved];
    }
}
mod vex {
    cpufeatures::new!(detect, "aes", "avx");

    super::token! {
        /// Proof that this CPU has AES-NI with three operands, as AVX has it: the same back end, and a
        /// result that leaves both operands as they are needs no move. On Zen 3, AEGIS-128L with the moves had
        /// about half the speed.
        Vex of Aesni, compiled for ["aes,avx"], on CPUs that pass detect::get();
        ciphers: [2, 8 or 16 blocks of stack, inlined];
        permutations: [1 lanes, 6 or 3 groups interleaved];
    }
}
mod evex {
    cpufeatures::new!(detect, "aes", "vaes", "avx512f", "avx512vl");

    super::token! {
        /// Proof that this CPU has AES-NI with three operands and the 32 registers of AVX-512: the same
        /// back end with more blocks interleaved.
        Evex of Aesni, compiled for ["aes,vaes,avx512f,avx512vl"], on CPUs that pass detect::get();
        permutations: [1 lanes, 8 or 4 groups interleaved, then 4 or 2];
    }
}
mod avx2_token {
    cpufeatures::new!(detect, "avx2");

    super::token! {
        /// Proof that this CPU has AVX2.
        Avx2 of Avx2, compiled for ["avx2"], on CPUs that pass detect::get();
        ciphers: [16, 16 or 16 blocks of stack, inlined];
    }
}
mod vaes256 {
    super::token! {
        /// Proof that this CPU has AVX2 and VAES.
        Vaes256 of Vaes256, compiled for ["aes,vaes,avx2"],
        on CPUs that pass crate::arch::x86_64::detect_vaes256::get();
        ciphers: [2, 8 or 16 blocks of stack, inlined];
        permutations: [2 lanes, 6 or 3 groups interleaved];
    }
}
mod vaes512 {
    cpufeatures::new!(detect, "aes", "vaes", "avx512f", "avx512bw", "avx512vl");

    super::token! {
        /// Proof that this CPU has AVX-512 F, BW and VL, and VAES.
        Vaes512 of Vaes512, compiled for ["aes,vaes,avx512f,avx512bw,avx512vl"],
        on CPUs that pass detect::get();
        ciphers: [1, 1 or 8 blocks of stack, inlined];
        permutations: [4 lanes, 8 or 4 groups interleaved, 3 sooner];
    }
}
mod avx512_token {
    cpufeatures::new!(
        detect,
        "avx512f",
        "avx512bw",
        "avx512vl",
        "avx512vbmi",
        "gfni"
    );

    super::token! {
        /// Proof that this CPU has AVX-512 F, BW, VL and VBMI, and GFNI.
        Avx512 of Avx512, compiled for ["avx512f,avx512bw,avx512vl,avx512vbmi,gfni"],
        on CPUs that pass detect::get();
        ciphers: [19, 19 or 16 blocks of stack, inlined];
    }
}
mod evex256_token {
    super::token! {
        /// Proof of the same, and that this CPU computes 512 bits in two passes of 256: the same back end with
        /// registers of 256 bits.
        Evex256 of Avx512, compiled for ["avx512f,avx512bw,avx512vl,avx512vbmi,gfni"],
        on CPUs that pass crate::arch::x86_64::detect_evex256::get();
        ciphers: [6, 6 or 16 blocks of stack, inlined];
    }

    #[cfg(test)]
    impl crate::arch::x86_64::Avx512 {
        /// For tests on any CPU that has the instructions.
        pub(crate) fn halves(self) -> Evex256 {
            // SAFETY: `self` proves the same instructions.
            unsafe { Evex256::here() }
        }
    }

    impl Evex256 {
        /// The token for all 512 bits.
        #[inline(always)]
        pub(crate) fn wide(self) -> crate::arch::x86_64::Avx512 {
            // SAFETY: `self` proves the same instructions.
            unsafe { crate::arch::x86_64::Avx512::here() }
        }
    }
}

pub(crate) use aesni::Aesni;
pub(crate) use avx2_token::Avx2;
pub(crate) use avx512_token::Avx512;
pub(crate) use evex::Evex;
pub(crate) use evex256_token::Evex256;
pub(super) use registers::{clear_blocks, clear_registers};
pub(crate) use vaes256::Vaes256;
pub(crate) use vaes512::Vaes512;
pub(crate) use vex::Vex;
