//! What must hold for any input: a flipped bit anywhere is refused, and refusal leaves zeros.

use roundworks::{Error, for_each_cipher};

use crate::{Subject, Whole, noise, subjects};

fn tampering_is_refused(subject: Subject) {
    let (key, nonce) = subject.key_and_nonce(11);
    let (ad, plaintext) = (noise(13, 50), noise(14, 141));
    for (backend, cipher) in subject.everywhere(&key) {
        let sealed = cipher.seal(&nonce, &ad, &plaintext);
        let refused = |nonce: &[u8], ad: &[u8], sealed: &[u8], what: &str| {
            let opened = cipher.open(nonce, ad, sealed); // which checks for zeros
            assert_eq!(
                opened,
                Err(Error::BadTag),
                "{}/{backend}: {what}",
                subject.name
            );
        };
        for (what, part) in [("nonce", &nonce), ("ad", &ad), ("sealed", &sealed)] {
            for bit in 0..8 * part.len() {
                let mut bad = part.clone();
                bad[bit / 8] ^= 1 << (bit % 8);
                let what_bit = format!("bit {bit} of {what}");
                match what {
                    "nonce" => refused(&bad, &ad, &sealed, &what_bit),
                    "ad" => refused(&nonce, &bad, &sealed, &what_bit),
                    _ => refused(&nonce, &ad, &bad, &what_bit),
                }
            }
        }
        refused(&nonce, &ad[1..], &sealed, "ad without its first byte");
        for short in 0..sealed.len() {
            refused(&nonce, &ad, &sealed[..short], "truncated");
            let mut buf = sealed[..short].to_vec();
            let opened = cipher.open_in_place(&nonce, &ad, &mut buf);
            assert_eq!(opened, Err(Error::BadTag), "{}/{backend}", subject.name);
            buf.truncate(short.checked_sub(subject.tag_bytes).unwrap_or(short)); // all but a tag
            let zero = buf.iter().all(|&b| b == 0);
            assert!(zero, "{}/{backend}: {short} bytes in place", subject.name);
        }
        let tag = &sealed[sealed.len() - subject.tag_bytes..];
        refused(&nonce, &[], tag, "nothing but the tag");
        let longer = [&sealed[..], &[0]].concat();
        refused(&nonce, &ad, &longer, "a byte more");
    }
}

macro_rules! tests {
    ($($cipher:ident $about:literal,)*) => {$(
        #[test]
        #[allow(non_snake_case)]
        fn $cipher() {
            tampering_is_refused(subjects::$cipher);
        }
    )*};
}
for_each_cipher!(tests);

/// The forgery that the documentation of `Aether` names: associated data and message meet in one
/// unmarked stream. It must work on `Aether` as published, and on nothing else.
fn boundary_shift_verifies(subject: Subject) -> bool {
    let (key, nonce) = subject.key_and_nonce(24);
    let (ad, unpadded, m2) = (noise(21, 48), noise(22, 20), noise(23, 33));
    let mut m1 = unpadded.clone();
    m1.push(0x80);
    m1.resize(48, 0);
    let verdicts = subject.everywhere(&key).into_iter().map(|(_, cipher)| {
        let sealed = cipher.seal(&nonce, &ad, &[m1.clone(), m2.clone()].concat());
        let forged_ad = [ad.clone(), unpadded.clone()].concat();
        cipher.open(&nonce, &forged_ad, &sealed[48..]).is_ok()
    });
    let verdicts: Vec<bool> = verdicts.collect();
    assert!(
        verdicts.iter().all(|v| *v == verdicts[0]),
        "{}: back ends differ",
        subject.name
    );
    verdicts[0]
}

#[cfg(feature = "all")]
#[test]
fn boundary_shift_forges_aether_only() {
    assert!(boundary_shift_verifies(subjects::Aether));
    assert!(!boundary_shift_verifies(subjects::AetherLb));
    assert!(!boundary_shift_verifies(subjects::Aegis128));
    assert!(!boundary_shift_verifies(subjects::RoccaS));
}
