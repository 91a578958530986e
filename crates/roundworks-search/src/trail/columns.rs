//! Words as four columns, each a function from its 16 activity patterns to what they have cost.
//!
//! Of a sum p ^ q only the columns of p and q decide, one by one, and MixColumns leaves the columns
//! of its output free of each other. So a whole set of possible words is four small functions, and
//! single words need to be listed only where ShiftRows mixes the columns.

use super::hash::Map;

/// Not possible.
pub(crate) const NEVER: u8 = u8::MAX;

/// Cost of each of the 16 patterns of a column; bit r is the byte in row r.
pub(crate) type Column = [u8; 16];

/// Four interned columns, column c in byte c.
pub(crate) type WordSet = u32;

/// Bytes of a word: bit 4c + r is row r of column c.
pub(crate) type Pattern = u16;

/// Byte in row r of column c moves to column c - r.
pub(crate) const fn shift_rows(x: Pattern) -> Pattern {
    let mut out = 0;
    let mut at = 0;
    while at < 16 {
        let (c, r) = (at / 4, at % 4);
        out |= (x >> at & 1) << (4 * ((c + 4 - r) % 4) + r);
        at += 1;
    }
    out
}

/// What `shift_rows` turns into `x`.
pub(crate) const fn unshift_rows(x: Pattern) -> Pattern {
    shift_rows(shift_rows(shift_rows(x)))
}

/// Active bytes of each column.
pub(crate) fn weights(x: Pattern) -> [u32; 4] {
    [0, 4, 8, 12].map(|at| (x >> at & 15).count_ones())
}

/// Another word that MixColumns after ShiftRows cannot tell from `x`: always the same one.
pub(crate) fn canonical(x: Pattern) -> Pattern {
    let mut out = 0;
    for (c, weight) in weights(shift_rows(x)).into_iter().enumerate() {
        out |= ((1 << weight) - 1) << (4 * c);
    }
    unshift_rows(out)
}

/// Interned columns, their sums, and their mirror images.
pub(crate) struct Columns {
    list: Vec<Column>,
    ids: Map<Column, u8>,
    /// By p and q; none where it was not needed.
    sums: Vec<Option<u8>>,
    /// Fewest active bytes of each, and its minimum cost.
    minimum: Vec<(u32, u32)>,
    mirrored: Vec<Option<u8>>,
    /// By cost of a byte and pattern, and by that and weight.
    singles: [[u8; 16]; 2],
    mixtures: [[u8; 5]; 2],
    /// What an active byte of a sum costs.
    byte_cost: u8,
}

impl Columns {
    pub fn new(byte_cost: u8) -> Self {
        let mut columns = Self {
            list: Vec::new(),
            ids: Map::default(),
            sums: vec![None; 1 << 16],
            minimum: Vec::new(),
            mirrored: Vec::new(),
            singles: [[0; 16]; 2],
            mixtures: [[0; 5]; 2],
            byte_cost,
        };
        // First the pattern 0, so that the word 0 is the one that is never active.
        for byte_cost in 0..2u8 {
            for pattern in 0..16u8 {
                columns.singles[byte_cost as usize][pattern as usize] =
                    columns.exact(pattern, byte_cost);
            }
            for weight in 0..5 {
                columns.mixtures[byte_cost as usize][weight as usize] =
                    columns.mixed(weight, byte_cost);
            }
        }
        columns
    }

    pub fn intern(&mut self, column: Column) -> u8 {
        if let Some(&id) = self.ids.get(&column) {
            return id;
        }
        let id = u8::try_from(self.list.len()).expect("fewer than 256 kinds of column");
        self.list.push(column);
        self.mirrored.push(None);
        let possible = (0..16usize).filter(|&pattern| column[pattern] != NEVER);
        let fewest = possible
            .clone()
            .map(|pattern| pattern.count_ones())
            .min()
            .unwrap_or(0);
        let minimum = possible.map(|pattern| column[pattern]).min().unwrap_or(0);
        self.minimum.push((fewest, minimum.into()));
        self.ids.insert(column, id);
        id
    }

    pub fn of(&self, id: u8) -> &Column {
        &self.list[id as usize]
    }

