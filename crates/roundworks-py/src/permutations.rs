//! The large permutations, in place on buffers and on rows of arrays, and hash functions of them.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use roundworks::{
    AnyHash, AnyPermutation, AnyPholkos, Areion512Md, Backend, Error, Permutation as _,
    UnknownPermutation,
};
use zeroize::zeroize_stack;

use crate::buffer::{Input, Output, check_size};
use crate::errors::{raised, unknown};
use crate::gil::{detached, worth_it};
use crate::keyed::backend;

#[doc = stub!("permutation_names")]
#[pyfunction]
pub(crate) fn permutation_names() -> Vec<&'static str> {
    roundworks::permutations().collect()
}

#[doc = stub!("Permutation")]
#[pyclass(frozen, module = "roundworks._native")]
pub(crate) struct Permutation(AnyPermutation);

#[pymethods]
impl Permutation {
    #[new]
    #[pyo3(signature = (name, *, backend = None))]
    fn new(name: &str, backend: Option<&str>) -> PyResult<Self> {
        let backend = backend.map(self::backend).transpose()?;
        let result = roundworks::permutation(name, backend).map_err(|error| match error {
            Error::Permutation(UnknownPermutation::Name) => {
                unknown("permutation", name, permutation_names())
            }
            error => raised(error),
        })?;
        Ok(Self(result))
    }

    #[doc = stub!("Permutation.backends")]
    #[staticmethod]
    fn backends() -> Vec<&'static str> {
        let written = roundworks::Permutation256::BACKENDS.iter();
        let usable = written.filter(|backend| backend.is_available());
        usable.map(|backend| backend.name()).collect()
    }

    #[doc = stub!("Permutation.name")]
    #[getter]
    fn name(&self) -> String {
        self.0.name().to_string()
    }

    #[doc = stub!("Permutation.rounds")]
    #[getter]
    fn rounds(&self) -> f64 {
        self.0.name().rounds().into()
    }

    #[doc = stub!("Permutation.block_bytes")]
    #[getter]
    fn block_bytes(&self) -> usize {
        self.0.block_bytes()
    }

    #[doc = stub!("Permutation.backend")]
    #[getter]
    fn backend(&self) -> &'static str {
        self.0.backend().name()
    }

    #[doc = stub!("Permutation.permute")]
    fn permute(&self, py: Python<'_>, blocks: &Bound<'_, PyAny>) -> PyResult<()> {
        self.on(py, blocks, AnyPermutation::permute_many)
    }

    #[doc = stub!("Permutation.inverse")]
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
        in_place(py, blocks, self.0.block_bytes(), |bytes| {
            work(&self.0, bytes)
        })
    }
}

#[doc = stub!("Pholkos")]
#[pyclass(frozen, module = "roundworks._native")]
pub(crate) struct Pholkos(Box<AnyPholkos>);

/// Sets the key. Out of line and boxed, as for an AEAD: the key moves no more once it is set.
#[inline(never)]
fn keyed(key: &[u8], backend: Option<Backend>) -> Result<Box<AnyPholkos>, Error> {
    roundworks::pholkos(key, backend).map(Box::new)
}

#[pymethods]
impl Pholkos {
    #[new]
    #[pyo3(signature = (key, *, backend = None))]
    fn new(key: &Bound<'_, PyAny>, backend: Option<&str>) -> PyResult<Self> {
        let backend = backend.map(self::backend).transpose()?;
        let key = Input::get("key", key)?;
        let keyed = keyed(key.bytes(), backend);
        zeroize_stack::<8192>(); // where `keyed` moved the key to its box
        keyed.map(Self).map_err(raised)
    }

    #[doc = stub!("Pholkos.block_bytes")]
    #[getter]
    fn block_bytes(&self) -> usize {
        self.0.block_bytes()
    }

    #[doc = stub!("Pholkos.backend")]
    #[getter]
    fn backend(&self) -> &'static str {
        self.0.backend().name()
    }

    #[doc = stub!("Pholkos.encrypt")]
    fn encrypt(
        &self,
        py: Python<'_>,
        tweak: &Bound<'_, PyAny>,
        blocks: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        self.on(py, tweak, blocks, AnyPholkos::encrypt_many)
    }

    #[doc = stub!("Pholkos.decrypt")]
    fn decrypt(
        &self,
        py: Python<'_>,
        tweak: &Bound<'_, PyAny>,
        blocks: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        self.on(py, tweak, blocks, AnyPholkos::decrypt_many)
    }

    fn __repr__(&self) -> String {
        let (bits, backend) = (8 * self.0.block_bytes(), self.0.backend());
        format!("Pholkos(<key of {bits} bits>, backend='{backend}')")
    }
}

