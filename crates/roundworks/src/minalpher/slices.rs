//! The methods of `Cipher`: slices in, sizes checked, then the typed ones.
#![forbid(unsafe_code)]

#[cfg(feature = "alloc")]
use alloc::boxed::Box;

use super::Minalpher;
use super::lanes::BLOCK;
use crate::backend::Backend;
#[cfg(feature = "alloc")]
use crate::boxed::boxed;
use crate::cipher::{Cipher, Error, Facts, check};
#[cfg(feature = "alloc")]
use crate::cipher::{Opening, Sealing};
use crate::keyed::sized;
use crate::registry::Listed;
#[cfg(feature = "alloc")]
use crate::registry::NewMac;
use crate::tag::Tag;

impl Listed for Minalpher {
    const FACTS: &'static Facts = Self::FACTS;
    #[cfg(feature = "alloc")]
    const MAC: Option<NewMac> = Some((0, |key, _, backend| {
        let cipher = <Self as Listed>::keyed(key, backend)?;
        Ok(boxed(|| cipher.mac_incremental()))
    }));

    fn keyed(key: &[u8], backend: Option<Backend>) -> Result<Self, Error> {
        let key = crate::registry::key(key)?;
        match backend {
            None => Ok(Self::new(key)),
            Some(backend) => Ok(Self::with_backend(key, backend)?),
        }
    }
}

impl Cipher for Minalpher {
    fn facts(&self) -> &'static Facts {
        Self::FACTS
    }

    fn backend_name(&self) -> &'static str {
        self.backend().name()
    }

    fn sealed_bytes(&self, data_bytes: usize) -> usize {
        Self::sealed_bytes(data_bytes)
    }

    fn opened_bytes(&self, sealed_bytes: usize) -> Option<usize> {
        let ciphertext = sealed_bytes.checked_sub(Self::TAG_BYTES)?;
        (ciphertext > 0 && ciphertext.is_multiple_of(BLOCK)).then_some(ciphertext)
    }

    fn seal_into(
        &self,
        nonce: &[u8],
        ad: &[u8],
        data: &[u8],
        out: &mut [u8],
    ) -> Result<usize, Error> {
        self.encrypt_into(sized("nonce", nonce)?, ad, data, out)?;
        Ok(out.len())
    }

    fn open_into(
        &self,
        nonce: &[u8],
        ad: &[u8],
        sealed: &[u8],
        out: &mut [u8],
    ) -> Result<usize, Error> {
        self.decrypt_into(sized("nonce", nonce)?, ad, sealed, out)
    }

    fn seal_in_place(
        &self,
        nonce: &[u8],
        ad: &[u8],
        buf: &mut [u8],
        data_bytes: usize,
    ) -> Result<usize, Error> {
        let nonce = sized("nonce", nonce)?;
        check("buf", buf.len(), Self::sealed_bytes(data_bytes))?;
        let (data, tag) = buf.split_at_mut(Self::ciphertext_bytes(data_bytes));
        let made = self.encrypt_in_place(nonce, ad, data, data_bytes)?;
        tag.copy_from_slice(made.as_bytes());
        Ok(buf.len())
    }

    fn open_in_place(&self, nonce: &[u8], ad: &[u8], buf: &mut [u8]) -> Result<usize, Error> {
        let nonce = sized("nonce", nonce)?;
        let Some((ciphertext, tag)) = buf.split_last_chunk_mut() else {
            buf.fill(0);
            return Err(Error::BadTag);
        };
        Ok(self.decrypt_in_place(nonce, ad, ciphertext, &Tag::from(*tag))?)
    }

    #[cfg(feature = "alloc")]
    fn sealing(&self, nonce: &[u8]) -> Result<Box<dyn Sealing>, Error> {
        let nonce = sized("nonce", nonce)?;
        Ok(boxed(|| self.encryptor(nonce)))
    }

    #[cfg(feature = "alloc")]
    fn opening<'a>(&self, nonce: &[u8], out: &'a mut [u8]) -> Result<Box<dyn Opening + 'a>, Error> {
        let nonce = sized("nonce", nonce)?;
        Ok(boxed(|| self.decryptor(nonce, out)))
    }
}
