//! One round of a Feistel permutation on sets of words, and all that is remembered about it.

use std::rc::Rc;

use super::columns::{Columns, NEVER, Pattern, WordSet, canonical};
use super::functions::{Branch, Half, Outcomes, after_shared, halves, min_mixed, mixed_patterns};
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

    /// What a pair can become with the word x at a cost of at most `budget`, cheapest first.
    /// `last`: of the last round.
    pub fn steps(
        &mut self,
        pair: usize,
        x: Pattern,
        y: WordSet,
        last: bool,
        budget: u32,
    ) -> Rc<Vec<Step>> {
        let key = (pair, x, y, last);
        if let Some((complete, known)) = self.steps.get(&key)
            && *complete >= budget
        {
            return known.clone();
        }
        let linear = self.kind == Kind::Linear;
        let outcomes = self.outcomes(pair, x);
        let mut result: Vec<(WordSet, WordSet, u32)> = Vec::new();
        match &*outcomes {
            Outcomes::Apart(one, two) => {
                // What was added to the other word may be the same for many.
                let mut sums: Vec<Half> = Vec::new();
                for &(added, cost) in one.iter().take_while(|half| half.1 <= budget) {
                    sums.push((self.columns.sum_words(added, y), cost));
                }
                sums.sort_unstable();
                sums.dedup_by_key(|sum| sum.0);
                for &(added, cost_added) in &sums {
                    if last {
                        // Nothing sees the word that is kept; its masks are not begun.
                        let cost = cost_added + if linear { 0 } else { two[0].1 };
                        result.push((added, 0, cost));
                        continue;
                    }
                    for &(kept, cost) in two.iter().take_while(|half| cost_added + half.1 <= budget)
                    {
                        result.push((added, kept, cost_added + cost));
                    }
                }
            }
            Outcomes::Together(list) => {
                for &(added, kept, cost) in list.iter().take_while(|outcome| outcome.2 <= budget) {
                    let added = self.columns.sum_words(added, y);
                    result.push((added, if last { 0 } else { kept }, cost));
                }
                result.sort_unstable();
                result.dedup_by_key(|result| (result.0, result.1));
            }
        }
        let result = result.into_iter().filter(|result| result.2 <= budget);
        let mut list: Vec<Step> = result
            .map(|(added, kept, cost)| Step { kept, added, cost })
            .collect();
        list.sort_unstable_by_key(|step| (step.cost, step.kept, step.added));
        let list = Rc::new(list);
        self.steps.insert(key, (budget, list.clone()));
        list
    }

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
    fn per_byte(&self, pair: usize) -> u32 {
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

    /// What both branches make of one word.
    fn outcomes(&mut self, pair: usize, x: Pattern) -> Rc<Outcomes> {
        if let Some(known) = self.outcomes.get(&(pair, x)) {
            return known.clone();
        }
        let (added, kept) = &self.feistel.pairs[pair];
        let (linear, shared, linked) = (
            self.kind == Kind::Linear,
            self.shared(pair),
            self.linked(pair),
        );
        let first = self.per_byte(pair) * x.count_ones();
        let columns = &self.columns;
        let result = if linked && !linear {
            let each = |z| after_shared(columns, added, kept, z, first);
            let mut list: Vec<_> = mixed_patterns(x, 16).into_iter().map(each).collect();
            list.sort_unstable_by_key(|&(added, kept, cost)| (cost, added, kept));
            list.dedup();
            Outcomes::Together(list)
        } else {
            let branch = |branch: &Branch| {
                if !linear {
                    return halves(columns, branch, x, 0);
                }
                let mut back = branch.reversed();
                let mut byte_cost = u8::from(!shared);
                if linked {
                    back.0.pop();
                    byte_cost = 1;
                }
                halves(columns, &back, x, byte_cost)
            };
            let (mut one, two) = (branch(added), branch(kept));
            one.iter_mut().for_each(|half| half.1 += first);
            Outcomes::Apart(one, two)
        };
        let list = Rc::new(result);
        self.outcomes.insert((pair, x), list.clone());
        list
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
    fn estimate(&self, pair: usize, word: WordSet) -> u32 {
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

    /// The minimum that a pair with the words x and y pays for this round and, if its sum is an x
    /// then, for the next.
    pub fn ahead(&mut self, pair: usize, x: Pattern, y: WordSet, last: bool) -> u32 {
        let seen = self.alike(pair, x);
        if let Some(&known) = self.ahead.get(&(pair, seen, y, last)) {
            return known;
        }
        let outcomes = self.outcomes(pair, seen);
        let target = self
            .feistel
            .shuffle
            .iter()
            .position(|&from| from == 2 * pair + 1);
        let target = target.filter(|at| at % 2 == 0).map(|at| at / 2);
        let linear = self.kind == Kind::Linear;
        let mut minimum = u32::MAX;
        let mut try_one = |machine: &mut Self, added: WordSet, cost: u32| {
            if cost < minimum {
                let sum = machine.columns.sum_words(added, y);
                let free = last && !linear;
                let next = target
                    .filter(|_| !free)
                    .map_or(0, |pair| machine.estimate(pair, sum));
                minimum = minimum.min(cost + next);
            }
        };
        match &*outcomes {
            Outcomes::Apart(one, two) => {
                let kept = if last && linear { 0 } else { two[0].1 };
                for &(added, cost) in one {
                    try_one(self, added, cost + kept);
                }
            }
            Outcomes::Together(list) => {
                for &(added, _, cost) in list {
                    try_one(self, added, cost);
                }
            }
        }
        // A word that acts alike may differ in what the other branch pays only by its first layer.
        self.ahead.insert((pair, seen, y, last), minimum);
        minimum
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

/// The cheapest cost of each word.
fn best_of(list: impl Iterator<Item = (Pattern, u32)>) -> Vec<(Pattern, u32)> {
    let mut list: Vec<_> = list.collect();
    list.sort_unstable();
    list.dedup_by_key(|entry| entry.0);
    list
}
