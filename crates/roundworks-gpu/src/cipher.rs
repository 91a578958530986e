//! A key on a GPU, and what its cipher is.

use std::sync::Arc;

use roundworks::{Facts, Minalpher as Cpu};

use crate::Error;
use crate::batch::Batches;
use crate::driver::Stream;
use crate::error::{Result, check};
use crate::gcm::AesGcm;
use crate::gpu::Gpu;
use crate::long::{self, Long};
use crate::memory::zero;
use crate::minalpher::{self, Minalpher};
use crate::on_device::OnDevice;
use crate::streams::{self, Streams};

const AES_128_GCM: &Facts = &Facts::new("aes-128-gcm", 16, 12, 16, long::MOST_OF_GCM);
const AES_256_GCM: &Facts = &Facts::new("aes-256-gcm", 32, 12, 16, long::MOST_OF_GCM);

/// A cipher with its key.
pub struct Cipher {
    pub(crate) gpu: Arc<Gpu>,
    pub(crate) launches: Launches,
    pub(crate) facts: &'static Facts,
}

pub(crate) enum Launches {
    Minalpher(Minalpher),
    AesGcm(AesGcm),
    Streams(Streams),
}

impl Cipher {
    /// The cipher called `name`: "minalpher", "aes-128-gcm", "aes-256-gcm", "aegis-128l", "rocca-s",
    /// or for study "aether", which is forgeable, and "aether-lb". `None` takes the default size of
    /// tag.
    ///
    /// # Errors
    ///
    /// [`Error::Unavailable`] of another name or size of tag; of the key
    /// [`roundworks::Error::Length`].
    pub fn new(gpu: &Arc<Gpu>, name: &str, key: &[u8], tag_bytes: Option<usize>) -> Result<Self> {
        let facts = facts_of(name, tag_bytes)?;
        check("key", key.len(), facts.key_bytes)?;
        let _here = gpu.here()?;
        let of_streams = streams::ALL.iter().find(|it| it.facts == facts);
        let launches = match (of_streams, key.try_into()) {
            (Some(entries), _) => Launches::Streams(Streams::new(gpu, entries, key)?),
            (_, Ok(key)) if name == Cpu::NAME => Launches::Minalpher(Minalpher::new(gpu, key)),
            _ => Launches::AesGcm(AesGcm::new(gpu, key)?),
        };
        Ok(Self {
            gpu: Arc::clone(gpu),
            launches,
            facts,
        })
    }

    /// Where it is.
    #[must_use]
    pub fn gpu(&self) -> &Arc<Gpu> {
        &self.gpu
    }

    /// Name and sizes.
    #[must_use]
    pub fn facts(&self) -> &'static Facts {
        self.facts
    }

    /// Size of what `data_bytes` of data become, tag included.
    #[must_use]
    pub fn sealed_bytes(&self, data_bytes: usize) -> usize {
        self.out_bytes(data_bytes)
            .saturating_add(self.facts.tag_bytes)
    }

    /// Size of the ciphertext of that many bytes.
    pub(crate) fn out_bytes(&self, data_bytes: usize) -> usize {
        match self.launches {
            Launches::Minalpher(_) => (data_bytes / minalpher::BLOCK)
                .saturating_add(1)
                .saturating_mul(minalpher::BLOCK),
            Launches::AesGcm(_) | Launches::Streams(_) => data_bytes,
        }
    }

    /// Size of the buffer that opening `sealed_bytes` wants; `None` if nothing sealed has that
    /// size. The data may be shorter where a cipher pads.
    #[must_use]
    pub fn opened_bytes(&self, sealed_bytes: usize) -> Option<usize> {
        let bytes = sealed_bytes.checked_sub(self.facts.tag_bytes)?;
        let possible = match self.launches {
            Launches::Minalpher(_) => bytes > 0 && bytes.is_multiple_of(minalpher::BLOCK),
            Launches::AesGcm(_) | Launches::Streams(_) => true,
        };
        possible.then_some(bytes)
    }

    pub(crate) fn seal_at(&self, stream: Stream, nonce: &[u8], at: &OnDevice) -> Result {
        match &self.launches {
            Launches::Minalpher(it) => it.seal(stream, nonce, at),
            Launches::AesGcm(it) => it.seal(stream, nonce, at),
            Launches::Streams(it) => it.seal(stream, nonce, at),
        }
    }

    /// How many bytes of the output are the data; it is zeros where the tag was wrong.
    pub(crate) fn open_at(&self, stream: Stream, nonce: &[u8], at: &OnDevice) -> Result<usize> {
        let opened = match &self.launches {
            Launches::Minalpher(it) => it.open(stream, nonce, at),
            Launches::AesGcm(it) => it.open(stream, nonce, at),
            Launches::Streams(it) => it.open(stream, nonce, at),
        };
        if opened.is_err() {
            zero(&self.gpu, at.out, at.data_bytes, stream)?;
            self.gpu.wait(stream)?;
        }
        opened
    }

    /// Of the ciphers whose kernels take many messages as they are; Minalpher's want them padded.
    pub(crate) fn batches(&self) -> Option<&dyn Batches> {
        match &self.launches {
            Launches::Minalpher(_) => None,
            Launches::AesGcm(it) => Some(it),
            Launches::Streams(it) => Some(it),
        }
    }

    /// What takes a message of that many bytes in increments, if it is that long and the cipher's
    /// kernels do.
    pub(crate) fn long(&self, bytes: usize) -> Option<&dyn Long> {
        match &self.launches {
            _ if bytes <= self.gpu.tuning().increment_bytes => None,
            Launches::Minalpher(it) => Some(it),
            Launches::AesGcm(it) => Some(it),
            Launches::Streams(_) => None,
        }
    }
}

fn all_facts() -> impl Iterator<Item = &'static Facts> {
    let streams = streams::ALL.iter().map(|entries| entries.facts);
    [Cpu::FACTS, AES_128_GCM, AES_256_GCM]
        .into_iter()
        .chain(streams)
}

/// Name of every cipher that runs on a GPU.
#[must_use]
pub fn names() -> Vec<&'static str> {
    let mut names: Vec<_> = all_facts().map(|facts| facts.name).collect();
    names.dedup();
    names
}

/// The families of `kernels/` that the ciphers are made of.
pub(crate) fn families() -> Vec<&'static str> {
    let mut families = vec![Cpu::NAME, "aes", "ghash", "gcm"];
    families.extend(streams::ALL.iter().map(|entries| entries.family));
    families.dedup();
    families
}

fn facts_of(name: &str, tag_bytes: Option<usize>) -> Result<&'static Facts> {
    let named: Vec<_> = all_facts().filter(|facts| facts.name == name).collect();
    if named.is_empty() {
        let names = names().join(", ");
        let line = format!("cipher '{name}': not on a GPU; one of {names}");
        return Err(Error::Unavailable(line));
    }
    let wanted = tag_bytes.unwrap_or(named[0].tag_bytes);
    let of_size = named.iter().find(|facts| facts.tag_bytes == wanted);
    of_size.copied().ok_or_else(|| {
        let sizes = named.iter().map(|facts| facts.tag_bytes.to_string());
        let sizes = Vec::from_iter(sizes).join(" or ");
        Error::Unavailable(format!(
            "tag_bytes: {name} has tags of {sizes} bytes, got {wanted}"
        ))
    })
}
