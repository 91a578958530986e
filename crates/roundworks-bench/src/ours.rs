//! Our ciphers on every back end of this CPU, as subjects.

use roundworks::{Backend, BackendUnavailable, for_each_cipher};

use crate::grid::Entry;
use crate::subject::{InPlace, Subject, counting};

/// What our rows name as their library.
pub const LIBRARY: &str = "roundworks";

/// The type's own methods, in place.
macro_rules! subject {
    ($cipher:ident, $backend:expr) => {{
        let made = roundworks::$cipher::with_backend(&counting(), $backend);
        made.map(|cipher| -> Box<dyn Subject> {
            let (nonce, sealer) = (counting(), cipher.clone());
            Box::new(InPlace {
                tag_bytes: roundworks::$cipher::TAG_BYTES,
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

/// Every cipher of the core on every back end this CPU can run, slowest first.
#[must_use]
pub fn ours() -> Vec<Entry> {
    let mut found = vec![];
    macro_rules! each {
        ($($cipher:ident $about:literal,)*) => {$(
            for &backend in roundworks::$cipher::BACKENDS {
                if let Ok(subject) = subject!($cipher, backend) {
                    found.push(Entry {
                        cipher: roundworks::$cipher::NAME,
                        library: LIBRARY,
                        version: env!("CARGO_PKG_VERSION").to_owned(),
                        backend: backend.name(),
                        subject,
                    });
                }
            }
        )*};
    }
    for_each_cipher!(each);
    found
}

/// One cipher on one back end; `None` if no cipher has that name.
pub(crate) fn one(
    cipher: &str,
    backend: Backend,
) -> Option<Result<Box<dyn Subject>, BackendUnavailable>> {
    macro_rules! by_name {
        ($($cipher:ident $about:literal,)*) => {
            match cipher {
                $(roundworks::$cipher::NAME => Some(subject!($cipher, backend)),)*
                _ => None,
            }
        };
    }
    for_each_cipher!(by_name)
}
