//! What anybody knows who sees some bits.

use hashbrown::HashMap;

use crate::node::{Node, difference};
use crate::{Bit, Symbols};

/// What follows from bits that anybody sees: their sums, functions of a cell whose inputs are such, and what was in
/// memory before. A sum of symbols of a ciphertext need not be: the message is one.
#[derive(Default)]
pub struct Public {
    pivots: HashMap<u32, Vec<u32>>,
    /// What was found of nodes.
    known: HashMap<u32, bool>,
}

impl Public {
    /// What follows from these.
    #[must_use]
    pub fn new(symbols: &Symbols, known: &[Bit]) -> Self {
        let mut public = Self::default();
        for bit in known {
            if let Some(sum) = symbols.store.sum(bit >> 1) {
                let rest = public.rest(symbols, sum);
                if let Some(&top) = rest.last() {
                    public.pivots.insert(top, rest);
                }
            }
        }
        public
    }

    fn rest(&self, symbols: &Symbols, sum: &[u32]) -> Vec<u32> {
        let mut left: Vec<u32> = sum
            .iter()
            .copied()
            .filter(|&symbol| !symbols.unknown[symbol as usize])
            .collect();
        let mut less = Vec::new();
        while let Some(pivot) = left.last().and_then(|top| self.pivots.get(top)) {
            difference(&left, pivot, &mut less);
            std::mem::swap(&mut left, &mut less);
        }
        left
    }

    /// Whether a bit is known to whoever knows the public ones.
    pub fn holds(&mut self, symbols: &Symbols, bit: Bit) -> bool {
        if let Some(&known) = self.known.get(&(bit >> 1)) {
            return known;
        }
        let known = match symbols.store.node(bit >> 1) {
            Node::Sum(sum) => self.rest(symbols, sum).is_empty(),
            Node::Function { cell, .. } => self.holds_inputs(symbols, *cell),
            Node::Mixed { sum, rest } => {
                self.holds(symbols, sum << 1)
                    && rest
                        .iter()
                        .all(|&(cell, _)| self.holds_inputs(symbols, cell))
            }
            Node::Lost { .. } => false,
        };
        self.known.insert(bit >> 1, known);
        known
    }

    fn holds_inputs(&mut self, symbols: &Symbols, cell: u32) -> bool {
        symbols.cells[cell as usize]
            .inputs
            .iter()
            .all(|&input| self.holds(symbols, input << 1))
    }
}
