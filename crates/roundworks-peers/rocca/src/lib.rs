//! The crate `rocca` (it is Rocca-S), compiled with AES instructions: by itself it decides at
//! compile time, and a default build gets tables. The features come from
//! `rustc-with-features.sh`; these functions are not generic, so they are compiled here.

#![forbid(unsafe_code)]

use rocca::Rocca;

/// Whether the features arrived.
pub const FEATURES: &str = if cfg!(all(target_feature = "aes", target_feature = "sse4.1")) {
    "+aes,+sse4.1"
} else {
    "default"
};

/// Encrypts in place.
#[inline(never)]
#[must_use]
pub fn encrypt(key: &[u8; 32], nonce: &[u8; 16], ad: &[u8], data: &mut [u8]) -> [u8; 32] {
    Rocca::new(nonce, key).encrypt_in_place(data, ad)
}

/// Decrypts in place; whether the tag belongs to it.
#[inline(never)]
#[must_use]
pub fn decrypt(
    key: &[u8; 32],
    nonce: &[u8; 16],
    ad: &[u8],
    data: &mut [u8],
    tag: &[u8; 32],
) -> bool {
    Rocca::new(nonce, key)
        .decrypt_in_place(data, tag, ad)
        .is_ok()
}
