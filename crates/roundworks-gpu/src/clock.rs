//! The device's own clock: events before and after work.

use crate::driver::{Handle, Stream, call};
use crate::error::Result;
use crate::gpu::Gpu;
use crate::pinned::lock;

/// What was launched between two events.
pub(crate) struct Span {
    entry: String,
    begin: Handle,
    end: Handle,
}

impl Gpu {
    /// Nanoseconds that the device takes from the begin of what `work` enqueues on the GPU's own stream
    /// to its end. What the host takes to enqueue it is in there where the device waits for it.
    ///
    /// # Errors
    ///
    /// [`Error::Driver`](crate::Error::Driver), and those of `work`.
    pub fn elapsed_ns(&self, work: impl FnOnce() -> Result) -> Result<f64> {
        let _here = self.here()?;
        let span = self.begin("", self.stream)?;
        let done = work();
        let ended = self.end(&span, self.stream);
        let ns = self.read(span);
        done.and(ended).and(ns)
    }

    /// Nanoseconds of each launch that `work` enqueues, by the name of its entry, in order. Only for
    /// measurements: a GPU has one timeline at a time.
    ///
    /// # Errors
    ///
    /// [`Error::Driver`](crate::Error::Driver), and those of `work`.
    pub fn timeline(&self, work: impl FnOnce() -> Result) -> Result<Vec<(String, f64)>> {
        let _here = self.here()?;
        *lock(&self.spans) = Some(Vec::new());
        let done = work();
        let spans = lock(&self.spans).take().unwrap_or_default();
        let read = spans.into_iter().map(|mut span| {
            let entry = std::mem::take(&mut span.entry);
            self.read(span).map(|ns| (entry, ns))
        });
        let read: Vec<_> = read.collect(); // all of them, so that every event is freed
        done?;
        read.into_iter().collect()
    }

    /// Enqueues a launch, between two events where a timeline is wanted.
    pub(crate) fn spanned(
        &self,
        entry: &str,
        stream: Stream,
        launch: impl FnOnce() -> Result,
    ) -> Result {
        if lock(&self.spans).is_none() {
            return launch();
        }
        let span = self.begin(entry, stream)?;
        let done = launch().and_then(|()| self.end(&span, stream));
        match lock(&self.spans).as_mut() {
            Some(spans) => spans.push(span),
            None => self.free(&span), // it was over meanwhile
        }
        done
    }

    fn begin(&self, entry: &str, stream: Stream) -> Result<Span> {
        let mut span = Span {
            entry: entry.to_owned(),
            begin: 0,
            end: 0,
        };
        let made = call!(&self.driver, cuEventCreate(&mut span.begin, 0))
            .and_then(|()| call!(&self.driver, cuEventCreate(&mut span.end, 0)))
            .and_then(|()| call!(&self.driver, cuEventRecord(span.begin, stream)));
        made.inspect_err(|_| self.free(&span))?;
        Ok(span)
    }

    fn end(&self, span: &Span, stream: Stream) -> Result {
        call!(&self.driver, cuEventRecord(span.end, stream))
    }

    fn read(&self, span: Span) -> Result<f64> {
        let mut ms = 0_f32;
        let waited = call!(&self.driver, cuEventSynchronize(span.end));
        let read = waited.and_then(|()| {
            call!(
                &self.driver,
                cuEventElapsedTime(&mut ms, span.begin, span.end)
            )
        });
        self.free(&span);
        read.map(|()| 1e6 * f64::from(ms))
    }

    fn free(&self, span: &Span) {
        for event in [span.begin, span.end] {
            if event != 0 {
                let _ = call!(&self.driver, cuEventDestroy_v2(event));
            }
        }
    }
}
