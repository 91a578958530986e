//! A long message over the bus: while one increment is worked on, the next comes in and the last goes
//! out.
//!
//! A device copies during its work only where host memory is pinned. What is not goes through two
//! buffers each way: the CPU fills one while the device reads the other.

use std::marker::PhantomData;
use std::ops::Range;
use std::slice;
use std::sync::Arc;

use crate::Error;
use crate::buffers::Buffer;
use crate::copies::copy;
use crate::driver::{Address, Handle, Stream, call};
use crate::error::Result;
use crate::gpu::Gpu;
use crate::memory::Memory;

const NO_TIMING: u32 = 2;
/// Behind an increment: what a padded one has more.
const MORE: usize = 32;

/// Where a message is read and where the other is written, both of host memory: they begin at the
/// same byte, or share none.
pub(crate) struct Text<'a> {
    from: *const u8,
    pub bytes: usize,
    to: *mut u8,
    pub out_bytes: usize,
    borrowed: PhantomData<&'a mut [u8]>,
}

impl<'a> Text<'a> {
    pub(crate) fn apart(data: &'a [u8], out: &'a mut [u8]) -> Self {
        Self {
            from: data.as_ptr(),
            bytes: data.len(),
            to: out.as_mut_ptr(),
            out_bytes: out.len(),
            borrowed: PhantomData,
        }
    }

    /// The data are the first of it.
    pub(crate) fn in_place(buf: &'a mut [u8], bytes: usize, out_bytes: usize) -> Self {
        assert!(bytes.max(out_bytes) <= buf.len(), "within the buffer");
        let to = buf.as_mut_ptr();
        Self {
            from: to,
            bytes,
            to,
            out_bytes,
            borrowed: PhantomData,
        }
    }

    pub(crate) fn data(&self) -> &[u8] {
        // SAFETY: a part of what was borrowed, and nobody writes to it while `self` is.
        unsafe { slice::from_raw_parts(self.from, self.bytes) }
    }

    /// What was written, of a message that went through.
    pub(crate) fn written(&self) -> &[u8] {
        // SAFETY: as above.
        unsafe { slice::from_raw_parts(self.to, self.out_bytes) }
    }

    pub(crate) fn out(&mut self) -> &mut [u8] {
        // SAFETY: as above, and nobody else has `self`.
        unsafe { slice::from_raw_parts_mut(self.to, self.out_bytes) }
    }
}

/// What is on the device of a message.
#[derive(Clone, Copy, Debug)]
pub struct Increment {
    /// 0, 1, ..
    pub number: usize,
    /// Whether it is the last.
    pub is_last: bool,
    /// Where it came in.
    pub data: Address,
    /// How much came in.
    pub bytes: usize,
    /// What goes out, as much as an increment of it has.
    pub out: Address,
}

/// How a message is cut: increments of one size, the last of what is left, which may be nothing.
#[derive(Clone, Copy)]
pub(crate) struct Cut {
    pub increment_bytes: usize,
    pub count: usize,
}

impl Cut {
    fn span(&self, number: usize, all: usize) -> Range<usize> {
        let end = match number + 1 == self.count {
            true => all,
            false => self.increment_bytes * (number + 1),
        };
        (self.increment_bytes * number).min(all)..end.min(all)
    }
}

/// Two of each: an increment has come, was worked on, has left; and one for the memory to be there.
struct Marks<'a> {
    gpu: &'a Gpu,
    came: [Handle; 2],
    done: [Handle; 2],
    left: [Handle; 2],
    ready: Handle,
}

impl<'a> Marks<'a> {
    fn new(gpu: &'a Gpu) -> Result<Self> {
        let mut made = Self {
            gpu,
            came: [0; 2],
            done: [0; 2],
            left: [0; 2],
            ready: 0,
        };
        for event in made.all() {
            call!(&gpu.driver, cuEventCreate(event, NO_TIMING))?;
        }
        Ok(made)
    }

