//! MACs, incrementally.

use std::sync::Mutex;

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use roundworks::{Backend, Error};
use zeroize::zeroize_stack;

use crate::buffer::{Input, check_size};
use crate::errors::{OutOfOrder, raised, unknown};
use crate::gil::{detached, worth_it};
use crate::incremental::locked;
use crate::keyed::{backend, facts, optional_size};

#[doc = stub!("mac_names")]
#[pyfunction]
pub(crate) fn mac_names() -> Vec<&'static str> {
    let mut names: Vec<_> = roundworks::macs().map(|(name, ..)| name).collect();
    names.dedup();
    names
}

#[doc = stub!("Mac")]
#[pyclass(frozen, module = "roundworks._native")]
pub(crate) struct Mac {
    state: Mutex<Option<Box<dyn roundworks::Mac>>>,
    tag_bytes: usize,
}

/// Out of line and boxed, as for an AEAD: the key moves no more once it is set.
#[inline(never)]
fn keyed(
    name: &str,
    key: &[u8],
    nonce: &[u8],
    tag_bytes: Option<usize>,
    backend: Option<Backend>,
) -> Result<Box<dyn roundworks::Mac>, Error> {
    roundworks::mac(name, key, nonce, tag_bytes, backend)
}

#[pymethods]
impl Mac {
    #[new]
    #[pyo3(signature = (name, key, nonce = None, *, tag_bytes = None, backend = None))]
    fn new(
        name: &str,
        key: &Bound<'_, PyAny>,
        nonce: Option<&Bound<'_, PyAny>>,
        tag_bytes: Option<&Bound<'_, PyAny>>,
        backend: Option<&str>,
    ) -> PyResult<Self> {
        if !mac_names().contains(&name) {
            return Err(unknown("MAC", name, mac_names()));
        }
        let tag_bytes = optional_size(&facts(name)?, tag_bytes)?;
        let backend = backend.map(self::backend).transpose()?;
        let key = Input::get("key", key)?;
        let nonce = nonce.map(|nonce| Input::get("nonce", nonce)).transpose()?;
        let nonce = nonce.as_ref().map_or(&[][..], Input::bytes);
        let made = keyed(name, key.bytes(), nonce, tag_bytes, backend);
        zeroize_stack::<8192>(); // where `keyed` moved the key to its box
        let made = made.map_err(raised)?;
        Ok(Self {
            tag_bytes: made.tag_bytes(),
            state: Mutex::new(Some(made)),
        })
    }

    #[doc = stub!("Mac.tag_bytes")]
    #[getter]
    fn tag_bytes(&self) -> usize {
        self.tag_bytes
    }

    #[doc = stub!("Mac.update")]
    fn update(&self, py: Python<'_>, data: &Bound<'_, PyAny>) -> PyResult<()> {
        let data = Input::get("data", data)?;
        let mut state = locked("mac", &self.state)?;
        let mac = state.as_mut().ok_or_else(finalized)?;
        let detach = worth_it(data.bytes().len());
        let data = data.fixed(detach)?;
        detached(py, detach, || mac.update(&data)).map_err(raised)
    }

    #[doc = stub!("Mac.finalize")]
    fn finalize<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let mac = locked("mac", &self.state)?.take().ok_or_else(finalized)?;
        PyBytes::new_with(py, self.tag_bytes, |out| {
            mac.finish_into(out).map_err(raised)
        })
    }

    #[doc = stub!("Mac.verify")]
    fn verify(&self, tag: &Bound<'_, PyAny>) -> PyResult<()> {
        let tag = Input::get("tag", tag)?;
        check_size("tag", tag.bytes().len(), self.tag_bytes)?;
        let mac = locked("mac", &self.state)?.take().ok_or_else(finalized)?;
        mac.verify(tag.bytes()).map_err(raised)
    }
}

fn finalized() -> PyErr {
    OutOfOrder::new_err("mac: finalized; start another")
}
