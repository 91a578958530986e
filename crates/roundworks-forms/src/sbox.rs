//! What S-boxes and look-ups make of bits.

use std::sync::Arc;

use hashbrown::HashMap;

use crate::cell::are_plain;
use crate::node::Node;
use crate::table::Table;
use crate::{Bit, NONE, NotFollowed, Symbols};

/// An S-box of a description.
pub(crate) struct Sbox {
    values: Box<[u8]>,
    /// Whether no sum of its outputs is affine.
    is_plain: bool,
    /// The tables of its outputs, by the constant added to its inputs.
    columns: HashMap<u32, Arc<[Table]>>,
}

impl Symbols {
    /// The S-box with these values, one for each input: 2, 4, .. or 256.
    ///
    /// # Panics
    ///
    /// If their number is another, or more than 256.
    pub fn sbox(&mut self, values: &[u8]) -> u32 {
        if let Some(&number) = self.sbox_of.get(values) {
            return number;
        }
        assert!(
            values.len().is_power_of_two() && (2..=256).contains(&values.len()),
            "an S-box of 1 to 8 bits"
        );
        let rows: Vec<usize> = (0..values.len()).collect();
        let is_plain = are_plain(
            &moved(values, 0, &rows),
            values.len().trailing_zeros() as usize,
        );
        let number = u32::try_from(self.sboxes.len()).expect("fewer S-boxes than 2^32");
        self.sboxes.push(Sbox {
            values: values.into(),
            is_plain,
            columns: HashMap::new(),
        });
        self.sbox_of.insert(values.into(), number);
        number
    }

    /// An S-box of the description: its outputs get symbols.
    ///
    /// # Errors
    ///
    /// If a bit is the unfinished output of another S-box.
    pub fn substituted(
        &mut self,
        bits: &[Bit],
        sbox: u32,
        out: &mut Vec<Bit>,
    ) -> Result<(), NotFollowed> {
        if bits.iter().any(|&bit| self.is_lost(bit)) {
            out.extend((0..bits.len()).map(|_| self.new_lost()));
            return Ok(());
        }
        if !bits.iter().all(|&bit| self.is_sum(bit)) {
            return Err(NotFollowed("an S-box of what is no S-box's output yet"));
        }
        let constant = constant_of(bits);
        let sums: Vec<u32> = bits.iter().map(|bit| bit >> 1).collect();
        if sums.iter().all(|&sum| sum == 0) {
            let value = self.sboxes[sbox as usize].values[constant as usize];
            out.extend((0..bits.len()).map(|i| u32::from(value >> i & 1)));
            return Ok(());
        }
        // What an S-box left, and an S-box again, is a function of the same cell, as S back of S is.
        let owner = self.owner(&sums);
        if owner.is_none()
            && !sums.contains(&0)
            && let Some(cell) = self.cell(&sums)
        {
            match self.cells[cell as usize].made_by((sbox, constant)) {
                Some(known) => out.extend_from_slice(known),
                None => out.extend(self.substitute_cell(cell, sbox, constant)),
            }
            return Ok(());
        }
        let (cell, rows) = match owner {
            Some(cell) => (cell, self.rows(cell, &sums)),
            None => self.independent(&sums),
        };
        for column in moved(&self.sboxes[sbox as usize].values, constant as usize, &rows) {
            out.push(self.named(cell, column));
        }
        Ok(())
    }

    fn substitute_cell(&mut self, cell: u32, sbox: u32, constant: u32) -> Vec<Bit> {
        let Sbox {
            values,
            is_plain,
            columns,
        } = &mut self.sboxes[sbox as usize];
        let columns = columns.entry(constant).or_insert_with(|| {
            let rows: Vec<usize> = (0..values.len()).collect();
            moved(values, constant as usize, &rows).into()
        });
        let (columns, is_plain) = (Arc::clone(columns), *is_plain);
        let is_first = self.cells[cell as usize].known.is_empty();
        let outputs: Vec<Bit> = columns
            .iter()
            .map(|&column| {
                if is_first && is_plain {
                    self.output(cell, column)
                } else {
                    self.named(cell, column)
                }
            })
            .collect();
        let known = ((sbox, constant), outputs.clone().into());
        self.cells[cell as usize].known.push(known);
        outputs
    }

    /// The cell of which all of these sums, or what is left of them, are outputs.
    fn owner(&mut self, sums: &[u32]) -> Option<u32> {
        let top = self.store.top(self.highest(sums))?;
        let cell = Some(self.made_by[top as usize]).filter(|&cell| cell != NONE)?;
        sums.iter()
            .all(|&sum| self.table_of_sum(cell, sum).is_some())
            .then_some(cell)
    }

