//! Products, and other functions of two or three bits.

use crate::node::Node;
use crate::table::Table;
use crate::{Bit, NotFollowed, Symbols};

/// The rows of a table of three bits in which one of them is 1.
const HALVES: [(u8, u8); 3] = [(4, 0xF0), (2, 0xCC), (1, 0xAA)];

impl Symbols {
    /// The product of two bits.
    ///
    /// # Errors
    ///
    /// If they are functions of several cells while the description is computed.
    pub fn times(&mut self, a: Bit, b: Bit) -> Result<Bit, NotFollowed> {
        if a <= 1 || a == b {
            return Ok(if a == 0 { 0 } else { b });
        }
        if b <= 1 {
            return Ok(if b == 0 { 0 } else { a });
        }
        if a ^ b == 1 {
            return Ok(0);
        }
        if self.is_lost(a) || self.is_lost(b) {
            return Ok(self.new_lost());
        }
        if self.is_sum(a) && self.is_sum(b) {
            return Ok(self.times_sums(a, b));
        }
        for cell in self.cells_of(if self.is_sum(a) { b } else { a }) {
            if let (Some(left), Some(right)) = (self.table_of(cell, a), self.table_of(cell, b)) {
                return Ok(self.function(cell, left & right));
            }
        }
        if self.is_complete {
            Ok(self.new_lost())
        } else {
            Err(NotFollowed("a product of bits of several cells"))
        }
    }

    fn times_sums(&mut self, a: Bit, b: Bit) -> Bit {
        let (p, q) = (a.min(b) & !1, a.max(b) & !1);
        let made = match self.products.get(&(p, q)) {
            Some(&made) => made,
            None => {
                for cell in self.around(self.highest(&[p >> 1, q >> 1])) {
                    if let (Some(left), Some(right)) =
                        (self.table_of(cell, a), self.table_of(cell, b))
                    {
                        return self.function(cell, left & right);
                    }
                }
                // p q = p (p + q) + p: of three sums that add up to zero one product is enough.
                let third = self.xor(p, q);
                let known = [p, q].into_iter().find_map(|one| {
                    let made = *self.products.get(&(one.min(third), one.max(third)))?;
                    Some(self.xor(made, one))
                });
                match known {
                    Some(made) => made,
                    None if self.is_complete => return self.new_lost(),
                    None => {
                        let made = self.fresh(1)[0];
                        self.products.insert((p, q), made);
                        made
                    }
                }
            }
        };
        // (x + c)(y + d) = xy + c y + d x + cd, where x and y have no constant.
        let mut total = made ^ a & b & 1;
        for (constant, other) in [(a, b), (b, a)] {
            if constant & 1 == 1 {
                total = self.xor(total, other & !1);
            }
        }
        total
    }

    /// Cells that a bit which is no sum may be a function of.
    fn cells_of(&self, bit: Bit) -> Vec<u32> {
        match self.store.node(bit >> 1) {
            Node::Function { cell, .. } => vec![*cell],
            Node::Mixed { rest, .. } => rest.iter().map(|&(cell, _)| cell).collect(),
            _ => vec![],
        }
    }

    /// What a truth table of eight rows makes of three bits; row 4 a + 2 b + c of it is that of (a, b, c).
    ///
    /// # Errors
    ///
    /// As of [`Symbols::times`].
    pub fn of_three(&mut self, bits: [Bit; 3], mut table: u8) -> Result<Bit, NotFollowed> {
        // Where one is known, what it rules out is not in the function: bits that are lost may be there.
        for ((half, rows), bit) in HALVES.into_iter().zip(bits) {
            if bit == 1 {
                table = table & rows | (table & rows) >> half;
            } else if bit == 0 {
                table = table & !rows | (table & !rows) << half;
            }
        }
        if table == 0 || table == 0xFF {
            return Ok(Bit::from(table & 1));
        }
        for cell in self.around_any(bits) {
            let tables: Option<Vec<Table>> =
                bits.iter().map(|&bit| self.table_of(cell, bit)).collect();
            if let Some(tables) = tables {
                let ones = Table::ones(self.cells[cell as usize].size());
                let out = (0..8).filter(|row| table >> row & 1 == 1).fold(
                    Table::default(),
                    |out, row| {
                        let one = |i: usize, half: u8| {
                            if row & half == 0 {
                                tables[i] ^ ones
                            } else {
                                tables[i]
                            }
                        };
                        out | one(0, 4) & one(1, 2) & one(2, 1)
                    },
                );
                return Ok(self.function(cell, out));
            }
        }
        // The algebraic normal form.
        let mut normal = table;
        for (half, rows) in HALVES {
            normal ^= (normal & !rows) << half;
        }
        let [a, b, c] = bits;
        let mut total = Bit::from(normal & 1);
        for (row, bit) in [(4, a), (2, b), (1, c)] {
            if normal >> row & 1 == 1 {
                total = self.xor(total, bit);
            }
        }
        let pairs = self.products_of(bits, normal)?;
        total = self.xor(total, pairs);
        if normal >> 7 & 1 == 1 {
            let pair = self.times(a, b)?;
            let product = self.times(pair, c)?;
            total = self.xor(total, product);
        }
        Ok(total)
    }

