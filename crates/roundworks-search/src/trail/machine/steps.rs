//! What a pair of words becomes in its round, and what that costs.

use std::rc::Rc;

use super::super::columns::{Pattern, WordSet};
use super::super::functions::{Branch, Half, Outcomes, after_shared, halves, mixed_patterns};
use super::{Kind, Machine, Step};

impl Machine {
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
}
