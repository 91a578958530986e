//! Where memory of a device comes from: a pool of our own, which keeps what it has for the next call.

use std::ffi::{c_int, c_void};

use crate::Error;
use crate::driver::call;
use crate::error::Result;
use crate::gpu::Gpu;

// Of CUmemPoolProps: memory of a device, which no other process sees.
const PINNED: c_int = 1;
const NOT_SHARED: c_int = 0;
const OF_DEVICE: c_int = 1;
// Of cuMemPoolGetAttribute and cuMemPoolSetAttribute.
const RELEASE_THRESHOLD: c_int = 4;
const RESERVED: c_int = 5;
const USED: c_int = 7;

/// What the driver needs to know of a pool.
#[repr(C)]
pub(crate) struct PoolProps {
    kind: c_int,
    shared: c_int,
    place: c_int,
    device: c_int,
    security: usize,
    most_bytes: usize,
    usage: u16,
    reserved: [u8; 54],
}

impl Gpu {
    /// From now on memory that no message and no cipher has any more is kept for the next call
    /// while we have no more than that many bytes; all of it unless set. What is more goes back to
    /// the driver when a call waits for the device.
    ///
    /// # Errors
    ///
    /// [`Error::Driver`].
    pub fn keep_bytes(&self, bytes: usize) -> Result {
        let _here = self.here()?;
        self.set_threshold(bytes as u64)
    }

    /// Gives back what is kept of the device's memory until we have no more than that many bytes, and
    /// the pinned buffers that messages went through.
    ///
    /// # Errors
    ///
    /// [`Error::Driver`].
    pub fn trim(&self, bytes: usize) -> Result {
        let _here = self.here()?;
        self.wait_all()?;
        self.free_idle();
        call!(&self.driver, cuMemPoolTrimTo(self.pool, bytes))
    }

    /// Bytes of the device's memory that we have, in use or kept.
    ///
    /// # Errors
    ///
    /// [`Error::Driver`].
    pub fn owned_bytes(&self) -> Result<usize> {
        let _here = self.here()?;
        self.of_pool(RESERVED)
    }

    /// Bytes that are kept, and nobody has.
    pub(crate) fn kept_bytes(&self) -> Result<usize> {
        Ok(self.of_pool(RESERVED)?.saturating_sub(self.of_pool(USED)?))
    }

    pub(crate) fn make_pool(&mut self, device: c_int) -> Result {
        let props = PoolProps {
            kind: PINNED,
            shared: NOT_SHARED,
            place: OF_DEVICE,
            device,
            security: 0,
            most_bytes: 0,
            usage: 0,
            reserved: [0; 54],
        };
        let made = call!(&self.driver, cuMemPoolCreate(&mut self.pool, &props));
        made.map_err(|error| {
            let name = self.name().to_string_lossy();
            Error::Unavailable(format!("{name}: no pool of memory: {error}; use the CPU"))
        })?;
        self.set_threshold(u64::MAX)
    }

    /// Once no work of ours is left. Memory that a stream of a caller's has still to let go goes back
    /// when it does.
    pub(crate) fn free_pool(&self) {
        if self.pool != 0 {
            let _ = call!(&self.driver, cuMemPoolDestroy(self.pool));
        }
    }

    fn set_threshold(&self, mut bytes: u64) -> Result {
        let value = (&raw mut bytes).cast::<c_void>();
        call!(
            &self.driver,
            cuMemPoolSetAttribute(self.pool, RELEASE_THRESHOLD, value)
        )
    }

    fn of_pool(&self, which: c_int) -> Result<usize> {
        let mut bytes = 0_u64;
        let value = (&raw mut bytes).cast::<c_void>();
        call!(&self.driver, cuMemPoolGetAttribute(self.pool, which, value))?;
        Ok(bytes as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::PoolProps;

    #[test]
    fn props_are_as_the_driver_has_them() {
        assert_eq!(size_of::<PoolProps>(), 88);
        assert_eq!(std::mem::offset_of!(PoolProps, usage), 32);
    }
}
