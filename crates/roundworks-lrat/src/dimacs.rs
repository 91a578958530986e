//! Formulas in DIMACS, read strictly: what the header says must be there, and nothing else.

use std::str::FromStr;

use crate::Error;

/// A literal: a variable from 1 on, negative for "does not hold".
pub(crate) type Lit = i32;

pub(crate) struct Formula {
    pub(crate) variables: usize,
    pub(crate) clauses: Vec<Box<[Lit]>>,
}

/// Rust takes a plus before it, DIMACS does not.
fn value<T: FromStr>(field: &str) -> Option<T> {
    field.parse().ok().filter(|_| !field.starts_with('+'))
}

pub(crate) fn parse(text: &[u8]) -> Result<Formula, Error> {
    let mut header: Option<(usize, usize)> = None;
    let mut clauses: Vec<Box<[Lit]>> = Vec::new();
    let mut clause: Vec<Lit> = Vec::new();
    let mut last = 0;
    for (number, line) in text.split(|&byte| byte == b'\n').enumerate() {
        last = number + 1;
        let wrong = |what: String| Error::Formula { line: last, what };
        let line = std::str::from_utf8(line).map_err(|_| wrong("want ASCII".into()))?;
        let mut fields = line.split_ascii_whitespace().peekable();
        match fields.peek() {
            Some(&"c") => continue,
            Some(&"p") => {
                let counts: Vec<&str> = fields.collect();
                header = match (header, counts.as_slice()) {
                    (None, ["p", "cnf", variables, total]) => value(variables)
                        .filter(|&n: &usize| n < Lit::MAX as usize)
                        .zip(value(total)),
                    _ => None,
                };
                if header.is_none() {
                    return Err(wrong(format!(
                        "want one `p cnf variables clauses`, got `{line}`"
                    )));
                }
                continue;
            }
            _ => {}
        }
        for field in fields {
            let (variables, _) = header.ok_or_else(|| wrong("want `p cnf` first".into()))?;
            match value::<Lit>(field) {
                Some(0) if !field.starts_with('-') => {
                    clauses.push(std::mem::take(&mut clause).into());
                }
                Some(lit) if lit != 0 && lit.unsigned_abs() as usize <= variables => {
                    clause.push(lit);
                }
                _ => {
                    return Err(wrong(format!(
                        "want a literal up to {variables}, got `{field}`"
                    )));
                }
            }
        }
    }
    let wrong = |what: String| Error::Formula { line: last, what };
    let (variables, total) = header.ok_or_else(|| wrong("want a line `p cnf`, got none".into()))?;
    if !clause.is_empty() {
        return Err(wrong("want 0 after the last clause".into()));
    }
    if clauses.len() != total {
        return Err(wrong(format!(
            "want {total} clauses, got {}",
            clauses.len()
        )));
    }
    Ok(Formula { variables, clauses })
}
