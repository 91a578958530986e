//! Ciphers on a GPU, as those of the core.
#![allow(unsafe_code)] // messages on the device are where the caller says

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyType};
use roundworks::{Cipher, Error, Facts, Message};
use roundworks_gpu as rw;
use zeroize::Zeroizing;

use crate::aead::{Aead, warn};
use crate::buffer::{Input, check_size};
use crate::errors::{DeviceUnavailable, keep};
use crate::gpu::{Gpu, NAME, place, py_error};
use crate::keyed::{facts_of, optional_size};
use crate::{many, memory};

/// Behind the core's trait, whose errors know nothing of devices: those are kept for `raised`.
struct OnGpu(Arc<rw::Cipher>);

fn core<T>(result: Result<T, rw::Error>) -> Result<T, Error> {
    result.map_err(|error| match error {
        rw::Error::Cipher(error @ (Error::BadTag | Error::Length { .. })) => error,
        other => {
            keep(py_error(other));
            Error::UnknownCipher
        }
    })
}

impl Cipher for OnGpu {
    fn facts(&self) -> &'static Facts {
        self.0.facts()
    }

    fn backend_name(&self) -> &'static str {
        NAME
    }

    fn sealed_bytes(&self, data_bytes: usize) -> usize {
        self.0.sealed_bytes(data_bytes)
    }

    fn opened_bytes(&self, sealed_bytes: usize) -> Option<usize> {
        self.0.opened_bytes(sealed_bytes)
    }

    fn seal_into(&self, n: &[u8], ad: &[u8], data: &[u8], out: &mut [u8]) -> Result<usize, Error> {
        core(self.0.seal_into(n, ad, data, out))
    }

    fn open_into(&self, n: &[u8], ad: &[u8], data: &[u8], out: &mut [u8]) -> Result<usize, Error> {
        core(self.0.open_into(n, ad, data, out))
    }

    fn seal_in_place(
        &self,
        nonce: &[u8],
        ad: &[u8],
        buf: &mut [u8],
        data_bytes: usize,
    ) -> Result<usize, Error> {
        core(self.0.seal_in_place(nonce, ad, buf, data_bytes))
    }

    fn open_in_place(&self, nonce: &[u8], ad: &[u8], buf: &mut [u8]) -> Result<usize, Error> {
        core(self.0.open_in_place(nonce, ad, buf))
    }

    fn seal_many(&self, messages: &mut [Message<'_>]) -> Result<(), Error> {
        core(self.0.seal_many(messages))
    }

    fn open_many(
        &self,
        messages: &mut [Message<'_>],
        opened: &mut [Option<usize>],
    ) -> Result<usize, Error> {
        core(self.0.open_many(messages, opened))
    }
}

#[doc = stub!("gpu_cipher_names")]
#[pyfunction]
pub(crate) fn gpu_cipher_names() -> Vec<&'static str> {
    rw::names()
}

#[doc = stub!("GpuAead")]
#[pyclass(frozen, subclass, extends = Aead, module = "roundworks._native")]
pub(crate) struct GpuAead(Arc<rw::Cipher>);

/// The first GPU of this machine.
fn first(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    py.import("roundworks.gpu.device")?.call_method0("first")
}

#[pymethods]
impl GpuAead {
    #[new]
    #[classmethod]
    #[pyo3(signature = (key, *, tag_bytes=None, machine=None))]
    fn new(
        class: &Bound<'_, PyType>,
        key: &Bound<'_, PyAny>,
        tag_bytes: Option<&Bound<'_, PyAny>>,
        machine: Option<Bound<'_, PyAny>>,
    ) -> PyResult<PyClassInitializer<Self>> {
        // Before a device is opened: what is wrong with these does not depend on one.
        let facts = facts_of(class)?;
        let tag_bytes = optional_size(&facts, tag_bytes)?;
        let key = Input::get("key", key)?;
        check_size("key", key.bytes().len(), facts[0].key_bytes)?;
        let py = class.py();
        let machine = machine.map_or_else(|| first(py), Ok)?;
        let gpu = &machine.cast::<Gpu>()?.get().0;
        let cipher = rw::Cipher::new(gpu, facts[0].name, key.bytes(), tag_bytes);
        let cipher = Arc::new(cipher.map_err(py_error)?);
        warn(py, facts[0])?;
        let base = Aead(Box::new(OnGpu(Arc::clone(&cipher))));
        Ok(PyClassInitializer::from(base).add_subclass(Self(cipher)))
    }