    /// Fewest active bytes, and the minimum cost.
    pub fn minimum(&self, id: u8) -> (u32, u32) {
        self.minimum[id as usize]
    }

    /// Nothing but this pattern, each active byte at `byte_cost`.
    fn exact(&mut self, pattern: u8, byte_cost: u8) -> u8 {
        let mut column = [NEVER; 16];
        column[pattern as usize] = byte_cost * pattern.count_ones() as u8;
        self.intern(column)
    }

    /// What MixColumns makes of a column with `weight` active bytes: five active in all.
    fn mixed(&mut self, weight: u32, byte_cost: u8) -> u8 {
        let mut column = [NEVER; 16];
        for (pattern, cost) in column.iter_mut().enumerate() {
            let active = pattern.count_ones();
            if active + weight >= 5 || active + weight == 0 {
                *cost = byte_cost * active as u8;
            }
        }
        self.intern(column)
    }

    /// Any word at all, at a cost that each column's active bytes decide.
    pub fn free_word(&mut self, cost: impl Fn(u8) -> u8) -> WordSet {
        let mut column = [0; 16];
        for (pattern, known) in column.iter_mut().enumerate().skip(1) {
            *known = cost(pattern.count_ones() as u8);
        }
        u32::from_le_bytes([self.intern(column); 4])
    }

    /// A word of the set, but not 0; rotated so that its first column is active.
    pub fn begun(&mut self, word: WordSet) -> WordSet {
        let [first, rest @ ..] = word.to_le_bytes();
        let mut column = *self.of(first);
        column[0] = NEVER;
        let first = self.intern(column);
        u32::from_le_bytes([first, rest[0], rest[1], rest[2]])
    }

    /// p ^ q: an active byte on both sides may stay or cancel.
    pub fn sum(&mut self, p: u8, q: u8) -> u8 {
        let key = usize::from(p) << 8 | usize::from(q);
        if let Some(id) = self.sums[key] {
            return id;
        }
        let mut column = [NEVER; 16];
        for a in 0..16 {
            for b in 0..16 {
                let (cost_a, cost_b) = (self.of(p)[a], self.of(q)[b]);
                if cost_a == NEVER || cost_b == NEVER {
                    continue;
                }
                for kept in 0..16 {
                    if kept & !(a & b) == 0 {
                        let cost = &mut column[(a ^ b) | kept];
                        let own = self.byte_cost * ((a ^ b) | kept).count_ones() as u8;
                        *cost = (*cost).min(cost_a + cost_b + own);
                    }
                }
            }
        }
        let id = self.intern(column);
        self.sums[key] = Some(id);
        id
    }

    pub fn sum_words(&mut self, p: WordSet, q: WordSet) -> WordSet {
        let (p, q) = (p.to_le_bytes(), q.to_le_bytes());
        u32::from_le_bytes([0, 1, 2, 3].map(|c| self.sum(p[c], q[c])))
    }

    pub fn exact_word(&self, x: Pattern, byte_cost: u8) -> WordSet {
        let known = self.singles[byte_cost as usize];
        u32::from_le_bytes([0, 4, 8, 12].map(|at| known[(x >> at & 15) as usize]))
    }

    /// MixColumns of all words with the column weights of `x`.
    pub fn mixed_word(&self, x: Pattern, byte_cost: u8) -> WordSet {
        let known = self.mixtures[byte_cost as usize];
        u32::from_le_bytes(weights(x).map(|weight| known[weight as usize]))
    }

    /// Rows and columns counted backwards, as ShiftRows allows.
    pub fn mirror(&mut self, word: WordSet) -> WordSet {
        let bytes = word.to_le_bytes();
        u32::from_le_bytes([0, 3, 2, 1].map(|c| self.mirror_column(bytes[c])))
    }

    fn mirror_column(&mut self, id: u8) -> u8 {
        if let Some(known) = self.mirrored[id as usize] {
            return known;
        }
        let old = *self.of(id);
        let mut column = [NEVER; 16];
        for (pattern, cost) in old.into_iter().enumerate() {
            let swapped = pattern & 0b0101 | (pattern & 0b0010) << 2 | (pattern & 0b1000) >> 2;
            column[swapped] = cost;
        }
        let new = self.intern(column);
        self.mirrored[id as usize] = Some(new);
        new
    }
}
