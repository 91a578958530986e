//! Many independent messages in one call: rows of arrays, or lists.

use std::mem;
use std::panic::resume_unwind;
use std::sync::Mutex;
use std::thread::{self, ScopedJoinHandle};

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyList, PySlice, PyTuple};
use roundworks::{Cipher, Error, Message};
use zeroize::Zeroizing;

use crate::aead::{detached, worth_it};
use crate::buffer::{Input, Output, Place};
use crate::errors::raised;
use crate::gpu;
use crate::memory;

/// Most messages that are handed to the core at a time; more than any back end interleaves.
const BATCH: usize = 256;
/// Bytes of results that are worth a thread: to begin and end one takes some 50 microseconds.
const THREAD_BYTES: usize = 2 << 20;

/// How many messages there are, how many are handed to the core at a time, and in how many threads.
#[derive(Clone, Copy)]
struct Plan {
    count: usize,
    batch: usize,
    threads: usize,
}

impl Plan {
    /// A GPU wants as many messages as there are. With several threads there are some batches for
    /// each, so that none is left with the last.
    fn of(cipher: &dyn Cipher, count: usize, bytes: usize) -> Self {
        if cipher.backend_name() == gpu::NAME {
            return Self {
                count,
                batch: count.max(1),
                threads: 1,
            };
        }
        let most = (bytes / THREAD_BYTES).min(count);
        let cores = || thread::available_parallelism().map_or(1, usize::from);
        let threads = if most > 1 { most.min(cores()) } else { 1 };
        let share = count.div_ceil(8 * threads).next_multiple_of(16);
        Self {
            count,
            batch: if threads > 1 { share.min(BATCH) } else { BATCH },
            threads,
        }
    }
}

/// One argument: what each message has of it.
enum Column<'py> {
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
enum View<'a> {
    Same(&'a [u8]),
    Rows(&'a [u8], usize),
    List(Vec<&'a [u8]>),
}

impl<'a> View<'a> {
    fn at(&self, i: usize) -> &'a [u8] {
        match self {
            Self::Same(bytes) => bytes,
            Self::Rows(bytes, width) => &bytes[i * width..][..*width],
            Self::List(items) => items[i],
        }
    }
}

/// The three inputs of a call, as long as each other.
struct Columns<'py> {
    nonces: Column<'py>,
    data: Column<'py>,
    ad: Option<Column<'py>>,
    count: usize,
}

impl<'py> Columns<'py> {
    fn get(
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

    fn views(&self) -> PyResult<Views<'_>> {
        Ok(Views {
            nonces: self.nonces.view()?,
            ad: self.ad.as_ref().map_or(Ok(View::Same(&[])), Column::view)?,
            data: self.data.view()?,
        })
    }

