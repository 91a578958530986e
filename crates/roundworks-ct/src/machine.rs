//! Requests to valgrind, and the time-stamp counter: the one home of `unsafe` in this crate.
//!
//! Off x86-64 there is neither: requests return 0, the clock is the system's.
#![allow(unsafe_code)]

use core::mem::size_of_val;

/// Numbers of requests, from valgrind's own interface: `valgrind.h` and `memcheck.h`.
#[derive(Clone, Copy)]
#[repr(usize)]
enum Request {
    RunningOnValgrind = 0x1001,
    CountErrors = 0x1201,
    MakeMemUndefined = 0x4d43_0001,
    MakeMemDefined = 0x4d43_0002,
    GetVbits = 0x4d43_0008,
}

/// Outside valgrind, or where no request is written, the response is 0.
///
/// # Safety
///
/// The arguments are addresses as the request wants them; valgrind may write through them.
#[cfg(target_arch = "x86_64")]
unsafe fn request(request: Request, arguments: [usize; 3]) -> usize {
    let arguments = [
        request as usize,
        arguments[0],
        arguments[1],
        arguments[2],
        0,
        0,
    ];
    let mut response = 0;
    // SAFETY: four rotations by 128 bits in all and an exchange of a register with itself change
    // nothing but flags; valgrind sees in them a request and puts its response into rdx. Memory is
    // touched as the caller promised.
    unsafe {
        core::arch::asm!(
            "rol rdi, 3",
            "rol rdi, 13",
            "rol rdi, 61",
            "rol rdi, 51",
            "xchg rbx, rbx",
            in("rax") arguments.as_ptr(),
            inout("rdx") response,
            options(nostack)
        );
    }
    response
}

#[cfg(not(target_arch = "x86_64"))]
unsafe fn request(_: Request, _: [usize; 3]) -> usize {
    0
}

/// Whether valgrind runs this program.
#[must_use]
pub fn on_valgrind() -> bool {
    // SAFETY: takes no address.
    unsafe { request(Request::RunningOnValgrind, [0; 3]) != 0 }
}

/// How many errors memcheck has found so far.
#[must_use]
pub fn errors() -> usize {
    // SAFETY: takes no address.
    unsafe { request(Request::CountErrors, [0; 3]) }
}

/// From here on, memcheck reports every branch and address that depends on `bytes`.
pub fn classify(bytes: &mut [u8]) {
    // SAFETY: the bytes are live and exclusively borrowed; valgrind changes only what it keeps
    // about them.
    unsafe {
        request(
            Request::MakeMemUndefined,
            [bytes.as_mut_ptr() as usize, bytes.len(), 0],
        )
    };
}

/// What `value` holds is public from here on.
pub fn declassify<T: ?Sized>(value: &mut T) {
    let address = core::ptr::from_mut(value).cast::<u8>() as usize;
    // SAFETY: as in `classify`.
    unsafe { request(Request::MakeMemDefined, [address, size_of_val(value), 0]) };
}

/// How many of `bytes` depend on something secret.
#[must_use]
pub fn secret_bytes(bytes: &[u8]) -> usize {
    let mut undefined = vec![0u8; bytes.len()];
    let to = undefined.as_mut_ptr() as usize;
    // SAFETY: reads what is kept about the live `bytes` and writes the same number of bytes of `undefined`.
    unsafe {
        request(
            Request::GetVbits,
            [bytes.as_ptr() as usize, to, bytes.len()],
        )
    };
    undefined.iter().filter(|bits| **bits != 0).count()
}

/// The time-stamp counter, after all earlier instructions and before all later ones.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
#[must_use]
pub fn ticks() -> u64 {
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

/// Nanoseconds.
#[cfg(not(target_arch = "x86_64"))]
#[must_use]
pub fn ticks() -> u64 {
    use std::sync::OnceLock;
    use std::time::Instant;
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_nanos() as u64
}
