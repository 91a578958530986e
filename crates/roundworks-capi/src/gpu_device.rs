//! Messages that are in a GPU's memory already, as work of the caller's stream.

use std::ffi::{c_int, c_void};

use rw_gpu::{OnDevice, Rows};

use crate::error::{Fault, report};
use crate::gpu_cipher::{on_gpu, roundworks_gpu_cipher};
use crate::slices::{input, target};

/// One message in the memory of a GPU. Addresses are each a `CUdeviceptr`, a multiple of 16. Memory
/// is there up to a multiple of 32 bytes of Minalpher, of 16 of the others: what is behind an input's
/// end may be read, and what is behind the output's end is written.
#[repr(C)]
pub struct roundworks_gpu_message {
    /// Associated data.
    pub ad: u64,
    /// Its size.
    pub ad_bytes: usize,
    /// What is sealed, or a ciphertext without its tag.
    pub data: u64,
    /// Its size.
    pub data_bytes: usize,
    /// Where the other goes; it may be `data`, but not of Minalpher, and shares no byte with anything
    /// else.
    pub out: u64,
    /// Of the cipher's size, written by sealing.
    pub tag: u64,
}

/// Messages of one size in the memory of a GPU, but not of Minalpher. A row begins at the next
/// multiple of 16 bytes; else as in `roundworks_gpu_message`.
#[repr(C)]
pub struct roundworks_gpu_rows {
    /// How many messages.
    pub count: usize,
    /// Of the cipher's size each, close together.
    pub nonces: u64,
    /// Rows of associated data.
    pub ad: u64,
    /// Bytes of each.
    pub ad_bytes: usize,
    /// 1 if one row of associated data is for all messages, else `count`.
    pub ad_count: usize,
    /// Rows that are sealed, or of ciphertext without tags.
    pub data: u64,
    /// Bytes of each.
    pub data_bytes: usize,
    /// Where the others go; it shares no byte with anything.
    pub out: u64,
    /// Of the cipher's size each, close together, written by sealing.
    pub tags: u64,
}

/// Seals a message on the GPU as work of `stream`, a `CUstream` or NULL, and returns before it is
/// done. Of Minalpher `out` has 32 bytes for each 32 of `data` that are full, and 32 more.
///
/// # Safety
///
/// Memory is of the device's primary context, which the CUDA runtime uses too, and is there until
/// the work is done, like the cipher.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roundworks_gpu_seal_on_device(
    cipher: *const roundworks_gpu_cipher,
    nonce: *const u8,
    nonce_bytes: usize,
    message: *const roundworks_gpu_message,
    stream: *mut c_void,
) -> c_int {
    let run = || {
        // SAFETY: the caller's promise, here and below.
        let cipher = unsafe { on_gpu(cipher) }?;
        let (nonce, at) = unsafe { (input("nonce", nonce, nonce_bytes)?, place(message)?) };
        Ok(unsafe { cipher.seal_on_device(stream as usize, nonce, &at) }?)
    };
    report(run())
}

/// Opens a message on the GPU once `stream` has done its work, waits for it, and sets `data_bytes` to
/// how many bytes of `out` are the data. Of what is not authentic `out` is zeros; plaintext is
/// written after its tag was found right.
///
/// # Safety
///
/// As of `roundworks_gpu_seal_on_device`; `data_bytes` is good for a size.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roundworks_gpu_open_on_device(
    cipher: *const roundworks_gpu_cipher,
    nonce: *const u8,
    nonce_bytes: usize,
    message: *const roundworks_gpu_message,
    data_bytes: *mut usize,
    stream: *mut c_void,
) -> c_int {
    let run = || {
        // SAFETY: the caller's promise, here and below.
        let cipher = unsafe { on_gpu(cipher) }?;
        let data_bytes = unsafe { target("data_bytes", data_bytes) }?;
        let (nonce, at) = unsafe { (input("nonce", nonce, nonce_bytes)?, place(message)?) };
        *data_bytes = unsafe { cipher.open_on_device(stream as usize, nonce, &at) }?;
        Ok(())
    };
    report(run())
}

/// Seals rows on the GPU as work of `stream`, and returns before it is done.
///
/// # Safety
///
/// As of `roundworks_gpu_seal_on_device`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roundworks_gpu_seal_rows(
    cipher: *const roundworks_gpu_cipher,
    rows: *const roundworks_gpu_rows,
    stream: *mut c_void,
) -> c_int {
    let run = || {
        // SAFETY: the caller's promise, here and below.
        let (cipher, rows) = unsafe { (on_gpu(cipher)?, all(rows)?) };
        Ok(unsafe { cipher.seal_rows_on_device(stream as usize, &rows) }?)
    };
    report(run())
}

/// Opens rows on the GPU as work of `stream`, and returns before it is done. In the memory of the GPU
/// at `verdicts` a uint32_t for each row becomes 1 where it is authentic; else 0, and the row zeros.
///
/// # Safety
///
/// As of `roundworks_gpu_seal_on_device`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roundworks_gpu_open_rows(
    cipher: *const roundworks_gpu_cipher,
    rows: *const roundworks_gpu_rows,
    verdicts: u64,
    stream: *mut c_void,
) -> c_int {
    let run = || {
        // SAFETY: the caller's promise, here and below.
        let (cipher, rows) = unsafe { (on_gpu(cipher)?, all(rows)?) };
        Ok(unsafe { cipher.open_rows_on_device(stream as usize, &rows, verdicts) }?)
    };
    report(run())
}

/// # Safety
///
/// `message` is NULL or good for one.
unsafe fn place(message: *const roundworks_gpu_message) -> Result<OnDevice, Fault> {
    // SAFETY: the caller's promise.
    let Some(m) = (unsafe { message.as_ref() }) else {
        return Err(Fault::Argument("message: want one, got NULL".into()));
    };
    Ok(OnDevice {
        ad: m.ad,
        ad_bytes: m.ad_bytes,
        data: m.data,
        data_bytes: m.data_bytes,
        out: m.out,
        tag: m.tag,
    })
}

/// # Safety
///
/// `rows` is NULL or good for one value.
unsafe fn all(rows: *const roundworks_gpu_rows) -> Result<Rows, Fault> {
    // SAFETY: the caller's promise.
    let Some(rows) = (unsafe { rows.as_ref() }) else {
        return Err(Fault::Argument("rows: want some, got NULL".into()));
    };
    Ok(Rows {
        count: rows.count,
        nonces: rows.nonces,
        ad: rows.ad,
        ad_bytes: rows.ad_bytes,
        ad_count: rows.ad_count,
        data: rows.data,
        data_bytes: rows.data_bytes,
        out: rows.out,
        tags: rows.tags,
    })
}
