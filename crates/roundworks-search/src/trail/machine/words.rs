//! The words of a set that a pair takes for x, and the minimum that must follow them.

use std::rc::Rc;

use super::super::columns::{NEVER, Pattern, WordSet, canonical};
use super::super::functions::{Branch, min_mixed, mixed_patterns};
use super::{Kind, Machine};

impl Machine {
    /// The words of a set that a pair takes for x, with their cost, as far as that and what must
    /// follow is at most `budget`; one for all that act alike.
    pub fn resolved(&mut self, pair: usize, word: WordSet, budget: u32) -> Rc<Vec<(Pattern, u32)>> {
        if let Some((complete, known)) = self.resolved.get(&(pair, word))
            && *complete >= budget
        {
            return known.clone();
        }
        let (added, kept) = self.feistel.pairs[pair].clone();
        let linear = self.kind == Kind::Linear;
        let linked = linear && self.linked(pair);
        let mut list = Vec::new();
        self.patterns(pair, word, budget, &mut |x, cost, _| {
            list.push((x, cost));
            budget
        });
        if linked {
            // The set is of what stands before the shared instruction, seen from the end.
            list = best_of(list.into_iter().map(|(z, cost)| (canonical(z), cost)));
            let each = |(z, cost): (Pattern, u32)| {
                mixed_patterns(z, budget - cost)
                    .into_iter()
                    .map(move |x| (x, cost + x.count_ones()))
            };
            list = list.into_iter().flat_map(each).collect();
        }
        let alike = |branch: &Branch| {
            let first = if linear {
                branch.0.last()
            } else {
                branch.0.first()
            };
            first == Some(&false)
        };
        // Of a shared instruction that is all there is, the word itself is what goes on.
        let whole = linked && (added.0.len() == 1 || kept.0.len() == 1);
        if alike(&added) && alike(&kept) && !whole {
            list = list
                .into_iter()
                .map(|(x, cost)| (canonical(x), cost))
                .collect();
        }
        let mut list = best_of(list.into_iter());
        list.sort_by_cached_key(|&(x, cost)| (self.alike(pair, x), cost));
        let list = Rc::new(list);
        self.resolved.insert((pair, word), (budget, list.clone()));
        list
    }

    /// Visits the words of a set with their cost and the minimum that follows, pruned by what the
    /// visitor returns.
    fn patterns(
        &self,
        pair: usize,
        word: WordSet,
        budget: u32,
        visit: &mut dyn FnMut(Pattern, u32, u32) -> u32,
    ) {
        let ids = word.to_le_bytes();
        let per_byte = self.per_byte(pair);
        let mut rest = [0; 5];
        for c in (0..4).rev() {
            let column = self.columns.of(ids[c]);
            let costs = (0..16u32).filter(|&n| column[n as usize] != NEVER);
            let minimum = costs.map(|n| u32::from(column[n as usize]) + per_byte * n.count_ones());
            rest[c] = rest[c + 1] + minimum.min().expect("a column has patterns");
        }
        let mut limit = budget;
        self.descend(pair, &ids, &rest, 0, (0, 0), &mut limit, visit);
    }

    #[allow(clippy::too_many_arguments)]
    fn descend(
        &self,
        pair: usize,
        ids: &[u8; 4],
        rest: &[u32; 5],
        c: usize,
        (start, paid): (Pattern, u32),
        limit: &mut u32,
        visit: &mut dyn FnMut(Pattern, u32, u32) -> u32,
    ) {
        if c == 4 {
            let follows = self.follows(pair, start);
            if paid + follows <= *limit {
                *limit = visit(start, paid, follows);
            }
            return;
        }
        let per_byte = self.per_byte(pair);
        for (nibble, &cost) in self.columns.of(ids[c]).iter().enumerate() {
            let x = start | (nibble as u16) << (4 * c);
            let paid = paid + u32::from(cost);
            if cost != NEVER && paid + per_byte * x.count_ones() + rest[c + 1] <= *limit {
                self.descend(pair, ids, rest, c + 1, (x, paid), limit, visit);
            }
        }
    }

