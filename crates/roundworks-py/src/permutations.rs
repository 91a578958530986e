//! The large permutations, in place on buffers and on rows of arrays.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use roundworks::{AnyPermutation, Error, Permutation as _};

use crate::aead::{backend, detached, worth_it};
use crate::buffer::Output;
use crate::errors::raised;

/// Names of the permutations.
#[pyfunction]
pub(crate) fn permutation_names() -> Vec<&'static str> {
    roundworks::permutations().collect()
}

/// A permutation on a back end.
#[pyclass(frozen, module = "roundworks._native")]
pub(crate) struct Permutation(AnyPermutation);

#[pymethods]
impl Permutation {
    #[new]
    #[pyo3(signature = (name, *, backend = None))]
    fn new(name: &str, backend: Option<&str>) -> PyResult<Self> {
        let backend = backend.map(self::backend).transpose()?;
        let found = roundworks::permutation(name, backend).map_err(raised)?;
        Ok(Self(found))
    }

    #[staticmethod]
    fn backends() -> Vec<&'static str> {
        let written = roundworks::Permutation256::BACKENDS.iter();
        let usable = written.filter(|backend| backend.is_available());
        usable.map(|backend| backend.name()).collect()
    }

    #[getter]
    fn name(&self) -> String {
        self.0.name().to_string()
    }

    #[getter]
    fn rounds(&self) -> f64 {
        self.0.name().rounds().into()
    }

    #[getter]
    fn block_bytes(&self) -> usize {
        self.0.block_bytes()
    }

    #[getter]
    fn backend(&self) -> &'static str {
        self.0.backend().name()
    }

    fn permute(&self, py: Python<'_>, blocks: &Bound<'_, PyAny>) -> PyResult<()> {
        self.on(py, blocks, AnyPermutation::permute_many)
    }

    fn inverse(&self, py: Python<'_>, blocks: &Bound<'_, PyAny>) -> PyResult<()> {
        self.on(py, blocks, AnyPermutation::inverse_many)
    }

    fn __repr__(&self) -> String {
        let (name, backend) = (self.0.name(), self.0.backend());
        format!("Permutation('{name}', backend='{backend}')")
    }
}

impl Permutation {
    fn on(
        &self,
        py: Python<'_>,
        blocks: &Bound<'_, PyAny>,
        work: fn(&AnyPermutation, &mut [u8]) -> Result<(), Error>,
    ) -> PyResult<()> {
        let want = self.0.block_bytes();
        let mut blocks = Output::get("blocks", blocks)?;
        if !matches!(blocks.shape(), [bytes] | [_, bytes] if *bytes == want) {
            let got = blocks
                .shape()
                .iter()
                .map(usize::to_string)
                .collect::<Vec<_>>();
            let comma = if got.len() == 1 { "," } else { "" };
            return Err(PyValueError::new_err(format!(
                "blocks: want shape (N, {want}) or ({want},), got ({}{comma})",
                got.join(", ")
            )));
        }
        let bytes = blocks.bytes();
        let detach = worth_it(bytes.len());
        detached(py, detach, || work(&self.0, bytes)).map_err(raised)
    }
}
