//! The vectors of `spec/` on every back end.

use roundworks::{Error, for_each_cipher};
use roundworks_vectors::{AeadVectors, aead_all, family_of};

use crate::{Subject, Whole, subjects};

/// Vectors of a cipher with a tag of its size, all files together.
fn run_all(subject: Subject) {
    let mut ran = 0;
    for (path, doc) in aead_all(&family_of(subject.name), subject.name) {
        ran += run(subject, &path, &doc);
    }
    assert!(
        ran > 0,
        "{}: no vectors with a tag of {} bytes",
        subject.name,
        subject.tag_bytes
    );
}

fn run(subject: Subject, path: &str, doc: &AeadVectors) -> usize {
    assert_eq!(doc.algorithm, subject.name, "spec/{path}");
    let of_this_size = doc
        .vectors
        .iter()
        .filter(|v| v.tag.0.len() == subject.tag_bytes);
    let mut ran = 0;
    for v in of_this_size {
        let sealed = [&v.ct.0[..], &v.tag.0].concat();
        for (backend, cipher) in subject.everywhere(&v.key.0) {
            let at = format!("spec/{path}: {}: {backend}", v.id);
            let actual = cipher.seal(&v.nonce.0, &v.ad.0, &v.pt.0);
            assert_eq!(
                actual == sealed,
                v.valid,
                "{at}: encryption gives {actual:02x?}"
            );
            let want = if v.valid {
                Ok(v.pt.0.clone())
            } else {
                Err(Error::BadTag)
            };
            assert_eq!(
                cipher.open(&v.nonce.0, &v.ad.0, &sealed),
                want,
                "{at}: decryption"
            );
        }
        ran += 1;
    }
    ran
}

macro_rules! tests {
    ($($cipher:ident $about:literal,)*) => {$(
        #[test]
        #[allow(non_snake_case)]
        fn $cipher() {
            run_all(subjects::$cipher);
        }
    )*};
}
for_each_cipher!(tests);
