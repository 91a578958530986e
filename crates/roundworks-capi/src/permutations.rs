//! Permutations of 32 and 64 bytes and the hash functions made of them, by name.

use std::ffi::{CString, c_char, c_int};
use std::ptr::null;

use rw::{AnyHash, AnyPermutation, AnyPholkos, Areion512Md, Error, Permutation};

use crate::any::named_backend;
use crate::error::report;
use crate::handles::{freed, get_or, lent, or_null};
use crate::slices::{apart, array, input, output, text};

/// A permutation of 32 or of 64 bytes.
pub struct roundworks_permutation {
    permutation: AnyPermutation,
    backend: CString,
}

/// name is such as "simpira-2", "haraka-512", "areion-256", "feistel256:2-0,1-1", ..., or any other
/// configuration of the Feistel family, such as "feistel512:1-1,2-3,2-1,1-0/2,3,1,0"; a number of
/// rounds may follow, as in "haraka-256:3.5". backend NULL is the fastest on this CPU.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roundworks_permutation_new(
    name: *const c_char,
    backend: *const c_char,
) -> *mut roundworks_permutation {
    or_null(|| unsafe {
        let name = text("name", name)?;
        let backend = named_backend(backend)?;
        let permutation = rw::permutation(name, backend)?;
        let backend = CString::new(permutation.backend().name()).expect("names have no NUL");
        Ok(roundworks_permutation {
            permutation,
            backend,
        })
    })
}

/// Frees it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roundworks_permutation_free(permutation: *mut roundworks_permutation) {
    unsafe { freed(permutation) }
}

/// Name of the back end in use, such as "vaes512"; valid as long as the permutation.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roundworks_permutation_backend(
    permutation: *const roundworks_permutation,
) -> *const c_char {
    unsafe { get_or(permutation, null(), |it| it.backend.as_ptr()) }
}

/// Size of a block.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roundworks_block_bytes(
    permutation: *const roundworks_permutation,
) -> usize {
    unsafe { get_or(permutation, 0, |it| it.permutation.block_bytes()) }
}

/// Permutes each of the blocks, which follow each other, blocks_bytes in all; interleaved where the CPU
/// gains by it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roundworks_permute(
    permutation: *const roundworks_permutation,
    blocks: *mut u8,
    blocks_bytes: usize,
) -> c_int {
    let blocks = (blocks, blocks_bytes);
    unsafe { on(permutation, blocks, AnyPermutation::permute_many) }
}

/// The inverse of roundworks_permute().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roundworks_inverse(
    permutation: *const roundworks_permutation,
    blocks: *mut u8,
    blocks_bytes: usize,
) -> c_int {
    let blocks = (blocks, blocks_bytes);
    unsafe { on(permutation, blocks, AnyPermutation::inverse_many) }
}

/// # Safety
///
/// As for `roundworks_permute`.
unsafe fn on(
    permutation: *const roundworks_permutation,
    (blocks, blocks_bytes): (*mut u8, usize),
    work: fn(&AnyPermutation, &mut [u8]) -> Result<(), Error>,
) -> c_int {
    report(|| unsafe {
        let permutation = lent("permutation", "one", permutation)?;
        let blocks = output("blocks", blocks, blocks_bytes)?;
        Ok(work(&permutation.permutation, blocks)?)
    })
}

/// A hash function of one block, of 32 or of 64 bytes, to 32.
pub struct roundworks_hash {
    hash: AnyHash,
}

/// name is "haraka-256", "haraka-512", "areion-256-dm" or "areion-512-dm". backend NULL is the fastest
/// on this CPU.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roundworks_hash_new(
    name: *const c_char,
    backend: *const c_char,
) -> *mut roundworks_hash {
    or_null(|| unsafe {
        let (name, backend) = (text("name", name)?, named_backend(backend)?);
        let hash = rw::hash_function(name, backend)?;
        Ok(roundworks_hash { hash })
    })
}

/// Frees it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roundworks_hash_free(hash: *mut roundworks_hash) {
    unsafe { freed(hash) }
}

/// Size of an input.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roundworks_input_bytes(hash: *const roundworks_hash) -> usize {
    unsafe { get_or(hash, 0, |it| it.hash.input_bytes()) }
}

/// Writes 32 bytes to outputs for each of the inputs, which follow each other, inputs_bytes in all;
/// interleaved where the CPU gains by it. The outputs share no byte with the inputs.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roundworks_hash_many(
    hash: *const roundworks_hash,
    inputs: *const u8,
    inputs_bytes: usize,
    outputs: *mut u8,
) -> c_int {
    report(|| unsafe {
        let hash = lent("hash", "one", hash)?;
        let outputs_bytes = inputs_bytes / hash.hash.input_bytes() * 32;
        apart("inputs", (inputs, inputs_bytes), (outputs, outputs_bytes))?;
        let inputs = input("inputs", inputs, inputs_bytes)?;
        let outputs = output("outputs", outputs, outputs_bytes)?;
        Ok(hash.hash.hash_many(inputs, outputs)?)
    })
}

/// Writes Areion512-MD of a message of at most 2^29 - 1 bytes to hash, 32 bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roundworks_areion512_md(
    message: *const u8,
    message_bytes: usize,
    hash: *mut u8,
) -> c_int {
    report(|| unsafe {
        // The message is read before the hash, which may overlap it, is written.
        let made = Areion512Md::new(None)?.hash(input("message", message, message_bytes)?)?;
        output("hash", hash, 32)?.copy_from_slice(&made);
        Ok(())
    })
}

/// Encrypts each block with Pholkos under one key and one tweak of 16 bytes. A key of 32 bytes is for
/// blocks of 32, one of 64 for blocks of 64. For study: no test vectors of its designers are known.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roundworks_pholkos_encrypt(
    key: *const u8,
    key_bytes: usize,
    tweak: *const u8,
    blocks: *mut u8,
    blocks_bytes: usize,
) -> c_int {
    let (key, blocks) = ((key, key_bytes), (blocks, blocks_bytes));
    unsafe { pholkos(key, tweak, blocks, AnyPholkos::encrypt_many) }
}

/// The inverse of roundworks_pholkos_encrypt().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roundworks_pholkos_decrypt(
    key: *const u8,
    key_bytes: usize,
    tweak: *const u8,
    blocks: *mut u8,
    blocks_bytes: usize,
) -> c_int {
    let (key, blocks) = ((key, key_bytes), (blocks, blocks_bytes));
    unsafe { pholkos(key, tweak, blocks, AnyPholkos::decrypt_many) }
}

/// One direction of Pholkos, under a tweak.
type Tweaked = fn(&AnyPholkos, &[u8; 16], &mut [u8]) -> Result<(), Error>;

/// # Safety
///
/// As for `roundworks_pholkos_encrypt`.
unsafe fn pholkos(
    (key, key_bytes): (*const u8, usize),
    tweak: *const u8,
    (blocks, blocks_bytes): (*mut u8, usize),
    work: Tweaked,
) -> c_int {
    // The key moves to `cipher`.
    let done = rw::cleared::<32, _>(|| unsafe {
        apart("key", (key, key_bytes), (blocks, blocks_bytes))?;
        let cipher = rw::pholkos(input("key", key, key_bytes)?, None)?;
        let tweak = *array("tweak", tweak)?;
        let blocks = output("blocks", blocks, blocks_bytes)?;
        Ok(work(&cipher, &tweak, blocks)?)
    });
    report(|| done)
}
