//! Proofs that must be accepted, and every way we know of to spoil one.

use std::io::{self, BufReader, ErrorKind, Read};

use roundworks_lrat::{Checked, Error, check};

/// A step that adds: number, literals, hints.
fn add(id: u64, lits: &[i32], hints: &[u64]) -> Vec<u8> {
    let mut out = vec![b'a'];
    number(&mut out, 2 * id);
    for &lit in lits {
        number(
            &mut out,
            2 * u64::from(lit.unsigned_abs()) + u64::from(lit < 0),
        );
    }
    out.push(0);
    for &hint in hints {
        number(&mut out, 2 * hint);
    }
    out.push(0);
    out
}

fn delete(ids: &[u64]) -> Vec<u8> {
    let mut out = vec![b'd'];
    for &id in ids {
        number(&mut out, 2 * id);
    }
    out.push(0);
    out
}

fn number(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

fn dimacs(variables: usize, clauses: &[&[i32]]) -> Vec<u8> {
    let mut text = format!("c a comment\np cnf {variables} {}\n", clauses.len());
    for clause in clauses {
        for lit in *clause {
            text += &format!("{lit} ");
        }
        text += "0\n";
    }
    text.into_bytes()
}

/// Both values of two variables, all four excluded.
const SQUARE: &[&[i32]] = &[&[1, 2], &[1, -2], &[-1, 2], &[-1, -2]];

fn square_proof() -> Vec<Vec<u8>> {
    vec![
        add(5, &[1], &[1, 2]),
        delete(&[1, 2]),
        add(6, &[], &[5, 3, 4]),
    ]
}

fn refused(formula: &[&[i32]], steps: &[Vec<u8>], why: &str) {
    let error = check(&dimacs(2, formula), &steps.concat()[..]).unwrap_err();
    assert!(error.to_string().contains(why), "{error}");
}

#[test]
fn a_right_proof_is_accepted() {
    let Checked { derived, hints, .. } =
        check(&dimacs(2, SQUARE), &square_proof().concat()[..]).unwrap();
    assert_eq!((derived, hints), (2, 5));
}

#[test]
fn a_formula_that_has_the_empty_clause_needs_no_proof() {
    assert_eq!(check(&dimacs(1, &[&[]]), &[][..]).unwrap().derived, 0);
}

#[test]
fn each_formula_with_a_solution_is_refused() {
    for left_out in 0..4 {
        let mut formula = SQUARE.to_vec();
        formula[left_out] = &[1, -1]; // says nothing, and keeps the numbers
        let error = check(&dimacs(2, &formula), &square_proof().concat()[..]);
        assert!(error.is_err(), "without clause {}", left_out + 1);
    }
}

#[test]
fn a_spoilt_step_is_refused_and_named() {
    let proof = square_proof();
    let with = |i: usize, step: Vec<u8>| {
        let mut changed = proof.clone();
        changed[i] = step;
        changed
    };
    let cases = [
        (
            with(0, add(5, &[-1], &[1, 2])),
            "clause 5: hint 1: want at most one",
        ),
        (
            with(0, add(5, &[1], &[1])),
            "clause 5: its hints end without a conflict",
        ),
        (
            with(0, add(5, &[1], &[1, 9])),
            "clause 5: hint 9: no such clause",
        ),
        (
            with(0, add(4, &[1], &[1, 2])),
            "clause 4: want a number above 4",
        ),
        (
            with(0, add(5, &[3], &[1, 2])),
            "literal 3: no such variable",
        ),
        (
            with(0, add(5, &[1, -1], &[])),
            "literals -1 and 1 in one clause",
        ),
        (with(1, delete(&[7])), "clause 7: deleted, and is not there"),
        (with(1, delete(&[3])), "clause 6: hint 3: no such clause"),
        (
            with(2, add(6, &[], &[3, 4])),
            "clause 6: hint 3: want at most one",
        ),
    ];
    for (steps, why) in cases {
        refused(SQUARE, &steps, why);
    }
}

#[test]
fn what_is_cut_short_is_refused_at_every_byte() {
    let proof = square_proof().concat();
    for length in 0..proof.len() {
        assert!(
            check(&dimacs(2, SQUARE), &proof[..length]).is_err(),
            "{length} bytes"
        );
    }
}

#[test]
fn rat_steps_and_other_letters_are_refused() {
    let mut rat = add(5, &[1], &[1]);
    let end = rat.len() - 1;
    rat[end - 1] |= 1; // the hint negative
    refused(SQUARE, &[rat], "RAT steps are not accepted");
    refused(SQUARE, &[vec![b'x']], "byte 1: want `a` or `d`, got 0x78");
    refused(SQUARE, &[vec![b'a', 0]], "want a clause, got 0");
    refused(
        SQUARE,
        &[vec![b'a'], vec![0xff; 12]],
        "want a number below 2^63",
    );
}

#[test]
fn malformed_formulas_are_refused_with_their_line() {
    let cases: [(&str, &str); 11] = [
        (
            "p cnf 1 1\n+1 0\n",
            "line 2: want a literal up to 1, got `+1`",
        ),
        (
            "p cnf 1 1\n1 -0\n",
            "line 2: want a literal up to 1, got `-0`",
        ),
        (
            "p cnf 1 1\n1 +0\n",
            "line 2: want a literal up to 1, got `+0`",
        ),
        (
            "p cnf +1 1\n1 0\n",
            "line 1: want one `p cnf variables clauses`",
        ),
        ("1 0\n", "line 1: want `p cnf` first"),
        ("p cnf 1 2\n1 0\n", "want 2 clauses, got 1"),
        (
            "p cnf 1 1\n2 0\n",
            "line 2: want a literal up to 1, got `2`",
        ),
        ("p cnf 1 1\n1\n", "want 0 after the last clause"),
        (
            "p cnf 1 1\np cnf 1 1\n",
            "line 2: want one `p cnf variables clauses`",
        ),
        (
            "p cnf one 1\n",
            "line 1: want one `p cnf variables clauses`",
        ),
        ("", "want a line `p cnf`, got none"),
    ];
    for (formula, why) in cases {
        let error = check(formula.as_bytes(), &[][..]).unwrap_err();
        assert!(matches!(error, Error::Formula { .. }));
        assert!(error.to_string().contains(why), "{error}");
    }
}

/// Gives a byte, then a signal, then the next byte.
struct WithSignals<'a>(&'a [u8], bool);

