//! One round of a Feistel permutation on sets of words, and all that is remembered about it.

mod steps;
mod words;

use std::rc::Rc;

use super::columns::{Columns, Pattern, WordSet};
use super::functions::{Branch, Outcomes};
use super::hash::Map;

/// What is traced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Differences, forward.
    Differential,
    /// Masks, backward; of two words only.
    Linear,
}

/// How S-boxes are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// Those of every instruction that runs.
    Executed,
    /// One layer of S-boxes once, if two branches apply it to the same word.
    Distinct,
}

/// A permutation of pairs (x, y) -> (kept(x), added(x) ^ y), then `new[i] = old[shuffle[i]]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Feistel {
    /// For each pair the branch that is added and the one that is kept.
    pub pairs: Vec<(Branch, Branch)>,
    /// Where each word comes from.
    pub shuffle: Vec<usize>,
}

/// Words before a round, as sets: x of a pair, then y.
pub(crate) type State = [WordSet; 4];

/// A list, complete up to some cost.
type Listed<T> = (u32, Rc<Vec<T>>);

pub(crate) struct Machine {
    pub feistel: Feistel,
    pub kind: Kind,
    pub count: Count,
    pub columns: Columns,
    resolved: Map<(usize, WordSet), Listed<(Pattern, u32)>>,
    outcomes: Map<(usize, Pattern), Rc<Outcomes>>,
    steps: Map<(usize, Pattern, WordSet, bool), Listed<Step>>,
    /// Limits below which a set has no word for x, and from which it has one.
    reached: Map<(usize, WordSet), (u32, u32)>,
    ahead: Map<(usize, Pattern, WordSet, bool), u32>,
}

/// A pair after its round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    pub kept: WordSet,
    pub added: WordSet,
    pub cost: u32,
}

impl Machine {
    pub fn new(feistel: Feistel, kind: Kind, count: Count) -> Self {
        let linear = kind == Kind::Linear;
        let mut machine = Self {
            feistel,
            kind,
            count,
            columns: Columns::new(0),
            resolved: Map::default(),
            outcomes: Map::default(),
            steps: Map::default(),
            reached: Map::default(),
            ahead: Map::default(),
        };
        // Masks of two branches meet behind one layer of S-boxes; it counts what is left of both.
        let once = linear && machine.shared(0) && !machine.linked(0);
        machine.columns = Columns::new(u8::from(once));
        machine
    }

    pub fn words(&self) -> usize {
        2 * self.feistel.pairs.len()
    }

    /// Whether one layer of S-boxes serves both branches of a pair.
    fn shared(&self, pair: usize) -> bool {
        let (added, kept) = &self.feistel.pairs[pair];
        self.count == Count::Distinct && !added.0.is_empty() && !kept.0.is_empty()
    }

    /// Whether they have the whole first instruction in common, with its MixColumns.
    fn linked(&self, pair: usize) -> bool {
        let (added, kept) = &self.feistel.pairs[pair];
        self.shared(pair) && !added.0[0] && !kept.0[0]
    }

    /// Before the first round: any words. `pending` false leaves out what no later round would
    /// count again, which bounds from below what any state has still to pay.
    pub fn start(&mut self, pending: bool) -> State {
        let mut state = [0; 4];
        for (at, word) in state.iter_mut().enumerate().take(self.words()) {
            let kept = self.feistel.pairs[at / 2].1.0.clone();
            let linear = self.kind == Kind::Linear && at % 2 == 1;
            let (linked, shared) = (self.linked(at / 2), self.shared(at / 2));
            *word = self.columns.free_word(|weight| match (&kept[..], linear) {
                (_, false) | ([], true) => 0,
                (_, true) if linked => {
                    if kept.len() == 2 {
                        weight
                    } else {
                        0
                    }
                }
                ([first, ..], true) => {
                    let own = if shared { 0 } else { weight };
                    let before = if *first { weight } else { 5 - weight };
                    own + if kept.len() == 2 && pending {
                        before
                    } else {
                        0
                    }
                }
            });
        }
        state
    }

    /// The same state for all that turning or mirroring the words makes of it.
    pub fn representative(&mut self, state: State) -> State {
        let mut mirrored = state;
        for word in &mut mirrored {
            *word = self.columns.mirror(*word);
        }
        let mut best = state;
        for start in [state, mirrored] {
            for turn in 0..4 {
                best = best.min(start.map(|word| word.rotate_left(8 * turn)));
            }
        }
        best
    }
}
