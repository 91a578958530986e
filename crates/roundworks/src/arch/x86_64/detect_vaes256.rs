//! Whether this CPU has AES-NI, AVX2 and VAES. To `cpufeatures` there is VAES only where the system
//! saves the registers of AVX-512 too, so none on the many CPUs that have VAES without AVX-512.

use core::arch::x86_64::__cpuid_count;

// That the system saves the registers of AVX2 is in here.
cpufeatures::new!(avx2, "aes", "avx2");

super::found_once!();

fn found() -> bool {
    avx2::get() && (cfg!(target_feature = "vaes") || vaes())
}

/// Of a CPU with AVX2, so that it has the leaf. Not detected under miri or in SGX, where nobody can.
#[allow(unused_unsafe)] // a safe function in newer versions of Rust
fn vaes() -> bool {
    if cfg!(any(miri, target_env = "sgx")) {
        return false;
    }
    // SAFETY: every x86-64 CPU has the instruction.
    let leaf = unsafe { __cpuid_count(7, 0) };
    leaf.ecx & 1 << 9 != 0
}
