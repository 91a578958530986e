//! The core's errors as those of `roundworks.errors`.

use pyo3::exceptions::PyValueError;
use pyo3::import_exception;
use pyo3::prelude::*;
use roundworks::{BackendUnavailable as Missing, Error};

import_exception!(roundworks.errors, BackendUnavailable);
import_exception!(roundworks.errors, InvalidTag);
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

/// A core's refusal, in its own words where it has no word on buffers.
pub(crate) fn raised(error: Error) -> PyErr {
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
