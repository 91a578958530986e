//! AEGIS as a MAC in one call.
//!
//! The key has KEYBYTES, the nonce NPUBBYTES, the tag ABYTES_MIN or ABYTES_MAX as tag_bytes says.
//! A key that makes MACs must not encrypt, too. mac_verify returns ROUNDWORKS_OK if tag is that of
//! data, ROUNDWORKS_ERROR_TAG if not, in constant time.

use std::ffi::c_int;

use crate::ciphers::by_tag;
use crate::error::report_cleared;
use crate::slices::{apart, array, input, output};

/// As `ciphers!`, without constants.
macro_rules! macs {
    ($(
        $name:ident: key $key:literal, nonce $nonce:literal, tag $min:literal to $max:literal,
        $tags:tt;
    )+) => {$( pastey::paste! {
        /// Writes the tag of `data`.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn [<roundworks_ $name _mac>](
            key: *const u8,
            nonce: *const u8,
            data: *const u8,
            data_bytes: usize,
            tag: *mut u8,
            tag_bytes: usize,
        ) -> c_int {
            report_cleared(|| unsafe {
                apart("data", (data, data_bytes), (tag, tag_bytes))?;
                let key = array::<$key>("key", key)?;
                let nonce = *array::<$nonce>("nonce", nonce)?;
                by_tag!(tag_bytes, $tags, |C, TAG| {
                    let data = input("data", data, data_bytes)?;
                    let made = C::new(key).mac(&nonce, data);
                    output("tag", tag, TAG)?.copy_from_slice(made.as_ref());
                    Ok(())
                })
            })
        }

        /// Whether `tag` is that of `data`.
        #[must_use]
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn [<roundworks_ $name _mac_verify>](
            key: *const u8,
            nonce: *const u8,
            data: *const u8,
            data_bytes: usize,
            tag: *const u8,
            tag_bytes: usize,
        ) -> c_int {
            report_cleared(|| unsafe {
                let key = array::<$key>("key", key)?;
                let nonce = *array::<$nonce>("nonce", nonce)?;
                by_tag!(tag_bytes, $tags, |C, TAG| {
                    let tag = rw::Tag::from(*array::<TAG>("tag", tag)?);
                    let data = input("data", data, data_bytes)?;
                    Ok(C::new(key).verify(&nonce, data, &tag)?)
                })
            })
        }
    } )+};
}

macs! {
    aegis128l: key 16, nonce 16, tag 16 to 32, [16 Aegis128L, 32 Aegis128LTag32];
    aegis128x2: key 16, nonce 16, tag 16 to 32, [16 Aegis128X2, 32 Aegis128X2Tag32];
    aegis128x4: key 16, nonce 16, tag 16 to 32, [16 Aegis128X4, 32 Aegis128X4Tag32];
    aegis256: key 32, nonce 32, tag 16 to 32, [16 Aegis256, 32 Aegis256Tag32];
    aegis256x2: key 32, nonce 32, tag 16 to 32, [16 Aegis256X2, 32 Aegis256X2Tag32];
    aegis256x4: key 32, nonce 32, tag 16 to 32, [16 Aegis256X4, 32 Aegis256X4Tag32];
}
