//! How the structure search is cut into parts of work: by necklace and by the first targets.

use crate::structure::{Necklace, injections, necklaces};

/// No position adds the word: it is one of the `inputs` words that `pi` leaves out.
pub(crate) const NOWHERE: u32 = 1 << 16;

/// A part of work: one necklace, the targets of its first words fixed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Chunk {
    /// Position set, and how many rotations it stands for.
    pub necklace: Necklace,
    /// `(word, target)`: a position's bit or [`NOWHERE`].
    pub prefix: Vec<(usize, u32)>,
    /// Structures in it, rotations counted.
    pub candidates: u64,
}

/// All chunks, in a fixed order that [`crate::parts`] states.
///
/// The first words are those at message positions: trails start there, so their targets are
/// what the search would choose first anyway.
pub(crate) fn chunks(words: usize, inputs: usize) -> Vec<Chunk> {
    // One more level where a chunk would otherwise take minutes.
    let depth = if words <= 12 { 2 } else { 3 };
    let mut chunks = Vec::new();
    for necklace in necklaces(words, inputs) {
        let at_message = |word: &usize| necklace.mask >> word & 1 == 1;
        let (first, others): (Vec<_>, Vec<_>) = (0..words).partition(at_message);
        let order: Vec<usize> = first.into_iter().chain(others).take(depth).collect();
        extend(&mut chunks, necklace, &order, words, Vec::new());
    }
    chunks
}

fn extend(
    chunks: &mut Vec<Chunk>,
    necklace: Necklace,
    order: &[usize],
    words: usize,
    prefix: Vec<(usize, u32)>,
) {
    let used = prefix
        .iter()
        .fold(necklace.mask, |used, (_, target)| used | target & 0xffff);
    let (sources, targets) = (words - prefix.len(), words - used.count_ones() as usize);
    if prefix.len() == order.len() {
        let candidates = injections(targets, sources) * necklace.orbit as u64;
        chunks.push(Chunk {
            necklace,
            prefix,
            candidates,
        });
        return;
    }
    let free = (0..words).map(|at| 1 << at).filter(|bit| used & bit == 0);
    // A word may be left out only while enough others remain for the positions.
    for target in free.chain((sources > targets).then_some(NOWHERE)) {
        let mut longer = prefix.clone();
        longer.push((order[prefix.len()], target));
        extend(chunks, necklace, order, words, longer);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::structure::candidates;

    #[test]
    fn chunks_cover_all_candidates() {
        for words in 2..=13 {
            for inputs in 1..words {
                let sum: u64 = chunks(words, inputs).iter().map(|c| c.candidates).sum();
                assert_eq!(sum, candidates(words, inputs), "({words},{inputs})");
            }
        }
    }
}
