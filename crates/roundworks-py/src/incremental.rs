//! Messages, incrementally.

use std::sync::{Mutex, MutexGuard};

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use roundworks::{Error, Sealing};
use zeroize::{Zeroize, Zeroizing, zeroize_stack};

use crate::aead::{Aead, open};
use crate::buffer::{Input, check_size};
use crate::errors::{OutOfOrder, raised};
use crate::gil::{detached, worth_it};
use crate::memory;

/// One side of a message, until it is finalized; a thread at a time has it.
struct Side<M> {
    name: &'static str,
    /// What another one wants.
    remedy: &'static str,
    state: Mutex<Option<(Step, M)>>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    Ad,
    Data,
}

impl<M> Side<M> {
    fn new(name: &'static str, remedy: &'static str, message: M) -> Self {
        let state = Mutex::new(Some((Step::Ad, message)));
        Self {
            name,
            remedy,
            state,
        }
    }

    /// Does a step's work, unless it comes after a later one.
    fn go_on<T>(&self, step: Step, work: impl FnOnce(&mut M) -> PyResult<T>) -> PyResult<T> {
        let mut state = locked(self.name, &self.state)?;
        let (now, message) = state.as_mut().ok_or_else(|| self.finalized())?;
        if (step, *now) == (Step::Ad, Step::Data) {
            return Err(OutOfOrder::new_err(format!(
                "{}: associated data after data; call ad() before the first update()",
                self.name
            )));
        }
        let done = work(message)?;
        *now = step;
        Ok(done)
    }

    /// The message, for its last step.
    fn take(&self) -> PyResult<M> {
        let state = locked(self.name, &self.state)?.take();
        state.map_or_else(|| Err(self.finalized()), |(_, message)| Ok(message))
    }

    fn finalized(&self) -> PyErr {
        OutOfOrder::new_err(format!(
            "{}: finalized; start another{}",
            self.name, self.remedy
        ))
    }
}

#[doc = stub!("Encryptor")]
#[pyclass(frozen, module = "roundworks._native")]
pub(crate) struct Encryptor(Side<Message>);

enum Message {
    Streamed(Box<dyn Sealing>),
    /// Of a cipher that must see all of it at once.
    Collected(Collected),
}

#[doc = stub!("Decryptor")]
#[pyclass(frozen, module = "roundworks._native")]
pub(crate) struct Decryptor(Side<Collected>);

struct Collected {
    aead: Py<Aead>,
    nonce: Vec<u8>,
    ad: Vec<u8>,
    data: Zeroizing<Vec<u8>>,
}

impl Collected {
    fn new(aead: &Bound<'_, Aead>, nonce: &[u8]) -> Self {
        Self {
            aead: aead.clone().unbind(),
            nonce: nonce.to_vec(),
            ad: Vec::new(),
            data: Zeroizing::default(),
        }
    }
}

/// `Vec` alone would leave its old memory unwiped when it moves.
fn push(all: &mut Vec<u8>, more: &[u8]) -> PyResult<()> {
    let want = all.len() + more.len();
    if want > all.capacity() {
        let mut larger = memory::space(want.max(2 * all.capacity()))?;
        larger.extend_from_slice(all);
        all.zeroize();
        *all = larger;
    }
    all.extend_from_slice(more);
    Ok(())
}

/// The state of one side, unless another thread has it.
pub(crate) fn locked<'a, T>(what: &str, state: &'a Mutex<T>) -> PyResult<MutexGuard<'a, T>> {
    state.try_lock().map_err(|_| {
        OutOfOrder::new_err(format!("{what}: another thread is using it; take one each"))
    })
}

#[pymethods]
impl Encryptor {
    #[doc = stub!("Encryptor.ad")]
    fn ad(&self, py: Python<'_>, data: &Bound<'_, PyAny>) -> PyResult<()> {
        let data = Input::get("data", data)?;
        let detach = worth_it(data.bytes().len());
        let data = data.fixed(detach)?;
        self.0.go_on(Step::Ad, |message| match message {
            Message::Streamed(sealing) => {
                detached(py, detach, || sealing.ad(&data)).map_err(raised)
            }
            Message::Collected(all) => push(&mut all.ad, &data),
        })
    }

