//! Dynamic programming over a frontier, for the solver of that name.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use roundworks_search::frontier::{Costs, LANES, Row, Step};

#[doc = stub!("FrontierSteps")]
#[pyclass(frozen, module = "roundworks._native")]
pub(crate) struct FrontierSteps(roundworks_search::frontier::Frontier);

type Rows = Vec<(u32, u32, u32, u8)>;
/// Places that are kept, rows, and bits of the table behind.
type Given = (Vec<(u32, u32)>, Rows, u32);

#[pymethods]
impl FrontierSteps {
    #[new]
    fn new(steps: Vec<Given>) -> PyResult<Self> {
        let steps = steps
            .into_iter()
            .map(|(kept, rows, bits)| {
                let row = |(from, to, option, cost)| Row {
                    from,
                    to,
                    option,
                    cost,
                };
                Step {
                    kept,
                    rows: rows.into_iter().map(row).collect(),
                    bits,
                }
            })
            .collect();
        roundworks_search::frontier::Frontier::new(steps)
            .map(Self)
            .map_err(|error| PyValueError::new_err(error.to_string()))
    }

    #[doc = stub!("FrontierSteps.minima")]
    fn minima(&self, py: Python<'_>, options: &[u8], enough: &[u8]) -> PyResult<Costs> {
        let (options, rest) = options.as_chunks::<LANES>();
        let wanted = self.0.options();
        let enough: &Costs = enough.try_into().map_err(|_| {
            PyValueError::new_err(format!("enough: want {LANES} bytes, got {}", enough.len()))
        })?;
        if options.len() < wanted || !rest.is_empty() {
            return Err(PyValueError::new_err(format!(
                "options: want {wanted} times {LANES} bytes, got {}",
                options.len() * LANES + rest.len()
            )));
        }
        Ok(py.detach(|| self.0.minima(options, enough)))
    }
}
