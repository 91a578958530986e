//! Ascon of RustCrypto, in two versions of one crate.

use ascon_aead::aead::inout::InOutBuf;
use ascon_aead::aead::{AeadInOut, KeyInit};
use ascon_aead_v12::aead::{AeadInPlace, KeyInit as KeyInitV12};
use roundworks::Facts;

use crate::baseline::{Library, TAG_BYTES, Tag};

/// Ascon-AEAD128 of NIST [SP800-232, section 4], from the crate `ascon-aead` 0.6.
impl Library<16> for ascon_aead::AsconAead128 {
    const FACTS: &'static Facts = &Facts::new("ascon-aead128", 16, 16, TAG_BYTES, u64::MAX);
    const NAME: &'static str = "ascon-aead 0.6";

    fn new(key: &[u8]) -> Self {
        KeyInit::new_from_slice(key).expect("16 bytes")
    }

    fn seal_in_place(&self, nonce: &[u8; 16], ad: &[u8], data: &mut [u8]) -> Tag {
        let tag = self.encrypt_inout_detached(nonce.into(), ad, data.into());
        tag.expect("no length is too long").into()
    }

    fn open_in_place(&self, nonce: &[u8; 16], ad: &[u8], data: &mut [u8], tag: &Tag) -> bool {
        let opened = self.decrypt_inout_detached(nonce.into(), ad, data.into(), tag.into());
        opened.is_ok()
    }

    fn seal(&self, nonce: &[u8; 16], ad: &[u8], data: &[u8], out: &mut [u8]) -> Tag {
        let buf = InOutBuf::new(data, out).expect("of one length");
        let tag = self.encrypt_inout_detached(nonce.into(), ad, buf);
        tag.expect("no length is too long").into()
    }

    fn open(&self, nonce: &[u8; 16], ad: &[u8], data: &[u8], tag: &Tag, out: &mut [u8]) -> bool {
        let buf = InOutBuf::new(data, out).expect("of one length");
        let opened = self.decrypt_inout_detached(nonce.into(), ad, buf, tag.into());
        opened.is_ok()
    }
}

/// Ascon-128a of the submission v1.2 [ASCON, section 2], from the crate `ascon-aead` 0.4: later ones
/// have Ascon-AEAD128 only. This version of the library works in place only.
impl Library<16> for ascon_aead_v12::Ascon128a {
    const FACTS: &'static Facts = &Facts::new("ascon-128a", 16, 16, TAG_BYTES, u64::MAX);
    const NAME: &'static str = "ascon-aead 0.4";

    fn new(key: &[u8]) -> Self {
        KeyInitV12::new_from_slice(key).expect("16 bytes")
    }

    fn seal_in_place(&self, nonce: &[u8; 16], ad: &[u8], data: &mut [u8]) -> Tag {
        let tag = self.encrypt_in_place_detached(nonce.into(), ad, data);
        tag.expect("no length is too long").into()
    }

    fn open_in_place(&self, nonce: &[u8; 16], ad: &[u8], data: &mut [u8], tag: &Tag) -> bool {
        let opened = self.decrypt_in_place_detached(nonce.into(), ad, data, tag.into());
        opened.is_ok()
    }
}
