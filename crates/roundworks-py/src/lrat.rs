//! Proofs that a formula has no solution.

use std::fs::File;
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};

use pyo3::exceptions::PyOSError;
use pyo3::import_exception;
use pyo3::prelude::*;
use roundworks_lrat::{Error, check};

import_exception!(roundworks.errors, ProofRefused);

#[doc = stub!("check_lrat")]
#[pyfunction]
pub(crate) fn check_lrat(py: Python<'_>, formula: PathBuf, proof: PathBuf) -> PyResult<(u64, u64)> {
    let checked = py.detach(|| {
        let text = std::fs::read(&formula).map_err(|error| (error.into(), &formula))?;
        let source = File::open(&proof).map_err(|error| (error.into(), &proof))?;
        check(&text, BufReader::with_capacity(1 << 16, source)).map_err(|error| (error, &proof))
    });
    checked
        .map(|checked| (checked.derived, checked.hints))
        .map_err(|(error, path)| match error {
            Error::Io(error) => unreadable(py, error, path),
            other => ProofRefused::new_err(other.to_string()),
        })
}

/// The subclass of `OSError` that Python has for it, with the path.
fn unreadable(py: Python<'_>, error: io::Error, path: &Path) -> PyErr {
    let Some(number) = error.raw_os_error() else {
        return error.into();
    };
    let text = py
        .import("os")
        .and_then(|os| os.call_method1("strerror", (number,)));
    match text {
        Ok(text) => PyOSError::new_err((number, text.unbind(), path.to_owned())),
        Err(other) => other,
    }
}
