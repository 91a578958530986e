//! A message in parts is the message: every way to cut it in two, and many ways to cut it finer.

use roundworks::{BadTag, Cipher, Error};

#[cfg(feature = "alloc")]
use crate::{Subject, all};
use crate::{Whole, backends, noise, subjects};

macro_rules! tests {
    ($($cipher:ident $about:literal,)*) => {$(
        #[test]
        #[allow(non_snake_case)]
        fn $cipher() {
            type C = roundworks::$cipher;
            let (key, nonce) = subjects::$cipher.key_and_nonce(41);
            let nonce: [u8; C::NONCE_BYTES] = nonce.try_into().unwrap();
            let (all_ad, data) = (noise(42, 300), noise(43, 300));
            for backend in backends::usable(C::NAME, C::BACKENDS) {
                let cipher = C::with_backend(key[..].try_into().unwrap(), backend).unwrap();
                // Sizes of parts, used one after the other; 0 is an empty part.
                for (ad_len, len, cuts) in cuts() {
                    let at = format!("{}/{backend}: {ad_len}, {len}, {cuts:?}", C::NAME);
                    let (ad, data) = (&all_ad[..ad_len], &data[..len]);
                    let want = (&cipher as &dyn Cipher).seal(&nonce, ad, data);
                    let (ciphertext, tag) = want.split_at(len);

                    let mut encryptor = cipher.encryptor(&nonce);
                    for part in parts(ad, &cuts) {
                        encryptor.ad(part).unwrap();
                    }
                    let mut out = vec![0x55; len];
                    let mut done = 0;
                    for (i, part) in parts(data, &cuts).enumerate() {
                        let to = &mut out[done..][..part.len()];
                        if i % 2 == 0 {
                            encryptor.update_into(part, to).unwrap();
                        } else {
                            to.copy_from_slice(part);
                            encryptor.update(to).unwrap();
                        }
                        done += part.len();
                    }
                    assert_eq!(encryptor.finish().as_ref(), tag, "{at}: tag");
                    assert_eq!(out, ciphertext, "{at}");

                    let open = |tag: &[u8], out: &mut [u8]| {
                        let mut decryptor = cipher.decryptor(&nonce, out);
                        for part in parts(ad, &cuts) {
                            decryptor.ad(part).unwrap();
                        }
                        for part in parts(ciphertext, &cuts) {
                            decryptor.update(part).unwrap();
                        }
                        let tag: [u8; C::TAG_BYTES] = tag.try_into().unwrap();
                        decryptor.finish(&tag.into()).map(|data| data.to_vec())
                    };
                    let mut out = vec![0x55; len];
                    assert_eq!(open(tag, &mut out).as_deref(), Ok(data), "{at}");
                    let mut bad = tag.to_vec();
                    bad[0] ^= 1;
                    let mut out = vec![0x55; len];
                    assert_eq!(open(&bad, &mut out), Err(BadTag), "{at}");
                    assert!(out.iter().all(|&b| b == 0), "{at}: plaintext left");
                }
            }
        }
    )*};
}
roundworks::for_each_streaming_cipher!(tests);

/// What waits for a whole block comes out later, through the trait.
#[cfg(feature = "alloc")]
fn whole_blocks_are_the_message(subject: Subject) {
    let (key, nonce) = subject.key_and_nonce(44);
    let (all_ad, data) = (noise(45, 300), noise(46, 300));
    for (backend, cipher) in subject.everywhere(&key) {
        for (ad_len, len, cuts) in cuts() {
            let at = format!("{}/{backend}: {ad_len}, {len}, {cuts:?}", subject.name);
            let (ad, data) = (&all_ad[..ad_len], &data[..len]);
            let want = cipher.seal(&nonce, ad, data);
            let (ciphertext, tag) = want.split_at(len);

            let mut sealing = cipher.sealing(&nonce).unwrap();
            for part in parts(ad, &cuts) {
                sealing.ad(part).unwrap();
            }
            let mut sealed = Vec::new();
            for part in parts(data, &cuts) {
                let mut out = vec![0x55; sealing.update_bytes(part.len())];
                assert_eq!(sealing.update_into(part, &mut out), Ok(out.len()), "{at}");
                sealed.extend(out);
            }
            let mut out = vec![0x55; sealing.finish_bytes()];
            assert_eq!(sealing.finish_into(&mut out), Ok(out.len()), "{at}");
            sealed.extend(out);
            assert_eq!(sealed, want, "{at}");

            let open = |tag: &[u8], out: &mut [u8]| {
                let mut opening = cipher.opening(&nonce, out).unwrap();
                for part in parts(ad, &cuts) {
                    opening.ad(part).unwrap();
                }
                for part in parts(ciphertext, &cuts) {
                    opening.update(part).unwrap();
                }
                opening.finish(tag)
            };
            let mut out = vec![0x55; len];
            assert_eq!(open(tag, &mut out), Ok(len), "{at}");
            assert_eq!(out, data, "{at}");
            let mut bad = tag.to_vec();
            bad[0] ^= 1;
            let mut out = vec![0x55; len];
            assert_eq!(open(&bad, &mut out), Err(Error::BadTag), "{at}");
            assert!(out.iter().all(|&b| b == 0), "{at}: plaintext left");
        }
    }
}

#[cfg(feature = "alloc")]
#[cfg(feature = "areion")]
#[test]
fn areion_opp() {
    whole_blocks_are_the_message(subjects::Areion256Opp);
    whole_blocks_are_the_message(subjects::Areion512Opp);
}

