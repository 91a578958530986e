//! The S-boxes and the permutation in one direction.

use super::Word;

/// An S-box in one direction.
#[derive(Clone, Debug)]
pub(super) struct Table {
    /// For each value the others that it can have on the other side and what that weighs, the lightest first.
    pub(super) options: Vec<Vec<(u8, u32)>>,
    /// For each value the minimum of these.
    pub(super) minimum: Vec<u32>,
    /// For each value the minimum of all that have its bits and any more.
    pub(super) floor: Vec<u32>,
}

/// All cells in one direction.
#[derive(Clone, Debug)]
pub(super) struct Side {
    bits: usize,
    tables: Vec<Table>,
    kinds: Vec<usize>,
    /// Where bit k of cell c at place ``bits`` c + k goes: the cell, and the bit there as a value.
    to: Vec<(usize, u8)>,
}

impl Table {
    fn new(all: &[Vec<(u8, u32)>]) -> Self {
        let mut options = all.to_vec();
        for row in &mut options {
            row.sort_by_key(|&(value, weight)| (weight, value));
        }
        let minimum: Vec<u32> = options.iter().map(|row| row[0].1).collect();
        let floor = (0..minimum.len())
            .map(|value| {
                let above = (value..minimum.len()).filter(|v| v & value == value);
                above.map(|v| minimum[v]).min().unwrap_or(0)
            })
            .collect();
        Self {
            options,
            minimum,
            floor,
        }
    }
}

impl Side {
    pub(super) fn new<'a>(
        bits: usize,
        to: &[usize],
        options: impl Iterator<Item = &'a [Vec<(u8, u32)>]>,
        kinds: &[usize],
    ) -> Self {
        Self {
            bits,
            tables: options.map(Table::new).collect(),
            kinds: kinds.to_vec(),
            to: to.iter().map(|&i| (i / bits, 1 << (i % bits))).collect(),
        }
    }

    pub(super) fn nothing(&self) -> Word {
        vec![0; self.kinds.len()]
    }

    /// All values of a cell.
    pub(super) fn values(&self) -> std::ops::RangeInclusive<u8> {
        0..=u8::MAX >> (8 - self.bits)
    }

    #[inline]
    pub(super) fn table(&self, cell: usize) -> &Table {
        &self.tables[self.kinds[cell]]
    }

    /// Where the bits of a value of a cell go.
    #[inline]
    pub(super) fn places(&self, cell: usize, value: u8) -> impl Iterator<Item = (usize, u8)> + '_ {
        let to = &self.to[cell * self.bits..(cell + 1) * self.bits];
        let mut left = value;
        std::iter::from_fn(move || {
            let place = (left != 0).then(|| to[left.trailing_zeros() as usize]);
            left &= left.wrapping_sub(1);
            place
        })
    }

    /// The word behind the permutation.
    pub(super) fn moved(&self, word: &Word) -> Word {
        let mut moved = self.nothing();
        for (cell, &value) in word.iter().enumerate() {
            for (there, bit) in self.places(cell, value) {
                moved[there] |= bit;
            }
        }
        moved
    }

    /// The word on the other side that weighs the minimum.
    pub(super) fn lightest_other(&self, word: &Word) -> Word {
        let value_of =
            |(cell, &value): (usize, &u8)| self.table(cell).options[usize::from(value)][0].0;
        word.iter().enumerate().map(value_of).collect()
    }
}
