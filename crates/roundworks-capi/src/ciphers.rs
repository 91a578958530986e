//! Functions of each cipher whose ciphertext is as long as its data: key and message in one call, the tag apart.

use std::ffi::c_int;

use rw::Error;
use zeroize::Zeroizing;

use crate::error::{Fault, report};
use crate::slices::{Place, apart, array, input, output, place};

/// Constants and functions of ciphers: name, name of constants, sizes of key and nonce, then each
/// size of tag with its type. The sizes are written out because the header has them as numbers.
macro_rules! ciphers {
    ($(
        $name:ident $NAME:ident, key $key:literal, nonce $nonce:literal:
        $($tag:literal $cipher:ident),+;
    )+) => {$( pastey::paste! {
        /// Bytes of a key.
        pub const [<ROUNDWORKS_ $NAME _KEY_BYTES>]: usize = $key;
        /// Bytes of a nonce.
        pub const [<ROUNDWORKS_ $NAME _NONCE_BYTES>]: usize = $nonce;
        $(const _: () = {
            assert!(rw::$cipher::KEY_BYTES == $key && rw::$cipher::NONCE_BYTES == $nonce);
            assert!(rw::$cipher::TAG_BYTES == $tag);
        };)+

        /// Encrypts `data` to `out`, which has room for as many bytes, and authenticates it
        /// together with `ad`; the size of the tag is chosen by `tag_bytes`.
        ///
        /// # Safety
        ///
        /// Every pointer is good for as many bytes as belong to it.
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
            let run = || {
                apart("tag", (tag, tag_bytes), (out, data_bytes))?;
                apart("ad", (ad, ad_bytes), (out, data_bytes))?;
                apart("ad", (ad, ad_bytes), (tag, tag_bytes))?;
                apart("data", (data, data_bytes), (tag, tag_bytes))?;
                // SAFETY: the caller's promise, for this and for the slices below; that none of
                // them is written while another reads it has just been checked.
                let key = Zeroizing::new(unsafe { array::<$key>("key", key) }?);
                let nonce = unsafe { array::<$nonce>("nonce", nonce) }?;
                let ad = unsafe { input("ad", ad, ad_bytes) }?;
                match tag_bytes {
                    $($tag => {
                        let cipher = rw::$cipher::new(&key);
                        // SAFETY: as above.
                        let (made, tag) = match place((data, data_bytes), (out, data_bytes))? {
                            Place::Same => unsafe {
                                let buf = output("out", out, data_bytes)?;
                                let to = output("tag", tag, $tag)?;
                                (cipher.encrypt_in_place(&nonce, ad, buf), to)
                            },
                            Place::Apart => unsafe {
                                let data = input("data", data, data_bytes)?;
                                let out = output("out", out, data_bytes)?;
                                let to = output("tag", tag, $tag)?;
                                (cipher.encrypt_into(&nonce, ad, data, out)?, to)
                            },
                        };
                        tag.copy_from_slice(made.as_ref());
                        Ok(())
                    })+
                    got => Err(wrong_tag(&[$($tag),+], got)),
                }
            };
            report(run())
        }

        /// Decrypts `data` to `out`, which has room for as many bytes, if `tag` belongs to it and
        /// to `ad`.
        ///
        /// # Safety
        ///
        /// Every pointer is good for as many bytes as belong to it.
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
            let run = || {
                apart("ad", (ad, ad_bytes), (out, data_bytes))?;
                // SAFETY: the caller's promise, for this and for the slices below; that none of
                // them is written while another reads it is checked.
                let key = Zeroizing::new(unsafe { array::<$key>("key", key) }?);
                let nonce = unsafe { array::<$nonce>("nonce", nonce) }?;
                let ad = unsafe { input("ad", ad, ad_bytes) }?;
                match tag_bytes {
                    $($tag => {
                        // SAFETY: as above.
                        let tag = rw::Tag::from(unsafe { array::<$tag>("tag", tag) }?);
                        let cipher = rw::$cipher::new(&key);
                        // SAFETY: as above.
                        match place((data, data_bytes), (out, data_bytes))? {
                            Place::Same => unsafe {
                                let buf = output("out", out, data_bytes)?;
                                let opened = cipher.decrypt_in_place(&nonce, ad, buf, &tag);
                                Ok(opened.map_err(Error::from)?)
                            },
                            Place::Apart => unsafe {
                                let data = input("data", data, data_bytes)?;
                                let out = output("out", out, data_bytes)?;
                                Ok(cipher.decrypt_into(&nonce, ad, data, &tag, out)?)
                            },
                        }
                    })+
                    got => Err(wrong_tag(&[$($tag),+], got)),
                }
            };
            report(run())
        }
    } )+};
}

/// `tag: want 16 or 32 bytes, got 20`
fn wrong_tag(sizes: &[usize], got: usize) -> Fault {
    let sizes: Vec<_> = sizes.iter().map(usize::to_string).collect();
    Fault::Length(format!("tag: want {} bytes, got {got}", sizes.join(" or ")))
}

ciphers! {
    aether AETHER, key 32, nonce 16: 16 Aether;
    aether_lb AETHER_LB, key 32, nonce 16: 16 AetherLb;
    aegis128 AEGIS128, key 16, nonce 16: 16 Aegis128;
    aegis128l AEGIS128L, key 16, nonce 16: 16 Aegis128L, 32 Aegis128LTag32;
    aegis128x2 AEGIS128X2, key 16, nonce 16: 16 Aegis128X2, 32 Aegis128X2Tag32;
    aegis128x4 AEGIS128X4, key 16, nonce 16: 16 Aegis128X4, 32 Aegis128X4Tag32;
    aegis256 AEGIS256, key 32, nonce 32: 16 Aegis256, 32 Aegis256Tag32;
    aegis256x2 AEGIS256X2, key 32, nonce 32: 16 Aegis256X2, 32 Aegis256X2Tag32;
    aegis256x4 AEGIS256X4, key 32, nonce 32: 16 Aegis256X4, 32 Aegis256X4Tag32;
    areion256_opp AREION256_OPP, key 16, nonce 16: 16 Areion256Opp;
    areion512_opp AREION512_OPP, key 16, nonce 16: 16 Areion512Opp;
    rocca_s ROCCA_S, key 32, nonce 16: 32 RoccaS;
}
