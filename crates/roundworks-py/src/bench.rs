//! Timing of the cipher core.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use roundworks_bench::{Error, Operation, Timing, Workload};

use crate::aead::backend as named_backend;
use crate::errors::{UnknownName, unavailable};

/// Time the Rust core in this process.
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
            let text = format!("operation '{operation}': not known; one of encrypt, decrypt");
            return Err(UnknownName::new_err(text));
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
        Error::UnknownCipher => UnknownName::new_err(error.to_string()),
        Error::Unavailable(error) => unavailable(error),
        _ => PyValueError::new_err(error.to_string()),
    })?;
    Ok((samples_ns, samples_cycles, digest))
}
