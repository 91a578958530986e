//! AES-GCM of AWS-LC, with nonces of 12 bytes. [GCM, section 7]

use aws_lc_rs::aead::{AES_128_GCM, AES_256_GCM, Aad, LessSafeKey, Nonce, UnboundKey};
use roundworks::Facts;

use crate::baseline::{Library, TAG_BYTES, Tag};

/// The counter of 32 bits starts at two. [GCM, section 5.2.1.1]
const MAX_BYTES: u64 = (1 << 36) - 32;

/// The library's key schedule, which it wipes when it frees it.
pub(crate) struct Gcm<const KEY: usize>(LessSafeKey);

impl<const KEY: usize> Library<12> for Gcm<KEY> {
    const FACTS: &'static Facts = &Facts::new(
        if KEY == 16 {
            "aes-128-gcm"
        } else {
            "aes-256-gcm"
        },
        KEY,
        12,
        TAG_BYTES,
        MAX_BYTES,
    );
    const NAME: &'static str = "aws-lc-rs";

    fn new(key: &[u8]) -> Self {
        let algorithm = if KEY == 16 {
            &AES_128_GCM
        } else {
            &AES_256_GCM
        };
        let key = UnboundKey::new(algorithm, key).expect("a key of the algorithm's size");
        Self(LessSafeKey::new(key))
    }

    fn seal_in_place(&self, nonce: &[u8; 12], ad: &[u8], data: &mut [u8]) -> Tag {
        let (nonce, ad) = (Nonce::assume_unique_for_key(*nonce), Aad::from(ad));
        let tag = self.0.seal_in_place_separate_tag(nonce, ad, data);
        let tag = tag.expect("the length is checked");
        tag.as_ref().try_into().expect("16 bytes")
    }

    fn open_in_place(&self, nonce: &[u8; 12], ad: &[u8], data: &mut [u8], tag: &Tag) -> bool {
        let (nonce, ad) = (Nonce::assume_unique_for_key(*nonce), Aad::from(ad));
        let opened = self.0.open_in_place_separate_tag(nonce, ad, tag, data);
        opened.is_ok()
    }

    fn seal(&self, nonce: &[u8; 12], ad: &[u8], data: &[u8], out: &mut [u8]) -> Tag {
        let mut tag = [0; TAG_BYTES];
        let (nonce, ad) = (Nonce::assume_unique_for_key(*nonce), Aad::from(ad));
        self.0
            .seal_out_of_place_scatter(nonce, ad, data, out, &[], &mut tag)
            .expect("the length is checked");
        tag
    }

    fn open(&self, nonce: &[u8; 12], ad: &[u8], data: &[u8], tag: &Tag, out: &mut [u8]) -> bool {
        let (nonce, ad) = (Nonce::assume_unique_for_key(*nonce), Aad::from(ad));
        let opened = self.0.open_separate_gather(nonce, ad, data, tag, out);
        opened.is_ok()
    }
}
