//! Timing of the cipher core.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use roundworks_bench::{Error, Operation, Permuting, Timing, Way, Workload, permuted};
use std::time::Duration;

use crate::errors::{raised, unavailable, unknown};
use crate::keyed::{self, backend as named_backend};

#[doc = stub!("bench")]
#[pyfunction]
#[pyo3(signature = (cipher, backend, operation, data_bytes, ad_bytes, samples, min_sample_ns))]
#[allow(clippy::too_many_arguments)]
pub(crate) fn bench(
    py: Python<'_>,
    cipher: &str,
    backend: &str,
    operation: &str,
    data_bytes: usize,
    ad_bytes: usize,
    samples: usize,
    min_sample_ns: u64,
) -> PyResult<(Vec<f64>, Vec<f64>, String)> {
    let operation = match operation {
        "encrypt" => Operation::Encrypt,
        "decrypt" => Operation::Decrypt,
        _ => {
            return Err(unknown("operation", operation, vec!["encrypt", "decrypt"]));
        }
    };
    let backend = named_backend(backend)?;
    let load = Workload {
        operation,
        data_bytes,
        ad_bytes,
    };
    let timed = py.detach(|| roundworks_bench::time(cipher, backend, load, samples, min_sample_ns));
    let Timing {
        samples_ns,
        samples_cycles,
        digest,
    } = timed.map_err(|error| match error {
        Error::UnknownCipher => unknown("AEAD", cipher, keyed::names()),
        Error::Unavailable(error) => unavailable(error),
        _ => PyValueError::new_err(error.to_string()),
    })?;
    Ok((samples_ns, samples_cycles, digest))
}

/// Samples in nanoseconds and in cycles, and the seconds spent.
type Samples = (Vec<f64>, Vec<f64>, f64);

#[doc = stub!("bench_permutations")]
#[pyfunction]
pub(crate) fn bench_permutations(
    py: Python<'_>,
    subjects: Vec<(String, String, bool, String, usize)>,
    samples: usize,
    window_ns: u64,
) -> PyResult<Vec<Samples>> {
    let made: PyResult<Vec<_>> = subjects
        .iter()
        .map(|(name, backend, inverse, way, blocks)| {
            let way = match way.as_str() {
                "chain" => Way::Chain,
                "call" => Way::Call,
                "many" if *blocks > 0 => Way::Many(*blocks),
                _ => {
                    return Err(PyValueError::new_err(format!(
                        "way '{way}' of {blocks} blocks: want chain or call, or many of at least 1"
                    )));
                }
            };
            let backend = named_backend(backend)?;
            Permuting::new(name, backend, *inverse, way).map_err(raised)
        })
        .collect();
    let mut made = made?;
    let window = Duration::from_nanos(window_ns.min(2_000_000));
    let result = py.detach(|| permuted(&mut made, samples, window));
    let samples = result
        .into_iter()
        .map(|it| (it.samples_ns, it.samples_cycles, it.spent.as_secs_f64()));
    Ok(samples.collect())
}
