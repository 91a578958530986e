//! Bytes that cross the boundary. The one home of `unsafe` in this crate.
//!
//! A buffer that is not `bytes` can be written by any thread that has it. What is read or written
//! while the GIL is released is therefore either a copy, or memory of which the documentation says
//! that no other thread may write to it during the call.
#![allow(unsafe_code)]

use std::marker::PhantomData;
use std::ops::Deref;
use std::ptr::NonNull;

use pyo3::buffer::PyUntypedBuffer;
use pyo3::exceptions::{PyBufferError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyMemoryView};
use zeroize::Zeroizing;

use crate::memory;

/// Bytes to read: `bytes`, which never change, or any other contiguous buffer.
pub(crate) enum Input<'py> {
    /// With where its bytes are: to look it up in Python each time costs as much as a short message.
    Bytes {
        bytes: NonNull<[u8]>,
        _of: Bound<'py, PyBytes>,
    },
    Buffer(PyUntypedBuffer),
}

/// The bytes of `bytes`, and of nothing else.
#[inline(always)]
pub(crate) fn exactly_bytes<'a>(object: &'a Bound<'_, PyAny>) -> Option<&'a [u8]> {
    Some(object.cast_exact::<PyBytes>().ok()?.as_bytes())
}

/// `data: want a contiguous bytes-like object, got str`
pub(crate) fn wrong_type(what: &str, want: &str, got: &Bound<'_, PyAny>) -> PyErr {
    match got.get_type().name() {
        Ok(name) => PyTypeError::new_err(format!("{what}: want {want}, got {name}")),
        Err(error) => error,
    }
}

/// Of an object whose type has buffers why this one gives none, such as a released `memoryview`; a
/// signal or want of memory goes through.
fn no_buffer(what: &str, want: &str, object: &Bound<'_, PyAny>, cause: PyErr) -> PyErr {
    let py = object.py();
    if cause.is_instance_of::<PyTypeError>(py) {
        return wrong_type(what, want, object);
    }
    if !cause.is_instance_of::<PyValueError>(py) && !cause.is_instance_of::<PyBufferError>(py) {
        return cause;
    }
    let why = cause.value(py);
    let error = match object.get_type().name() {
        Ok(got) => PyValueError::new_err(format!(
            "{what}: want {want}, got {got} that gives none: {why}"
        )),
        Err(error) => error,
    };
    error.set_cause(py, Some(cause));
    error
}

/// `buf: want 32 bytes, got 16`
#[inline]
pub(crate) fn check_size(what: &str, got: usize, want: usize) -> PyResult<()> {
    if got == want {
        return Ok(());
    }
    Err(wrong_size(what, got, want))
}

#[cold]
fn wrong_size(what: &str, got: usize, want: usize) -> PyErr {
    let text = format!("{what}: want {want} bytes, got {got}");
    PyValueError::new_err(text)
}

/// The buffer of any object that has one, if its items are single bytes without gaps; else `remedy`
/// says what to do.
fn contiguous(
    what: &str,
    want: &str,
    remedy: &str,
    object: &Bound<'_, PyAny>,
) -> PyResult<PyUntypedBuffer> {
    let buffer = PyUntypedBuffer::get(object).or_else(|cause| with_strides(object).ok_or(cause));
    let buffer = buffer.map_err(|cause| no_buffer(what, want, object, cause))?;
    let size = buffer.item_size();
    if size != 1 {
        let text =
            format!("{what}: want items of 1 byte, got {size}; pass memoryview(x).cast('B')");
        return Err(PyTypeError::new_err(text));
    }
    if !buffer.is_c_contiguous() {
        let text = format!("{what}: want contiguous memory, got a strided view; {remedy}");
        return Err(PyTypeError::new_err(text));
    }
    Ok(buffer)
}

/// The same bytes by a `memoryview`, which has the strides that ctypes leaves out, and, cast to one axis, those
/// of a buffer without any.
fn with_strides(object: &Bound<'_, PyAny>) -> Option<PyUntypedBuffer> {
    let mut view = PyMemoryView::from(object).ok()?.into_any();
    if view.getattr("ndim").ok()?.extract::<usize>().ok()? == 0 {
        view = view.call_method1("cast", ("B",)).ok()?;
    }
    PyUntypedBuffer::get(&view).ok()
}

/// First byte of a buffer; a null pointer can only mean that it is empty.
fn start(buffer: &PyUntypedBuffer) -> NonNull<u8> {
    NonNull::new(buffer.buf_ptr().cast()).unwrap_or(NonNull::dangling())
}

impl<'py> Input<'py> {
    #[inline]
    pub(crate) fn get(what: &str, object: &Bound<'py, PyAny>) -> PyResult<Self> {
        Self::wanting(what, "a bytes-like object", object)
    }

    #[inline]
    pub(crate) fn wanting(what: &str, want: &str, object: &Bound<'py, PyAny>) -> PyResult<Self> {
        if let Ok(bytes) = object.cast::<PyBytes>() {
            return Ok(Self::Bytes {
                bytes: NonNull::from(bytes.as_bytes()),
                _of: bytes.clone(),
            });
        }
        contiguous(what, want, "pass a contiguous copy", object).map(Self::Buffer)
    }

    /// The bytes themselves; see the head of this file.
    #[inline]
    pub(crate) fn bytes(&self) -> &[u8] {
        match self {
            // SAFETY: those of the object, which lives as long as `self` and never changes.
            Self::Bytes { bytes, .. } => unsafe { bytes.as_ref() },
            // SAFETY: `contiguous` found single bytes without gaps, and they stay exported while
            // `self` lives. That nobody writes them is a duty of the callers' documentation.
            Self::Buffer(buffer) => unsafe {
                std::slice::from_raw_parts(start(buffer).as_ptr(), buffer.len_bytes())
            },
        }
    }

