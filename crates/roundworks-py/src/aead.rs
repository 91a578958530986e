//! AEAD classes over the cipher core, in the shape of pyca/cryptography.

use pyo3::exceptions::PyTypeError;
use pyo3::import_exception;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use roundworks::{Backend, BadTag, Tag};
use zeroize::{Zeroizing, zeroize_stack};

use crate::buffer::{Input, Output};

import_exception!(roundworks.errors, BackendUnavailable);
import_exception!(roundworks.errors, InvalidTag);
import_exception!(roundworks.errors, ResearchOnlyWarning);
import_exception!(roundworks.errors, UnknownName);

/// From this many bytes on, other Python threads may run meanwhile: below, the switch costs more
/// than the cipher.
const DETACH_BYTES: usize = 2048;

/// Runs `work`, without the GIL if `bytes` are many.
fn detached<T: Send>(py: Python<'_>, bytes: usize, work: impl FnOnce() -> T + Send) -> T {
    if bytes < DETACH_BYTES {
        work()
    } else {
        py.detach(work)
    }
}

/// A back end by name.
pub(crate) fn backend(name: &str) -> PyResult<Backend> {
    let names = || Backend::ALL.map(Backend::name).join(", ");
    name.parse().map_err(|_| {
        UnknownName::new_err(format!("backend '{name}': not known; one of {}", names()))
    })
}

pub(crate) fn unavailable(error: roundworks::BackendUnavailable) -> PyErr {
    BackendUnavailable::new_err(error.to_string())
}

fn optional_backend(object: Option<&Bound<'_, PyAny>>) -> PyResult<Option<Backend>> {
    let Some(object) = object else {
        return Ok(None);
    };
    match object.extract::<&str>() {
        Ok(name) => backend(name).map(Some),
        Err(_) => {
            let got = object.get_type().name()?;
            Err(PyTypeError::new_err(format!(
                "backend: want str or None, got {got}"
            )))
        }
    }
}

fn refused(_: BadTag) -> PyErr {
    InvalidTag::new_err("authentication failed; no plaintext was released")
}

/// Bytes of ciphertext in `data`, which ends in a tag.
fn without_tag(data: &Input<'_>, tag: usize) -> PyResult<usize> {
    let got = data.len();
    got.checked_sub(tag).ok_or_else(|| {
        let text = format!("authentication failed; data has {got} bytes, a tag alone has {tag}");
        InvalidTag::new_err(text)
    })
}

fn split_tag<const N: usize>(py: Python<'_>, data: &Input<'_>, len: usize) -> Tag<N> {
    let mut tag = [0; N];
    data.copy(py, len, &mut tag);
    tag.into()
}

