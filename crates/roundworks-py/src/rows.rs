//! The lightest trail through three layers, for bit-wise bounds.

use std::time::{Duration, Instant};

use pyo3::exceptions::{PyTimeoutError, PyValueError};
use pyo3::prelude::*;
use roundworks_search::rows::{Lightest, Rows, Words};

/// How often Ctrl-C is looked for.
const LOOK: Duration = Duration::from_millis(100);

enum Stop {
    Time,
    Error(PyErr),
}

#[doc = stub!("lightest_of_three")]
#[pyfunction]
pub(crate) fn lightest_of_three(
    py: Python<'_>,
    columns: usize,
    images: Vec<u64>,
    weights: Vec<Vec<u8>>,
    most: u32,
    few: Option<u32>,
    seconds: Option<f64>,
) -> PyResult<Option<(u32, Vec<Words>)>> {
    let rows = Rows::new(columns, &images, &weights)
        .map_err(|error| PyValueError::new_err(error.to_string()))?;
    let started = Instant::now();
    let mut looked = started;
    let mut go = || {
        let now = Instant::now();
        if now - looked < LOOK {
            return Ok(());
        }
        looked = now;
        if seconds.is_some_and(|s| (now - started).as_secs_f64() >= s) {
            return Err(Stop::Time);
        }
        Python::attach(|py| py.check_signals()).map_err(Stop::Error)
    };
    let outcome = py.detach(|| match few {
        None => rows.lightest(most, &mut go),
        Some(few) => rows.lightest_of_few(few, most, &mut go),
    });
    match outcome {
        Ok(found) => Ok(found.map(|Lightest { weight, words }| (weight, words.to_vec()))),
        Err(Stop::Time) => Err(PyTimeoutError::new_err(format!(
            "trails of at most {most}: time is over"
        ))),
        Err(Stop::Error(error)) => Err(error),
    }
}
