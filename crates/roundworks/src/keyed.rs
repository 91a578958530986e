//! What every AEAD here shares: the key and its wiping, the methods, the traits.
#![forbid(unsafe_code)]

use zeroize::Zeroize;

use crate::arch::Kernel;
use crate::backend::{Backend, BackendUnavailable};
use crate::tag::{BadTag, Tag};

/// Which way the data goes.
#[derive(Clone, Copy)]
pub(crate) enum Direction {
    Encrypt,
    Decrypt,
}

/// A key and the kernel chosen for it.
#[derive(Clone)]
pub(crate) struct Keyed<const KEY: usize> {
    key: [u8; KEY],
    kernel: Kernel<KEY>,
}

impl<const KEY: usize> Keyed<KEY> {
    /// The fastest of `written` (slowest first) that this CPU can run.
    pub(crate) fn best(
        key: &[u8; KEY],
        written: &[Backend],
        kernel: fn(Backend) -> Option<Kernel<KEY>>,
    ) -> Self {
        let kernel = written.iter().rev().find_map(|&b| kernel(b));
        Self {
            key: *key,
            kernel: kernel.expect("portable is always written and available"),
        }
    }

    pub(crate) fn named(
        key: &[u8; KEY],
        unavailable: BackendUnavailable,
        kernel: fn(Backend) -> Option<Kernel<KEY>>,
    ) -> Result<Self, BackendUnavailable> {
        let kernel = kernel(unavailable.backend).ok_or(unavailable)?;
        Ok(Self { key: *key, kernel })
    }

    pub(crate) fn backend(&self) -> Backend {
        self.kernel.backend
    }

    pub(crate) fn encrypt(&self, nonce: &[u8; 16], ad: &[u8], buf: &mut [u8]) -> Tag {
        let tag = (self.kernel.run)(&self.key, nonce, ad, buf, Direction::Encrypt);
        (self.kernel.wipe_stack)();
        tag.into()
    }

    pub(crate) fn decrypt(
        &self,
        nonce: &[u8; 16],
        ad: &[u8],
        buf: &mut [u8],
        tag: &Tag,
    ) -> Result<(), BadTag> {
        let mut want = Tag::from((self.kernel.run)(
            &self.key,
            nonce,
            ad,
            buf,
            Direction::Decrypt,
        ));
        (self.kernel.wipe_stack)();
        let good = want == *tag;
        want.zeroize(); // a valid tag for a forged message is a secret
        if good {
            Ok(())
        } else {
            buf.fill(0); // the caller's memory, so the compiler keeps these stores
            Err(BadTag)
        }
    }
}

impl<const KEY: usize> Drop for Keyed<KEY> {
    fn drop(&mut self) {
        self.key.zeroize();
    }
}

