//! The lightest trail of few active S-boxes against going through every trail.

mod common;

use common::Random;
use roundworks_search::cores::{Cores, NEVER, State};

const CELLS: usize = 4;

/// A state has the K bits of cell c from bit K c on.
fn state<const K: usize>(words: &State<K>) -> usize {
    (0..K * CELLS)
        .map(|i| ((words[i % K] >> (i / K) & 1) as usize) << i)
        .sum()
}

fn words<const K: usize>(state: usize) -> State<K> {
    let mut words = [0; K];
    for i in (0..K * CELLS).filter(|i| state >> i & 1 == 1) {
        words[i % K] |= 1 << (i / K);
    }
    words
}

/// Images of the bits that have an inverse, sparse ones and dense ones.
fn some_images<const K: usize>(random: &mut Random, additions: usize) -> Vec<usize> {
    let mut images: Vec<usize> = (0..K * CELLS).map(|i| 1 << i).collect();
    for i in (1..images.len()).rev() {
        images.swap(i, random.below(i + 1));
    }
    for _ in 0..additions {
        let (i, j) = (random.below(images.len()), random.below(images.len()));
        if i != j {
            images[i] ^= images[j];
        }
    }
    images
}

/// Images that commute with the rotation of the cells.
fn rotated_images<const K: usize>(random: &mut Random) -> Vec<usize> {
    let mask = (1 << (K * CELLS)) - 1;
    let first: Vec<usize> = (0..K).map(|_| 1 + random.below(mask)).collect();
    (0..K * CELLS)
        .map(|i| {
            let by = i / K * K;
            (first[i % K] << by | first[i % K] >> (K * CELLS - by)) & mask
        })
        .collect()
}

fn some_weights(random: &mut Random, bits: usize) -> Vec<Vec<u8>> {
    let size = 1 << bits;
    let mut weights = vec![vec![NEVER; size]; size];
    weights[0][0] = 0;
    for (d, row) in weights.iter_mut().enumerate().skip(1) {
        for (e, weight) in row.iter_mut().enumerate().skip(1) {
            if d == e || random.below(2) == 0 {
                *weight = 1 + random.below(3) as u8;
            }
        }
    }
    weights
}

fn linear(images: &[usize], state: usize) -> usize {
    let chosen = images
        .iter()
        .enumerate()
        .filter(|(i, _)| state >> i & 1 == 1);
    chosen.fold(0, |sum, (_, image)| sum ^ image)
}

fn active(bits: usize, state: usize) -> usize {
    let cell = |c| state >> (bits * c) & ((1 << bits) - 1);
    (0..CELLS).filter(|&c| cell(c) != 0).count()
}

/// For each number of active S-boxes, in all layers together, the minimum weight of a difference behind a layer.
fn layer(bits: usize, weights: &[Vec<u8>], before: &[Vec<u32>]) -> Vec<Vec<u32>> {
    let mut now = before.to_vec();
    for (state, counts) in now.iter_mut().enumerate() {
        let by = active(bits, state).min(counts.len());
        counts.rotate_right(by);
        counts[..by].fill(u32::MAX);
    }
    for c in 0..CELLS {
        let mut next = vec![vec![u32::MAX; now[0].len()]; now.len()];
        for (state, counts) in now.iter().enumerate() {
            let inside = state >> (bits * c) & ((1 << bits) - 1);
            for (out, &weight) in weights[inside].iter().enumerate() {
                let to = state ^ (inside ^ out) << (bits * c);
                for (best, &spent) in next[to].iter_mut().zip(counts) {
                    if weight != NEVER && spent != u32::MAX {
                        *best = (*best).min(spent + u32::from(weight));
                    }
                }
            }
        }
        now = next;
    }
    now
}

