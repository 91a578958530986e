//! Sealed files.

use std::path::PathBuf;

use pyo3::exceptions::PyValueError;
use pyo3::import_exception;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use roundworks_files::{Error, Header, KeySource, Kind, Request, Source, Summary};

use crate::errors::InvalidTag;

import_exception!(roundworks.errors, FileError);

fn raised(error: Error) -> PyErr {
    let text = error.to_string();
    if error.kind.is_refusal() {
        InvalidTag::new_err(text)
    } else {
        FileError::new_err(text)
    }
}

fn key_source(key_file: Option<PathBuf>, passphrase_file: Option<PathBuf>) -> PyResult<KeySource> {
    match (key_file, passphrase_file) {
        (Some(_), Some(_)) => Err(PyValueError::new_err(
            "key_file, passphrase_file: want one of them, got both",
        )),
        (Some(path), None) => Ok(KeySource::KeyFile(path)),
        (None, Some(path)) => Ok(KeySource::PassphraseFile(path)),
        (None, None) => Ok(KeySource::Passphrase),
    }
}

/// Runs `work` without the GIL. It is handed a watch that lets signals through and calls `watch`;
/// what either raises stops the work and is raised after it.
fn watched(
    py: Python<'_>,
    watch: Option<Py<PyAny>>,
    work: impl FnOnce(&mut dyn FnMut(u64, Option<u64>) -> bool) -> Result<Summary, Error> + Send,
) -> PyResult<u64> {
    let mut raised_within = None;
    let done = py.detach(|| {
        work(&mut |read, total| {
            let heard = Python::attach(|py| {
                py.check_signals()?;
                watch
                    .as_ref()
                    .map_or(Ok(()), |watch| watch.call1(py, (read, total)).map(drop))
            });
            match heard {
                Ok(()) => true,
                Err(error) => {
                    raised_within = Some(error);
                    false
                }
            }
        })
    });
    match (done, raised_within) {
        // It came after the last byte.
        (Ok(_), Some(error)) => Err(error),
        (Ok(summary), None) => Ok(summary.written),
        (Err(error), Some(within)) => {
            // A file may be refused at the same moment; a caller that expects that must hear of Ctrl-C all the same.
            if !matches!(error.kind, Kind::Stopped) {
                within.set_cause(py, Some(raised(error)));
            }
            Err(within)
        }
        (Err(error), None) => Err(raised(error)),
    }
}

#[pyfunction]
#[pyo3(signature = (input, output, *, key_file=None, passphrase_file=None, cipher=None,
    research=false, replace=false, sync=true, watch=None))]
#[doc = stub!("seal_file")]
#[allow(clippy::too_many_arguments)]
pub(crate) fn seal_file(
    py: Python<'_>,
    input: Option<PathBuf>,
    output: Option<PathBuf>,
    key_file: Option<PathBuf>,
    passphrase_file: Option<PathBuf>,
    cipher: Option<&str>,
    research: bool,
    replace: bool,
    sync: bool,
    watch: Option<Py<PyAny>>,
) -> PyResult<u64> {
    let request = Request {
        input,
        output,
        key: key_source(key_file, passphrase_file)?,
        research,
        replace,
        sync,
        terminal: false,
    };
    let cipher = cipher.unwrap_or(roundworks_files::DEFAULT_CIPHER);
    watched(py, watch, |watch| {
        roundworks_files::seal(&request, cipher, watch)
    })
}

#[pyfunction]
#[pyo3(signature = (input, output, *, key_file=None, passphrase_file=None, research=false,
    replace=false, sync=true, terminal=false, watch=None))]
#[doc = stub!("open_file")]
#[allow(clippy::too_many_arguments)]
pub(crate) fn open_file(
    py: Python<'_>,
    input: Option<PathBuf>,
    output: Option<PathBuf>,
    key_file: Option<PathBuf>,
    passphrase_file: Option<PathBuf>,
    research: bool,
    replace: bool,
    sync: bool,
    terminal: bool,
    watch: Option<Py<PyAny>>,
) -> PyResult<u64> {
    let request = Request {
        input,
        output,
        key: key_source(key_file, passphrase_file)?,
        research,
        replace,
        sync,
        terminal,
    };
    watched(py, watch, |watch| roundworks_files::open(&request, watch))
}

#[doc = stub!("inspect_file")]
#[pyfunction]
pub(crate) fn inspect_file(py: Python<'_>, input: Option<PathBuf>) -> PyResult<Bound<'_, PyDict>> {
    let mut heard = Ok(());
    let result = py.detach(|| {
        roundworks_files::inspect(input.as_deref(), &mut || {
            heard = Python::attach(|py| py.check_signals());
            heard.is_err()
        })
    });
    heard?;
    let (header, extent) = result.map_err(raised)?;
    let facts = PyDict::new(py);
    facts.set_item("version", Header::VERSION)?;
    facts.set_item("cipher", header.cipher.name)?;
    facts.set_item("tag_bytes", header.cipher.tag_bytes)?;
    facts.set_item("chunk_bytes", roundworks_files::CHUNK_BYTES)?;
    match header.source {
        Source::KeyFile => facts.set_item("key", "key file")?,
        Source::Passphrase(cost) => {
            facts.set_item("key", "passphrase")?;
            facts.set_item("argon2id_memory_kib", cost.memory_kib)?;
            facts.set_item("argon2id_passes", cost.passes)?;
            facts.set_item("argon2id_lanes", cost.lanes)?;
        }
    }
    let hex = |bytes: &[u8]| bytes.iter().map(|b| format!("{b:02x}")).collect::<String>();
    facts.set_item("salt", hex(&header.salt))?;
    facts.set_item("key_check", hex(&header.check))?;
    if let Some(extent) = extent {
        facts.set_item("file_bytes", extent.file_bytes)?;
        facts.set_item("chunks", extent.chunks)?;
        facts.set_item("data_bytes", extent.data_bytes)?;
    }
    Ok(facts)
}

#[doc = stub!("create_key_file")]
#[pyfunction]
pub(crate) fn create_key_file(py: Python<'_>, path: PathBuf) -> PyResult<()> {
    py.detach(|| roundworks_files::create_key_file(&path))
        .map_err(raised)
}

#[doc = stub!("readable_by_others")]
#[pyfunction]
pub(crate) fn readable_by_others(path: PathBuf) -> Option<u32> {
    roundworks_files::readable_by_others(&path)
}

#[doc = stub!("file_ciphers")]
#[pyfunction]
pub(crate) fn file_ciphers() -> Vec<&'static str> {
    roundworks_files::ciphers()
        .map(|facts| facts.name)
        .collect()
}
