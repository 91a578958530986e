//! What every streaming AEAD here shares: the key and its wiping, the methods, the traits.
#![forbid(unsafe_code)]

use inout::InOutBuf;
use zeroize::Zeroize;

use crate::backend::{Backend, BackendUnavailable};
use crate::cipher::Facts;
use crate::stream::{Kernel, Shape};
use crate::tag::{BadTag, Tag, equal};

/// A cipher that can take a message in pieces.
///
/// Every streaming AEAD of this crate is one. It is not for others to implement.
pub trait Streaming: Sized + 'static {
    #[doc(hidden)]
    type Algorithm: Shape;
    /// Its tag.
    type Tag: AsRef<[u8]>;
    #[doc(hidden)]
    const FACTS: &'static Facts;
    #[doc(hidden)]
    fn tag(bytes: &[u8]) -> Self::Tag;
}

/// A key and the kernel chosen for it; tags of `TAG` bytes.
pub struct Keyed<A: Shape, const TAG: usize> {
    key: A::Key,
    kernel: &'static Kernel<A>,
}

impl<A: Shape, const TAG: usize> Clone for Keyed<A, TAG> {
    fn clone(&self) -> Self {
        let Self { key, kernel } = *self;
        Self { key, kernel }
    }
}

/// The kernel for a back end, if this CPU has it.
pub(crate) type Kernels<A> = fn(Backend) -> Option<&'static Kernel<A>>;

impl<A: Shape, const TAG: usize> Keyed<A, TAG> {
    /// The fastest of `written` (slowest first) that this CPU can run.
    #[inline]
    pub(crate) fn best(key: &A::Key, written: &[Backend], kernels: Kernels<A>) -> Self {
        let kernel = written.iter().rev().find_map(|&b| kernels(b));
        Self {
            key: *key,
            kernel: kernel.expect("portable is always written and available"),
        }
    }

    pub(crate) fn named(
        key: &A::Key,
        unavailable: BackendUnavailable,
        kernels: Kernels<A>,
    ) -> Result<Self, BackendUnavailable> {
        let written = unavailable.written.contains(&unavailable.backend);
        let kernel = written.then(|| kernels(unavailable.backend)).flatten();
        let kernel = kernel.ok_or(unavailable)?;
        Ok(Self { key: *key, kernel })
    }

    pub(crate) fn backend(&self) -> Backend {
        self.kernel.backend
    }

    pub(crate) fn parts(&self) -> (&'static Kernel<A>, &A::Key) {
        (self.kernel, &self.key)
    }

    #[inline]
    pub(crate) fn encrypt(
        &self,
        nonce: &A::Nonce,
        ad: &[u8],
        buf: InOutBuf<'_, '_, u8>,
    ) -> Tag<TAG> {
        let mut tag = [0; TAG];
        (self.kernel.encrypt)(&self.key, nonce, ad, buf, &mut tag);
        (self.kernel.wipe_stack)();
        tag.into()
    }

    #[inline]
    pub(crate) fn decrypt(
        &self,
        nonce: &A::Nonce,
        ad: &[u8],
        mut buf: InOutBuf<'_, '_, u8>,
        tag: &[u8],
    ) -> Result<(), BadTag> {
        let mut want = [0; TAG];
        (self.kernel.decrypt)(&self.key, nonce, ad, buf.reborrow(), &mut want);
        (self.kernel.wipe_stack)();
        let good = equal(&want, tag);
        want.zeroize(); // a valid tag for a forged message is a secret
        if good {
            Ok(())
        } else {
            buf.get_out().fill(0); // the caller's memory, so the compiler keeps these stores
            Err(BadTag)
        }
    }
}

impl<A: Shape, const TAG: usize> Drop for Keyed<A, TAG> {
    fn drop(&mut self) {
        self.key.zeroize();
    }
}

