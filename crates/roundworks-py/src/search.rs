//! The search engine: analyses of one recorded round, and searches over all round structures.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use roundworks_search::{
    Error, Kind, Node, ProfileOptions, ProfileSpec, Program, Progress, SearchOptions, SearchSpec,
    Structure, closed, sums, word,
};

pyo3::import_exception!(roundworks.errors, DescriptionError);

/// `(words, inputs, nodes, outputs)`; a node is `(kind, operands, weight)`.
type RawProgram = (i64, i64, Vec<(String, Vec<i64>, i64)>, Vec<Option<i64>>);
/// Message positions and `pi`.
type RawStructure = (Vec<usize>, Vec<usize>);
type RawStep = (u32, u32, u32);

/// More threads than any machine has; a slip of the keyboard should not start a million.
const MAX_THREADS: usize = 1024;

#[doc = stub!("word_profile")]
#[pyfunction]
pub(crate) fn word_profile(
    py: Python<'_>,
    program: RawProgram,
    starts: Vec<i64>,
    messages: Vec<Option<i64>>,
) -> PyResult<Vec<Option<u32>>> {
    let program = to_program(program)?;
    let starts = naturals("starts", &starts)?;
    let messages = messages
        .into_iter()
        .map(|block| block.map(|block| natural("messages", block)).transpose())
        .collect::<PyResult<Vec<_>>>()?;
    py.detach(|| word::profile(&program, &starts, &messages))
        .map_err(to_python)
}

#[doc = stub!("word_collision")]
#[pyfunction]
pub(crate) fn word_collision(
    py: Python<'_>,
    program: RawProgram,
) -> PyResult<Option<(u32, Vec<RawStep>)>> {
    let program = to_program(program)?;
    let result = py.detach(|| word::collision(&program));
    Ok(result.map(|(cost, trail)| {
        (
            cost,
            trail
                .iter()
                .map(|step| (step.state, step.message, step.weight))
                .collect(),
        )
    }))
}

#[doc = stub!("word_diffusion")]
#[pyfunction]
pub(crate) fn word_diffusion(program: RawProgram) -> PyResult<Option<u32>> {
    Ok(word::diffusion(&to_program(program)?))
}

#[doc = stub!("structure_collisions")]
#[pyfunction]
pub(crate) fn structure_collisions(
    py: Python<'_>,
    added: Vec<Option<i64>>,
    below: i64,
    limit: i64,
) -> PyResult<Vec<Vec<u32>>> {
    let added = added
        .into_iter()
        .map(|source| source.map(|source| natural("added", source)).transpose())
        .collect::<PyResult<Vec<_>>>()?;
    let (below, limit) = (natural("below", below)?, natural("limit", limit)?);
    py.detach(|| closed::cheapest_paths(&added, below, limit))
        .map_err(to_python)
}

#[doc = stub!("sums_collision")]
#[pyfunction]
pub(crate) fn sums_collision(
    py: Python<'_>,
    functions: i64,
    added: Vec<i64>,
    blocks: Vec<i64>,
    below: i64,
) -> PyResult<u32> {
    let round = sums::Sums {
        functions: natural("functions", functions)?,
        added: naturals("added", &added)?,
        blocks: naturals("blocks", &blocks)?,
    };
    let below = natural("below", below)?;
    py.detach(|| sums::cheapest_collision(&round, below))
        .map_err(to_python)
}

#[doc = stub!("search_structures")]
#[pyfunction]
#[pyo3(signature = (words, inputs, active, *, threads=None, parts=None, progress=None, keep=0))]
#[expect(
    clippy::too_many_arguments,
    reason = "keyword arguments of a Python function"
)]
pub(crate) fn search_structures<'py>(
    py: Python<'py>,
    words: i64,
    inputs: i64,
    active: i64,
    threads: Option<i64>,
    parts: Option<(i64, i64)>,
    progress: Option<Py<PyAny>>,
    keep: i64,
) -> PyResult<Bound<'py, PyDict>> {
    let (words, inputs) = (natural("words", words)?, natural("inputs", inputs)?);
    let spec = SearchSpec::new(words, inputs, natural("active", active)?).map_err(to_python)?;
    let parts = parts
        .map(|(first, end)| Ok::<_, PyErr>(natural("parts", first)?..natural("parts", end)?))
        .transpose()?;
    let options = SearchOptions {
        threads: to_threads(threads)?,
        parts,
        keep: natural("keep", keep)?,
    };
    let report = watched(py, progress, |observe| {
        roundworks_search::search(&spec, &options, observe)
    })?;
    let result = from_report(py, &report.progress, report.complete, &report.structures)?;
    result.set_item("words", words)?;
    result.set_item("inputs", inputs)?;
    result.set_item("active", active)?;
    result.set_item("threads", report.threads)?;
    Ok(result)
}

#[doc = stub!("search_parts")]
#[pyfunction]
pub(crate) fn search_parts(words: i64, inputs: i64) -> PyResult<Vec<u64>> {
    roundworks_search::parts(natural("words", words)?, natural("inputs", inputs)?)
        .map_err(to_python)
}