    /// The bytes, copied if `copy` and they could change.
    #[inline]
    pub(crate) fn fixed(&self, copy: bool) -> PyResult<Fixed<'_>> {
        Ok(match self {
            Self::Buffer(_) if copy => Fixed::Copy(Zeroizing::new(memory::copied(self.bytes())?)),
            _ => Fixed::Same(self.bytes()),
        })
    }

    /// Sizes along each axis; one for `bytes`.
    pub(crate) fn shape(&self) -> Vec<usize> {
        match self {
            Self::Bytes { bytes, .. } => vec![bytes.len()],
            Self::Buffer(buffer) => buffer.shape().to_vec(),
        }
    }

    /// The bytes to be replaced where they stand, if `data` is what an [`Output`] shares its first
    /// byte with.
    pub(crate) fn in_place(&mut self) -> PyResult<&mut [u8]> {
        match self {
            Self::Buffer(buffer) if !buffer.readonly() => {
                // SAFETY: as in `bytes`, and writable. The caller has no other slice of it: the
                // one `Output` that it overlaps is left alone, and other inputs are copies.
                Ok(unsafe {
                    std::slice::from_raw_parts_mut(start(buffer).as_ptr(), buffer.len_bytes())
                })
            }
            _ => Err(PyTypeError::new_err(
                "data: want a writable buffer to decrypt in place, got a read-only view",
            )),
        }
    }
}

/// Bytes that stay as they are.
pub(crate) enum Fixed<'a> {
    Same(&'a [u8]),
    Copy(Zeroizing<Vec<u8>>),
}

impl Deref for Fixed<'_> {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::Same(bytes) => bytes,
            Self::Copy(bytes) => bytes,
        }
    }
}

/// Bytes to write: any writable contiguous buffer, or a `bytearray` that nothing else can resize.
pub(crate) enum Output<'a> {
    Buffer(PyUntypedBuffer),
    /// Where its bytes are while the caller has it.
    Array(NonNull<[u8]>, PhantomData<&'a PyByteArray>),
}

/// Where an output is, seen from an input.
#[derive(PartialEq, Eq)]
pub(crate) enum Place {
    /// It begins at the same byte.
    Same,
    /// No byte is in both.
    Apart,
    Overlapping,
}

impl<'a> Output<'a> {
    /// A writable buffer.
    pub(crate) fn get(what: &str, object: &Bound<'_, PyAny>) -> PyResult<Self> {
        let kind = "a writable bytes-like object, such as a bytearray";
        // A copy alone would get the result, and the view that was meant nothing.
        let remedy = "pass a contiguous copy, then copy back";
        let buffer = contiguous(what, kind, remedy, object)?;
        if buffer.readonly() {
            return Err(wrong_type(what, kind, object));
        }
        Ok(Self::Buffer(buffer))
    }

    /// The same for a caller that holds the GIL for as long as it has it: a `bytearray` then needs no
    /// export, which costs as much as a short message.
    pub(crate) fn attached(what: &str, object: &'a Bound<'_, PyAny>) -> PyResult<Self> {
        Self::array(object).map_or_else(|| Self::get(what, object), Ok)
    }

    /// The same of a `bytearray`, and of nothing else.
    #[inline(always)]
    pub(crate) fn array(object: &'a Bound<'_, PyAny>) -> Option<Self> {
        let array = object.cast_exact::<PyByteArray>().ok()?;
        let start = NonNull::new(array.data()).unwrap_or(NonNull::dangling());
        let bytes = NonNull::slice_from_raw_parts(start, array.len());
        Some(Self::Array(bytes, PhantomData))
    }

    #[inline]
    fn len(&self) -> usize {
        match self {
            Self::Buffer(buffer) => buffer.len_bytes(),
            Self::Array(bytes, _) => bytes.len(),
        }
    }

    #[inline]
    fn start(&self) -> *mut u8 {
        match self {
            Self::Buffer(buffer) => start(buffer).as_ptr(),
            Self::Array(bytes, _) => bytes.as_ptr().cast(),
        }
    }

    /// Of just that size.
    #[inline]
    pub(crate) fn sized(self, what: &str, want: usize) -> PyResult<Self> {
        check_size(what, self.len(), want).map(|()| self)
    }

    /// Sizes along each axis.
    pub(crate) fn shape(&self) -> Vec<usize> {
        match self {
            Self::Buffer(buffer) => buffer.shape().to_vec(),
            Self::Array(bytes, _) => vec![bytes.len()],
        }
    }

    #[inline]
    pub(crate) fn place(&self, data: &Input<'_>) -> Place {
        let data = data.bytes();
        let (from, to) = (data.as_ptr() as usize, self.start() as usize);
        let space = self.len();
        let empty = data.is_empty() || space == 0;
        if empty || from + data.len() <= to || to + space <= from {
            Place::Apart
        } else if from == to {
            Place::Same
        } else {
            Place::Overlapping
        }
    }

    /// The bytes to write; see the head of this file.
    #[inline]
    pub(crate) fn bytes(&mut self) -> &mut [u8] {
        // SAFETY: `get` found single bytes without gaps, writable, and they stay exported while
        // `self` lives; a `bytearray` of `attached` is not resized, as no other code runs. The
        // callers hold no slice of an input that shares one of them, as `place` says. That no other
        // thread uses them is a duty of the callers' documentation.
        unsafe { std::slice::from_raw_parts_mut(self.start(), self.len()) }
    }
}
