//! Known results, and a model compared with every back end.

extern crate std;

mod model;
mod operations;

use std::vec::Vec;
use std::{format, vec};

use roundworks_vectors::{cipher, function};
use sha2::{Digest, Sha256};

use super::lanes::{ROUNDS, SBOX, SHUFFLES, inverse};
use super::{FLAG_AD, FLAG_MAC, FLAG_MESSAGE, Minalpher, unpadded};
use crate::arch::testing;
use crate::cipher::Error;
use crate::{Backend, BadTag, Tag};
use model::*;

/// Bytes without a pattern that a shuffle could keep.
fn noise(seed: u64, n: usize) -> Vec<u8> {
    let mut x = seed;
    let mut byte = || {
        x = x
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (x >> 56) as u8
    };
    (0..n).map(|_| byte()).collect()
}

/// The cipher on each back end that this machine has.
fn everywhere(key: &[u8]) -> Vec<Minalpher> {
    let with = |&b: &Backend| Minalpher::with_backend(key.try_into().unwrap(), b).ok();
    Minalpher::BACKENDS.iter().filter_map(with).collect()
}

/// Each known answer of a function of the cipher, `(what, input, output)`.
fn known(name: &str) -> impl Iterator<Item = (std::string::String, Vec<u8>, Vec<u8>)> {
    let doc = function(&format!("minalpher/minalpher.{name}.json"));
    doc.vectors
        .into_iter()
        .map(|v| (v.id, v.input.0, v.output.0))
}

fn big_endian(bytes: &[u8]) -> usize {
    bytes.iter().fold(0, |n, &byte| n << 8 | usize::from(byte))
}

#[test]
fn model_gives_the_known_answers() {
    for (id, x, want) in known("p") {
        assert_eq!(p(&x), want, "{id}");
    }
    for (id, i, want) in known("rc") {
        let mut s = [[[0; 8]; 4]; 2];
        add_constant(&mut s, i[0]);
        assert_eq!(bytes(&s), want, "{id}");
    }
    for (id, input, want) in known("rounds") {
        let mut s = nibbles(&input[1..]);
        for i in 0..input[0] {
            s = mix(&shuffle(&substitute(&s)));
            add_constant(&mut s, i);
        }
        assert_eq!(bytes(&s), want, "{id}");
    }
    for (id, input, want) in known("tweak") {
        let (tweak, k) = input.split_at(32);
        assert_eq!(power(tweak, big_endian(k)), want, "{id}");
    }
    for (id, tweak, want) in known("tweak-plus") {
        assert_eq!(add(&times_y(&tweak), &tweak), want, "{id}");
    }
    for (id, input, want) in known("mask") {
        assert_eq!(mask(&input[..16], input[16], &input[17..]), want, "{id}");
    }
}

#[test]
fn back_ends_give_the_known_answers() {
    for (id, input, want) in known("mac") {
        let (key, data) = input.split_at(16);
        for cipher in everywhere(key) {
            assert_eq!(
                cipher.mac(data).as_bytes()[..],
                want,
                "{}: {id}",
                cipher.backend()
            );
        }
    }
    for (id, input, want) in known("long") {
        let (key, rest) = input.split_at(16);
        let (nonce, sizes) = rest.split_at(13);
        let [ad_bytes, bytes] = [&sizes[..4], &sizes[4..]].map(big_endian);
        let ad: Vec<u8> = (0..ad_bytes).map(|i| (7 * i + 3) as u8).collect();
        let message: Vec<u8> = (0..bytes).map(|i| (11 * i + 5) as u8).collect();
        for cipher in everywhere(key) {
            let mut out = vec![0; Minalpher::ciphertext_bytes(bytes)];
            let nonce = nonce.try_into().unwrap();
            let tag = cipher
                .encrypt_detached_into(nonce, &ad, &message, &mut out)
                .unwrap();
            let actual = [&Sha256::digest(&out)[..], tag.as_bytes()].concat();
            assert_eq!(actual, want, "{}: {id}", cipher.backend());
        }
    }
}

