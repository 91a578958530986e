//! Baselines: ciphers that are not ours, behind the interface of ours.
//!
//! | cipher | from |
//! |---|---|
//! | AES-128-GCM, AES-256-GCM | AWS-LC, through `aws-lc-rs` |
//! | Ascon-AEAD128 [SP800-232, section 4] | RustCrypto's `ascon-aead` 0.6 |
//! | Ascon-128a v1.2 | RustCrypto's `ascon-aead` 0.4, the last series that has it |
//!
//! Nothing here computes a cipher: what a library gives is checked against vectors, measured and
//! offered, never written again.
//!
//! ```
//! let cipher = roundworks_baselines::cipher("aes-256-gcm", &[7; 32])?;
//! let nonce = [1; 12]; // never twice under one key
//! let mut sealed = vec![0; cipher.sealed_bytes(14)];
//! cipher.seal_into(&nonce, b"header", b"attack at dawn", &mut sealed)?;
//!
//! let mut opened = [0; 14];
//! cipher.open_into(&nonce, b"header", &sealed, &mut opened)?;
//! assert_eq!(&opened, b"attack at dawn");
//! # Ok::<(), roundworks::Error>(())
//! ```

#![forbid(unsafe_code)]

mod ascon;
mod baseline;
mod gcm;

use roundworks::{Cipher, Error, Facts};

use crate::baseline::Entry;
use crate::gcm::Gcm;

const ALL: &[Entry] = &[
    Entry::of::<Gcm<16>, _>(),
    Entry::of::<Gcm<32>, _>(),
    Entry::of::<ascon_aead_v12::Ascon128a, _>(),
    Entry::of::<ascon_aead::AsconAead128, _>(),
];

/// The baseline called `name`, as `roundworks::cipher` gives ours.
///
/// ```
/// let cipher = roundworks_baselines::cipher("ascon-aead128", &[7; 16])?;
/// assert_eq!(cipher.backend_name(), "ascon-aead 0.6");
/// # Ok::<(), roundworks::Error>(())
/// ```
///
/// # Errors
///
/// [`Error::UnknownCipher`], [`Error::Length`] of the key.
pub fn cipher(name: &str, key: &[u8]) -> Result<Box<dyn Cipher>, Error> {
    let entry = ALL.iter().find(|entry| entry.facts.name == name);
    entry.ok_or(Error::UnknownCipher)?.keyed(key)
}

/// What is fixed about each baseline.
pub fn ciphers() -> impl Iterator<Item = &'static Facts> {
    ALL.iter().map(|entry| entry.facts)
}
