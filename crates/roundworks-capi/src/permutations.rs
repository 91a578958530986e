//! The large permutations, by name.

use std::ffi::{CString, c_char, c_int};

use rw::{AnyPermutation, Backend, Error, Permutation};

use crate::any::or_null;
use crate::error::{Fault, report};
use crate::slices::{output, text};

/// A permutation of 32 or of 64 bytes.
pub struct roundworks_permutation {
    permutation: AnyPermutation,
    backend: CString,
}

/// `name` is one of "simpira-2", "haraka-512", "areion-256", "feistel256:2-0,1-1", ..., or any other
/// configuration of the Feistel family, such as "feistel512:1-1,2-3,2-1,1-0/2,3,1,0"; a number of
/// rounds may follow, as in "haraka-256:3.5". `backend` NULL takes the fastest that this CPU has.
/// NULL if there is none such.
///
/// # Safety
///
/// Names end in a NUL.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roundworks_permutation_new(
    name: *const c_char,
    backend: *const c_char,
) -> *mut roundworks_permutation {
    let make = || {
        // SAFETY: the caller's promise.
        let name = unsafe { text("name", name) }?;
        let backend = if backend.is_null() {
            None
        } else {
            // SAFETY: the caller's promise.
            let name = unsafe { text("backend", backend) }?;
            Some(
                name.parse::<Backend>()
                    .map_err(|e| Fault::Argument(e.to_string()))?,
            )
        };
        let permutation = rw::permutation(name, backend)?;
        let backend = CString::new(permutation.backend().name()).expect("names have no NUL");
        Ok(Box::into_raw(Box::new(roundworks_permutation {
            permutation,
            backend,
        })))
    };
    or_null(make())
}

/// Frees it. NULL is allowed.
///
/// # Safety
///
/// `permutation` is from `roundworks_permutation_new` and not freed yet.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roundworks_permutation_free(permutation: *mut roundworks_permutation) {
    if !permutation.is_null() {
        // SAFETY: the caller's promise.
        drop(unsafe { Box::from_raw(permutation) });
    }
}

/// Name of the back end in use, such as "vaes512"; lives as long as the permutation.
///
/// # Safety
///
/// `permutation` is from `roundworks_permutation_new`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roundworks_permutation_backend(
    permutation: *const roundworks_permutation,
) -> *const c_char {
    // SAFETY: the caller's promise.
    unsafe { (*permutation).backend.as_ptr() }
}

/// Bytes of a block.
///
/// # Safety
///
/// `permutation` is from `roundworks_permutation_new`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roundworks_block_bytes(
    permutation: *const roundworks_permutation,
) -> usize {
    // SAFETY: the caller's promise.
    unsafe { (*permutation).permutation.block_bytes() }
}

/// Replaces each block by what it is mapped to. The blocks follow each other, `blocks_bytes` in all,
/// and are permuted side by side where the CPU has room for several.
///
/// # Safety
///
/// `permutation` is NULL or from `roundworks_permutation_new`; `blocks` is good for `blocks_bytes`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roundworks_permute(
    permutation: *const roundworks_permutation,
    blocks: *mut u8,
    blocks_bytes: usize,
) -> c_int {
    // SAFETY: the caller's promise.
    unsafe {
        on(
            permutation,
            blocks,
            blocks_bytes,
            AnyPermutation::permute_many,
        )
    }
}

/// Replaces each block by what is mapped to it; else as `roundworks_permute`.
///
/// # Safety
///
/// As for `roundworks_permute`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roundworks_inverse(
    permutation: *const roundworks_permutation,
    blocks: *mut u8,
    blocks_bytes: usize,
) -> c_int {
    // SAFETY: the caller's promise.
    unsafe {
        on(
            permutation,
            blocks,
            blocks_bytes,
            AnyPermutation::inverse_many,
        )
    }
}

/// # Safety
///
/// As for `roundworks_permute`.
unsafe fn on(
    permutation: *const roundworks_permutation,
    blocks: *mut u8,
    blocks_bytes: usize,
    work: fn(&AnyPermutation, &mut [u8]) -> Result<(), Error>,
) -> c_int {
    let run = || {
        // SAFETY: the caller's promise, here and below.
        let permutation = unsafe { permutation.as_ref() }
            .ok_or_else(|| Fault::Argument("permutation: want one, got NULL".into()))?;
        let blocks = unsafe { output("blocks", blocks, blocks_bytes) }?;
        Ok(work(&permutation.permutation, blocks)?)
    };
    report(run())
}
