//! What can be wrong with a query, in one line each.

use std::fmt;

/// Why a query was refused.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// A number outside its range.
    Range {
        /// What the number is, as the caller calls it.
        name: &'static str,
        /// The range wanted, in words.
        want: String,
        /// The number given.
        got: u64,
    },
    /// A node of a program that cannot be evaluated.
    Node {
        /// Position in the program's node list.
        node: usize,
        /// What is wrong, wanted and got.
        problem: String,
    },
    /// The list of outputs of a program.
    Outputs(String),
    /// A structure that is not a member of the family.
    Structure(String),
    /// A profile that no structure could have.
    Profile(String),
    /// A step of a frontier that cannot be taken.
    Step {
        /// Position in the list of steps.
        step: usize,
        /// What is wrong.
        problem: &'static str,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Range { name, want, got } => write!(f, "{name}: want {want}, got {got}"),
            Self::Node { node, problem } => write!(f, "node {node}: {problem}"),
            Self::Outputs(problem) => write!(f, "outputs: {problem}"),
            Self::Structure(problem) => write!(f, "structure: {problem}"),
            Self::Profile(problem) => write!(f, "profile: {problem}"),
            Self::Step { step, problem } => write!(f, "step {step}: {problem}"),
        }
    }
}

impl std::error::Error for Error {}

/// `got` if it lies in `low..=high`.
pub(crate) fn in_range(
    name: &'static str,
    got: usize,
    low: usize,
    high: usize,
) -> Result<usize, Error> {
    if (low..=high).contains(&got) {
        return Ok(got);
    }
    Err(Error::Range {
        name,
        want: format!("{low} to {high}"),
        got: got as u64,
    })
}
