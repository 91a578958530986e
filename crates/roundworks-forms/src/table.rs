//! Truth tables of up to eight variables.

use hashbrown::HashMap;

/// Row r is the value where variable i is bit i of r.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Table([u64; 4]);

const VARIABLES: [u64; 6] = [
    0xAAAA_AAAA_AAAA_AAAA,
    0xCCCC_CCCC_CCCC_CCCC,
    0xF0F0_F0F0_F0F0_F0F0,
    0xFF00_FF00_FF00_FF00,
    0xFFFF_0000_FFFF_0000,
    0xFFFF_FFFF_0000_0000,
];

impl Table {
    /// The constant 1 of `size` variables.
    pub(crate) fn ones(size: usize) -> Self {
        match size {
            8 => Self([!0; 4]),
            7 => Self([!0, !0, 0, 0]),
            6 => Self([!0, 0, 0, 0]),
            _ => Self([(1 << (1 << size)) - 1, 0, 0, 0]),
        }
    }

    /// Variable i of `size`.
    pub(crate) fn variable(i: usize, size: usize) -> Self {
        let all = match i {
            6 => Self([0, !0, 0, !0]),
            7 => Self([0, 0, !0, !0]),
            _ => Self([VARIABLES[i]; 4]),
        };
        all & Self::ones(size)
    }

    /// The table with these rows.
    pub(crate) fn of_rows(rows: impl IntoIterator<Item = bool>) -> Self {
        let mut made = Self::default();
        for (row, value) in rows.into_iter().enumerate() {
            made.0[row >> 6] |= u64::from(value) << (row & 63);
        }
        made
    }

    /// The table of which this row alone is 1.
    pub(crate) fn only(row: usize) -> Self {
        let mut made = Self::default();
        made.0[row >> 6] = 1 << (row & 63);
        made
    }

    /// The rows that are 1.
    pub(crate) fn rows(self) -> impl Iterator<Item = usize> {
        self.0.into_iter().enumerate().flat_map(|(i, word)| {
            std::iter::successors(Some(word), |left| Some(left & left.wrapping_sub(1)))
                .take_while(|&left| left != 0)
                .map(move |left| 64 * i + left.trailing_zeros() as usize)
        })
    }

    pub(crate) fn row(&self, row: usize) -> bool {
        self.0[row >> 6] >> (row & 63) & 1 == 1
    }

    pub(crate) fn is_zero(&self) -> bool {
        self.0 == [0; 4]
    }

    /// The highest row that is 1, of a table that has one.
    pub(crate) fn highest(&self) -> usize {
        let word = self
            .0
            .iter()
            .rposition(|&word| word != 0)
            .expect("a row that is 1");
        64 * word + 63 - self.0[word].leading_zeros() as usize
    }
}

impl std::ops::BitXor for Table {
    type Output = Self;
    fn bitxor(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] ^ other.0[i]))
    }
}

impl std::ops::BitAnd for Table {
    type Output = Self;
    fn bitand(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] & other.0[i]))
    }
}

impl std::ops::BitOr for Table {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] | other.0[i]))
    }
}

/// Tables by number.
#[derive(Default)]
pub(crate) struct Tables {
    all: Vec<Table>,
    number: HashMap<Table, u32>,
}

impl Tables {
    pub(crate) fn get(&self, number: u32) -> Table {
        self.all[number as usize]
    }

    pub(crate) fn number(&mut self, table: Table) -> u32 {
        *self.number.entry(table).or_insert_with(|| {
            self.all.push(table);
            u32::try_from(self.all.len() - 1).expect("fewer tables than 2^32")
        })
    }
}
