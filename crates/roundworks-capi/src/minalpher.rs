//! Minalpher, whose ciphertext is longer than its data, and its MAC mode.

#![allow(non_upper_case_globals)] // libsodium's names of constants

use std::ffi::c_int;

use rw::Minalpher;

use crate::error::report_cleared;
use crate::slices::{Place, apart, array, bytes_of, check, input, output, place, possible, target};

/// Size of the key.
pub const roundworks_minalpher_KEYBYTES: usize = 16;
/// Size of the nonce.
pub const roundworks_minalpher_NPUBBYTES: usize = 13;
/// Size of the tag.
pub const roundworks_minalpher_ABYTES: usize = 16;
const _: () = assert!(
    Minalpher::KEY_BYTES == 16 && Minalpher::NONCE_BYTES == 13 && Minalpher::TAG_BYTES == 16
);

/// Size of the ciphertext without its tag: the next multiple of 32 above data_bytes.
#[unsafe(no_mangle)]
pub extern "C" fn roundworks_minalpher_ciphertext_bytes(data_bytes: usize) -> usize {
    Minalpher::ciphertext_bytes(data_bytes)
}

/// out_bytes is roundworks_minalpher_ciphertext_bytes(data_bytes).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roundworks_minalpher_encrypt_detached(
    key: *const u8,
    nonce: *const u8,
    ad: *const u8,
    ad_bytes: usize,
    data: *const u8,
    data_bytes: usize,
    out: *mut u8,
    out_bytes: usize,
    tag: *mut u8,
    tag_bytes: usize,
) -> c_int {
    report_cleared(|| unsafe {
        check("tag", tag_bytes, Minalpher::TAG_BYTES)?;
        possible("data", data_bytes)?;
        check("out", out_bytes, Minalpher::ciphertext_bytes(data_bytes))?;
        apart("tag", (tag, tag_bytes), (out, out_bytes))?;
        apart("ad", (ad, ad_bytes), (out, out_bytes))?;
        apart("ad", (ad, ad_bytes), (tag, tag_bytes))?;
        apart("data", (data, data_bytes), (tag, tag_bytes))?;
        let key = array::<16>("key", key)?;
        let nonce = *array::<13>("nonce", nonce)?;
        let ad = input("ad", ad, ad_bytes)?;
        let cipher = Minalpher::new(key);
        let out_place = place((data, data_bytes), (out, out_bytes))?;
        let to = output("tag", tag, tag_bytes)?;
        let out = output("out", out, out_bytes)?;
        let made = match out_place {
            Place::Same => cipher.encrypt_in_place(&nonce, ad, out, data_bytes)?,
            Place::Apart => {
                let data = input("data", data, data_bytes)?;
                cipher.encrypt_detached_into(&nonce, ad, data, out)?
            }
        };
        to.copy_from_slice(made.as_ref());
        Ok(())
    })
}

/// The output has data_bytes, the size of the ciphertext; *written is set to how many of them are
/// the plaintext.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roundworks_minalpher_decrypt_detached(
    key: *const u8,
    nonce: *const u8,
    ad: *const u8,
    ad_bytes: usize,
    data: *const u8,
    data_bytes: usize,
    tag: *const u8,
    tag_bytes: usize,
    out: *mut u8,
    written: *mut usize,
) -> c_int {
    report_cleared(|| unsafe {
        check("tag", tag_bytes, Minalpher::TAG_BYTES)?;
        possible("data", data_bytes)?;
        let size = bytes_of(written);
        apart("written", size, (out, data_bytes))?;
        apart("data", (data, data_bytes), size)?;
        apart("ad", (ad, ad_bytes), size)?;
        let written = target("written", written)?;
        apart("ad", (ad, ad_bytes), (out, data_bytes))?;
        let key = array::<16>("key", key)?;
        let nonce = *array::<13>("nonce", nonce)?;
        let ad = input("ad", ad, ad_bytes)?;
        let tag = rw::Tag::from(*array::<16>("tag", tag)?);
        let cipher = Minalpher::new(key);
        let out_place = place((data, data_bytes), (out, data_bytes))?;
        let out = output("out", out, data_bytes)?;
        let opened = match out_place {
            Place::Same => cipher.decrypt_in_place(&nonce, ad, out, &tag)?,
            Place::Apart => {
                let data = input("data", data, data_bytes)?;
                cipher.decrypt_detached_into(&nonce, ad, data, &tag, out)?
            }
        };
        *written = opened;
        Ok(())
    })
}

/// Writes the tag of data in the MAC mode, which takes no nonce.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roundworks_minalpher_mac(
    key: *const u8,
    data: *const u8,
    data_bytes: usize,
    tag: *mut u8,
    tag_bytes: usize,
) -> c_int {
    report_cleared(|| unsafe {
        check("tag", tag_bytes, Minalpher::TAG_BYTES)?;
        let key = array::<16>("key", key)?;
        let made = Minalpher::new(key).mac(input("data", data, data_bytes)?);
        output("tag", tag, tag_bytes)?.copy_from_slice(made.as_ref());
        Ok(())
    })
}

/// ROUNDWORKS_OK if tag is that of data in the MAC mode, ROUNDWORKS_ERROR_TAG if not, in constant
/// time.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roundworks_minalpher_mac_verify(
    key: *const u8,
    data: *const u8,
    data_bytes: usize,
    tag: *const u8,
    tag_bytes: usize,
) -> c_int {
    report_cleared(|| unsafe {
        check("tag", tag_bytes, Minalpher::TAG_BYTES)?;
        let key = array::<16>("key", key)?;
        let tag = rw::Tag::from(*array::<16>("tag", tag)?);
        let data = input("data", data, data_bytes)?;
        Ok(Minalpher::new(key).verify(data, &tag)?)
    })
}
