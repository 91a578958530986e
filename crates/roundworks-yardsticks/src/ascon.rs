//! Ascon of RustCrypto, in two versions of one crate.

use ascon_aead::aead::inout::InOutBuf;
use ascon_aead::aead::{AeadInOut, KeyInit};
use ascon_aead_v12::aead::{AeadInPlace, KeyInit as KeyInitV12};

use crate::frame::{Library, TAG_BYTES, yardstick};

yardstick! {
    /// Ascon-AEAD128 of NIST [SP800-232, section 4], from the crate `ascon-aead` 0.6.
    AsconAead128(Nist) {
        name: "ascon-aead128",
        key_bytes: 16,
        nonce_bytes: 16,
        library: "ascon-aead 0.6",
        max_bytes: u64::MAX,
    }
}

yardstick! {
    /// Ascon-128a of the submission v1.2 [ASCON, section 2], from the crate `ascon-aead` 0.4:
    /// later ones have Ascon-AEAD128 only.
    Ascon128a(V12) {
        name: "ascon-128a",
        key_bytes: 16,
        nonce_bytes: 16,
        library: "ascon-aead 0.4",
        max_bytes: u64::MAX,
    }
}

struct Nist(ascon_aead::AsconAead128);

impl Nist {
    fn new(key: &[u8; 16]) -> Self {
        Self(ascon_aead::AsconAead128::new(key.into()))
    }
}

impl Library<16> for Nist {
    fn seal_in_place(&self, nonce: &[u8; 16], ad: &[u8], data: &mut [u8]) -> [u8; TAG_BYTES] {
        let tag = self
            .0
            .encrypt_inout_detached(nonce.into(), ad, InOutBuf::from(data));
        tag.expect("no length is too long").into()
    }

    fn open_in_place(
        &self,
        nonce: &[u8; 16],
        ad: &[u8],
        data: &mut [u8],
        tag: &[u8; TAG_BYTES],
    ) -> bool {
        self.0
            .decrypt_inout_detached(nonce.into(), ad, InOutBuf::from(data), tag.into())
            .is_ok()
    }

    fn seal(&self, nonce: &[u8; 16], ad: &[u8], data: &[u8], out: &mut [u8]) -> [u8; TAG_BYTES] {
        let buf = InOutBuf::new(data, out).expect("of one length");
        let tag = self.0.encrypt_inout_detached(nonce.into(), ad, buf);
        tag.expect("no length is too long").into()
    }

    fn open(
        &self,
        nonce: &[u8; 16],
        ad: &[u8],
        data: &[u8],
        tag: &[u8; TAG_BYTES],
        out: &mut [u8],
    ) -> bool {
        let buf = InOutBuf::new(data, out).expect("of one length");
        self.0
            .decrypt_inout_detached(nonce.into(), ad, buf, tag.into())
            .is_ok()
    }
}

struct V12(ascon_aead_v12::Ascon128a);

impl V12 {
    fn new(key: &[u8; 16]) -> Self {
        Self(KeyInitV12::new(key.into()))
    }
}

/// This version of the library works in place only.
impl Library<16> for V12 {
    fn seal_in_place(&self, nonce: &[u8; 16], ad: &[u8], data: &mut [u8]) -> [u8; TAG_BYTES] {
        let tag = self.0.encrypt_in_place_detached(nonce.into(), ad, data);
        tag.expect("no length is too long").into()
    }

    fn open_in_place(
        &self,
        nonce: &[u8; 16],
        ad: &[u8],
        data: &mut [u8],
        tag: &[u8; TAG_BYTES],
    ) -> bool {
        self.0
            .decrypt_in_place_detached(nonce.into(), ad, data, tag.into())
            .is_ok()
    }
}