/// One direction of Pholkos, under a tweak.
type Tweaked = fn(&AnyPholkos, &[u8; 16], &mut [u8]) -> Result<(), Error>;

impl Pholkos {
    fn on(
        &self,
        py: Python<'_>,
        tweak: &Bound<'_, PyAny>,
        blocks: &Bound<'_, PyAny>,
        work: Tweaked,
    ) -> PyResult<()> {
        let tweak = Input::get("tweak", tweak)?;
        check_size("tweak", tweak.bytes().len(), 16)?;
        let tweak = tweak.bytes().try_into().expect("16 bytes");
        in_place(py, blocks, self.0.block_bytes(), |bytes| {
            work(&self.0, &tweak, bytes)
        })
    }
}

/// Lets `work` replace rows of `want` bytes.
fn in_place(
    py: Python<'_>,
    blocks: &Bound<'_, PyAny>,
    want: usize,
    work: impl FnOnce(&mut [u8]) -> Result<(), Error> + Send,
) -> PyResult<()> {
    let mut blocks = Output::get("blocks", blocks)?;
    check_rows("blocks", &blocks.shape(), want)?;
    let bytes = blocks.bytes();
    let detach = worth_it(bytes.len());
    detached(py, detach, || work(bytes)).map_err(raised)
}

/// `blocks: want shape (N, 32) or (32,), got (4, 64)`
fn check_rows(what: &str, shape: &[usize], want: usize) -> PyResult<()> {
    if matches!(shape, [bytes] | [_, bytes] if *bytes == want) {
        return Ok(());
    }
    let actual = shape.iter().map(usize::to_string).collect::<Vec<_>>();
    let comma = if actual.len() == 1 { "," } else { "" };
    Err(PyValueError::new_err(format!(
        "{what}: want shape (N, {want}) or ({want},), got ({}{comma})",
        actual.join(", ")
    )))
}

#[doc = stub!("hash_names")]
#[pyfunction]
pub(crate) fn hash_names() -> Vec<&'static str> {
    roundworks::hashes().collect()
}

#[doc = stub!("BlockHash")]
#[pyclass(frozen, module = "roundworks._native")]
pub(crate) struct BlockHash(AnyHash);

#[pymethods]
impl BlockHash {
    #[new]
    #[pyo3(signature = (name, *, backend = None))]
    fn new(name: &str, backend: Option<&str>) -> PyResult<Self> {
        let backend = backend.map(self::backend).transpose()?;
        let result = roundworks::hash_function(name, backend).map_err(|error| match error {
            Error::UnknownHash => unknown("hash function", name, hash_names()),
            error => raised(error),
        })?;
        Ok(Self(result))
    }

    #[doc = stub!("BlockHash.name")]
    #[getter]
    fn name(&self) -> &'static str {
        self.0.name()
    }

    #[doc = stub!("BlockHash.input_bytes")]
    #[getter]
    fn input_bytes(&self) -> usize {
        self.0.input_bytes()
    }

    #[doc = stub!("BlockHash.backend")]
    #[getter]
    fn backend(&self) -> &'static str {
        self.0.backend().name()
    }

    #[doc = stub!("BlockHash.hash")]
    fn hash<'py>(
        &self,
        py: Python<'py>,
        inputs: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let inputs = Input::get("inputs", inputs)?;
        let mut shape = inputs.shape();
        check_rows("inputs", &shape, self.0.input_bytes())?;
        *shape.last_mut().expect("one or two axes") = 32;
        let object = py
            .import("numpy")?
            .call_method1("empty", (shape, "uint8"))?;
        let mut output = Output::get("outputs", &object)?;
        let detach = worth_it(inputs.bytes().len());
        let fixed = inputs.fixed(detach)?;
        let (fixed, output) = (&*fixed, output.bytes());
        let work = || self.0.hash_many(fixed, output);
        detached(py, detach, work).map_err(raised)?;
        Ok(object)
    }

    fn __repr__(&self) -> String {
        let (name, backend) = (self.0.name(), self.0.backend());
        format!("BlockHash('{name}', backend='{backend}')")
    }
}

#[doc = stub!("areion_512_md")]
#[pyfunction]
#[pyo3(signature = (message, *, backend = None))]
pub(crate) fn areion_512_md<'py>(
    py: Python<'py>,
    message: &Bound<'py, PyAny>,
    backend: Option<&str>,
) -> PyResult<Bound<'py, PyBytes>> {
    let backend = backend.map(self::backend).transpose()?;
    let areion = Areion512Md::new(backend).map_err(raised)?;
    let message = Input::get("message", message)?;
    let hash = areion.hash(message.bytes()).map_err(raised)?;
    Ok(PyBytes::new(py, &hash))
}
