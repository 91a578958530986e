//! Messages in pieces.

use std::ffi::c_int;

use rw::{Opening, Sealing};

use crate::any::{cipher, or_null, roundworks_cipher};
use crate::error::report;
use crate::handles::{asked, freed, taken};
use crate::slices::{apart, input, output, target};

/// A message on its way to be sealed.
pub struct roundworks_sealing(Box<dyn Sealing>);

/// A message on its way to be opened. It writes unverified plaintext to its output all the time, and
/// the caller must not read there before `roundworks_opening_finish` has returned ROUNDWORKS_OK.
pub struct roundworks_opening {
    opening: Box<dyn Opening>,
    out: (*const u8, usize),
}

/// Begins to seal a message; NULL if the nonce has a wrong size. The cipher may be freed before.
///
/// # Safety
///
/// `cipher` is from `roundworks_cipher_new`; `nonce` is good for `nonce_bytes`.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roundworks_sealing_new(
    cipher: *const roundworks_cipher,
    nonce: *const u8,
    nonce_bytes: usize,
) -> *mut roundworks_sealing {
    let make = || {
        // SAFETY: the caller's promise.
        let (cipher, nonce) =
            unsafe { (self::cipher(cipher)?, input("nonce", nonce, nonce_bytes)?) };
        Ok(Box::into_raw(Box::new(roundworks_sealing(
            cipher.cipher.sealing(nonce)?,
        ))))
    };
    or_null(make())
}

/// Takes in more associated data; before the first data.
///
/// # Safety
///
/// `sealing` is from `roundworks_sealing_new`; `ad` is good for `ad_bytes`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roundworks_sealing_ad(
    sealing: *mut roundworks_sealing,
    ad: *const u8,
    ad_bytes: usize,
) -> c_int {
    // SAFETY: the caller's promise.
    let run = || unsafe {
        Ok(target("sealing", sealing)?
            .0
            .ad(input("ad", ad, ad_bytes)?)?)
    };
    report(run())
}

/// Bytes that `roundworks_sealing_update` will write for so many more of data.
///
/// # Safety
///
/// `sealing` is NULL or from `roundworks_sealing_new`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roundworks_sealing_update_bytes(
    sealing: *const roundworks_sealing,
    data_bytes: usize,
) -> usize {
    // SAFETY: the caller's promise.
    unsafe { asked(sealing, 0, |it| it.0.update_bytes(data_bytes)) }
}

/// Encrypts the next bytes of data. `out` has exactly `roundworks_sealing_update_bytes`, whatever the
/// cipher, and shares no byte with `data`.
///
/// # Safety
///
/// `sealing` is from `roundworks_sealing_new`; every pointer is good for its bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roundworks_sealing_update(
    sealing: *mut roundworks_sealing,
    data: *const u8,
    data_bytes: usize,
    out: *mut u8,
    out_bytes: usize,
) -> c_int {
    let run = || {
        apart("data", (data, data_bytes), (out, out_bytes))?;
        // SAFETY: the caller's promise; the overlap was just checked.
        unsafe {
            let (data, out) = (
                input("data", data, data_bytes)?,
                output("out", out, out_bytes)?,
            );
            target("sealing", sealing)?.0.update_into(data, out)?;
        }
        Ok(())
    };
    report(run())
}

/// Bytes that `roundworks_sealing_finish` will write.
///
/// # Safety
///
/// `sealing` is NULL or from `roundworks_sealing_new`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roundworks_sealing_finish_bytes(
    sealing: *const roundworks_sealing,
) -> usize {
    // SAFETY: the caller's promise.
    unsafe { asked(sealing, 0, |it| it.0.finish_bytes()) }
}

/// Writes what is left of the ciphertext, and the tag, to `out`, which has exactly
/// `roundworks_sealing_finish_bytes`. Frees `sealing`, whatever it returns.
///
/// # Safety
///
/// `sealing` is from `roundworks_sealing_new` and not freed; `out` is good for `out_bytes`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roundworks_sealing_finish(
    sealing: *mut roundworks_sealing,
    out: *mut u8,
    out_bytes: usize,
) -> c_int {
    let run = || {
        // SAFETY: the caller's promise, here and below.
        let sealing = unsafe { taken("sealing", sealing) }?;
        sealing
            .0
            .finish_into(unsafe { output("out", out, out_bytes) }?)?;
        Ok(())
    };
    report(run())
}

