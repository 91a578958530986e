//! The lightest trail through three layers, or through any number with a permutation between, for bit-wise bounds.

use std::time::{Duration, Instant};

use pyo3::exceptions::{PyTimeoutError, PyValueError};
use pyo3::prelude::*;
use roundworks_search::Error;
use roundworks_search::cores::Cores;
use roundworks_search::permuted::Permuted;
use roundworks_search::rows::{Lightest, Rows, Words};

/// How often Ctrl-C is looked for.
const LOOK: Duration = Duration::from_millis(100);

pub(crate) enum Stop {
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
    let rows = Rows::new(columns, &images, &weights).map_err(refused)?;
    let mut go = watch(seconds);
    let outcome = py.detach(|| match few {
        None => rows.lightest(most, &mut go),
        Some(few) => rows.lightest_of_few(few, most, &mut go),
    });
    let trail = outcome.map_err(|stop| stop.error(most))?;
    Ok(trail.map(|Lightest { weight, words }| (weight, words.to_vec())))
}

#[doc = stub!("lightest_of_cores")]
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "they are what the search is of")]
pub(crate) fn lightest_of_cores(
    py: Python<'_>,
    bits: usize,
    images: Vec<Vec<u128>>,
    weights: Vec<Vec<u8>>,
    orbits: Vec<usize>,
    active: u32,
    most: u32,
    enough: u32,
    seconds: Option<f64>,
) -> PyResult<Option<(u32, Vec<Vec<u128>>)>> {
    let (of, limits) = ((images, weights, orbits), (active, most, enough));
    py.detach(|| match bits {
        2 => cores::<2>(of, limits, seconds),
        3 => cores::<3>(of, limits, seconds),
        4 => cores::<4>(of, limits, seconds),
        5 => cores::<5>(of, limits, seconds),
        _ => Err(PyValueError::new_err(format!(
            "bits: want 2 to 5, got {bits}"
        ))),
    })
}

/// Images, weights and orbits.
type Layers = (Vec<Vec<u128>>, Vec<Vec<u8>>, Vec<usize>);

fn cores<const K: usize>(
    (images, weights, orbits): Layers,
    (active, most, enough): (u32, u32, u32),
    seconds: Option<f64>,
) -> PyResult<Option<(u32, Vec<Vec<u128>>)>> {
    let images = images
        .into_iter()
        .map(|image| image.try_into())
        .collect::<Result<Vec<[u128; K]>, _>>()
        .map_err(|_| PyValueError::new_err(format!("images: want {K} words each")))?;
    let cores = Cores::new(&images, &weights, &orbits).map_err(refused)?;
    let trail = cores
        .lightest(active, most, enough, &mut watch(seconds))
        .map_err(|stop| stop.error(most))?;
    Ok(trail.map(|one| (one.weight, one.words.map(|w| w.to_vec()).to_vec())))
}

/// A weight, and of each layer the words before it and behind it.
type Trail = (u32, Vec<(Vec<u8>, Vec<u8>)>);

#[doc = stub!("lightest_of_permuted")]
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "they are what the search is of")]
pub(crate) fn lightest_of_permuted(
    py: Python<'_>,
    bits: usize,
    to: Vec<usize>,
    sboxes: Vec<Vec<Vec<u8>>>,
    kinds: Vec<usize>,
    fewer: Vec<u32>,
    most: u32,
    seconds: Option<f64>,
) -> PyResult<Option<Trail>> {
    let layers = Permuted::new(bits, &to, &sboxes, &kinds).map_err(refused)?;
    let mut go = watch(seconds);
    let trail = py
        .detach(|| layers.lightest(fewer.len(), &fewer, most, &mut go))
        .map_err(|stop| stop.error(most))?;
    Ok(trail.map(|one| (one.weight, one.layers)))
}

fn refused(error: Error) -> PyErr {
    PyValueError::new_err(error.to_string())
}

impl Stop {
    fn error(self, most: u32) -> PyErr {
        self.error_of(&format!("trails of at most {most}"))
    }

    pub(crate) fn error_of(self, what: &str) -> PyErr {
        match self {
            Self::Time => PyTimeoutError::new_err(format!("{what}: time is over")),
            Self::Error(error) => error,
        }
    }
}

/// Stops a search when time is over, or at Ctrl-C.
pub(crate) fn watch(seconds: Option<f64>) -> impl FnMut() -> Result<(), Stop> {
    let started = Instant::now();
    let mut looked = started;
    move || {
        let now = Instant::now();
        if now - looked < LOOK {
            return Ok(());
        }
        looked = now;
        if seconds.is_some_and(|s| (now - started).as_secs_f64() >= s) {
            return Err(Stop::Time);
        }
        Python::attach(|py| py.check_signals()).map_err(Stop::Error)
    }
}
