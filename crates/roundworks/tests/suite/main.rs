//! The public surface of every cipher, on every back end that this machine has.

// With one family not everything here has a use.
#![cfg_attr(not(feature = "all"), allow(dead_code, unused_imports, unused_macros))]

mod agreement;
mod backends;
mod incremental;
mod lengths;
#[cfg(feature = "all")]
mod macs;
mod many;
mod permutations;
mod properties;
mod remains;
mod splits;
mod stack;
mod surface;
mod vectors;

use roundworks::{Backend, BackendUnavailable, Cipher, Error, for_each_cipher};

/// What the tests need in addition to `Cipher`, so that each is written once for all.
trait Named: Cipher + Sized {
    const NAME: &'static str;
    const TAG_BYTES: usize;
    const BACKENDS: &'static [Backend];
    fn sizes() -> (usize, usize);
    fn with(key: &[u8], backend: Backend) -> Result<Self, BackendUnavailable>;

    fn seal(&self, nonce: &[u8], ad: &[u8], data: &[u8]) -> Vec<u8> {
        let mut out = vec![0x55; self.sealed_bytes(data.len())];
        let len = self.seal_into(nonce, ad, data, &mut out).expect("sizes");
        assert_eq!(len, out.len());
        out
    }

    fn open(&self, nonce: &[u8], ad: &[u8], sealed: &[u8]) -> Result<Vec<u8>, Error> {
        let mut out = vec![0x55; self.opened_bytes(sealed.len()).ok_or(Error::BadTag)?];
        match self.open_into(nonce, ad, sealed, &mut out) {
            Ok(len) => {
                out.truncate(len);
                Ok(out)
            }
            Err(error) => {
                assert!(
                    out.iter().all(|&b| b == 0),
                    "{}: plaintext left",
                    Self::NAME
                );
                Err(error)
            }
        }
    }
}

macro_rules! named {
    ($($cipher:ident $about:literal,)*) => {$(
        impl Named for roundworks::$cipher {
            const NAME: &'static str = roundworks::$cipher::NAME;
            const TAG_BYTES: usize = roundworks::$cipher::TAG_BYTES;
            const BACKENDS: &'static [Backend] = roundworks::$cipher::BACKENDS;

            fn sizes() -> (usize, usize) {
                (roundworks::$cipher::KEY_BYTES, roundworks::$cipher::NONCE_BYTES)
            }

            fn with(key: &[u8], backend: Backend) -> Result<Self, BackendUnavailable> {
                roundworks::$cipher::with_backend(key.try_into().expect("key size"), backend)
            }
        }
    )*};
}
for_each_cipher!(named);

/// The cipher on each of its back ends that can run here; the others are reported.
fn everywhere<C: Named>(key: &[u8]) -> Vec<(Backend, C)> {
    let usable = backends::usable(C::NAME, C::BACKENDS);
    usable
        .into_iter()
        .map(|b| (b, C::with(key, b).expect("is_available said so")))
        .collect()
}

/// Whether few cases stand for all, as under an emulator, where the others take minutes.
fn short() -> bool {
    std::env::var_os("ROUNDWORKS_SHORT_TESTS").is_some()
}

/// Bytes without a pattern that a shuffle could keep; the same for the same seed.
fn noise(seed: u64, n: usize) -> Vec<u8> {
    let mut x = seed;
    let mut byte = || {
        x = x
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (x >> 56) as u8
    };
    (0..n).map(|_| byte()).collect()
}

/// Key and nonce of a cipher.
fn key_and_nonce<C: Named>(seed: u64) -> (Vec<u8>, Vec<u8>) {
    let (key, nonce) = C::sizes();
    (noise(seed, key), noise(seed + 1000, nonce))
}
