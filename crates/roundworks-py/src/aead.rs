//! The class behind every AEAD of `roundworks.aead`, in the shape of pyca/cryptography.
//!
//! A cipher's own class is a line of `aead.py`, which gives its name; `__init_subclass__` looks up
//! the rest.

use std::ffi::CString;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple, PyType};
use roundworks::{Cipher, Error, Facts};
use zeroize::zeroize_stack;

use crate::buffer::{Fixed, Input, Output, Place, check_size, exactly_bytes};
use crate::errors::{ResearchOnlyWarning, no_such_size, raised};
use crate::gil::{detached, worth_it};
use crate::gpu;
use crate::incremental::{Decryptor, Encryptor};
use crate::keyed::{self, LIBRARY, facts_of, optional_backend, optional_size};
use crate::many;
use crate::memory;

#[doc = stub!("Aead")]
#[pyclass(frozen, subclass, module = "roundworks._native")]
pub(crate) struct Aead(pub(crate) Box<dyn Cipher>);

impl Aead {
    pub(crate) fn cipher(&self) -> &dyn Cipher {
        &*self.0
    }

    /// A nonce of the right size.
    pub(crate) fn nonce<'py>(&self, nonce: &Bound<'py, PyAny>) -> PyResult<Input<'py>> {
        let nonce = Input::get("nonce", nonce)?;
        let want = self.cipher().facts().nonce_bytes;
        check_size("nonce", nonce.bytes().len(), want).map(|()| nonce)
    }

    fn given<'py>(
        &self,
        nonce: &Bound<'py, PyAny>,
        data: &Bound<'py, PyAny>,
        ad: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Given<'py>> {
        let nonce = self.nonce(nonce)?;
        let data = Input::get("data", data)?;
        let ad = ad.map(|ad| Input::get("associated_data", ad)).transpose()?;
        let ad_bytes = ad.as_ref().map_or(0, |ad| ad.bytes().len());
        let detach = worth_it(data.bytes().len() + ad_bytes);
        Ok(Given {
            nonce,
            data,
            ad,
            detach,
        })
    }

    /// `encrypt_into` of a short message that comes in `bytes` and goes to a `bytearray`: they share
    /// nothing, and nothing is exported, copied or moved. None if it is another case, or to be refused.
    #[inline(always)]
    fn short(
        &self,
        nonce: &Bound<'_, PyAny>,
        data: &Bound<'_, PyAny>,
        ad: Option<&Bound<'_, PyAny>>,
        buf: &Bound<'_, PyAny>,
    ) -> Option<Result<usize, Error>> {
        let (nonce, data) = (exactly_bytes(nonce)?, exactly_bytes(data)?);
        let ad = ad.map_or(Some(&[][..]), exactly_bytes)?;
        let mut out = Output::array(buf)?;
        let (out, cipher) = (out.bytes(), self.cipher());
        let fits = out.len() == cipher.sealed_bytes(data.len());
        let short = !worth_it(data.len() + ad.len());
        (fits && short).then(|| cipher.seal_into(nonce, ad, data, out))
    }
}

/// What every method takes.
struct Given<'py> {
    nonce: Input<'py>,
    data: Input<'py>,
    ad: Option<Input<'py>>,
    detach: bool,
}

impl<'py> Given<'py> {
    /// Where the result goes.
    fn output<'a>(&self, buf: &'a Bound<'_, PyAny>) -> PyResult<Output<'a>> {
        if self.detach {
            Output::get("buf", buf)
        } else {
            Output::attached("buf", buf)
        }
    }

    /// Whether `out` is where the data is.
    fn in_place(&self, out: &Output<'_>) -> PyResult<bool> {
        match out.place(&self.data) {
            Place::Same => Ok(true),
            Place::Apart => Ok(false),
            Place::Overlapping => Err(PyValueError::new_err(
                "buf: overlaps data; want the same first byte, or no common byte",
            )),
        }
    }
}

/// None is the same as empty; copied if `copy` and it could change.
fn fixed<'a>(ad: Option<&'a Input<'_>>, copy: bool) -> PyResult<Fixed<'a>> {
    ad.map_or(Ok(Fixed::Same(&[])), |ad| ad.fixed(copy))
}

#[pymethods]
impl Aead {
    #[new]
    #[classmethod]
    #[pyo3(signature = (key, *, tag_bytes=None, backend=None))]
    fn new(
        class: &Bound<'_, PyType>,
        key: &Bound<'_, PyAny>,
        tag_bytes: Option<&Bound<'_, PyAny>>,
        backend: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let facts = facts_of(class)?;
        let name = facts[0].name;
        let tag_bytes = optional_size(&facts, tag_bytes)?;
        let backend = optional_backend(facts[0], backend)?;
        let key = Input::get("key", key)?;
        let keyed = keyed::keyed(name, key.bytes(), tag_bytes, backend);
        zeroize_stack::<1024>(); // where `keyed` moved the key to its box
        let keyed = keyed.map_err(raised)?;
        warn(class.py(), facts[0])?;
        Ok(Self(keyed))
    }

