//! The slow twin of the structure search: every structure, one shortest path each.
//!
//! It follows the definition and shares no pruning, no symmetry and no order with the fast
//! search, so agreement of the two means something.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use crate::structure::{Structure, masks};

/// Smallest number of active F between two states without differences, with some difference in a
/// message between them; `None` if it is `bound` or more.
pub fn cheapest_collision(structure: &Structure, bound: u32) -> Option<u32> {
    let added = structure.added();
    let mut settled = vec![false; 1 << structure.words()];
    let mut queue = BinaryHeap::new();
    // The first round starts without differences in the state and ends with those injected.
    each_subset(structure.mask(), |message| {
        if message != 0 {
            queue.push(Reverse((0, message)));
        }
    });
    while let Some(Reverse((cost, state))) = queue.pop() {
        if state == 0 {
            return (cost < bound).then_some(cost);
        }
        if std::mem::replace(&mut settled[state as usize], true) {
            continue;
        }
        let cost = cost + state.count_ones();
        if cost < bound {
            let (forced, free) = round(&added, state, true);
            each_subset(free, |extra| queue.push(Reverse((cost, forced | extra))));
        }
    }
    None
}

/// Smallest number of active F over rounds `1..=rounds` from any of `starts`, message inputs
/// without differences.
pub fn profile(structure: &Structure, starts: &[u32], rounds: usize) -> Vec<u32> {
    let added = structure.added();
    let mut states: BTreeMap<u32, u32> = starts.iter().map(|&start| (start, 0)).collect();
    let mut minimum = Vec::with_capacity(rounds);
    for _ in 0..rounds {
        let mut after = BTreeMap::new();
        let mut floor = u32::MAX;
        for (&state, &cost) in &states {
            let cost = cost + state.count_ones();
            floor = floor.min(cost);
            let (forced, free) = round(&added, state, false);
            each_subset(free, |extra| {
                let minimum = after.entry(forced | extra).or_insert(cost);
                *minimum = cost.min(*minimum);
            });
        }
        minimum.push(floor);
        states = after;
    }
    minimum
}

/// All structures of `words` words and `inputs` messages, in no particular order.
pub fn structures(words: usize, inputs: usize) -> impl Iterator<Item = Structure> {
    masks(words, inputs).flat_map(move |mask| {
        let positions: Vec<usize> = (0..words).filter(|at| mask >> at & 1 == 1).collect();
        Injections::new(words - inputs, words)
            .filter_map(move |pi| Structure::new(words, positions.clone(), pi).ok())
    })
}

/// How many structures have no collision cheaper than `active`.
pub fn count(words: usize, inputs: usize, active: u32) -> u64 {
    structures(words, inputs)
        .filter(|structure| cheapest_collision(structure, active).is_none())
        .count() as u64
}

/// Words that must, and words that may also, differ after a round from `state`.
fn round(added: &[Option<usize>], state: u32, inputs_active: bool) -> (u32, u32) {
    let active = |word: usize| state >> word & 1 == 1;
    let (mut forced, mut free) = (0, 0);
    for (at, source) in added.iter().enumerate() {
        let through_f = active((at + added.len() - 1) % added.len());
        match source {
            None if inputs_active => free |= 1 << at,
            None => forced |= u32::from(through_f) << at,
            Some(source) if through_f && active(*source) => free |= 1 << at,
            Some(source) => forced |= u32::from(through_f || active(*source)) << at,
        }
    }
    (forced, free)
}

fn each_subset(of: u32, mut visit: impl FnMut(u32)) {
    let mut subset = of;
    loop {
        visit(subset);
        if subset == 0 {
            return;
        }
        subset = (subset - 1) & of;
    }
}

/// Lists of `length` distinct numbers below `below`, in lexicographic order.
struct Injections {
    below: usize,
    length: usize,
    next: Option<Vec<usize>>,
}

impl Injections {
    fn new(length: usize, below: usize) -> Self {
        Self {
            below,
            length,
            next: Some((0..length).collect()),
        }
    }
}

impl Iterator for Injections {
    type Item = Vec<usize>;

    fn next(&mut self) -> Option<Vec<usize>> {
        let current = self.next.take()?;
        let mut list = current.clone();
        // Raise the last entry that can be raised, then fill up with the smallest unused.
        while let Some(last) = list.pop() {
            let Some(raised) = (last + 1..self.below).find(|n| !list.contains(n)) else {
                continue;
            };
            list.push(raised);
            while list.len() < self.length {
                let smallest = (0..self.below).find(|n| !list.contains(n))?;
                list.push(smallest);
            }
            self.next = Some(list);
            break;
        }
        Some(current)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_structure_comes_once() {
        let all: std::collections::BTreeSet<_> = structures(5, 2).collect();
        assert_eq!(all.len(), 600);
        assert_eq!(structures(5, 2).count(), 600);
    }

    #[test]
    fn aether_collides_at_8() {
        let aether = Structure::new(9, vec![0, 3, 5], vec![3, 6, 4, 8, 2, 0]).unwrap();
        assert_eq!(cheapest_collision(&aether, u32::MAX), Some(8));
    }
}
