//! A key on a GPU, for messages in host memory, which are copied for the caller.

use std::ffi::{c_char, c_int};

use rw::Message;
use rw_gpu::Cipher;

use crate::any::{many, opened_many, roundworks_message};
use crate::error::{Result, report};
use crate::gpu::{on, roundworks_gpu};
use crate::handles::{freed, get_or, lent};
use crate::one::{Given, Text, open, seal};
use crate::slices::{input, target, text};

/// A cipher with its key on a GPU. Threads may share it.
pub struct roundworks_gpu_cipher {
    pub(crate) cipher: Cipher,
}

/// Sets *cipher. name is "minalpher", "aes-128-gcm", "aes-256-gcm", "aegis-128l", "rocca-s", or for
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
    cipher: *mut *mut roundworks_gpu_cipher,
) -> c_int {
    report(|| unsafe {
        let (gpu, to) = (on(gpu)?, target("cipher", cipher)?);
        let (name, key) = (text("name", name)?, input("key", key, key_bytes)?);
        let cipher = Cipher::new(gpu, name, key, (tag_bytes > 0).then_some(tag_bytes))?;
        *to = Box::into_raw(Box::new(roundworks_gpu_cipher { cipher }));
        Ok(())
    })
}

/// Wipes the key and frees the cipher, once the work of every stream with it is done.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roundworks_gpu_cipher_free(cipher: *mut roundworks_gpu_cipher) {
    unsafe { freed(cipher) }
}

/// # Safety
///
/// `cipher` is NULL or from `roundworks_gpu_cipher_new` and not freed.
pub(crate) unsafe fn on_gpu<'a>(cipher: *const roundworks_gpu_cipher) -> Result<&'a Cipher> {
    unsafe { lent("cipher", "a cipher", cipher) }.map(|it| &it.cipher)
}

/// Size of a nonce.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roundworks_gpu_nonce_bytes(cipher: *const roundworks_gpu_cipher) -> usize {
    unsafe { get_or(cipher, 0, |it| it.cipher.facts().nonce_bytes) }
}

/// Size of a tag.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roundworks_gpu_tag_bytes(cipher: *const roundworks_gpu_cipher) -> usize {
    unsafe { get_or(cipher, 0, |it| it.cipher.facts().tag_bytes) }
}

/// Size of the ciphertext of data_bytes, tag included.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roundworks_gpu_sealed_bytes(
    cipher: *const roundworks_gpu_cipher,
    data_bytes: usize,
) -> usize {
    unsafe { get_or(cipher, 0, |it| it.cipher.sealed_bytes(data_bytes)) }
}

/// Size of the output for sealed_bytes of ciphertext and tag; 0 too if none has that size.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roundworks_gpu_opened_bytes(
    cipher: *const roundworks_gpu_cipher,
    sealed_bytes: usize,
) -> usize {
    let bytes = unsafe { get_or(cipher, None, |it| it.cipher.opened_bytes(sealed_bytes)) };
    bytes.unwrap_or(0)
}

/// Writes ciphertext and tag to out, which has roundworks_gpu_sealed_bytes(). Long messages of
/// Minalpher and AES-GCM go in parts: while one is computed, the next is copied in and the last out.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roundworks_gpu_seal(
    cipher: *const roundworks_gpu_cipher,
    nonce: *const u8,
    nonce_bytes: usize,
    ad: *const u8,
    ad_bytes: usize,
    data: *const u8,
    data_bytes: usize,
    out: *mut u8,
    out_bytes: usize,
) -> c_int {
    let given = Given {
        nonce: (nonce, nonce_bytes),
        ad: (ad, ad_bytes),
        data: (data, data_bytes),
        out: (out, out_bytes),
    };
    report(|| unsafe { seal!(on_gpu(cipher)?, given) })
}

/// Writes the data to out, which has roundworks_gpu_opened_bytes(), if they are authentic, zeros after
/// them, and sets *data_bytes to their size. A long message is read twice, for its tag and then for its
/// text; nobody may write to it meanwhile.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roundworks_gpu_open(
    cipher: *const roundworks_gpu_cipher,
    nonce: *const u8,
    nonce_bytes: usize,
    ad: *const u8,
    ad_bytes: usize,
    sealed: *const u8,
    sealed_bytes: usize,
    out: *mut u8,
    out_bytes: usize,
    data_bytes: *mut usize,
) -> c_int {
    let given = Given {
        nonce: (nonce, nonce_bytes),
        ad: (ad, ad_bytes),
        data: (sealed, sealed_bytes),
        out: (out, out_bytes),
    };
    report(|| unsafe {
        let (cipher, data_bytes) = (on_gpu(cipher)?, target("data_bytes", data_bytes)?);
        open!(cipher, given, data_bytes)
    })
}

/// As roundworks_seal_many(), in a few launches whatever the sizes are.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roundworks_gpu_seal_many(
    cipher: *const roundworks_gpu_cipher,
    messages: *const roundworks_message,
    count: usize,
) -> c_int {
    report(|| unsafe {
        let cipher = on_gpu(cipher)?;
        let mut messages = many(cipher.facts().nonce_bytes, messages, count)?;
        Ok(cipher.seal_many(&mut messages)?)
    })
}

/// As roundworks_open_many().
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roundworks_gpu_open_many(
    cipher: *const roundworks_gpu_cipher,
    messages: *mut roundworks_message,
    count: usize,
    refused: *mut usize,
) -> c_int {
    let open = |messages: &mut [Message<'_>], opened: &mut [Option<usize>]| {
        Ok(unsafe { on_gpu(cipher) }?.open_many(messages, opened)?)
    };
    unsafe {
        let nonce_bytes = on_gpu(cipher).map(|cipher| cipher.facts().nonce_bytes);
        opened_many(nonce_bytes, messages, count, refused, open)
    }
}
