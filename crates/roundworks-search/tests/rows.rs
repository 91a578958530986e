//! The lightest trail of three layers against going through every trail.

mod common;

use common::Random;
use roundworks_search::rows::{NEVER, Rows};

const COLUMNS: usize = 5;

/// Images of bit 0 that have an inverse, and weights that every S-box could have but for their sums.
fn some_rows(random: &mut Random, rows: usize) -> (Vec<u64>, Vec<Vec<u8>>) {
    let size = 1 << rows;
    loop {
        let images: Vec<u64> = (0..rows).map(|_| 1 + random.below(31) as u64).collect();
        let mut weights = vec![vec![NEVER; size]; size];
        weights[0][0] = 0;
        for (d, row) in weights.iter_mut().enumerate().skip(1) {
            for (e, weight) in row.iter_mut().enumerate().skip(1) {
                if (d + e) % 3 > 0 || random.below(2) == 0 {
                    *weight = 1 + random.below(4) as u8;
                }
            }
        }
        if Rows::new(COLUMNS, &images, &weights).is_ok() {
            return (images, weights);
        }
    }
}

fn rotation(word: u64, by: usize) -> u64 {
    (word << by | word >> (COLUMNS - by)) & ((1 << COLUMNS) - 1)
}

/// A state has the bits of row r from bit `COLUMNS` r on.
fn linear(images: &[u64], state: usize) -> usize {
    let bit = |r: usize, c: usize| state >> (COLUMNS * r + c) & 1 == 1;
    (0..images.len())
        .flat_map(|r| (0..COLUMNS).map(move |c| (r, c)))
        .filter(|&(r, c)| bit(r, c))
        .fold(0, |sum, (r, c)| {
            sum ^ (rotation(images[r], c) as usize) << (COLUMNS * r)
        })
}

fn column(rows: usize, state: usize, c: usize) -> usize {
    (0..rows)
        .map(|r| (state >> (COLUMNS * r + c) & 1) << r)
        .sum()
}

/// The minimum weight of every difference behind a layer of S-boxes, from that before it.
fn layer(rows: usize, weights: &[Vec<u8>], before: &[u32]) -> Vec<u32> {
    // Column by column: the state has the columns that were replaced already.
    let mut now = before.to_vec();
    for c in 0..COLUMNS {
        let mut next = vec![u32::MAX; now.len()];
        for (state, &spent) in now.iter().enumerate().filter(|(_, w)| **w != u32::MAX) {
            let inside = column(rows, state, c);
            let rest = (0..rows).fold(state, |s, r| s & !(1 << (COLUMNS * r + c)));
            for (out, &weight) in weights[inside]
                .iter()
                .enumerate()
                .filter(|(_, w)| **w != NEVER)
            {
                let to = (0..rows).fold(rest, |s, r| s | (out >> r & 1) << (COLUMNS * r + c));
                next[to] = next[to].min(spent + u32::from(weight));
            }
        }
        now = next;
    }
    now
}

fn by_trying(images: &[u64], weights: &[Vec<u8>]) -> u32 {
    let rows = images.len();
    let mut now = vec![0; 1 << (COLUMNS * rows)];
    now[0] = u32::MAX;
    for l in 0..3 {
        let behind = layer(rows, weights, &now);
        if l == 2 {
            return behind.into_iter().min().expect("some difference");
        }
        now.fill(u32::MAX);
        for (state, &weight) in behind.iter().enumerate() {
            now[linear(images, state)] = weight;
        }
    }
    unreachable!("three layers")
}

#[test]
fn the_lightest_is_that_of_trying_everything() {
    let mut random = Random(7);
    for turn in 0..20 {
        let rows = 2 + turn % 2;
        let (images, weights) = some_rows(&mut random, rows);
        let truth = by_trying(&images, &weights);
        let search = Rows::new(COLUMNS, &images, &weights).expect("rows that have an inverse");
        let mut go = || Ok::<(), ()>(());
        for most in [truth + 2, truth] {
            let trail = search
                .lightest(most, &mut go)
                .expect("nothing stops it")
                .expect("a trail");
            assert_eq!(trail.weight, truth, "{images:?} {weights:?}");
            let state = |words: [u64; 8]| {
                (0..rows)
                    .map(|r| (words[r] as usize) << (COLUMNS * r))
                    .sum()
            };
            let [b0, a1, b1, a2] = trail.words.map(state);
            assert_eq!((linear(&images, b0), linear(&images, b1)), (a1, a2));
        }
        assert_eq!(search.lightest(truth - 1, &mut go), Ok(None));
        let some = search.lightest_of_few(2 * COLUMNS as u32, truth, &mut go);
        assert_eq!(
            some.map(|found| found.map(|one| one.weight)),
            Ok(Some(truth))
        );
        assert_eq!(search.lightest_of_few(1, truth, &mut go), Ok(None));
    }
}

#[test]
fn it_is_stopped_by_its_caller() {
    let (images, weights) = some_rows(&mut Random(1), 3);
    let search = Rows::new(COLUMNS, &images, &weights).expect("rows that have an inverse");
    assert_eq!(search.lightest(20, &mut || Err("enough")), Err("enough"));
}

#[test]
fn what_is_no_such_layer_is_refused() {
    let (images, weights) = some_rows(&mut Random(1), 3);
    for (images, weights) in [
        (vec![0, 1, 1], weights.clone()),
        (images.clone(), weights[1..].to_vec()),
    ] {
        assert!(Rows::new(COLUMNS, &images, &weights).is_err());
    }
    let mut free = weights;
    free[1][1] = 0;
    assert!(Rows::new(COLUMNS, &images, &free).is_err());
}
