//! The arguments of a call with many messages: what each message has of them.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};
use roundworks::Cipher;

use crate::buffer::{Input, Output, Place};
use crate::memory;

/// One argument: what each message has of it.
pub(super) enum Column<'py> {
    /// The same bytes for all.
    Same(Input<'py>),
    /// An array of shape (N, bytes).
    Rows(Input<'py>, [usize; 2]),
    List(Vec<Input<'py>>),
}

impl<'py> Column<'py> {
    fn get(what: &str, object: &Bound<'py, PyAny>) -> PyResult<Self> {
        if let Ok(list) = object.cast::<PyList>() {
            let items = list.iter().enumerate().map(|i| item(what, i));
            return memory::collected(items).map(Self::List);
        }
        if let Ok(tuple) = object.cast::<PyTuple>() {
            let items = tuple.iter().enumerate().map(|i| item(what, i));
            return memory::collected(items).map(Self::List);
        }
        let want = "a list of bytes-like objects or an array of shape (N, bytes)";
        let rows = Input::wanting(what, want, object)?;
        match rows.shape()[..] {
            [n, bytes] => Ok(Self::Rows(rows, [n, bytes])),
            [_] => Ok(Self::Same(rows)),
            ref other => {
                let text = format!("{what}: want an array of shape (N, bytes), got {other:?}");
                Err(PyValueError::new_err(text))
            }
        }
    }

    /// A column of its own for each message.
    fn of_each(what: &str, object: &Bound<'py, PyAny>) -> PyResult<Self> {
        match Self::get(what, object)? {
            Self::Same(_) => Err(PyTypeError::new_err(format!(
                "{what}: want a list of bytes-like objects or an array of shape (N, bytes), got \
                 one message"
            ))),
            column => Ok(column),
        }
    }

    /// Number of messages; `None` if any.
    fn count(&self) -> Option<usize> {
        match self {
            Self::Same(_) => None,
            Self::Rows(_, [n, _]) => Some(*n),
            Self::List(items) => Some(items.len()),
        }
    }

    fn inputs(&self) -> &[Input<'py>] {
        match self {
            Self::Same(one) | Self::Rows(one, _) => std::slice::from_ref(one),
            Self::List(items) => items,
        }
    }

    fn view(&self) -> PyResult<View<'_>> {
        Ok(match self {
            Self::Same(one) => View::Same(one.bytes()),
            Self::Rows(rows, [_, width]) => View::Rows(rows.bytes(), *width),
            Self::List(items) => View::List(memory::collected(
                items.iter().map(|item| Ok(item.bytes())),
            )?),
        })
    }
}

fn item<'py>(what: &str, (i, object): (usize, Bound<'py, PyAny>)) -> PyResult<Input<'py>> {
    Input::get(&format!("{what}[{i}]"), &object)
}

/// A column without the GIL.
pub(super) enum View<'a> {
    Same(&'a [u8]),
    Rows(&'a [u8], usize),
    List(Vec<&'a [u8]>),
}

impl<'a> View<'a> {
    pub(super) fn at(&self, i: usize) -> &'a [u8] {
        match self {
            Self::Same(bytes) => bytes,
            Self::Rows(bytes, width) => &bytes[i * width..][..*width],
            Self::List(items) => items[i],
        }
    }
}

/// The three inputs of a call, as long as each other.
pub(super) struct Columns<'py> {
    nonces: Column<'py>,
    pub(super) data: Column<'py>,
    ad: Option<Column<'py>>,
    pub(super) count: usize,
}

impl<'py> Columns<'py> {
    pub(super) fn get(
        cipher: &dyn Cipher,
        nonces: &Bound<'py, PyAny>,
        data: &Bound<'py, PyAny>,
        ad: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Self> {
        let nonces = Column::of_each("nonces", nonces)?;
        let data = Column::of_each("data", data)?;
        let ad = ad
            .map(|ad| Column::get("associated_data", ad))
            .transpose()?;
        let count = data.count().expect("of each");
        let columns = [("nonces", Some(&nonces)), ("associated_data", ad.as_ref())];
        for (what, column) in columns {
            let actual = column.and_then(Column::count).unwrap_or(count);
            if actual != count {
                let text = format!("{what}: want one for each of {count} messages, got {actual}");
                return Err(PyValueError::new_err(text));
            }
        }
        let want = cipher.facts().nonce_bytes;
        let view = nonces.view()?;
        if let Some(got) = (0..count)
            .map(|i| view.at(i).len())
            .find(|&len| len != want)
        {
            let text = format!("nonces: want {want} bytes each, got {got}");
            return Err(PyValueError::new_err(text));
        }
        Ok(Self {
            nonces,
            data,
            ad,
            count,
        })
    }

    pub(super) fn views(&self) -> PyResult<Views<'_>> {
        Ok(Views {
            nonces: self.nonces.view()?,
            ad: self.ad.as_ref().map_or(Ok(View::Same(&[])), Column::view)?,
            data: self.data.view()?,
        })
    }

    /// Where an array of results of `width` bytes each goes: `out`, or a new array.
    pub(super) fn array(
        &self,
        py: Python<'py>,
        out: Option<&Bound<'py, PyAny>>,
        width: usize,
    ) -> PyResult<(Bound<'py, PyAny>, Output<'py>)> {
        let shape = [self.count, width];
        let object = match out {
            Some(out) => out.clone(),
            None => numpy(py)?.call_method1("empty", (shape, "uint8"))?,
        };
        let output = Output::get("out", &object)?;
        if *output.shape() != shape {
            let (want, got) = (shape, output.shape());
            let text = format!("out: want an array of shape {want:?}, got {got:?}");
            return Err(PyValueError::new_err(text));
        }
        let inputs = [Some(&self.nonces), Some(&self.data), self.ad.as_ref()];
        let mut inputs = inputs.into_iter().flatten().flat_map(Column::inputs);
        if inputs.any(|input| output.place(input) != Place::Apart) {
            let text = "out: overlaps an input; want memory of its own";
            return Err(PyValueError::new_err(text));
        }
        Ok((object, output))
    }
}

pub(super) fn numpy(py: Python<'_>) -> PyResult<Bound<'_, PyModule>> {
    py.import("numpy")
}

/// The same without the GIL.
pub(super) struct Views<'a> {
    pub(super) nonces: View<'a>,
    pub(super) ad: View<'a>,
    pub(super) data: View<'a>,
}
