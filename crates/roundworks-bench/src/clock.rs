//! Ticks of the time-stamp counter, and how many of them a cycle of the core takes.
#![allow(unsafe_code)]

pub(crate) mod instructions;

/// Dependent additions in the chain, one cycle each.
#[cfg(target_arch = "x86_64")]
const CHAIN: u64 = 2000;

/// The time-stamp counter, after all earlier instructions.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(crate) fn ticks() -> u64 {
    use core::arch::x86_64::{_mm_lfence, _rdtsc};
    // SAFETY: SSE2 belongs to x86-64, and so does the counter, which no operating system that
    // Rust's standard library supports takes from user code.
    unsafe {
        _mm_lfence();
        let now = _rdtsc();
        _mm_lfence();
        now
    }
}

/// Ticks per cycle of the core, just now.
#[cfg(target_arch = "x86_64")]
pub(crate) fn ticks_per_cycle() -> Option<f64> {
    let empty = (0..4).map(|_| elapsed(0)).min()?;
    let full = elapsed(CHAIN);
    Some(full.saturating_sub(empty).max(1) as f64 / CHAIN as f64)
}

/// Ticks for `n` dependent additions, a multiple of 20, and for reading the counter twice.
#[cfg(target_arch = "x86_64")]
#[inline(never)]
fn elapsed(n: u64) -> u64 {
    let start = ticks();
    let mut x = 1u64;
    for _ in 0..n / 20 {
        // SAFETY: adds one register to itself, twenty times; touches neither memory nor stack.
        // The loop counter runs during the chain.
        unsafe {
            core::arch::asm!(
                ".rept 20",
                "add {x}, {x}",
                ".endr",
                x = inout(reg) x,
                options(pure, nomem, nostack)
            );
        }
    }
    std::hint::black_box(x);
    ticks() - start
}

/// Bytes whose reading drives all else out of the second-level cache of a core.
const CACHES: usize = 8 << 20;

/// Leaves neither data nor code of the caller in the first and second-level caches of this core.
pub(crate) fn empty_caches() {
    thread_local! {
        static BYTES: Vec<u8> = vec![1; CACHES];
    }
    let sum = BYTES.with(|bytes| bytes.iter().step_by(64).map(|&b| u64::from(b)).sum::<u64>());
    std::hint::black_box(sum);
    long_code();
}

/// As many instructions as drive all others out of a first-level cache of 64 KiB.
#[inline(never)]
fn long_code() {
    // SAFETY: does nothing, at length.
    #[cfg(target_arch = "x86_64")]
    unsafe {
        core::arch::asm!(
            ".fill 65536, 1, 0x90",
            options(nomem, nostack, preserves_flags)
        );
    }
    // SAFETY: as above.
    #[cfg(target_arch = "aarch64")]
    unsafe {
        core::arch::asm!(
            ".rept 16384",
            "nop",
            ".endr",
            options(nomem, nostack, preserves_flags)
        );
    }
}

/// No counter is read on this architecture.
#[cfg(not(target_arch = "x86_64"))]
pub(crate) fn ticks() -> u64 {
    0
}

/// No chain is written for this architecture.
#[cfg(not(target_arch = "x86_64"))]
pub(crate) fn ticks_per_cycle() -> Option<f64> {
    None
}
