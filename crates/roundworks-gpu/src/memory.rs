//! Memory of a device, wiped when nobody has it any more.

use std::ffi::c_int;
use std::sync::Arc;

use crate::Error;
use crate::buffers::Buffer;
use crate::copies;
use crate::driver::{Address, Stream, call};
use crate::error::Result;
use crate::gpu::Gpu;

const OUT_OF_MEMORY: c_int = 2;
const ALIGNED: usize = 256;
/// Of a long copy.
const PART: usize = 1 << 24;

/// Memory of a device, from a pool. Keys, tweaks and messages lie in it, so it is wiped when it goes,
/// behind the work that its stream has then.
pub struct Memory {
    gpu: Arc<Gpu>,
    pub(crate) address: Address,
    bytes: usize,
    stream: Stream,
}

impl Gpu {
    /// Zeros, for work of the GPU's own stream.
    ///
    /// # Errors
    ///
    /// [`Error::Memory`], [`Error::Driver`].
    pub fn zeros(self: &Arc<Self>, bytes: usize) -> Result<Memory> {
        let _here = self.here()?;
        Memory::zeros(self, bytes, self.stream)
    }

    /// A copy of data, for work of the GPU's own stream.
    ///
    /// # Errors
    ///
    /// As of [`Gpu::zeros`].
    pub fn put(self: &Arc<Self>, data: &[u8]) -> Result<Memory> {
        let _here = self.here()?;
        Memory::put(self, data, self.stream)
    }
}

impl Memory {
    /// Where it is on the device: a multiple of 256.
    #[must_use]
    pub fn address(&self) -> Address {
        self.address
    }

    /// How much there is, a multiple of 256.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Copies the first bytes out, once the work of its stream is done.
    ///
    /// # Errors
    ///
    /// [`Error::Argument`] of more than there are, [`Error::Driver`].
    pub fn read(&self, to: &mut [u8]) -> Result {
        let (most, got) = (self.bytes, to.len());
        if got > most {
            let line = format!("memory: want at most {most} bytes, got {got}");
            return Err(Error::Argument(line));
        }
        let _here = self.gpu.here()?;
        get(&self.gpu, self.address, to, self.stream)
    }

    /// With anything in it; for work of that stream.
    pub(crate) fn uninit(gpu: &Arc<Gpu>, bytes: usize, stream: Stream) -> Result<Self> {
        let bytes = bytes.max(1).next_multiple_of(ALIGNED);
        let mut address = 0;
        let mut taken = || {
            // SAFETY: a place for an address.
            unsafe { (gpu.driver.cuMemAllocFromPoolAsync)(&mut address, bytes, gpu.pool, stream) }
        };
        let mut code = taken();
        if code == OUT_OF_MEMORY {
            gpu.trim(0)?; // what is kept has another size, or work before it is not done
            code = taken();
        }
        if code == OUT_OF_MEMORY {
            let mib = |bytes: usize| (bytes as f64 / f64::from(1 << 20)).round();
            let (name, want, free) = (gpu.name().to_string_lossy(), mib(bytes), gpu.free_bytes()?);
            return Err(Error::Memory(format!(
                "{name}: want {want} MiB of memory, {} MiB are free; give it less at once",
                mib(free)
            )));
        }
        gpu.driver.checked("cuMemAllocFromPoolAsync", code)?;
        Ok(Self {
            gpu: Arc::clone(gpu),
            address,
            bytes,
            stream,
        })
    }

    pub(crate) fn zeros(gpu: &Arc<Gpu>, bytes: usize, stream: Stream) -> Result<Self> {
        let made = Self::uninit(gpu, bytes, stream)?;
        zero(gpu, made.address, made.bytes, stream)?;
        Ok(made)
    }

    /// A copy of data, for work of that stream; behind it may be anything.
    ///
    /// It comes in on a stream of its own and is there when this returns, so the data may go, and
    /// what the other stream has to do before is not waited for.
    pub(crate) fn put(gpu: &Arc<Gpu>, data: &[u8], stream: Stream) -> Result<Self> {
        let mut made = Self::uninit(gpu, data.len(), gpu.up)?;
        let mut buffer = through_buffer(gpu, data)?;
        for (number, part) in data.chunks(PART).enumerate() {
            let from = match &mut buffer {
                Some(buffer) => {
                    copies::copy(part, buffer);
                    buffer.start()
                }
                None => part.as_ptr(),
            };
            let to = made.address + (PART * number) as u64;
            let copied = call!(
                &gpu.driver,
                cuMemcpyHtoDAsync_v2(to, from.cast(), part.len(), gpu.up)
            );
            gpu.wait(gpu.up)?;
            copied?;
        }
        gpu.wait(gpu.up)?; // for the memory, if there is nothing to copy
        made.stream = stream;
        Ok(made)
    }
}

impl Drop for Memory {
    // An error has nowhere to go here.
    fn drop(&mut self) {
        let Ok(_here) = self.gpu.here() else { return };
        let _ = zero(&self.gpu, self.address, self.bytes, self.stream);
        let _ = call!(&self.gpu.driver, cuMemFreeAsync(self.address, self.stream));
    }
}

/// Copies out, once the stream's work is done.
pub(crate) fn get(gpu: &Arc<Gpu>, from: Address, to: &mut [u8], stream: Stream) -> Result {
    let buffer = through_buffer(gpu, to)?;
    for (number, part) in to.chunks_mut(PART).enumerate() {
        let there = buffer.as_ref().map_or(part.as_mut_ptr(), Buffer::start);
        let from = from + (PART * number) as u64;
        let copied = call!(
            &gpu.driver,
            cuMemcpyDtoHAsync_v2(there.cast(), from, part.len(), stream)
        );
        gpu.wait(stream)?;
        copied?;
        if let Some(buffer) = &buffer {
            copies::copy(&buffer[..part.len()], part);
        }
    }
    gpu.wait(stream)
}

/// For memory that is not pinned, and long enough that several threads and a buffer are faster than
/// the driver, which takes it to one of its own.
fn through_buffer(gpu: &Arc<Gpu>, memory: &[u8]) -> Result<Option<Buffer>> {
    if memory.len() < copies::LONG || gpu.is_pinned(memory.as_ptr(), memory.len()) {
        return Ok(None);
    }
    Buffer::of(gpu, memory.len().min(PART)).map(Some)
}

/// Copies within the device's memory.
pub(crate) fn copy(gpu: &Gpu, to: Address, from: Address, bytes: usize, stream: Stream) -> Result {
    call!(&gpu.driver, cuMemcpyDtoDAsync_v2(to, from, bytes, stream))
}

pub(crate) fn zero(gpu: &Gpu, at: Address, bytes: usize, stream: Stream) -> Result {
    if bytes == 0 {
        return Ok(());
    }
    call!(&gpu.driver, cuMemsetD8Async(at, 0, bytes, stream))
}
