//! Ciphers by name.
#![forbid(unsafe_code)]

use roundworks::{BadTag, Tag};

use crate::error::Kind;

/// The cipher of a file unless another is named.
pub const DEFAULT: &str = "aegis-128";

/// For study: they protect nothing, and are refused unless asked for.
const RESEARCH_ONLY: [&str; 2] = ["aether", "aether-lb"];

/// A cipher with its key set.
pub(crate) trait Cipher: Send + Sync {
    fn nonce_bytes(&self) -> usize;
    fn tag_bytes(&self) -> usize;
    fn sealed_bytes(&self, data_bytes: usize) -> usize;
    fn seal_into(&self, nonce: &[u8], ad: &[u8], data: &[u8], sealed: &mut [u8]);
    /// Bytes of data; `data` is zero on failure.
    fn open_into(
        &self,
        nonce: &[u8],
        ad: &[u8],
        sealed: &[u8],
        data: &mut [u8],
    ) -> Result<usize, BadTag>;
}

macro_rules! table {
    ($($cipher:ident $about:literal,)*) => {
        /// Name of every cipher a file can be sealed with.
        pub const NAMES: &[&str] = &[$(roundworks::$cipher::NAME),*];

        /// Bytes of the tag of the cipher called `name`, one of [`NAMES`].
        pub(crate) fn tag_bytes(name: &str) -> u8 {
            match name {
                $(roundworks::$cipher::NAME => roundworks::$cipher::TAG_BYTES as u8,)*
                _ => unreachable!("a name of NAMES"),
            }
        }

        /// Bytes of key of the cipher called `name`, one of [`NAMES`].
        pub(crate) fn key_bytes(name: &str) -> usize {
            match name {
                $(roundworks::$cipher::NAME => roundworks::$cipher::KEY_BYTES,)*
                _ => unreachable!("a name of NAMES"),
            }
        }

        /// The cipher called `name`, one of [`NAMES`], with its key set.
        pub(crate) fn keyed(name: &str, key: &[u8]) -> Box<dyn Cipher> {
            match name {
                $(roundworks::$cipher::NAME => {
                    let key = key.try_into().expect("a key of key_bytes");
                    Box::new(roundworks::$cipher::new(key))
                })*
                _ => unreachable!("a name of NAMES"),
            }
        }

        $(impl Cipher for roundworks::$cipher {
            fn nonce_bytes(&self) -> usize {
                Self::NONCE_BYTES
            }

            fn tag_bytes(&self) -> usize {
                Self::TAG_BYTES
            }

            fn sealed_bytes(&self, data_bytes: usize) -> usize {
                data_bytes + Self::TAG_BYTES
            }

            fn seal_into(&self, nonce: &[u8], ad: &[u8], data: &[u8], sealed: &mut [u8]) {
                let (text, tag) = sealed.split_at_mut(data.len());
                text.copy_from_slice(data);
                let nonce = nonce.try_into().expect("nonce_bytes");
                tag.copy_from_slice(self.encrypt_in_place(nonce, ad, text).as_bytes());
            }

            fn open_into(
                &self,
                nonce: &[u8],
                ad: &[u8],
                sealed: &[u8],
                data: &mut [u8],
            ) -> Result<usize, BadTag> {
                let (text, tag) = sealed.split_last_chunk::<{ Self::TAG_BYTES }>().ok_or(BadTag)?;
                let data = &mut data[..text.len()];
                data.copy_from_slice(text);
                let nonce = nonce.try_into().expect("nonce_bytes");
                self.decrypt_in_place(nonce, ad, data, &Tag::from(*tag))?;
                Ok(text.len())
            }
        })*
    };
}
roundworks::for_each_cipher!(table);

/// The cipher called `name`, unless it is for research only and `research` is not asked for.
///
/// # Errors
///
/// [`Kind::UnknownCipher`] or [`Kind::Research`].
pub(crate) fn allowed(name: &str, research: bool) -> Result<&'static str, Kind> {
    let known = NAMES.iter().find(|known| **known == name);
    let name = *known.ok_or_else(|| Kind::UnknownCipher(name.escape_debug().to_string()))?;
    if RESEARCH_ONLY.contains(&name) && !research {
        return Err(Kind::Research(name));
    }
    Ok(name)
}
