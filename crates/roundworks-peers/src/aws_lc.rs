//! AWS-LC, through aws-lc-rs: AES-GCM under a key set once.

use std::hint::black_box;

use aws_lc_rs::aead::{AES_128_GCM, AES_256_GCM, Aad, Algorithm, LessSafeKey, Nonce, UnboundKey};
use roundworks_bench::{Entry, InPlace, counting};

pub fn entries() -> Vec<Entry> {
    vec![
        entry("aes-128-gcm", &AES_128_GCM, &counting::<16>()),
        entry("aes-256-gcm", &AES_256_GCM, &counting::<32>()),
    ]
}

fn entry(cipher: &'static str, algorithm: &'static Algorithm, key: &[u8]) -> Entry {
    let key = key.to_vec();
    let keyed = move || {
        LessSafeKey::new(UnboundKey::new(algorithm, black_box(&key[..])).expect("its size"))
    };
    let (sealer, opener) = (keyed(), keyed());
    let nonce = || Nonce::assume_unique_for_key(counting());
    Entry {
        cipher,
        library: "aws-lc-rs",
        version: "1.19.0".into(),
        backend: "run-time",
        many: None,
        witness: false,
        subject: Box::new(InPlace {
            tag_bytes: 16,
            first: move |ad: &[u8], data: &mut [u8], tag: &mut [u8]| {
                let made = keyed().seal_in_place_separate_tag(nonce(), Aad::from(ad), data);
                tag.copy_from_slice(made.expect("short enough").as_ref());
            },
            encrypt: move |ad: &[u8], data: &mut [u8], tag: &mut [u8]| {
                let made = sealer.seal_in_place_separate_tag(nonce(), Aad::from(ad), data);
                tag.copy_from_slice(made.expect("short enough").as_ref());
            },
            decrypt: move |ad: &[u8], data: &mut [u8], tag: &[u8]| {
                opener
                    .open_in_place_separate_tag(nonce(), Aad::from(ad), tag, data)
                    .is_ok()
            },
        }),
    }
}
