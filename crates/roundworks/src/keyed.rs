//! What every streaming AEAD here shares: the key and its wiping, the methods, the traits.
#![forbid(unsafe_code)]

mod public;

pub(crate) use public::aead;

#[cfg(feature = "alloc")]
use alloc::boxed::Box;

use inout::InOutBuf;

use crate::backend::{Backend, BackendUnavailable};
use crate::cipher::{Cipher, Facts, Message, check, check_all};
#[cfg(feature = "alloc")]
use crate::cipher::{Opening, Sealing};
use crate::error::Error;
use crate::many;
use crate::stream::{Bytes, Kernel, Shape, wipe};
use crate::tag::{BadTag, equal};

/// In bytes.
pub(crate) const LARGEST_TAG: usize = 32;

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
pub(crate) fn sized<B: Bytes>(what: &'static str, bytes: &[u8]) -> Result<B, Error> {
    check(what, bytes.len(), B::ZERO.as_ref().len())?;
    B::try_from(bytes).map_err(|_| unreachable!("checked"))
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
        self.keyed().encrypt(&nonce, ad, buf, tag);
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
        self.keyed().decrypt(&nonce, ad, buf, tag)?;
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
        self.keyed().encrypt(&nonce, ad, data.into(), tag);
        Ok(buf.len())
    }

    fn open_in_place(&self, nonce: &[u8], ad: &[u8], buf: &mut [u8]) -> Result<usize, Error> {
        let nonce = sized("nonce", nonce)?;
        let Some(len) = self.opened_bytes(buf.len()) else {
            buf.fill(0);
            return Err(Error::BadTag);
        };
        let (ciphertext, tag) = buf.split_at_mut(len);
        self.keyed().decrypt(&nonce, ad, ciphertext.into(), tag)?;
        Ok(len)
    }

    #[cfg(feature = "alloc")]
    fn sealing(&self, nonce: &[u8]) -> Result<Box<dyn Sealing>, Error> {
        Ok(Streaming::sealing(self, &sized("nonce", nonce)?))
    }

    #[cfg(feature = "alloc")]
    fn opening<'a>(&self, nonce: &[u8], out: &'a mut [u8]) -> Result<Box<dyn Opening + 'a>, Error> {
        Ok(Streaming::opening(self, &sized("nonce", nonce)?, out))
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
