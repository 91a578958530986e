//! Messages, incrementally.

use std::sync::{Mutex, MutexGuard};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use roundworks::{Error, Sealing};
use zeroize::{Zeroize, Zeroizing};

use crate::aead::{Aead, detached, open, worth_it};
use crate::buffer::Input;
use crate::errors::{OutOfOrder, raised};
use crate::memory;

#[doc = stub!("Encryptor")]
#[pyclass(frozen, module = "roundworks._native")]
pub(crate) struct Encryptor(Mutex<Option<Sending>>);

struct Sending {
    in_data: bool,
    message: Message,
}

enum Message {
    Streamed(Box<dyn Sealing>),
    /// Of a cipher that must see all of it at once.
    Collected(Collected),
}

#[doc = stub!("Decryptor")]
#[pyclass(frozen, module = "roundworks._native")]
pub(crate) struct Decryptor(Mutex<Option<Receiving>>);

struct Receiving {
    in_data: bool,
    message: Collected,
}

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

/// `Vec` alone would leave what it kept unwiped when it moves.
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

fn finalized(what: &str) -> PyErr {
    OutOfOrder::new_err(format!(
        "{what}: finalized; start another, with another nonce to encrypt"
    ))
}

fn late(what: &str) -> PyErr {
    OutOfOrder::new_err(format!(
        "{what}: associated data after data; call ad() before the first update()"
    ))
}

#[pymethods]
impl Encryptor {
    #[doc = stub!("Encryptor.ad")]
    fn ad(&self, py: Python<'_>, data: &Bound<'_, PyAny>) -> PyResult<()> {
        let data = Input::get("data", data)?;
        let mut state = locked("encryptor", &self.0)?;
        let state = state.as_mut().ok_or_else(|| finalized("encryptor"))?;
        if state.in_data {
            return Err(late("encryptor"));
        }
        let detach = worth_it(data.bytes().len());
        let data = data.fixed(detach)?;
        match &mut state.message {
            Message::Streamed(sealing) => {
                detached(py, detach, || sealing.ad(&data)).map_err(raised)?;
            }
            Message::Collected(all) => push(&mut all.ad, &data)?,
        }
        Ok(())
    }

    #[doc = stub!("Encryptor.update")]
    fn update<'py>(
        &self,
        py: Python<'py>,
        data: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let data = Input::get("data", data)?;
        let mut state = locked("encryptor", &self.0)?;
        let state = state.as_mut().ok_or_else(|| finalized("encryptor"))?;
        let detach = worth_it(data.bytes().len());
        let data = data.fixed(detach)?;
        state.in_data = true;
        match &mut state.message {
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
        }
    }

    #[doc = stub!("Encryptor.finalize")]
    fn finalize<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let state = locked("encryptor", &self.0)?.take();
        match state.ok_or_else(|| finalized("encryptor"))?.message {
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
        let message = match aead.get().cipher().sealing(nonce.bytes()) {
            Ok(sealing) => Message::Streamed(sealing),
            Err(Error::NotIncremental) => Message::Collected(Collected::new(aead, nonce.bytes())),
            Err(error) => return Err(raised(error)),
        };
        Ok(Self(Mutex::new(Some(Sending {
            in_data: false,
            message,
        }))))
    }
}

#[pymethods]
impl Decryptor {
    #[doc = stub!("Decryptor.ad")]
    fn ad(&self, data: &Bound<'_, PyAny>) -> PyResult<()> {
        let data = Input::get("data", data)?;
        let mut state = locked("decryptor", &self.0)?;
        let state = state.as_mut().ok_or_else(|| finalized("decryptor"))?;
        if state.in_data {
            return Err(late("decryptor"));
        }
        push(&mut state.message.ad, data.bytes())
    }

    #[doc = stub!("Decryptor.update")]
    fn update(&self, data: &Bound<'_, PyAny>) -> PyResult<()> {
        let data = Input::get("data", data)?;
        let mut state = locked("decryptor", &self.0)?;
        let state = state.as_mut().ok_or_else(|| finalized("decryptor"))?;
        state.in_data = true;
        push(&mut state.message.data, data.bytes())
    }

    #[doc = stub!("Decryptor.finalize")]
    fn finalize<'py>(
        &self,
        py: Python<'py>,
        tag: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let tag = Input::get("tag", tag)?;
        let mut state = locked("decryptor", &self.0)?;
        let Some(Receiving { message: all, .. }) = &mut *state else {
            return Err(finalized("decryptor"));
        };
        let (want, got) = (all.aead.get().cipher().facts().tag_bytes, tag.bytes().len());
        if got != want {
            let text = format!("tag: want {want} bytes, got {got}");
            return Err(PyValueError::new_err(text));
        }
        push(&mut all.data, tag.bytes())?;
        let Receiving { message: all, .. } = state.take().expect("was there above");
        drop(state);
        open(py, all.aead.get().cipher(), &all.nonce, &all.ad, &all.data)
    }
}

impl Decryptor {
    pub(crate) fn new(aead: &Bound<'_, Aead>, nonce: &Bound<'_, PyAny>) -> PyResult<Self> {
        let nonce = aead.get().nonce(nonce)?;
        let message = Collected::new(aead, nonce.bytes());
        Ok(Self(Mutex::new(Some(Receiving {
            in_data: false,
            message,
        }))))
    }
}
