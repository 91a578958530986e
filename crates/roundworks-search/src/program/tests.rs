//! Tests of `program`.

use super::*;
use std::collections::BTreeSet;

fn node(kind: Kind, operands: &[usize]) -> Node {
    Node {
        kind,
        operands: operands.to_vec(),
        weight: 1,
    }
}

fn all(program: &Program, state: u32, message: u32) -> BTreeSet<(u32, u32)> {
    let mut seen = BTreeSet::new();
    program.successors(state, message, |next, weight| {
        seen.insert((next, weight));
    });
    seen
}

#[test]
fn kinds_follow_their_rules() {
    let nodes = vec![
        node(Kind::F, &[0]),
        node(Kind::Xor, &[0, 1, 2]),
        node(Kind::Any, &[1, 2]),
    ];
    let program = Program::new(2, 1, nodes, vec![Some(4), Some(5)]).unwrap();
    assert_eq!(all(&program, 0, 0), [(0, 0)].into());
    assert_eq!(all(&program, 0b01, 0), [(0b01, 1)].into());
    assert_eq!(all(&program, 0b10, 0), [(0b01, 0), (0b11, 0)].into());
    assert_eq!(
        all(&program, 0b01, 1),
        [(0, 1), (1, 1), (2, 1), (3, 1)].into()
    );
}

#[test]
fn dead_nodes_do_not_double_the_work() {
    let dead = (0..20).map(|_| node(Kind::Any, &[0])).collect();
    let program = Program::new(1, 0, dead, vec![Some(0)]).unwrap();
    let mut visits = 0;
    program.successors(1, 0, |_, _| visits += 1);
    assert_eq!(visits, 1);
}

#[test]
fn errors_are_one_line_and_say_what_is_wanted() {
    let text = |result: Result<Program, Error>| result.unwrap_err().to_string();
    assert_eq!(
        text(Program::new(25, 0, vec![], vec![])),
        "words: want 1 to 24, got 25"
    );
    let late = vec![node(Kind::F, &[2])];
    assert_eq!(
        text(Program::new(1, 1, late, vec![None])),
        "node 0: operand 2 is not defined yet: want ids below 2"
    );
    let two = vec![node(Kind::F, &[0, 1])];
    assert_eq!(
        text(Program::new(1, 1, two, vec![None])),
        "node 0: f: want 1 operand, got 2"
    );
    let twice = vec![node(Kind::Xor, &[0, 1, 0])];
    assert_eq!(
        text(Program::new(1, 1, twice, vec![None])),
        "node 0: xor: operand 0 twice cancels; leave both out"
    );
    assert_eq!(
        text(Program::new(2, 0, vec![], vec![None])),
        "outputs: want 2, one for each word, got 1"
    );
    assert_eq!(
        text(Program::new(1, 0, vec![], vec![Some(1)])),
        "outputs: want ids below 1, got 1"
    );
}
