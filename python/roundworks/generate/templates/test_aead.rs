//! The vectors of the description on every back end that this CPU has, and with every byte of the tag spoilt.

use {{ crate | replace("-", "_") }}::aead::{AeadInOut, KeyInit};
use {{ crate | replace("-", "_") }}::{Backend, KEY, NONCE, TAG, {{ type }}};

/// Key, nonce, associated data, data, ciphertext, tag.
const VECTORS: [[&str; 6]; {{ vectors | length }}] = [
{% for row in vectors %}
    ["{{ row | join('", "') }}"],
{% endfor %}
];

fn unhex(text: &str) -> Vec<u8> {
    (0..text.len() / 2).map(|i| u8::from_str_radix(&text[2 * i..2 * i + 2], 16).unwrap()).collect()
}

#[test]
fn vectors() {
    let mut tried = 0;
    for &backend in Backend::ALL {
        for row in VECTORS {
            let [key, nonce, ad, data, sealed, tag] = row.map(unhex);
            let key: [u8; KEY] = key.try_into().unwrap();
            let nonce: [u8; NONCE] = nonce.try_into().unwrap();
            let mut tag: [u8; TAG] = tag.try_into().unwrap();
            let Some(cipher) = {{ type }}::with_backend(&key, backend) else {
                println!("{backend:?}: skipped, this CPU lacks it");
                break;
            };
            let mut buffer = data.clone();
            assert_eq!(cipher.encrypt_in_place(&nonce, &ad, &mut buffer), tag, "{backend:?}");
            assert_eq!(buffer, sealed, "{backend:?}");
            cipher.decrypt_in_place(&nonce, &ad, &mut buffer, &tag).unwrap();
            assert_eq!(buffer, data, "{backend:?}");
            for i in 0..TAG {
                tag[i] ^= 1;
                buffer.copy_from_slice(&sealed);
                assert!(cipher.decrypt_in_place(&nonce, &ad, &mut buffer, &tag).is_err());
                assert!(buffer.iter().all(|&byte| byte == 0));
                tag[i] ^= 1;
            }
            tried += 1;
        }
    }
    assert!(tried >= VECTORS.len());
}

#[test]
fn traits() {
    let [key, nonce, ad, data, sealed, tag] = VECTORS[VECTORS.len() - 1].map(unhex);
    let cipher = {{ type }}::new_from_slice(&key).unwrap();
    let mut buffer = data;
    let nonce = nonce.as_slice().try_into().unwrap();
    let made = cipher.encrypt_inout_detached(&nonce, &ad, buffer.as_mut_slice().into()).unwrap();
    assert_eq!((buffer, made.to_vec()), (sealed, tag));
}
