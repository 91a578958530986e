//! Yardsticks: ciphers that are not ours, behind the interface of ours.
//!
//! | cipher | type | from |
//! |---|---|---|
//! | AES-128-GCM, AES-256-GCM | [`Aes128Gcm`], [`Aes256Gcm`] | AWS-LC, through `aws-lc-rs` |
//! | Ascon-AEAD128 [SP800-232, section 4] | [`AsconAead128`] | RustCrypto's `ascon-aead` 0.6 |
//! | Ascon-128a v1.2 | [`Ascon128a`] | RustCrypto's `ascon-aead` 0.4, the last series that has it |
//!
//! Nothing here computes a cipher: what a library gives is checked against vectors, measured and
//! offered, never written again.
//!
//! ```
//! use roundworks::Cipher;
//! use roundworks_yardsticks::Aes256Gcm;
//!
//! let cipher = Aes256Gcm::new(&[7; Aes256Gcm::KEY_BYTES]);
//! let nonce = [1; Aes256Gcm::NONCE_BYTES]; // never twice under one key
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
mod frame;
mod gcm;

use roundworks::{Cipher, Error, Facts};

pub use crate::ascon::{Ascon128a, AsconAead128};
pub use crate::gcm::{Aes128Gcm, Aes256Gcm};

/// The yardstick called `name`, as `roundworks::cipher` gives ours.
///
/// ```
/// let cipher = roundworks_yardsticks::cipher("ascon-aead128", &[7; 16])?;
/// assert_eq!(cipher.backend_name(), "ascon-aead 0.6");
/// # Ok::<(), roundworks::Error>(())
/// ```
///
/// # Errors
///
/// [`Error::UnknownCipher`], [`Error::Length`] of the key.
pub fn cipher(name: &str, key: &[u8]) -> Result<Box<dyn Cipher>, Error> {
    macro_rules! by_name {
        ($($cipher:ident $about:literal,)*) => {
            match name {
                $($cipher::NAME => {
                    let want = $cipher::KEY_BYTES;
                    let got = key.len();
                    let key = key.try_into();
                    let key = key.map_err(|_| Error::Length { what: "key", want, got })?;
                    Ok(Box::new($cipher::new(key)))
                })*
                _ => Err(Error::UnknownCipher),
            }
        };
    }
    for_each_yardstick!(by_name)
}

/// What is fixed about each yardstick.
pub fn ciphers() -> impl Iterator<Item = &'static Facts> {
    macro_rules! facts {
        ($($cipher:ident $about:literal,)*) => { [$($cipher::FACTS),*] };
    }
    for_each_yardstick!(facts).into_iter()
}

/// Expands to `$with! { Type "what it is in a line", ... }` with every yardstick, as
/// `roundworks::for_each_cipher!` does with every cipher.
///
/// ```
/// macro_rules! names {
///     ($($cipher:ident $about:literal,)*) => { [$(roundworks_yardsticks::$cipher::NAME),*] };
/// }
/// assert!(roundworks_yardsticks::for_each_yardstick!(names).contains(&"aes-256-gcm"));
/// ```
#[macro_export]
macro_rules! for_each_yardstick {
    ($with:ident) => {
        $with! {
            Aes128Gcm "AES-128-GCM, from AWS-LC.",
            Aes256Gcm "AES-256-GCM, from AWS-LC.",
            Ascon128a "Ascon-128a v1.2, from the crate ascon-aead 0.4.",
            AsconAead128 "Ascon-AEAD128 of NIST, from the crate ascon-aead 0.6.",
        }
    };
}
