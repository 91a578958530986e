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

type Keyed = Result<Box<dyn Cipher>, BackendUnavailable>;

/// A cipher under test, not as a type: what a test does is compiled once for all ciphers.
#[derive(Clone, Copy)]
struct Subject {
    name: &'static str,
    key_bytes: usize,
    nonce_bytes: usize,
    tag_bytes: usize,
    backends: &'static [Backend],
    with: fn(&[u8], Backend) -> Keyed,
}

/// A subject of each cipher, with the name of its type.
#[allow(non_upper_case_globals)]
mod subjects {
    use super::Subject;

    macro_rules! subjects {
        ($($cipher:ident $about:literal,)*) => {$(
            pub(crate) const $cipher: Subject = Subject {
                name: roundworks::$cipher::NAME,
                key_bytes: roundworks::$cipher::KEY_BYTES,
                nonce_bytes: roundworks::$cipher::NONCE_BYTES,
                tag_bytes: roundworks::$cipher::TAG_BYTES,
                backends: roundworks::$cipher::BACKENDS,
                with: |key, backend| {
                    let key = key.try_into().expect("key size");
                    Ok(Box::new(roundworks::$cipher::with_backend(key, backend)?))
                },
            };
        )*};
    }
    roundworks::for_each_cipher!(subjects);
}

impl Subject {
    /// On each of its back ends that can run here; the others are reported.
    fn everywhere(self, key: &[u8]) -> Vec<(Backend, Box<dyn Cipher>)> {
        let usable = backends::usable(self.name, self.backends);
        usable
            .into_iter()
            .map(|b| (b, (self.with)(key, b).expect("is_available said so")))
            .collect()
    }

    fn key_and_nonce(self, seed: u64) -> (Vec<u8>, Vec<u8>) {
        (
            noise(seed, self.key_bytes),
            noise(seed + 1000, self.nonce_bytes),
        )
    }
}

/// Every subject, where one test is of all.
fn all() -> Vec<Subject> {
    macro_rules! all {
        ($($cipher:ident $about:literal,)*) => { vec![$(subjects::$cipher,)*] };
    }
    for_each_cipher!(all)
}

/// Whole messages in vectors.
trait Whole {
    fn seal(&self, nonce: &[u8], ad: &[u8], data: &[u8]) -> Vec<u8>;
    fn open(&self, nonce: &[u8], ad: &[u8], sealed: &[u8]) -> Result<Vec<u8>, Error>;
}

impl Whole for dyn Cipher + '_ {
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
                let zero = out.iter().all(|&b| b == 0);
                assert!(zero, "{}: plaintext left", self.facts().name);
                Err(error)
            }
        }
    }
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
