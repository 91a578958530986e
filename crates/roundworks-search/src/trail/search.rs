//! The lightest trail over a number of rounds: sets of states, round by round.

use super::hash::Map;
use super::machine::{Count, Feistel, Kind, Machine, State};

/// Fewest active S-boxes, exactly.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Minimum {
    /// Rounds.
    pub rounds: usize,
    /// Active S-boxes of the lightest trail.
    pub active: u32,
    /// States looked at for this number of rounds.
    pub states: u64,
}

/// Searches one permutation, from few rounds to many: each gives a bound for the next.
pub struct Trails {
    machine: Machine,
    /// At least what any state has still to pay for that many rounds.
    rest: Vec<u32>,
    states: u64,
}

impl Trails {
    /// Nothing is computed yet.
    pub fn new(feistel: Feistel, kind: Kind, count: Count) -> Self {
        Self {
            machine: Machine::new(feistel, kind, count),
            rest: vec![0],
            states: 0,
        }
    }

    /// The minimum for that many rounds, if it is at most `limit`.
    pub fn minimum(&mut self, rounds: usize, limit: u32) -> Option<Minimum> {
        while self.rest.len() < rounds {
            let next = self.rest.len();
            let result = self.deepen(next, false, limit, self.rest[next - 1]);
            self.rest.push(result.unwrap_or(limit.saturating_add(1)));
        }
        self.states = 0;
        let active = self.deepen(rounds, true, limit, self.rest[rounds - 1])?;
        Some(Minimum {
            rounds,
            active,
            states: self.states,
        })
    }

    fn deepen(&mut self, rounds: usize, pending: bool, limit: u32, from: u32) -> Option<u32> {
        let mut bound = from;
        while bound <= limit {
            let mut starts = vec![self.machine.start(pending)];
            if rounds == 1 && pending && self.machine.kind == Kind::Linear {
                // No later round sees whether both words are 0: here one of them is not.
                starts = [0, 1]
                    .map(|at| {
                        let mut start = starts[0];
                        start[at] = self.machine.columns.begun(start[at]);
                        start
                    })
                    .into();
            }
            let result = self.within(&starts, rounds, bound);
            if result {
                return Some(bound);
            }
            bound += 1;
        }
        None
    }

    /// Whether a trail from one of `starts` has at most `bound`.
    fn within(&mut self, starts: &[State], rounds: usize, bound: u32) -> bool {
        let mut layer: Map<State, u32> = starts.iter().map(|&start| (start, 0)).collect();
        for round in 0..rounds {
            let left = rounds - round - 1;
            let mut next: Map<State, u32> = Map::default();
            for (&state, &paid) in &layer {
                self.states += 1;
                self.expand(state, paid, left, bound, &mut next);
            }
            layer = next;
        }
        !layer.is_empty()
    }

    fn expand(
        &mut self,
        state: State,
        paid: u32,
        left: usize,
        bound: u32,
        next: &mut Map<State, u32>,
    ) {
        let Some(budget) = bound.checked_sub(paid + self.rest[left]) else {
            return;
        };
        let last = left == 0;
        let first = self.machine.resolved(0, state[0], budget);
        if self.machine.words() == 2 {
            let rest_after = if last { 0 } else { self.rest[left - 1] };
            let mut seen = (None, 0);
            for &(x, cost) in first.iter() {
                if x == 0 && state[1] == 0 || cost > budget {
                    continue; // nothing is active any more: not a trail
                }
                let class = self.machine.alike(0, x);
                if seen.0 != Some(class) {
                    seen = (Some(class), self.machine.ahead(0, x, state[1], last));
                }
                let ahead = paid + cost + seen.1;
                if ahead + rest_after > bound {
                    continue;
                }
                for step in self
                    .machine
                    .steps(0, x, state[1], last, budget - cost)
                    .iter()
                {
                    if step.cost + cost > budget {
                        break;
                    }
                    let words = [step.kept, step.added, 0, 0];
                    self.push(words, paid + cost + step.cost, left, bound, next);
                }
            }
            return;
        }
        let second = self.machine.resolved(1, state[2], budget);
        for &(x, cost_x) in first.iter() {
            for &(z, cost_z) in second.iter() {
                let cost = cost_x + cost_z;
                if cost > budget || x | z == 0 && state[1] | state[3] == 0 {
                    continue;
                }
                let ones = self.machine.steps(0, x, state[1], last, budget - cost);
                let twos = self.machine.steps(1, z, state[3], last, budget - cost);
                for one in ones.iter() {
                    for two in twos.iter() {
                        let cost = cost + one.cost + two.cost;
                        if cost > budget {
                            break;
                        }
                        let words = [one.kept, one.added, two.kept, two.added];
                        self.push(words, paid + cost, left, bound, next);
                    }
                }
            }
        }
    }

    fn push(
        &mut self,
        words: State,
        paid: u32,
        left: usize,
        bound: u32,
        next: &mut Map<State, u32>,
    ) {
        let count = self.machine.words();
        let mut state = [0; 4];
        for at in 0..count {
            state[at] = words[self.machine.feistel.shuffle[at]];
        }
        let rest = if left == 0 { 0 } else { self.rest[left - 1] };
        let Some(allowed) = bound.checked_sub(paid + rest) else {
            return;
        };
        if !(0..count / 2).all(|pair| {
            self.machine
                .reaches(pair, state[2 * pair], left == 0, allowed)
        }) {
            return;
        }
        let state = self.machine.representative(state);
        let entry = next.entry(state).or_insert(u32::MAX);
        *entry = (*entry).min(paid);
    }
}
