//! Work that may wait for somebody else, such as a read of a pipe, and that a signal must be able to end.
#![forbid(unsafe_code)]

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use crate::error::Kind;

/// How long a stop may go unnoticed.
const PATIENCE: Duration = Duration::from_millis(100);

/// What `work` makes, in a thread of its own, unless `stop` says so first. Then the thread is left behind: what it waits
/// for may never come, and a program that was stopped ends.
pub(crate) fn unless_stopped<T: Send + 'static>(
    stop: &mut dyn FnMut() -> bool,
    work: impl FnOnce() -> Result<T, Kind> + Send + 'static,
) -> Result<T, Kind> {
    let (send, made) = channel();
    let worker = thread::Builder::new().spawn(move || {
        // Nobody waits for it any more if there is an error.
        let _ = send.send(work());
    })?;
    loop {
        match made.recv_timeout(PATIENCE) {
            Ok(made) => {
                // It has nothing left to do, and what it had is freed when it has ended.
                worker.join().expect("it sent what it made");
                return made;
            }
            Err(RecvTimeoutError::Timeout) if stop() => return Err(Kind::Stopped),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => panic!("what another thread did panicked"),
        }
    }
}
