//! Every baseline against the vectors of `spec/`, and what its refusals leave.

use roundworks::{Cipher, Error};
use roundworks_baselines::{cipher, ciphers};

fn files(cipher: &str) -> &'static [&'static str] {
    match cipher {
        "aes-128-gcm" => &[
            "gcm/aes-128-gcm.wycheproof.json",
            "gcm/aes-128-gcm.wycheproof-gmac.json",
            "gcm/aes-128-gcm.nist.json",
        ],
        "aes-256-gcm" => &[
            "gcm/aes-256-gcm.wycheproof.json",
            "gcm/aes-256-gcm.wycheproof-gmac.json",
            "gcm/aes-256-gcm.nist.json",
        ],
        "ascon-128a" => &["ascon/ascon-128a.wycheproof.json"],
        "ascon-aead128" => &[
            "ascon/ascon-aead128.wycheproof.json",
            "ascon/ascon-aead128.kat.json",
        ],
        _ => panic!("{cipher}: no vectors named here"),
    }
}

#[test]
fn vectors() {
    for facts in ciphers() {
        let (mut valid, mut invalid) = (0, 0);
        for file in files(facts.name) {
            let document = roundworks_vectors::aead(file);
            assert_eq!(document.algorithm, facts.name, "{file}");
            for v in document.vectors {
                let keyed = cipher(facts.name, &v.key.0).unwrap();
                let (nonce, ad, pt) = (&v.nonce.0[..], &v.ad.0[..], &v.pt.0[..]);
                let place = format!("{file}: {}", v.id);
                let sealed = [&*v.ct.0, &*v.tag.0].concat();
                let mut opened = vec![0xee; v.ct.0.len()];
                let mut buf = sealed.clone();
                let apart = keyed.open_into(nonce, ad, &sealed, &mut opened);
                let in_place = keyed.open_in_place(nonce, ad, &mut buf);
                if v.valid {
                    assert_eq!((apart, in_place), (Ok(pt.len()), Ok(pt.len())), "{place}");
                    assert_eq!((&opened[..], &buf[..pt.len()]), (pt, pt), "{place}");
                    let mut again = vec![0xee; keyed.sealed_bytes(pt.len())];
                    let made = keyed.seal_into(nonce, ad, pt, &mut again);
                    assert_eq!((made, &again), (Ok(sealed.len()), &sealed), "{place}");
                    let made = keyed.seal_in_place(nonce, ad, &mut buf, pt.len());
                    assert_eq!((made, &buf), (Ok(sealed.len()), &sealed), "{place}");
                    valid += 1;
                } else {
                    let refused = Err(Error::BadTag);
                    assert_eq!((apart, in_place), (refused, refused), "{place}");
                    let zero = opened.iter().chain(&buf).all(|&b| b == 0);
                    assert!(zero, "{place}: left {opened:x?} and {buf:x?}");
                    invalid += 1;
                }
            }
        }
        println!("{}: {valid} valid, {invalid} refused", facts.name);
        assert!(
            valid > 0 && invalid > 0,
            "{}: {valid}, {invalid}",
            facts.name
        );
    }
}

#[test]
fn any_changed_byte_is_refused_and_leaves_zeros() {
    for facts in ciphers() {
        let keyed = keyed(facts.name);
        let (nonce, data) = (vec![1; facts.nonce_bytes], [7; 100]);
        let mut sealed = vec![0; 116];
        assert_eq!(keyed.seal_into(&nonce, b"ad", &data, &mut sealed), Ok(116));
        for changed in 0..sealed.len() {
            let mut forged = sealed.clone();
            forged[changed] ^= 1 << (changed % 8);
            let mut opened = [0xee; 100];
            let refused = keyed.open_into(&nonce, b"ad", &forged, &mut opened);
            assert_eq!(
                (refused, opened),
                (Err(Error::BadTag), [0; 100]),
                "{}",
                facts.name
            );
            assert_eq!(keyed.open_in_place(&nonce, b"ad", &mut forged), refused);
            assert_eq!(forged, [0; 116], "{}: byte {changed} changed", facts.name);
        }
        let mut opened = [0xee; 100];
        let other = keyed.open_into(&nonce, b"", &sealed, &mut opened);
        assert_eq!(
            (other, opened),
            (Err(Error::BadTag), [0; 100]),
            "{}",
            facts.name
        );
        let short = keyed.open_into(&nonce, b"", &sealed[..15], &mut opened);
        assert_eq!(short, Err(Error::BadTag));
    }
}

#[test]
fn sizes_are_checked() {
    for facts in ciphers() {
        let keyed = keyed(facts.name);
        let want = facts.nonce_bytes;
        let (nonce, mut out) = (vec![1; want], [0xee; 116]);
        let said = |got: Result<usize, Error>| got.unwrap_err().to_string();
        let short = format!("nonce: want {want} bytes, got {}", want - 1);
        assert_eq!(
            said(keyed.seal_into(&nonce[1..], b"", &[0; 100], &mut out)),
            short
        );
        assert_eq!(
            said(keyed.open_into(&nonce[1..], b"", &[0; 116], &mut out)),
            short
        );
        assert_eq!(said(keyed.open_in_place(&nonce[1..], b"", &mut out)), short);
        let long = "out: want 115 bytes, got 116";
        assert_eq!(said(keyed.seal_into(&nonce, b"", &[0; 99], &mut out)), long);
        let long = "out: want 99 bytes, got 116";
        assert_eq!(
            said(keyed.open_into(&nonce, b"", &[0; 115], &mut out)),
            long
        );
        let long = "buf: want 115 bytes, got 116";
        assert_eq!(said(keyed.seal_in_place(&nonce, b"", &mut out, 99)), long);
        assert_eq!(out, [0xee; 116], "{}: nothing was written", facts.name);
    }
    let error = cipher("aes-256-gcm", &[0; 16]).err().unwrap();
    assert_eq!(error.to_string(), "key: want 32 bytes, got 16");
    assert_eq!(cipher("aes-192-gcm", &[]).err(), Some(Error::UnknownCipher));
}

fn keyed(name: &str) -> Box<dyn Cipher> {
    let facts = ciphers().find(|facts| facts.name == name).unwrap();
    cipher(name, &vec![7; facts.key_bytes]).unwrap()
}
