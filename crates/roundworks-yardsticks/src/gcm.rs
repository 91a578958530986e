//! AES-GCM of AWS-LC.

use aws_lc_rs::aead::{AES_128_GCM, AES_256_GCM, Aad, LessSafeKey, Nonce, UnboundKey};

use crate::frame::{Library, TAG_BYTES, yardstick};

/// The counter of 32 bits starts at two. [GCM, section 5.2.1.1]
const MAX_BYTES: u64 = (1 << 36) - 32;

yardstick! {
    /// AES-128-GCM with nonces of 12 bytes [GCM, section 7], from AWS-LC.
    Aes128Gcm(Gcm) {
        name: "aes-128-gcm",
        key_bytes: 16,
        nonce_bytes: 12,
        library: "aws-lc-rs",
        max_bytes: MAX_BYTES,
    }
}

yardstick! {
    /// AES-256-GCM with nonces of 12 bytes [GCM, section 7], from AWS-LC.
    Aes256Gcm(Gcm) {
        name: "aes-256-gcm",
        key_bytes: 32,
        nonce_bytes: 12,
        library: "aws-lc-rs",
        max_bytes: MAX_BYTES,
    }
}

/// The library's key schedule, which it wipes when it frees it.
struct Gcm(LessSafeKey);

impl Gcm {
    fn new<const KEY: usize>(key: &[u8; KEY]) -> Self {
        let algorithm = if KEY == 16 {
            &AES_128_GCM
        } else {
            &AES_256_GCM
        };
        let key = UnboundKey::new(algorithm, key).expect("a key of the algorithm's size");
        Self(LessSafeKey::new(key))
    }
}

impl Library<12> for Gcm {
    fn seal_in_place(&self, nonce: &[u8; 12], ad: &[u8], data: &mut [u8]) -> [u8; TAG_BYTES] {
        let nonce = Nonce::assume_unique_for_key(*nonce);
        let tag = self
            .0
            .seal_in_place_separate_tag(nonce, Aad::from(ad), data);
        let tag = tag.expect("the frame checks the length");
        tag.as_ref().try_into().expect("16 bytes")
    }

    fn open_in_place(
        &self,
        nonce: &[u8; 12],
        ad: &[u8],
        data: &mut [u8],
        tag: &[u8; TAG_BYTES],
    ) -> bool {
        let nonce = Nonce::assume_unique_for_key(*nonce);
        self.0
            .open_in_place_separate_tag(nonce, Aad::from(ad), tag, data)
            .is_ok()
    }

    fn seal(&self, nonce: &[u8; 12], ad: &[u8], data: &[u8], out: &mut [u8]) -> [u8; TAG_BYTES] {
        let mut tag = [0; TAG_BYTES];
        let nonce = Nonce::assume_unique_for_key(*nonce);
        self.0
            .seal_out_of_place_scatter(nonce, Aad::from(ad), data, out, &[], &mut tag)
            .expect("the frame checks the length");
        tag
    }

    fn open(
        &self,
        nonce: &[u8; 12],
        ad: &[u8],
        data: &[u8],
        tag: &[u8; TAG_BYTES],
        out: &mut [u8],
    ) -> bool {
        let nonce = Nonce::assume_unique_for_key(*nonce);
        self.0
            .open_separate_gather(nonce, Aad::from(ad), data, tag, out)
            .is_ok()
    }
}
