//! Fewest active S-boxes of the Feistel permutations, by the engine made for them.

use pyo3::prelude::*;
use roundworks_search::trail::{Branch, Count, Feistel, Kind, Trails};

pyo3::import_exception!(roundworks.errors, DescriptionError);

#[doc = stub!("feistel_minima")]
#[pyfunction]
pub(crate) fn feistel_minima(
    py: Python<'_>,
    codes: Vec<String>,
    shuffle: Vec<usize>,
    linear: bool,
    distinct: bool,
    rounds: usize,
    limit: u32,
) -> PyResult<Vec<Option<u32>>> {
    let branches = codes
        .iter()
        .map(|code| {
            Branch::parse(code)
                .ok_or_else(|| DescriptionError::new_err(format!("function {code:?}: not known")))
        })
        .collect::<PyResult<Vec<_>>>()?;
    let words = branches.len();
    let mut sorted = shuffle.clone();
    sorted.sort_unstable();
    if !(words == 2 || words == 4 && !linear) || !sorted.into_iter().eq(0..words) {
        return Err(DescriptionError::new_err(format!(
            "configuration: want 2 functions, or 4 and no masks, and a shuffle of the same number of words, \
             got {words} and {shuffle:?}"
        )));
    }
    if linear && distinct {
        return Err(DescriptionError::new_err(
            "linear minima: want executed S-boxes, got distinct; use a solver for those",
        ));
    }
    let pairs = branches
        .chunks(2)
        .map(|pair| (pair[0].clone(), pair[1].clone()))
        .collect();
    let kind = if linear {
        Kind::Linear
    } else {
        Kind::Differential
    };
    let count = if distinct {
        Count::Distinct
    } else {
        Count::Executed
    };
    Ok(py.detach(|| {
        let mut trails = Trails::new(Feistel { pairs, shuffle }, kind, count);
        (1..=rounds)
            .map(|r| trails.minimum(r, limit).map(|found| found.active))
            .collect()
    }))
}
