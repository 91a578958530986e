//! Parities of all products of bits over a set of inputs, for integrals.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use roundworks_search::parity::{Step, Steps, Sum};

use crate::rows::{Stop, watch};

/// Target, factors (none: the target is cleared), number of an unknown constant.
type Given = (u32, Option<u64>, Option<u32>);

#[doc = stub!("ParitySteps")]
#[pyclass(frozen, module = "roundworks._native")]
pub(crate) struct ParitySteps {
    steps: Steps,
    constants: usize,
}

#[pymethods]
impl ParitySteps {
    #[new]
    fn new(places: u32, active: u64, steps: Vec<Given>) -> PyResult<Self> {
        let constants = steps
            .iter()
            .filter_map(|step| step.2)
            .max()
            .map_or(0, |most| most as usize + 1);
        let steps = steps
            .into_iter()
            .map(|(target, factors, unknown)| match factors {
                None => Step::Clear { target },
                Some(factors) => Step::Add {
                    target,
                    factors,
                    unknown,
                },
            })
            .collect();
        let steps = Steps::new(places, active, steps)
            .map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok(Self { steps, constants })
    }

    #[doc = stub!("ParitySteps.sums")]
    fn sums(
        &self,
        py: Python<'_>,
        reads: Vec<(usize, u64)>,
        seconds: Option<f64>,
    ) -> PyResult<Vec<Option<bool>>> {
        let (sums, outcome) = py.detach(|| self.steps.sums(&reads, &mut watch(seconds)));
        if let Err(Stop::Error(error)) = outcome {
            return Err(error);
        }
        let known = |sum| match sum {
            Sum::Known(odd) => Some(odd),
            Sum::Unknown => None,
        };
        Ok(sums.into_iter().map(known).collect())
    }

    #[doc = stub!("ParitySteps.sums_of_values")]
    fn sums_of_values(
        &self,
        py: Python<'_>,
        constants: Vec<bool>,
        reads: Vec<(usize, u64)>,
        seconds: Option<f64>,
    ) -> PyResult<Vec<bool>> {
        if constants.len() < self.constants {
            return Err(PyValueError::new_err(format!(
                "constants: want {}, got {}",
                self.constants,
                constants.len()
            )));
        }
        py.detach(|| {
            self.steps
                .sums_of_values(&constants, &reads, &mut watch(seconds))
        })
        .map_err(over)
    }
}

fn over(stop: Stop) -> PyErr {
    stop.error_of("sums over the inputs")
}
