//! What each thread of the pipeline does: it takes a run of chunks, seals or opens it, and delivers it.
#![forbid(unsafe_code)]

use std::fs::File;
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::FileExt;
use std::sync::PoisonError;
use std::sync::atomic::Ordering;
use std::thread;

use rustix::event::PollFlags;
use zeroize::Zeroizing;

use super::{Direction, RUN_CHUNKS, Shared, Side, WRITE_BYTES, lock};
use crate::error::Kind;
use crate::input::Input;
use crate::waiting::until_ready;

/// A thread of the pipeline, with its buffers.
pub(super) struct Worker<'a> {
    shared: &'a Shared,
    /// Bytes of a whole chunk on either side.
    chunk_in: usize,
    chunk_out: usize,
    from: Zeroizing<Vec<u8>>,
    to: Zeroizing<Vec<u8>>,
}

impl Drop for Worker<'_> {
    /// Also when it panics, so that nobody waits for it.
    fn drop(&mut self) {
        if thread::panicking() {
            self.shared.halt();
        }
        *lock(&self.shared.running) -= 1;
        self.shared.ended.notify_all();
    }
}

impl<'a> Worker<'a> {
    /// `from` and `to` are what [`space`] gave; here their pages come to be near this thread.
    pub(super) fn new(
        shared: &'a Shared,
        mut from: Zeroizing<Vec<u8>>,
        mut to: Zeroizing<Vec<u8>>,
    ) -> Self {
        let (chunk_in, chunk_out) = shared.chunk_bytes();
        from.resize(RUN_CHUNKS * chunk_in, 0);
        to.resize(RUN_CHUNKS * chunk_out, 0);
        Self {
            shared,
            chunk_in,
            chunk_out,
            from,
            to,
        }
    }

    pub(super) fn work(mut self) {
        while !self.shared.over() {
            let (run, filled) = {
                let mut input = lock(&self.shared.input);
                let run = input.1;
                input.1 += 1;
                (run, self.fill(&mut input.0, run))
            };
            let (first, made) = match filled {
                Ok(None) => return,
                Ok(Some((first, bytes, last))) => (first, self.convert(first, bytes, last)),
                Err(kind) => (0, (0, Some(kind))),
            };
            if !self.deliver(run, first, made) {
                return;
            }
        }
    }

    fn fill(&mut self, input: &mut Input, run: u64) -> Result<Option<(u64, usize, bool)>, Kind> {
        let Some(filled) = input.fill(&mut self.from, self.chunk_in)? else {
            return Ok(None);
        };
        let read = self
            .shared
            .read
            .fetch_add(filled.bytes as u64, Ordering::Relaxed);
        if filled.bytes == 0 && run > 0 {
            return Err(Kind::Changed);
        }
        // Every run before this one had whole chunks.
        Ok(Some((
            read / self.chunk_in as u64,
            filled.bytes,
            filled.last,
        )))
    }

    /// Seals or opens a run whose first chunk is number `first`; bytes made, and what stopped it.
    fn convert(&mut self, first: u64, bytes: usize, last: bool) -> (usize, Option<Kind>) {
        let chunks = &self.shared.chunks;
        let parts = bytes.div_ceil(self.chunk_in).max(1);
        let mut made = 0;
        for part in 0..parts {
            let index = first + part as u64;
            let last = last && part + 1 == parts;
            let end = bytes.min((part + 1) * self.chunk_in);
            let from = &self.from[part * self.chunk_in..end];
            let to = &mut self.to[made..];
            let done = match self.shared.direction {
                Direction::Seal => chunks.seal(index, last, from, to),
                Direction::Open if from.is_empty() => Err(Kind::NoChunk),
                Direction::Open => chunks.open(index, last, from, to),
            };
            match done {
                Ok(bytes) => made += bytes,
                Err(kind) => return (made, Some(kind)),
            }
        }
        (made, None)
    }

    /// Writes a run whose first chunk is number `first`, to a stream after those before it; false when this thread
    /// is to end.
    fn deliver(&self, run: u64, first: u64, (bytes, failed): (usize, Option<Kind>)) -> bool {
        let shared = self.shared;
        if shared.start.is_none() && !self.wait_for_turn(run) {
            return false;
        }
        let place = shared.start.map(|at| at + first * self.chunk_out as u64);
        let (written, wrong) = write(&shared.output, place, &self.to[..bytes], || {
            shared.stopped()
        });
        let wrong = wrong.map(|kind| (Side::Output, kind));
        let failure = wrong.or(failed.map(|kind| (Side::Input, kind)));
        let go_on = failure.is_none();
        let mut progress = lock(&shared.progress);
        progress.written += written as u64;
        progress.run += 1;
        if let Some(failure) = failure {
            // Runs begin in order: each before this one is at work and will still be heard.
            shared.failed.store(true, Ordering::Relaxed);
            if progress
                .failed
                .as_ref()
                .is_none_or(|(other, _)| run < *other)
            {
                progress.failed = Some((run, failure));
            }
        }
        drop(progress);
        if shared.start.is_none() {
            shared.next_turn.notify_all();
        }
        go_on
    }

    /// False if there will be no turn.
    fn wait_for_turn(&self, run: u64) -> bool {
        let progress = lock(&self.shared.progress);
        let waited = self
            .shared
            .next_turn
            .wait_while(progress, |p| p.run != run && !self.shared.over());
        // Free while this thread writes, which a pipe may hold up: the turn is its own until it
        // has written, and a stop must get through.
        drop(waited.unwrap_or_else(PoisonError::into_inner));
        !self.shared.over()
    }
}

/// Like `write_all`, or `write_all_at`, but says how far it came.
pub(crate) fn write(
    mut output: &File,
    place: Option<u64>,
    bytes: &[u8],
    stopped: impl Fn() -> bool,
) -> (usize, Option<Kind>) {
    let mut at = 0;
    while at < bytes.len() {
        let place = place.map(|place| place + at as u64);
        let most = WRITE_BYTES - place.map_or(0, |place| place as usize % WRITE_BYTES);
        let part = &bytes[at..bytes.len().min(at + most)];
        let done = match place {
            Some(place) => output.write_at(part, place),
            None => output.write(part),
        };
        match done {
            Ok(0) => return (at, Some(io::Error::from(ErrorKind::WriteZero).into())),
            Ok(written) => at += written,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) if error.kind() == ErrorKind::WouldBlock => {
                if let Err(error) = until_ready(output, PollFlags::OUT) {
                    return (at, Some(error.into()));
                }
            }
            Err(error) => return (at, Some(error.into())),
        }
        if stopped() && at < bytes.len() {
            return (at, Some(Kind::Stopped));
        }
    }
    (at, None)
}