    #[doc = stub!("GpuAead.backends")]
    #[classmethod]
    fn backends(class: &Bound<'_, PyType>) -> PyResult<Vec<(&'static str, bool)>> {
        let is_here = match first(class.py()) {
            Ok(_) => true,
            Err(error) if error.is_instance_of::<DeviceUnavailable>(class.py()) => false,
            Err(error) => return Err(error),
        };
        Ok(vec![(NAME, is_here)])
    }

    #[doc = stub!("GpuAead.seal_on_device")]
    fn seal_on_device(
        &self,
        nonce: &Bound<'_, PyAny>,
        data: &Bound<'_, PyAny>,
        data_bytes: usize,
        out: &Bound<'_, PyAny>,
        tag: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let (nonce, at) = (Input::get("nonce", nonce)?, at(data, data_bytes, out, tag)?);
        let stream = self.0.gpu().own_stream();
        // SAFETY: memory is the caller's to know, as the documentation says.
        unsafe { self.0.seal_on_device(stream, nonce.bytes(), &at) }.map_err(py_error)
    }

    #[doc = stub!("GpuAead.open_on_device")]
    fn open_on_device(
        &self,
        nonce: &Bound<'_, PyAny>,
        data: &Bound<'_, PyAny>,
        data_bytes: usize,
        out: &Bound<'_, PyAny>,
        tag: &Bound<'_, PyAny>,
    ) -> PyResult<usize> {
        let (nonce, at) = (Input::get("nonce", nonce)?, at(data, data_bytes, out, tag)?);
        let stream = self.0.gpu().own_stream();
        // SAFETY: as above.
        unsafe { self.0.open_on_device(stream, nonce.bytes(), &at) }.map_err(py_error)
    }

    #[doc = stub!("GpuAead.stage")]
    #[pyo3(signature = (nonces, data, associated_data=None, *, sealed=false))]
    fn stage(
        slf: &Bound<'_, Self>,
        nonces: &Bound<'_, PyAny>,
        data: &Bound<'_, PyAny>,
        associated_data: Option<&Bound<'_, PyAny>>,
        sealed: bool,
    ) -> PyResult<Staged> {
        let cipher = &slf.get().0;
        let base = slf.as_super().get();
        let stage = |messages: &[Message<'_>]| cipher.stage(messages, sealed).map_err(py_error);
        Ok(Staged {
            staged: many::read(base.cipher(), nonces, data, associated_data, stage)?,
            cipher: Arc::clone(cipher),
        })
    }
}

fn at(
    data: &Bound<'_, PyAny>,
    data_bytes: usize,
    out: &Bound<'_, PyAny>,
    tag: &Bound<'_, PyAny>,
) -> PyResult<rw::OnDevice> {
    Ok(rw::OnDevice {
        ad: 0,
        ad_bytes: 0,
        data: place(data)?,
        data_bytes,
        out: place(out)?,
        tag: place(tag)?,
    })
}

#[doc = stub!("Staged")]
#[pyclass(frozen, module = "roundworks._native")]
pub(crate) struct Staged {
    cipher: Arc<rw::Cipher>,
    staged: rw::Staged,
}

/// Texts, tags and verdicts.
type Contents<'py> = (Bound<'py, PyBytes>, Bound<'py, PyBytes>, Vec<bool>);

#[pymethods]
impl Staged {
    #[doc = stub!("Staged.run")]
    fn run(&self) -> PyResult<()> {
        self.cipher.run(&self.staged).map_err(py_error)
    }

    #[doc = stub!("Staged.read")]
    fn read<'py>(&self, py: Python<'py>) -> PyResult<Contents<'py>> {
        let contents = py.detach(|| self.staged.read()).map_err(py_error)?;
        let text_bytes = (0..contents.count()).map(|i| contents.message(i).0.len());
        // Grown, it would leave a copy.
        let mut texts = Zeroizing::new(memory::space(text_bytes.sum())?);
        let (mut tags, mut right) = (Vec::new(), memory::space(contents.count())?);
        for i in 0..contents.count() {
            let (text, tag, is_right) = contents.message(i);
            texts.extend_from_slice(text);
            tags.extend_from_slice(tag);
            right.push(is_right);
        }
        Ok((
            memory::object(py, &texts)?,
            memory::object(py, &tags)?,
            right,
        ))
    }
}
