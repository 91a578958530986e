//! OpenSSL, built from the sources in `openssl-src`: AES-GCM of the EVP interface, one context for
//! each direction, its cipher fetched and its key set once.

use openssl::cipher::Cipher;
use openssl::cipher_ctx::CipherCtx;
use openssl::error::ErrorStack;
use roundworks_bench::{Entry, InPlace, counting};

/// # Panics
///
/// If this OpenSSL lacks AES-GCM.
pub fn entries() -> Vec<Entry> {
    [
        ("aes-128-gcm", "AES-128-GCM", &counting::<16>()[..]),
        ("aes-256-gcm", "AES-256-GCM", &counting::<32>()[..]),
    ]
    .map(|(cipher, fetched, key)| entry(cipher, fetched, key).expect("OpenSSL has AES-GCM"))
    .into()
}

fn entry(cipher: &'static str, fetched: &str, key: &[u8]) -> Result<Entry, ErrorStack> {
    let fetched = Cipher::fetch(None, fetched, None)?;
    let nonce = counting::<12>();
    let (mut sealer, mut opener) = (CipherCtx::new()?, CipherCtx::new()?);
    sealer.encrypt_init(Some(&fetched), Some(key), None)?;
    opener.decrypt_init(Some(&fetched), Some(key), None)?;

    let key = key.to_vec();
    let first = move |ad: &[u8], data: &mut [u8], tag: &mut [u8]| {
        let mut sealer = CipherCtx::new()?;
        sealer.encrypt_init(Some(&fetched), Some(&key), Some(&nonce))?;
        rest(&mut sealer, ad, data, tag)
    };
    let mut seal = move |ad: &[u8], data: &mut [u8], tag: &mut [u8]| {
        sealer.encrypt_init(None, None, Some(&nonce))?;
        rest(&mut sealer, ad, data, tag)
    };
    let mut open = move |ad: &[u8], data: &mut [u8], tag: &[u8]| {
        opener.decrypt_init(None, None, Some(&nonce))?;
        opener.set_tag(tag)?;
        if !ad.is_empty() {
            opener.cipher_update(ad, None)?;
        }
        if !data.is_empty() {
            opener.cipher_update_inplace(data, data.len())?;
        }
        opener.cipher_final(&mut [])
    };
    Ok(Entry {
        cipher,
        library: "openssl",
        version: version().to_owned(),
        backend: "run-time",
        many: None,
        witness: false,
        subject: Box::new(InPlace {
            tag_bytes: 16,
            first: move |ad: &[u8], data: &mut [u8], tag: &mut [u8]| {
                first(ad, data, tag).expect("encryption under a new key");
            },
            encrypt: move |ad: &[u8], data: &mut [u8], tag: &mut [u8]| {
                seal(ad, data, tag).expect("encryption under a key that is set");
            },
            decrypt: move |ad: &[u8], data: &mut [u8], tag: &[u8]| open(ad, data, tag).is_ok(),
        }),
    })
}

/// Encrypts a message behind its nonce.
fn rest(
    sealer: &mut CipherCtx,
    ad: &[u8],
    data: &mut [u8],
    tag: &mut [u8],
) -> Result<(), ErrorStack> {
    if !ad.is_empty() {
        sealer.cipher_update(ad, None)?;
    }
    if !data.is_empty() {
        sealer.cipher_update_inplace(data, data.len())?;
    }
    sealer.cipher_final(&mut [])?;
    sealer.tag(tag)
}

/// `3.6.3` of `OpenSSL 3.6.3 9 Jun 2026`.
fn version() -> &'static str {
    let whole = openssl::version::version();
    whole.split(' ').nth(1).unwrap_or(whole)
}
