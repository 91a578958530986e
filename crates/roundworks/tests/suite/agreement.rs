//! Every back end gives what the portable one gives.

use roundworks::{Backend, for_each_cipher};

use crate::{Subject, Whole, noise, subjects};

/// Every length of data with every length of associated data: all block boundaries of all ciphers
/// lie below, those of 128 bytes once and those of 48 four times.
const LONGEST: usize = 200;

fn agree(subject: Subject) {
    let (key, nonce) = subject.key_and_nonce(1);
    let (ad, plaintext) = (noise(3, LONGEST), noise(4, LONGEST));
    let all = subject.everywhere(&key);
    let (first, portable) = &all[0];
    assert_eq!(*first, Backend::Portable);
    for ad_len in 0..=LONGEST {
        for len in 0..=LONGEST {
            let (ad, plaintext) = (&ad[..ad_len], &plaintext[..len]);
            let want = portable.seal(&nonce, ad, plaintext);
            for (backend, cipher) in &all {
                let at = || {
                    format!(
                        "{}/{backend}: {ad_len} bytes of ad, {len} of data",
                        subject.name
                    )
                };
                assert_eq!(cipher.seal(&nonce, ad, plaintext), want, "{}", at());
                let opened = cipher.open(&nonce, ad, &want);
                assert_eq!(opened.as_deref(), Ok(plaintext), "{}", at());
            }
        }
    }
}

/// Long inputs, and buffers at odd addresses.
fn agree_when_long(subject: Subject) {
    let (key, nonce) = subject.key_and_nonce(5);
    let data = noise(7, 70_000);
    let all = subject.everywhere(&key);
    for (offset, len) in [(0, 65_536), (1, 65_537), (7, 4_799), (31, 48 * 1024)] {
        let (ad, plaintext) = (&data[offset..][..len / 3], &data[offset..][..len]);
        let want = all[0].1.seal(&nonce, ad, plaintext);
        for (backend, cipher) in &all {
            let at = format!("{}/{backend}: {offset}, {len}", subject.name);
            let actual = cipher.seal(&nonce, ad, plaintext);
            assert!(actual == want, "{at}: ciphertext or tag differs");
            let opened = cipher.open(&nonce, ad, &want);
            assert!(
                opened.as_deref() == Ok(plaintext),
                "{at}: plaintext differs"
            );
        }
    }
}

macro_rules! tests {
    ($($cipher:ident $about:literal,)*) => {$(
        #[allow(non_snake_case)]
        mod $cipher {
            #[test]
            fn on_all_pairs_of_lengths() {
                super::agree(super::subjects::$cipher);
            }

            #[test]
            fn when_long() {
                super::agree_when_long(super::subjects::$cipher);
            }
        }
    )*};
}
for_each_cipher!(tests);