impl Read for WithSignals<'_> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        self.1 = !self.1;
        if self.1 {
            return Err(ErrorKind::Interrupted.into());
        }
        let most = to.len().min(1);
        self.0.read(&mut to[..most])
    }
}

#[test]
fn a_signal_does_not_end_a_proof() {
    let proof = square_proof().concat();
    let source = BufReader::with_capacity(1, WithSignals(&proof, false));
    assert_eq!(check(&dimacs(2, SQUARE), source).unwrap().derived, 2);
}

/// Random steps over random formulas of three variables: what is accepted has no solution.
#[test]
fn nothing_with_a_solution_is_ever_proven() {
    let mut state = 1_u64;
    let mut below = |n: u64| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 33) % n
    };
    let (mut accepted, mut solvable) = (0, 0);
    for _ in 0..200_000 {
        let mut clause = |most: u64| -> Vec<i32> {
            (0..below(most + 1))
                .map(|_| (below(3) as i32 + 1) * if below(2) == 0 { 1 } else { -1 })
                .collect()
        };
        let formula: Vec<Vec<i32>> = (0..6).map(|_| clause(2)).collect();
        let first = clause(1);
        let mut hints = || (0..below(5)).map(|_| below(7) + 1).collect::<Vec<_>>();
        let steps = [add(7, &first, &hints()), add(8, &[], &hints())].concat();
        let parts: Vec<&[i32]> = formula.iter().map(Vec::as_slice).collect();
        let ok = check(&dimacs(3, &parts), &steps[..]).is_ok();
        let has_solution = (0..8).any(|point: u32| {
            formula.iter().all(|clause| {
                clause
                    .iter()
                    .any(|lit| (point >> (lit.unsigned_abs() - 1) & 1 == 1) == (*lit > 0))
            })
        });
        accepted += u32::from(ok);
        solvable += u32::from(has_solution);
        assert!(!(ok && has_solution), "{formula:?} {steps:?}");
    }
    assert!(accepted > 1000 && solvable > 1000, "{accepted} {solvable}");
}