    #[doc = stub!("Encryptor.update")]
    fn update<'py>(
        &self,
        py: Python<'py>,
        data: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let data = Input::get("data", data)?;
        let detach = worth_it(data.bytes().len());
        let data = data.fixed(detach)?;
        self.0.go_on(Step::Data, |message| match message {
            Message::Streamed(sealing) => {
                PyBytes::new_with(py, sealing.update_bytes(data.len()), |out| {
                    let seal = || sealing.update_into(&data, out);
                    detached(py, detach, seal).map_err(raised).map(drop)
                })
            }
            Message::Collected(all) => {
                push(&mut all.data, &data)?;
                Ok(PyBytes::new(py, b""))
            }
        })
    }

    #[doc = stub!("Encryptor.finalize")]
    fn finalize<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        match self.0.take()? {
            Message::Streamed(sealing) => PyBytes::new_with(py, sealing.finish_bytes(), |out| {
                sealing.finish_into(out).map_err(raised).map(drop)
            }),
            Message::Collected(all) => {
                let cipher = all.aead.get().cipher();
                PyBytes::new_with(py, cipher.sealed_bytes(all.data.len()), |out| {
                    let seal = || cipher.seal_into(&all.nonce, &all.ad, &all.data, out);
                    let detach = worth_it(all.data.len() + all.ad.len());
                    detached(py, detach, seal).map_err(raised).map(drop)
                })
            }
        }
    }
}

impl Encryptor {
    pub(crate) fn new(aead: &Bound<'_, Aead>, nonce: &Bound<'_, PyAny>) -> PyResult<Self> {
        let nonce = aead.get().nonce(nonce)?;
        let sealing = aead.get().cipher().sealing(nonce.bytes());
        zeroize_stack::<8192>(); // where `sealing` moved key and state to their box
        let message = match sealing {
            Ok(sealing) => Message::Streamed(sealing),
            Err(Error::NotIncremental) => Message::Collected(Collected::new(aead, nonce.bytes())),
            Err(error) => return Err(raised(error)),
        };
        Ok(Self(Side::new(
            "encryptor",
            ", with another nonce to encrypt",
            message,
        )))
    }
}

#[pymethods]
impl Decryptor {
    #[doc = stub!("Decryptor.ad")]
    fn ad(&self, data: &Bound<'_, PyAny>) -> PyResult<()> {
        let data = Input::get("data", data)?;
        let take = |all: &mut Collected| push(&mut all.ad, data.bytes());
        self.0.go_on(Step::Ad, take)
    }

    #[doc = stub!("Decryptor.update")]
    fn update(&self, data: &Bound<'_, PyAny>) -> PyResult<()> {
        let data = Input::get("data", data)?;
        let take = |all: &mut Collected| push(&mut all.data, data.bytes());
        self.0.go_on(Step::Data, take)
    }

    #[doc = stub!("Decryptor.finalize")]
    fn finalize<'py>(
        &self,
        py: Python<'py>,
        tag: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let tag = Input::get("tag", tag)?;
        // A tag of a wrong size leaves the message as it is.
        self.0.go_on(Step::Data, |all| {
            let want = all.aead.get().cipher().facts().tag_bytes;
            check_size("tag", tag.bytes().len(), want)?;
            push(&mut all.data, tag.bytes())
        })?;
        let all = self.0.take()?;
        open(py, all.aead.get().cipher(), &all.nonce, &all.ad, &all.data)
    }
}

impl Decryptor {
    pub(crate) fn new(aead: &Bound<'_, Aead>, nonce: &Bound<'_, PyAny>) -> PyResult<Self> {
        let nonce = aead.get().nonce(nonce)?;
        let message = Collected::new(aead, nonce.bytes());
        Ok(Self(Side::new("decryptor", "", message)))
    }
}
