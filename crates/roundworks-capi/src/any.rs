//! Any cipher by name, with its key set once, on the CPU or on a GPU. Here the tag follows the
//! ciphertext.
//!
//! On a GPU these functions copy messages from host memory and back. A long one goes in parts: while
//! one part is computed, the next is copied in and the last out. To be opened it is read twice, for
//! its tag and then for its text; nobody may write to it meanwhile.

use std::ffi::{CString, c_char, c_int};
use std::ptr::null;

use rw::{Backend, Cipher, Error, Message};

use crate::error::{Fault, ROUNDWORKS_ERROR_TAG, ROUNDWORKS_OK, Result, report};
use crate::handles::{freed, get_or, lent, or_null};
use crate::one::{Given, Text, open, seal};
use crate::slices::{Outputs, apart, bytes_of, countable, input, output, target, text};

/// A cipher with its key.
pub struct roundworks_cipher {
    cipher: Keyed,
    backend: CString,
}

enum Keyed {
    Cpu(Box<dyn Cipher>),
    Gpu(rw_gpu::Cipher),
}

/// The same on either: their methods have the same names, and errors of their own.
macro_rules! either {
    ($keyed:expr, $cipher:ident => $run:expr) => {
        match $keyed {
            Keyed::Cpu($cipher) => $run,
            Keyed::Gpu($cipher) => $run,
        }
    };
}

/// One of several messages under a key. Its output has the size that roundworks_sealed_bytes() or
/// roundworks_opened_bytes() gives for data_bytes, and shares no byte with anything.
#[repr(C)]
pub struct roundworks_message {
    /// Of roundworks_nonce_bytes().
    pub nonce: *const u8,
    /// Associated data.
    pub ad: *const u8,
    /// Its size.
    pub ad_bytes: usize,
    /// Plaintext, or ciphertext and tag.
    pub data: *const u8,
    /// Its size.
    pub data_bytes: usize,
    /// The output.
    pub out: *mut u8,
    /// Its size.
    pub out_bytes: usize,
    /// Set by roundworks_open_many(): how many bytes of out are the data. Less than out_bytes if the
    /// cipher pads, 0 if the message was refused.
    pub opened_bytes: usize,
    /// Set by roundworks_open_many(): ROUNDWORKS_OK if this message was opened.
    pub result: c_int,
}

/// Sets a key. name is such as "aegis-128l", "aegis-256x2" or "rocca-s"; tag_bytes 0 is the cipher's
/// usual size; backend NULL is the fastest on this CPU.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roundworks_cipher_new(
    name: *const c_char,
    key: *const u8,
    key_bytes: usize,
    tag_bytes: usize,
    backend: *const c_char,
) -> *mut roundworks_cipher {
    or_null(|| unsafe {
        let (name, key) = (text("name", name)?, input("key", key, key_bytes)?);
        let backend = named_backend(backend)?;
        let cipher = rw::cipher(name, key, (tag_bytes > 0).then_some(tag_bytes), backend)?;
        let backend = CString::new(cipher.backend_name()).expect("names have no NUL");
        let cipher = Keyed::Cpu(cipher);
        Ok(roundworks_cipher { cipher, backend })
    })
}

/// The back end of that name, or none of NULL.
///
/// # Safety
///
/// `name` is NULL or ends in a NUL.
pub(crate) unsafe fn named_backend(name: *const c_char) -> Result<Option<Backend>> {
    if name.is_null() {
        return Ok(None);
    }
    let name = unsafe { text("backend", name) }?;
    name.parse()
        .map(Some)
        .map_err(|e: rw::UnknownBackend| Fault::Argument(e.to_string()))
}

/// Wipes the key and frees the cipher; on a GPU once the work of every stream with it is done.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roundworks_cipher_free(cipher: *mut roundworks_cipher) {
    unsafe { freed(cipher) }
}

impl From<rw_gpu::Cipher> for roundworks_cipher {
    fn from(cipher: rw_gpu::Cipher) -> Self {
        let backend = cipher.gpu().architecture().to_owned();
        let cipher = Keyed::Gpu(cipher);
        Self { cipher, backend }
    }
}

/// # Safety
///
/// `cipher` is NULL or from one of the functions that set a key, and not freed.
unsafe fn keyed<'a>(cipher: *const roundworks_cipher) -> Result<&'a Keyed> {
    unsafe { lent("cipher", "a cipher", cipher) }.map(|it| &it.cipher)
}

/// # Safety
///
/// As of [`keyed`].
pub(crate) unsafe fn on_cpu<'a>(cipher: *const roundworks_cipher) -> Result<&'a dyn Cipher> {
    match unsafe { keyed(cipher) }? {
        Keyed::Cpu(cipher) => Ok(&**cipher),
        Keyed::Gpu(_) => Err(elsewhere("the CPU", "a GPU")),
    }
}

/// # Safety
///
/// As of [`keyed`].
pub(crate) unsafe fn on_gpu<'a>(cipher: *const roundworks_cipher) -> Result<&'a rw_gpu::Cipher> {
    match unsafe { keyed(cipher) }? {
        Keyed::Gpu(cipher) => Ok(cipher),
        Keyed::Cpu(_) => Err(elsewhere("a GPU", "the CPU")),
    }
}

fn elsewhere(want: &str, have: &str) -> Fault {
    Fault::Argument(format!("cipher: want one on {want}, got one on {have}"))
}

/// Name of the back end in use, such as "vaes512", or on a GPU its architecture, such as "sm_90"; valid
/// as long as the cipher.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roundworks_cipher_backend(
    cipher: *const roundworks_cipher,
) -> *const c_char {
    unsafe { get_or(cipher, null(), |it| it.backend.as_ptr()) }
}

