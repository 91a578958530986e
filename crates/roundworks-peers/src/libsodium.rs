//! libsodium, built from the sources in its crate; it chooses instructions at run time.
#![allow(unsafe_code)]

use std::ptr::null;

use libsodium_sys as sodium;
use roundworks_bench::{Entry, InPlace, counting};

/// AEGIS-128L and AEGIS-256; libsodium fixes their tags at 32 bytes.
///
/// # Panics
///
/// If libsodium cannot start.
pub fn entries() -> Vec<Entry> {
    // SAFETY: takes nothing, and may be called any number of times.
    assert!(
        unsafe { sodium::sodium_init() } >= 0,
        "libsodium: cannot start"
    );
    macro_rules! entry {
        ($name:literal, $key:literal, $nonce:literal, $encrypt:ident, $decrypt:ident) => {{
            let seal = |ad: &[u8], data: &mut [u8], tag: &mut [u8]| {
                let (key, nonce) = (counting::<$key>(), counting::<$nonce>());
                assert_eq!(tag.len(), 32);
                let at = data.as_mut_ptr();
                // SAFETY: each pointer has its length next to it, key, nonce and tag have
                // the sizes this function fixes, and its plaintext and ciphertext may be
                // one buffer.
                let code = unsafe {
                    sodium::$encrypt(
                        at,
                        tag.as_mut_ptr(),
                        &mut 0,
                        at,
                        data.len() as u64,
                        ad.as_ptr(),
                        ad.len() as u64,
                        null(),
                        nonce.as_ptr(),
                        key.as_ptr(),
                    )
                };
                assert_eq!(code, 0);
            };
            Entry {
                cipher: $name,
                library: "libsodium",
                version: version(),
                backend: "run-time",
                many: None,
                witness: false,
                subject: Box::new(InPlace {
                    tag_bytes: 32,
                    first: seal, // no key is kept: every message is a first one
                    encrypt: seal,
                    decrypt: |ad: &[u8], data: &mut [u8], tag: &[u8]| {
                        let (key, nonce) = (counting::<$key>(), counting::<$nonce>());
                        assert_eq!(tag.len(), 32);
                        let at = data.as_mut_ptr();
                        // SAFETY: as for encryption.
                        let code = unsafe {
                            sodium::$decrypt(
                                at,
                                std::ptr::null_mut(),
                                at,
                                data.len() as u64,
                                tag.as_ptr(),
                                ad.as_ptr(),
                                ad.len() as u64,
                                nonce.as_ptr(),
                                key.as_ptr(),
                            )
                        };
                        code == 0
                    },
                }),
            }
        }};
    }
    vec![
        entry!(
            "aegis-128l",
            16,
            16,
            crypto_aead_aegis128l_encrypt_detached,
            crypto_aead_aegis128l_decrypt_detached
        ),
        entry!(
            "aegis-256",
            32,
            32,
            crypto_aead_aegis256_encrypt_detached,
            crypto_aead_aegis256_decrypt_detached
        ),
    ]
}

fn version() -> String {
    // SAFETY: returns a string that ends in zero and stays as long as the program.
    let text = unsafe { std::ffi::CStr::from_ptr(sodium::sodium_version_string()) };
    text.to_string_lossy().into_owned()
}
