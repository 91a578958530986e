//! A key on a GPU: messages in host memory, and messages that are on the device already.

use std::sync::Arc;

use roundworks::Error::BadTag;
use roundworks::{Facts, Minalpher as Cpu};

use crate::Error;
use crate::driver::{Address, Stream};
use crate::error::check;
use crate::gcm::AesGcm;
use crate::gpu::Gpu;
use crate::memory::{Memory, get};
use crate::minalpher::{self, Minalpher};

const AES_128_GCM: Facts = Facts::new("aes-128-gcm", 16, 12, 16, crate::gcm::MOST as u64);
const AES_256_GCM: Facts = Facts::new("aes-256-gcm", 32, 12, 16, crate::gcm::MOST as u64);

/// One message in the device's memory. Addresses are multiples of 16, and memory is there up to a
/// multiple of 16 bytes of AES-GCM, of 32 of Minalpher: what is behind an input's end may be read,
/// and behind the output's end is written.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)] // a place and its bytes
pub struct OnDevice {
    pub ad: Address,
    pub ad_bytes: usize,
    /// What is sealed, or a ciphertext without its tag.
    pub data: Address,
    pub data_bytes: usize,
    /// Where the other goes; of AES-GCM it may be `data`.
    pub out: Address,
    /// 16 bytes.
    pub tag: Address,
}

/// A cipher with its key.
pub struct Cipher {
    pub(crate) gpu: Arc<Gpu>,
    pub(crate) launches: Launches,
    facts: Facts,
}

pub(crate) enum Launches {
    Minalpher(Minalpher),
    AesGcm(AesGcm),
}

impl Cipher {
    /// The cipher called `name`: "minalpher", "aes-128-gcm" or "aes-256-gcm".
    ///
    /// # Errors
    ///
    /// [`Error::Unavailable`] of another name; of the key [`roundworks::Error::Length`].
    pub fn new(gpu: &Arc<Gpu>, name: &str, key: &[u8]) -> Result<Self, Error> {
        let all = [*Cpu::FACTS, AES_128_GCM, AES_256_GCM];
        let Some(facts) = all.into_iter().find(|facts| facts.name == name) else {
            let names = all.map(|facts| facts.name).join(", ");
            let line = format!("cipher '{name}': not on a GPU; one of {names}");
            return Err(Error::Unavailable(line));
        };
        check("key", key.len(), facts.key_bytes)?;
        let _here = gpu.here()?;
        let launches = match key.try_into() {
            Ok(key) if name == Cpu::NAME => Launches::Minalpher(Minalpher::new(gpu, key)),
            _ => Launches::AesGcm(AesGcm::new(gpu, key)?),
        };
        Ok(Self {
            gpu: Arc::clone(gpu),
            launches,
            facts,
        })
    }

    /// Name and sizes.
    #[must_use]
    pub fn facts(&self) -> &Facts {
        &self.facts
    }

    /// Size of what `data_bytes` of data become, tag included.
    #[must_use]
    pub fn sealed_bytes(&self, data_bytes: usize) -> usize {
        self.out_bytes(data_bytes)
            .saturating_add(self.facts.tag_bytes)
    }

    /// Size of the ciphertext of so many bytes.
    fn out_bytes(&self, data_bytes: usize) -> usize {
        match self.launches {
            Launches::Minalpher(_) => (data_bytes / minalpher::BLOCK)
                .saturating_add(1)
                .saturating_mul(minalpher::BLOCK),
            Launches::AesGcm(_) => data_bytes,
        }
    }

    /// Size of the buffer that opening `sealed_bytes` wants; `None` if nothing sealed has that
    /// size. The data may be shorter where a cipher pads.
    #[must_use]
    pub fn opened_bytes(&self, sealed_bytes: usize) -> Option<usize> {
        let bytes = sealed_bytes.checked_sub(self.facts.tag_bytes)?;
        let possible = match self.launches {
            Launches::Minalpher(_) => bytes > 0 && bytes.is_multiple_of(minalpher::BLOCK),
            Launches::AesGcm(_) => true,
        };
        possible.then_some(bytes)
    }

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

