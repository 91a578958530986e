//! Cells, and functions of them.

use crate::cell::{Cell, Members};
use crate::node::Node;
use crate::table::Table;
use crate::{Bit, NONE, Symbols};

impl Symbols {
    /// The cell with these nodes as its inputs, made if it is new; None of dependent ones.
    pub(crate) fn cell(&mut self, inputs: &[u32]) -> Option<u32> {
        if let Some(&cell) = self.cell_of.get(inputs) {
            return Some(cell);
        }
        let made = Cell::new(inputs, &mut self.store)?;
        let number = u32::try_from(self.cells.len()).expect("fewer cells than 2^32");
        for pivot in &made.pivots {
            let before = self.tops.insert(pivot.top, self.with_top.len());
            self.with_top.push((number, before));
        }
        for (i, &input) in inputs.iter().enumerate() {
            self.settle_in(input, number, Table::variable(i, inputs.len()));
        }
        self.cells.push(made);
        self.cell_of.insert(inputs.into(), number);
        Some(number)
    }

    /// Every cell that a sum may be a function of, the most likely first: that which it is known to be one of, then
    /// those where its highest symbol is that of an input, or an output.
    pub(crate) fn around(&self, sum: u32) -> Vec<u32> {
        let Some(top) = self.store.top(sum) else {
            return vec![];
        };
        let mut cells = vec![self.home(sum).0];
        let mut at = self.tops.get(&top);
        while let Some((cell, before)) = at.map(|&at| &self.with_top[at]) {
            cells.push(*cell);
            at = before.as_ref();
        }
        cells.push(self.made_by[top as usize]);
        cells.retain(|&cell| cell != NONE);
        cells
    }

    /// The sum whose highest symbol is the highest of all.
    pub(crate) fn highest(&self, sums: &[u32]) -> u32 {
        *sums
            .iter()
            .max_by_key(|&&sum| self.store.top(sum))
            .expect("a sum")
    }

    /// The truth table of a bit in the inputs of a cell, if it is a function of these.
    pub(crate) fn table_of(&mut self, cell: u32, bit: Bit) -> Option<Table> {
        let table = match *self.store.node(bit >> 1) {
            Node::Sum(_) => self.table_of_sum(cell, bit >> 1)?,
            Node::Function { cell: own, table } if own == cell => self.tables.get(table),
            Node::Mixed { sum, ref rest } if rest.len() == 1 && rest[0].0 == cell => {
                let rest = self.tables.get(rest[0].1);
                self.table_of_sum(cell, sum)? ^ rest
            }
            _ => return None,
        };
        Some(if bit & 1 == 1 {
            table ^ Table::ones(self.cells[cell as usize].size())
        } else {
            table
        })
    }

    pub(crate) fn table_of_sum(&mut self, cell: u32, sum: u32) -> Option<Table> {
        let (home, table) = self.home(sum);
        if home == cell {
            return Some(self.tables.get(table));
        }
        if let Some(&known) = self.known.get(&(cell, sum)) {
            return Some(self.tables.get(known));
        }
        let table = self.cells[cell as usize].table(self.store.sum(sum)?, &self.store)?;
        self.known.insert((cell, sum), self.tables.number(table));
        Some(table)
    }

    /// A cell that a sum is known to be a function of, and the number of its table.
    pub(crate) fn home(&self, sum: u32) -> (u32, u32) {
        self.homes.get(sum as usize).copied().unwrap_or((NONE, 0))
    }

    /// A sum is a function of this cell.
    pub(crate) fn settle_in(&mut self, sum: u32, cell: u32, table: Table) {
        let at = sum as usize;
        if at >= self.homes.len() {
            self.homes.resize((at + 1).next_power_of_two(), (NONE, 0));
        }
        self.homes[at] = (cell, self.tables.number(table));
    }

    /// A table as a sum of the cell's symbols, and what is left of it.
    pub(crate) fn split(&mut self, cell: u32, table: Table) -> (Bit, Table) {
        let (rest, of) = self.cells[cell as usize].split(table);
        (self.sum_in(cell, of), rest)
    }

    fn sum_in(&mut self, cell: u32, of: Members) -> Bit {
        let (mut nodes, at) = (Vec::new(), &self.cells[cell as usize]);
        for i in of.rows().filter(|&i| i > 0) {
            nodes.push(match (i - 1).checked_sub(at.size()) {
                None => at.inputs[i - 1],
                Some(output) => self.store.sum_of(&[at.outputs[output].0]),
            });
        }
        self.store.add_all(&nodes) << 1 | u32::from(of.row(0))
    }

    /// The function of a cell with this table.
    pub(crate) fn function(&mut self, cell: u32, table: Table) -> Bit {
        let (rest, of) = self.cells[cell as usize].split(table);
        if rest.is_zero() {
            return self.sum_in(cell, of);
        }
        let constant = table.row(0);
        let plain = if constant {
            table ^ Table::ones(self.cells[cell as usize].size())
        } else {
            table
        };
        let number = self.tables.number(plain);
        self.store.function(cell, number) << 1 | u32::from(constant)
    }

    /// The function of a cell with this table as a sum, with a symbol for what no sum of its symbols is in.
    pub(crate) fn named(&mut self, cell: u32, table: Table) -> Bit {
        let (sum, rest) = self.split(cell, table);
        if rest.is_zero() {
            return sum;
        }
        // The symbol is the rest, so that what it is added to stays as it is.
        let symbol = self.output(cell, rest);
        self.xor(sum, symbol)
    }

    /// A new symbol that stands for this function of a cell.
    pub(crate) fn output(&mut self, cell: u32, table: Table) -> Bit {
        let symbol = u32::try_from(self.count()).expect("fewer symbols than 2^32");
        let node = self.symbol(cell);
        self.cells[cell as usize].add(symbol, table);
        self.settle_in(node, cell, table);
        node << 1
    }
}
