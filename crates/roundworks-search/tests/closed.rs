//! Cheap internal collisions, many at once, against one shortest path and against every path.

mod common;

use std::collections::BTreeSet;

use common::{Random, aether};
use roundworks_search::closed::cheapest_paths;
use roundworks_search::{Structure, plain};

fn pattern(words: usize, bit: impl Fn(usize) -> bool) -> u32 {
    (0..words).fold(0, |sum, at| sum | u32::from(bit(at)) << at)
}

/// Whether a round can lead from one state to the other, by the definition of an XOR: two of its
/// operands and its result are never active alone.
fn leads(structure: &Structure, from: u32, to: u32) -> bool {
    let words = structure.words();
    structure.added().iter().enumerate().all(|(at, source)| {
        source.is_none_or(|source| {
            let through_f = from >> ((at + words - 1) % words) & 1;
            through_f + (from >> source & 1) + (to >> at & 1) != 1
        })
    })
}

/// Every path of this weight, by trying every next state.
fn every_path(structure: &Structure, weight: u32) -> BTreeSet<Vec<u32>> {
    let states = 1u32 << structure.words();
    let messages = pattern(structure.words(), |at| structure.positions().contains(&at));
    let mut open: Vec<(Vec<u32>, u32)> = (1..states)
        .filter(|state| state & !messages == 0 && state.count_ones() <= weight)
        .map(|state| (vec![state], weight - state.count_ones()))
        .collect();
    let mut paths = BTreeSet::new();
    while let Some((path, left)) = open.pop() {
        let last = path[path.len() - 1];
        if left == 0 && leads(structure, last, 0) {
            paths.insert(path.clone());
        }
        for next in (1..states).filter(|state| state.count_ones() <= left) {
            if leads(structure, last, next) {
                let mut longer = path.clone();
                longer.push(next);
                open.push((longer, left - next.count_ones()));
            }
        }
    }
    paths
}

#[test]
fn they_are_all_the_cheapest_paths() {
    let mut random = Random(0x0dd_ba11);
    for (words, inputs) in [(3, 1), (4, 2), (5, 2), (6, 2), (7, 3)] {
        for _ in 0..12 {
            let structure = random.structure(words, inputs);
            let listed_paths = cheapest_paths(&structure.added(), 8, usize::MAX).unwrap();
            let weight = plain::cheapest_collision(&structure, 8);
            let want = weight.map_or_else(BTreeSet::new, |weight| every_path(&structure, weight));
            assert_eq!(listed_paths.len(), want.len(), "{structure:?}");
            assert_eq!(
                listed_paths.into_iter().collect::<BTreeSet<_>>(),
                want,
                "{structure:?}"
            );
        }
    }
}

#[test]
fn aether_has_none_below_8() {
    let added = aether().added();
    assert!(cheapest_paths(&added, 8, 10).unwrap().is_empty());
    assert_eq!(cheapest_paths(&added, 9, 1).unwrap().len(), 1);
    let paths = cheapest_paths(&added, 9, 1000).unwrap();
    assert!((1..1000).contains(&paths.len()));
    let weight = |path: &Vec<u32>| path.iter().map(|state| state.count_ones()).sum::<u32>();
    assert!(paths.iter().all(|path| weight(path) == 8));
}

#[test]
fn wrong_words_are_refused() {
    let error = |added: &[Option<usize>]| cheapest_paths(added, 8, 1).unwrap_err().to_string();
    assert_eq!(error(&[None]), "words: want 2 to 32, got 1");
    assert_eq!(error(&[None, Some(2)]), "added: want 0 to 1, got 2");
}
