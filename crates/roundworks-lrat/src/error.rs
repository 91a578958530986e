//! Why a proof was refused.

use std::fmt;

/// Why a proof, or its formula, was refused.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The formula is not DIMACS.
    Formula {
        /// Counted from 1.
        line: usize,
        /// Wanted and got.
        what: String,
    },
    /// The proof cannot be read.
    Io(std::io::Error),
    /// The proof is not binary LRAT.
    Format {
        /// The last one that was read, counted from 1.
        byte: u64,
        /// Wanted and got.
        what: String,
    },
    /// A step does not follow.
    Step {
        /// The clause that the step adds.
        clause: u64,
        /// Why it does not follow.
        what: String,
    },
    /// The proof ends without the empty clause.
    NoConclusion,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Formula { line, what } => write!(f, "formula, line {line}: {what}"),
            Self::Io(error) => write!(f, "proof: {error}"),
            Self::Format { byte, what } => write!(f, "proof, byte {byte}: {what}"),
            Self::Step { clause, what } => write!(f, "proof, clause {clause}: {what}"),
            Self::NoConclusion => {
                f.write_str("proof: want the empty clause at its end, got none; is it cut short?")
            }
        }
    }
}

impl std::error::Error for Error {}

impl From<std::io::Error> for Error {
    fn from(error: std::io::Error) -> Self {
        Self::Io(error)
    }
}