/// Defines the Python class of one cipher.
macro_rules! class {
    ($cipher:ident $about:literal) => {
        #[doc = $about]
        #[pyclass(frozen, module = "roundworks._native")]
        pub(crate) struct $cipher(Box<roundworks::$cipher>);

        impl $cipher {
            /// Boxed, so that the key moves no more once it is set.
            #[inline(never)]
            fn keyed(
                key: &[u8; roundworks::$cipher::KEY_BYTES],
                backend: Option<Backend>,
            ) -> PyResult<Self> {
                type Cipher = roundworks::$cipher;
                let cipher = match backend {
                    None => Cipher::new(key),
                    Some(backend) => Cipher::with_backend(key, backend).map_err(unavailable)?,
                };
                Ok(Self(Box::new(cipher)))
            }
        }

        #[pymethods]
        impl $cipher {
            #[classattr]
            const NAME: &'static str = roundworks::$cipher::NAME;
            #[classattr]
            const KEY_BYTES: usize = roundworks::$cipher::KEY_BYTES;
            #[classattr]
            const NONCE_BYTES: usize = roundworks::$cipher::NONCE_BYTES;
            #[classattr]
            const TAG_BYTES: usize = roundworks::$cipher::TAG_BYTES;

            #[new]
            #[pyo3(signature = (key, *, backend=None))]
            fn new(
                py: Python<'_>,
                key: &Bound<'_, PyAny>,
                backend: Option<&Bound<'_, PyAny>>,
            ) -> PyResult<Self> {
                let backend = optional_backend(backend)?;
                let key = Zeroizing::new(Input::get("key", key)?.array(py, "key")?);
                let cipher = Self::keyed(&key, backend);
                zeroize_stack::<1024>(); // where `keyed` moved the key to its box
                warn(py, Self::NAME)?;
                cipher
            }

            /// A fresh random key.
            #[staticmethod]
            fn generate_key(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
                py.import("os")?.call_method1("urandom", (Self::KEY_BYTES,))
            }

            /// Name of each back end the cipher is written for, and whether this CPU has it.
            #[staticmethod]
            fn backends() -> Vec<(&'static str, bool)> {
                let all = roundworks::$cipher::BACKENDS.iter();
                all.map(|b| (b.name(), b.is_available())).collect()
            }

            /// Name of the back end in use.
            #[getter]
            fn backend(&self) -> &'static str {
                self.0.backend().name()
            }

            /// Encrypt and authenticate: ciphertext || tag.
            #[pyo3(signature = (nonce, data, associated_data=None))]
            fn encrypt<'py>(
                &self,
                py: Python<'py>,
                nonce: &Bound<'py, PyAny>,
                data: &Bound<'py, PyAny>,
                associated_data: Option<&Bound<'py, PyAny>>,
            ) -> PyResult<Bound<'py, PyBytes>> {
                let (nonce, data, ad) = inputs(py, nonce, data, associated_data)?;
                let ad = ad.as_ref().map(|ad| ad.stable(py)).unwrap_or_default();
                let len = data.len();
                PyBytes::new_with(py, len + Self::TAG_BYTES, |out| {
                    let (out, tag) = out.split_at_mut(len);
                    data.copy(py, 0, out);
                    let seal = || self.0.encrypt_in_place(&nonce, &ad, out);
                    tag.copy_from_slice(detached(py, len + ad.len(), seal).as_bytes());
                    Ok(())
                })
            }

            /// Check and decrypt ciphertext || tag.
            #[pyo3(signature = (nonce, data, associated_data=None))]
            fn decrypt<'py>(
                &self,
                py: Python<'py>,
                nonce: &Bound<'py, PyAny>,
                data: &Bound<'py, PyAny>,
                associated_data: Option<&Bound<'py, PyAny>>,
            ) -> PyResult<Bound<'py, PyBytes>> {
                let (nonce, data, ad) = inputs(py, nonce, data, associated_data)?;
                let ad = ad.as_ref().map(|ad| ad.stable(py)).unwrap_or_default();
                let len = without_tag(&data, Self::TAG_BYTES)?;
                let tag = split_tag(py, &data, len);
                PyBytes::new_with(py, len, |out| {
                    data.copy(py, 0, out);
                    let open = || self.0.decrypt_in_place(&nonce, &ad, out, &tag);
                    detached(py, len + ad.len(), open).map_err(refused)
                })
            }

            /// Encrypt into `buf`; returns the bytes written.
            fn encrypt_into<'py>(
                &self,
                py: Python<'py>,
                nonce: &Bound<'py, PyAny>,
                data: &Bound<'py, PyAny>,
                associated_data: Option<&Bound<'py, PyAny>>,
                buf: &Bound<'py, PyAny>,
            ) -> PyResult<usize> {
                let (nonce, data, ad) = inputs(py, nonce, data, associated_data)?;
                let ad = ad.as_ref().map(|ad| ad.stable(py)).unwrap_or_default();
                let len = data.len();
                let mut output = Output::get(buf, len + Self::TAG_BYTES, &data)?;
                let (out, tag) = output.holding(py, &data, len).split_at_mut(len);
                let seal = || self.0.encrypt_in_place(&nonce, &ad, out);
                tag.copy_from_slice(detached(py, len + ad.len(), seal).as_bytes());
                Ok(len + Self::TAG_BYTES)
            }

            /// Check and decrypt into `buf`; returns the bytes written.
            fn decrypt_into<'py>(
                &self,
                py: Python<'py>,
                nonce: &Bound<'py, PyAny>,
                data: &Bound<'py, PyAny>,
                associated_data: Option<&Bound<'py, PyAny>>,
                buf: &Bound<'py, PyAny>,
            ) -> PyResult<usize> {
                let (nonce, data, ad) = inputs(py, nonce, data, associated_data)?;
                let ad = ad.as_ref().map(|ad| ad.stable(py)).unwrap_or_default();
                let len = without_tag(&data, Self::TAG_BYTES)?;
                let tag = split_tag(py, &data, len);
                let mut output = Output::get(buf, len, &data)?;
                let out = output.holding(py, &data, len);
                let open = || self.0.decrypt_in_place(&nonce, &ad, out, &tag);
                detached(py, len + ad.len(), open).map_err(refused)?;
                Ok(len)
            }

            fn __repr__(&self) -> String {
                format!("{}(backend='{}')", stringify!($cipher), self.backend())
            }
        }
    };
}

type Inputs<'py, const N: usize> = ([u8; N], Input<'py>, Option<Input<'py>>);

/// The three inputs every method takes.
fn inputs<'py, const N: usize>(
    py: Python<'py>,
    nonce: &Bound<'py, PyAny>,
    data: &Bound<'py, PyAny>,
    associated_data: Option<&Bound<'py, PyAny>>,
) -> PyResult<Inputs<'py, N>> {
    let nonce = Input::get("nonce", nonce)?.array(py, "nonce")?;
    let data = Input::get("data", data)?;
    let ad = associated_data
        .map(|ad| Input::get("associated_data", ad))
        .transpose()?;
    Ok((nonce, data, ad))
}

/// What constructing a cipher warns of.
fn warn(py: Python<'_>, name: &str) -> PyResult<()> {
    if name != roundworks::Aether::NAME {
        return Ok(());
    }
    let text = c"aether is forgeable as published: after one query for A, M1 || M2 the boundary \
        shift (pad(A) || M1, C2, T) verifies without the key; for study only, see AetherLb";
    PyErr::warn(py, &py.get_type::<ResearchOnlyWarning>(), text, 1)
}

macro_rules! classes {
    ($($cipher:ident $about:literal,)*) => {
        $(class! { $cipher $about })*

        /// Puts every class into the module, in the order of the list.
        pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
            $(module.add_class::<$cipher>()?;)*
            Ok(())
        }
    };
}
roundworks::for_each_cipher!(classes);
