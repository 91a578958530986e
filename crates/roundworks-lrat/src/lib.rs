//! A checker of proofs of unsatisfiability, small enough to be read in one sitting.
//!
//! It reads a formula in DIMACS and a proof in binary LRAT \[LRAT\] and shares no code with any
//! solver. Each derived clause must follow from the clauses its step names, one unit propagation
//! a name, ending in a conflict; a proof is accepted once the empty clause is derived. Steps that
//! would need more than that (RAT) are refused: solvers have none with the traces that we request.
//!
//! ```
//! let formula = b"p cnf 1 2\n1 0\n-1 0\n";
//! let proof = [b'a', 6, 0, 2, 4, 0]; // clause 3 is empty: by clauses 1 and 2
//! assert_eq!(roundworks_lrat::check(formula, &proof[..]).unwrap().derived, 1);
//! ```

#![forbid(unsafe_code)]

mod checker;
mod dimacs;
mod error;
mod steps;

use std::io::BufRead;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

pub use checker::Checked;
pub use error::Error;

/// Does the proof show that the formula, in DIMACS, has no solution?
///
/// # Errors
///
/// If either is malformed, a step does not follow, or the proof ends without the empty clause.
pub fn check(formula: &[u8], proof: impl BufRead) -> Result<Checked, Error> {
    let formula = dimacs::parse(formula)?;
    let mut checker = checker::Checker::new(formula);
    if checker.has_empty_clause() {
        return Ok(checker.checked());
    }
    let mut steps = steps::Steps::new(proof);
    while let Some(step) = steps.next_step()? {
        if checker.take(step)? {
            return Ok(checker.checked());
        }
    }
    Err(Error::NoConclusion)
}
