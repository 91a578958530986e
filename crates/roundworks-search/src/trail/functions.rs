//! What one or two AES instructions make of a pattern, and what that costs.

use super::columns::{Columns, Pattern, WordSet, shift_rows, weights};

/// The instructions of a branch in order, true where it is `aesenclast`; none: the word itself.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Branch(pub(crate) Vec<bool>);

impl Branch {
    /// `2-1` and the like: how many, and which of them are `aesenclast`; `0-0` is no instruction.
    pub fn parse(code: &str) -> Option<Self> {
        Some(Self(match code {
            "0-0" => vec![],
            "1-0" => vec![false],
            "1-1" => vec![true],
            "2-0" => vec![false, false],
            "2-1" => vec![true, false],
            "2-2" => vec![false, true],
            "2-3" => vec![true, true],
            _ => return None,
        }))
    }

    /// Read from its end, as masks are; by the map (r, c) -> (-r, c - r) of bytes the inverse of an
    /// instruction is an instruction again.
    pub(crate) fn reversed(&self) -> Self {
        Self(self.0.iter().rev().copied().collect())
    }
}

/// A set of words, and the active S-boxes on the way.
pub(crate) type Half = (WordSet, u32);

/// What both branches of a pair make of one word: what is added to the other word, and what stays.
pub(crate) enum Outcomes {
    /// Every one of the first with every one of the second.
    Apart(Vec<Half>, Vec<Half>),
    /// Only so, with the cost of both.
    Together(Vec<(WordSet, WordSet, u32)>),
}

/// Both branches after `z`, which both have computed, at a cost of `first`.
pub(crate) fn after_shared(
    columns: &Columns,
    added: &Branch,
    kept: &Branch,
    z: Pattern,
    first: u32,
) -> (WordSet, WordSet, u32) {
    let (a, cost_added) = second(columns, added, z, 0);
    let (k, cost_kept) = second(columns, kept, z, 0);
    (a, k, first + cost_added + cost_kept)
}

/// After the first instruction, whose result is `z`.
fn second(columns: &Columns, branch: &Branch, z: Pattern, byte_cost: u8) -> Half {
    match branch.0.get(1) {
        None => (columns.exact_word(z, byte_cost), 0),
        Some(true) => (columns.exact_word(shift_rows(z), byte_cost), z.count_ones()),
        Some(false) => (columns.mixed_word(shift_rows(z), byte_cost), z.count_ones()),
    }
}

/// One branch alone, cheapest first; the first layer is paid elsewhere. `byte_cost` is what an active
/// byte of the result costs.
pub(crate) fn halves(columns: &Columns, branch: &Branch, x: Pattern, byte_cost: u8) -> Vec<Half> {
    let mut result: Vec<Half> = match branch.0[..] {
        [] => vec![(columns.exact_word(x, 0), 0)],
        [false] => vec![(columns.mixed_word(shift_rows(x), byte_cost), 0)],
        [true, ..] => vec![second(columns, branch, shift_rows(x), byte_cost)],
        [false, ..] => {
            let words = mixed_patterns(x, 16).into_iter();
            words
                .map(|z| second(columns, branch, z, byte_cost))
                .collect()
        }
    };
    // Sets that are equal cost the same: the weight of z is that of its columns.
    result.sort_unstable();
    result.dedup();
    result.sort_by_key(|half| half.1);
    result
}

/// Patterns of MixColumns(ShiftRows(x)) with at most `cap` active bytes.
pub(crate) fn mixed_patterns(x: Pattern, cap: u32) -> Vec<Pattern> {
    let weights = weights(shift_rows(x));
    let mut still = min_mixed(x);
    if still > cap {
        return Vec::new();
    }
    let mut result = vec![0];
    for (c, weight) in weights
        .into_iter()
        .enumerate()
        .filter(|&(_, weight)| weight > 0)
    {
        still -= 5 - weight;
        let mut next = Vec::new();
        for &start in &result {
            for nibble in 1..16u16 {
                let pattern: Pattern = start | nibble << (4 * c);
                if nibble.count_ones() + weight >= 5 && pattern.count_ones() + still <= cap {
                    next.push(pattern);
                }
            }
        }
        result = next;
    }
    result
}

/// The fewest active bytes of MixColumns(ShiftRows(x)).
pub(crate) fn min_mixed(x: Pattern) -> u32 {
    weights(shift_rows(x))
        .into_iter()
        .filter(|&weight| weight > 0)
        .map(|weight| 5 - weight)
        .sum()
}
