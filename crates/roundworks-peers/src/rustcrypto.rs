//! RustCrypto: AES-GCM, and Ascon in the two versions of its crate. All in Rust; AES-GCM looks for
//! AES instructions at run time.

use std::hint::black_box;

use aes_gcm::aead::inout::InOutBuf;
use aes_gcm::aead::{AeadInOut, KeyInit};
use aes_gcm::{Aes128Gcm, Aes256Gcm};
use ascon_aead::AsconAead128;
use ascon_aead_v12::Ascon128a;
use ascon_aead_v12::aead::{AeadInPlace, KeyInit as _};
use roundworks_bench::{Entry, InPlace, counting};

pub fn entries() -> Vec<Entry> {
    macro_rules! entry {
        ($name:literal, $library:literal, $version:literal, $cipher:ident, $nonce:literal) => {{
            let keyed = || $cipher::new(&black_box(counting()).into());
            let (sealer, opener) = (keyed(), keyed());
            let nonce = counting::<$nonce>();
            Entry {
                cipher: $name,
                library: $library,
                version: $version.into(),
                backend: "run-time",
                many: None,
                witness: false,
                subject: Box::new(InPlace {
                    tag_bytes: 16,
                    first: move |ad: &[u8], data: &mut [u8], tag: &mut [u8]| {
                        let made =
                            keyed().encrypt_inout_detached(&nonce.into(), ad, InOutBuf::from(data));
                        tag.copy_from_slice(&made.expect("short enough"));
                    },
                    encrypt: move |ad: &[u8], data: &mut [u8], tag: &mut [u8]| {
                        let made =
                            sealer.encrypt_inout_detached(&nonce.into(), ad, InOutBuf::from(data));
                        tag.copy_from_slice(&made.expect("short enough"));
                    },
                    decrypt: move |ad: &[u8], data: &mut [u8], tag: &[u8]| {
                        let tag = tag.try_into().expect("16 bytes");
                        opener
                            .decrypt_inout_detached(&nonce.into(), ad, InOutBuf::from(data), tag)
                            .is_ok()
                    },
                }),
            }
        }};
    }
    vec![
        entry!("aes-128-gcm", "aes-gcm", "0.11.1", Aes128Gcm, 12),
        entry!("aes-256-gcm", "aes-gcm", "0.11.1", Aes256Gcm, 12),
        entry!("ascon-aead128", "ascon-aead", "0.6.0", AsconAead128, 16),
        ascon_128a(),
    ]
}

fn ascon_128a() -> Entry {
    let keyed = || Ascon128a::new(&black_box(counting::<16>()).into());
    let (sealer, opener) = (keyed(), keyed());
    let nonce = counting::<16>();
    Entry {
        cipher: "ascon-128a",
        library: "ascon-aead",
        version: "0.4.4".into(),
        backend: "run-time",
        many: None,
        witness: false,
        subject: Box::new(InPlace {
            tag_bytes: 16,
            first: move |ad: &[u8], data: &mut [u8], tag: &mut [u8]| {
                let made = keyed().encrypt_in_place_detached(&nonce.into(), ad, data);
                tag.copy_from_slice(&made.expect("short enough"));
            },
            encrypt: move |ad: &[u8], data: &mut [u8], tag: &mut [u8]| {
                let made = sealer.encrypt_in_place_detached(&nonce.into(), ad, data);
                tag.copy_from_slice(&made.expect("short enough"));
            },
            decrypt: move |ad: &[u8], data: &mut [u8], tag: &[u8]| {
                let tag = tag.into();
                opener
                    .decrypt_in_place_detached(&nonce.into(), ad, data, tag)
                    .is_ok()
            },
        }),
    }
}
