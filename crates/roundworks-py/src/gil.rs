//! When a call lets other Python threads run.

use pyo3::prelude::*;

/// From this many bytes on, other Python threads may run meanwhile: below, the switch costs more
/// than the cipher.
const DETACH_BYTES: usize = 8192;

/// Runs `work`, without the GIL if so wished.
pub(crate) fn detached<T: Send>(
    py: Python<'_>,
    detach: bool,
    work: impl FnOnce() -> T + Send,
) -> T {
    if detach { py.detach(work) } else { work() }
}

/// Whether that many bytes are worth the switch.
pub(crate) fn worth_it(bytes: usize) -> bool {
    bytes >= DETACH_BYTES
}
