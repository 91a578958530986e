//! Every back end gives what the portable one gives.

use roundworks::{Aegis128, Aether, AetherLb, Backend};

use crate::{Cipher, everywhere, noise};

/// Every length of data with every length of associated data: all block boundaries of all ciphers
/// lie below.
const LONGEST: usize = 200;

fn agree<C: Cipher>() {
    let key = noise(1, C::KEY_BYTES);
    let nonce = noise(2, 16).try_into().unwrap();
    let (ad, plaintext) = (noise(3, LONGEST), noise(4, LONGEST));
    let all = everywhere::<C>(&key);
    let (first, portable) = &all[0];
    assert_eq!(*first, Backend::Portable);
    let mut want = [0; LONGEST];
    let mut got = [0; LONGEST];
    for ad_len in 0..=LONGEST {
        for len in 0..=LONGEST {
            let (ad, plaintext) = (&ad[..ad_len], &plaintext[..len]);
            let (want, got) = (&mut want[..len], &mut got[..len]);
            want.copy_from_slice(plaintext);
            let tag = portable.seal(&nonce, ad, want);
            for (backend, cipher) in &all {
                let at = || format!("{}/{backend}: {ad_len} bytes of ad, {len} of data", C::NAME);
                got.copy_from_slice(plaintext);
                assert_eq!(cipher.seal(&nonce, ad, got), tag, "{}", at());
                assert_eq!(got, want, "{}", at());
                cipher
                    .open(&nonce, ad, got, &tag)
                    .unwrap_or_else(|e| panic!("{}: {e}", at()));
                assert_eq!(got, plaintext, "{}", at());
            }
        }
    }
}

mod pairs_of_lengths {
    use super::*;

    #[test]
    fn aether() {
        agree::<Aether>();
    }

    #[test]
    fn aether_lb() {
        agree::<AetherLb>();
    }

    #[test]
    fn aegis128() {
        agree::<Aegis128>();
    }
}

/// Long inputs, and buffers at odd addresses.
fn agree_when_long<C: Cipher>() {
    let key = noise(5, C::KEY_BYTES);
    let nonce = noise(6, 16).try_into().unwrap();
    let data = noise(7, 70_000);
    let all = everywhere::<C>(&key);
    for (offset, len) in [(0, 65_536), (1, 65_537), (7, 4_799), (31, 48 * 1024)] {
        let ad = &data[offset..offset + len / 3];
        let mut want = data.clone();
        let tag = all[0].1.seal(&nonce, ad, &mut want[offset..offset + len]);
        for (backend, cipher) in &all {
            let mut got = data.clone();
            let got_tag = cipher.seal(&nonce, ad, &mut got[offset..offset + len]);
            assert_eq!(got_tag, tag, "{}/{backend}: {offset}, {len}", C::NAME);
            assert!(
                got == want,
                "{}/{backend}: {offset}, {len}: ciphertext differs",
                C::NAME
            );
        }
    }
}

#[test]
fn long_inputs() {
    agree_when_long::<Aether>();
    agree_when_long::<AetherLb>();
    agree_when_long::<Aegis128>();
}
