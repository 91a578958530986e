//! Symmetric ciphers built on AES-like rounds: `no_std`, no allocation, constant time on every
//! back end, the back end chosen at run time.
//!
//! | cipher | type | status | back ends |
//! |---|---|---|---|
//! | AETHER, as published | [`Aether`] | **research only: forgeable** | portable, avx2, avx512 |
//! | AETHER with lengths bound | [`AetherLb`] | our variant, for study | portable, avx2, avx512 |
//! | AEGIS-128, CAESAR v1.1 | [`Aegis128`] | published | portable, aesni |
//!
//! Arguments stand everywhere in the order *nonce, associated data, data, tag*.
//!
//! ```
//! use roundworks::Aegis128;
//!
//! let cipher = Aegis128::new(&[7; Aegis128::KEY_BYTES]);
//! let nonce = [1; Aegis128::NONCE_BYTES]; // never twice under one key
//! let mut buf = *b"attack at dawn";
//!
//! let tag = cipher.encrypt_in_place(&nonce, b"header", &mut buf);
//! cipher.decrypt_in_place(&nonce, b"header", &mut buf, &tag)?;
//! assert_eq!(&buf, b"attack at dawn");
//! # Ok::<(), roundworks::BadTag>(())
//! ```
//!
//! # Feature
//!
//! `aead` (default): the RustCrypto traits `KeyInit`, `AeadCore` and `AeadInOut`.

#![no_std]
#![deny(unsafe_code)] // `arch` alone lifts this

mod aead;
mod aegis;
mod aether;
mod arch;
mod backend;

pub use crate::aead::{BadTag, Tag};
pub use crate::aegis::Aegis128;
pub use crate::aether::{Aether, AetherLb};
pub use crate::backend::{Backend, BackendUnavailable, UnknownBackend};