/// Through the trait there is one rule for the size of `out`: exactly what will be written.
#[cfg(feature = "alloc")]
#[test]
fn out_has_exactly_the_size_of_what_is_written() {
    fn exact(subject: Subject) {
        let (key, nonce) = subject.key_and_nonce(47);
        let data = noise(48, 300);
        let cipher = (subject.with)(&key, roundworks::Backend::Portable).unwrap();
        for first in [0, 1, 31, 64, 300] {
            let mut sealing = cipher.sealing(&nonce).unwrap();
            let want = sealing.update_bytes(first);
            let wrong = |got| Error::Length {
                what: "out",
                want,
                got,
            };
            for actual in [want.checked_sub(1), Some(want + 1), Some(want + 64)] {
                let Some(actual) = actual else { continue };
                let mut out = vec![0x55; actual];
                let refused = sealing.update_into(&data[..first], &mut out);
                assert_eq!(refused, Err(wrong(actual)), "{}: {first}", subject.name);
                assert_eq!(out, vec![0x55; actual], "nothing was written");
            }
            // Nothing was taken in, either.
            let mut sealed = vec![0; want];
            sealing.update_into(&data[..first], &mut sealed).unwrap();
            let rest = sealing.finish_bytes();
            let mut out = vec![0x55; rest + 1];
            let refused = sealing.finish_into(&mut out);
            let (what, got) = ("out", rest + 1);
            let error = Error::Length {
                what,
                want: rest,
                got,
            };
            assert_eq!(refused, Err(error), "{}: {first}", subject.name);
            assert_eq!(out, vec![0x55; rest + 1], "nothing was written");
            assert!(
                cipher
                    .seal(&nonce, &[], &data[..first])
                    .starts_with(&sealed)
            );
        }
    }
    all().into_iter().for_each(exact);
}

#[cfg(feature = "areion")]
#[test]
fn too_little_space_takes_nothing_in() {
    let cipher = roundworks::Areion256Opp::new(&[1; 16]);
    let mut encryptor = cipher.encryptor(&[2; 16]);
    let error = encryptor.update(&[3; 40], &mut [0; 31]).unwrap_err();
    assert_eq!(error.to_string(), "out: want 32 bytes, got 31");
    let (mut out, mut want) = ([0; 40], [3; 40]);
    let len = encryptor.update(&[3; 40], &mut out).unwrap();
    let (rest, tag) = encryptor.finish(&mut out[len..]).unwrap();
    assert_eq!((len, rest), (32, 8));
    assert_eq!(cipher.encrypt_in_place(&[2; 16], &[], &mut want), tag);
    assert_eq!(out, want);

    let mut out = [0x55; 4];
    let mut decryptor = cipher.decryptor(&[2; 16], &mut out);
    decryptor.update(b"abc").unwrap();
    let error = decryptor.update(b"de").unwrap_err();
    assert_eq!(error.to_string(), "ciphertext: want at most 1 bytes, got 2");
    assert!(format!("{decryptor:?}").starts_with("BlockDecryptor { cipher: \"areion-256-opp\", "));
    drop(decryptor);
    assert_eq!(out, [0, 0, 0, 0x55], "what was written is zero again");
}

/// Lengths and sizes of parts: every cut of 131 bytes in two, and finer ones of longer data.
fn cuts() -> Vec<(usize, usize, Vec<usize>)> {
    let in_two = (0..=131).map(|n| (131, 131, vec![n, 131]));
    let finer = [
        (0, 0, vec![1]),
        (0, 1, vec![1]),
        (300, 300, vec![1]),
        (300, 300, vec![0, 7, 48, 1, 0, 129]),
        (300, 257, vec![15, 17, 31, 33, 63, 65]),
        (64, 256, vec![64]),
        (257, 300, vec![128, 127]),
    ];
    in_two.chain(finer).collect()
}

/// `data` cut into parts of these sizes, again and again.
fn parts<'a>(mut data: &'a [u8], sizes: &'a [usize]) -> impl Iterator<Item = &'a [u8]> {
    let mut sizes = sizes.iter().copied().cycle();
    std::iter::from_fn(move || {
        if data.is_empty() {
            return None;
        }
        let (part, rest) = data.split_at(sizes.next()?.min(data.len()));
        data = rest;
        Some(part)
    })
}

#[cfg(feature = "aegis")]
#[test]
fn errors_say_what_is_wrong() {
    let cipher = roundworks::Aegis128L::new(&[1; 16]);
    let mut encryptor = cipher.encryptor(&[2; 16]);
    let error = encryptor.update_into(b"abc", &mut [0; 2]).unwrap_err();
    assert_eq!(error.to_string(), "out: want 3 bytes, got 2");

    let mut out = [0x55; 4];
    let mut decryptor = cipher.decryptor(&[2; 16], &mut out);
    decryptor.update(b"abc").unwrap();
    let error = decryptor.update(b"de").unwrap_err();
    assert_eq!(error.to_string(), "ciphertext: want at most 1 bytes, got 2");
    assert!(matches!(error, Error::NoRoom { .. }));
    assert!(format!("{decryptor:?}").starts_with("Decryptor { cipher: \"aegis-128l\", "));
    drop(decryptor);
    assert_eq!(out, [0, 0, 0, 0x55], "what was written is zero again");
}

#[cfg(feature = "aegis")]
#[test]
fn associated_data_comes_first() {
    let mut encryptor = roundworks::Aegis128L::new(&[1; 16]).encryptor(&[2; 16]);
    encryptor.update(&mut []).unwrap();
    let error = encryptor.ad(b"too late").unwrap_err();
    assert_eq!(
        error.to_string(),
        "associated data: must come before the first data"
    );
}
