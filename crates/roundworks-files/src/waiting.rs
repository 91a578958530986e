//! Work that may wait for somebody else, such as a read of a pipe, and that a signal must be able to end.
#![forbid(unsafe_code)]

use std::fs::File;
use std::io;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;

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

/// Waits until a stream that somebody else made non-blocking can go on, as others wait in the call itself; not for
/// long, as a stop may come meanwhile.
pub(crate) fn until_ready(stream: &File, wanted: PollFlags) -> io::Result<()> {
    let most = Timespec::try_from(PATIENCE).expect("a tenth of a second");
    match poll(&mut [PollFd::new(stream, wanted)], Some(&most)) {
        Ok(_) | Err(Errno::INTR) => Ok(()),
        Err(error) => Err(error.into()),
    }
}
