//! One member of the family `S'[i] = F(S[i-1]) ^ (X_j or S[pi(i)])`. [AETHER, section 3.2]

use crate::error::{Error, in_range};

/// Most words of a structure: patterns are `u16`s.
pub(crate) const MAX_WORDS: usize = 16;

/// A round structure: where messages enter, and which old word is added elsewhere.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Structure {
    words: usize,
    positions: Vec<usize>,
    pi: Vec<usize>,
}

impl Structure {
    /// Messages enter at `positions` (ascending); `pi` names the word added at each other
    /// position, in ascending order of these positions.
    ///
    /// # Errors
    /// Sizes or words out of range, positions not ascending, a word added twice.
    pub fn new(words: usize, positions: Vec<usize>, pi: Vec<usize>) -> Result<Self, Error> {
        check_sizes(words, positions.len())?;
        let problem = |text: String| Err(Error::Structure(text));
        if pi.len() != words - positions.len() {
            let want = words - positions.len();
            return problem(format!("pi: want {want} words, got {}", pi.len()));
        }
        if let Some(word) = positions.iter().chain(&pi).find(|&&word| word >= words) {
            return problem(format!("want words below {words}, got {word}"));
        }
        if !positions.is_sorted_by(|a, b| a < b) {
            return problem(format!("positions: want them ascending, got {positions:?}"));
        }
        if let Some(at) = (0..pi.len()).find(|&at| pi[..at].contains(&pi[at])) {
            return problem(format!("pi: word {} is added twice", pi[at]));
        }
        Ok(Self {
            words,
            positions,
            pi,
        })
    }

    /// From a message mask and, for each word, the bit of the position it is added at (or 0).
    pub(crate) fn from_targets(words: usize, mask: u32, targets: &[u32]) -> Self {
        let (positions, others) = split(words, mask);
        let source = |at: usize| targets.iter().position(|&target| target == 1 << at);
        let pi = others.into_iter().filter_map(source).collect();
        Self {
            words,
            positions,
            pi,
        }
    }

    /// State words.
    pub fn words(&self) -> usize {
        self.words
    }

    /// Where messages enter, ascending.
    pub fn positions(&self) -> &[usize] {
        &self.positions
    }

    /// The word added at each other position, in ascending order of these positions.
    pub fn pi(&self) -> &[usize] {
        &self.pi
    }

    /// The word added at each position, `None` where a message enters.
    pub fn added(&self) -> Vec<Option<usize>> {
        let mut added = vec![None; self.words];
        let (_, others) = split(self.words, self.mask());
        for (at, &source) in others.into_iter().zip(&self.pi) {
            added[at] = Some(source);
        }
        added
    }

    /// The same structure with word `i` called `names[i]`, which takes chains to chains.
    pub(crate) fn renamed(&self, names: &[usize]) -> Self {
        let mut targets = vec![0; self.words];
        for (at, source) in self.added().into_iter().enumerate() {
            if let Some(source) = source {
                targets[names[source]] = 1 << names[at];
            }
        }
        let mask = self
            .positions
            .iter()
            .fold(0, |mask, &at| mask | 1 << names[at]);
        Self::from_targets(self.words, mask, &targets)
    }

    /// Bit `i` says that a message enters at position `i`.
    pub(crate) fn mask(&self) -> u32 {
        self.positions.iter().fold(0, |mask, at| mask | 1 << at)
    }
}

fn split(words: usize, mask: u32) -> (Vec<usize>, Vec<usize>) {
    (0..words).partition(|at| mask >> at & 1 == 1)
}

pub(crate) fn check_sizes(words: usize, inputs: usize) -> Result<(), Error> {
    in_range("words", words, 2, MAX_WORDS)?;
    in_range("inputs", inputs, 1, words - 1)?;
    Ok(())
}

/// `pattern` of `words` bits with bit `i` moved to `i + by`.
pub(crate) fn rotate(pattern: u32, by: usize, words: usize) -> u32 {
    let all = (1 << words) - 1;
    (pattern << by | pattern >> (words - by)) & all
}

/// How many structures there are: `s! C(s, m) / m!`.
pub(crate) fn candidates(words: usize, inputs: usize) -> u64 {
    injections(words - inputs, words) * masks(words, inputs).count() as u64
}

/// Ways to give `targets` positions distinct sources out of `sources`.
pub(crate) fn injections(targets: usize, sources: usize) -> u64 {
    (0..targets).map(|taken| (sources - taken) as u64).product()
}

/// All sets of `inputs` positions.
pub(crate) fn masks(words: usize, inputs: usize) -> impl Iterator<Item = u32> {
    (0..1u32 << words).filter(move |mask| mask.count_ones() as usize == inputs)
}

/// A class of position sets: those whose chains have the same lengths.
///
/// A *chain* goes from a position where a message enters to the last one before the next such. What F brings to a
/// message position counts for nothing, because the message is free; so chains can change places, with `pi` renamed
/// as they move, and no collision costs more or less. One position set of each class stands for all, and `pi` then
/// needs no canonical form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Chains {
    /// Its smallest member.
    pub mask: u32,
    /// How many members it has.
    pub members: usize,
}

/// Every class, in the order of the smallest members.
pub(crate) fn chain_classes(words: usize, inputs: usize) -> Vec<Chains> {
    let mut lengths: Vec<Vec<usize>> = Vec::new();
    let mut classes: Vec<Chains> = Vec::new();
    for mask in masks(words, inputs) {
        let own: Vec<usize> = chains(words, mask).iter().map(Vec::len).collect();
        match lengths.iter().position(|known| *known == own) {
            Some(at) => classes[at].members += 1,
            None => {
                lengths.push(own);
                classes.push(Chains { mask, members: 1 });
            }
        }
    }
    classes
}

/// The names that the words of a class's smallest member have in each of its members, that one first.
pub(crate) fn members(words: usize, class: Chains) -> impl Iterator<Item = Vec<usize>> {
    let own = chains(words, class.mask);
    let lengths = |chains: &[Vec<usize>]| chains.iter().map(Vec::len).collect::<Vec<_>>();
    masks(words, own.len()).filter_map(move |mask| {
        let other = chains(words, mask);
        (lengths(&own) == lengths(&other)).then(|| {
            let mut names = vec![0; words];
            for (from, to) in own.iter().flatten().zip(other.iter().flatten()) {
                names[*from] = *to;
            }
            names
        })
    })
}

/// The words of each chain, from its message on; short chains first.
pub(crate) fn chains(words: usize, mask: u32) -> Vec<Vec<usize>> {
    let (heads, _) = split(words, mask);
    let mut chains: Vec<Vec<usize>> = heads
        .into_iter()
        .map(|head| {
            let more = (head + 1..head + words).take_while(|at| mask >> (at % words) & 1 == 0);
            std::iter::once(head)
                .chain(more.map(|at| at % words))
                .collect()
        })
        .collect();
    chains.sort_by_key(Vec::len);
    chains
}

#[cfg(test)]
mod tests;
