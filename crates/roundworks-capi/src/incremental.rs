//! Messages incrementally, under a cipher by name. The cipher may be freed before its messages.

use std::ffi::c_int;

use rw::{Opening, Sealing};
use zeroize::zeroize_stack;

use crate::any::{on_cpu, roundworks_cipher};
use crate::error::report;
use crate::handles::{freed, get_or, or_null, taken};
use crate::slices::{apart, bytes_of, input, output, target};

/// A message that is being sealed.
pub struct roundworks_sealing(Box<dyn Sealing>);

/// A message that is being opened. Its output holds unverified plaintext, which must not be read before
/// roundworks_opening_finish() has returned ROUNDWORKS_OK.
pub struct roundworks_opening {
    opening: Box<dyn Opening>,
    out: (*const u8, usize),
}

/// Begins to seal a message.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roundworks_sealing_new(
    cipher: *const roundworks_cipher,
    nonce: *const u8,
    nonce_bytes: usize,
) -> *mut roundworks_sealing {
    or_null(|| unsafe {
        let (cipher, nonce) = (on_cpu(cipher)?, input("nonce", nonce, nonce_bytes)?);
        let sealing = cipher.sealing(nonce);
        zeroize_stack::<8192>(); // where `sealing` moved key and state to their box
        Ok(roundworks_sealing(sealing?))
    })
}

/// Adds associated data; before the first data.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roundworks_sealing_ad(
    sealing: *mut roundworks_sealing,
    ad: *const u8,
    ad_bytes: usize,
) -> c_int {
    report(|| unsafe {
        let ad = input("ad", ad, ad_bytes)?;
        Ok(target("sealing", sealing)?.0.ad(ad)?)
    })
}

/// Size that roundworks_sealing_update() will write for data_bytes more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roundworks_sealing_update_bytes(
    sealing: *const roundworks_sealing,
    data_bytes: usize,
) -> usize {
    unsafe { get_or(sealing, 0, |it| it.0.update_bytes(data_bytes)) }
}

/// Encrypts the next data. out has exactly roundworks_sealing_update_bytes(), and shares no byte with
/// data.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roundworks_sealing_update(
    sealing: *mut roundworks_sealing,
    data: *const u8,
    data_bytes: usize,
    out: *mut u8,
    out_bytes: usize,
) -> c_int {
    report(|| unsafe {
        apart("data", (data, data_bytes), (out, out_bytes))?;
        let data = input("data", data, data_bytes)?;
        let out = output("out", out, out_bytes)?;
        Ok(target("sealing", sealing)?
            .0
            .update_into(data, out)
            .map(drop)?)
    })
}

/// Size that roundworks_sealing_finish() will write.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roundworks_sealing_finish_bytes(
    sealing: *const roundworks_sealing,
) -> usize {
    unsafe { get_or(sealing, 0, |it| it.0.finish_bytes()) }
}

/// Writes the rest of the ciphertext and the tag to out, which has exactly
/// roundworks_sealing_finish_bytes(). Frees sealing, whatever it returns.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roundworks_sealing_finish(
    sealing: *mut roundworks_sealing,
    out: *mut u8,
    out_bytes: usize,
) -> c_int {
    report(|| unsafe {
        let sealing = taken("sealing", sealing)?.0;
        Ok(sealing
            .finish_into(output("out", out, out_bytes)?)
            .map(drop)?)
    })
}

/// Abandons a message.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roundworks_sealing_free(sealing: *mut roundworks_sealing) {
    unsafe { freed(sealing) }
}

/// Begins to open a message into out, which must stay until the message is finished or abandoned.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roundworks_opening_new(
    cipher: *const roundworks_cipher,
    nonce: *const u8,
    nonce_bytes: usize,
    out: *mut u8,
    out_bytes: usize,
) -> *mut roundworks_opening {
    or_null(|| unsafe {
        apart("nonce", (nonce, nonce_bytes), (out, out_bytes))?;
        let nonce = input("nonce", nonce, nonce_bytes)?;
        let text: &'static mut [u8] = output("out", out, out_bytes)?;
        let opening = on_cpu(cipher)?.opening(nonce, text);
        zeroize_stack::<8192>(); // as in `roundworks_sealing_new`
        Ok(roundworks_opening {
            opening: opening?,
            out: (out.cast_const(), out_bytes),
        })
    })
}

/// Adds associated data; before the first ciphertext.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roundworks_opening_ad(
    opening: *mut roundworks_opening,
    ad: *const u8,
    ad_bytes: usize,
) -> c_int {
    report(|| unsafe {
        let opening = target("opening", opening)?;
        apart("ad", (ad, ad_bytes), opening.out)?;
        Ok(opening.opening.ad(input("ad", ad, ad_bytes)?)?)
    })
}

/// Decrypts the next ciphertext, which shares no byte with the output. ROUNDWORKS_OK says nothing of
/// the output: roundworks_opening_finish() alone verifies it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roundworks_opening_update(
    opening: *mut roundworks_opening,
    data: *const u8,
    data_bytes: usize,
) -> c_int {
    report(|| unsafe {
        let opening = target("opening", opening)?;
        apart("data", (data, data_bytes), opening.out)?;
        let data = input("data", data, data_bytes)?;
        Ok(opening.opening.update(data)?)
    })
}

/// Verifies the tag and sets *data_bytes to how many bytes of the output are the data. If the tag is
/// wrong, all that was written becomes zero. Frees opening, whatever it returns.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roundworks_opening_finish(
    opening: *mut roundworks_opening,
    tag: *const u8,
    tag_bytes: usize,
    data_bytes: *mut usize,
) -> c_int {
    report(|| unsafe {
        let opening = taken("opening", opening)?;
        apart("data_bytes", bytes_of(data_bytes), opening.out)?;
        apart("tag", (tag, tag_bytes), bytes_of(data_bytes))?;
        let data_bytes = target("data_bytes", data_bytes)?;
        apart("tag", (tag, tag_bytes), opening.out)?;
        let tag = input("tag", tag, tag_bytes)?;
        *data_bytes = opening.opening.finish(tag)?;
        Ok(())
    })
}

/// Abandons a message; all that was written becomes zero, so its output must still be there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roundworks_opening_free(opening: *mut roundworks_opening) {
    unsafe { freed(opening) }
}
