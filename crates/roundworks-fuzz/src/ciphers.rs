//! Every cipher on every back end, behind one type.

use roundworks::{Backend, for_each_cipher};

use crate::input::Input;

#[derive(Debug, PartialEq)]
pub(crate) struct BadTag;

/// A keyed cipher. *Sealed* is the ciphertext with the tag behind it.
pub(crate) trait Cipher {
    fn at(&self) -> String;
    fn nonce_bytes(&self) -> usize;
    fn tag_bytes(&self) -> usize;
    fn seal_into(&self, nonce: &[u8], ad: &[u8], data: &[u8], out: &mut [u8]);
    fn open_into(
        &self,
        nonce: &[u8],
        ad: &[u8],
        sealed: &[u8],
        out: &mut [u8],
    ) -> Result<usize, BadTag>;
}

/// One cipher, picked by the input and keyed from it, on each of its back ends that this CPU can
/// run: `portable` first.
pub(crate) fn everywhere(input: &mut Input) -> Vec<Box<dyn Cipher>> {
    let kind = &KINDS[usize::from(input.byte()) % KINDS.len()];
    let key = input.bytes(kind.key_bytes);
    let usable = kind.backends.iter().filter(|b| b.is_available());
    usable.map(|&b| (kind.with_key)(&key, b)).collect()
}

struct Kind {
    key_bytes: usize,
    backends: &'static [Backend],
    with_key: fn(&[u8], Backend) -> Box<dyn Cipher>,
}

macro_rules! define {
    ($($cipher:ident $about:literal,)*) => {
        $(impl Cipher for roundworks::$cipher {
            fn at(&self) -> String {
                format!("{}/{}", Self::NAME, self.backend())
            }

            fn nonce_bytes(&self) -> usize {
                Self::NONCE_BYTES
            }

            fn tag_bytes(&self) -> usize {
                Self::TAG_BYTES
            }

            fn seal_into(&self, nonce: &[u8], ad: &[u8], data: &[u8], out: &mut [u8]) {
                let (ciphertext, tag) = out.split_at_mut(data.len());
                ciphertext.copy_from_slice(data);
                let nonce = nonce.try_into().expect("nonce size");
                tag.copy_from_slice(self.encrypt_in_place(nonce, ad, ciphertext).as_bytes());
            }

            fn open_into(
                &self,
                nonce: &[u8],
                ad: &[u8],
                sealed: &[u8],
                out: &mut [u8],
            ) -> Result<usize, BadTag> {
                let Some((ciphertext, tag)) = sealed.split_last_chunk() else {
                    return Err(BadTag);
                };
                out.copy_from_slice(ciphertext);
                let nonce = nonce.try_into().expect("nonce size");
                let tag: [u8; Self::TAG_BYTES] = *tag;
                let opened = self.decrypt_in_place(nonce, ad, out, &tag.into());
                opened.map(|()| out.len()).map_err(|_| BadTag)
            }
        })*

        static KINDS: &[Kind] = &[$(Kind {
            key_bytes: roundworks::$cipher::KEY_BYTES,
            backends: roundworks::$cipher::BACKENDS,
            with_key: |key, backend| {
                let key = key.try_into().expect("key size");
                let cipher = roundworks::$cipher::with_backend(key, backend);
                Box::new(cipher.expect("is_available said so"))
            },
        }),*];
    };
}
for_each_cipher!(define);
