//! Ciphers whose ciphertext is as long as their data: one message in one call, the tag apart.
//!
//! The key has KEYBYTES, the nonce NPUBBYTES, the tag ABYTES_MIN or ABYTES_MAX as tag_bytes says, and
//! the output data_bytes. Decryption fills the output with zeros and returns ROUNDWORKS_ERROR_TAG if
//! the tag does not belong to ad and data.
//!
//! AETHER is for study only: a forgery of it is known. AETHER-LB is our variant with lengths bound.

#![allow(non_upper_case_globals)] // libsodium's names of constants

use std::ffi::c_int;

use crate::error::{Fault, report_cleared};
use crate::slices::{Place, apart, array, input, output, place, possible};

/// `$run` with the cipher as `$type` and the size of its tag as `$size`, by that size.
macro_rules! by_tag {
    ($bytes:ident, [$($tag:literal $cipher:ident),+], |$type:ident, $size:ident| $run:expr) => {
        match $bytes {
            $($tag => {
                type $type = rw::$cipher;
                const $size: usize = $tag;
                $run
            })+
            got => Err($crate::ciphers::wrong_tag(&[$($tag),+], got)),
        }
    };
}

pub(crate) use by_tag;

/// Sizes are written out because the header has them as numbers; here they are compared.
macro_rules! check_sizes {
    ([$($tag:literal $cipher:ident),+], $key:literal, $nonce:literal, $min:literal, $max:literal) => {
        const _: () = {
            let sizes = [$(rw::$cipher::TAG_BYTES),+];
            assert!(sizes[0] == $min && sizes[sizes.len() - 1] == $max);
            $(assert!(rw::$cipher::KEY_BYTES == $key && rw::$cipher::NONCE_BYTES == $nonce);)+
            $(assert!(rw::$cipher::TAG_BYTES == $tag);)+
        };
    };
}

/// Constants and functions of ciphers. The generator of the header expands this macro as text: its body
/// uses the plain names below and no repetition.
macro_rules! ciphers {
    ($(
        $name:ident: key $key:literal, nonce $nonce:literal, tag $min:literal to $max:literal,
        $tags:tt;
    )+) => {$( pastey::paste! {
        /// Size of the key.
        pub const [<roundworks_ $name _KEYBYTES>]: usize = $key;
        /// Size of the nonce.
        pub const [<roundworks_ $name _NPUBBYTES>]: usize = $nonce;
        /// Smallest size of the tag.
        pub const [<roundworks_ $name _ABYTES_MIN>]: usize = $min;
        /// Largest size of the tag.
        pub const [<roundworks_ $name _ABYTES_MAX>]: usize = $max;
        check_sizes!($tags, $key, $nonce, $min, $max);

        /// Encrypts `data` to `out` and writes the tag of `ad` and `data`.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn [<roundworks_ $name _encrypt_detached>](
            key: *const u8,
            nonce: *const u8,
            ad: *const u8,
            ad_bytes: usize,
            data: *const u8,
            data_bytes: usize,
            out: *mut u8,
            tag: *mut u8,
            tag_bytes: usize,
        ) -> c_int {
            report_cleared(|| unsafe {
                possible("data", data_bytes)?;
                apart("tag", (tag, tag_bytes), (out, data_bytes))?;
                apart("ad", (ad, ad_bytes), (out, data_bytes))?;
                apart("ad", (ad, ad_bytes), (tag, tag_bytes))?;
                apart("data", (data, data_bytes), (tag, tag_bytes))?;
                let key = array::<$key>("key", key)?;
                let nonce = *array::<$nonce>("nonce", nonce)?;
                let ad = input("ad", ad, ad_bytes)?;
                by_tag!(tag_bytes, $tags, |C, TAG| {
                    let (cipher, place) = (C::new(key), place((data, data_bytes), (out, data_bytes))?);
                    let (out, to) = (output("out", out, data_bytes)?, output("tag", tag, TAG)?);
                    let made = match place {
                        Place::Same => cipher.encrypt_in_place(&nonce, ad, out),
                        Place::Apart => {
                            cipher.encrypt_into(&nonce, ad, input("data", data, data_bytes)?, out)?
                        }
                    };
                    to.copy_from_slice(made.as_ref());
                    Ok(())
                })
            })
        }

        /// Decrypts `data` to `out` if `tag` belongs to it and to `ad`.
        #[must_use]
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn [<roundworks_ $name _decrypt_detached>](
            key: *const u8,
            nonce: *const u8,
            ad: *const u8,
            ad_bytes: usize,
            data: *const u8,
            data_bytes: usize,
            tag: *const u8,
            tag_bytes: usize,
            out: *mut u8,
        ) -> c_int {
            report_cleared(|| unsafe {
                possible("data", data_bytes)?;
                apart("ad", (ad, ad_bytes), (out, data_bytes))?;
                let key = array::<$key>("key", key)?;
                let nonce = *array::<$nonce>("nonce", nonce)?;
                let ad = input("ad", ad, ad_bytes)?;
                by_tag!(tag_bytes, $tags, |C, TAG| {
                    let tag = rw::Tag::from(*array::<TAG>("tag", tag)?);
                    let (cipher, place) = (C::new(key), place((data, data_bytes), (out, data_bytes))?);
                    let out = output("out", out, data_bytes)?;
                    Ok(match place {
                        Place::Same => cipher.decrypt_in_place(&nonce, ad, out, &tag)?,
                        Place::Apart => {
                            let data = input("data", data, data_bytes)?;
                            cipher.decrypt_into(&nonce, ad, data, &tag, out)?
                        }
                    })
                })
            })
        }
    } )+};
}

/// `tag: want 16 or 32 bytes, got 20`
pub(crate) fn wrong_tag(sizes: &[usize], got: usize) -> Fault {
    let sizes: Vec<_> = sizes.iter().map(usize::to_string).collect();
    Fault::Length(format!("tag: want {} bytes, got {got}", sizes.join(" or ")))
}

ciphers! {
    aegis128l: key 16, nonce 16, tag 16 to 32, [16 Aegis128L, 32 Aegis128LTag32];
    aegis128x2: key 16, nonce 16, tag 16 to 32, [16 Aegis128X2, 32 Aegis128X2Tag32];
    aegis128x4: key 16, nonce 16, tag 16 to 32, [16 Aegis128X4, 32 Aegis128X4Tag32];
    aegis256: key 32, nonce 32, tag 16 to 32, [16 Aegis256, 32 Aegis256Tag32];
    aegis256x2: key 32, nonce 32, tag 16 to 32, [16 Aegis256X2, 32 Aegis256X2Tag32];
    aegis256x4: key 32, nonce 32, tag 16 to 32, [16 Aegis256X4, 32 Aegis256X4Tag32];
    aegis128: key 16, nonce 16, tag 16 to 16, [16 Aegis128];
    rocca_s: key 32, nonce 16, tag 32 to 32, [32 RoccaS];
    areion256_opp: key 16, nonce 16, tag 16 to 16, [16 Areion256Opp];
    areion512_opp: key 16, nonce 16, tag 16 to 16, [16 Areion512Opp];
    aether: key 32, nonce 16, tag 16 to 16, [16 Aether];
    aether_lb: key 32, nonce 16, tag 16 to 16, [16 AetherLb];
}
