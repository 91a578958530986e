//! Memory of a device, wiped when nobody has it any more.

use std::ffi::c_int;
use std::sync::Arc;

use crate::Error;
use crate::driver::{Address, Stream, call};
use crate::gpu::Gpu;
use crate::kernels::Arg;

const OUT_OF_MEMORY: c_int = 2;
const ALIGNED: usize = 256;

/// A piece of memory, from our pool. Keys, tweaks and messages lie in it, so it is
/// wiped, behind the work that its stream has then, and goes back.
pub(crate) struct Memory {
    gpu: Arc<Gpu>,
    pub(crate) address: Address,
    bytes: usize,
    stream: Stream,
}

impl Memory {
    /// With anything in it; for work of that stream.
    pub(crate) fn room(gpu: &Arc<Gpu>, bytes: usize, stream: Stream) -> Result<Self, Error> {
        let bytes = bytes.max(1).next_multiple_of(ALIGNED);
        let mut address = 0;
        // SAFETY: a place for an address.
        let code =
            unsafe { (gpu.driver.cuMemAllocFromPoolAsync)(&mut address, bytes, gpu.pool, stream) };
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

    pub(crate) fn zeros(gpu: &Arc<Gpu>, bytes: usize, stream: Stream) -> Result<Self, Error> {
        let made = Self::room(gpu, bytes, stream)?;
        zero(gpu, made.address, made.bytes, stream)?;
        Ok(made)
    }

    /// A copy of data, for work of that stream; behind it may be anything.
    ///
    /// It comes in on a stream of its own and is there when this returns, so the data may go, and
    /// what the other stream has to do before is not waited for.
    pub(crate) fn put(gpu: &Arc<Gpu>, data: &[u8], stream: Stream) -> Result<Self, Error> {
        let mut made = Self::room(gpu, data.len(), gpu.up)?;
        let copied = call!(
            &gpu.driver,
            cuMemcpyHtoDAsync_v2(made.address, data.as_ptr().cast(), data.len(), gpu.up)
        );
        gpu.wait(gpu.up)?;
        made.stream = stream;
        copied.map(|()| made)
    }

    pub(crate) fn arg(&self) -> Arg<'static> {
        Arg::Word(self.address)
    }
}

impl Drop for Memory {
    // Nobody can be told of an error here.
    fn drop(&mut self) {
        let Ok(_here) = self.gpu.here() else { return };
        let _ = zero(&self.gpu, self.address, self.bytes, self.stream);
        let _ = call!(&self.gpu.driver, cuMemFreeAsync(self.address, self.stream));
    }
}

/// Copies out, once the stream's work is done.
pub(crate) fn get(gpu: &Gpu, from: Address, to: &mut [u8], stream: Stream) -> Result<(), Error> {
    let copied = call!(
        &gpu.driver,
        cuMemcpyDtoHAsync_v2(to.as_mut_ptr().cast(), from, to.len(), stream)
    );
    gpu.wait(stream)?;
    copied
}

/// Copies within the device's memory.
pub(crate) fn copy(
    gpu: &Gpu,
    to: Address,
    from: Address,
    bytes: usize,
    stream: Stream,
) -> Result<(), Error> {
    call!(&gpu.driver, cuMemcpyDtoDAsync_v2(to, from, bytes, stream))
}

pub(crate) fn zero(gpu: &Gpu, at: Address, bytes: usize, stream: Stream) -> Result<(), Error> {
    if bytes == 0 {
        return Ok(());
    }
    call!(&gpu.driver, cuMemsetD8Async(at, 0, bytes, stream))
}
