//! Cheap internal collisions of one structure, many at once: each is a reason why the structure,
//! and every other that shares what the path needs, is not wanted.

use std::collections::HashSet;

use crate::error::{Error, in_range};

/// Most words of a structure here: patterns are `u32`s, and no table has an entry for each.
pub const MAX_PATH_WORDS: usize = 32;

/// Paths from the state without differences back to it, each as its states in between, for the
/// smallest weight below `below` that any has; at most `limit` of them, none if there is none.
///
/// `added` names the word added at each position, `None` where a message enters. The weight of a
/// path is the number of active words of its states together, so it is also that of active F.
///
/// # Errors
/// `added` without 2 to 32 positions, or with a word beyond them.
pub fn cheapest_paths(
    added: &[Option<usize>],
    below: u32,
    limit: usize,
) -> Result<Vec<Vec<u32>>, Error> {
    let words = in_range("words", added.len(), 2, MAX_PATH_WORDS)?;
    for &source in added.iter().flatten() {
        in_range("added", source, 0, words - 1)?;
    }
    let mut walk = Walk {
        added,
        messages: pattern(added.iter().map(Option::is_none)),
        limit,
        dead: HashSet::new(),
        path: Vec::new(),
        paths: Vec::new(),
    };
    for weight in 1..below {
        walk.begin(weight);
        if !walk.paths.is_empty() {
            break;
        }
    }
    Ok(walk.paths)
}

fn pattern(bits: impl Iterator<Item = bool>) -> u32 {
    bits.enumerate()
        .fold(0, |sum, (at, bit)| sum | u32::from(bit) << at)
}

struct Walk<'a> {
    added: &'a [Option<usize>],
    messages: u32,
    limit: usize,
    /// `(state, budget)` from which no path of exactly this weight leads back.
    dead: HashSet<(u32, u32)>,
    path: Vec<u32>,
    paths: Vec<Vec<u32>>,
}

impl Walk<'_> {
    fn begin(&mut self, weight: u32) {
        let mut message = self.messages;
        while message != 0 {
            self.from(message, weight);
            message = (message - 1) & self.messages;
        }
    }

    /// Words that must, and words that may also, differ after a round from `state`.
    fn after(&self, state: u32) -> (u32, u32) {
        let words = self.added.len();
        let active = |word: usize| state >> word & 1 == 1;
        let through_f = pattern((0..words).map(|at| active((at + words - 1) % words)));
        let by_word = pattern(self.added.iter().map(|source| source.is_some_and(active)));
        let free = self.messages | through_f & by_word;
        ((through_f ^ by_word) & !free, free)
    }

    /// Whether a path leads back from `state` with exactly `budget`, its own words included.
    fn from(&mut self, state: u32, budget: u32) -> bool {
        let weight = state.count_ones();
        if weight > budget || self.paths.len() >= self.limit || self.dead.contains(&(state, budget))
        {
            return false;
        }
        let left = budget - weight;
        let (forced, free) = self.after(state);
        self.path.push(state);
        let mut any = left == 0 && forced == 0;
        if any {
            self.paths.push(self.path.clone());
        } else if left > 0 && forced.count_ones() <= left {
            any = self.choose(forced, free, left);
        }
        self.path.pop();
        if !any && self.paths.len() < self.limit {
            self.dead.insert((state, budget));
        }
        any
    }

    /// Go on from `chosen` with each set of words out of `free`, as far as the budget allows.
    fn choose(&mut self, chosen: u32, free: u32, budget: u32) -> bool {
        let mut any = chosen != 0 && self.from(chosen, budget);
        if chosen.count_ones() < budget {
            let mut rest = free;
            while rest != 0 {
                let word = rest & rest.wrapping_neg();
                rest &= rest - 1;
                any |= self.choose(chosen | word, rest, budget);
            }
        }
        any
    }
}
