//! One message at a caller's pointers, sealed or opened on the CPU or on a GPU.

use rw::{Error, Facts};

use crate::error::Fault;
use crate::slices::{Place, apart, check, input, output, place};

/// A cipher with its key, wherever it works.
pub(crate) trait Keyed {
    fn facts(&self) -> &Facts;
    fn sealed_bytes(&self, data_bytes: usize) -> usize;
    fn opened_bytes(&self, sealed_bytes: usize) -> Option<usize>;
    fn seal_into(&self, nonce: &[u8], ad: &[u8], data: &[u8], out: &mut [u8]) -> Result<(), Fault>;
    fn seal_in_place(
        &self,
        nonce: &[u8],
        ad: &[u8],
        buf: &mut [u8],
        data: usize,
    ) -> Result<(), Fault>;
    /// How many bytes are the data, here and below.
    fn open_into(
        &self,
        nonce: &[u8],
        ad: &[u8],
        sealed: &[u8],
        out: &mut [u8],
    ) -> Result<usize, Fault>;
    fn open_in_place(&self, nonce: &[u8], ad: &[u8], buf: &mut [u8]) -> Result<usize, Fault>;
}

/// By the methods of these names that a cipher has already.
macro_rules! keyed {
    ($cipher:ty) => {
        impl Keyed for $cipher {
            fn facts(&self) -> &Facts {
                <$cipher>::facts(self)
            }

            fn sealed_bytes(&self, data_bytes: usize) -> usize {
                <$cipher>::sealed_bytes(self, data_bytes)
            }

            fn opened_bytes(&self, sealed_bytes: usize) -> Option<usize> {
                <$cipher>::opened_bytes(self, sealed_bytes)
            }

            fn seal_into(
                &self,
                n: &[u8],
                ad: &[u8],
                data: &[u8],
                out: &mut [u8],
            ) -> Result<(), Fault> {
                <$cipher>::seal_into(self, n, ad, data, out)?;
                Ok(())
            }

            fn seal_in_place(
                &self,
                n: &[u8],
                ad: &[u8],
                buf: &mut [u8],
                data: usize,
            ) -> Result<(), Fault> {
                <$cipher>::seal_in_place(self, n, ad, buf, data)?;
                Ok(())
            }

            fn open_into(
                &self,
                n: &[u8],
                ad: &[u8],
                sealed: &[u8],
                out: &mut [u8],
            ) -> Result<usize, Fault> {
                Ok(<$cipher>::open_into(self, n, ad, sealed, out)?)
            }

            fn open_in_place(&self, n: &[u8], ad: &[u8], buf: &mut [u8]) -> Result<usize, Fault> {
                Ok(<$cipher>::open_in_place(self, n, ad, buf)?)
            }
        }
    };
}

keyed!(dyn rw::Cipher);
keyed!(rw_gpu::Cipher);

/// A message as a caller gives it: first bytes, and how many.
pub(crate) struct Given {
    pub nonce: (*const u8, usize),
    pub ad: (*const u8, usize),
    /// To be sealed or opened.
    pub data: (*const u8, usize),
    pub out: (*mut u8, usize),
}

impl Given {
    fn out(&self) -> (*const u8, usize) {
        (self.out.0.cast_const(), self.out.1)
    }

    /// Nonce and associated data, if they share nothing with the first `written` bytes of the output.
    ///
    /// # Safety
    ///
    /// As of [`seal`].
    unsafe fn beside<'a>(&self, written: usize) -> Result<(&'a [u8], &'a [u8]), Fault> {
        let out = (self.out().0, written);
        apart("nonce", self.nonce, out)?;
        apart("ad", self.ad, out)?;
        // SAFETY: the caller's promise.
        unsafe {
            Ok((
                input("nonce", self.nonce.0, self.nonce.1)?,
                input("ad", self.ad.0, self.ad.1)?,
            ))
        }
    }
}

/// Ciphertext and tag to the output.
///
/// # Safety
///
/// Every pointer of a message is good for the bytes beside it; that they overlap only as they may is
/// checked.
pub(crate) unsafe fn seal(cipher: &(impl Keyed + ?Sized), m: &Given) -> Result<(), Fault> {
    check("out", m.out.1, cipher.sealed_bytes(m.data.1))?;
    // SAFETY: the caller's promise, here and below.
    let (nonce, ad) = unsafe { m.beside(m.out.1) }?;
    match place(m.data, m.out())? {
        Place::Same => {
            let buf = unsafe { output("out", m.out.0, m.out.1) }?;
            cipher.seal_in_place(nonce, ad, buf, m.data.1)
        }
        Place::Apart => {
            let data = unsafe { input("data", m.data.0, m.data.1) }?;
            let out = unsafe { output("out", m.out.0, m.out.1) }?;
            cipher.seal_into(nonce, ad, data, out)
        }
    }
}

/// The data to the output, if they are authentic; how many bytes they are.
///
/// # Safety
///
/// As of [`seal`].
pub(crate) unsafe fn open(cipher: &(impl Keyed + ?Sized), m: &Given) -> Result<usize, Fault> {
    check("nonce", m.nonce.1, cipher.facts().nonce_bytes)?;
    let Some(want) = cipher.opened_bytes(m.data.1) else {
        // SAFETY: the caller's promise, here and below.
        unsafe { output("out", m.out.0, m.out.1) }?.fill(0);
        return Err(Error::BadTag.into());
    };
    check("out", m.out.1, want)?;
    match place(m.data, m.out())? {
        Place::Same => {
            let bytes = m.data.1; // the tag is overwritten, too
            let (nonce, ad) = unsafe { m.beside(bytes) }?;
            cipher.open_in_place(nonce, ad, unsafe { output("out", m.out.0, bytes) }?)
        }
        Place::Apart => {
            let (nonce, ad) = unsafe { m.beside(m.out.1) }?;
            let sealed = unsafe { input("sealed", m.data.0, m.data.1) }?;
            let out = unsafe { output("out", m.out.0, m.out.1) }?;
            cipher.open_into(nonce, ad, sealed, out)
        }
    }
}
