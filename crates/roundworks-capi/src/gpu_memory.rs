//! Memory of a GPU and of its host, and how much of both a long message takes.

use std::ffi::c_int;
use std::ptr::null_mut;

use rw_gpu::Pinned;

use crate::error::report;
use crate::gpu::{on, roundworks_gpu};
use crate::handles::freed;
use crate::slices::target;

/// Pinned host memory: a long message in it is copied beside the work, without a buffer in between.
pub struct roundworks_gpu_pinned {
    pinned: Pinned,
}

/// Pins so many bytes of host memory, zeros at first, and sets `pinned`.
///
/// # Safety
///
/// `gpu` is NULL or from `roundworks_gpu_new`; `pinned` is good for a pointer.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roundworks_gpu_pinned_new(
    gpu: *const roundworks_gpu,
    bytes: usize,
    pinned: *mut *mut roundworks_gpu_pinned,
) -> c_int {
    let run = || {
        // SAFETY: the caller's promise, here and below.
        let gpu = unsafe { on(gpu) }?;
        let to = unsafe { target("pinned", pinned) }?;
        let made = Pinned::new(&gpu.gpu, bytes)?;
        *to = Box::into_raw(Box::new(roundworks_gpu_pinned { pinned: made }));
        Ok(())
    };
    report(run())
}

/// The first byte; lives as long as `pinned`.
///
/// # Safety
///
/// `pinned` is NULL or from `roundworks_gpu_pinned_new`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roundworks_gpu_pinned_memory(
    pinned: *mut roundworks_gpu_pinned,
) -> *mut u8 {
    // SAFETY: the caller's promise.
    unsafe { pinned.as_mut() }.map_or(null_mut(), |it| it.pinned.as_mut_ptr())
}

/// Wipes the memory and lets it go. NULL is allowed.
///
/// # Safety
///
/// `pinned` is from `roundworks_gpu_pinned_new` and not freed yet, and no call uses its memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roundworks_gpu_pinned_free(pinned: *mut roundworks_gpu_pinned) {
    // SAFETY: the caller's promise.
    unsafe { freed(pinned) }
}

/// From now on a message of Minalpher or AES-GCM that is longer goes in pieces of so many bytes: a
/// multiple of 1024, 16 MiB unless set. Four of them are on the GPU at a time, and four in pinned
/// memory unless all of the message lies in some.
///
/// # Safety
///
/// `gpu` is NULL or from `roundworks_gpu_new`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roundworks_gpu_set_piece_bytes(
    gpu: *const roundworks_gpu,
    bytes: usize,
) -> c_int {
    let run = || {
        // SAFETY: the caller's promise.
        Ok(unsafe { on(gpu) }?.gpu.set_piece_bytes(bytes)?)
    };
    report(run())
}

/// From now on memory of the GPU that no message and no cipher has any more is kept for the next call
/// while the library has no more than so many bytes of it: all is kept unless set, with 0 none. What is
/// more goes back when a call waits for the GPU; it was wiped before.
///
/// # Safety
///
/// `gpu` is NULL or from `roundworks_gpu_new`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roundworks_gpu_keep_bytes(
    gpu: *const roundworks_gpu,
    bytes: usize,
) -> c_int {
    let run = || {
        // SAFETY: the caller's promise.
        Ok(unsafe { on(gpu) }?.gpu.keep_bytes(bytes)?)
    };
    report(run())
}

/// Gives back, now, what is kept of the GPU's memory until the library has no more than so many bytes,
/// and the pinned buffers that long messages went through.
///
/// # Safety
///
/// `gpu` is NULL or from `roundworks_gpu_new`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roundworks_gpu_trim(gpu: *const roundworks_gpu, bytes: usize) -> c_int {
    let run = || {
        // SAFETY: the caller's promise.
        Ok(unsafe { on(gpu) }?.gpu.trim(bytes)?)
    };
    report(run())
}

/// Sets `held_bytes` to how much of the GPU's memory the library has, in use or kept.
///
/// # Safety
///
/// `gpu` is NULL or from `roundworks_gpu_new`; `held_bytes` is good for a size.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roundworks_gpu_held_bytes(
    gpu: *const roundworks_gpu,
    held_bytes: *mut usize,
) -> c_int {
    let run = || {
        // SAFETY: the caller's promise.
        let (gpu, to) = unsafe { (on(gpu)?, target("held_bytes", held_bytes)?) };
        *to = gpu.gpu.held_bytes()?;
        Ok(())
    };
    report(run())
}
