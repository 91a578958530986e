//! Whether this CPU has AVX-512 and GFNI, and computes 512 bits in two passes of 256.

use core::arch::x86_64::__cpuid;

super::found_once!();

fn found() -> bool {
    super::Avx512::detect().is_some() && halves()
}

/// "Performance optimization identifiers", which CPUs of AMD have: bit 3, FP512, is set if all 512 bits are computed
/// at a time. [INSTLATX64]
#[allow(unused_unsafe)] // a safe function in newer versions of Rust
fn halves() -> bool {
    const LEAF: u32 = 0x8000_001a;
    if cfg!(any(miri, target_env = "sgx")) {
        return false;
    }
    // SAFETY: every x86-64 CPU has the instruction.
    unsafe { __cpuid(0x8000_0000).eax >= LEAF && __cpuid(LEAF).eax & 1 << 3 == 0 }
}