    fn all(&mut self) -> impl Iterator<Item = &mut Handle> {
        let pairs = [&mut self.came, &mut self.done, &mut self.left];
        pairs.into_iter().flatten().chain([&mut self.ready])
    }

    fn record(&self, event: Handle, stream: Stream) -> Result {
        call!(&self.gpu.driver, cuEventRecord(event, stream))
    }

    /// What the stream has to do next waits for the event.
    fn hold(&self, stream: Stream, event: Handle) -> Result {
        call!(&self.gpu.driver, cuStreamWaitEvent(stream, event, 0))
    }

    fn reached(&self, event: Handle) -> Result {
        call!(&self.gpu.driver, cuEventSynchronize(event))
    }
}

impl Drop for Marks<'_> {
    fn drop(&mut self) {
        let gpu = self.gpu;
        for event in self.all().filter(|event| **event != 0) {
            let _ = call!(&gpu.driver, cuEventDestroy_v2(*event));
        }
    }
}

impl Gpu {
    /// Copies data in, an increment after the other, and out what `work` made of each, during that work:
    /// at once where both lie in pinned memory, else through buffers. `work` launches kernels of the
    /// GPU's own stream; there are 32 bytes more than an increment's where they read and write.
    ///
    /// # Errors
    ///
    /// [`Error::Argument`] unless `out` is as long as `data` and `increment_bytes` is 1 or more; those
    /// of `work`; [`Error::Memory`], [`Error::Driver`].
    pub fn pipeline(
        self: &Arc<Self>,
        data: &[u8],
        out: &mut [u8],
        increment_bytes: usize,
        work: impl FnMut(&Increment) -> Result,
    ) -> Result {
        if data.len() != out.len() || increment_bytes == 0 {
            let (want, got) = (data.len(), out.len());
            let line = format!("out: want {want} bytes in increments of 1 or more, got {got}");
            return Err(Error::Argument(line));
        }
        let cut = Cut {
            increment_bytes,
            count: data.len().div_ceil(increment_bytes),
        };
        let _here = self.here()?;
        through(self, &Text::apart(data, out), Pass::Writes, cut, work)
    }
}

/// Increment after increment through two sets of memory. `work` starts kernels of the device's own
/// stream that read one, and write one unless the message is only read: `Reads`.
pub(crate) fn through(
    gpu: &Arc<Gpu>,
    text: &Text<'_>,
    pass: Pass,
    cut: Cut,
    work: impl FnMut(&Increment) -> Result,
) -> Result {
    let stream = gpu.stream;
    let set = || Memory::uninit(gpu, cut.increment_bytes + MORE, stream);
    let out_bytes = match pass {
        Pass::Reads => 0,
        Pass::Writes => text.out_bytes,
    };
    let is_pinned = gpu.is_pinned(text.from, text.bytes) && gpu.is_pinned(text.to, out_bytes);
    let most = |bytes: usize| bytes.min(cut.increment_bytes + MORE);
    let (into_bytes, from_bytes) = (most(text.bytes), most(out_bytes));
    let pair = || -> Result<_> { Ok([Buffer::of(gpu, into_bytes)?, Buffer::of(gpu, from_bytes)?]) };
    let staging = match is_pinned {
        true => None,
        false => Some([pair()?, pair()?]),
    };
    let passing = Passing {
        gpu,
        sets: [[set()?, set()?], [set()?, set()?]],
        marks: Marks::new(gpu)?,
        staging,
        text,
        out_bytes,
        cut,
    };
    let ran = passing.run(work);
    // Nothing is copied any more to memory that others may have.
    let waited = [gpu.up, stream, gpu.down].map(|stream| gpu.wait(stream));
    waited.into_iter().fold(ran, Result::and)
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pass {
    Reads,
    Writes,
}

struct Passing<'a> {
    gpu: &'a Gpu,
    /// Where an increment comes in, and what goes out.
    sets: [[Memory; 2]; 2],
    marks: Marks<'a>,
    /// Where an increment comes from, and what leaves goes, unless the text is pinned.
    staging: Option<[[Buffer; 2]; 2]>,
    text: &'a Text<'a>,
    out_bytes: usize,
    cut: Cut,
}

