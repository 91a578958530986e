//! Symmetric ciphers built on AES-like rounds: `no_std`, no allocation, no branch or address that is
//! meant to depend on a secret, the back end chosen at run time.
//!
//! | cipher | type | status | back ends |
//! |---|---|---|---|
//! | AEGIS-128L, -256 | [`Aegis128L`], [`Aegis256`] | RFC | portable, aesni, vaes256, vaes512, aarch64 |
//! | AEGIS-128X2, -X4, -256X2, -X4 | [`Aegis128X2`], ... | RFC | portable, aesni, vaes256, vaes512, aarch64 |
//! | AEGIS-128, CAESAR v1.1 | [`Aegis128`] | published | portable, aesni, vaes256, vaes512, aarch64 |
//! | Rocca-S | [`RoccaS`] | published | portable, aesni, vaes256, vaes512, aarch64 |
//! | Minalpher v1.1, AEAD and MAC | [`Minalpher`] | published | portable, avx2, avx512 |
//! | Areion256-OPP, Areion512-OPP | [`Areion256Opp`], [`Areion512Opp`] | published | portable, aesni, vaes256, vaes512, aarch64 |
//! | AETHER, as published | [`Aether`] | **research only: forgeable** | portable, avx2, avx512 |
//! | AETHER with lengths bound | [`AetherLb`] | our variant, for study | portable, avx2, avx512 |
//! | permutations of 256 and 512 bits | [`permutation`], [`permutations`] | published | portable, aesni, vaes256, vaes512, aarch64 |
//!
//! Each AEGIS of the RFC is a MAC, too: [`Aegis128L::mac`]. It has tags of 16 bytes, and of 32 as
//! [`Aegis128LTag32`] and so on.
//!
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
//! | feature | gives | default |
//! |---|---|---|
//! | `aegis` | AEGIS-128, -128L, -256 and their X2 and X4 | yes |
//! | `rocca` | Rocca-S | yes |
//! | `aether` | AETHER and AETHER with lengths bound | yes |
//! | `minalpher` | Minalpher, AEAD and MAC | yes |
//! | `areion` | Areion: permutations, hash functions, AEAD in the mode OPP | yes |
//! | `haraka` | Haraka: permutations, hash functions | yes |
//! | `pholkos` | Pholkos: permutations, tweakable block ciphers | yes |
//! | `simpira` | Simpira: permutations | yes |
//! | `feistel` | Feistel permutations of AES instructions, of any configuration | yes |
//! | `permutations` | the last five | yes |
//! | `all` | all of the above | yes |
//! | `aead` | the RustCrypto traits `KeyInit`, `AeadCore` and `AeadInOut` of every cipher but Minalpher, which pads, and their crate as `roundworks::aead` | yes |
//! | `alloc` | also its trait `Aead`, which returns a `Vec`; ciphers and MACs by name | no |
//!
//! A program that wants one cipher compiles several times faster with its family alone:
//!
//! ```toml
//! roundworks = { version = "0.1", default-features = false, features = ["aegis"] }
//! ```
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
// What families share is not all used by each of them.
#![cfg_attr(not(feature = "all"), allow(dead_code, unused_imports, unused_macros))]

#[cfg(feature = "alloc")]
extern crate alloc;

#[cfg(all(doctest, feature = "aegis"))]
#[doc = include_str!("../README.md")]
struct Readme;

#[cfg(feature = "aegis")]
mod aegis;
mod aes;
mod aes_aead;
mod aes_layers;
mod aes_many;
mod aes_parts;
#[cfg(feature = "aether")]
mod aether;
mod arch;
#[cfg(feature = "areion")]
mod areion;
#[cfg(feature = "areion")]
mod areion_opp;
mod backend;
#[cfg(feature = "alloc")]
mod boxed;
mod cipher;
mod families;
mod feistel;
#[cfg(feature = "haraka")]
mod haraka;
mod incremental;
mod keyed;
#[cfg(feature = "alloc")]
mod mac;
mod many;
#[cfg(feature = "minalpher")]
mod minalpher;
mod permutation;
#[cfg(feature = "pholkos")]
mod pholkos;
mod registry;
#[cfg(feature = "rocca")]
mod rocca;
#[cfg(feature = "simpira")]
mod simpira;
#[cfg(any(feature = "haraka", feature = "pholkos"))]
mod steps;
mod stream;
mod tag;

/// The RustCrypto traits, in the version implemented here.
#[cfg(feature = "aead")]
pub use ::aead;

#[cfg(feature = "aegis")]
pub use crate::aegis::{
    Aegis128, Aegis128L, Aegis128LTag32, Aegis128X2, Aegis128X2Tag32, Aegis128X4, Aegis128X4Tag32,
    Aegis256, Aegis256Tag32, Aegis256X2, Aegis256X2Tag32, Aegis256X4, Aegis256X4Tag32, AegisMac,
};
#[cfg(feature = "aether")]
pub use crate::aether::{Aether, AetherLb};
#[doc(hidden)]
pub use crate::arch::cleared;
#[cfg(feature = "areion")]
pub use crate::areion_opp::{Areion256Opp, Areion512Opp};
pub use crate::backend::{Backend, BackendUnavailable, UnknownBackend};
pub use crate::cipher::{Cipher, Error, Facts, Message};
#[cfg(feature = "alloc")]
pub use crate::cipher::{Opening, Sealing};
#[doc(hidden)]
pub use crate::families::feature;
pub use crate::incremental::{BlockDecryptor, BlockEncryptor, Decryptor, Encryptor};
pub use crate::keyed::Streaming;
#[cfg(feature = "alloc")]
pub use crate::mac::{Mac, mac};
#[cfg(feature = "minalpher")]
pub use crate::minalpher::{Minalpher, MinalpherDecryptor, MinalpherEncryptor, MinalpherMac};
#[cfg(any(feature = "areion", feature = "haraka"))]
pub use crate::permutation::hash::{AnyHash, BlockHash, hash_function, hashes};
#[cfg(feature = "areion")]
pub use crate::permutation::hash::{Areion256Dm, Areion512Dm, Areion512Md};
#[cfg(feature = "haraka")]
pub use crate::permutation::hash::{Haraka256, Haraka512};
pub use crate::permutation::{
    AnyPermutation, Permutation, Permutation256, Permutation512, PermutationName, Rounds,
    SizedPermutation, UnknownPermutation, permutation, permutations,
};
#[cfg(feature = "pholkos")]
pub use crate::pholkos::tweakable::{AnyPholkos, Pholkos256, Pholkos512, SizedPholkos, pholkos};
pub use crate::registry::ciphers;
#[cfg(feature = "alloc")]
pub use crate::registry::{cipher, macs};
#[cfg(feature = "rocca")]
pub use crate::rocca::RoccaS;
pub use crate::tag::{BadTag, Tag};
