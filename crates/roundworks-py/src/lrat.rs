//! Proofs that a formula has no solution.

use std::fs::File;
use std::io::BufReader;
use std::path::PathBuf;

use pyo3::exceptions::PyOSError;
use pyo3::import_exception;
use pyo3::prelude::*;
use roundworks_lrat::{Error, check};

import_exception!(roundworks.errors, ProofRefused);

/// Clauses derived and unit propagations of an accepted proof.
#[pyfunction]
pub(crate) fn check_lrat(py: Python<'_>, formula: PathBuf, proof: PathBuf) -> PyResult<(u64, u64)> {
    py.detach(|| {
        let text = std::fs::read(formula)?;
        check(&text, BufReader::with_capacity(1 << 16, File::open(proof)?))
    })
    .map(|checked| (checked.derived, checked.hints))
    .map_err(|error| match error {
        Error::Io(error) => PyOSError::new_err(error),
        other => ProofRefused::new_err(other.to_string()),
    })
}