impl Passing<'_> {
    fn run(&self, mut work: impl FnMut(&Increment) -> Result) -> Result {
        let (gpu, marks, count) = (self.gpu, &self.marks, self.cut.count);
        let (stream, up, down) = (gpu.stream, gpu.up, gpu.down);
        marks.record(marks.ready, stream)?;
        marks.hold(up, marks.ready)?;
        marks.hold(down, marks.ready)?;
        for number in 0..count {
            gpu.go_on()?;
            let (k, [into, out]) = (number % 2, &self.sets[number % 2]);
            let (from, to) = self.ends(number)?;
            if number >= 2 {
                // What was in this set has been read, and has left.
                marks.hold(up, marks.done[k])?;
                marks.hold(stream, marks.left[k])?;
            }
            let (bytes, out_bytes) = (self.bytes(number), self.out_span(number).len());
            if bytes > 0 {
                call!(
                    &gpu.driver,
                    cuMemcpyHtoDAsync_v2(into.address, from.cast(), bytes, up)
                )?;
            }
            marks.record(marks.came[k], up)?;
            marks.hold(stream, marks.came[k])?;
            work(&Increment {
                number,
                is_last: number + 1 == count,
                data: into.address,
                bytes,
                out: out.address,
            })?;
            marks.record(marks.done[k], stream)?;
            marks.hold(down, marks.done[k])?;
            if out_bytes > 0 {
                call!(
                    &gpu.driver,
                    cuMemcpyDtoHAsync_v2(to.cast(), out.address, out_bytes, down)
                )?;
            }
            marks.record(marks.left[k], down)?;
        }
        for number in count.saturating_sub(2)..count {
            self.deliver(number)?;
        }
        Ok(())
    }

    fn bytes(&self, number: usize) -> usize {
        self.cut.span(number, self.text.bytes).len()
    }

    fn out_span(&self, number: usize) -> Range<usize> {
        self.cut.span(number, self.out_bytes)
    }

    /// Where the device reads an increment of the host's, and where it writes one.
    fn ends(&self, number: usize) -> Result<(*const u8, *mut u8)> {
        let span = self.cut.span(number, self.text.bytes);
        // SAFETY: both within what was borrowed.
        let (from, to) = unsafe {
            (
                self.text.from.add(span.start),
                self.text.to.add(self.out_span(number).start),
            )
        };
        let Some(staging) = &self.staging else {
            return Ok((from, to));
        };
        if number >= 2 {
            self.deliver(number - 2)?; // and its place of the buffers was read
        }
        let [into, out] = &staging[number % 2];
        // SAFETY: a buffer holds an increment, and is apart from what callers have.
        unsafe { copy_between(from, into.start(), span.len()) };
        Ok((into.start(), out.start()))
    }

    /// What has left the device, to where it belongs.
    fn deliver(&self, number: usize) -> Result {
        let Some(staging) = &self.staging else {
            return Ok(());
        };
        self.marks.reached(self.marks.left[number % 2])?;
        let (span, [_, out]) = (self.out_span(number), &staging[number % 2]);
        // SAFETY: within what was borrowed; the device is done with the buffer.
        unsafe { copy_between(out.start(), self.text.to.add(span.start), span.len()) };
        Ok(())
    }
}

/// # Safety
///
/// There are that many bytes at both, which share none, and nobody else has them.
unsafe fn copy_between(from: *const u8, to: *mut u8, bytes: usize) {
    // SAFETY: the caller's promise.
    let (from, to) = unsafe {
        (
            slice::from_raw_parts(from, bytes),
            slice::from_raw_parts_mut(to, bytes),
        )
    };
    copy(from, to);
}
