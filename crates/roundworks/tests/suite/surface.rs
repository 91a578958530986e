//! Names, choice of back end, errors, traits.

use roundworks::{Aegis128, Aether, AetherLb, Backend, BackendUnavailable, BadTag, Tag};

use crate::Cipher;

#[test]
fn backend_names_round_trip() {
    for b in Backend::ALL {
        assert_eq!(b.to_string().parse(), Ok(b));
    }
    let error = "vaes".parse::<Backend>().unwrap_err().to_string();
    assert_eq!(
        error,
        "backend: unknown name, want portable, aesni, avx2 or avx512"
    );
}

fn chosen<C: Cipher>(chosen: Backend) {
    let usable: Vec<_> = C::BACKENDS
        .iter()
        .copied()
        .filter(|b| b.is_available())
        .collect();
    assert_eq!(
        usable.last(),
        Some(&chosen),
        "{}: want the fastest",
        C::NAME
    );
    for b in Backend::ALL {
        let key = vec![0; C::KEY_BYTES];
        assert_eq!(
            C::with(&key, b).is_ok(),
            usable.contains(&b),
            "{}: {b}",
            C::NAME
        );
    }
}

#[test]
fn new_takes_the_fastest_back_end() {
    chosen::<Aether>(Aether::new(&[0; 32]).backend());
    chosen::<AetherLb>(AetherLb::new(&[0; 32]).backend());
    chosen::<Aegis128>(Aegis128::new(&[0; 16]).backend());
}

#[test]
fn errors_are_one_line_that_says_what_next() {
    let error = Aegis128::with_backend(&[0; 16], Backend::Avx2).unwrap_err();
    assert_eq!(
        error.to_string(),
        "backend 'avx2': aegis-128 is not written for it, want portable or aesni"
    );
    let BackendUnavailable {
        cipher,
        backend,
        written,
        ..
    } = error;
    assert_eq!(
        (cipher, backend, written),
        ("aegis-128", Backend::Avx2, Aegis128::BACKENDS)
    );
    assert_eq!(
        BadTag.to_string(),
        "authentication failed; the buffer was filled with zeros"
    );
}

#[test]
fn debug_shows_no_key() {
    let cipher = Aether::with_backend(&[0xab; 32], Backend::Portable).unwrap();
    assert_eq!(format!("{cipher:?}"), "Aether { backend: Portable, .. }");
    assert_eq!(
        format!("{:?}", Tag::from([0xa5; 16])),
        format!("Tag({})", "a5".repeat(16))
    );
}

#[test]
fn threads_may_share_a_cipher() {
    fn shared<T: Clone + Send + Sync + Unpin + std::panic::RefUnwindSafe>() {}
    shared::<Aether>();
    shared::<AetherLb>();
    shared::<Aegis128>();
}

#[cfg(feature = "aead")]
mod rustcrypto {
    use roundworks::aead::inout::InOutBuf;
    use roundworks::aead::{self, Aead, AeadInOut, KeyInit, Payload};

    use super::*;
    use crate::noise;

    fn same_as_inherent<C: KeyInit + AeadInOut, I: Cipher>() {
        let (key, nonce) = (noise(31, I::KEY_BYTES), noise(32, 16));
        let (ad, plaintext) = (noise(33, 20), noise(34, 70));
        let inherent = I::with(&key, Backend::Portable).unwrap();
        let mut want = plaintext.clone();
        let want_tag = inherent.seal(nonce.as_slice().try_into().unwrap(), &ad, &mut want);

        let cipher = C::new_from_slice(&key).unwrap();
        let nonce = nonce.as_slice().try_into().unwrap();
        let mut out = vec![0; plaintext.len()];
        let buf = InOutBuf::new(&plaintext, &mut out).unwrap();
        let tag = cipher.encrypt_inout_detached(nonce, &ad, buf).unwrap();
        assert_eq!(
            (&out, &tag[..]),
            (&want, &want_tag.as_bytes()[..]),
            "{}",
            I::NAME
        );

        let mut back = vec![1; out.len()];
        let buf = InOutBuf::new(&out, &mut back).unwrap();
        cipher
            .decrypt_inout_detached(nonce, &ad, buf, &tag)
            .unwrap();
        assert_eq!(back, plaintext, "{}", I::NAME);

        let buf = InOutBuf::new(&out, &mut back).unwrap();
        assert_eq!(
            cipher.decrypt_inout_detached(nonce, &[], buf, &tag),
            Err(aead::Error)
        );
        assert!(back.iter().all(|&b| b == 0), "{}: plaintext left", I::NAME);

        // The provided methods, which put the tag behind the ciphertext.
        let sealed = [&want[..], want_tag.as_bytes()].concat();
        let payload = |msg| Payload { msg, aad: &ad };
        assert_eq!(
            cipher.encrypt(nonce, payload(&plaintext)),
            Ok(sealed.clone()),
            "{}",
            I::NAME
        );
        assert_eq!(
            cipher.decrypt(nonce, payload(&sealed)),
            Ok(plaintext.clone()),
            "{}",
            I::NAME
        );
        assert_eq!(
            cipher.decrypt(nonce, &sealed[..]),
            Err(aead::Error),
            "{}",
            I::NAME
        );
        for short in 0..16 {
            assert_eq!(
                cipher.decrypt(nonce, payload(&sealed[..short])),
                Err(aead::Error)
            );
        }
        let mut buf = sealed;
        buf[0] ^= 1;
        assert_eq!(
            cipher.decrypt_in_place(nonce, &ad, &mut buf),
            Err(aead::Error)
        );
        let released = &buf[..want.len()];
        assert!(
            released.iter().all(|&b| b == 0),
            "{}: plaintext left",
            I::NAME
        );
    }

    #[test]
    fn traits_do_what_the_methods_do() {
        same_as_inherent::<Aether, Aether>();
        same_as_inherent::<AetherLb, AetherLb>();
        same_as_inherent::<Aegis128, Aegis128>();
    }
}