#[test]
fn constants_are_those_of_spec() {
    let spec = cipher("minalpher");
    let permutation = |name: &str| -> [usize; 8] {
        core::array::from_fn(|c| usize::from(spec.constants[name].0[c]))
    };
    let (sr1, sr2) = (permutation("SR1"), permutation("SR2"));
    assert_eq!(SHUFFLES, [sr1, sr2, inverse(sr1), inverse(sr2)]);
    for (name, flag) in [
        ("FLAG_MESSAGE", FLAG_MESSAGE),
        ("FLAG_AD", FLAG_AD),
        ("FLAG_MAC", FLAG_MAC),
    ] {
        assert_eq!(spec.constants[name].0, [flag], "{name}");
    }
    assert_eq!(spec.components.as_ref().unwrap().sbox, SBOX);
    let member = spec.member(Minalpher::NAME);
    assert_eq!(
        [
            member.key_bytes,
            member.nonce_bytes,
            member.tag_bytes,
            member.rate_bytes
        ],
        [16, 13, 16, 32]
    );
    assert!(member.padded);
    let backends: Vec<_> = Minalpher::BACKENDS.iter().map(|b| b.name()).collect();
    assert_eq!(member.backends, backends);
    assert_eq!(ROUNDS, 17);
}

/// The model against facts that do not come from it.
#[test]
fn model_has_known_properties() {
    let zero = "1af06c27314d424b86e9a08bd5717a71f01a276c4d314b42e9868ba071d5717a";
    let hex: std::string::String = p(&[0; 32]).iter().map(|b| format!("{b:02x}")).collect();
    assert_eq!(hex, zero);
    let x = noise(3, 32);
    assert_eq!(p_inverse(&p(&x)), x);
    // Rows two further down and columns c ^ 2: P is the same there.
    let sigma = |x: &[u8]| -> Vec<u8> { (0..32).map(|i| x[i ^ 17]).collect() };
    assert_eq!(p(&sigma(&x)), sigma(&p(&x)));
}

#[test]
fn every_back_end_is_the_model() {
    let (key, nonce) = (noise(4, 16), noise(5, 13));
    let (ad, message) = (noise(6, 2200), noise(7, 2200));
    let ciphers = everywhere(&key);
    // Around blocks, the four of a narrow batch, where wide batches begin, and their ends.
    let lengths = [
        0, 1, 15, 31, 32, 33, 63, 64, 95, 96, 97, 127, 128, 129, 255, 287, 288, 289, 511, 767, 768,
        769, 895, 896, 897, 1023, 1024, 1025, 1100, 1151, 1152, 2047, 2048, 2049, 2175, 2200,
    ];
    for (i, &len) in lengths.iter().enumerate() {
        for ad_len in [0, 1, 32, lengths[(i * 7 + 5) % lengths.len()]] {
            let (ad, message) = (&ad[..ad_len], &message[..len]);
            let (mut want, tag) = encrypt(&key, &nonce, ad, message);
            want.extend(tag);
            for cipher in &ciphers {
                let at = format!("{}: {ad_len}, {len}", cipher.backend());
                let mut sealed = vec![0; Minalpher::sealed_bytes(len)];
                let nonce = nonce.as_slice().try_into().unwrap();
                cipher
                    .encrypt_into(nonce, ad, message, &mut sealed)
                    .unwrap();
                assert!(sealed == want, "{at}: sealed");
                let mut opened = vec![1; sealed.len() - 16];
                assert_eq!(
                    cipher.decrypt_into(nonce, ad, &sealed, &mut opened),
                    Ok(len),
                    "{at}"
                );
                assert!(opened[..len] == *message, "{at}: opened");
                assert!(opened[len..].iter().all(|&b| b == 0), "{at}: behind");
            }
        }
        let want = hash(&mask(&key, 0x80, &[0; 13]), &message[..len]);
        for cipher in &ciphers {
            let tag = Tag::from(<[u8; 16]>::try_from(&want[..16]).unwrap());
            assert_eq!(
                cipher.mac(&message[..len]),
                tag,
                "{}: mac, {len}",
                cipher.backend()
            );
        }
    }
}

