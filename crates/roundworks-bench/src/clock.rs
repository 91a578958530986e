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
