//! Ciphers by name.
#![forbid(unsafe_code)]

use alloc::boxed::Box;

use crate::arch::clear_stack;
use crate::backend::Backend;
use crate::cipher::{Cipher, Error, Facts};

/// What a name, a tag size and a key make: one of these for each size of tag.
struct Entry {
    facts: &'static Facts,
    new: New,
}

type New = fn(&[u8], Option<Backend>) -> Result<Box<dyn Cipher>, Error>;

macro_rules! entries {
    ($($cipher:ident $about:literal,)*) => {
        /// Default tag sizes first.
        const ENTRIES: &[Entry] = &[$(
            Entry {
                facts: crate::$cipher::FACTS,
                new: |key, backend| {
                    let key = key.try_into().map_err(|_| Error::Length {
                        what: "key",
                        want: crate::$cipher::KEY_BYTES,
                        got: key.len(),
                    })?;
                    Ok(match backend {
                        None => Box::new(crate::$cipher::new(key)),
                        Some(backend) => Box::new(crate::$cipher::with_backend(key, backend)?),
                    })
                },
            },
        )*];
    };
}
crate::for_each_cipher!(entries);

/// What is fixed about each cipher of this crate; once for each size of tag, the default first.
pub fn ciphers() -> impl Iterator<Item = &'static Facts> {
    crate::cipher::all()
}

/// Sets the key of the cipher called `name`; `None` takes the default size of tag and the fastest
/// back end.
///
/// ```
/// let cipher = roundworks::cipher("aegis-128x2", &[7; 16], None, None)?;
/// assert_eq!(cipher.facts().tag_bytes, 16);
/// # Ok::<(), roundworks::Error>(())
/// ```
///
/// # Errors
///
/// [`Error::UnknownCipher`], [`Error::TagSize`], [`Error::Length`] of the key,
/// [`Error::Unavailable`].
pub fn cipher(
    name: &str,
    key: &[u8],
    tag_bytes: Option<usize>,
    backend: Option<Backend>,
) -> Result<Box<dyn Cipher>, Error> {
    let mut known = ENTRIES.iter().filter(|entry| entry.facts.name == name);
    let first = known.clone().next().ok_or(Error::UnknownCipher)?;
    let fits = |entry: &&Entry| tag_bytes.is_none_or(|size| entry.facts.tag_bytes == size);
    let entry = known.find(fits).ok_or(Error::TagSize {
        cipher: first.facts.name,
        got: tag_bytes.unwrap_or_default(),
    })?;
    let made = (entry.new)(key, backend);
    clear_stack::<16>(); // where the key moved on its way to the box
    made
}

#[cfg(all(test, feature = "all"))]
mod tests {
    use alloc::string::ToString;

    use super::*;

    #[test]
    fn by_name() {
        let error = |name, key: &[u8], tag, backend| {
            let error = cipher(name, key, tag, backend).err().expect("refused");
            error.to_string()
        };
        assert!(
            error("aes", &[], None, None).starts_with("cipher: unknown name, want one of aether, ")
        );
        assert_eq!(
            error("rocca-s", &[0; 32], Some(16), None),
            "tag_bytes: rocca-s has tags of 32 bytes, got 16"
        );
        assert_eq!(
            error("aegis-256", &[0; 32], Some(8), None),
            "tag_bytes: aegis-256 has tags of 16 or 32 bytes, got 8"
        );
        assert_eq!(
            error("aegis-256", &[0; 16], None, None),
            "key: want 32 bytes, got 16"
        );
        let long = cipher("aegis-256x4", &[0; 32], Some(32), Some(Backend::Portable)).unwrap();
        assert_eq!(
            (long.facts().tag_bytes, long.backend_name()),
            (32, "portable")
        );
        for facts in ciphers() {
            let key = [0; 64];
            let made = cipher(
                facts.name,
                &key[..facts.key_bytes],
                Some(facts.tag_bytes),
                None,
            );
            assert_eq!(made.unwrap().facts(), facts);
        }
    }
}