    /// A cell that all of these sums are functions of, and for each of its rows the value that they have.
    fn independent(&mut self, sums: &[u32]) -> (u32, Vec<usize>) {
        let candidates = match self.owner(sums) {
            Some(cell) => vec![cell],
            None => self.around(self.highest(sums)),
        };
        for cell in candidates {
            if sums
                .iter()
                .all(|&sum| self.table_of_sum(cell, sum).is_some())
            {
                return (cell, self.rows(cell, sums));
            }
        }
        let (mut chosen, mut pivots): (Vec<u32>, Vec<u32>) = (Vec::new(), Vec::new());
        for &sum in sums {
            let mut left = sum;
            while let Some(&pivot) = pivots
                .iter()
                .find(|&&pivot| left != 0 && self.store.top(pivot) == self.store.top(left))
            {
                left = self.store.add(left, pivot);
            }
            if left != 0 {
                pivots.push(left);
                chosen.push(sum);
            }
        }
        let cell = self.cell(&chosen).expect("independent sums");
        (cell, self.rows(cell, sums))
    }

    fn rows(&mut self, cell: u32, sums: &[u32]) -> Vec<usize> {
        let tables: Vec<Table> = sums
            .iter()
            .map(|&sum| self.table_of_sum(cell, sum).unwrap_or_default())
            .collect();
        rows_of(&tables, self.cells[cell as usize].size())
    }

    /// What a look-up in the code makes of index bits: `width` bits of each value, without new symbols.
    ///
    /// # Errors
    ///
    /// If the index is a function of several cells.
    pub fn looked_up(
        &mut self,
        bits: &[Bit],
        values: &[u64],
        width: usize,
    ) -> Result<Vec<Bit>, NotFollowed> {
        let bits: Vec<Bit> = bits.iter().map(|&bit| self.settled(bit)).collect();
        if bits.iter().any(|&bit| self.is_lost(bit)) {
            return Ok((0..width).map(|_| self.new_lost()).collect());
        }
        let constant = constant_of(&bits);
        if bits.iter().all(|&bit| bit <= 1) {
            return Ok((0..width)
                .map(|j| (values[constant as usize] >> j & 1) as Bit)
                .collect());
        }
        let unfinished = bits
            .iter()
            .find_map(|&bit| match self.store.node(bit >> 1) {
                Node::Function { cell, .. } => Some(*cell),
                Node::Mixed { rest, .. } => Some(rest[0].0),
                _ => None,
            });
        let (cell, rows) = match unfinished {
            Some(cell) => {
                let tables: Option<Vec<Table>> =
                    bits.iter().map(|&bit| self.table_of(cell, bit)).collect();
                let tables =
                    tables.ok_or(NotFollowed("a look-up whose index several cells make"))?;
                (cell, rows_of(&tables, self.cells[cell as usize].size()))
            }
            None => {
                let sums: Vec<u32> = bits.iter().map(|bit| bit >> 1).collect();
                let (cell, rows) = self.independent(&sums);
                (
                    cell,
                    rows.into_iter()
                        .map(|row| row ^ constant as usize)
                        .collect(),
                )
            }
        };
        // A look-up by a nibble is no part of a larger S-box here, also in lanes that nobody uses.
        let is_named = self.cells[cell as usize].size() <= 4;
        Ok((0..width)
            .map(|j| {
                let column = Table::of_rows(rows.iter().map(|&row| values[row] >> j & 1 == 1));
                if is_named {
                    self.named(cell, column)
                } else {
                    self.function(cell, column)
                }
            })
            .collect())
    }
}

fn constant_of(bits: &[Bit]) -> u32 {
    bits.iter()
        .enumerate()
        .fold(0, |constant, (i, bit)| constant | (bit & 1) << i)
}

fn rows_of(tables: &[Table], size: usize) -> Vec<usize> {
    (0..1 << size)
        .map(|row| {
            tables.iter().enumerate().fold(0, |value, (i, table)| {
                value | usize::from(table.row(row)) << i
            })
        })
        .collect()
}

/// The table of each output bit, where row r of the cell is the S-box's input `rows[r]`, plus a constant.
fn moved(values: &[u8], constant: usize, rows: &[usize]) -> Vec<Table> {
    let width = 8 - values
        .iter()
        .fold(0, |all, value| all | value)
        .leading_zeros();
    (0..width)
        .map(|j| Table::of_rows(rows.iter().map(|row| values[row ^ constant] >> j & 1 == 1)))
        .collect()
}
