//! Names, choice of back end, errors, traits.

#[cfg(feature = "all")]
use roundworks::{Aegis128, Aegis128L, Aether};
use roundworks::{Backend, BackendUnavailable, BadTag, Cipher, Error, Facts, Tag, for_each_cipher};

use crate::{Subject, subjects};
#[cfg(feature = "aead")]
use crate::{Whole, noise};

#[test]
fn backend_names_round_trip() {
    for b in Backend::ALL {
        assert_eq!(b.to_string().parse(), Ok(b));
    }
    let error = "vaes".parse::<Backend>().unwrap_err().to_string();
    assert_eq!(
        error,
        "backend: unknown name, want portable, aesni, avx2, vaes256, vaes512, avx512 or aarch64"
    );
}

fn chosen(subject: Subject, chosen: Backend) {
    let usable: Vec<_> = subject
        .backends
        .iter()
        .copied()
        .filter(|b| b.is_available())
        .collect();
    assert_eq!(
        usable.last(),
        Some(&chosen),
        "{}: want the fastest",
        subject.name
    );
    for b in Backend::ALL {
        let (key, _) = subject.key_and_nonce(0);
        assert_eq!(
            (subject.with)(&key, b).is_ok(),
            usable.contains(&b),
            "{}: {b}",
            subject.name
        );
    }
}

#[test]
fn new_takes_the_fastest_back_end() {
    macro_rules! each {
        ($($cipher:ident $about:literal,)*) => {$(
            let key = [0; roundworks::$cipher::KEY_BYTES];
            chosen(subjects::$cipher, roundworks::$cipher::new(&key).backend());
        )*};
    }
    for_each_cipher!(each);
}

/// The methods with slices do what the typed ones do, check sizes first, and say what is wrong.
#[cfg(feature = "all")]
#[test]
fn slices() {
    let cipher = Aegis128L::new(&[1; 16]);
    let (nonce, ad, data) = ([2; 16], b"header", b"attack at dawn");
    let mut want = *data;
    let tag = cipher.encrypt_in_place(&nonce, ad, &mut want);
    let sealed = [&want[..], tag.as_bytes()].concat();

    let mut out = vec![0; data.len()];
    assert_eq!(cipher.encrypt_into(&nonce, ad, data, &mut out), Ok(tag));
    assert_eq!(out, want);
    cipher
        .decrypt_into(&nonce, ad, &want, &tag, &mut out)
        .unwrap();
    assert_eq!(out, data);
    let bad = Tag::from([0; 16]);
    let refused = cipher.decrypt_into(&nonce, ad, &want, &bad, &mut out);
    assert_eq!((refused, &out[..]), (Err(Error::BadTag), &[0; 14][..]));

    let any: &dyn Cipher = &cipher;
    let Facts {
        name, key_bytes, ..
    } = *any.facts();
    assert_eq!((name, key_bytes), ("aegis-128l", 16));
    assert_eq!(any.backend_name(), cipher.backend().name());
    let mut buf = [&data[..], &[0; 16]].concat();
    assert_eq!(any.seal_in_place(&nonce, ad, &mut buf, data.len()), Ok(30));
    assert_eq!(buf, sealed);
    assert_eq!(any.open_in_place(&nonce, ad, &mut buf), Ok(14));
    assert_eq!(&buf[..14], data);

    let mut out = [7; 30];
    let wrong = any.seal_into(&nonce[..12], ad, data, &mut out).unwrap_err();
    assert_eq!(wrong.to_string(), "nonce: want 16 bytes, got 12");
    let wrong = any.seal_into(&nonce, ad, &data[1..], &mut out).unwrap_err();
    assert_eq!(wrong.to_string(), "out: want 29 bytes, got 30");
    let wrong = any.open_into(&nonce, ad, &sealed, &mut out).unwrap_err();
    assert_eq!(wrong.to_string(), "out: want 14 bytes, got 30");
    assert_eq!(out, [7; 30], "nothing was written");
    assert_eq!(
        any.open_into(&nonce, ad, &sealed[..15], &mut []),
        Err(Error::BadTag)
    );
}

