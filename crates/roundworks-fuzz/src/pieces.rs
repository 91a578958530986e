//! A message in pieces, cut where the input says, is the message; a forgery in pieces is refused.

use roundworks::{Backend, for_each_streaming_cipher};

use crate::input::Input;

macro_rules! define {
    ($($cipher:ident $about:literal,)*) => {
        const RUN: &[fn(&mut Input<'_>)] = &[$(|input| {
            use roundworks::$cipher as Type;
            let key: [u8; Type::KEY_BYTES] = input.bytes(Type::KEY_BYTES).try_into().unwrap();
            let nonce = input.bytes(Type::NONCE_BYTES).try_into().unwrap();
            let wrong = input.byte();
            let cuts = input.bytes(8);
            let ad_bytes = input.below(300);
            let ad = input.bytes(ad_bytes);
            let data = input.rest();
            let usable = Type::BACKENDS.iter().filter(|b| b.is_available());
            let portable = Type::with_backend(&key, Backend::Portable).unwrap();
            let mut ciphertext = data.clone();
            let tag = portable.encrypt_in_place(&nonce, &ad, &mut ciphertext);

            for &backend in usable {
                let at = format!("{}/{backend}", Type::NAME);
                let cipher = Type::with_backend(&key, backend).unwrap();
                let mut encryptor = cipher.encryptor(&nonce);
                for piece in pieces(&ad, &cuts) {
                    encryptor.ad(piece).unwrap();
                }
                let mut sealed = data.clone();
                let mut rest = &mut sealed[..];
                for piece in pieces(&data, &cuts) {
                    let (now, later) = rest.split_at_mut(piece.len());
                    encryptor.update(now).unwrap();
                    rest = later;
                }
                assert!(encryptor.finish() == tag, "{at}: tag of the pieces");
                assert!(sealed == ciphertext, "{at}: ciphertext of the pieces");

                let mut out = vec![0xaa; data.len()];
                let mut open = |tag: &[u8; Type::TAG_BYTES]| {
                    let mut decryptor = cipher.decryptor(&nonce, &mut out);
                    for piece in pieces(&ad, &cuts) {
                        decryptor.ad(piece).unwrap();
                    }
                    for piece in pieces(&ciphertext, &cuts) {
                        decryptor.update(piece).unwrap();
                    }
                    decryptor.finish(&(*tag).into()).is_ok()
                };
                assert!(open(tag.as_bytes()), "{at}: what was sealed does not open");
                assert!(out == data, "{at}: plaintext of the pieces");

                let mut bad = *tag.as_bytes();
                bad[usize::from(wrong) % Type::TAG_BYTES] ^= 1 << (wrong >> 5);
                let mut out = vec![0xaa; data.len()];
                let mut decryptor = cipher.decryptor(&nonce, &mut out);
                decryptor.ad(&ad).unwrap();
                for piece in pieces(&ciphertext, &cuts) {
                    decryptor.update(piece).unwrap();
                }
                assert!(decryptor.finish(&bad.into()).is_err(), "{at}: a forgery opens");
                assert!(out.iter().all(|&b| b == 0), "{at}: plaintext left");
            }
        },)*];
    };
}
for_each_streaming_cipher!(define);

pub(crate) fn run(input: &[u8]) {
    let mut input = Input::new(input);
    RUN[usize::from(input.byte()) % RUN.len()](&mut input);
}

/// `data` in pieces of these sizes, again and again; of one byte where all are zero.
fn pieces<'a>(mut data: &'a [u8], sizes: &'a [u8]) -> impl Iterator<Item = &'a [u8]> {
    let all_empty = sizes.iter().all(|&size| size == 0);
    let mut sizes = sizes
        .iter()
        .map(move |&size| if all_empty { 1 } else { size.into() })
        .cycle();
    std::iter::from_fn(move || {
        if data.is_empty() {
            return None;
        }
        let (piece, rest) = data.split_at(sizes.next()?.min(data.len()));
        data = rest;
        Some(piece)
    })
}
