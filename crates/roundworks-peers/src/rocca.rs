//! The crate rocca; how it is compiled is in `../rocca`.

use roundworks_bench::{Entry, InPlace, counting};
use roundworks_peer_rocca::{FEATURES, decrypt, encrypt};

pub fn entries() -> Vec<Entry> {
    let (key, nonce) = (counting::<32>(), counting::<16>());
    let seal = move |ad: &[u8], data: &mut [u8], tag: &mut [u8]| {
        tag.copy_from_slice(&encrypt(&key, &nonce, ad, data));
    };
    vec![Entry {
        cipher: "rocca-s",
        library: "rocca",
        version: "0.3.2".into(),
        backend: FEATURES,
        many: None,
        witness: false,
        subject: Box::new(InPlace {
            tag_bytes: 32,
            first: seal, // no key is kept: every message is a first one
            encrypt: seal,
            decrypt: move |ad: &[u8], data: &mut [u8], tag: &[u8]| {
                decrypt(&key, &nonce, ad, data, tag.try_into().expect("32 bytes"))
            },
        }),
    }]
}
