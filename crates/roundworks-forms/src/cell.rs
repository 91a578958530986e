//! The inputs of one S-box, and what is known of them.

use std::borrow::Cow;

use crate::Bit;
use crate::node::{Store, difference};
use crate::table::Table;

/// Independent sums, the inputs of an S-box.
pub(crate) struct Cell {
    /// Nodes.
    pub(crate) inputs: Box<[u32]>,
    /// Symbols, and the truth tables that they stand for.
    pub(crate) outputs: Vec<(u32, Table)>,
    /// What S-boxes make of the inputs.
    pub(crate) known: Vec<(Substitution, Box<[Bit]>)>,
    pub(crate) pivots: Vec<Pivot>,
    span: Vec<Basis>,
}

/// An S-box, and the constant that is added to its inputs.
pub(crate) type Substitution = (u32, u32);

/// A sum of inputs, by its highest symbol.
pub(crate) struct Pivot {
    pub(crate) top: u32,
    node: u32,
    /// Of which inputs it is the sum.
    inputs: u32,
}

/// Of what a table is the sum: row 0 is the constant's, then follow those of the inputs, then of the outputs. These are
/// independent, so there are no more of them than rows.
pub(crate) type Members = Table;

/// A table in the span of the constant, the inputs and the outputs, by its highest row.
struct Basis {
    row: usize,
    table: Table,
    of: Members,
}

impl Cell {
    /// Of nodes that are sums; None of dependent ones.
    pub(crate) fn new(inputs: &[u32], store: &mut Store) -> Option<Self> {
        let mut cell = Self {
            inputs: inputs.into(),
            outputs: Vec::with_capacity(inputs.len()),
            known: Vec::new(),
            pivots: Vec::with_capacity(inputs.len()),
            span: Vec::new(),
        };
        for (i, &input) in inputs.iter().enumerate() {
            let (mut node, mut of) = (input, 1 << i);
            while let Some(pivot) = cell.pivot(store.top(node)?) {
                of ^= pivot.inputs;
                node = store.add(node, pivot.node);
            }
            let top = store.top(node)?;
            cell.pivots.push(Pivot {
                top,
                node,
                inputs: of,
            });
        }
        Some(cell)
    }

    fn pivot(&self, top: u32) -> Option<&Pivot> {
        self.pivots.iter().find(|pivot| pivot.top == top)
    }

    /// What an S-box makes of the inputs.
    pub(crate) fn made_by(&self, substitution: Substitution) -> Option<&[Bit]> {
        let mut known = self.known.iter();
        known
            .find(|(key, _)| *key == substitution)
            .map(|(_, bits)| &**bits)
    }

    pub(crate) fn size(&self) -> usize {
        self.inputs.len()
    }

    /// The truth table of a sum of inputs and outputs; None of any other.
    pub(crate) fn table(&self, sum: &[u32], store: &Store) -> Option<Table> {
        let (mut table, mut of) = (Table::default(), 0);
        let (mut symbols, mut less) = (Cow::Borrowed(sum), Vec::new());
        // The highest symbol is that of a sum of inputs, or an output.
        while let Some(&top) = symbols.last() {
            if let Some(pivot) = self.pivot(top) {
                difference(&symbols, store.sum(pivot.node)?, &mut less);
                std::mem::swap(symbols.to_mut(), &mut less);
                of ^= pivot.inputs;
            } else {
                let (_, output) = self.outputs.iter().find(|(output, _)| *output == top)?;
                table = table ^ *output;
                match &mut symbols {
                    Cow::Borrowed(all) => *all = &all[..all.len() - 1],
                    Cow::Owned(all) => all.truncate(all.len() - 1),
                }
            }
        }
        for i in 0..self.size() {
            if of >> i & 1 == 1 {
                table = table ^ Table::variable(i, self.size());
            }
        }
        Some(table)
    }

    /// A symbol that stands for this table.
    pub(crate) fn add(&mut self, symbol: u32, table: Table) {
        self.outputs.push((symbol, table));
        if !self.span.is_empty() {
            self.extend(table, Members::only(self.size() + self.outputs.len()));
        }
    }

    fn extend(&mut self, table: Table, of: Members) {
        let (table, less) = self.less(table);
        if !table.is_zero() {
            self.span.push(Basis {
                row: table.highest(),
                table,
                of: of ^ less,
            });
        }
    }

    fn less(&self, mut table: Table) -> (Table, Members) {
        let mut of = Members::default();
        for basis in &self.span {
            if table.row(basis.row) {
                table = table ^ basis.table;
                of = of ^ basis.of;
            }
        }
        (table, of)
    }

    /// What is left of a table without sums of the constant, inputs and outputs, and of which those are. The span
    /// grows and is never reordered, so what is left must be split again before it is compared.
    pub(crate) fn split(&mut self, table: Table) -> (Table, Members) {
        if self.span.is_empty() {
            self.extend(Table::ones(self.size()), Members::only(0));
            for i in 0..self.size() {
                self.extend(Table::variable(i, self.size()), Members::only(1 + i));
            }
            for i in 0..self.outputs.len() {
                self.extend(self.outputs[i].1, Members::only(1 + self.size() + i));
            }
        }
        self.less(table)
    }
}

/// Whether no sum of these tables is affine, so that each may have a symbol of its own.
pub(crate) fn are_plain(tables: &[Table], size: usize) -> bool {
    let mut rows: Vec<(usize, Table)> = Vec::new();
    let affine = (0..size).map(|i| Table::variable(i, size));
    for table in std::iter::once(Table::ones(size))
        .chain(affine)
        .chain(tables.iter().copied())
    {
        let left = rows.iter().fold(
            table,
            |left, &(row, pivot)| if left.row(row) { left ^ pivot } else { left },
        );
        if left.is_zero() {
            return false;
        }
        rows.push((left.highest(), left));
    }
    tables.len() == size
}
