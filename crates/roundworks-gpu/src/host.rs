//! One message of host memory: at once, or a long one in increments.

use std::sync::Arc;

use roundworks::Error::BadTag;

use crate::Error;
use crate::batch::MOST;
use crate::cipher::{Cipher, Launches};
use crate::error::{Result, at_most, check};
use crate::gcm;
use crate::gpu::Gpu;
use crate::increments::Text;
use crate::memory::{Memory, get};
use crate::on_device::OnDevice;

impl Cipher {
    /// Writes ciphertext and tag of `data` to `out`, and returns their size. Nonces never serve twice
    /// under one key. Of Minalpher and AES-GCM what is longer than
    /// [`Tuning::increment_bytes`](crate::Tuning) goes in increments, copied during the work.
    ///
    /// # Errors
    ///
    /// Sizes, as on the CPU; then nothing was written. [`Error::Memory`], [`Error::Driver`].
    pub fn seal_into(&self, nonce: &[u8], ad: &[u8], data: &[u8], out: &mut [u8]) -> Result<usize> {
        check("out", out.len(), self.sealed_bytes(data.len()))?;
        let (text, tag) = out.split_at_mut(self.out_bytes(data.len()));
        tag.copy_from_slice(&self.seal_text(nonce, ad, Text::apart(data, text))?);
        Ok(out.len())
    }

    /// As [`Cipher::seal_into`], with the data in the first bytes of `buf`, which is as long as what
    /// it becomes.
    ///
    /// # Errors
    ///
    /// As [`Cipher::seal_into`].
    pub fn seal_in_place(
        &self,
        nonce: &[u8],
        ad: &[u8],
        buf: &mut [u8],
        data_bytes: usize,
    ) -> Result<usize> {
        check("buf", buf.len(), self.sealed_bytes(data_bytes))?;
        let (text, tag) = buf.split_at_mut(self.out_bytes(data_bytes));
        let text_bytes = text.len();
        let text = Text::in_place(text, data_bytes, text_bytes);
        tag.copy_from_slice(&self.seal_text(nonce, ad, text)?);
        Ok(buf.len())
    }

    /// Writes the data in `sealed` to `out`, zeros behind them, and returns their size.
    ///
    /// # Errors
    ///
    /// [`BadTag`] if it is not authentic; sizes, as of [`Cipher::opened_bytes`]. But for those, `out`
    /// is zeros then. Else as [`Cipher::seal_into`].
    pub fn open_into(
        &self,
        nonce: &[u8],
        ad: &[u8],
        sealed: &[u8],
        out: &mut [u8],
    ) -> Result<usize> {
        check("nonce", nonce.len(), self.facts.nonce_bytes)?;
        let Some(bytes) = self.opened_bytes(sealed.len()) else {
            out.fill(0);
            return Err(BadTag.into());
        };
        check("out", out.len(), bytes)?;
        let (data, tag) = sealed.split_at(bytes);
        self.open_text(nonce, ad, Text::apart(data, out), tag)
    }

    /// As [`Cipher::open_into`], with the result in the first bytes of `buf`; those behind it are no
    /// longer of use.
    ///
    /// # Errors
    ///
    /// As [`Cipher::open_into`].
    pub fn open_in_place(&self, nonce: &[u8], ad: &[u8], buf: &mut [u8]) -> Result<usize> {
        check("nonce", nonce.len(), self.facts.nonce_bytes)?;
        let Some(bytes) = self.opened_bytes(buf.len()) else {
            buf.fill(0);
            return Err(BadTag.into());
        };
        let (text, tag) = buf.split_at_mut(bytes);
        self.open_text(nonce, ad, Text::in_place(text, bytes, bytes), tag)
    }

    fn seal_text(&self, nonce: &[u8], ad: &[u8], mut text: Text<'_>) -> Result<Vec<u8>> {
        check("nonce", nonce.len(), self.facts.nonce_bytes)?;
        let (gpu, stream) = (&self.gpu, self.gpu.stream);
        let _here = gpu.here()?;
        if let Some(long) = self.long(text.bytes) {
            return Ok(long.seal_long(nonce, ad, &text)?.to_vec());
        }
        self.check_at_once(text.bytes, ad.len())?;
        let out = Memory::uninit(gpu, text.out_bytes, stream)?;
        let tag = Memory::uninit(gpu, self.facts.tag_bytes, stream)?;
        let (at, _inputs) = on_device(gpu, ad, &text, &out, &tag)?;
        self.seal_at(stream, nonce, &at)?;
        let mut made = vec![0; self.facts.tag_bytes];
        get(gpu, out.address, text.out(), stream)?;
        get(gpu, tag.address, &mut made, stream)?;
        Ok(made)
    }

    fn open_text(&self, nonce: &[u8], ad: &[u8], mut text: Text<'_>, tag: &[u8]) -> Result<usize> {
        let opened = self.opened(nonce, ad, &mut text, tag);
        match &opened {
            Ok(bytes) => text.out()[*bytes..].fill(0),
            Err(Error::Cipher(error)) if *error != BadTag => {} // of a size
            Err(_) => text.out().fill(0),
        }
        opened
    }

    fn opened(&self, nonce: &[u8], ad: &[u8], text: &mut Text<'_>, tag: &[u8]) -> Result<usize> {
        let (gpu, stream) = (&self.gpu, self.gpu.stream);
        let _here = gpu.here()?;
        if let Some(long) = self.long(text.bytes) {
            let tag = tag
                .try_into()
                .expect("16 bytes, of the ciphers that have it");
            return long.open_long(nonce, ad, text, tag);
        }
        self.check_at_once(text.bytes, ad.len())?;
        let tag = Memory::put(gpu, tag, stream)?;
        let out = Memory::zeros(gpu, text.bytes, stream)?;
        let (at, _inputs) = on_device(gpu, ad, text, &out, &tag)?;
        let bytes = self.open_at(stream, nonce, &at)?;
        get(gpu, out.address, text.out(), stream)?;
        Ok(bytes)
    }

    /// Before anything is copied.
    fn check_at_once(&self, data_bytes: usize, ad_bytes: usize) -> Result {
        let most = match self.launches {
            Launches::Minalpher(_) => usize::MAX,
            Launches::AesGcm(_) => gcm::MOST,
            Launches::Streams(_) => MOST,
        };
        at_most("data", data_bytes, most)?;
        at_most("ad", ad_bytes, most)
    }
}

/// Copies a message to the device; its places, and the memory that its inputs are in.
fn on_device(
    gpu: &Arc<Gpu>,
    ad: &[u8],
    text: &Text<'_>,
    out: &Memory,
    tag: &Memory,
) -> Result<(OnDevice, [Memory; 2])> {
    let inputs = [
        Memory::put(gpu, ad, gpu.stream)?,
        Memory::put(gpu, text.data(), gpu.stream)?,
    ];
    let at = OnDevice {
        ad: inputs[0].address,
        ad_bytes: ad.len(),
        data: inputs[1].address,
        data_bytes: text.bytes,
        out: out.address,
        tag: tag.address,
    };
    Ok((at, inputs))
}
