//! Every cipher on every back end, behind one type.

use roundworks::{Backend, for_each_cipher};

/// A keyed cipher. *Sealed* is the ciphertext with the tag behind it.
pub trait Cipher {
    /// Writes ciphertext and tag of `data` to `out`.
    fn seal_into(&self, nonce: &[u8], ad: &[u8], data: &[u8], out: &mut [u8]);
    /// Writes the data in `sealed` to `out`; whether it is authentic.
    fn open_into(&self, nonce: &[u8], ad: &[u8], sealed: &[u8], out: &mut [u8]) -> bool;
}

/// A cipher on one back end.
pub struct Subject {
    /// As on every surface.
    pub name: &'static str,
    /// One of its back ends.
    pub backend: Backend,
    /// Sizes in bytes.
    pub key_bytes: usize,
    /// Of a nonce.
    pub nonce_bytes: usize,
    /// Of a tag.
    pub tag_bytes: usize,
    /// Sets the key.
    pub with_key: fn(&[u8], Backend) -> Box<dyn Cipher>,
}

macro_rules! define {
    ($($cipher:ident $about:literal,)*) => {
        $(impl Cipher for roundworks::$cipher {
            #[inline]
            fn seal_into(&self, nonce: &[u8], ad: &[u8], data: &[u8], out: &mut [u8]) {
                let (ciphertext, tag) = out.split_at_mut(data.len());
                ciphertext.copy_from_slice(data);
                let nonce = nonce.try_into().expect("nonce size");
                tag.copy_from_slice(self.encrypt_in_place(nonce, ad, ciphertext).as_bytes());
            }

            #[inline]
            fn open_into(&self, nonce: &[u8], ad: &[u8], sealed: &[u8], out: &mut [u8]) -> bool {
                let (ciphertext, tag) = sealed.split_at(out.len());
                out.copy_from_slice(ciphertext);
                let nonce = nonce.try_into().expect("nonce size");
                let tag: [u8; Self::TAG_BYTES] = tag.try_into().expect("tag size");
                self.decrypt_in_place(nonce, ad, out, &tag.into()).is_ok()
            }
        })*

        /// Every cipher on each of its back ends that this CPU can run, slowest first.
        #[must_use]
        pub fn subjects() -> Vec<Subject> {
            let mut all = Vec::new();
            $({
                use roundworks::$cipher as Type;
                let usable = Type::BACKENDS.iter().filter(|b| b.is_available());
                all.extend(usable.map(|&backend| Subject {
                    name: Type::NAME,
                    backend,
                    key_bytes: Type::KEY_BYTES,
                    nonce_bytes: Type::NONCE_BYTES,
                    tag_bytes: Type::TAG_BYTES,
                    with_key: |key, backend| {
                        let key = key.try_into().expect("key size");
                        Box::new(Type::with_backend(key, backend).expect("is_available said so"))
                    },
                }));
            })*
            all
        }
    };
}
for_each_cipher!(define);
