//! The lightest trail through alike layers of S-boxes with a permutation of bits between any two of them, by branch and
//! bound. \[MATSUI\]
//!
//! Let the layers of a trail weigh w0, w1, .. and at most ``most`` together, a mean of m each. Somewhere the sum of
//! w - m over all layers before is largest; from there on, every few layers that follow weigh at most m each in the mean.
//! So one of the layers is light, and of every layer all words that are light are gone through: first what follows, which
//! has to stay that light, then what comes before. Both are extended S-box by S-box. A bit that a permutation brings to the
//! next layer stays there, so that every S-box that it makes active is counted at once, by the minimum that it weighs with
//! any bits that may still come; what is left after that weighs at least what is known of fewer layers.

mod side;
mod walk;

use crate::Error;
use crate::error::in_range;
use crate::transitions::Transitions;
use side::Side;
use walk::{Walk, Window};

pub use crate::transitions::NEVER;

/// Bits that an S-box can have.
pub const MOST_BITS: usize = 8;
/// S-boxes that a layer can have.
pub const MOST_CELLS: usize = 1 << 12;

/// The value of every S-box of a layer, on one side of it.
pub type Word = Vec<u8>;

/// A trail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lightest {
    /// Its weight, in units of the S-boxes'.
    pub weight: u32,
    /// For each layer what is before it and behind it.
    pub layers: Vec<(Word, Word)>,
}

/// Layers of S-boxes and the permutation between any two of them.
#[derive(Clone, Debug)]
pub struct Permuted {
    forwards: Side,
    backwards: Side,
}

impl Permuted {
    /// ``to``: where bit k of cell c at place ``bits`` c + k is in the next layer. ``sboxes``: what each has for every value
    /// before it and behind it, or [`NEVER`]; ``kinds``: which of them is in a cell.
    ///
    /// # Errors
    ///
    /// Where these do not fit together, or an S-box has a weight of 0 for any but the values 0 and 0.
    pub fn new(
        bits: usize,
        to: &[usize],
        sboxes: &[Vec<Vec<u8>>],
        kinds: &[usize],
    ) -> Result<Self, Error> {
        in_range("bits of an S-box", bits, 1, MOST_BITS)?;
        let cells = in_range("cells", kinds.len(), 1, MOST_CELLS)?;
        in_range("places", to.len(), bits * cells, bits * cells)?;
        let mut from = vec![usize::MAX; to.len()];
        for (i, &place) in to.iter().enumerate() {
            in_range("a place", place, 0, to.len() - 1)?;
            from[place] = i;
        }
        if from.contains(&usize::MAX) {
            return Err(Error::Structure("want a permutation of the bits".into()));
        }
        for &kind in kinds {
            in_range(
                "the S-box of a cell",
                kind,
                0,
                sboxes.len().saturating_sub(1),
            )?;
        }
        let tables = sboxes
            .iter()
            .map(|weights| Transitions::new(bits, weights))
            .collect::<Result<Vec<_>, _>>()?;
        let behind = tables.iter().map(|table| table.behind.as_slice());
        let before = tables.iter().map(|table| table.before.as_slice());
        Ok(Self {
            forwards: Side::new(bits, to, behind, kinds),
            backwards: Side::new(bits, &from, before, kinds),
        })
    }

    /// The lightest of all trails over ``rounds`` layers that weigh at most ``most``, after every one was looked at or
    /// excluded; None if there is none. ``fewer``: what 0, 1, .. ``rounds`` - 1 layers weigh at least.
    ///
    /// # Errors
    ///
    /// The one by which ``go`` stops it, which is called from time to time.
    ///
    /// # Panics
    ///
    /// Where ``fewer`` has not one number for each of these.
    pub fn lightest<E>(
        &self,
        rounds: usize,
        fewer: &[u32],
        most: u32,
        go: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<Option<Lightest>, E> {
        assert_eq!(fewer.len(), rounds, "a bound for 0 to all layers but one");
        let mut search = Search {
            of: self,
            rounds,
            fewer,
            most,
            best: None,
            go,
        };
        for first in 0..rounds {
            let side = if first == 0 {
                &self.backwards
            } else {
                &self.forwards
            };
            let start = side.nothing();
            search.starts(side, first, start, 0, 0)?;
        }
        Ok(search.best)
    }
}

struct Search<'a, E> {
    of: &'a Permuted,
    rounds: usize,
    fewer: &'a [u32],
    most: u32,
    best: Option<Lightest>,
    go: &'a mut dyn FnMut() -> Result<(), E>,
}

impl<E> Search<'_, E> {
    /// Every light word with that in the cells below ``cell``: behind the first layer, before any other one.
    fn starts(
        &mut self,
        side: &Side,
        layer: usize,
        word: Word,
        cell: usize,
        weight: u32,
    ) -> Result<(), E> {
        let window = Window::new(self.most, self.rounds);
        if !window.allows(weight, 1) {
            return Ok(());
        }
        if cell == word.len() {
            (self.go)()?;
            return match weight {
                0 => Ok(()),
                _ if layer == 0 => self.after_first(&word, weight),
                _ => self.around(layer, &word),
            };
        }
        for value in side.values() {
            let mut with = word.clone();
            with[cell] = value;
            let more = side.table(cell).minimum[usize::from(value)];
            self.starts(side, layer, with, cell + 1, weight + more)?;
        }
        Ok(())
    }

    /// All that follows a word behind the first layer, which weighs that much.
    fn after_first(&mut self, behind: &Word, weight: u32) -> Result<(), E> {
        let of = self.of;
        let Some(limit) = self.most.checked_sub(weight) else {
            return Ok(());
        };
        let window = Window::new(self.most, self.rounds).after(weight);
        let next = of.forwards.moved(behind);
        let walk = Walk::new(&of.forwards, self.fewer, limit, Some(window));
        if let Some(after) = walk.lightest(&next, self.rounds - 1, self.go)? {
            let before = of.backwards.lightest_other(behind);
            let mut layers = vec![(before, behind.clone())];
            layers.extend(after.layers);
            self.found(weight + after.weight, layers);
        }
        Ok(())
    }

    /// All that follows a word before a layer, and all that comes before it.
    fn around(&mut self, layer: usize, before: &Word) -> Result<(), E> {
        let of = self.of;
        let Some(limit) = self.most.checked_sub(self.fewer[layer]) else {
            return Ok(());
        };
        let window = Window::new(self.most, self.rounds);
        let walk = Walk::new(&of.forwards, self.fewer, limit, Some(window));
        let Some(after) = walk.lightest(before, self.rounds - layer, self.go)? else {
            return Ok(());
        };
        let behind = of.backwards.moved(before);
        let walk = Walk::new(&of.backwards, self.fewer, self.most - after.weight, None);
        if let Some(earlier) = walk.lightest(&behind, layer, self.go)? {
            let reversed = earlier.layers.into_iter().rev();
            let mut layers: Vec<_> = reversed.map(|(behind, before)| (before, behind)).collect();
            layers.extend(after.layers);
            self.found(earlier.weight + after.weight, layers);
        }
        Ok(())
    }

    fn found(&mut self, weight: u32, layers: Vec<(Word, Word)>) {
        self.best = Some(Lightest { weight, layers });
        self.most = weight - 1;
    }
}