/// For each number of active S-boxes the minimum weight of a trail that has just that.
fn by_trying(bits: usize, images: &[usize], weights: &[Vec<u8>]) -> Vec<u32> {
    let mut now = vec![vec![u32::MAX; 3 * CELLS + 1]; 1 << images.len()];
    for counts in now.iter_mut().skip(1) {
        counts[0] = 0;
    }
    for l in 0..3 {
        let behind = layer(bits, weights, &now);
        if l == 2 {
            let count = |n: usize| behind.iter().map(|counts| counts[n]).min();
            return (0..=3 * CELLS).filter_map(count).collect();
        }
        for (state, counts) in behind.into_iter().enumerate() {
            now[linear(images, state)] = counts;
        }
    }
    unreachable!("three layers")
}

fn compared<const K: usize>(images: &[usize], weights: &[Vec<u8>], orbits: &[usize]) -> bool {
    let planes: Vec<State<K>> = images.iter().map(|&image| words(image)).collect();
    let Ok(search) = Cores::<K>::new(&planes, weights, orbits) else {
        return false;
    };
    let truth = by_trying(K, images, weights);
    let mut go = || Ok::<(), ()>(());
    for active in 0..=3 * CELLS {
        let lightest = *truth[..=active].iter().min().expect("a number");
        for most in [
            lightest.saturating_sub(1),
            lightest,
            lightest.saturating_add(2).min(1000),
        ] {
            let best = search.lightest(active as u32, most.min(1000), 0, &mut go);
            let best = best.expect("nothing stops it");
            let wanted = (lightest <= most.min(1000)).then_some(lightest);
            let context = || format!("{active} of {images:?}, {weights:?}");
            assert_eq!(best.map(|one| one.weight), wanted, "{}", context());
            if let Some(one) = best {
                let [b0, a1, b1, a2] = one.words.map(|w| state(&w));
                assert_eq!((linear(images, b0), linear(images, b1)), (a1, a2));
            }
        }
    }
    true
}

#[test]
fn the_lightest_is_that_of_trying_everything() {
    let mut random = Random(5);
    for turn in 0..40 {
        let weights = some_weights(&mut random, 2);
        let images = some_images::<2>(&mut random, turn % 20);
        assert!(compared::<2>(&images, &weights, &[0, 1, 2, 3]));
    }
    for turn in 0..6 {
        let weights = some_weights(&mut random, 3);
        let images = some_images::<3>(&mut random, 4 * turn);
        assert!(compared::<3>(&images, &weights, &[0, 1, 2, 3]));
    }
}

#[test]
fn one_pair_is_enough_of_those_that_rotations_make_of_each_other() {
    let mut random = Random(3);
    let mut done = 0;
    while done < 30 {
        let weights = some_weights(&mut random, 2);
        let images = rotated_images::<2>(&mut random);
        done += usize::from(compared::<2>(&images, &weights, &[0; CELLS]));
        // By two cells alone.
        compared::<2>(&images, &weights, &[0, 1, 0, 1]);
    }
}

#[test]
fn it_is_stopped_by_its_caller() {
    // Every S-box changes one cell of the next layer, so that many pairs are light.
    let images: Vec<State<2>> = (0..256).map(words_of_bit).collect();
    let orbits: Vec<usize> = (0..128).collect();
    let search = Cores::<2>::new(&images, &some_weights(&mut Random(1), 2), &orbits)
        .expect("a layer that has an inverse");
    assert_eq!(
        search.lightest(9, 0, 0, &mut || Err("enough")),
        Err("enough")
    );
}

fn words_of_bit(i: usize) -> State<2> {
    let mut words = [0; 2];
    words[i % 2] = 1 << (i / 2);
    words
}

#[test]
fn what_is_no_such_layer_is_refused() {
    let weights = some_weights(&mut Random(1), 2);
    let images: Vec<State<2>> = (0..8).map(|i| words(1 << i)).collect();
    let orbits = [0, 1, 2, 3];
    assert!(Cores::<2>::new(&images, &weights, &orbits).is_ok());
    assert!(Cores::<2>::new(&images[1..], &weights, &orbits).is_err());
    assert!(Cores::<2>::new(&[images[0]; 8], &weights, &orbits).is_err());
    assert!(Cores::<2>::new(&images, &weights[1..], &orbits).is_err());
    let mut free = weights;
    free[1][1] = 0;
    assert!(Cores::<2>::new(&images, &free, &orbits).is_err());
}