#[doc = stub!("search_profile")]
#[pyfunction]
#[pyo3(signature = (words, inputs, starts, profile, *, threads=None, progress=None, keep=1000))]
#[expect(
    clippy::too_many_arguments,
    reason = "keyword arguments of a Python function"
)]
pub(crate) fn search_profile<'py>(
    py: Python<'py>,
    words: i64,
    inputs: i64,
    starts: Vec<i64>,
    profile: Vec<i64>,
    threads: Option<i64>,
    progress: Option<Py<PyAny>>,
    keep: i64,
) -> PyResult<Bound<'py, PyDict>> {
    let (words, inputs) = (natural("words", words)?, natural("inputs", inputs)?);
    let (starts, profile) = (naturals("starts", &starts)?, naturals("profile", &profile)?);
    let spec = ProfileSpec::new(words, inputs, &starts, &profile).map_err(to_python)?;
    let options = ProfileOptions {
        threads: to_threads(threads)?,
        keep: natural("keep", keep)?,
    };
    let report = watched(py, progress, |observe| {
        roundworks_search::search_profile(&spec, &options, observe)
    })?;
    from_report(py, &report.progress, report.complete, &report.structures)
}

/// Run a search without the GIL. Ctrl-C ends it with what it has; any other exception of
/// `progress` ends it, too, and is raised once the search has ended.
fn watched<R: Send>(
    py: Python<'_>,
    progress: Option<Py<PyAny>>,
    run: impl FnOnce(&mut dyn FnMut(&Progress) -> ControlFlow<()>) -> Result<R, Error> + Send,
) -> PyResult<R> {
    let mut stopped = None;
    let result = py.detach(|| {
        run(&mut |now| {
            if stopped.is_some() {
                return ControlFlow::Break(());
            }
            let heard = Python::attach(|py| {
                py.check_signals()?;
                match &progress {
                    Some(call) => call.call1(py, (now.searched, now.candidates, now.found)),
                    None => Ok(py.None()),
                }
            });
            match heard {
                Ok(_) => ControlFlow::Continue(()),
                Err(error) => {
                    stopped = Some(error);
                    ControlFlow::Break(())
                }
            }
        })
    });
    match stopped {
        Some(error) if !error.is_instance_of::<PyKeyboardInterrupt>(py) => Err(error),
        _ => result.map_err(to_python),
    }
}

fn to_program((words, inputs, nodes, outputs): RawProgram) -> PyResult<Program> {
    let nodes = nodes
        .into_iter()
        .enumerate()
        .map(|(at, (kind, operands, weight))| {
            let wrong = |problem| to_python(Error::Node { node: at, problem });
            let kind = match kind.as_str() {
                "f" => Kind::F,
                "xor" => Kind::Xor,
                "any" => Kind::Any,
                other => return Err(wrong(format!("kind: want f, xor or any, got '{other}'"))),
            };
            let operands = naturals("operands", &operands)?;
            let weight = u32::try_from(weight)
                .map_err(|_| wrong(format!("weight: want 0 to {}, got {weight}", u32::MAX)))?;
            Ok(Node {
                kind,
                operands,
                weight,
            })
        });
    let outputs = outputs
        .into_iter()
        .map(|id| id.map(|id| natural("outputs", id)).transpose());
    Program::new(
        natural("words", words)?,
        natural("inputs", inputs)?,
        nodes.collect::<PyResult<_>>()?,
        outputs.collect::<PyResult<_>>()?,
    )
    .map_err(to_python)
}

/// Python's integers have a sign; a negative one gets the same kind of line as one too large.
fn natural<N: TryFrom<i64>>(name: &str, value: i64) -> PyResult<N> {
    N::try_from(value)
        .map_err(|_| DescriptionError::new_err(format!("{name}: want 0 or more, got {value}")))
}

fn naturals<N: TryFrom<i64>>(name: &str, values: &[i64]) -> PyResult<Vec<N>> {
    values.iter().map(|&value| natural(name, value)).collect()
}

fn to_threads(threads: Option<i64>) -> PyResult<Option<NonZeroUsize>> {
    let Some(count) = threads else {
        return Ok(None);
    };
    let threads = usize::try_from(count)
        .ok()
        .filter(|&count| count <= MAX_THREADS);
    match threads.and_then(NonZeroUsize::new) {
        Some(threads) => Ok(Some(threads)),
        None => Err(DescriptionError::new_err(format!(
            "threads: want 1 to {MAX_THREADS}, got {count}"
        ))),
    }
}

/// What every search reports.
fn from_report<'py>(
    py: Python<'py>,
    progress: &Progress,
    complete: bool,
    structures: &[Structure],
) -> PyResult<Bound<'py, PyDict>> {
    let raw = |s: &Structure| (s.positions().to_vec(), s.pi().to_vec());
    let structures: Vec<RawStructure> = structures.iter().map(raw).collect();
    let result = PyDict::new(py);
    result.set_item("candidates", progress.candidates)?;
    result.set_item("searched", progress.searched)?;
    result.set_item("found", progress.found)?;
    result.set_item("complete", complete)?;
    result.set_item("seconds", progress.elapsed.as_secs_f64())?;
    result.set_item("structures", structures)?;
    Ok(result)
}

fn to_python(error: Error) -> PyErr {
    DescriptionError::new_err(error.to_string())
}
