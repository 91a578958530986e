//! Our ciphers on every back end of this CPU, as subjects.

use std::hint::black_box;
use std::rc::Rc;

use roundworks::{Backend, BackendUnavailable, Cipher, Facts, for_each_streaming_cipher};

use crate::Error;
use crate::grid::Entry;
use crate::many::Many;
use crate::subject::{Across, InPlace, Subject, bytes, counting};

/// What our rows name as their library.
pub const LIBRARY: &str = "roundworks";

/// Every cipher of the core on every back end this CPU can run, slowest first. Where a cipher has
/// several sizes of tag, the default is timed and the others only bear witness: their ciphertexts
/// and tags are compared, too.
#[must_use]
pub fn ours() -> Vec<Entry> {
    let mut result = vec![];
    let mut last = "";
    for facts in roundworks::ciphers() {
        let default = facts.name != std::mem::replace(&mut last, facts.name);
        for &backend in facts.backends.iter().filter(|b| b.is_available()) {
            let made = entry(facts, backend, !default);
            result.push(made.expect("a cipher of the list on a back end of this CPU"));
        }
    }
    result
}

/// One cipher on one back end, with its default tag.
pub(crate) fn one(cipher: &str, backend: Backend) -> Result<Entry, Error> {
    let facts = roundworks::ciphers().find(|facts| facts.name == cipher);
    let facts = facts.ok_or(Error::UnknownCipher)?;
    entry(facts, backend, false).map_err(Error::Unavailable)
}

fn entry(
    facts: &'static Facts,
    backend: Backend,
    witness: bool,
) -> Result<Entry, BackendUnavailable> {
    let subject = match streaming(facts, backend) {
        Some(made) => made?,
        None => through_the_trait(facts, backend)?,
    };
    Ok(Entry {
        cipher: facts.name,
        library: LIBRARY,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        backend: backend.name(),
        subject,
        many: Some(Many::new(keyed(facts, backend)?)),
        witness,
    })
}

fn keyed(facts: &'static Facts, backend: Backend) -> Result<Box<dyn Cipher>, BackendUnavailable> {
    let key = bytes(facts.key_bytes);
    match roundworks::cipher(facts.name, &key, Some(facts.tag_bytes), Some(backend)) {
        Ok(cipher) => Ok(cipher),
        Err(roundworks::Error::Unavailable(error)) => Err(error),
        Err(error) => unreachable!("{}: {error}", facts.name),
    }
}

macro_rules! subject {
    ($cipher:ident, $backend:expr) => {{
        let made = roundworks::$cipher::with_backend(&counting(), $backend);
        made.map(|cipher| -> Box<dyn Subject> {
            let (nonce, sealer) = (counting(), cipher.clone());
            Box::new(InPlace {
                tag_bytes: roundworks::$cipher::TAG_BYTES,
                first: move |ad: &[u8], data: &mut [u8], tag: &mut [u8]| {
                    let key = black_box(counting());
                    let keyed = roundworks::$cipher::with_backend(&key, $backend);
                    let keyed = keyed.expect("as above");
                    tag.copy_from_slice(keyed.encrypt_in_place(&nonce, ad, data).as_bytes());
                },
                encrypt: move |ad: &[u8], data: &mut [u8], tag: &mut [u8]| {
                    let made = sealer.encrypt_in_place(&nonce, ad, data);
                    tag.copy_from_slice(made.as_bytes());
                },
                decrypt: move |ad: &[u8], data: &mut [u8], tag: &[u8]| {
                    let tag: [u8; roundworks::$cipher::TAG_BYTES] =
                        tag.try_into().expect("a tag of the encryption");
                    let opened = cipher.decrypt_in_place(&nonce, ad, data, &tag.into());
                    opened.is_ok()
                },
            })
        })
    }};
}

/// The type's own methods, in place; `None` for what is no streaming cipher.
fn streaming(
    facts: &'static Facts,
    backend: Backend,
) -> Option<Result<Box<dyn Subject>, BackendUnavailable>> {
    macro_rules! by_facts {
        ($($cipher:ident $about:literal,)*) => {
            match facts {
                $(it if it == roundworks::$cipher::FACTS => Some(subject!($cipher, backend)),)*
                _ => None,
            }
        };
    }
    for_each_streaming_cipher!(by_facts)
}

/// For what is no streaming cipher: from one place to another.
fn through_the_trait(
    facts: &'static Facts,
    backend: Backend,
) -> Result<Box<dyn Subject>, BackendUnavailable> {
    let cipher = keyed(facts, backend)?;
    let nonce = bytes(cipher.facts().nonce_bytes);
    let sealer = Rc::new((cipher, nonce));
    let opener = sealer.clone();
    Ok(Box::new(Across {
        first: move |ad: &[u8], data: &[u8], out: &mut [u8]| {
            let nonce = bytes(facts.nonce_bytes);
            let cipher = keyed(facts, backend).expect("as above");
            let out = &mut out[..cipher.sealed_bytes(data.len())];
            let sealed = cipher.seal_into(&nonce, ad, data, out);
            sealed.expect("sizes as requested")
        },
        encrypt: move |ad: &[u8], data: &[u8], out: &mut [u8]| {
            let (cipher, nonce) = &*sealer;
            let out = &mut out[..cipher.sealed_bytes(data.len())];
            cipher
                .seal_into(nonce, ad, data, out)
                .expect("sizes as requested")
        },
        decrypt: move |ad: &[u8], sealed: &[u8], data: &mut [u8]| {
            let (cipher, nonce) = &*opener;
            let space = cipher.opened_bytes(sealed.len()).expect("sealed here");
            cipher
                .open_into(nonce, ad, sealed, &mut data[..space])
                .is_ok()
        },
    }))
}