#[cfg(feature = "all")]
#[test]
fn errors_are_one_line_that_says_what_next() {
    let error = Aegis128::with_backend(&[0; 16], Backend::Avx2).unwrap_err();
    assert_eq!(
        error.to_string(),
        "backend 'avx2': aegis-128 is not written for it, want portable, aesni, vaes256, vaes512 or aarch64"
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

#[cfg(feature = "all")]
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
    macro_rules! each {
        ($($cipher:ident $about:literal,)*) => { $(shared::<roundworks::$cipher>();)* };
    }
    for_each_cipher!(each);
}

#[cfg(feature = "aead")]
mod rustcrypto {
    use roundworks::aead::inout::InOutBuf;
    use roundworks::aead::{self, Aead, AeadInOut, KeyInit, Payload};

    use super::*;

    fn same_as_inherent<C: KeyInit + AeadInOut>(subject: Subject) {
        let (key, nonce) = subject.key_and_nonce(31);
        let (ad, plaintext) = (noise(33, 20), noise(34, 70));
        let inherent = (subject.with)(&key, Backend::Portable).unwrap();
        let sealed = inherent.seal(&nonce, &ad, &plaintext);
        let (want, want_tag) = sealed.split_at(plaintext.len());

        let cipher = <C as KeyInit>::new_from_slice(&key).unwrap();
        let nonce = nonce.as_slice().try_into().unwrap();
        let mut out = vec![0; plaintext.len()];
        let buf = InOutBuf::new(&plaintext, &mut out).unwrap();
        let tag = cipher.encrypt_inout_detached(nonce, &ad, buf).unwrap();
        assert_eq!((&out[..], &tag[..]), (want, want_tag), "{}", subject.name);

        let mut back = vec![1; out.len()];
        let buf = InOutBuf::new(&out, &mut back).unwrap();
        cipher
            .decrypt_inout_detached(nonce, &ad, buf, &tag)
            .unwrap();
        assert_eq!(back, plaintext, "{}", subject.name);

        let buf = InOutBuf::new(&out, &mut back).unwrap();
        assert_eq!(
            cipher.decrypt_inout_detached(nonce, &[], buf, &tag),
            Err(aead::Error)
        );
        assert!(
            back.iter().all(|&b| b == 0),
            "{}: plaintext left",
            subject.name
        );

        // The provided methods, which put the tag behind the ciphertext.
        let payload = |msg| Payload { msg, aad: &ad };
        assert_eq!(
            cipher.encrypt(nonce, payload(&plaintext)),
            Ok(sealed.clone()),
            "{}",
            subject.name
        );
        assert_eq!(
            cipher.decrypt(nonce, payload(&sealed)),
            Ok(plaintext.clone()),
            "{}",
            subject.name
        );
        assert_eq!(
            cipher.decrypt(nonce, &sealed[..]),
            Err(aead::Error),
            "{}",
            subject.name
        );
        for short in 0..subject.tag_bytes {
            assert_eq!(
                cipher.decrypt(nonce, payload(&sealed[..short])),
                Err(aead::Error)
            );
        }
        let mut buf = sealed.clone();
        buf[0] ^= 1;
        assert_eq!(
            cipher.decrypt_in_place(nonce, &ad, &mut buf),
            Err(aead::Error)
        );
        let released = &buf[..plaintext.len()];
        assert!(
            released.iter().all(|&b| b == 0),
            "{}: plaintext left",
            subject.name
        );
    }

    #[test]
    fn traits_do_what_the_methods_do() {
        macro_rules! each {
            ($($cipher:ident $about:literal,)*) => { $(same_as_inherent::<roundworks::$cipher>(subjects::$cipher);)* };
        }
        roundworks::for_each_streaming_cipher!(each);
    }
}
