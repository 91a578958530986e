//! Runs of chunks through several threads, each of which reads one, seals or opens it and writes it.
//!
//! Reading happens in order, one thread at a time. So does writing to a stream. In a file that has
//! no name yet every run goes to its own place at once: there a thread that must wait for another
//! costs more than the turn it waits for.
#![forbid(unsafe_code)]

mod worker;

use std::fs::File;
use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use zeroize::Zeroizing;

use crate::chunk::Chunks;
use crate::error::Kind;
use crate::header::CHUNK_BYTES;
use crate::input::Input;

use worker::Worker;
pub(crate) use worker::write;

/// Chunks of a run. The two buffers of a thread stay in its second-level cache.
const RUN_CHUNKS: usize = 8;
const MOST_THREADS: usize = 8;
/// Most bytes of one write, and what its place in a file is a multiple of. A longer one gets pages
/// of the cache in large blocks, which a virtual machine that gives free blocks back must fetch
/// from its host again: seven times slower than `cp` where that was measured, with 512 KiB on ext4.
const WRITE_BYTES: usize = 128 << 10;
/// How often the caller may stop the work.
const WATCH: Duration = Duration::from_millis(50);
/// How long a stop waits for threads that may wait for a pipe.
const PATIENCE: Duration = Duration::from_millis(500);

#[derive(Clone, Copy)]
pub(crate) enum Direction {
    Seal,
    Open,
}

/// What became of it: bytes written, and the first failure if there was one.
pub(crate) struct Outcome {
    pub(crate) written: u64,
    pub(crate) failed: Option<(Side, Kind)>,
}

/// Which file a failure belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Input,
    Output,
}

struct Shared {
    chunks: Chunks,
    direction: Direction,
    input: Mutex<(Input, u64)>,
    progress: Mutex<Progress>,
    next_turn: Condvar,
    output: Arc<File>,
    /// Where the first chunk goes in a file; `None` for a stream.
    start: Option<u64>,
    /// Leave everything as it is.
    stop: AtomicBool,
    /// Finish the runs that are begun, begin no other.
    failed: AtomicBool,
    read: AtomicU64,
    running: Mutex<usize>,
    ended: Condvar,
}

struct Progress {
    /// Whose turn it is to write to a stream.
    run: u64,
    written: u64,
    /// The failure of the earliest run that failed, and that run.
    failed: Option<(u64, (Side, Kind))>,
}

/// A lock whose holder panicked still guards whole values here.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Takes every chunk from `input` to `output`: to a file from the byte `start` on. `watch` is
/// called now and then with the bytes read, and once at the end; it returns false to stop. At the
/// end of a stream there is nothing left to stop.
pub(crate) fn run(
    chunks: Chunks,
    direction: Direction,
    input: Input,
    output: Arc<File>,
    start: Option<u64>,
    watch: &mut dyn FnMut(u64) -> bool,
) -> Outcome {
    let run_bytes = (RUN_CHUNKS * CHUNK_BYTES) as u64;
    let runs = input
        .bytes
        .map_or(u64::MAX, |bytes| bytes.div_ceil(run_bytes).max(1));
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let threads = (cores.min(MOST_THREADS) as u64).min(runs) as usize;
    let shared = Arc::new(Shared {
        chunks,
        direction,
        input: Mutex::new((input, 0)),
        progress: Mutex::new(Progress {
            run: 0,
            written: 0,
            failed: None,
        }),
        next_turn: Condvar::new(),
        output,
        start,
        stop: AtomicBool::new(false),
        failed: AtomicBool::new(false),
        read: AtomicU64::new(0),
        running: Mutex::new(threads),
        ended: Condvar::new(),
    });
    let spawn = || {
        let shared = Arc::clone(&shared);
        let (chunk_in, chunk_out) = shared.chunk_bytes();
        let (from, to) = (space(chunk_in)?, space(chunk_out)?);
        thread::Builder::new().spawn(move || Worker::new(&shared, from, to).work())
    };
    let workers = match workers(threads, spawn) {
        Ok(workers) => workers,
        Err(error) => {
            return Outcome {
                written: 0,
                failed: Some((Side::Input, Kind::Threads(error))),
            };
        }
    };
    *lock(&shared.running) -= threads - workers.len();
    let halted = wait(&shared, watch);
    if !halted {
        for worker in workers {
            worker
                .join()
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        }
    }
    let (written, failed) = {
        let mut progress = lock(&shared.progress);
        (progress.written, progress.failed.take())
    };
    // Called whatever became of it, so that the caller hears of the last byte.
    let stopped = halted || !watch(shared.read.load(Ordering::Relaxed)) && start.is_some();
    Outcome {
        written,
        failed: match failed {
            Some((_, failure)) if !halted => Some(failure),
            _ => stopped.then_some((Side::Input, Kind::Stopped)),
        },
    }
}

/// Space for a run of such chunks. An error where `vec!` would end the process, and leave a file that
/// has a name meanwhile.
fn space(chunk: usize) -> io::Result<Zeroizing<Vec<u8>>> {
    let mut space = Zeroizing::new(Vec::new());
    space.try_reserve_exact(RUN_CHUNKS * chunk)?;
    Ok(space)
}

/// Up to `most` threads: as many as the system gives, and its error if it gives none.
fn workers<T>(
    most: usize,
    spawn: impl FnMut() -> io::Result<JoinHandle<T>>,
) -> io::Result<Vec<JoinHandle<T>>> {
    let mut workers = Vec::with_capacity(most);
    for worker in std::iter::repeat_with(spawn).take(most) {
        match worker {
            Ok(worker) => workers.push(worker),
            Err(error) if workers.is_empty() => return Err(error),
            Err(_) => break,
        }
    }
    Ok(workers)
}

/// Waits for the threads; true if `watch` made them stop. Then one may still wait for a pipe: it
/// ends at the first byte that gets through, without writing more than that.
fn wait(shared: &Shared, watch: &mut dyn FnMut(u64) -> bool) -> bool {
    let mut running = lock(&shared.running);
    while *running > 0 {
        let waited = shared.ended.wait_timeout(running, WATCH);
        let timeout;
        (running, timeout) = waited.unwrap_or_else(PoisonError::into_inner);
        if timeout.timed_out() && *running > 0 {
            drop(running);
            if !watch(shared.read.load(Ordering::Relaxed)) {
                shared.halt();
                let running = lock(&shared.running);
                let waited = shared
                    .ended
                    .wait_timeout_while(running, PATIENCE, |left| *left > 0);
                drop(waited.unwrap_or_else(PoisonError::into_inner));
                return true;
            }
            running = lock(&shared.running);
        }
    }
    false
}

impl Shared {
    fn halt(&self) {
        self.stop.store(true, Ordering::Relaxed);
        let _progress = lock(&self.progress); // no thread is between its look at `stop` and its sleep
        self.next_turn.notify_all();
    }

    /// Of a whole chunk on either side.
    fn chunk_bytes(&self) -> (usize, usize) {
        let sealed = self.chunks.sealed_bytes();
        match self.direction {
            Direction::Seal => (CHUNK_BYTES, sealed),
            Direction::Open => (sealed, self.chunks.opened_bytes()),
        }
    }

    fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    fn over(&self) -> bool {
        self.stopped() || self.failed.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests;
