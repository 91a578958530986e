//! What can be wrong with a query, in one line each.

use std::fmt;
use std::path::PathBuf;

/// Why a query was refused or a ledger could not be used.
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
    /// A ledger whose contents do not belong to this search, or are damaged.
    Ledger {
        /// The ledger file.
        path: PathBuf,
        /// What is wrong and what to do next.
        problem: String,
    },
    /// A ledger that could not be read or written.
    Io {
        /// The ledger file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
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
            Self::Ledger { path, problem } => write!(f, "ledger {}: {problem}", path.display()),
            Self::Io { path, source } => write!(f, "ledger {}: {source}", path.display()),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io { source, .. } => Some(source),
            _ => None,
        }
    }
}

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
