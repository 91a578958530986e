//! Every cipher on every back end.

use roundworks::{Backend, Cipher, Facts, ciphers, for_each_streaming_cipher};

/// A cipher on one back end.
pub struct Subject {
    /// Name, sizes.
    pub facts: &'static Facts,
    /// One of its back ends.
    pub backend: Backend,
}

impl Subject {
    /// Sets the key.
    #[must_use]
    pub fn with_key(&self, key: &[u8]) -> Box<dyn Cipher> {
        let Facts {
            name, tag_bytes, ..
        } = *self.facts;
        let made = roundworks::cipher(name, key, Some(tag_bytes), Some(self.backend));
        made.unwrap_or_else(|e| panic!("{self}: {e}"))
    }
}

impl std::fmt::Display for Subject {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Facts {
            name, tag_bytes, ..
        } = self.facts;
        write!(f, "{name}/{}, tag of {tag_bytes}", self.backend)
    }
}

/// Every cipher of the core on each of its back ends that this CPU can run, slowest first.
#[must_use]
pub fn subjects() -> Vec<Subject> {
    let on_all = |facts: &'static Facts| {
        let usable = facts.backends.iter().filter(|b| b.is_available());
        usable.map(move |&backend| Subject { facts, backend })
    };
    ciphers().flat_map(on_all).collect()
}

macro_rules! in_pieces {
    ($($cipher:ident $about:literal,)*) => {
        impl Subject {
            /// As `Cipher::seal_into`, with the incremental interface; false if it has none.
            pub fn seal_in_pieces(
                &self,
                key: &[u8],
                nonce: &[u8],
                ad: &[u8],
                data: &[u8],
                out: &mut [u8],
            ) -> bool {
                $({
                    use roundworks::$cipher as Type;
                    if (Type::NAME, Type::TAG_BYTES) == (self.facts.name, self.facts.tag_bytes) {
                        let key = key.try_into().expect("key size");
                        let cipher = Type::with_backend(key, self.backend).expect("available");
                        let mut encryptor = cipher.encryptor(nonce.try_into().expect("nonce size"));
                        for piece in ad.chunks(PIECE) {
                            encryptor.ad(piece).expect("short");
                        }
                        let (ciphertext, tag) = out.split_at_mut(data.len());
                        for (from, to) in data.chunks(PIECE).zip(ciphertext.chunks_mut(PIECE)) {
                            encryptor.update_into(from, to).expect("sizes");
                        }
                        tag.copy_from_slice(encryptor.finish().as_ref());
                        return true;
                    }
                })*
                false
            }

            /// As `Cipher::open_into`, with the incremental interface, where there is one: whether
            /// it is authentic.
            pub fn open_in_pieces(
                &self,
                key: &[u8],
                nonce: &[u8],
                ad: &[u8],
                sealed: &[u8],
                out: &mut [u8],
            ) -> bool {
                $({
                    use roundworks::$cipher as Type;
                    if (Type::NAME, Type::TAG_BYTES) == (self.facts.name, self.facts.tag_bytes) {
                        let key = key.try_into().expect("key size");
                        let cipher = Type::with_backend(key, self.backend).expect("available");
                        let (ciphertext, tag) = sealed.split_at(out.len());
                        let tag: [u8; Type::TAG_BYTES] = tag.try_into().expect("tag size");
                        let mut decryptor =
                            cipher.decryptor(nonce.try_into().expect("nonce size"), out);
                        for piece in ad.chunks(PIECE) {
                            decryptor.ad(piece).expect("short");
                        }
                        for piece in ciphertext.chunks(PIECE) {
                            decryptor.update(piece).expect("room");
                        }
                        return decryptor.finish(&tag.into()).is_ok();
                    }
                })*
                unreachable!("asked of a cipher that cannot seal in pieces")
            }
        }
    };
}
for_each_streaming_cipher!(in_pieces);

/// Neither a whole block of any cipher nor a part of one.
const PIECE: usize = 37;