/// All lengths, at every place of a cache line, in place, and with what is left of the line behind
/// the buffer unharmed.
#[test]
fn all_lengths_and_alignments_agree_with_portable() {
    let (key, nonce) = (noise(8, 16), noise(9, 13).try_into().unwrap());
    let message = noise(10, 1100);
    let ciphers = everywhere(&key);
    let (portable, others) = ciphers.split_first().unwrap();
    assert_eq!(portable.backend(), Backend::Portable);
    let mut last_tag = None;
    for len in 0..=message.len() {
        let size = Minalpher::ciphertext_bytes(len);
        let ad = &message[..len * 7 % 131];
        let mut want = vec![0; size];
        let tag = portable
            .encrypt_detached_into(&nonce, ad, &message[..len], &mut want)
            .unwrap();
        let mac = portable.mac(&message[..len]);
        assert_ne!(last_tag.replace(mac), Some(mac));
        for cipher in others {
            let at = format!("{}: {len}", cipher.backend());
            let offset = len % 64;
            let mut buf = vec![0xee; offset + size + 64];
            buf[offset..][..len].copy_from_slice(&message[..len]);
            let place = &mut buf[offset..][..size];
            assert_eq!(
                cipher.encrypt_in_place(&nonce, ad, place, len),
                Ok(tag),
                "{at}"
            );
            assert!(*place == want, "{at}: ciphertext");
            assert_eq!(
                cipher.decrypt_in_place(&nonce, ad, place, &tag),
                Ok(len),
                "{at}"
            );
            assert!(place[..len] == message[..len], "{at}: plaintext");
            assert!(
                buf[offset + size..].iter().all(|&b| b == 0xee),
                "{at}: behind"
            );
            assert_eq!(cipher.mac(&message[..len]), mac, "{at}: mac");
        }
    }
}

/// A valid tag over plaintext that was not padded as it must be.
#[test]
fn bad_padding_is_refused() {
    let (key, nonce) = (noise(11, 16), noise(12, 13));
    let l = mask(&key, 0x40, &nonce);
    for (what, last) in [
        ("none", [0; 32]),
        ("wrong byte", [0x40; 32]),
        ("a bit too many", {
            let mut last = [0; 32];
            (last[3], last[31]) = (0x80, 1);
            last
        }),
    ] {
        let plaintext = [noise(13, 32), last.to_vec()].concat();
        let tweaks: Vec<Vec<u8>> = (0..5).map(|k| power(&l, k)).collect();
        let c1 = tem(&tweaks[1], &plaintext[..32]);
        let c2 = tem(&tweaks[3], &plaintext[32..]);
        let sum = add(&tem(&tweaks[2], &c1), &c2);
        let tag = &tem(&add(&tweaks[3], &tweaks[4]), &sum)[..16];
        for cipher in everywhere(&key) {
            let at = format!("{}: {what}", cipher.backend());
            let tag = Tag::from(<[u8; 16]>::try_from(tag).unwrap());
            let nonce = nonce.as_slice().try_into().unwrap();
            let ciphertext = [&c1[..], &c2].concat();
            let mut buf = ciphertext.clone();
            let opened = cipher.decrypt_in_place(nonce, &[], &mut buf, &tag);
            assert_eq!((opened, buf), (Err(BadTag), vec![0; 64]), "{at}");
            let mut buf = [1; 64];
            let mut decryptor = cipher.decryptor(nonce, &mut buf);
            decryptor.update(&ciphertext).unwrap();
            assert_eq!(decryptor.finish(&tag), Err(BadTag), "{at}");
            assert_eq!(buf, [0; 64], "{at}: parts");
        }
    }
}

#[test]
fn padding_is_found_wherever_it_is() {
    for len in 0..32 {
        let mut data = padded(&noise(14, 32 + len));
        assert_eq!(unpadded(&mut data), Some(32 + len));
        assert_eq!(data, [noise(14, 32 + len), vec![0; 32 - len]].concat());
    }
    assert_eq!(unpadded(&mut [0; 32]), None);
    assert_eq!(unpadded(&mut [0x81; 64]), None);
    // Not in the block before.
    let mut data = [0; 64];
    data[31] = 0x80;
    assert_eq!(unpadded(&mut data), None);
}

#[test]
fn whatever_changes_is_refused() {
    let (key, nonce) = (noise(15, 16), noise(16, 13));
    let (ad, message) = (noise(17, 40), noise(18, 70));
    let nonce = nonce.as_slice().try_into().unwrap();
    for cipher in everywhere(&key) {
        let mut sealed = vec![0; Minalpher::sealed_bytes(message.len())];
        cipher
            .encrypt_into(nonce, &ad, &message, &mut sealed)
            .unwrap();
        let refused = |nonce: &[u8; 13], ad: &[u8], sealed: &[u8], what: &str| {
            let mut out = vec![1; sealed.len().saturating_sub(16)];
            let opened = cipher.decrypt_into(nonce, ad, sealed, &mut out);
            assert_eq!(opened, Err(Error::BadTag), "{}: {what}", cipher.backend());
            assert!(
                out.iter().all(|&b| b == 0),
                "{}: {what}: left",
                cipher.backend()
            );
        };
        for bit in 0..8 * sealed.len() {
            let mut bad = sealed.clone();
            bad[bit / 8] ^= 1 << (bit % 8);
            refused(nonce, &ad, &bad, &format!("bit {bit}"));
        }
        for bit in 0..8 * 13 {
            let mut bad = *nonce;
            bad[bit / 8] ^= 1 << (bit % 8);
            refused(&bad, &ad, &sealed, &format!("bit {bit} of the nonce"));
        }
        for len in 0..ad.len() {
            refused(
                nonce,
                &ad[..len],
                &sealed,
                &format!("{len} bytes of associated data"),
            );
        }
        for len in 0..sealed.len() {
            refused(nonce, &ad, &sealed[..len], &format!("{len} bytes"));
        }
        let tag = cipher.mac(&message);
        assert_eq!(cipher.verify(&message, &tag), Ok(()));
        assert_eq!(cipher.verify(&message[1..], &tag), Err(BadTag));
    }
}