    #[doc = stub!("Aead.__init_subclass__")]
    #[classmethod]
    #[pyo3(signature = (*, name=None))]
    fn __init_subclass__(class: &Bound<'_, PyType>, name: Option<&str>) -> PyResult<()> {
        let Some(name) = name else {
            return Ok(());
        };
        let facts = keyed::facts(name)?;
        let sizes = facts.iter().map(|facts| facts.tag_bytes);
        class.setattr("NAME", facts[0].name)?;
        class.setattr("KEY_BYTES", facts[0].key_bytes)?;
        class.setattr("NONCE_BYTES", facts[0].nonce_bytes)?;
        class.setattr("TAG_BYTES", facts[0].tag_bytes)?;
        let sizes = PyTuple::new(class.py(), sizes.collect::<Vec<_>>())?;
        class.setattr("TAG_SIZES", sizes)
    }

    #[doc = stub!("Aead.generate_key")]
    #[classmethod]
    fn generate_key<'py>(class: &Bound<'py, PyType>) -> PyResult<Bound<'py, PyAny>> {
        let size = facts_of(class)?[0].key_bytes;
        class.py().import("os")?.call_method1("urandom", (size,))
    }

    #[doc = stub!("Aead.backends")]
    #[classmethod]
    fn backends(class: &Bound<'_, PyType>) -> PyResult<Vec<(&'static str, bool)>> {
        let all = facts_of(class)?[0].backends;
        if all.is_empty() {
            return Ok(vec![(LIBRARY, true)]);
        }
        Ok(all.iter().map(|b| (b.name(), b.is_available())).collect())
    }

    #[doc = stub!("Aead.backend")]
    #[getter]
    fn backend(&self) -> &'static str {
        match (self.cipher().backend_name(), self.cipher().facts().backends) {
            (gpu::NAME, _) => gpu::NAME,
            (_, []) => LIBRARY,
            (name, _) => name,
        }
    }

    #[doc = stub!("Aead.tag_bytes")]
    #[getter]
    fn tag_bytes(&self) -> usize {
        self.cipher().facts().tag_bytes
    }

    #[doc = stub!("Aead.sealed_bytes")]
    fn sealed_bytes(&self, data_bytes: usize) -> usize {
        self.cipher().sealed_bytes(data_bytes)
    }

    #[doc = stub!("Aead.opened_bytes")]
    fn opened_bytes(&self, sealed_bytes: usize) -> Option<usize> {
        self.cipher().opened_bytes(sealed_bytes)
    }

    #[doc = stub!("Aead.encrypt")]
    #[pyo3(signature = (nonce, data, associated_data=None))]
    fn encrypt<'py>(
        &self,
        py: Python<'py>,
        nonce: &Bound<'py, PyAny>,
        data: &Bound<'py, PyAny>,
        associated_data: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let given = self.given(nonce, data, associated_data)?;
        let copy = given.detach;
        let (nonce, ad) = (given.nonce.fixed(copy)?, fixed(given.ad.as_ref(), copy)?);
        let data = given.data.fixed(copy)?;
        let cipher = self.cipher();
        PyBytes::new_with(py, cipher.sealed_bytes(data.len()), |out| {
            let seal = || cipher.seal_into(&nonce, &ad, &data, out);
            detached(py, given.detach, seal).map_err(raised).map(drop)
        })
    }

    #[doc = stub!("Aead.decrypt")]
    #[pyo3(signature = (nonce, data, associated_data=None))]
    fn decrypt<'py>(
        &self,
        py: Python<'py>,
        nonce: &Bound<'py, PyAny>,
        data: &Bound<'py, PyAny>,
        associated_data: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let given = self.given(nonce, data, associated_data)?;
        let copy = given.detach;
        let (nonce, ad) = (given.nonce.fixed(copy)?, fixed(given.ad.as_ref(), copy)?);
        let data = given.data.fixed(copy)?;
        open(py, self.cipher(), &nonce, &ad, &data)
    }

    #[doc = stub!("Aead.encrypt_into")]
    fn encrypt_into<'py>(
        &self,
        py: Python<'py>,
        nonce: &Bound<'py, PyAny>,
        data: &Bound<'py, PyAny>,
        associated_data: Option<&Bound<'py, PyAny>>,
        buf: &Bound<'py, PyAny>,
    ) -> PyResult<usize> {
        if let Some(done) = self.short(nonce, data, associated_data, buf) {
            return done.map_err(raised);
        }
        let given = self.given(nonce, data, associated_data)?;
        let cipher = self.cipher();
        let len = given.data.bytes().len();
        let mut out = given.output(buf)?.sized("buf", cipher.sealed_bytes(len))?;
        let in_place = given.in_place(&out)?;
        // Copies, as they may share memory with `buf`.
        let (nonce, ad) = (given.nonce.fixed(true)?, fixed(given.ad.as_ref(), true)?);
        let done = if in_place {
            let out = out.bytes();
            detached(py, given.detach, || {
                cipher.seal_in_place(&nonce, &ad, out, len)
            })
        } else {
            let (data, out) = (given.data.bytes(), out.bytes());
            detached(py, given.detach, || {
                cipher.seal_into(&nonce, &ad, data, out)
            })
        };
        done.map_err(raised)
    }

    #[doc = stub!("Aead.decrypt_into")]
    fn decrypt_into<'py>(
        &self,
        py: Python<'py>,
        nonce: &Bound<'py, PyAny>,
        data: &Bound<'py, PyAny>,
        associated_data: Option<&Bound<'py, PyAny>>,
        buf: &Bound<'py, PyAny>,
    ) -> PyResult<usize> {
        let given = self.given(nonce, data, associated_data)?;
        let cipher = self.cipher();
        let mut out = given.output(buf)?;
        let in_place = given.in_place(&out)?;
        let actual = given.data.bytes().len();
        let Some(space) = cipher.opened_bytes(actual) else {
            out.bytes().fill(0);
            return Err(no_such_size(actual));
        };
        let mut out = out.sized("buf", space)?;
        let Given {
            nonce,
            mut data,
            ad,
            detach,
        } = given;
        // Copies, as they may share memory with `buf`.
        let (nonce, ad) = (nonce.fixed(true)?, fixed(ad.as_ref(), true)?);
        let done = if in_place {
            let data = data.in_place()?;
            detached(py, detach, || cipher.open_in_place(&nonce, &ad, data))
        } else {
            let (data, out) = (data.bytes(), out.bytes());
            detached(py, detach, || cipher.open_into(&nonce, &ad, data, out))
        };
        done.map_err(raised)
    }

    #[doc = stub!("Aead.encryptor")]
    fn encryptor(slf: &Bound<'_, Self>, nonce: &Bound<'_, PyAny>) -> PyResult<Encryptor> {
        Encryptor::new(slf, nonce)
    }

    #[doc = stub!("Aead.decryptor")]
    fn decryptor(slf: &Bound<'_, Self>, nonce: &Bound<'_, PyAny>) -> PyResult<Decryptor> {
        Decryptor::new(slf, nonce)
    }

    #[doc = stub!("Aead.seal_many")]
    #[pyo3(signature = (nonces, data, associated_data=None, *, out=None))]
    fn seal_many<'py>(
        &self,
        py: Python<'py>,
        nonces: &Bound<'py, PyAny>,
        data: &Bound<'py, PyAny>,
        associated_data: Option<&Bound<'py, PyAny>>,
        out: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        many::seal(py, self.cipher(), nonces, data, associated_data, out)
    }

    #[doc = stub!("Aead.open_many")]
    #[pyo3(signature = (nonces, data, associated_data=None, *, out=None))]
    fn open_many<'py>(
        &self,
        py: Python<'py>,
        nonces: &Bound<'py, PyAny>,
        data: &Bound<'py, PyAny>,
        associated_data: Option<&Bound<'py, PyAny>>,
        out: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        many::open(py, self.cipher(), nonces, data, associated_data, out)
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        let class = slf.get_type();
        let (name, it) = (class.name()?, slf.get());
        let backend = it.backend();
        Ok(if facts_of(&class)?.len() > 1 {
            let tag = it.tag_bytes();
            format!("{name}(tag_bytes={tag}, backend='{backend}')")
        } else {
            format!("{name}(backend='{backend}')")
        })
    }
}

