//! The vectors of `spec/` on every back end.

use roundworks::{Aegis128, Aether, AetherLb, Tag};
use roundworks_vectors::{AeadVector, AeadVectors, aead_all};

use crate::{Cipher, everywhere};

fn run_all<C: Cipher>(family: &str) {
    for (path, doc) in aead_all(family, C::NAME) {
        run::<C>(&path, &doc);
    }
}

fn run<C: Cipher>(path: &str, doc: &AeadVectors) {
    assert_eq!(doc.algorithm, C::NAME, "spec/{path}");
    for v in &doc.vectors {
        let AeadVector {
            id,
            key,
            nonce,
            ad,
            pt,
            ct,
            tag,
            valid,
            ..
        } = v;
        let nonce = nonce.0.as_slice().try_into().expect("nonce size");
        let tag = Tag::from(<[u8; 16]>::try_from(tag.0.as_slice()).expect("tag size"));
        for (backend, cipher) in everywhere::<C>(&key.0) {
            let at = format!("spec/{path}: {id}: {backend}");
            let mut buf = pt.0.clone();
            let got = cipher.seal(nonce, &ad.0, &mut buf);
            assert_eq!(
                (&buf, got) == (&ct.0, tag),
                *valid,
                "{at}: encryption, tag {got:?}"
            );

            let mut buf = ct.0.clone();
            let opened = cipher.open(nonce, &ad.0, &mut buf, &tag);
            assert_eq!(opened.is_ok(), *valid, "{at}: decryption");
            let want = if *valid {
                pt.0.clone()
            } else {
                vec![0; ct.0.len()]
            };
            assert_eq!(buf, want, "{at}: buffer after decryption");
        }
    }
}

#[test]
fn aether() {
    run_all::<Aether>("aether");
}

#[test]
fn aether_lb() {
    run_all::<AetherLb>("aether");
}

#[test]
fn aegis128() {
    run_all::<Aegis128>("aegis");
}