/// Size of a nonce.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roundworks_nonce_bytes(cipher: *const roundworks_cipher) -> usize {
    unsafe {
        get_or(
            cipher,
            0,
            |it| either!(&it.cipher, it => it.facts().nonce_bytes),
        )
    }
}

/// Size of a tag.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roundworks_tag_bytes(cipher: *const roundworks_cipher) -> usize {
    unsafe {
        get_or(
            cipher,
            0,
            |it| either!(&it.cipher, it => it.facts().tag_bytes),
        )
    }
}

/// Size of the ciphertext of data_bytes, tag included.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roundworks_sealed_bytes(
    cipher: *const roundworks_cipher,
    data_bytes: usize,
) -> usize {
    unsafe {
        get_or(
            cipher,
            0,
            |it| either!(&it.cipher, it => it.sealed_bytes(data_bytes)),
        )
    }
}

/// Size of the output for sealed_bytes of ciphertext and tag; 0 too if none has that size.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roundworks_opened_bytes(
    cipher: *const roundworks_cipher,
    sealed_bytes: usize,
) -> usize {
    let opened = unsafe {
        get_or(
            cipher,
            None,
            |it| either!(&it.cipher, it => it.opened_bytes(sealed_bytes)),
        )
    };
    opened.unwrap_or(0)
}

/// Writes ciphertext and tag to out, which has roundworks_sealed_bytes().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roundworks_seal(
    cipher: *const roundworks_cipher,
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
    report(|| unsafe { either!(keyed(cipher)?, it => seal!(it, given)) })
}

/// Writes the data to out, which has roundworks_opened_bytes(), if they are authentic, and sets
/// *data_bytes to their size. On a GPU zeros follow them.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roundworks_open(
    cipher: *const roundworks_cipher,
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
        let (cipher, data_bytes) = (keyed(cipher)?, target("data_bytes", data_bytes)?);
        either!(cipher, it => open!(it, given, data_bytes))
    })
}

/// Seals independent messages, interleaved where the CPU gains by it, on a GPU in a few
/// launches whatever the sizes are. Their result and opened_bytes
/// are not written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roundworks_seal_many(
    cipher: *const roundworks_cipher,
    messages: *const roundworks_message,
    count: usize,
) -> c_int {
    report(|| unsafe {
        either!(keyed(cipher)?, it => {
            let mut messages = many(it.facts().nonce_bytes, messages, count, null())?;
            Ok(it.seal_many(&mut messages)?)
        })
    })
}

/// Opens independent messages; ROUNDWORKS_ERROR_TAG if any was refused. The result of each message is
/// ROUNDWORKS_OK or ROUNDWORKS_ERROR_TAG, and the output of a refused one is all zero. After any other
/// error nothing was opened, and that error is the result of all. *refused is set to the number of
/// refused messages; refused may be NULL.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roundworks_open_many(
    cipher: *const roundworks_cipher,
    messages: *mut roundworks_message,
    count: usize,
    refused: *mut usize,
) -> c_int {
    let mut opened = Vec::new();
    let mut run = || -> Result<_> {
        unsafe {
            either!(keyed(cipher)?, it => {
                let mut messages = many(it.facts().nonce_bytes, messages, count, refused)?;
                opened.try_reserve_exact(messages.len())?;
                opened.resize(messages.len(), None);
                Ok(it.open_many(&mut messages, &mut opened)?)
            })
        }
    };
    let outcome = run();
    let code = match outcome {
        Ok(_) => ROUNDWORKS_ERROR_TAG,
        Err(ref fault) => fault.code(),
    };
    if count > 0 && countable("messages", messages, count).is_ok() {
        // What `run` borrowed from them is gone.
        let messages = unsafe { std::slice::from_raw_parts_mut(messages, count) };
        for (i, message) in messages.iter_mut().enumerate() {
            let opened = outcome.as_ref().ok().and_then(|_| opened[i]);
            message.opened_bytes = opened.unwrap_or(0);
            message.result = opened.map_or(code, |_| ROUNDWORKS_OK);
        }
    }
    if let (Ok(count), Some(refused)) = (&outcome, unsafe { refused.as_mut() }) {
        *refused = *count;
    }
    report(|| match outcome? {
        0 => Ok(()),
        _ => Err(Error::BadTag.into()),
    })
}

/// # Safety
///
/// As for `roundworks_seal_many`; `refused` is not read.
unsafe fn many<'a>(
    nonce_bytes: usize,
    messages: *const roundworks_message,
    count: usize,
    refused: *const usize,
) -> Result<Vec<Message<'a>>> {
    countable("messages", messages, count)?;
    if count == 0 {
        return Ok(Vec::new());
    }
    // Overlaps are checked, of all with all.
    let all = (messages.cast(), count * size_of::<roundworks_message>());
    let messages = unsafe { std::slice::from_raw_parts(messages, count) };
    let outs = Outputs::of(messages.iter().map(|m| (m.out.cast_const(), m.out_bytes)))?;
    outs.apart("messages", all)?;
    outs.apart("refused", bytes_of(refused))?;
    apart("refused", bytes_of(refused), all)?;
    let mut each = Vec::new();
    each.try_reserve_exact(count)?;
    for m in messages {
        for (what, part) in [
            ("nonce", (m.nonce, nonce_bytes)),
            ("ad", (m.ad, m.ad_bytes)),
            ("data", (m.data, m.data_bytes)),
        ] {
            outs.apart(what, part)?;
        }
        each.push(Message {
            nonce: unsafe { input("nonce", m.nonce, nonce_bytes) }?,
            ad: unsafe { input("ad", m.ad, m.ad_bytes) }?,
            data: unsafe { input("data", m.data, m.data_bytes) }?,
            out: unsafe { output("out", m.out, m.out_bytes) }?,
        });
    }
    Ok(each)
}