/// The data in `sealed`, as a new object.
pub(crate) fn open<'py>(
    py: Python<'py>,
    cipher: &dyn Cipher,
    nonce: &[u8],
    ad: &[u8],
    sealed: &[u8],
) -> PyResult<Bound<'py, PyBytes>> {
    let actual = sealed.len();
    let space = cipher
        .opened_bytes(actual)
        .ok_or_else(|| no_such_size(actual))?;
    let mut written = space;
    let opened = PyBytes::new_with(py, space, |out| {
        let open = || cipher.open_into(nonce, ad, sealed, out);
        written = detached(py, worth_it(actual + ad.len()), open).map_err(raised)?;
        Ok(())
    })?;
    if written == space {
        return Ok(opened);
    }
    memory::object(py, &opened.as_bytes()[..written])
}

#[doc = stub!("cipher_names")]
#[pyfunction]
pub(crate) fn cipher_names() -> Vec<&'static str> {
    keyed::names()
}

/// What constructing a cipher warns of.
pub(crate) fn warn(py: Python<'_>, facts: &Facts) -> PyResult<()> {
    if !facts.study {
        return Ok(());
    }
    let text = if facts.name == roundworks::Aether::NAME {
        c"aether is forgeable as published: after one query for A, M1 || M2 the boundary shift \
            (pad(A) || M1, C2, T) verifies without the key; for study only"
            .to_owned()
    } else {
        CString::new(format!(
            "{}: for study only; nobody else has analysed it",
            facts.name
        ))?
    };
    PyErr::warn(py, &py.get_type::<ResearchOnlyWarning>(), &text, 1)
}