/// Defines a public AEAD: its sizes, methods and RustCrypto traits.
macro_rules! aead {
    (
        $(#[$doc:meta])*
        $cipher:ident {
            name: $name:literal,
            key_bytes: $key:literal,
            backends: [$($backend:ident),+],
            kernel: $kernel:expr,
            $(#[$max_message_doc:meta])*
            max_message_bytes: $max_message:expr,
            $(#[$max_ad_doc:meta])*
            max_ad_bytes: $max_ad:expr,
        }
    ) => {
        $(#[$doc])*
        #[derive(Clone)]
        pub struct $cipher($crate::keyed::Keyed<$key>);

        impl $cipher {
            /// Name on every surface.
            pub const NAME: &'static str = $name;
            /// Size of a key, in bytes.
            pub const KEY_BYTES: usize = $key;
            /// Size of a nonce, in bytes. A nonce must never serve twice under one key.
            pub const NONCE_BYTES: usize = 16;
            /// Size of a tag, in bytes.
            pub const TAG_BYTES: usize = $crate::Tag::BYTES;
            $(#[$max_message_doc])*
            pub const MAX_MESSAGE_BYTES: u64 = $max_message;
            $(#[$max_ad_doc])*
            pub const MAX_AD_BYTES: u64 = $max_ad;
            /// The back ends this cipher is written for, slowest first.
            pub const BACKENDS: &'static [$crate::Backend] = &[$($crate::Backend::$backend),+];

            /// Sets the key, for the fastest back end this CPU can run.
            #[must_use]
            pub fn new(key: &[u8; $key]) -> Self {
                Self($crate::keyed::Keyed::best(key, Self::BACKENDS, $kernel))
            }

            /// Sets the key for one named back end.
            ///
            /// # Errors
            ///
            /// [`BackendUnavailable`](crate::BackendUnavailable) if the back end is not among
            /// [`Self::BACKENDS`] or this CPU lacks its instructions.
            pub fn with_backend(
                key: &[u8; $key],
                backend: $crate::Backend,
            ) -> Result<Self, $crate::BackendUnavailable> {
                let unavailable = $crate::BackendUnavailable {
                    cipher: Self::NAME,
                    backend,
                    written: Self::BACKENDS,
                };
                $crate::keyed::Keyed::named(key, unavailable, $kernel).map(Self)
            }

            /// The back end chosen when the key was set.
            #[must_use]
            pub fn backend(&self) -> $crate::Backend {
                self.0.backend()
            }

            /// Encrypts `buf` in place and authenticates it together with `ad`.
            #[must_use = "without its tag nobody can decrypt the message"]
            pub fn encrypt_in_place(
                &self,
                nonce: &[u8; 16],
                ad: &[u8],
                buf: &mut [u8],
            ) -> $crate::Tag {
                self.0.encrypt(nonce, ad, buf)
            }

            /// Decrypts `buf` in place if `tag` belongs to it, to `nonce` and to `ad`.
            ///
            /// # Errors
            ///
            /// [`BadTag`](crate::BadTag); then `buf` is all zero: no unverified plaintext leaves
            /// this function.
            pub fn decrypt_in_place(
                &self,
                nonce: &[u8; 16],
                ad: &[u8],
                buf: &mut [u8],
                tag: &$crate::Tag,
            ) -> Result<(), $crate::BadTag> {
                self.0.decrypt(nonce, ad, buf, tag)
            }
        }

        impl core::fmt::Debug for $cipher {
            /// Names the back end, never the key.
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                let cipher = stringify!($cipher);
                f.debug_struct(cipher).field("backend", &self.backend()).finish_non_exhaustive()
            }
        }

        impl zeroize::ZeroizeOnDrop for $cipher {}

        #[cfg(feature = "aead")]
        const _: () = {
            use ::aead::array::AssocArraySize;
            use ::aead::inout::InOutBuf;
            use ::aead::{AeadCore, AeadInOut, Error, Key, KeyInit, KeySizeUser, Nonce, TagPosition};

            impl KeySizeUser for $cipher {
                type KeySize = <[u8; $key] as AssocArraySize>::Size;
            }

            impl KeyInit for $cipher {
                fn new(key: &Key<Self>) -> Self {
                    Self::new(&key.0)
                }
            }

            impl AeadCore for $cipher {
                type NonceSize = <[u8; 16] as AssocArraySize>::Size;
                type TagSize = <[u8; 16] as AssocArraySize>::Size;
                const TAG_POSITION: TagPosition = TagPosition::Postfix;
            }

            impl AeadInOut for $cipher {
                fn encrypt_inout_detached(
                    &self,
                    nonce: &Nonce<Self>,
                    ad: &[u8],
                    buf: InOutBuf<'_, '_, u8>,
                ) -> Result<::aead::Tag<Self>, Error> {
                    let tag = self.0.encrypt(&nonce.0, ad, buf.into_out_with_copied_in());
                    Ok((*tag.as_bytes()).into())
                }

                fn decrypt_inout_detached(
                    &self,
                    nonce: &Nonce<Self>,
                    ad: &[u8],
                    buf: InOutBuf<'_, '_, u8>,
                    tag: &::aead::Tag<Self>,
                ) -> Result<(), Error> {
                    let buf = buf.into_out_with_copied_in();
                    self.0.decrypt(&nonce.0, ad, buf, &tag.0.into()).map_err(|_| Error)
                }
            }
        };
    };
}

pub(crate) use aead;

#[cfg(test)]
mod tests {
    use super::Keyed;
    use crate::arch::{aegis128, aether, testing::after_drop};
    use crate::{Backend, aether::AsPublished};

    #[test]
    fn drop_wipes_the_key() {
        let small = Keyed::best(&[0xa5; 16], &[Backend::Portable], aegis128);
        assert_eq!(after_drop(small.clone(), |k| &k.key), [0; 16]);
        assert_eq!(small.key, [0xa5; 16]);
        let large = Keyed::best(&[0xa5; 32], &[Backend::Portable], aether::<AsPublished>);
        assert_eq!(after_drop(large, |k| &k.key), [0; 32]);
    }
}
