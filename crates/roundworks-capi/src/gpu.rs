//! GPUs: Minalpher, AES-128-GCM, AES-256-GCM, AEGIS-128L, Rocca-S and AETHER, with the return values
//! and messages of the CPU.
//!
//! NVIDIA's driver is loaded by roundworks_gpu_new(), so nothing of it is linked. Tags are compared in
//! constant time, and plaintext is written only after its tag was verified, on the device too. Scratch
//! memory comes from a pool of the library, and is wiped there before it goes back; the pool keeps it
//! for the next call unless roundworks_gpu_keep_bytes() says otherwise.

use std::ffi::{OsStr, c_char, c_int, c_uint};
use std::path::Path;
use std::ptr::null;
use std::sync::Arc;

use rw_gpu::{Cipher, Gpu};

use crate::any::roundworks_cipher;
use crate::error::{Result, report};
use crate::handles::{freed, get_or, lent, made};
use crate::slices::{input, target, text};

/// A GPU of this machine, with the machine code of its ciphers.
pub struct roundworks_gpu {
    gpu: Arc<Gpu>,
}

/// Opens a GPU, which the driver numbers from 0, and sets *gpu.
///
/// kernels is the folder of the machine code that "make install-gpu" makes; NULL is the folder
/// "roundworks" next to this library. driver is the path of NVIDIA's library; NULL is "libcuda.so.1".
/// ROUNDWORKS_ERROR_UNAVAILABLE if any of it is missing, is too old, or not for that GPU:
/// roundworks_cipher_new() has the same ciphers on the CPU, except AES-GCM.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roundworks_gpu_new(
    number: c_uint,
    kernels: *const c_char,
    driver: *const c_char,
    gpu: *mut *mut roundworks_gpu,
) -> c_int {
    report(|| unsafe {
        let gpu = target("gpu", gpu)?;
        let named = |what, name: *const c_char| match name.is_null() {
            true => Ok(None),
            false => text(what, name).map(Some),
        };
        let (kernels, driver) = (named("kernels", kernels)?, named("driver", driver)?);
        *gpu = made(|| {
            let gpu = Gpu::open(number, kernels.map(Path::new), driver.map(OsStr::new))?;
            Ok(roundworks_gpu { gpu })
        })?;
        Ok(())
    })
}

/// Frees a GPU and all of its memory, once its last cipher and pinned memory are freed too.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roundworks_gpu_free(gpu: *mut roundworks_gpu) {
    unsafe { freed(gpu) }
}

/// Such as "NVIDIA H200"; valid as long as the GPU.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roundworks_gpu_name(gpu: *const roundworks_gpu) -> *const c_char {
    unsafe { get_or(gpu, null(), |it| it.gpu.name().as_ptr()) }
}

/// Such as "sm_90"; valid as long as the GPU.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roundworks_gpu_architecture(gpu: *const roundworks_gpu) -> *const c_char {
    unsafe { get_or(gpu, null(), |it| it.gpu.architecture().as_ptr()) }
}

/// Sets *free_bytes to how much memory a call may take: what is free, and what the pool keeps.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roundworks_gpu_free_bytes(
    gpu: *const roundworks_gpu,
    free_bytes: *mut usize,
) -> c_int {
    report(|| unsafe {
        *target("free_bytes", free_bytes)? = on(gpu)?.free_bytes()?;
        Ok(())
    })
}

/// Sets *cipher to one on a GPU, for the functions of any cipher and for memory of the device. name is "minalpher", "aes-128-gcm", "aes-256-gcm", "aegis-128l", "rocca-s", or for
/// study "aether", which is forgeable as published, and "aether-lb". tag_bytes 0 is the cipher's usual
/// size.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roundworks_gpu_cipher_new(
    gpu: *const roundworks_gpu,
    name: *const c_char,
    key: *const u8,
    key_bytes: usize,
    tag_bytes: usize,
    cipher: *mut *mut roundworks_cipher,
) -> c_int {
    report(|| unsafe {
        let (gpu, to) = (on(gpu)?, target("cipher", cipher)?);
        let (name, key) = (text("name", name)?, input("key", key, key_bytes)?);
        let tag_bytes = (tag_bytes > 0).then_some(tag_bytes);
        *to = made(|| Ok(Cipher::new(gpu, name, key, tag_bytes)?.into()))?;
        Ok(())
    })
}

/// # Safety
///
/// `gpu` is NULL or from `roundworks_gpu_new` and not freed.
pub(crate) unsafe fn on<'a>(gpu: *const roundworks_gpu) -> Result<&'a Arc<Gpu>> {
    unsafe { lent("gpu", "a GPU", gpu) }.map(|it| &it.gpu)
}
