//! Messages in the memory of a GPU, as work of the caller's stream.
//!
//! stream is a CUstream or NULL. Memory is of the device's primary context, which the CUDA runtime uses
//! too. Memory and cipher must stay until the work is done. Addresses are each a CUdeviceptr, a multiple
//! of 16. Buffers extend to a multiple of 32 bytes for Minalpher, of 16 for the others: what is after an
//! input's end may be read, and what is after the output's end is written.

use std::ffi::{c_int, c_void};

use rw_gpu::{OnDevice, Rows};

use crate::any::{on_gpu, roundworks_cipher};
use crate::error::{Fault, Result, report};
use crate::slices::{input, target};

/// One message in the memory of a GPU.
#[repr(C)]
pub struct roundworks_gpu_message {
    /// Associated data.
    pub ad: u64,
    /// Its size.
    pub ad_bytes: usize,
    /// Plaintext, or ciphertext without its tag.
    pub data: u64,
    /// Its size.
    pub data_bytes: usize,
    /// The output. It may be data, except for Minalpher, and shares no byte with anything else.
    pub out: u64,
    /// Its tag, written by sealing.
    pub tag: u64,
}

/// Messages of one size in the memory of a GPU, except for Minalpher: rows that each begin at a
/// multiple of 16 bytes.
#[repr(C)]
pub struct roundworks_gpu_rows {
    /// Number of messages.
    pub count: usize,
    /// Nonces, without gaps.
    pub nonces: u64,
    /// Rows of associated data.
    pub ad: u64,
    /// Size of each.
    pub ad_bytes: usize,
    /// 1 if one row of associated data is for all messages, else count.
    pub ad_count: usize,
    /// Rows of plaintext, or of ciphertext without tags.
    pub data: u64,
    /// Size of each.
    pub data_bytes: usize,
    /// Rows of output, which share no byte with anything.
    pub out: u64,
    /// Tags, without gaps, written by sealing.
    pub tags: u64,
}

/// Enqueues the encryption of a message and returns. For Minalpher out has 32 bytes for each full 32
/// of data, and 32 more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roundworks_gpu_seal_on_device(
    cipher: *const roundworks_cipher,
    nonce: *const u8,
    nonce_bytes: usize,
    message: *const roundworks_gpu_message,
    stream: *mut c_void,
) -> c_int {
    report(|| unsafe {
        let cipher = on_gpu(cipher)?;
        let (nonce, at) = (input("nonce", nonce, nonce_bytes)?, place(message)?);
        Ok(cipher.seal_on_device(stream as usize, nonce, &at)?)
    })
}

/// Opens a message once stream has done its work, waits for the result, and sets *data_bytes to how
/// many bytes of out are the data.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roundworks_gpu_open_on_device(
    cipher: *const roundworks_cipher,
    nonce: *const u8,
    nonce_bytes: usize,
    message: *const roundworks_gpu_message,
    data_bytes: *mut usize,
    stream: *mut c_void,
) -> c_int {
    report(|| unsafe {
        let cipher = on_gpu(cipher)?;
        let data_bytes = target("data_bytes", data_bytes)?;
        let (nonce, at) = (input("nonce", nonce, nonce_bytes)?, place(message)?);
        *data_bytes = cipher.open_on_device(stream as usize, nonce, &at)?;
        Ok(())
    })
}

/// Enqueues the encryption of rows and returns.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roundworks_gpu_seal_rows(
    cipher: *const roundworks_cipher,
    rows: *const roundworks_gpu_rows,
    stream: *mut c_void,
) -> c_int {
    report(|| unsafe {
        let (cipher, rows) = (on_gpu(cipher)?, all(rows)?);
        Ok(cipher.seal_rows_on_device(stream as usize, &rows)?)
    })
}

/// Enqueues the decryption of rows and returns. At verdicts, in the memory of the GPU, a uint32_t for
/// each row becomes 1 if the row is authentic; else 0, and the row becomes zeros.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roundworks_gpu_open_rows(
    cipher: *const roundworks_cipher,
    rows: *const roundworks_gpu_rows,
    verdicts: u64,
    stream: *mut c_void,
) -> c_int {
    report(|| unsafe {
        let (cipher, rows) = (on_gpu(cipher)?, all(rows)?);
        Ok(cipher.open_rows_on_device(stream as usize, &rows, verdicts)?)
    })
}

/// # Safety
///
/// `message` is NULL or good for one.
unsafe fn place(message: *const roundworks_gpu_message) -> Result<OnDevice> {
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
unsafe fn all(rows: *const roundworks_gpu_rows) -> Result<Rows> {
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
