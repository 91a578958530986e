//! One message of host memory.

use std::sync::Arc;

use roundworks::Error::BadTag;

use crate::Error;
use crate::cipher::Cipher;
use crate::error::check;
use crate::gpu::Gpu;
use crate::memory::{Memory, get};
use crate::on_device::OnDevice;

impl Cipher {
    /// Seals a message of host memory. Nonces never serve twice under one key.
    ///
    /// # Errors
    ///
    /// Sizes, as on the CPU; [`Error::Memory`], [`Error::Driver`].
    pub fn sealed(&self, nonce: &[u8], ad: &[u8], data: &[u8]) -> Result<Sealed, Error> {
        check("nonce", nonce.len(), self.facts.nonce_bytes)?;
        let (gpu, stream, bytes) = (&self.gpu, self.gpu.stream, self.out_bytes(data.len()));
        let _here = gpu.here()?;
        let (held_ad, held) = (
            Memory::put(gpu, ad, stream)?,
            Memory::put(gpu, data, stream)?,
        );
        let out = Memory::room(gpu, bytes, stream)?;
        let tag = Memory::room(gpu, self.facts.tag_bytes, stream)?;
        let at = OnDevice {
            ad: held_ad.address,
            ad_bytes: ad.len(),
            data: held.address,
            data_bytes: data.len(),
            out: out.address,
            tag: tag.address,
        };
        self.seal_at(stream, nonce, &at)?;
        gpu.wait(stream)?;
        let gpu = Arc::clone(gpu);
        Ok(Sealed {
            gpu,
            bytes,
            tag_bytes: self.facts.tag_bytes,
            out,
            tag,
        })
    }

    /// Opens ciphertext and tag of host memory.
    ///
    /// # Errors
    ///
    /// [`BadTag`] if they are not authentic; else as [`Cipher::sealed`].
    pub fn opened(&self, nonce: &[u8], ad: &[u8], sealed: &[u8]) -> Result<Opened, Error> {
        check("nonce", nonce.len(), self.facts.nonce_bytes)?;
        let bytes = self.opened_bytes(sealed.len()).ok_or(BadTag)?;
        let (gpu, stream) = (&self.gpu, self.gpu.stream);
        let _here = gpu.here()?;
        let (data, tag) = sealed.split_at(bytes);
        let (held_ad, held, tag) = (
            Memory::put(gpu, ad, stream)?,
            Memory::put(gpu, data, stream)?,
            Memory::put(gpu, tag, stream)?,
        );
        let out = Memory::zeros(gpu, bytes, stream)?;
        let at = OnDevice {
            ad: held_ad.address,
            ad_bytes: ad.len(),
            data: held.address,
            data_bytes: bytes,
            out: out.address,
            tag: tag.address,
        };
        let data_bytes = self.open_at(stream, nonce, &at)?;
        let gpu = Arc::clone(gpu);
        Ok(Opened {
            gpu,
            bytes,
            data_bytes,
            out,
        })
    }
}

/// A sealed message, still on the device; wiped when it goes.
pub struct Sealed {
    gpu: Arc<Gpu>,
    bytes: usize,
    tag_bytes: usize,
    out: Memory,
    tag: Memory,
}

impl Sealed {
    /// Ciphertext and tag.
    ///
    /// # Errors
    ///
    /// [`roundworks::Error::Length`] of `out`; [`Error::Driver`].
    pub fn copy_to(&self, out: &mut [u8]) -> Result<(), Error> {
        check("out", out.len(), self.bytes + self.tag_bytes)?;
        let _here = self.gpu.here()?;
        let (ciphertext, tag) = out.split_at_mut(self.bytes);
        get(&self.gpu, self.out.address, ciphertext, self.gpu.stream)?;
        get(&self.gpu, self.tag.address, tag, self.gpu.stream)
    }
}

/// The data of a message that was found authentic, still on the device; wiped when it goes.
pub struct Opened {
    gpu: Arc<Gpu>,
    bytes: usize,
    data_bytes: usize,
    out: Memory,
}

impl Opened {
    /// The data, zeros behind them, and how many bytes they are.
    ///
    /// # Errors
    ///
    /// As [`Sealed::copy_to`], with [`Cipher::opened_bytes`].
    pub fn copy_to(&self, out: &mut [u8]) -> Result<usize, Error> {
        check("out", out.len(), self.bytes)?;
        let _here = self.gpu.here()?;
        let (data, behind) = out.split_at_mut(self.data_bytes);
        get(&self.gpu, self.out.address, data, self.gpu.stream)?;
        behind.fill(0);
        Ok(self.data_bytes)
    }
}