    /// How often the S-boxes of x itself count in its round.
    pub(super) fn per_byte(&self, pair: usize) -> u32 {
        let (added, kept) = &self.feistel.pairs[pair];
        if self.kind == Kind::Linear {
            return 0;
        }
        let both = u32::from(!added.0.is_empty()) + u32::from(!kept.0.is_empty());
        if self.shared(pair) { 1 } else { both }
    }

    /// The minimum that a word costs in its round, exactly for differences.
    fn follows(&self, pair: usize, x: Pattern) -> u32 {
        let (added, kept) = &self.feistel.pairs[pair];
        if self.kind == Kind::Linear {
            return 0;
        }
        let second = |branch: &Branch| match branch.0[..] {
            [false, _] => min_mixed(x),
            [true, _] => x.count_ones(),
            _ => 0,
        };
        self.per_byte(pair) * x.count_ones() + second(added) + second(kept)
    }

    /// Whether a pair may pay no more than `limit` for its next round, or at the end, with this set
    /// for x.
    pub fn reaches(&mut self, pair: usize, word: WordSet, last: bool, limit: u32) -> bool {
        if last && self.kind == Kind::Differential {
            return true;
        }
        if limit < self.estimate(pair, word) {
            return false;
        }
        let key = (pair, word);
        let (below, from) = self.reached.get(&key).copied().unwrap_or((0, u32::MAX));
        if limit >= from {
            return true;
        }
        if limit < below {
            return false;
        }
        let linked = self.kind == Kind::Linear && self.linked(pair);
        let mut minimum = u32::MAX;
        self.patterns(pair, word, limit, &mut |x, cost, follows| {
            let follows = if linked { min_mixed(x) } else { follows };
            minimum = minimum.min(cost + follows);
            // One is enough: no budget is left for others.
            if minimum <= limit { 0 } else { limit }
        });
        let result = if minimum <= limit {
            (below, minimum.min(from))
        } else {
            (limit + 1, from)
        };
        self.reached.insert(key, result);
        minimum <= limit
    }

    /// Less than what a pair pays for its next round, or as much, from the columns one by one.
    pub(super) fn estimate(&self, pair: usize, word: WordSet) -> u32 {
        let (per_byte, mixed) = (self.per_byte(pair), self.mixed_branches(pair));
        let (mut active, mut costs, mut most) = (0, 0, 0);
        for id in word.to_le_bytes() {
            let (fewest, minimum) = self.columns.minimum(id);
            active += fewest;
            costs += minimum;
            most = most.max(fewest);
        }
        // A column of weight w spreads to w columns, in each of which five bytes are active in all.
        let spread = if mixed <= per_byte {
            (per_byte - mixed) * active + 5 * mixed * most
        } else {
            per_byte * active + mixed * most
        };
        costs + spread
    }

    /// Branches of two instructions that mix columns first.
    fn mixed_branches(&self, pair: usize) -> u32 {
        if self.kind == Kind::Linear {
            return 0;
        }
        let (added, kept) = &self.feistel.pairs[pair];
        [added, kept]
            .into_iter()
            .map(|b| u32::from(matches!(b.0[..], [false, _])))
            .sum()
    }

    /// Another word for x with which a pair costs and adds the same.
    pub fn alike(&self, pair: usize, x: Pattern) -> Pattern {
        let first = self.feistel.pairs[pair].0.0.first();
        let seen = first == Some(&false) && self.kind == Kind::Differential && !self.linked(pair);
        if seen { canonical(x) } else { x }
    }
}

/// The cheapest cost of each word.
fn best_of(list: impl Iterator<Item = (Pattern, u32)>) -> Vec<(Pattern, u32)> {
    let mut list: Vec<_> = list.collect();
    list.sort_unstable();
    list.dedup_by_key(|entry| entry.0);
    list
}
