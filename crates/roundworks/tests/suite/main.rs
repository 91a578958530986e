//! The public surface of every cipher, on every back end that this machine has.

mod agreement;
mod backends;
mod properties;
mod surface;
mod vectors;

use roundworks::{Aegis128, Aether, AetherLb, Backend, BackendUnavailable, BadTag, Tag};

/// One signature for all ciphers, so that each test is written once.
trait Cipher: Sized {
    const NAME: &'static str;
    const KEY_BYTES: usize;
    const BACKENDS: &'static [Backend];
    fn with(key: &[u8], backend: Backend) -> Result<Self, BackendUnavailable>;
    fn seal(&self, nonce: &[u8; 16], ad: &[u8], buf: &mut [u8]) -> Tag;
    fn open(&self, nonce: &[u8; 16], ad: &[u8], buf: &mut [u8], tag: &Tag) -> Result<(), BadTag>;
}

macro_rules! ciphers {
    ($($cipher:ident)+) => {$(
        impl Cipher for $cipher {
            const NAME: &'static str = $cipher::NAME;
            const KEY_BYTES: usize = $cipher::KEY_BYTES;
            const BACKENDS: &'static [Backend] = $cipher::BACKENDS;

            fn with(key: &[u8], backend: Backend) -> Result<Self, BackendUnavailable> {
                $cipher::with_backend(key.try_into().expect("key size"), backend)
            }

            fn seal(&self, nonce: &[u8; 16], ad: &[u8], buf: &mut [u8]) -> Tag {
                self.encrypt_in_place(nonce, ad, buf)
            }

            fn open(
                &self,
                nonce: &[u8; 16],
                ad: &[u8],
                buf: &mut [u8],
                tag: &Tag,
            ) -> Result<(), BadTag> {
                self.decrypt_in_place(nonce, ad, buf, tag)
            }
        }
    )+};
}
ciphers! { Aether AetherLb Aegis128 }

/// The cipher on each of its back ends that can run here; the others are reported.
fn everywhere<C: Cipher>(key: &[u8]) -> Vec<(Backend, C)> {
    let usable = backends::usable(C::NAME, C::BACKENDS);
    usable
        .into_iter()
        .map(|b| (b, C::with(key, b).expect("is_available said so")))
        .collect()
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
