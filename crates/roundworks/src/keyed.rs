//! What every streaming AEAD here shares: the key and its wiping, the methods, the traits.
#![forbid(unsafe_code)]

#[cfg(feature = "alloc")]
use alloc::boxed::Box;

use inout::InOutBuf;

use crate::backend::{Backend, BackendUnavailable};
use crate::cipher::{Cipher, Error, Facts, Message, check, check_all};
#[cfg(feature = "alloc")]
use crate::cipher::{Opening, Sealing};
use crate::many;
use crate::stream::{Bytes, Kernel, LARGEST_TAG, Shape, wipe};
use crate::tag::{BadTag, equal};

/// A cipher that can take a message incrementally.
///
/// Every streaming AEAD of this crate is one. It is not for others to implement.
pub trait Streaming: Sized + Send + Sync + 'static {
    #[doc(hidden)]
    type Algorithm: Shape;
    /// Its tag.
    type Tag: AsRef<[u8]>;
    #[doc(hidden)]
    const FACTS: &'static Facts;
    #[doc(hidden)]
    fn tag(bytes: &[u8]) -> Self::Tag;
    #[doc(hidden)]
    fn keyed(&self) -> &Keyed<Self::Algorithm>;
    #[doc(hidden)]
    #[cfg(feature = "alloc")]
    fn sealing(&self, nonce: &<Self::Algorithm as Shape>::Nonce) -> Box<dyn Sealing>;
    #[doc(hidden)]
    #[cfg(feature = "alloc")]
    fn opening<'a>(
        &self,
        nonce: &<Self::Algorithm as Shape>::Nonce,
        out: &'a mut [u8],
    ) -> Box<dyn Opening + 'a>;
}

/// A key and the kernel chosen for it. The key first, so that whoever moves both, sixteen bytes at a time,
/// stores what the kernel loads: a load of parts of two stores waits until the stores before them are done.
#[repr(C)]
pub struct Keyed<A: Shape> {
    key: A::Key,
    kernel: &'static Kernel<A>,
}

impl<A: Shape> Clone for Keyed<A> {
    fn clone(&self) -> Self {
        let Self { key, kernel } = *self;
        Self { key, kernel }
    }
}

/// The kernel for a back end, if this CPU has it.
pub(crate) type Kernels<A> = fn(Backend) -> Option<&'static Kernel<A>>;

impl<A: Shape> Keyed<A> {
    /// The fastest of `written` (slowest first) that this CPU can run.
    #[inline]
    pub(crate) fn best(key: &A::Key, written: &[Backend], kernels: Kernels<A>) -> Self {
        let kernel = written.iter().rev().find_map(|&b| kernels(b));
        Self {
            key: *key,
            kernel: kernel.expect("portable is always written and available"),
        }
    }

    /// The one that `unavailable` names. Inlined, so that the key is not moved once more.
    #[inline]
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

    /// Fills `tag`, which has a size that the cipher has tags of; so below.
    #[inline]
    pub(crate) fn encrypt(
        &self,
        nonce: &A::Nonce,
        ad: &[u8],
        buf: InOutBuf<'_, '_, u8>,
        tag: &mut [u8],
    ) {
        (self.kernel.encrypt)(&self.key, nonce, ad, buf, tag);
        (self.kernel.wipe_stack)();
    }

    #[inline]
    pub(crate) fn decrypt(
        &self,
        nonce: &A::Nonce,
        ad: &[u8],
        mut buf: InOutBuf<'_, '_, u8>,
        tag: &[u8],
    ) -> Result<(), BadTag> {
        let mut want = [0; LARGEST_TAG];
        let want = &mut want[..tag.len()];
        (self.kernel.decrypt)(&self.key, nonce, ad, buf.reborrow(), want);
        let good = equal(want, tag);
        wipe(want); // a valid tag for a forged message is a secret
        (self.kernel.wipe_stack)();
        if good {
            Ok(())
        } else {
            buf.get_out().fill(0); // the caller's memory, so the compiler keeps these stores
            Err(BadTag)
        }
    }
}

impl<A: Shape> Drop for Keyed<A> {
    fn drop(&mut self) {
        wipe(self.key.as_mut());
    }
}

/// A key or a nonce, or `nonce: want 16 bytes, got 12`.
pub(crate) fn sized<'a, B: Bytes>(what: &'static str, bytes: &'a [u8]) -> Result<&'a B, Error> {
    check(what, bytes.len(), size_of::<B>())?;
    Ok(B::of(bytes).expect("checked"))
}