    /// Seals a message that is on the device, as work of a stream: it returns at once. Nonces never
    /// serve twice under one key.
    ///
    /// # Errors
    ///
    /// As [`Cipher::sealed`]; [`Error::Argument`] of a place in memory.
    ///
    /// # Safety
    ///
    /// Memory is of the device's primary context, good for its bytes, and with stream and cipher
    /// there until the work is done; the stream is 0 or a `CUstream` of that context.
    pub unsafe fn seal_on_device(
        &self,
        stream: Stream,
        nonce: &[u8],
        at: &OnDevice,
    ) -> Result<(), Error> {
        check("nonce", nonce.len(), self.facts.nonce_bytes)?;
        self.check_places(at, self.out_bytes(at.data_bytes))?;
        let _here = self.gpu.here()?;
        self.seal_at(stream, nonce, at)
    }

    /// Opens a message that is on the device, once the stream's work is done, and returns how many
    /// bytes of `out` are the data.
    ///
    /// # Errors
    ///
    /// [`BadTag`] if it is not authentic; then `out` is zeros. Else as [`Cipher::seal_on_device`].
    ///
    /// # Safety
    ///
    /// As of [`Cipher::seal_on_device`].
    pub unsafe fn open_on_device(
        &self,
        stream: Stream,
        nonce: &[u8],
        at: &OnDevice,
    ) -> Result<usize, Error> {
        check("nonce", nonce.len(), self.facts.nonce_bytes)?;
        self.check_places(at, at.data_bytes)?;
        let _here = self.gpu.here()?;
        self.open_at(stream, nonce, at)
    }

    pub(crate) fn seal_at(&self, stream: Stream, nonce: &[u8], at: &OnDevice) -> Result<(), Error> {
        match &self.launches {
            Launches::Minalpher(it) => it.seal(stream, nonce, at),
            Launches::AesGcm(it) => it.seal(stream, nonce, at),
        }
    }

    fn open_at(&self, stream: Stream, nonce: &[u8], at: &OnDevice) -> Result<usize, Error> {
        match &self.launches {
            Launches::Minalpher(it) => it.open(stream, nonce, at),
            Launches::AesGcm(it) => it.open(stream, nonce, at),
        }
    }

    fn check_places(&self, at: &OnDevice, out_bytes: usize) -> Result<(), Error> {
        let out = ("out", at.out, out_bytes);
        let (ad, data) = (("ad", at.ad, at.ad_bytes), ("data", at.data, at.data_bytes));
        let tag = ("tag", at.tag, self.facts.tag_bytes);
        let in_place = at.data == at.out && matches!(self.launches, Launches::AesGcm(_));
        let data = (!in_place).then_some(data);
        check_places(
            out,
            &[Some(ad), data, Some(tag)].map(|part| part.unwrap_or(out)),
        )
    }
}

/// A name, a place on the device and its bytes.
pub(crate) type Place = (&'static str, Address, usize);

/// Refuses places that are no multiple of 16, and a part that shares a byte with the output.
pub(crate) fn check_places(out: Place, parts: &[Place]) -> Result<(), Error> {
    for part in [&[out], parts].concat() {
        let (what, start, bytes) = part;
        if !start.is_multiple_of(16) {
            return Err(Error::Argument(format!(
                "{what}: want an address that is a multiple of 16, got {start:#x}"
            )));
        }
        let end =
            |(_, start, bytes): Place| start.saturating_add(bytes.next_multiple_of(16) as u64);
        let both = bytes > 0 && out.2 > 0 && start < end(out) && out.1 < end(part);
        if part != out && both {
            let line = format!("{what}: overlaps an output; want no common byte");
            return Err(Error::Argument(line));
        }
    }
    Ok(())
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
