//! Memory of a GPU and of its host.

use std::ffi::c_int;
use std::ptr::null_mut;

use rw_gpu::{Pinned, Tuning};

use crate::error::report;
use crate::gpu::{on, roundworks_gpu};
use crate::handles::{freed, made};
use crate::slices::target;

/// Pinned host memory: long messages in it are copied while others are computed, without a buffer.
pub struct roundworks_gpu_pinned {
    pinned: Pinned,
}

/// Allocates pinned host memory, all zeros, and sets *pinned.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roundworks_gpu_pinned_new(
    gpu: *const roundworks_gpu,
    bytes: usize,
    pinned: *mut *mut roundworks_gpu_pinned,
) -> c_int {
    report(|| unsafe {
        let (gpu, to) = (on(gpu)?, target("pinned", pinned)?);
        *to = made(|| {
            let pinned = Pinned::new(gpu, bytes)?;
            Ok(roundworks_gpu_pinned { pinned })
        })?;
        Ok(())
    })
}

/// Its first byte; valid as long as pinned.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roundworks_gpu_pinned_memory(
    pinned: *mut roundworks_gpu_pinned,
) -> *mut u8 {
    unsafe { pinned.as_mut() }.map_or(null_mut(), |it| it.pinned.as_mut_ptr())
}

/// Wipes and frees the memory, which no call may use any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roundworks_gpu_pinned_free(pinned: *mut roundworks_gpu_pinned) {
    unsafe { freed(pinned) }
}

/// Sets the size of the parts that longer messages of Minalpher and AES-GCM go in: a multiple of 1024,
/// 16 MiB by default. Four parts are on the GPU at a time, and four in pinned memory unless all of the
/// message is in pinned memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roundworks_gpu_set_increment_bytes(
    gpu: *const roundworks_gpu,
    bytes: usize,
) -> c_int {
    report(|| unsafe {
        let gpu = on(gpu)?;
        let tuning = Tuning {
            increment_bytes: bytes,
            ..gpu.tuning()
        };
        Ok(gpu.tune(tuning)?)
    })
}

/// Sets up to how many bytes of the GPU's memory the library keeps for the next call, after no message
/// and no cipher uses them: all by default, with 0 none. What is more goes back when a call waits for
/// the GPU; it was wiped before.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roundworks_gpu_keep_bytes(
    gpu: *const roundworks_gpu,
    bytes: usize,
) -> c_int {
    report(|| unsafe { Ok(on(gpu)?.keep_bytes(bytes)?) })
}

/// Gives back now what is kept of the GPU's memory until the library has at most this many bytes, and
/// the pinned buffers that messages went through.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roundworks_gpu_trim(gpu: *const roundworks_gpu, bytes: usize) -> c_int {
    report(|| unsafe { Ok(on(gpu)?.trim(bytes)?) })
}

/// Sets *owned_bytes to how much of the GPU's memory the library has, in use or kept.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roundworks_gpu_owned_bytes(
    gpu: *const roundworks_gpu,
    owned_bytes: *mut usize,
) -> c_int {
    report(|| unsafe {
        *target("owned_bytes", owned_bytes)? = on(gpu)?.owned_bytes()?;
        Ok(())
    })
}