/// Defines a public AEAD: its sizes, methods and traits. `sizes` are those of key, nonce and tag;
/// `max_bytes` those of the longest message and associated data; `pieces` the types that take a
/// message in pieces, if they are not the usual ones.
macro_rules! aead {
    (
        $(#[$doc:meta])*
        $cipher:ident {
            name: $name:expr,
            algorithm: $algorithm:ty,
            sizes: $key:literal, $nonce:literal, $tag:literal,
            backends: [$($backend:ident),+],
            kernel: $kernels:expr,
            max_bytes: $max_message:expr, $max_ad:expr,
        }
    ) => {
        $crate::keyed::aead! {
            $(#[$doc])*
            $cipher {
                name: $name,
                algorithm: $algorithm,
                sizes: $key, $nonce, $tag,
                backends: [$($backend),+],
                kernel: $kernels,
                max_bytes: $max_message, $max_ad,
                pieces: Encryptor, Decryptor,
            }
        }
    };
    (
        $(#[$doc:meta])*
        $cipher:ident {
            name: $name:expr,
            algorithm: $algorithm:ty,
            sizes: $key:literal, $nonce:literal, $tag:literal,
            backends: [$($backend:ident),+],
            kernel: $kernels:expr,
            max_bytes: $max_message:expr, $max_ad:expr,
            pieces: $Encryptor:ident, $Decryptor:ident,
        }
    ) => {
        $(#[$doc])*
        #[derive(Clone)]
        pub struct $cipher($crate::keyed::Keyed<$algorithm, $tag>);

        impl $cipher {
            /// Name on every surface.
            pub const NAME: &'static str = $name;
            /// Size of a key, in bytes.
            pub const KEY_BYTES: usize = $key;
            /// Size of a nonce, in bytes. A nonce must never serve twice under one key.
            pub const NONCE_BYTES: usize = $nonce;
            /// Size of a tag, in bytes.
            pub const TAG_BYTES: usize = $tag;
            /// Longest message, in bytes.
            pub const MAX_MESSAGE_BYTES: u64 = $max_message;
            /// Longest associated data, in bytes.
            pub const MAX_AD_BYTES: u64 = $max_ad;
            /// The back ends this cipher is written for, slowest first.
            pub const BACKENDS: &'static [$crate::Backend] = &[$($crate::Backend::$backend),+];

            /// All of the above.
            pub const FACTS: &'static $crate::Facts = &$crate::Facts {
                name: Self::NAME,
                key_bytes: $key,
                nonce_bytes: $nonce,
                tag_bytes: $tag,
                max_message_bytes: $max_message,
                max_ad_bytes: $max_ad,
                backends: Self::BACKENDS,
            };

            /// Sets the key, for the fastest back end this CPU can run.
            #[must_use]
            pub fn new(key: &[u8; $key]) -> Self {
                Self($crate::keyed::Keyed::best(key, Self::BACKENDS, $kernels))
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
                $crate::keyed::Keyed::named(key, unavailable, $kernels).map(Self)
            }

            /// The back end chosen when the key was set.
            #[must_use]
            pub fn backend(&self) -> $crate::Backend {
                self.0.backend()
            }

            /// Encrypts `buf` in place and authenticates it together with `ad`.
            #[must_use = "without its tag nobody can decrypt the message"]
            #[inline]
            pub fn encrypt_in_place(
                &self,
                nonce: &[u8; $nonce],
                ad: &[u8],
                buf: &mut [u8],
            ) -> $crate::Tag<$tag> {
                self.0.encrypt(nonce, ad, buf.into())
            }

            /// Decrypts `buf` in place if `tag` belongs to it, to `nonce` and to `ad`.
            ///
            /// # Errors
            ///
            /// [`BadTag`](crate::BadTag); then `buf` is all zero: no unverified plaintext leaves
            /// this function.
            #[inline]
            pub fn decrypt_in_place(
                &self,
                nonce: &[u8; $nonce],
                ad: &[u8],
                buf: &mut [u8],
                tag: &$crate::Tag<$tag>,
            ) -> Result<(), $crate::BadTag> {
                self.0.decrypt(nonce, ad, buf.into(), tag.as_ref())
            }

            /// Encrypts `data` into `out`, which is as long, and returns the tag.
            ///
            /// # Errors
            ///
            /// [`Error::Length`](crate::Error::Length) if `out` has another size; then nothing was
            /// written.
            pub fn encrypt_into(
                &self,
                nonce: &[u8; $nonce],
                ad: &[u8],
                data: &[u8],
                out: &mut [u8],
            ) -> Result<$crate::Tag<$tag>, $crate::Error> {
                $crate::cipher::check("out", out.len(), data.len())?;
                let buf = inout::InOutBuf::new(data, out).expect("checked above");
                Ok(self.0.encrypt(nonce, ad, buf))
            }

            /// Decrypts `ciphertext` into `out`, which is as long, if `tag` belongs to it, to
            /// `nonce` and to `ad`.
            ///
            /// # Errors
            ///
            /// [`Error::BadTag`](crate::Error::BadTag); then `out` is all zero.
            /// [`Error::Length`](crate::Error::Length) as for [`Self::encrypt_into`].
            pub fn decrypt_into(
                &self,
                nonce: &[u8; $nonce],
                ad: &[u8],
                ciphertext: &[u8],
                tag: &$crate::Tag<$tag>,
                out: &mut [u8],
            ) -> Result<(), $crate::Error> {
                $crate::cipher::check("out", out.len(), ciphertext.len())?;
                let buf = inout::InOutBuf::new(ciphertext, out).expect("checked above");
                Ok(self.0.decrypt(nonce, ad, buf, tag.as_ref())?)
            }

            /// Encrypts a message that comes in pieces.
            #[must_use]
            pub fn encryptor(&self, nonce: &[u8; $nonce]) -> $crate::$Encryptor<Self> {
                $crate::$Encryptor::new(&self.0, nonce)
            }

            /// Decrypts a message that comes in pieces, into `out`: at most as many bytes as it
            /// has. They can be read when the tag has been checked.
            #[must_use]
            pub fn decryptor<'a>(
                &self,
                nonce: &[u8; $nonce],
                out: &'a mut [u8],
            ) -> $crate::$Decryptor<'a, Self> {
                $crate::$Decryptor::new(&self.0, nonce, out)
            }
        }

        impl $crate::keyed::Streaming for $cipher {
            type Algorithm = $algorithm;
            type Tag = $crate::Tag<$tag>;
            const FACTS: &'static $crate::Facts = Self::FACTS;

            fn tag(bytes: &[u8]) -> Self::Tag {
                <[u8; $tag]>::try_from(bytes).expect("a tag's size").into()
            }
        }

        impl $crate::Cipher for $cipher {
            fn facts(&self) -> &'static $crate::Facts {
                Self::FACTS
            }

            fn backend_name(&self) -> &'static str {
                self.backend().name()
            }

            fn seal_into(
                &self,
                nonce: &[u8],
                ad: &[u8],
                data: &[u8],
                out: &mut [u8],
            ) -> Result<usize, $crate::Error> {
                $crate::keyed::seal_into(&self.0, nonce, ad, data, out)
            }

            fn open_into(
                &self,
                nonce: &[u8],
                ad: &[u8],
                sealed: &[u8],
                out: &mut [u8],
            ) -> Result<usize, $crate::Error> {
                $crate::keyed::open_into(&self.0, nonce, ad, sealed, out)
            }

            fn seal_in_place(
                &self,
                nonce: &[u8],
                ad: &[u8],
                buf: &mut [u8],
                data_bytes: usize,
            ) -> Result<usize, $crate::Error> {
                $crate::keyed::seal_in_place(&self.0, nonce, ad, buf, data_bytes)
            }

            fn open_in_place(
                &self,
                nonce: &[u8],
                ad: &[u8],
                buf: &mut [u8],
            ) -> Result<usize, $crate::Error> {
                $crate::keyed::open_in_place(&self.0, nonce, ad, buf)
            }

            #[cfg(feature = "alloc")]
            fn sealing(
                &self,
                nonce: &[u8],
            ) -> Result<alloc::boxed::Box<dyn $crate::Sealing>, $crate::Error> {
                let nonce = $crate::keyed::sized("nonce", nonce)?;
                Ok($crate::boxed::boxed(|| self.encryptor(&nonce)))
            }

            #[cfg(feature = "alloc")]
            fn opening<'a>(
                &self,
                nonce: &[u8],
                out: &'a mut [u8],
            ) -> Result<alloc::boxed::Box<dyn $crate::Opening + 'a>, $crate::Error> {
                let nonce = $crate::keyed::sized("nonce", nonce)?;
                Ok($crate::boxed::boxed(|| self.decryptor(&nonce, out)))
            }

            fn seal_many(
                &self,
                messages: &mut [$crate::Message<'_>],
            ) -> Result<(), $crate::Error> {
                $crate::many::seal_many(&self.0, messages)
            }

            fn open_many(
                &self,
                messages: &mut [$crate::Message<'_>],
                opened: &mut [Option<usize>],
            ) -> Result<usize, $crate::Error> {
                $crate::many::open_many(&self.0, messages, opened)
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
                type NonceSize = <[u8; $nonce] as AssocArraySize>::Size;
                type TagSize = <[u8; $tag] as AssocArraySize>::Size;
                const TAG_POSITION: TagPosition = TagPosition::Postfix;
            }

            impl AeadInOut for $cipher {
                fn encrypt_inout_detached(
                    &self,
                    nonce: &Nonce<Self>,
                    ad: &[u8],
                    buf: InOutBuf<'_, '_, u8>,
                ) -> Result<::aead::Tag<Self>, Error> {
                    Ok((*self.0.encrypt(&nonce.0, ad, buf).as_bytes()).into())
                }

                fn decrypt_inout_detached(
                    &self,
                    nonce: &Nonce<Self>,
                    ad: &[u8],
                    buf: InOutBuf<'_, '_, u8>,
                    tag: &::aead::Tag<Self>,
                ) -> Result<(), Error> {
                    self.0.decrypt(&nonce.0, ad, buf, &tag.0).map_err(|_| Error)
                }
            }
        };
    };
}

pub(crate) use aead;

mod slices;
pub(crate) use slices::{open_in_place, open_into, seal_in_place, seal_into, sized};

#[cfg(all(test, feature = "aegis", feature = "aether"))]
mod tests {
    use super::Keyed;
    use crate::aether::AsPublished;
    use crate::arch::{aes, nibbles, testing::after_drop};
    use crate::{Backend, aegis::Algorithm128};

    #[test]
    fn drop_wipes_the_key() {
        let small = Keyed::<Algorithm128, 16>::best(&[0xa5; 16], &[Backend::Portable], aes);
        assert_eq!(after_drop(small.clone(), |k| &k.key), [0; 16]);
        assert_eq!(small.key, [0xa5; 16]);
        let large = Keyed::<AsPublished, 16>::best(&[0xa5; 32], &[Backend::Portable], nibbles);
        assert_eq!(after_drop(large, |k| &k.key), [0; 32]);
    }
}
