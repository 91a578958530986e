//! Bytes that cross the border. The one home of `unsafe` in this crate.
#![allow(unsafe_code)]

use std::ptr::NonNull;

use pyo3::buffer::PyUntypedBuffer;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// Bytes to read: `bytes`, which never change, or any other contiguous buffer.
pub(crate) enum Input<'py> {
    Bytes(Bound<'py, PyBytes>),
    Buffer(PyUntypedBuffer),
}

/// `data: want a contiguous bytes-like object, got str`
fn wrong_type(what: &str, want: &str, got: &Bound<'_, PyAny>) -> PyErr {
    match got.get_type().name() {
        Ok(name) => PyTypeError::new_err(format!("{what}: want {want}, got {name}")),
        Err(error) => error,
    }
}

/// The buffer of any object that has one, if its items are single bytes without gaps.
fn contiguous(what: &str, want: &str, object: &Bound<'_, PyAny>) -> PyResult<PyUntypedBuffer> {
    let buffer = PyUntypedBuffer::get(object).map_err(|_| wrong_type(what, want, object))?;
    let size = buffer.item_size();
    if size != 1 {
        let text =
            format!("{what}: want items of 1 byte, got {size}; pass memoryview(x).cast('B')");
        return Err(PyTypeError::new_err(text));
    }
    if !buffer.is_c_contiguous() {
        let text = format!("{what}: want contiguous memory, got a strided view; pass bytes(x)");
        return Err(PyTypeError::new_err(text));
    }
    Ok(buffer)
}

impl<'py> Input<'py> {
    pub(crate) fn get(what: &str, object: &Bound<'py, PyAny>) -> PyResult<Self> {
        if let Ok(bytes) = object.cast::<PyBytes>() {
            return Ok(Self::Bytes(bytes.clone()));
        }
        contiguous(what, "a bytes-like object", object).map(Self::Buffer)
    }

    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Bytes(bytes) => bytes.as_bytes().len(),
            Self::Buffer(buffer) => buffer.len_bytes(),
        }
    }

    /// First byte; only to be compared with other addresses or read through here.
    fn start(&self) -> *const u8 {
        match self {
            Self::Bytes(bytes) => bytes.as_bytes().as_ptr(),
            Self::Buffer(buffer) => buffer.buf_ptr().cast(),
        }
    }

    /// Copies the bytes from `at` on into all of `to`, which is ours alone. Holding the GIL
    /// (`_py`), no other Python thread writes them meanwhile.
    pub(crate) fn copy(&self, _py: Python<'_>, at: usize, to: &mut [u8]) {
        let end = at.checked_add(to.len());
        assert!(
            end.is_some_and(|end| end <= self.len()),
            "the caller asked for more bytes than there are"
        );
        // SAFETY: the assertion keeps the source inside the buffer, which stays exported while
        // `self` lives. `to` is an exclusive borrow of memory of another object.
        unsafe { self.start().add(at).copy_to(to.as_mut_ptr(), to.len()) }
    }

    /// Exactly N bytes, or `nonce: want 16 bytes, got 12`.
    pub(crate) fn array<const N: usize>(&self, py: Python<'_>, what: &str) -> PyResult<[u8; N]> {
        let mut array = [0; N];
        if self.len() != N {
            let text = format!("{what}: want {N} bytes, got {}", self.len());
            return Err(PyValueError::new_err(text));
        }
        self.copy(py, 0, &mut array);
        Ok(array)
    }

    /// The bytes, still readable after the GIL is released: copied if they could change.
    pub(crate) fn stable(&self, py: Python<'_>) -> std::borrow::Cow<'_, [u8]> {
        match self {
            Self::Bytes(bytes) => bytes.as_bytes().into(),
            Self::Buffer(_) => {
                let mut copy = vec![0; self.len()];
                self.copy(py, 0, &mut copy);
                copy.into()
            }
        }
    }
}

/// Bytes to write.
pub(crate) struct Output(PyUntypedBuffer);

impl Output {
    /// A writable buffer of exactly `want` bytes that begins where `data` begins, or does not
    /// touch it.
    pub(crate) fn get(object: &Bound<'_, PyAny>, want: usize, data: &Input<'_>) -> PyResult<Self> {
        let kind = "a writable bytes-like object, such as a bytearray";
        let buffer = contiguous("buf", kind, object)?;
        if buffer.readonly() {
            return Err(wrong_type("buf", kind, object));
        }
        let got = buffer.len_bytes();
        if got != want {
            return Err(PyValueError::new_err(format!(
                "buf: want {want} bytes, got {got}"
            )));
        }
        let (from, to) = (data.start() as usize, buffer.buf_ptr() as usize);
        let apart = from + data.len() <= to || to + got <= from;
        if from != to && !apart {
            let text = "buf: overlaps data; want the same first byte, or no common byte";
            return Err(PyValueError::new_err(text));
        }
        Ok(Self(buffer))
    }

    /// The bytes to write, of which the first `len` already hold those of `data`. They belong to
    /// a Python object, so whoever calls from Python must not touch them from another thread
    /// meanwhile; the documentation of the callers says so.
    ///
    /// The copy comes before the slice: in place, `data` is the same memory, which nobody may read
    /// but through the slice once there is one.
    pub(crate) fn holding(&mut self, _py: Python<'_>, data: &Input<'_>, len: usize) -> &mut [u8] {
        let room = self.0.len_bytes();
        let start = NonNull::new(self.0.buf_ptr().cast()).unwrap_or(NonNull::dangling());
        assert!(len <= room && len <= data.len(), "too short for a copy");
        if data.start() != start.as_ptr() {
            // SAFETY: `len` bytes are there on both sides by the assertion, both buffers stay
            // exported, and `copy_to` allows any overlap. Holding the GIL (`_py`), no other Python
            // thread writes them meanwhile.
            unsafe { data.start().copy_to(start.as_ptr(), len) }
        }
        // SAFETY: `get` found the buffer writable, contiguous and of single bytes; it stays
        // exported while `self` lives, and a null pointer can only mean that it is empty. That
        // nobody else uses the bytes is the documented duty of the Python caller.
        unsafe { std::slice::from_raw_parts_mut(start.as_ptr(), room) }
    }
}