#[test]
fn parts_of_any_size() {
    let (key, nonce) = (noise(19, 16), noise(20, 13).try_into().unwrap());
    for cipher in everywhere(&key) {
        for len in [0, 1, 31, 32, 64, 2047, 2048, 2049, 4096, 4097, 6200] {
            let message = noise(21, len);
            let mut want = vec![0; Minalpher::ciphertext_bytes(len)];
            let tag = cipher
                .encrypt_detached_into(&nonce, b"ad", &message, &mut want)
                .unwrap();
            let mac = cipher.mac(&message);
            for part in [1, 7, 32, 100, 2047, 2048, 2049, 5000] {
                let at = format!("{}: {len} by {part}", cipher.backend());
                let mut actual = vec![0; want.len()];
                let mut at_byte = 0;
                let mut encryptor = cipher.encryptor(&nonce);
                encryptor.ad(b"a").unwrap().ad(b"d").unwrap();
                for data in message.chunks(part) {
                    at_byte += encryptor.update(data, &mut actual[at_byte..]).unwrap();
                }
                let end = encryptor.finish(&mut actual[at_byte..]).unwrap();
                assert_eq!(end, (want.len() - at_byte, tag), "{at}");
                assert!(actual == want, "{at}: ciphertext");

                let mut out = vec![1; want.len()];
                let mut decryptor = cipher.decryptor(&nonce, &mut out);
                decryptor.ad(b"ad").unwrap();
                want.chunks(part)
                    .for_each(|data| decryptor.update(data).unwrap());
                let most = 0;
                assert_eq!(
                    decryptor.update(&[0]),
                    Err(Error::NoRoom { most, got: 1 }),
                    "{at}"
                );
                assert!(decryptor.finish(&tag) == Ok(&message), "{at}: plaintext");

                let mut out = vec![1; want.len()];
                let mut decryptor = cipher.decryptor(&nonce, &mut out);
                decryptor.ad(b"da").unwrap();
                want.chunks(part)
                    .for_each(|data| decryptor.update(data).unwrap());
                assert_eq!(decryptor.finish(&tag), Err(BadTag), "{at}");
                assert!(out.iter().all(|&b| b == 0), "{at}: left");

                let mut parts = cipher.mac_incremental();
                message.chunks(part).for_each(|data| parts.update(data));
                assert_eq!(parts.finish(), mac, "{at}: mac");
            }
        }
    }
}

#[test]
fn wrong_sizes_are_named() {
    let cipher = Minalpher::new(&[0; 16]);
    let error = cipher
        .encrypt_into(&[0; 13], &[], &[0; 32], &mut [0; 79])
        .unwrap_err();
    assert_eq!(format!("{error}"), "out: want 80 bytes, got 79");
    let error = cipher
        .decrypt_into(&[0; 13], &[], &[0; 48], &mut [0; 33])
        .unwrap_err();
    assert_eq!(format!("{error}"), "out: want 32 bytes, got 33");
    let error = cipher.encryptor(&[0; 13]).finish(&mut [0; 31]).unwrap_err();
    assert_eq!(format!("{error}"), "out: want 32 bytes, got 31");
}

#[test]
fn drop_wipes_the_key() {
    let cipher = Minalpher::with_backend(&[0xa5; 16], Backend::Portable).unwrap();
    assert_eq!(testing::after_drop(cipher.clone(), |c| &c.key), [0; 16]);
    assert_eq!(testing::after_drop(cipher.clone(), |c| &c.of_ad), [0; 32]);
    assert_eq!(testing::after_drop(cipher.clone(), |c| &c.of_mac), [0; 32]);
    assert_ne!(cipher.of_ad, [0; 32]);
}
