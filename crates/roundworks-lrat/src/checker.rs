//! The checker: clauses by number, and one unit propagation a hint.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use crate::Error;
use crate::dimacs::{Formula, Lit};
use crate::steps::Step;

/// What an accepted proof took.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Checked {
    /// Clauses derived.
    pub derived: u64,
    /// Unit propagations.
    pub hints: u64,
}

pub(crate) struct Checker {
    clauses: HashMap<u64, Box<[Lit]>, BuildHasherDefault<NumberHasher>>,
    /// 1 for a variable that holds, -1 for one that does not, 0 for a free one; index 0 is unused.
    values: Vec<i8>,
    assigned: Vec<Lit>,
    /// The largest clause number so far: numbers are never used twice.
    last: u64,
    checked: Checked,
}

impl Checker {
    pub(crate) fn new(formula: Formula) -> Self {
        Self {
            last: formula.clauses.len() as u64,
            values: vec![0; formula.variables + 1],
            assigned: Vec::new(),
            clauses: (1..).zip(formula.clauses).collect(),
            checked: Checked {
                derived: 0,
                hints: 0,
            },
        }
    }

    /// The empty clause is among those given: nothing is left to derive.
    pub(crate) fn has_empty_clause(&self) -> bool {
        self.clauses.values().any(|clause| clause.is_empty())
    }

    pub(crate) fn checked(&self) -> Checked {
        self.checked
    }

    /// True once the empty clause is derived.
    pub(crate) fn take(&mut self, step: Step) -> Result<bool, Error> {
        match step {
            Step::Add { id, lits, hints } => {
                let follows = self.follows(id, &lits, &hints);
                for lit in self.assigned.drain(..) {
                    self.values[lit.unsigned_abs() as usize] = 0;
                }
                follows.map_err(|what| Error::Step { clause: id, what })?;
                self.checked.derived += 1;
                self.last = id;
                let done = lits.is_empty();
                self.clauses.insert(id, lits.into());
                Ok(done)
            }
            Step::Delete { ids } => {
                for id in ids {
                    self.clauses.remove(&id).ok_or_else(|| Error::Step {
                        clause: id,
                        what: "deleted, and is not there".into(),
                    })?;
                }
                Ok(false)
            }
        }
    }

    /// Suppose that no literal of the clause holds; the hints must lead to a conflict.
    fn follows(&mut self, id: u64, lits: &[Lit], hints: &[u64]) -> Result<(), String> {
        if id <= self.last {
            return Err(format!("want a number above {}", self.last));
        }
        for &lit in lits {
            if lit.unsigned_abs() as usize >= self.values.len() {
                return Err(format!("literal {lit}: no such variable in the formula"));
            }
            match value(&self.values, lit) {
                0 => self.assign(-lit),
                1 => return Err(format!("literals {lit} and {} in one clause", -lit)),
                _ => {}
            }
        }
        for &hint in hints {
            let clause = self
                .clauses
                .get(&hint)
                .ok_or_else(|| format!("hint {hint}: no such clause"))?;
            self.checked.hints += 1;
            let mut open = clause.iter().filter(|&&lit| value(&self.values, lit) >= 0);
            let Some(&unit) = open.next() else {
                return Ok(()); // every literal fails: the conflict
            };
            // A literal twice is one literal.
            if open.any(|&lit| lit != unit) {
                return Err(format!(
                    "hint {hint}: want at most one literal that may hold"
                ));
            }
            if value(&self.values, unit) == 0 {
                self.assign(unit);
            }
        }
        Err("its hints end without a conflict".into())
    }

    fn assign(&mut self, lit: Lit) {
        self.values[lit.unsigned_abs() as usize] = lit.signum() as i8;
        self.assigned.push(lit);
    }
}

fn value(values: &[i8], lit: Lit) -> i8 {
    values[lit.unsigned_abs() as usize] * lit.signum() as i8
}

/// Clause numbers are dense and in order; the standard hash would take most of the time.
#[derive(Default)]
struct NumberHasher(u64);

impl Hasher for NumberHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(u64::from(byte));
        }
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = (self.0 ^ number)
            .wrapping_mul(0x9e37_79b9_7f4a_7c15)
            .rotate_left(32);
    }
}
