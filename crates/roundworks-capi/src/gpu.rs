//! A GPU.

use std::ffi::{OsStr, c_char, c_int, c_uint};
use std::path::Path;
use std::ptr::null;
use std::sync::Arc;

use rw_gpu::Gpu;

use crate::error::{Fault, report};
use crate::handles::{asked, freed, lent};
use crate::slices::{target, text};

/// A GPU of this machine, with the machine code of its ciphers.
pub struct roundworks_gpu {
    pub(crate) gpu: Arc<Gpu>,
}

/// Opens the GPU of that number, as the driver counts them from 0 on, and sets `gpu`.
///
/// `kernels` is the folder of its machine code, as `make install-gpu` makes it; NULL takes the
/// folder "roundworks" beside this library. `driver` is the path of NVIDIA's library; NULL takes
/// "libcuda.so.1". ROUNDWORKS_ERROR_UNAVAILABLE if any of it is missing, is too old, or not for that
/// GPU: then roundworks_cipher_new() has the same ciphers on the CPU, but for AES-GCM.
///
/// # Safety
///
/// Names end in a NUL; `driver` is NVIDIA's; `gpu` is good for a pointer.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roundworks_gpu_new(
    number: c_uint,
    kernels: *const c_char,
    driver: *const c_char,
    gpu: *mut *mut roundworks_gpu,
) -> c_int {
    let run = || {
        // SAFETY: the caller's promise, here and below.
        let gpu = unsafe { target("gpu", gpu) }?;
        let named = |what, name: *const c_char| match name.is_null() {
            true => Ok(None),
            false => unsafe { text(what, name) }.map(Some),
        };
        let (kernels, driver) = (named("kernels", kernels)?, named("driver", driver)?);
        let opened = unsafe { Gpu::open(number, kernels.map(Path::new), driver.map(OsStr::new)) }?;
        *gpu = Box::into_raw(Box::new(roundworks_gpu { gpu: opened }));
        Ok(())
    };
    report(run())
}

/// Frees a GPU and all of its memory, once its last cipher and pinned memory are freed too. NULL is
/// allowed.
///
/// # Safety
///
/// `gpu` is from `roundworks_gpu_new` and not freed yet.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roundworks_gpu_free(gpu: *mut roundworks_gpu) {
    // SAFETY: the caller's promise.
    unsafe { freed(gpu) }
}

/// Such as "NVIDIA H200"; lives as long as the GPU.
///
/// # Safety
///
/// `gpu` is NULL or from `roundworks_gpu_new`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roundworks_gpu_name(gpu: *const roundworks_gpu) -> *const c_char {
    // SAFETY: the caller's promise.
    unsafe { asked(gpu, null(), |it| it.gpu.name().as_ptr()) }
}

/// Such as "sm_90"; lives as long as the GPU.
///
/// # Safety
///
/// `gpu` is NULL or from `roundworks_gpu_new`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roundworks_gpu_architecture(gpu: *const roundworks_gpu) -> *const c_char {
    // SAFETY: the caller's promise.
    unsafe { asked(gpu, null(), |it| it.gpu.architecture().as_ptr()) }
}

/// Sets `free_bytes` to how much of its memory a call may take: what nobody has, and what is kept.
///
/// # Safety
///
/// `gpu` is NULL or from `roundworks_gpu_new`; `free_bytes` is good for a size.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roundworks_gpu_free_bytes(
    gpu: *const roundworks_gpu,
    free_bytes: *mut usize,
) -> c_int {
    let run = || {
        // SAFETY: the caller's promise.
        let (gpu, to) = unsafe { (on(gpu)?, target("free_bytes", free_bytes)?) };
        *to = gpu.gpu.free_bytes()?;
        Ok(())
    };
    report(run())
}

/// # Safety
///
/// `gpu` is NULL or from `roundworks_gpu_new` and not freed.
pub(crate) unsafe fn on<'a>(gpu: *const roundworks_gpu) -> Result<&'a roundworks_gpu, Fault> {
    // SAFETY: the caller's promise.
    unsafe { lent("gpu", "a GPU", gpu) }
}
