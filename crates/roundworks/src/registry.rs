//! The table of ciphers: by name, and by name the MACs that they are, too.
#![forbid(unsafe_code)]

#[cfg(feature = "alloc")]
use alloc::boxed::Box;

#[cfg(feature = "alloc")]
use crate::arch::clear_stack;
use crate::backend::Backend;
use crate::cipher::{Cipher, Error, Facts};
#[cfg(feature = "alloc")]
use crate::mac::Mac;

/// A cipher that is in the table.
pub(crate) trait Listed: Cipher + Sized + 'static {
    const FACTS: &'static Facts;
    /// Bytes of the nonce of its MAC, and what key and nonce make, whose sizes were checked.
    #[cfg(feature = "alloc")]
    const MAC: Option<NewMac> = None;

    // Ciphers by name want `alloc`.
    #[cfg_attr(not(feature = "alloc"), allow(dead_code))]
    fn keyed(key: &[u8], backend: Option<Backend>) -> Result<Self, Error>;
}

#[cfg(feature = "alloc")]
pub(crate) type NewMac = (
    usize,
    fn(&[u8], &[u8], Option<Backend>) -> Result<Box<dyn Mac>, Error>,
);

/// A key, or `key: want 16 bytes, got 12`.
#[cfg_attr(not(feature = "alloc"), allow(dead_code))]
pub(crate) fn key<const N: usize>(key: &[u8]) -> Result<&[u8; N], Error> {
    let (what, want, got) = ("key", N, key.len());
    key.try_into()
        .map_err(|_| Error::Length { what, want, got })
}

#[cfg(feature = "alloc")]
type New = fn(&[u8], Option<Backend>) -> Result<Box<dyn Cipher>, Error>;

/// One for each size of tag, without code: a program that takes no cipher by name keeps none by this.
struct Known {
    facts: &'static Facts,
    /// Of its MAC.
    #[cfg(feature = "alloc")]
    nonce_bytes: Option<usize>,
}

impl Known {
    const fn of<C: Listed>() -> Self {
        Self {
            facts: C::FACTS,
            #[cfg(feature = "alloc")]
            nonce_bytes: match C::MAC {
                Some((nonce_bytes, _)) => Some(nonce_bytes),
                None => None,
            },
        }
    }
}

/// The same with its code.
#[cfg(feature = "alloc")]
pub(crate) struct Entry {
    pub(crate) facts: &'static Facts,
    new: New,
    pub(crate) mac: Option<NewMac>,
}

#[cfg(feature = "alloc")]
impl Entry {
    const fn of<C: Listed>() -> Self {
        Self {
            facts: C::FACTS,
            new: |key, backend| Ok(Box::new(C::keyed(key, backend)?)),
            mac: C::MAC,
        }
    }
}

macro_rules! tables {
    ($($cipher:ident $about:literal,)*) => {
        /// Default tag sizes first.
        static KNOWN: &[Known] = &[$(Known::of::<crate::$cipher>()),*];
        #[cfg(feature = "alloc")]
        static ENTRIES: &[Entry] = &[$(Entry::of::<crate::$cipher>()),*];
    };
}
crate::for_each_cipher!(tables);

/// What is fixed about each cipher of this crate; once for each size of tag, the default first.
pub fn ciphers() -> impl Iterator<Item = &'static Facts> {
    KNOWN.iter().map(|known| known.facts)
}

/// The MACs of this crate: name, bytes of a nonce (0: none), bytes of a tag; once for each size of
/// tag, the default first.
#[cfg(feature = "alloc")]
pub fn macs() -> impl Iterator<Item = (&'static str, usize, usize)> {
    KNOWN.iter().filter_map(|known| {
        let nonce_bytes = known.nonce_bytes?;
        Some((known.facts.name, nonce_bytes, known.facts.tag_bytes))
    })
}

/// Those of the name that satisfy `listed`, of that size of tag or of the default one.
#[cfg(feature = "alloc")]
pub(crate) fn find(
    name: &str,
    tag_bytes: Option<usize>,
    unknown: Error,
    listed: fn(&Entry) -> bool,
) -> Result<&'static Entry, Error> {
    let mut known = ENTRIES
        .iter()
        .filter(|entry| entry.facts.name == name && listed(entry));
    let first = known.clone().next().ok_or(unknown)?;
    let fits = |entry: &&Entry| tag_bytes.is_none_or(|size| entry.facts.tag_bytes == size);
    known.find(fits).ok_or(Error::TagSize {
        cipher: first.facts.name,
        got: tag_bytes.unwrap_or_default(),
    })
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
#[cfg(feature = "alloc")]
pub fn cipher(
    name: &str,
    key: &[u8],
    tag_bytes: Option<usize>,
    backend: Option<Backend>,
) -> Result<Box<dyn Cipher>, Error> {
    let entry = find(name, tag_bytes, Error::UnknownCipher, |_| true)?;
    let made = (entry.new)(key, backend);
    clear_stack::<16>(); // where the key moved on its way to the box
    made
}

#[cfg(all(test, feature = "all", feature = "alloc"))]
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
