//! Symmetric ciphers built on AES-like rounds: `no_std`, no allocation, no branch or address that is
//! meant to depend on a secret, the back end chosen at run time.
//!
//! | cipher | type | status | back ends |
//! |---|---|---|---|
//! | AEGIS-128L, -256 | [`Aegis128L`], [`Aegis256`] | RFC | portable, aesni, vaes512, aarch64 |
//! | AEGIS-128X2, -X4, -256X2, -X4 | [`Aegis128X2`], ... | RFC | portable, aesni, vaes256, vaes512, aarch64 |
//! | AEGIS-128, CAESAR v1.1 | [`Aegis128`] | published | portable, aesni, vaes512, aarch64 |
//! | Rocca-S | [`RoccaS`] | published | portable, aesni, vaes512, aarch64 |
//! | Minalpher v1.1, AEAD and MAC | [`Minalpher`] | published | portable, avx2, avx512 |
//! | Areion256-OPP, Areion512-OPP | [`Areion256Opp`], [`Areion512Opp`] | published | portable, aesni, vaes256, vaes512, aarch64 |
//! | AETHER, as published | [`Aether`] | **research only: forgeable** | portable, avx2, avx512 |
//! | AETHER with lengths bound | [`AetherLb`] | our variant, for study | portable, avx2, avx512 |
//!
//! Each AEGIS of the RFC is a MAC, too: [`Aegis128L::mac`].
//!
//! | permutations of 256 and 512 bits | [`permutation`], [`permutations`] | published | portable, aesni, vaes256, vaes512, aarch64 |
//!
//! Those of the RFC have a tag of 16 bytes, and of 32 as [`Aegis128LTag32`] and so on.
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
//! # Features
//!
//! - `aead` (default): the RustCrypto traits `KeyInit`, `AeadCore` and `AeadInOut`, and their crate
//!   as `roundworks::aead`.
//! - `alloc`: also its trait `Aead`, which returns a `Vec`; and ciphers by name.
//!
//! In generic code `encrypt_in_place` is the method of `AeadInOut`, which appends the tag to its
//! buffer; on one of the types above it is the type's own, which returns the tag.
//!
//! ```
//! # #[cfg(feature = "aead")] {
//! use roundworks::aead::{Aead, KeyInit, Nonce, Payload};
//!
//! fn seal<C: Aead + KeyInit>(key: &[u8], nonce: &Nonce<C>, ad: &[u8], msg: &[u8]) -> Vec<u8> {
//!     let cipher = C::new_from_slice(key).expect("key size");
//!     cipher.encrypt(nonce, Payload { msg, aad: ad }).expect("short enough")
//! }
//! let sealed = seal::<roundworks::Aegis128>(&[7; 16], &[1; 16].into(), b"header", b"attack");
//! assert_eq!(sealed.len(), 6 + 16);
//! # }
//! ```

#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![deny(unsafe_code)] // `arch` alone lifts this

#[cfg(feature = "alloc")]
extern crate alloc;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

mod aegis;
mod aes;
mod aes_aead;
mod aes_layers;
mod aes_many;
mod aether;
mod arch;
mod areion;
mod areion_opp;
mod backend;
#[cfg(feature = "alloc")]
mod boxed;
mod cipher;
mod feistel;
mod haraka;
mod incremental;
mod keyed;
#[cfg(feature = "alloc")]
mod mac;
mod many;
mod minalpher;
mod permutation;
mod pholkos;
#[cfg(feature = "alloc")]
mod registry;
mod rocca;
mod simpira;
mod stream;
mod tag;

/// The RustCrypto traits, in the version implemented here.
#[cfg(feature = "aead")]
pub use ::aead;

pub use crate::aegis::{
    Aegis128, Aegis128L, Aegis128LTag32, Aegis128X2, Aegis128X2Tag32, Aegis128X4, Aegis128X4Tag32,
    Aegis256, Aegis256Tag32, Aegis256X2, Aegis256X2Tag32, Aegis256X4, Aegis256X4Tag32, AegisMac,
};
pub use crate::aether::{Aether, AetherLb};
pub use crate::areion_opp::{Areion256Opp, Areion512Opp};
pub use crate::backend::{Backend, BackendUnavailable, UnknownBackend};
pub use crate::cipher::{Cipher, Error, Facts, Message};
#[cfg(feature = "alloc")]
pub use crate::cipher::{Opening, Sealing};
pub use crate::incremental::{BlockDecryptor, BlockEncryptor, Decryptor, Encryptor};
pub use crate::keyed::Streaming;
#[cfg(feature = "alloc")]
pub use crate::mac::{Mac, mac, macs};
pub use crate::minalpher::{Minalpher, MinalpherDecryptor, MinalpherEncryptor, MinalpherMac};
pub use crate::permutation::hash::{
    AnyHash, Areion256Dm, Areion512Dm, Areion512Md, Haraka256, Haraka512, hash_function, hashes,
};
pub use crate::permutation::{
    AnyPermutation, Permutation, Permutation256, Permutation512, PermutationName, Rounds,
    UnknownPermutation, permutation, permutations,
};
pub use crate::pholkos::tweakable::{AnyPholkos, Pholkos256, Pholkos512, pholkos};
#[cfg(feature = "alloc")]
pub use crate::registry::{cipher, ciphers};
pub use crate::rocca::RoccaS;
pub use crate::tag::{BadTag, Tag};

/// Expands to `$with! { Type "what it is in a line", ... }` with every cipher of this crate.
///
/// The one list that bindings, benches and tests are generated from: a cipher added here is in
/// all of them.
///
/// ```
/// macro_rules! names {
///     ($($cipher:ident $about:literal,)*) => { [$(roundworks::$cipher::NAME),*] };
/// }
/// assert!(roundworks::for_each_cipher!(names).contains(&"aegis-128"));
/// ```
#[macro_export]
macro_rules! for_each_cipher {
    ($with:ident) => {
        $crate::for_each_streaming_cipher! {
            $with
            Areion256Opp "OPP over Areion-256.",
            Areion512Opp "OPP over Areion-512.",
            Minalpher "Minalpher v1.1, AEAD and MAC.",
        }
    };
}

/// As [`for_each_cipher!`], with those that take a message in pieces as [`Encryptor`] does: what a
/// piece becomes is as long as the piece.
#[macro_export]
macro_rules! for_each_streaming_cipher {
    ($with:ident $($more:ident $about:literal,)*) => {
        $with! {
            Aether "AETHER as published: for study only, a forgery of it is known.",
            AetherLb "AETHER with lengths bound: our variant, for study.",
            Aegis128 "AEGIS-128, CAESAR v1.1.",
            Aegis128L "AEGIS-128L.",
            Aegis128LTag32 "AEGIS-128L with a tag of 32 bytes.",
            Aegis128X2 "AEGIS-128X2.",
            Aegis128X2Tag32 "AEGIS-128X2 with a tag of 32 bytes.",
            Aegis128X4 "AEGIS-128X4.",
            Aegis128X4Tag32 "AEGIS-128X4 with a tag of 32 bytes.",
            Aegis256 "AEGIS-256.",
            Aegis256Tag32 "AEGIS-256 with a tag of 32 bytes.",
            Aegis256X2 "AEGIS-256X2.",
            Aegis256X2Tag32 "AEGIS-256X2 with a tag of 32 bytes.",
            Aegis256X4 "AEGIS-256X4.",
            Aegis256X4Tag32 "AEGIS-256X4 with a tag of 32 bytes.",
            RoccaS "Rocca-S.",
            $($more $about,)*
        }
    };
}
