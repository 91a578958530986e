//! Host memory that a device copies from and to by itself.

use std::collections::BTreeMap;
use std::ffi::{c_int, c_void};
use std::ops::{Deref, DerefMut};
use std::slice;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::Error;
use crate::buffers::Idle;
use crate::copies::wipe;
use crate::driver::call;
use crate::error::Result;
use crate::gpu::Gpu;
use crate::memory::Memory;

const OUT_OF_MEMORY: c_int = 2;

/// Of a GPU: where memory is pinned, and buffers that wait for the next call, by size.
#[derive(Default)]
pub(crate) struct Host {
    /// From the first byte to how many there are.
    pinned: Mutex<BTreeMap<usize, usize>>,
    pub(crate) idle: Mutex<Vec<Idle>>,
}

/// Pinned memory of a GPU, zeros at first. A long message in it is copied during the work, without
/// a buffer in between. It is wiped when it goes.
pub struct Pinned {
    gpu: Arc<Gpu>,
    start: usize,
    bytes: usize,
}

impl Pinned {
    /// That many bytes.
    ///
    /// # Errors
    ///
    /// [`Error::Memory`], [`Error::Driver`].
    pub fn new(gpu: &Arc<Gpu>, bytes: usize) -> Result<Self> {
        let _here = gpu.here()?;
        let start = gpu.pin(bytes)?;
        Ok(Self {
            gpu: Arc::clone(gpu),
            start,
            bytes,
        })
    }

    /// The first byte, for whoever keeps track of who reads and writes.
    #[must_use]
    pub fn start(&self) -> *mut u8 {
        self.start as *mut u8
    }
}

impl Deref for Pinned {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        // SAFETY: the driver's memory of that size, ours until it is dropped; every call that gave
        // it to the device has waited.
        unsafe { slice::from_raw_parts(self.start as *const u8, self.bytes) }
    }
}

impl DerefMut for Pinned {
    fn deref_mut(&mut self) -> &mut [u8] {
        // SAFETY: as above.
        unsafe { slice::from_raw_parts_mut(self.start as *mut u8, self.bytes) }
    }
}

impl Drop for Pinned {
    // An error has nowhere to go here.
    fn drop(&mut self) {
        let gpu = Arc::clone(&self.gpu);
        let Ok(_here) = gpu.here() else { return };
        let _ = gpu.wait(gpu.stream); // what `copy_in` and `copy_out` began
        wipe(self);
        gpu.unpin(self.start);
    }
}

impl Gpu {
    /// Begins to copy all of some pinned memory in, as work of the GPU's own stream.
    ///
    /// # Errors
    ///
    /// [`Error::Argument`] where there is less memory on the device, [`Error::Driver`].
    ///
    /// # Safety
    ///
    /// Nobody writes to `from`, and `to` stays, until [`Gpu::wait_all`].
    pub unsafe fn copy_in(&self, to: &Memory, from: &Pinned) -> Result {
        self.fits(to, from)?;
        let _here = self.here()?;
        let (to, start) = (to.address, from.start as *const c_void);
        call!(
            &self.driver,
            cuMemcpyHtoDAsync_v2(to, start, from.bytes, self.stream)
        )
    }

    /// Begins to copy out as much as there is pinned memory.
    ///
    /// # Errors
    ///
    /// As of [`Gpu::copy_in`].
    ///
    /// # Safety
    ///
    /// Nobody uses `to`, and `from` stays, until [`Gpu::wait_all`].
    pub unsafe fn copy_out(&self, to: &Pinned, from: &Memory) -> Result {
        self.fits(from, to)?;
        let _here = self.here()?;
        let (start, from) = (to.start as *mut c_void, from.address);
        call!(
            &self.driver,
            cuMemcpyDtoHAsync_v2(start, from, to.bytes, self.stream)
        )
    }

    fn fits(&self, memory: &Memory, pinned: &Pinned) -> Result {
        let (most, got) = (memory.bytes(), pinned.bytes);
        if got <= most {
            return Ok(());
        }
        let line = format!("pinned: want at most the {most} bytes on the device, got {got}");
        Err(Error::Argument(line))
    }
}

impl Gpu {
    /// Whether that many bytes from there on lie in pinned memory of ours.
    pub(crate) fn is_pinned(&self, start: *const u8, bytes: usize) -> bool {
        let pinned = lock(&self.host.pinned);
        let last = pinned.range(..=start as usize).next_back();
        bytes == 0 || last.is_some_and(|(at, size)| start as usize + bytes <= at + size)
    }

    /// Zeros.
    pub(crate) fn pin(&self, bytes: usize) -> Result<usize> {
        let mut start: *mut c_void = std::ptr::null_mut();
        let bytes = bytes.max(1);
        // SAFETY: a place for an address.
        let mut taken = || unsafe { (self.driver.cuMemHostAlloc)(&mut start, bytes, 0) };
        let mut code = taken();
        if code == OUT_OF_MEMORY {
            self.free_idle();
            code = taken();
        }
        if code == OUT_OF_MEMORY {
            let want = bytes.div_ceil(1 << 20);
            return Err(Error::Memory(format!(
                "host: want {want} MiB of pinned memory, there is less; give it less at once"
            )));
        }
        self.driver.checked("cuMemHostAlloc", code)?;
        // SAFETY: the driver's memory of that size, which nobody else has yet.
        wipe(unsafe { slice::from_raw_parts_mut(start.cast(), bytes) });
        lock(&self.host.pinned).insert(start as usize, bytes);
        Ok(start as usize)
    }

    /// Of memory that was wiped, and that no copy is on its way to or from.
    pub(crate) fn unpin(&self, start: usize) {
        lock(&self.host.pinned).remove(&start);
        let _ = call!(&self.driver, cuMemFreeHost(start as *mut c_void));
    }
}

/// What is behind it is whole even if somebody panicked.
pub(crate) fn lock<T>(what: &Mutex<T>) -> MutexGuard<'_, T> {
    what.lock().unwrap_or_else(PoisonError::into_inner)
}