    /// Where an array of results of `width` bytes each goes: `out`, or a new array.
    fn array(
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

fn numpy(py: Python<'_>) -> PyResult<Bound<'_, PyModule>> {
    py.import("numpy")
}

struct Views<'a> {
    nonces: View<'a>,
    ad: View<'a>,
    data: View<'a>,
}

impl Views<'_> {
    /// Calls `work` with the messages and with the places for what was found in each, some at a time; the
    /// results of `size(data bytes)` each stand one after the other in `out`.
    fn batches<T: Send>(
        &self,
        plan: Plan,
        out: &mut [u8],
        places: &mut [T],
        size: impl Fn(usize) -> usize + Send,
        work: impl Fn(&mut [Message<'_>], &mut [T]) -> Result<(), Error> + Sync,
    ) -> Result<(), Error> {
        let Plan {
            count,
            batch,
            threads,
        } = plan;
        let (mut out, mut places) = (out, places);
        let batches = (0..count).step_by(batch).map(move |first| {
            let here = first..count.min(first + batch);
            let (these, rest) = mem::take(&mut places).split_at_mut(here.len());
            places = rest;
            let message = |i| {
                let data = self.data.at(i);
                let (here, rest) = mem::take(&mut out).split_at_mut(size(data.len()));
                out = rest;
                Message {
                    nonce: self.nonces.at(i),
                    ad: self.ad.at(i),
                    data,
                    out: here,
                }
            };
            (here.map(message).collect::<Vec<_>>(), these)
        });
        let batches = Mutex::new(batches);
        let next = || batches.lock().expect("nothing in it panics").next();
        let one = || -> Result<(), Error> {
            while let Some((mut messages, these)) = next() {
                work(&mut messages, these)?;
            }
            Ok(())
        };
        if threads == 1 {
            return one();
        }
        thread::scope(|scope| {
            // A thread that the system refuses is one less.
            let begin = |_| thread::Builder::new().spawn_scoped(scope, one).ok();
            let others: Vec<_> = (1..threads).filter_map(begin).collect();
            let ended = |other: ScopedJoinHandle<'_, _>| match other.join() {
                Ok(result) => result,
                Err(panic) => resume_unwind(panic),
            };
            others.into_iter().map(ended).fold(one(), Result::and)
        })
    }
}

/// Messages to be read alone, as `seal_many` and `open_many` take them.
pub(crate) fn read<'py, T>(
    cipher: &dyn Cipher,
    nonces: &Bound<'py, PyAny>,
    data: &Bound<'py, PyAny>,
    ad: Option<&Bound<'py, PyAny>>,
    work: impl FnOnce(&[Message<'_>]) -> PyResult<T>,
) -> PyResult<T> {
    let columns = Columns::get(cipher, nonces, data, ad)?;
    let views = columns.views()?;
    let message = |i| Message {
        nonce: views.nonces.at(i),
        ad: views.ad.at(i),
        data: views.data.at(i),
        out: &mut [],
    };
    let messages: Vec<_> = (0..columns.count).map(message).collect();
    work(&messages)
}

/// `Aead.seal_many`.
pub(crate) fn seal<'py>(
    py: Python<'py>,
    cipher: &dyn Cipher,
    nonces: &Bound<'py, PyAny>,
    data: &Bound<'py, PyAny>,
    ad: Option<&Bound<'py, PyAny>>,
    out: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let columns = Columns::get(cipher, nonces, data, ad)?;
    let count = columns.count;
    let views = columns.views()?;
    let size = |len| cipher.sealed_bytes(len);
    let work = |out: &mut [u8]| {
        let (detach, plan) = (worth_it(out.len()), Plan::of(cipher, count, out.len()));
        let mut none = vec![(); count];
        let seal = |messages: &mut [Message<'_>], _: &mut [()]| cipher.seal_many(messages);
        let all = || views.batches(plan, out, &mut none, size, seal);
        detached(py, detach, all).map_err(raised)
    };
    if let Column::Rows(_, [_, width]) = columns.data {
        let (object, mut out) = columns.array(py, out, size(width))?;
        work(out.bytes())?;
        return Ok(object);
    }
    no_out(out)?;
    let bytes = |i| size(views.data.at(i).len());
    let mut sealed = memory::filled(0, (0..count).map(bytes).sum())?;
    work(&mut sealed)?;
    let (each, mut rest) = (PyList::empty(py), &sealed[..]);
    for size in (0..count).map(bytes) {
        let (here, after) = rest.split_at(size);
        rest = after;
        each.append(memory::object(py, here)?)?;
    }
    Ok(each.into_any())
}

fn no_out(out: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
    match out {
        None => Ok(()),
        Some(_) => Err(PyTypeError::new_err(
            "out: want none with a list of data, whose results are bytes",
        )),
    }
}

/// What was found in a message: its size, or nothing authentic.
type Found = Option<usize>;

/// `Aead.open_many`.
pub(crate) fn open<'py>(
    py: Python<'py>,
    cipher: &dyn Cipher,
    nonces: &Bound<'py, PyAny>,
    data: &Bound<'py, PyAny>,
    ad: Option<&Bound<'py, PyAny>>,
    out: Option<&Bound<'py, PyAny>>,
) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
    let columns = Columns::get(cipher, nonces, data, ad)?;
    let count = columns.count;
    let views = columns.views()?;
    let size = |len| cipher.opened_bytes(len).unwrap_or(0);
    let mut result = memory::filled(None, count)?;
    let mut work = |out: &mut [u8]| {
        let (detach, plan) = (worth_it(out.len()), Plan::of(cipher, count, out.len()));
        let open = |messages: &mut [Message<'_>], found: &mut [Found]| {
            cipher.open_many(messages, found).map(drop)
        };
        let all = || views.batches(plan, out, &mut result, size, open);
        detached(py, detach, all).map_err(raised)
    };
    if let Column::Rows(_, [_, width]) = columns.data {
        let space = cipher.opened_bytes(width).ok_or_else(|| {
            PyValueError::new_err(format!("data: nothing sealed has rows of {width} bytes"))
        })?;
        // What may not be there is requested before anything is opened.
        let numpy = numpy(py)?;
        let (object, mut out) = columns.array(py, out, space)?;
        work(out.bytes())?;
        let ok = PyByteArray::new_with(py, count, |ok| {
            let each = ok.iter_mut().zip(&result);
            each.for_each(|(ok, result)| *ok = result.is_some().into());
            Ok(())
        })?;
        let ok = numpy.call_method1("frombuffer", (ok, "bool"))?;
        return Ok((of_one_size(py, object, &mut out, space, &result)?, ok));
    }
    no_out(out)?;
    let space = |i| size(views.data.at(i).len());
    let mut opened = Zeroizing::new(memory::filled(0, (0..count).map(space).sum())?);
    work(&mut opened)?;
    let (each, ok, mut rest) = (PyList::empty(py), PyList::empty(py), &opened[..]);
    for (space, result) in (0..count).map(space).zip(&result) {
        let (here, after) = rest.split_at(space);
        rest = after;
        let data = result.map(|size| memory::object(py, &here[..size]));
        each.append(data.transpose()?)?;
        ok.append(result.is_some())?;
    }
    Ok((each.into_any(), ok.into_any()))
}

/// The rows without what a cipher that pads left behind the data.
fn of_one_size<'py>(
    py: Python<'py>,
    rows: Bound<'py, PyAny>,
    out: &mut Output<'_>,
    space: usize,
    found: &[Found],
) -> PyResult<Bound<'py, PyAny>> {
    let mut sizes = found.iter().flatten();
    let size = *sizes.next().unwrap_or(&space);
    if let Some(other) = sizes.find(|&&other| other != size) {
        out.bytes().fill(0);
        let text = format!("data: rows of {size} and of {other} bytes in it; pass a list");
        return Err(PyValueError::new_err(text));
    }
    if size == space {
        return Ok(rows);
    }
    // Not every buffer of two axes can be cut along the second.
    let rows = numpy(py)?.call_method1("asarray", (rows,))?;
    let all = PySlice::full(py);
    rows.get_item((all, PySlice::new(py, 0, size as isize, 1)))
}