/// Gives up a message. NULL is allowed.
///
/// # Safety
///
/// `sealing` is from `roundworks_sealing_new` and not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roundworks_sealing_free(sealing: *mut roundworks_sealing) {
    // SAFETY: the caller's promise.
    unsafe { freed(sealing) }
}

/// Begins to open a message into `out`, which must live until the message is finished or given
/// up; NULL if the nonce has a wrong size.
///
/// # Safety
///
/// `cipher` is from `roundworks_cipher_new`; every pointer is good for its bytes.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roundworks_opening_new(
    cipher: *const roundworks_cipher,
    nonce: *const u8,
    nonce_bytes: usize,
    out: *mut u8,
    out_bytes: usize,
) -> *mut roundworks_opening {
    let make = || {
        apart("nonce", (nonce, nonce_bytes), (out, out_bytes))?;
        let place = (out.cast_const(), out_bytes);
        // SAFETY: the caller's promise.
        let opening = unsafe {
            let nonce = input("nonce", nonce, nonce_bytes)?;
            let out: &'static mut [u8] = output("out", out, out_bytes)?;
            self::cipher(cipher)?.cipher.opening(nonce, out)?
        };
        Ok(Box::into_raw(Box::new(roundworks_opening {
            opening,
            out: place,
        })))
    };
    or_null(make())
}

/// Takes in more associated data; before the first ciphertext.
///
/// # Safety
///
/// `opening` is from `roundworks_opening_new`; `ad` is good for `ad_bytes`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roundworks_opening_ad(
    opening: *mut roundworks_opening,
    ad: *const u8,
    ad_bytes: usize,
) -> c_int {
    let run = || {
        // SAFETY: the caller's promise.
        let opening = unsafe { target("opening", opening) }?;
        apart("ad", (ad, ad_bytes), opening.out)?;
        Ok(opening.opening.ad(unsafe { input("ad", ad, ad_bytes) }?)?)
    };
    report(run())
}

/// Takes in the next bytes of ciphertext, which share no byte with the output. ROUNDWORKS_OK says
/// nothing about the output: that is verified by `roundworks_opening_finish` alone.
///
/// # Safety
///
/// `opening` is from `roundworks_opening_new`; `data` is good for `data_bytes`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roundworks_opening_update(
    opening: *mut roundworks_opening,
    data: *const u8,
    data_bytes: usize,
) -> c_int {
    let run = || {
        // SAFETY: the caller's promise.
        let opening = unsafe { target("opening", opening) }?;
        apart("data", (data, data_bytes), opening.out)?;
        let data = unsafe { input("data", data, data_bytes) }?;
        Ok(opening.opening.update(data)?)
    };
    report(run())
}

/// Checks the tag; `data_bytes` is set to how many bytes of the output are the data. If the tag is
/// wrong, all that was written is zero. Frees `opening`, whatever it returns.
///
/// # Safety
///
/// `opening` is from `roundworks_opening_new` and not freed; `tag` is good for `tag_bytes`,
/// `data_bytes` for a size.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roundworks_opening_finish(
    opening: *mut roundworks_opening,
    tag: *const u8,
    tag_bytes: usize,
    data_bytes: *mut usize,
) -> c_int {
    let run = || {
        // SAFETY: the caller's promise, here and below.
        let opening = unsafe { taken("opening", opening) }?;
        let data_bytes = unsafe { target("data_bytes", data_bytes) }?;
        apart("tag", (tag, tag_bytes), opening.out)?;
        let tag = unsafe { input("tag", tag, tag_bytes) }?;
        *data_bytes = opening.opening.finish(tag)?;
        Ok(())
    };
    report(run())
}

/// Gives up a message; all that was written is zero. NULL is allowed.
///
/// # Safety
///
/// `opening` is from `roundworks_opening_new` and not freed; its output still lives.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roundworks_opening_free(opening: *mut roundworks_opening) {
    // SAFETY: the caller's promise.
    unsafe { freed(opening) }
}
