//! Sums of bits of every kind.

use crate::node::{Node, difference};
use crate::table::Table;
use crate::{Bit, NONE, Symbols};

/// Unknowns in a sum; one of more is an unknown of its own.
const MOST: usize = 64;

impl Symbols {
    /// The sum of two bits.
    pub fn xor(&mut self, a: Bit, b: Bit) -> Bit {
        let (x, y) = (a >> 1, b >> 1);
        let constant = (a ^ b) & 1;
        if x == y {
            return constant;
        }
        if x == 0 || y == 0 {
            return (x | y) << 1 | constant;
        }
        let made = match (self.store.node(x), self.store.node(y)) {
            (Node::Sum(_), Node::Sum(_)) => self.add_sums(x, y) << 1,
            (Node::Lost { .. }, _) => self.add_to_lost(x, y),
            (_, Node::Lost { .. }) => self.add_to_lost(y, x),
            (
                &Node::Function { cell, table },
                &Node::Function {
                    cell: other,
                    table: second,
                },
            ) if cell == other => {
                self.function(cell, self.tables.get(table) ^ self.tables.get(second))
            }
            _ => self.add_mixed(x, y),
        };
        made ^ constant
    }

    /// The sum of the bits at each of these places.
    pub fn sum_at(&mut self, bits: &[Bit], places: &[u16]) -> Bit {
        let at = places.iter().map(|&at| bits[usize::from(at)]);
        if at.clone().all(|bit| self.is_sum(bit)) {
            let constant = at.clone().fold(0, |total, bit| total ^ bit & 1);
            let nodes: Vec<u32> = at.map(|bit| bit >> 1).collect();
            return self.store.add_all(&nodes) << 1 | constant;
        }
        at.fold(0, |total, bit| self.xor(total, bit))
    }

    /// The same bit, after symbols were added to its cells.
    pub fn settled(&mut self, bit: Bit) -> Bit {
        match *self.store.node(bit >> 1) {
            Node::Function { cell, table } => self.function(cell, self.tables.get(table)) ^ bit & 1,
            Node::Mixed { sum, .. } => {
                let rest = self.rest_of(bit >> 1);
                rest.into_iter()
                    .fold(sum << 1 | bit & 1, |total, (cell, table)| {
                        let function = self.function(cell, table);
                        self.xor(total, function)
                    })
            }
            _ => bit,
        }
    }

    fn add_sums(&mut self, x: u32, y: u32) -> u32 {
        let made = self.store.add(x, y);
        let ((cell, table), (other, second)) = (self.home(x), self.home(y));
        if cell == other && cell != NONE && self.home(made).0 != cell {
            let table = self.tables.get(table) ^ self.tables.get(second);
            self.settle_in(made, cell, table);
        }
        made
    }

    fn add_to_lost(&mut self, lost: u32, other: u32) -> Bit {
        let Node::Lost { unknowns, followed } = self.store.node(lost) else {
            unreachable!("a lost node")
        };
        let followed = *followed;
        let Node::Lost {
            unknowns: more,
            followed: second,
        } = self.store.node(other)
        else {
            let unknowns = unknowns.clone();
            let sum = self.xor(followed << 1, other << 1);
            return self.store.lost(&unknowns, sum >> 1) << 1 | sum & 1;
        };
        let (second, mut left) = (*second, Vec::new());
        difference(unknowns, more, &mut left);
        let sum = self.xor(followed << 1, second << 1);
        match left.len() {
            0 => sum,
            1..=MOST => self.store.lost(&left, sum >> 1) << 1 | sum & 1,
            _ => self.new_lost(),
        }
    }

    fn add_mixed(&mut self, x: u32, y: u32) -> Bit {
        // A function of one cell, and a sum in it.
        for (function, sum) in [(x, y), (y, x)] {
            if let Node::Function { cell, table } = *self.store.node(function)
                && self.store.sum(sum).is_some()
                && let Some(other) = self.table_of_sum(cell, sum)
            {
                return self.function(cell, self.tables.get(table) ^ other);
            }
        }
        let ((a, mut rest), (b, more)) = (self.parts(x), self.parts(y));
        for (cell, table) in more {
            match rest.iter_mut().find(|(other, _)| *other == cell) {
                Some((_, left)) => *left = *left ^ table,
                None => rest.push((cell, table)),
            }
        }
        rest.retain(|(_, table)| !table.is_zero());
        let sum = self.xor(a, b);
        self.mixed(sum, rest)
    }

    /// A node that is not lost as a sum and what is left of cells.
    fn parts(&mut self, at: u32) -> (Bit, Vec<(u32, Table)>) {
        match *self.store.node(at) {
            Node::Function { cell, table } => {
                let (sum, rest) = self.split(cell, self.tables.get(table));
                (
                    sum,
                    if rest.is_zero() {
                        vec![]
                    } else {
                        vec![(cell, rest)]
                    },
                )
            }
            Node::Mixed { sum, .. } => (sum << 1, self.rest_of(at)),
            _ => (at << 1, vec![]),
        }
    }

    /// What is left of cells in a mixed node.
    pub(crate) fn rest_of(&self, at: u32) -> Vec<(u32, Table)> {
        match self.store.node(at) {
            Node::Mixed { rest, .. } => rest
                .iter()
                .map(|&(cell, table)| (cell, self.tables.get(table)))
                .collect(),
            _ => vec![],
        }
    }

    fn mixed(&mut self, sum: Bit, mut rest: Vec<(u32, Table)>) -> Bit {
        match rest[..] {
            [] => return sum,
            [(cell, table)] => {
                if let Some(inside) = self.table_of(cell, sum) {
                    return self.function(cell, inside ^ table);
                }
            }
            _ => rest.sort_unstable_by_key(|&(cell, _)| cell),
        }
        let rest: Vec<_> = rest
            .into_iter()
            .map(|(cell, table)| (cell, self.tables.number(table)))
            .collect();
        self.store.mixed(sum >> 1, &rest) << 1 | sum & 1
    }
}
