//! Bits as canonical forms: sums over GF(2) of symbols, each of which stands for one function of a proof's inputs.
//!
//! [`Symbols`] holds all symbols of one proof, and every bit that was made of them. A bit is a number: equal numbers
//! are equal functions, since a symbol has one meaning and a sum is kept once. Its lowest bit is the constant of the
//! sum, so that 0 and 1 are the constants, and `bit ^ 1` is the negation of `bit`.
//!
//! What is not linear are functions of a *cell*, the bits that one S-box takes: the outputs of the S-boxes that the
//! description applies to it are symbols, and any other function of the same inputs is a truth table. A circuit or a
//! look-up in the code leaves such tables while it runs, and symbols at its end if it computes the S-box. A bit that
//! none of these follows is *lost*, and equal to nothing but itself.
//!
//! ```
//! use roundworks_forms::Symbols;
//! let mut symbols = Symbols::new();
//! let x = symbols.fresh(2);
//! let product = symbols.times(x[0], x[1]).unwrap();
//! let sum = symbols.xor(product, x[1]);
//! assert_eq!(sum, symbols.times(x[0] ^ 1, x[1]).unwrap());
//! ```

#![forbid(unsafe_code)]

mod cell;
mod cells;
mod node;
mod product;
mod public;
mod sbox;
mod sums;
mod table;

use cell::Cell;
use hashbrown::HashMap;
use node::{Node, Store};
pub use public::Public;
use sbox::Sbox;
use table::Tables;

/// A function of the inputs; 0 and 1 are the constants, and `bit ^ 1` is the negation.
pub type Bit = u32;

/// The code computes what no form here follows: why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotFollowed(pub &'static str);

impl std::fmt::Display for NotFollowed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.0)
    }
}

impl std::error::Error for NotFollowed {}

/// Stands for no cell.
const NONE: u32 = u32::MAX;

/// All symbols of one proof.
#[derive(Default)]
pub struct Symbols {
    /// Whether the description has made all of its symbols: what is neither a function of one cell nor a product that
    /// the description has is lost then, and takes no symbols.
    pub is_complete: bool,
    store: Store,
    tables: Tables,
    /// For each symbol the cell of which it is an output.
    made_by: Vec<u32>,
    /// For each symbol whether it stands for what was there before.
    unknown: Vec<bool>,
    /// Unknowns of lost bits.
    lost: u32,
    cells: Vec<Cell>,
    cell_of: HashMap<Box<[u32]>, u32>,
    /// What the highest symbol of a sum of inputs may be -> the last of these cells in `with_top`.
    tops: HashMap<u32, usize>,
    /// A cell, and where the one before it with the same symbol is.
    with_top: Vec<(u32, Option<usize>)>,
    /// (cell, sum) -> the number of its table.
    known: HashMap<(u32, u32), u32>,
    /// For each node a cell that it is a function of, and its table's number: that of a sum follows from those that
    /// were added.
    homes: Vec<(u32, u32)>,
    sboxes: Vec<Sbox>,
    sbox_of: HashMap<Box<[u8]>, u32>,
    products: HashMap<(u32, u32), Bit>,
    /// Bits of which any makes a symbol 1 -> the symbol, and back.
    union_of: HashMap<Box<[Bit]>, Bit>,
    unions: HashMap<Bit, Box<[Bit]>>,
}

impl Symbols {
    /// Without any symbol.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Symbols so far.
    #[must_use]
    pub fn count(&self) -> usize {
        self.made_by.len()
    }

    /// Whether a number is that of a bit.
    #[must_use]
    pub fn has(&self, bit: Bit) -> bool {
        self.store.has(bit >> 1)
    }

    /// Bits that are new symbols.
    pub fn fresh(&mut self, count: usize) -> Vec<Bit> {
        (0..count).map(|_| self.symbol(NONE) << 1).collect()
    }

    /// New symbols for what was in a place before: equal to nothing else.
    pub fn left_behind(&mut self, count: usize) -> Vec<Bit> {
        let first = self.count();
        let bits = self.fresh(count);
        self.unknown[first..].fill(true);
        bits
    }

    /// Whether no form follows a bit.
    #[must_use]
    pub fn is_lost(&self, bit: Bit) -> bool {
        matches!(self.store.node(bit >> 1), Node::Lost { .. })
    }

    /// Whether a bit is a sum of symbols.
    #[must_use]
    pub fn is_sum(&self, bit: Bit) -> bool {
        self.store.sum(bit >> 1).is_some()
    }

    /// The node of a new symbol, an output of this cell.
    fn symbol(&mut self, cell: u32) -> u32 {
        let symbol = u32::try_from(self.count()).expect("fewer symbols than 2^32");
        self.made_by.push(cell);
        self.unknown.push(false);
        self.store.sum_of(&[symbol])
    }

    /// A bit that is equal to nothing else.
    fn new_lost(&mut self) -> Bit {
        self.lost += 1;
        self.store.lost(&[self.lost], 0) << 1
    }
}
