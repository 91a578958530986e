//! A message in parts, cut where the input says, is the message; a forgery in parts is refused.

use roundworks::{Cipher, Error};

use crate::ciphers::{everywhere, name};
use crate::input::Input;
use crate::seal::seal;

pub(crate) fn run(input: &[u8]) {
    let mut input = Input::new(input);
    let ciphers = everywhere(&mut input);
    let nonce = input.bytes(ciphers[0].facts().nonce_bytes);
    let wrong = input.byte();
    let cuts = input.bytes(8);
    let ad_bytes = input.below(300);
    let ad = input.bytes(ad_bytes);
    let data = input.rest();
    let want = seal(&*ciphers[0], &nonce, &ad, &data);

    for cipher in &ciphers {
        let at = name(&**cipher);
        let sealed = seal_parts(&**cipher, &nonce, &ad, &data, &cuts);
        assert!(sealed == want, "{at}: sealed in parts");
        let opened = open_parts(&**cipher, &nonce, &ad, &sealed, &cuts);
        assert!(opened.as_ref() == Ok(&data), "{at}: opened in parts");

        let mut forged = sealed;
        let place = usize::from(wrong) % forged.len();
        forged[place] ^= 1 << (wrong >> 5);
        let opened = open_parts(&**cipher, &nonce, &ad, &forged, &cuts);
        assert!(
            opened == Err(Error::BadTag),
            "{at}: a forgery in parts: {opened:?}"
        );
    }
}

fn seal_parts(cipher: &dyn Cipher, nonce: &[u8], ad: &[u8], data: &[u8], cuts: &[u8]) -> Vec<u8> {
    let mut sealing = cipher.sealing(nonce).expect("nonce size");
    for part in parts(ad, cuts) {
        sealing.ad(part).expect("short");
    }
    let mut out = vec![0xaa; cipher.sealed_bytes(data.len())];
    let mut rest = &mut out[..];
    for part in parts(data, cuts) {
        let (now, later) = rest.split_at_mut(sealing.update_bytes(part.len()));
        assert_eq!(sealing.update_into(part, now), Ok(now.len()));
        rest = later;
    }
    assert_eq!(sealing.finish_into(rest), Ok(rest.len()));
    out
}

fn open_parts(
    cipher: &dyn Cipher,
    nonce: &[u8],
    ad: &[u8],
    sealed: &[u8],
    cuts: &[u8],
) -> Result<Vec<u8>, Error> {
    let (ciphertext, tag) = sealed.split_at(sealed.len() - cipher.facts().tag_bytes);
    let mut out = vec![0xaa; cipher.opened_bytes(sealed.len()).expect("was sealed")];
    let mut opening = cipher.opening(nonce, &mut out).expect("nonce size");
    for part in parts(ad, cuts) {
        opening.ad(part).expect("short");
    }
    for part in parts(ciphertext, cuts) {
        opening.update(part).expect("space");
    }
    match opening.finish(tag) {
        Ok(bytes) => {
            out.truncate(bytes);
            Ok(out)
        }
        Err(error) => {
            let at = name(cipher);
            assert!(out.iter().all(|&b| b == 0), "{at}: plaintext left");
            Err(error)
        }
    }
}

/// `data` in parts of these sizes, again and again; of one byte where all are zero.
fn parts<'a>(mut data: &'a [u8], sizes: &'a [u8]) -> impl Iterator<Item = &'a [u8]> {
    let all_empty = sizes.iter().all(|&size| size == 0);
    let size = move |&size: &u8| if all_empty { 1 } else { size.into() };
    let mut sizes = sizes.iter().map(size).cycle();
    std::iter::from_fn(move || {
        if data.is_empty() {
            return None;
        }
        let (part, rest) = data.split_at(sizes.next()?.min(data.len()));
        data = rest;
        Some(part)
    })
}
