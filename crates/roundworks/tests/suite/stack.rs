//! What calls leave on the dead stack: of modes of blocks nothing of the message, of keys nothing.

use std::hint::black_box;
use std::mem::MaybeUninit;

use roundworks::Backend;

use crate::{Subject, Whole, noise, short, subjects};

/// Deeper than any frame of a kernel.
pub(crate) const DEPTH: usize = 48 << 10;

/// The bytes that the last call from the same place left.
#[inline(never)]
pub(crate) fn left_below() -> Vec<u8> {
    let mut stack = [const { MaybeUninit::<u8>::uninit() }; DEPTH];
    let start = black_box(&mut stack).as_mut_ptr().cast::<u8>();
    // SAFETY: within `stack`, which `black_box` may have written for all the compiler knows.
    (0..DEPTH)
        .map(|i| unsafe { start.add(i).read_volatile() })
        .collect()
}

#[inline(never)]
pub(crate) fn fill_below() {
    let mut stack = [MaybeUninit::new(0x55_u8); DEPTH];
    black_box(&mut stack);
}

/// How far from the caller eight bytes of `secret` are found in `stack`.
fn found(stack: &[u8], secret: &[u8]) -> Option<usize> {
    let words: std::collections::HashSet<_> = secret.windows(8).collect();
    let place = stack.windows(8).position(|word| words.contains(word));
    place.map(|place| DEPTH - place)
}

#[inline(never)]
fn leaves(bytes: usize) -> Vec<u8> {
    let mut own = [0_u8; 256];
    own[..8].copy_from_slice(&noise(bytes as u64, 8));
    black_box(&mut own);
    Vec::new()
}

/// Otherwise the test below could not fail.
#[test]
fn what_a_function_leaves_is_found() {
    fill_below();
    leaves(3);
    let stack = left_below();
    assert!(found(&stack, &noise(3, 8)).is_some());
}

fn leaves_no_plaintext(subject: Subject) {
    let (key, nonce) = subject.key_and_nonce(71);
    for (backend, cipher) in subject.everywhere(&key) {
        // Past the shortest wide batch, with one to three blocks behind those of four, and none.
        let counts = (0..70).step_by(if short() { 9 } else { 1 });
        for bytes in counts.map(|blocks| 32 * blocks + 9) {
            let secret = noise(72 + bytes as u64, bytes);
            let sealed = cipher.seal(&nonce, b"ad", &secret);
            let mut out = vec![0; sealed.len()];
            fill_below();
            cipher.seal_into(&nonce, b"ad", &secret, &mut out).unwrap();
            let stack = left_below();
            let place = found(&stack, &secret);
            assert_eq!(place, None, "{backend}: {bytes} bytes sealed");

            out.truncate(sealed.len() - subject.tag_bytes);
            fill_below();
            cipher.open_into(&nonce, b"ad", &sealed, &mut out).unwrap();
            let stack = left_below();
            let place = found(&stack, &secret);
            assert_eq!(place, None, "{backend}: {bytes} bytes opened");
        }
    }
}

#[cfg(feature = "minalpher")]
#[test]
fn minalpher_leaves_no_plaintext() {
    leaves_no_plaintext(subjects::Minalpher);
}

#[cfg(feature = "areion")]
#[test]
fn opp_leaves_no_plaintext() {
    leaves_no_plaintext(subjects::Areion256Opp);
    leaves_no_plaintext(subjects::Areion512Opp);
}

/// Without a tweak the keys of the rounds hold that of the cipher: but for its first word, to which a
/// constant is added, as it is.
#[cfg(feature = "pholkos")]
#[test]
fn pholkos_leaves_no_key() {
    let usable = Backend::ALL.into_iter().filter(|b| b.is_available());
    for backend in usable.filter(|b| roundworks::Permutation256::BACKENDS.contains(b)) {
        for bytes in [32, 64] {
            let key = noise(75, bytes);
            fill_below();
            let cipher = roundworks::pholkos(&key, Some(backend));
            let place = found(&left_below(), &key);
            assert_eq!(place, None, "{backend}: key of {bytes} bytes set");

            let cipher = cipher.unwrap();
            for count in [1, 2, 9, 64] {
                let mut blocks = vec![0; count * bytes];
                fill_below();
                cipher.encrypt_many(&[0; 16], &mut blocks).unwrap();
                let place = found(&left_below(), &key);
                assert_eq!(place, None, "{backend}: {count} of {bytes} encrypted");
                fill_below();
                cipher.decrypt_many(&[0; 16], &mut blocks).unwrap();
                let place = found(&left_below(), &key);
                assert_eq!(place, None, "{backend}: {count} of {bytes} decrypted");
            }
        }
    }
}

/// A cipher by name, and messages in parts: what holds their key moves to its box.
#[cfg(feature = "alloc")]
#[test]
fn boxes_leave_no_key() {
    fn leaves_no_key(subject: Subject) {
        let (key, nonce) = subject.key_and_nonce(76);
        let check = |what: &str| {
            let place = found(&left_below(), &key);
            assert_eq!(place, None, "{}: {what}", subject.name);
        };
        fill_below();
        let cipher = roundworks::cipher(subject.name, &key, Some(subject.tag_bytes), None).unwrap();
        check("by name");
        for (backend, cipher) in subject.everywhere(&key) {
            fill_below();
            let sealing = cipher.sealing(&nonce).unwrap();
            check(&format!("{backend}: sealing"));
            let mut out = vec![0; sealing.finish_bytes()];
            fill_below();
            sealing.finish_into(&mut out).unwrap();
            check(&format!("{backend}: sealed"));

            let (text, tag) = out.split_at(out.len() - subject.tag_bytes);
            let mut space = vec![0; text.len()];
            fill_below();
            let mut opening = cipher.opening(&nonce, &mut space).unwrap();
            check(&format!("{backend}: opening"));
            opening.update(text).unwrap();
            fill_below();
            opening.finish(tag).unwrap();
            check(&format!("{backend}: opened"));
        }
        drop(cipher);
    }
    crate::all().into_iter().for_each(leaves_no_key);
}
