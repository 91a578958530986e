//! Pinned memory between a device and host memory that is not pinned: of one call, then of the next.

use std::ops::{Deref, DerefMut};
use std::slice;
use std::sync::Arc;

use crate::copies::{each, wipe};
use crate::error::Result;
use crate::gpu::Gpu;
use crate::pinned::lock;

/// What nobody has is kept up to that many bytes: what messages of a launch want, and what they become.
const KEPT: usize = 1 << 28;
/// Sizes differ by that, so that the next call finds one that fits.
const STEP: usize = 1 << 16;

/// Pinned memory that one call has. It is wiped when it goes, and kept for the next.
pub(crate) struct Buffer {
    gpu: Arc<Gpu>,
    start: usize,
    bytes: usize,
    capacity: usize,
}

/// Where one begins that nobody has, and how much there is.
pub(crate) type Idle = (usize, usize);

impl Buffer {
    /// That many bytes, with anything in them.
    pub(crate) fn of(gpu: &Arc<Gpu>, bytes: usize) -> Result<Self> {
        let wanted = bytes.max(1).next_multiple_of(STEP);
        let (start, capacity) = match gpu.fitting(wanted) {
            Some(found) => found,
            None => (gpu.pin(wanted)?, wanted),
        };
        Ok(Self {
            gpu: Arc::clone(gpu),
            start,
            bytes,
            capacity,
        })
    }

    /// The first byte, for copies that go on after a call.
    pub(crate) fn start(&self) -> *mut u8 {
        self.start as *mut u8
    }
}

impl Deref for Buffer {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        // SAFETY: the driver's memory of at least that size, which nobody else has; calls that gave
        // it to the device have waited.
        unsafe { slice::from_raw_parts(self.start as *const u8, self.bytes) }
    }
}

impl DerefMut for Buffer {
    fn deref_mut(&mut self) -> &mut [u8] {
        // SAFETY: as above.
        unsafe { slice::from_raw_parts_mut(self.start as *mut u8, self.bytes) }
    }
}

impl Drop for Buffer {
    // An error has nowhere to go here.
    fn drop(&mut self) {
        wipe(self);
        let mut idle = lock(&self.gpu.host.idle);
        idle.push((self.start, self.capacity));
        idle.sort_by_key(|(_, bytes)| *bytes);
        let mut all: usize = idle.iter().map(|(_, bytes)| bytes).sum();
        while all > KEPT {
            let (start, bytes) = idle.pop().expect("there are some bytes");
            all -= bytes;
            if let Ok(_here) = self.gpu.here() {
                self.gpu.unpin(start);
            }
        }
    }
}

/// Parts one after another, each of its size; behind a part `end`, as much as there is space for, and zeros.
pub(crate) fn gathered(
    gpu: &Arc<Gpu>,
    parts: &[&[u8]],
    sizes: impl Iterator<Item = usize> + Clone,
    end: &[u8],
) -> Result<Buffer> {
    let bytes = sizes.clone().sum();
    let mut all = Buffer::of(gpu, bytes)?;
    let mut rest = &mut all[..];
    let mut places = Vec::with_capacity(parts.len());
    for (part, size) in parts.iter().zip(sizes) {
        let (place, behind) = rest.split_at_mut(size);
        places.push((*part, place));
        rest = behind;
    }
    each(&mut places, bytes, |_, (part, place)| {
        let (text, more) = place.split_at_mut(part.len());
        text.copy_from_slice(part);
        let (marked, zeros) = more.split_at_mut(end.len().min(more.len()));
        marked.copy_from_slice(&end[..marked.len()]);
        zeros.fill(0);
    });
    Ok(all)
}

impl Gpu {
    /// The smallest that nobody has; one that is much larger stays for others.
    fn fitting(&self, bytes: usize) -> Option<Idle> {
        let mut idle = lock(&self.host.idle);
        let fits = |(_, capacity): &Idle| (bytes..=4 * bytes).contains(capacity);
        let number = idle.iter().position(fits)?;
        Some(idle.remove(number))
    }

    /// Gives back what nobody has.
    pub(crate) fn free_idle(&self) {
        for (start, _) in lock(&self.host.idle).drain(..) {
            self.unpin(start);
        }
    }
}
