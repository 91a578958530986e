//! The core's errors as those of `roundworks.errors`.

use std::cell::RefCell;

use pyo3::exceptions::PyValueError;
use pyo3::import_exception;
use pyo3::prelude::*;
use roundworks::{BackendUnavailable as Missing, Error};

import_exception!(roundworks.errors, BackendUnavailable);
import_exception!(roundworks.errors, DeviceMemoryError);
import_exception!(roundworks.errors, DeviceUnavailable);
import_exception!(roundworks.errors, InvalidTag);
import_exception!(roundworks.errors, KernelError);
import_exception!(roundworks.errors, OutOfOrder);
import_exception!(roundworks.errors, ResearchOnlyWarning);
import_exception!(roundworks.errors, UnknownName);

/// The error of `roundworks.errors.unknown`, which says what was meant.
pub(crate) fn unknown(kind: &str, name: &str, known: Vec<&str>) -> PyErr {
    Python::attach(|py| {
        let errors = py.import("roundworks.errors");
        let made = errors.and_then(|errors| errors.call_method1("unknown", (kind, name, known)));
        made.map_or_else(|error| error, PyErr::from_value)
    })
}

thread_local! {
    /// What a cipher behind the core's trait has to say that is no error of the core.
    static KEPT: RefCell<Option<PyErr>> = const { RefCell::new(None) };
}

/// Keeps an error for `raised`, which the same thread calls next.
pub(crate) fn keep(error: PyErr) {
    KEPT.with_borrow_mut(|kept| *kept = Some(error));
}

/// What was kept.
pub(crate) fn kept() -> Option<PyErr> {
    KEPT.take()
}

/// A core's refusal, in its own words where it has no word on buffers.
pub(crate) fn raised(error: Error) -> PyErr {
    if let Some(error) = kept() {
        return error;
    }
    match error {
        Error::BadTag => InvalidTag::new_err("authentication failed; no plaintext was released"),
        Error::UnknownCipher | Error::UnknownMac | Error::Permutation(_) | Error::UnknownHash => {
            UnknownName::new_err(error.to_string())
        }
        Error::Unavailable(error) => unavailable(error),
        _ => PyValueError::new_err(error.to_string()),
    }
}

pub(crate) fn unavailable(error: Missing) -> PyErr {
    BackendUnavailable::new_err(error.to_string())
}

/// What cannot be authentic, as it has the size of nothing sealed.
pub(crate) fn no_such_size(got: usize) -> PyErr {
    InvalidTag::new_err(format!(
        "authentication failed; nothing sealed has {got} bytes"
    ))
}
