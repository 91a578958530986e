//! Every yardstick against the vectors of `spec/`, and what its refusals leave.

use roundworks_yardsticks::{Cipher, Error, for_each_yardstick};

/// A yardstick keyed at run time.
struct Keyed {
    name: &'static str,
    key_bytes: usize,
    new: fn(&[u8]) -> Box<dyn Cipher>,
}

fn yardsticks() -> Vec<Keyed> {
    macro_rules! each {
        ($($cipher:ident $about:literal,)*) => { vec![$(Keyed {
            name: roundworks_yardsticks::$cipher::NAME,
            key_bytes: roundworks_yardsticks::$cipher::KEY_BYTES,
            new: |key| Box::new(roundworks_yardsticks::$cipher::new(key.try_into().unwrap())),
        }),*] };
    }
    for_each_yardstick!(each)
}

fn files(cipher: &str) -> &'static [&'static str] {
    match cipher {
        "aes-128-gcm" => &["aes-gcm/aes-128-gcm.wycheproof.json"],
        "aes-256-gcm" => &["aes-gcm/aes-256-gcm.wycheproof.json"],
        "ascon-128a" => &["ascon/ascon-128a.wycheproof.json"],
        "ascon-aead128" => &["ascon/ascon-aead128.wycheproof.json"],
        _ => panic!("{cipher}: no vectors named here"),
    }
}

#[test]
fn vectors() {
    for Keyed { name, new, .. } in yardsticks() {
        let (mut valid, mut invalid, mut sizes) = (0, 0, 0);
        for file in files(name) {
            for v in roundworks_vectors::aead(file).vectors {
                let it = new(&v.key.0);
                let where_ = format!("{file}: {}", v.id);
                let sealed = [&*v.ct.0, &*v.tag.0].concat();
                let mut opened = vec![0xee; v.ct.0.len()];
                let got = it.open_into(&v.nonce.0, &v.ad.0, &sealed, &mut opened);
                if v.nonce.0.len() != it.nonce_bytes() {
                    assert!(
                        matches!(got, Err(Error::Length { .. })),
                        "{where_}: {got:?}"
                    );
                    sizes += 1;
                } else if v.valid {
                    assert_eq!(got, Ok(v.pt.0.len()), "{where_}");
                    assert_eq!(opened, v.pt.0, "{where_}");
                    let mut again = vec![0; it.sealed_bytes(v.pt.0.len())];
                    let made = it.seal_into(&v.nonce.0, &v.ad.0, &v.pt.0, &mut again);
                    assert_eq!((made, again), (Ok(sealed.len()), sealed), "{where_}");
                    valid += 1;
                } else {
                    assert_eq!(got, Err(Error::BadTag), "{where_}");
                    assert!(opened.iter().all(|&b| b == 0), "{where_}: left {opened:x?}");
                    invalid += 1;
                }
            }
        }
        println!("{name}: {valid} valid, {invalid} refused, {sizes} with a nonce of another size");
        assert!(
            valid > 0 && invalid > 0,
            "{name}: {valid} valid, {invalid} invalid"
        );
    }
}

#[test]
fn sizes_are_checked_and_a_refusal_leaves_zeros() {
    for Keyed {
        name,
        key_bytes,
        new,
    } in yardsticks()
    {
        let it = new(&vec![7; key_bytes]);
        let nonce = vec![1; it.nonce_bytes()];
        let data: Vec<u8> = (0..100).collect();
        let mut sealed = vec![0; it.sealed_bytes(data.len()) + 9];
        let n = it.seal_into(&nonce, b"ad", &data, &mut sealed).unwrap();
        assert_eq!(
            (n, &sealed[n..]),
            (116, &[0; 9][..]),
            "{name}: writes what it says, no more"
        );
        sealed.truncate(n);

        let mut opened = vec![0xee; 104];
        assert_eq!(it.open_into(&nonce, b"ad", &sealed, &mut opened), Ok(100));
        assert_eq!(
            (&opened[..100], &opened[100..]),
            (&data[..], &[0xee; 4][..]),
            "{name}"
        );
        for changed in 0..n {
            let mut forged = sealed.clone();
            forged[changed] ^= 1 << (changed % 8);
            let mut opened = vec![0xee; 100];
            assert_eq!(
                it.open_into(&nonce, b"ad", &forged, &mut opened),
                Err(Error::BadTag)
            );
            assert_eq!(opened, [0; 100], "{name}: byte {changed} changed");
        }
        assert_eq!(
            it.open_into(&nonce, b"", &sealed, &mut opened),
            Err(Error::BadTag)
        );
        assert_eq!(
            it.open_into(&nonce, b"ad", &sealed[..15], &mut opened),
            Err(Error::BadTag)
        );

        let short = it
            .seal_into(&nonce[1..], b"", &data, &mut sealed)
            .unwrap_err();
        let want = it.nonce_bytes();
        let said = format!("nonce: want {want} bytes, got {}", want - 1);
        assert_eq!(short.to_string(), said);
        let short = it
            .seal_into(&nonce, b"", &data, &mut sealed[..115])
            .unwrap_err();
        assert_eq!(short.to_string(), "out: want 116 bytes, got 115");
    }
}