    /// The products of two in a normal form of three bits: each by itself or, where the description does not have
    /// these, as one product, because a b + a c = a (b + c).
    fn products_of(&mut self, [a, b, c]: [Bit; 3], normal: u8) -> Result<Bit, NotFollowed> {
        let mut total = 0;
        for (row, p, q) in [(6, a, b), (5, a, c), (3, b, c)] {
            if normal >> row & 1 == 1 {
                let product = self.times(p, q)?;
                total = self.xor(total, product);
            }
        }
        if !self.is_lost(total) {
            return Ok(total);
        }
        let (p, q, rest) = match normal & 0b0110_1000 {
            0b0110_0000 => (a, self.xor(b, c), 0),
            0b0100_1000 => (b, self.xor(a, c), 0),
            0b0010_1000 => (c, self.xor(a, b), 0),
            0b0110_1000 => (self.xor(a, c), self.xor(b, c), c),
            _ => return Ok(total),
        };
        let product = self.times(p, q)?;
        Ok(self.xor(product, rest))
    }

    /// Cells of which all of these bits may be functions.
    fn around_any(&self, bits: [Bit; 3]) -> Vec<u32> {
        match bits.into_iter().find(|&bit| !self.is_sum(bit)) {
            Some(bit) => self.cells_of(bit),
            None => self.around(self.highest(&bits.map(|bit| bit >> 1))),
        }
    }

    /// p or q; of two sums of no common cell a union, whose members are known.
    ///
    /// # Errors
    ///
    /// As of [`Symbols::times`].
    pub fn either(&mut self, p: Bit, q: Bit) -> Result<Bit, NotFollowed> {
        if p <= 1 || q <= 1 {
            return Ok(if p == 1 || q == 1 { 1 } else { p | q });
        }
        if p == q {
            return Ok(p);
        }
        if self.is_sum(p) && self.is_sum(q) && !self.share(p, q) {
            return self.any_of(&[p, q]);
        }
        let (sum, product) = (self.xor(p, q), self.times(p, q)?);
        Ok(self.xor(sum, product))
    }

    /// Whether two sums are functions of one cell.
    fn share(&mut self, a: Bit, b: Bit) -> bool {
        self.around(a >> 1)
            .into_iter()
            .any(|cell| self.table_of(cell, a).is_some() && self.table_of(cell, b).is_some())
    }

    /// 1 if any of the bits is.
    ///
    /// # Errors
    ///
    /// If one of them is no sum.
    pub fn any_of(&mut self, bits: &[Bit]) -> Result<Bit, NotFollowed> {
        let mut members = Vec::new();
        for &bit in bits {
            if !self.is_sum(bit) {
                return Err(NotFollowed("a sum of conditions on an unfinished S-box"));
            }
            if bit == 1 {
                return Ok(1);
            }
            match self.unions.get(&bit) {
                Some(of) => members.extend_from_slice(of),
                None => members.push(bit),
            }
        }
        members.sort_unstable();
        members.dedup();
        members.retain(|&bit| bit != 0);
        if members.len() < 2 {
            return Ok(members.first().copied().unwrap_or(0));
        }
        let key = members.into_boxed_slice();
        if let Some(&made) = self.union_of.get(&key) {
            return Ok(made);
        }
        let made = self.fresh(1)[0];
        self.unions.insert(made, key.clone());
        self.union_of.insert(key, made);
        Ok(made)
    }
}