/// Slices in, sizes checked.
impl<C: Streaming> Cipher for C {
    fn facts(&self) -> &'static Facts {
        C::FACTS
    }

    fn backend_name(&self) -> &'static str {
        self.keyed().backend().name()
    }

    fn seal_into(
        &self,
        nonce: &[u8],
        ad: &[u8],
        data: &[u8],
        out: &mut [u8],
    ) -> Result<usize, Error> {
        let nonce = sized("nonce", nonce)?;
        check("out", out.len(), self.sealed_bytes(data.len()))?;
        let (to, tag) = out.split_at_mut(data.len());
        let buf = InOutBuf::new(data, to).expect("split there");
        self.keyed().encrypt(nonce, ad, buf, tag);
        Ok(out.len())
    }

    fn open_into(
        &self,
        nonce: &[u8],
        ad: &[u8],
        sealed: &[u8],
        out: &mut [u8],
    ) -> Result<usize, Error> {
        let nonce = sized("nonce", nonce)?;
        let Some(len) = self.opened_bytes(sealed.len()) else {
            out.fill(0);
            return Err(Error::BadTag);
        };
        check("out", out.len(), len)?;
        let (ciphertext, tag) = sealed.split_at(len);
        let buf = InOutBuf::new(ciphertext, out).expect("checked above");
        self.keyed().decrypt(nonce, ad, buf, tag)?;
        Ok(len)
    }

    fn seal_in_place(
        &self,
        nonce: &[u8],
        ad: &[u8],
        buf: &mut [u8],
        data_bytes: usize,
    ) -> Result<usize, Error> {
        let nonce = sized("nonce", nonce)?;
        check("buf", buf.len(), self.sealed_bytes(data_bytes))?;
        let (data, tag) = buf.split_at_mut(data_bytes);
        self.keyed().encrypt(nonce, ad, data.into(), tag);
        Ok(buf.len())
    }

    fn open_in_place(&self, nonce: &[u8], ad: &[u8], buf: &mut [u8]) -> Result<usize, Error> {
        let nonce = sized("nonce", nonce)?;
        let Some(len) = self.opened_bytes(buf.len()) else {
            buf.fill(0);
            return Err(Error::BadTag);
        };
        let (ciphertext, tag) = buf.split_at_mut(len);
        self.keyed().decrypt(nonce, ad, ciphertext.into(), tag)?;
        Ok(len)
    }

    #[cfg(feature = "alloc")]
    fn sealing(&self, nonce: &[u8]) -> Result<Box<dyn Sealing>, Error> {
        Ok(Streaming::sealing(self, sized("nonce", nonce)?))
    }

    #[cfg(feature = "alloc")]
    fn opening<'a>(&self, nonce: &[u8], out: &'a mut [u8]) -> Result<Box<dyn Opening + 'a>, Error> {
        Ok(Streaming::opening(self, sized("nonce", nonce)?, out))
    }

    fn seal_many(&self, messages: &mut [Message<'_>]) -> Result<(), Error> {
        check_all(C::FACTS, messages, |len| Some(self.sealed_bytes(len)))?;
        many::seal(self, messages);
        Ok(())
    }

    fn open_many(
        &self,
        messages: &mut [Message<'_>],
        opened: &mut [Option<usize>],
    ) -> Result<usize, Error> {
        check_all(C::FACTS, messages, |len| self.opened_bytes(len))?;
        assert_eq!(opened.len(), messages.len(), "a result for each message");
        Ok(many::open(self, messages, opened))
    }
}

/// Defines a public AEAD: its sizes, methods and traits. `sizes` are those of key, nonce and tag;
/// `max_bytes` those of the longest message and associated data; `incremental` the types that take a
/// message in parts; `mac` the words of a lane and the lanes in a block of a cipher that is a MAC, too;
/// `study` is true of a cipher that protects nothing.
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
            incremental: $Encryptor:ident, $Decryptor:ident,
            $(mac: $words:literal words, degree $degree:literal,)?
            $(study: $study:literal,)?
        }
    ) => {
        $(#[$doc])*
        #[derive(Clone)]
        pub struct $cipher($crate::keyed::Keyed<$algorithm>);

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
                study: false $(|| $study)?,
                pads: false,
            };

            /// Sets the key, for the fastest back end this CPU can run.
            #[must_use]
            pub fn new(key: &[u8; $key]) -> Self {
                Self($crate::keyed::Keyed::best(key, Self::BACKENDS, Self::kernel))
            }

            /// Sets the key for one named back end.
            ///
            /// # Errors
            ///
            /// [`BackendUnavailable`](crate::BackendUnavailable) if the back end is not among
            /// [`Self::BACKENDS`] or this CPU lacks its instructions.
            #[inline]
            pub fn with_backend(
                key: &[u8; $key],
                backend: $crate::Backend,
            ) -> Result<Self, $crate::BackendUnavailable> {
                let unavailable = $crate::BackendUnavailable {
                    cipher: Self::NAME,
                    backend,
                    written: Self::BACKENDS,
                };
                $crate::keyed::Keyed::named(key, unavailable, Self::kernel).map(Self)
            }

            /// Not inlined: a crate that did so would compile all kernels of the cipher once more.
            #[inline(never)]
            fn kernel(
                backend: $crate::Backend,
            ) -> Option<&'static $crate::stream::Kernel<$algorithm>> {
                $kernels(backend)
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
                let mut tag = [0; $tag];
                self.0.encrypt(nonce, ad, buf.into(), &mut tag);
                tag.into()
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
                let mut tag = [0; $tag];
                self.0.encrypt(nonce, ad, buf, &mut tag);
                Ok(tag.into())
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

            /// Encrypts a message that comes in parts.
            #[must_use]
            pub fn encryptor(&self, nonce: &[u8; $nonce]) -> $crate::$Encryptor<Self> {
                $crate::$Encryptor::new(&self.0, nonce)
            }

            /// Decrypts a message that comes in parts, into `out`: at most as many bytes as it
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

            fn keyed(&self) -> &$crate::keyed::Keyed<$algorithm> {
                &self.0
            }

            #[cfg(feature = "alloc")]
            fn sealing(&self, nonce: &[u8; $nonce]) -> alloc::boxed::Box<dyn $crate::Sealing> {
                $crate::boxed::boxed(|| self.encryptor(nonce))
            }

            #[cfg(feature = "alloc")]
            fn opening<'a>(
                &self,
                nonce: &[u8; $nonce],
                out: &'a mut [u8],
            ) -> alloc::boxed::Box<dyn $crate::Opening + 'a> {
                $crate::boxed::boxed(|| self.decryptor(nonce, out))
            }
        }

        impl $crate::registry::Listed for $cipher {
            const FACTS: &'static $crate::Facts = Self::FACTS;

            fn keyed(
                key: &[u8],
                backend: Option<$crate::Backend>,
            ) -> Result<Self, $crate::Error> {
                let key = $crate::registry::key(key)?;
                match backend {
                    None => Ok(Self::new(key)),
                    Some(backend) => Ok(Self::with_backend(key, backend)?),
                }
            }

            $(
                #[cfg(feature = "alloc")]
                const MAC: Option<$crate::registry::NewMac> = Some((
                    [$nonce, $degree][0],
                    |key, nonce, backend| {
                        let cipher = <Self as $crate::registry::Listed>::keyed(key, backend)?;
                        let nonce = nonce.try_into().expect("checked");
                        Ok($crate::boxed::boxed(|| cipher.mac_incremental(nonce)))
                    },
                ));
            )?
        }

        $(
            /// The MAC of the same key and nonce. A key that makes MACs must not encrypt, too.
            impl $cipher {
                /// The MAC of `data`. [AEGIS-RFC]
                #[must_use]
                pub fn mac(&self, nonce: &[u8; $nonce], data: &[u8]) -> $crate::Tag<$tag> {
                    $crate::arch::cleared::<16, _>(|| {
                        let mut mac = self.mac_incremental(nonce);
                        mac.update(data).expect("no slice is as long as the limit");
                        mac.finish()
                    })
                }

                /// Whether `tag` is the MAC of `data`, in a time that does not depend on where it
                /// differs.
                ///
                /// # Errors
                ///
                /// [`BadTag`](crate::BadTag) if it is not.
                pub fn verify(
                    &self,
                    nonce: &[u8; $nonce],
                    data: &[u8],
                    tag: &$crate::Tag<$tag>,
                ) -> Result<(), $crate::BadTag> {
                    $crate::arch::cleared::<16, _>(|| {
                        let mut mac = self.mac_incremental(nonce);
                        mac.update(data).expect("no slice is as long as the limit");
                        mac.verify(tag)
                    })
                }

                /// The MAC of data that come in parts.
                #[must_use]
                pub fn mac_incremental(&self, nonce: &[u8; $nonce]) -> $crate::AegisMac<Self> {
                    $crate::AegisMac::new(&self.0, nonce, $words, $degree)
                }
            }
        )?

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
                    let mut tag = [0; $tag];
                    self.0.encrypt(&nonce.0, ad, buf, &mut tag);
                    Ok(tag.into())
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

#[cfg(all(test, feature = "aegis", feature = "aether"))]
mod tests {
    use super::Keyed;
    use crate::aether::AsPublished;
    use crate::arch::{aes, nibbles, testing::after_drop};
    use crate::{Backend, aegis::Algorithm128};

    #[test]
    fn drop_wipes_the_key() {
        let small = Keyed::<Algorithm128>::best(&[0xa5; 16], &[Backend::Portable], aes);
        assert_eq!(after_drop(small.clone(), |k| &k.key), [0; 16]);
        assert_eq!(small.key, [0xa5; 16]);
        let large = Keyed::<AsPublished>::best(&[0xa5; 32], &[Backend::Portable], nibbles);
        assert_eq!(after_drop(large, |k| &k.key), [0; 32]);
    }
}
