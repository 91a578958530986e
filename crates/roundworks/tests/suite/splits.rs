//! A message cut in three at every pair of places: two cuts meet every state that the incremental
//! interface can be in, with what came before and what comes after.

use roundworks::for_each_streaming_cipher;

use crate::{backends, noise, short, subjects};

/// Above one block of every cipher and, of all but the widest, above two. The widest have blocks of
/// 128 bytes, and two of them are cut in two only.
const IN_THREE: usize = 131;
const IN_TWO: usize = 2 * 128 + 3;

/// A length and two places: all pairs; in short those ten bytes apart, twenty, and so on; under miri
/// one pair.
fn cuts() -> Vec<(usize, [usize; 2])> {
    if cfg!(miri) {
        return vec![(IN_THREE, [1, 65])];
    }
    let three = (0..=IN_THREE)
        .flat_map(|first| (first..=IN_THREE).map(move |second| (IN_THREE, [first, second])))
        .filter(|(_, [first, second])| !short() || (second - first) % 10 == 0);
    let two = (0..=IN_TWO).map(|first| (IN_TWO, [first, IN_TWO]));
    three.chain(two).collect()
}

macro_rules! tests {
    ($($cipher:ident $about:literal,)*) => {$(
        #[test]
        #[allow(non_snake_case)]
        fn $cipher() {
            type C = roundworks::$cipher;
            let (key, nonce) = subjects::$cipher.key_and_nonce(61);
            let nonce: [u8; C::NONCE_BYTES] = nonce.try_into().unwrap();
            let (ad, data) = (noise(62, IN_TWO), noise(63, IN_TWO));
            for backend in backends::usable(C::NAME, C::BACKENDS) {
                let cipher = C::with_backend(key[..].try_into().unwrap(), backend).unwrap();
                let whole = [IN_THREE, IN_TWO].map(|len| {
                    let mut ciphertext = data[..len].to_vec();
                    let tag = cipher.encrypt_in_place(&nonce, &ad[..len], &mut ciphertext);
                    (ciphertext, tag)
                });
                let mut out = [0; IN_TWO];
                for (len, [first, second]) in cuts() {
                    let at = || format!("{}/{backend}: {len} cut at {first}, {second}", C::NAME);
                    let (ciphertext, tag) = &whole[usize::from(len == IN_TWO)];
                    let parts = [0..first, first..second, second..len];

                    let mut encryptor = cipher.encryptor(&nonce);
                    for part in parts.clone() {
                        encryptor.ad(&ad[part]).unwrap();
                    }
                    for part in parts.clone() {
                        encryptor.update_into(&data[part.clone()], &mut out[part]).unwrap();
                    }
                    assert_eq!((encryptor.finish(), &out[..len]), (*tag, &ciphertext[..]), "{}", at());

                    let mut decryptor = cipher.decryptor(&nonce, &mut out);
                    for part in parts.clone() {
                        decryptor.ad(&ad[part]).unwrap();
                    }
                    for part in parts {
                        decryptor.update(&ciphertext[part]).unwrap();
                    }
                    let opened = decryptor.finish(tag).expect("was sealed");
                    assert_eq!(opened, &data[..len], "{}", at());
                }
            }
        }
    )*};
}
for_each_streaming_cipher!(tests);
