//! How the structure search is cut into parts of work: by the lengths of chains and by the first targets.

use std::collections::BTreeSet;

use crate::structure::{Chains, chain_classes, chains, injections};

/// No position adds the word: it is one of the `inputs` words that `pi` leaves out.
pub(crate) const NOWHERE: u32 = 1 << 16;

/// Of one class no more than about this many prefixes are looked at, to see which are alike.
const PREFIXES: usize = 20_000;

/// A part of work: one class of position sets, the targets of its first words fixed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Chunk {
    /// Position set, and how many others it stands for.
    pub class: Chains,
    /// `(word, target)`: a position's bit or [`NOWHERE`].
    pub prefix: Vec<(usize, u32)>,
    /// New names of all words, one for each prefix that exchanges of equal chains make of this one; itself first.
    pub exchanges: Vec<Vec<usize>>,
    /// Structures in it and in all that it stands for.
    pub candidates: u64,
}

impl Chunk {
    /// Structures that each one in it stands for.
    pub fn each(&self) -> usize {
        self.class.members * self.exchanges.len()
    }
}

/// All chunks, in a fixed order that [`crate::parts`] states.
///
/// The first words are those at message positions: trails start there, so their targets are what the search would
/// choose first anyway. Chains of equal length can change places, so of the prefixes that they make of each other one
/// stands for all.
pub(crate) fn chunks(words: usize, inputs: usize) -> Vec<Chunk> {
    let mut chunks = Vec::new();
    for class in chain_classes(words, inputs) {
        let (order, exchanges) = first_words(words, inputs, class);
        let mut prefixes = Vec::new();
        extend(&mut prefixes, class.mask, &order, words, Vec::new());
        for prefix in prefixes {
            let Some(exchanges) = distinct(&exchanges, &order, &prefix) else {
                continue;
            };
            let taken = prefix.iter().filter(|&&target| target != NOWHERE).count();
            let left = injections(words - inputs - taken, words - order.len());
            let mut chunk = Chunk {
                class,
                prefix: order.iter().copied().zip(prefix).collect(),
                exchanges,
                candidates: 0,
            };
            chunk.candidates = left * chunk.each() as u64;
            chunks.push(chunk);
        }
    }
    chunks
}

/// The words whose targets a prefix has, and the exchanges of their chains, as new names of all words.
fn first_words(words: usize, inputs: usize, class: Chains) -> (Vec<usize>, Vec<Vec<usize>>) {
    let all = chains(words, class.mask);
    let mut groups: Vec<&[Vec<usize>]> = all.chunk_by(|a, b| a.len() == b.len()).collect();
    groups.sort_by_key(|group| std::cmp::Reverse(group.len()));
    // One more level where a chunk would otherwise take minutes.
    let depth = if words <= 12 { 2 } else { 3 };
    let (mut order, mut prefixes) = (Vec::new(), 1);
    let mut exchanges = vec![(0..words).collect::<Vec<_>>()];
    for group in groups {
        let mut taken: Vec<&[usize]> = Vec::new();
        for chain in group {
            let more = prefixes * (words - inputs + 1);
            if order.len() >= depth && (group.len() == 1 || more > PREFIXES) {
                break;
            }
            prefixes = more;
            order.push(chain[0]);
            taken.push(chain);
        }
        exchanges = permuted(&exchanges, &taken);
    }
    if order.len() < depth {
        let others = (0..words).filter(|word| class.mask >> word & 1 == 0);
        order.extend(others.take(depth - order.len()));
        exchanges.truncate(1);
    }
    (order, exchanges)
}

/// Each renaming with every permutation of some chains of equal length.
fn permuted(names: &[Vec<usize>], chains: &[&[usize]]) -> Vec<Vec<usize>> {
    let Some((last, others)) = chains.split_last() else {
        return names.to_vec();
    };
    let shorter = permuted(names, others);
    let mut result = shorter.clone();
    for other in others {
        result.extend(shorter.iter().map(|names| {
            let mut names = names.clone();
            for (&a, &b) in last.iter().zip(*other) {
                names.swap(a, b);
            }
            names
        }));
    }
    result
}

/// One exchange for each prefix that they make of this one, or `None` if one of these is smaller.
fn distinct(exchanges: &[Vec<usize>], order: &[usize], prefix: &[u32]) -> Option<Vec<Vec<usize>>> {
    let mut seen = BTreeSet::new();
    let mut first = Vec::new();
    for names in exchanges {
        let renamed = |target: u32| match target {
            NOWHERE => NOWHERE,
            position => 1 << names[position.trailing_zeros() as usize],
        };
        let mut image = vec![0; prefix.len()];
        for (word, &target) in order.iter().zip(prefix) {
            let to = order.iter().position(|other| *other == names[*word])?;
            image[to] = renamed(target);
        }
        if image.as_slice() < prefix {
            return None;
        }
        if seen.insert(image) {
            first.push(names.clone());
        }
    }
    Some(first)
}

fn extend(
    prefixes: &mut Vec<Vec<u32>>,
    messages: u32,
    order: &[usize],
    words: usize,
    prefix: Vec<u32>,
) {
    if prefix.len() == order.len() {
        prefixes.push(prefix);
        return;
    }
    let used = prefix
        .iter()
        .fold(messages, |used, target| used | target & 0xffff);
    let (sources, targets) = (words - prefix.len(), words - used.count_ones() as usize);
    let free = (0..words).map(|at| 1 << at).filter(|bit| used & bit == 0);
    // A word may be left out only while enough others remain for the positions.
    for target in free.chain((sources > targets).then_some(NOWHERE)) {
        let mut longer = prefix.clone();
        longer.push(target);
        extend(prefixes, messages, order, words, longer);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::structure::candidates;

    #[test]
    fn chunks_cover_all_candidates() {
        for words in 2..=11 {
            for inputs in 1..words {
                let sum: u64 = chunks(words, inputs).iter().map(|c| c.candidates).sum();
                assert_eq!(sum, candidates(words, inputs), "({words},{inputs})");
            }
        }
    }

    #[test]
    fn equal_chains_are_exchanged_in_all_ways() {
        // Three chains of three words: of a prefix whose targets lie in three chains there are six.
        let most = chunks(9, 3).iter().map(|c| c.exchanges.len()).max();
        assert_eq!(most, Some(6));
        let alone = chunks(9, 3).iter().any(|c| c.exchanges.len() == 1);
        assert!(alone);
    }
}
