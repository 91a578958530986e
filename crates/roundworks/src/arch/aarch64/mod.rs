//! aarch64: the AES instructions of its cryptographic extension.
//!
//! The token can only come from `detect`, so holding one proves that the CPU and the operating
//! system support the instructions. NEON belongs to every aarch64 target this builds for.

mod aes;

pub(super) use aes::aegis128;

cpufeatures::new!(detect_aes, "aes");

/// Proof that this CPU has the AES extension.
#[derive(Clone, Copy)]
pub(crate) struct Aarch64(());

impl Aarch64 {
    #[inline(always)]
    pub(crate) fn detect() -> Option<Self> {
        detect_aes::get().then_some(Self(()))
    }
}

/// Why the `expect` in an entry point holds.
const DETECTED: &str = "an entry point is handed out only after its back end was detected";
