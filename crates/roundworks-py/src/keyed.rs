//! Ciphers by name, ours, then the baselines; and what a cipher's class takes, by its facts.

use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyString, PyType};
use roundworks::{Backend, Cipher, Error, Facts};

use crate::buffer::wrong_type;
use crate::errors::{BackendUnavailable, unknown};

/// Sets the key. Out of line and boxed, so that the key moves no more once it is set and the
/// caller can clear the stack it moved over.
#[inline(never)]
pub(crate) fn keyed(
    name: &str,
    key: &[u8],
    tag_bytes: Option<usize>,
    backend: Option<Backend>,
) -> Result<Box<dyn Cipher>, Error> {
    match roundworks::cipher(name, key, tag_bytes, backend) {
        Err(Error::UnknownCipher) => roundworks_baselines::cipher(name, key),
        found => found,
    }
}

fn ciphers() -> impl Iterator<Item = &'static Facts> {
    roundworks::ciphers().chain(roundworks_baselines::ciphers())
}

/// What is fixed about the cipher called `name`: once for each size of tag, the default first.
pub(crate) fn facts(name: &str) -> PyResult<Vec<&'static Facts>> {
    let facts: Vec<_> = ciphers().filter(|facts| facts.name == name).collect();
    if facts.is_empty() {
        return Err(unknown("AEAD", name, names()));
    }
    Ok(facts)
}

/// Each name once.
pub(crate) fn names() -> Vec<&'static str> {
    let mut names: Vec<_> = ciphers().map(|facts| facts.name).collect();
    names.dedup();
    names
}

/// A back end by name.
pub(crate) fn backend(name: &str) -> PyResult<Backend> {
    let names = || Backend::ALL.map(Backend::name).to_vec();
    name.parse().map_err(|_| unknown("backend", name, names()))
}

/// The one back end of a cipher from a library.
pub(crate) const LIBRARY: &str = "library";

pub(crate) fn optional_backend(
    facts: &Facts,
    object: Option<&Bound<'_, PyAny>>,
) -> PyResult<Option<Backend>> {
    let Some(object) = object else {
        return Ok(None);
    };
    let Ok(name) = object.cast::<PyString>() else {
        return Err(wrong_type("backend", "str or None", object));
    };
    // Not every str has an encoding; one without is no name here.
    let name = &*name.to_string_lossy();
    if !facts.backends.is_empty() {
        return backend(name).map(Some);
    }
    if name == LIBRARY {
        return Ok(None);
    }
    backend(name)?;
    let text = format!("backend '{name}': {} is not written for it", facts.name);
    Err(BackendUnavailable::new_err(format!(
        "{text}; available: {LIBRARY}"
    )))
}

pub(crate) fn optional_size(
    facts: &[&Facts],
    object: Option<&Bound<'_, PyAny>>,
) -> PyResult<Option<usize>> {
    let Some(object) = object else {
        return Ok(None);
    };
    let mut sizes = facts.iter().map(|facts| facts.tag_bytes);
    let result = match object.extract::<isize>() {
        Ok(got) => sizes.clone().find(|&size| size as isize == got),
        Err(error) if error.is_instance_of::<PyOverflowError>(object.py()) => None,
        Err(_) => return Err(wrong_type("tag_bytes", "int or None", object)),
    };
    if result.is_some() {
        return Ok(result);
    }
    let actual = object.str();
    let actual = actual.map_or_else(|_| "a larger number".into(), |text| text.to_string());
    let first = sizes.next().unwrap_or_default().to_string();
    let sizes = sizes.fold(first, |all, size| format!("{all} or {size}"));
    let name = facts[0].name;
    let text = format!("tag_bytes: {name} has tags of {sizes} bytes, got {actual}");
    Err(PyValueError::new_err(text))
}

/// The facts of a class: once for each size of tag.
pub(crate) fn facts_of(class: &Bound<'_, PyType>) -> PyResult<Vec<&'static Facts>> {
    let Ok(name) = class.getattr("NAME") else {
        let class = class.name()?;
        return Err(PyTypeError::new_err(format!(
            "{class}: not a cipher; take a class of roundworks.aead, such as Aegis128L"
        )));
    };
    facts(name.extract()?)
}
