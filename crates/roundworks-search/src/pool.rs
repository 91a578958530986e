//! Threads that take jobs from a shared list, and one that gathers, reports and may cancel.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// Time between two looks at a running search.
const TICK: Duration = Duration::from_millis(100);

/// How far a search has come, or came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Structures decided.
    pub searched: u64,
    /// Structures in all.
    pub candidates: u64,
    /// Structures found so far.
    pub found: u64,
    /// Time since this call began.
    pub elapsed: Duration,
}

impl Progress {
    /// Of a search that begins.
    pub(crate) fn of(candidates: u64) -> Self {
        let (searched, found, elapsed) = (0, 0, Duration::ZERO);
        Self {
            searched,
            candidates,
            found,
            elapsed,
        }
    }
}

/// What the thread that gathers does.
pub(crate) trait Gather<T> {
    /// Take the result of a job.
    fn take(&mut self, job: usize, result: T);
    /// Called about ten times a second; `Break` ends the run.
    fn tick(&mut self) -> ControlFlow<()>;
}

/// `threads`, or as many as the machine offers.
pub(crate) fn threads_or_all(threads: Option<NonZeroUsize>) -> usize {
    threads
        .or_else(|| thread::available_parallelism().ok())
        .map_or(1, NonZeroUsize::get)
}

/// Run `jobs` on `threads` threads, each with a worker of its own.
///
/// A worker returns `None` for a job it abandoned because `cancel` was set. Jobs that are
/// finished when the run ends early are still gathered. Returns whether all jobs were.
pub(crate) fn run<T: Send, W: FnMut(usize) -> Option<T>>(
    threads: usize,
    jobs: &[usize],
    cancel: &AtomicBool,
    worker: impl Fn() -> W + Sync,
    gather: &mut impl Gather<T>,
) -> bool {
    let next = AtomicUsize::new(0);
    let (send, receive) = channel();
    thread::scope(|scope| {
        for _ in 0..threads.min(jobs.len()) {
            let (send, next, worker) = (send.clone(), &next, &worker);
            scope.spawn(move || {
                let mut work = worker();
                while !cancel.load(Ordering::Relaxed) {
                    let Some(&job) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) else {
                        break;
                    };
                    let Some(result) = work(job) else { break };
                    if send.send((job, result)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(send);
        let mut gathered = 0;
        let mut last_tick = Instant::now();
        loop {
            match receive.recv_timeout(TICK.saturating_sub(last_tick.elapsed())) {
                Ok((job, result)) => {
                    gathered += 1;
                    gather.take(job, result);
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            if last_tick.elapsed() >= TICK && !cancel.load(Ordering::Relaxed) {
                last_tick = Instant::now();
                if gather.tick().is_break() {
                    cancel.store(true, Ordering::Relaxed);
                }
            }
        }
        gathered == jobs.len()
    })
}
