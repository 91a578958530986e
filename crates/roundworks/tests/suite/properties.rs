//! What must hold for any input: a flipped bit anywhere is refused, and refusal leaves zeros.

use roundworks::{Aegis128, Aether, AetherLb, BadTag, Tag};

use crate::{Cipher, everywhere, noise};

fn tampering_is_refused<C: Cipher>() {
    let key = noise(11, C::KEY_BYTES);
    let nonce: [u8; 16] = noise(12, 16).try_into().unwrap();
    let (ad, plaintext) = (noise(13, 50), noise(14, 101));
    for (backend, cipher) in everywhere::<C>(&key) {
        let mut ciphertext = plaintext.clone();
        let tag = cipher.seal(&nonce, &ad, &mut ciphertext);
        let refused = |nonce: &[u8; 16], ad: &[u8], ciphertext: &[u8], tag: &Tag, what: &str| {
            let mut buf = ciphertext.to_vec();
            let opened = cipher.open(nonce, ad, &mut buf, tag);
            assert_eq!(opened, Err(BadTag), "{}/{backend}: {what}", C::NAME);
            assert!(
                buf.iter().all(|&b| b == 0),
                "{}/{backend}: {what}: plaintext left",
                C::NAME
            );
        };
        for bit in 0..128 {
            let mut bad = *tag.as_bytes();
            bad[bit / 8] ^= 1 << (bit % 8);
            refused(
                &nonce,
                &ad,
                &ciphertext,
                &bad.into(),
                &format!("tag bit {bit}"),
            );
            let mut bad = nonce;
            bad[bit / 8] ^= 1 << (bit % 8);
            refused(&bad, &ad, &ciphertext, &tag, &format!("nonce bit {bit}"));
        }
        for bit in 0..8 * ad.len() {
            let mut bad = ad.clone();
            bad[bit / 8] ^= 1 << (bit % 8);
            refused(&nonce, &bad, &ciphertext, &tag, &format!("bit {bit} of ad"));
        }
        for bit in 0..8 * ciphertext.len() {
            let mut bad = ciphertext.clone();
            bad[bit / 8] ^= 1 << (bit % 8);
            refused(&nonce, &ad, &bad, &tag, &format!("bit {bit} of ciphertext"));
        }
        refused(
            &nonce,
            &ad[1..],
            &ciphertext,
            &tag,
            "ad without its first byte",
        );
        refused(
            &nonce,
            &ad,
            &ciphertext[..100],
            &tag,
            "ciphertext without its last byte",
        );
        refused(&nonce, &[], &[], &tag, "nothing but the tag");
    }
}

#[test]
fn aether_refuses() {
    tampering_is_refused::<Aether>();
}

#[test]
fn aether_lb_refuses() {
    tampering_is_refused::<AetherLb>();
}

#[test]
fn aegis128_refuses() {
    tampering_is_refused::<Aegis128>();
}

/// The forgery that the documentation of `Aether` names: associated data and message meet in one
/// unmarked stream. It must work on `Aether` as published, and not on `AetherLb`.
fn boundary_shift_verifies<C: Cipher>() -> bool {
    let nonce = [7; 16];
    let (ad, unpadded, m2) = (noise(21, 48), noise(22, 20), noise(23, 33));
    let mut m1 = unpadded.clone();
    m1.push(0x80);
    m1.resize(48, 0);
    let verdicts = everywhere::<C>(&noise(24, C::KEY_BYTES))
        .into_iter()
        .map(|(_, cipher)| {
            let mut c = [m1.clone(), m2.clone()].concat();
            let tag = cipher.seal(&nonce, &ad, &mut c);
            let forged_ad = [ad.clone(), unpadded.clone()].concat();
            cipher.open(&nonce, &forged_ad, &mut c[48..], &tag).is_ok()
        });
    let verdicts: Vec<bool> = verdicts.collect();
    assert!(
        verdicts.iter().all(|v| *v == verdicts[0]),
        "{}: back ends differ",
        C::NAME
    );
    verdicts[0]
}

#[test]
fn boundary_shift_forges_aether_only() {
    assert!(boundary_shift_verifies::<Aether>());
    assert!(!boundary_shift_verifies::<AetherLb>());
    assert!(!boundary_shift_verifies::<Aegis128>());
}
