//! Many independent messages in one call: rows of arrays, or lists.

mod columns;

use std::mem;
use std::panic::resume_unwind;
use std::sync::Mutex;
use std::thread::{self, ScopedJoinHandle};

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyList, PySlice};
use roundworks::{Cipher, Error, Message};
use zeroize::Zeroizing;

use crate::buffer::Output;
use crate::errors::raised;
use crate::gil::{detached, worth_it};
use crate::gpu;
use crate::memory;
use columns::{Column, Columns, Views, numpy};

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
