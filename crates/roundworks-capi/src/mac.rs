//! A MAC by name, incrementally: AEGIS, or Minalpher, which takes no nonce.

use std::ffi::{c_char, c_int};

use rw::Mac;
use zeroize::zeroize_stack;

use crate::any::named_backend;
use crate::error::report;
use crate::handles::{freed, get_or, or_null, taken};
use crate::slices::{input, output, target, text};

/// A MAC that is being computed.
pub struct roundworks_mac(Box<dyn Mac>);

/// Begins a MAC. name is such as "aegis-128l", "aegis-256x2" or "minalpher"; tag_bytes 0 is the usual
/// size; backend NULL is the fastest on this CPU.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roundworks_mac_new(
    name: *const c_char,
    key: *const u8,
    key_bytes: usize,
    nonce: *const u8,
    nonce_bytes: usize,
    tag_bytes: usize,
    backend: *const c_char,
) -> *mut roundworks_mac {
    or_null(|| unsafe {
        let (name, key) = (text("name", name)?, input("key", key, key_bytes)?);
        let nonce = input("nonce", nonce, nonce_bytes)?;
        let (tag_bytes, backend) = (
            (tag_bytes > 0).then_some(tag_bytes),
            named_backend(backend)?,
        );
        let made = rw::mac(name, key, nonce, tag_bytes, backend);
        zeroize_stack::<8192>(); // where `mac` moved key and state to their box
        Ok(roundworks_mac(made?))
    })
}

/// Size of the tag.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roundworks_mac_tag_bytes(mac: *const roundworks_mac) -> usize {
    unsafe { get_or(mac, 0, |it| it.0.tag_bytes()) }
}

/// Adds data.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roundworks_mac_update(
    mac: *mut roundworks_mac,
    data: *const u8,
    data_bytes: usize,
) -> c_int {
    report(|| unsafe {
        let data = input("data", data, data_bytes)?;
        Ok(target("mac", mac)?.0.update(data)?)
    })
}

/// Writes the tag, which has exactly roundworks_mac_tag_bytes(). Frees mac, whatever it returns.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roundworks_mac_finish(
    mac: *mut roundworks_mac,
    tag: *mut u8,
    tag_bytes: usize,
) -> c_int {
    report(|| unsafe {
        let mac = taken("mac", mac)?.0;
        Ok(mac.finish_into(output("tag", tag, tag_bytes)?)?)
    })
}

/// ROUNDWORKS_OK if tag is that of all data, ROUNDWORKS_ERROR_TAG if not, in constant time. Frees mac,
/// whatever it returns.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roundworks_mac_verify(
    mac: *mut roundworks_mac,
    tag: *const u8,
    tag_bytes: usize,
) -> c_int {
    report(|| unsafe {
        let mac = taken("mac", mac)?.0;
        Ok(mac.verify(input("tag", tag, tag_bytes)?)?)
    })
}

/// Abandons a MAC.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roundworks_mac_free(mac: *mut roundworks_mac) {
    unsafe { freed(mac) }
}
