//! The lightest trail through layers with a permutation of bits between them against going through every trail.

mod common;

use common::Random;
use roundworks_search::permuted::{Lightest, NEVER, Permuted, Word};

type Weights = Vec<Vec<u8>>;

/// Small layers: of each cell its S-box, and where each bit goes.
struct Case {
    bits: usize,
    to: Vec<usize>,
    sboxes: Vec<Weights>,
    kinds: Vec<usize>,
}

impl Case {
    fn random(random: &mut Random) -> Self {
        let bits = 1 + random.below(4);
        let cells = 1 + random.below(8 / bits);
        let mut to: Vec<usize> = (0..bits * cells).collect();
        for i in (1..to.len()).rev() {
            to.swap(i, random.below(i + 1));
        }
        let sboxes: Vec<Weights> = (0..1 + random.below(2))
            .map(|_| some_weights(random, bits))
            .collect();
        let kinds = (0..cells).map(|_| random.below(sboxes.len())).collect();
        Self {
            bits,
            to,
            sboxes,
            kinds,
        }
    }

    fn value(&self, state: usize, cell: usize) -> usize {
        state >> (self.bits * cell) & ((1 << self.bits) - 1)
    }

    /// What a layer weighs between two states; None where an S-box cannot do that.
    fn weight(&self, before: usize, behind: usize) -> Option<u32> {
        self.kinds
            .iter()
            .enumerate()
            .try_fold(0, |sum, (c, &kind)| {
                let weight = self.sboxes[kind][self.value(before, c)][self.value(behind, c)];
                (weight != NEVER).then(|| sum + u32::from(weight))
            })
    }

    fn moved(&self, state: usize) -> usize {
        let ones = self
            .to
            .iter()
            .enumerate()
            .filter(|(i, _)| state >> i & 1 == 1);
        ones.fold(0, |sum, (_, place)| sum | 1 << place)
    }

    fn state(&self, word: &Word) -> usize {
        let values = word.iter().enumerate();
        values.fold(0, |sum, (c, &v)| sum | usize::from(v) << (self.bits * c))
    }

    /// The minimum over 1 to ``rounds`` layers, by way of all states between any two of them.
    fn by_trying(&self, rounds: usize) -> Vec<u32> {
        let states = 1 << self.to.len();
        let mut before = vec![Some(0); states];
        before[0] = None;
        let mut minima = Vec::new();
        for _ in 0..rounds {
            let mut next = vec![None; states];
            for behind in 0..states {
                let through = (0..states)
                    .filter_map(|state| Some(before[state]? + self.weight(state, behind)?))
                    .min();
                next[self.moved(behind)] = through;
            }
            minima.push(next.iter().flatten().copied().min().expect("a trail"));
            before = next;
        }
        minima
    }

    /// Whether it is a trail over that many layers, of that weight.
    fn is_trail(&self, trail: &Lightest, rounds: usize) -> bool {
        let states: Vec<(usize, usize)> = trail
            .layers
            .iter()
            .map(|(before, behind)| (self.state(before), self.state(behind)))
            .collect();
        let joined = states
            .windows(2)
            .all(|two| self.moved(two[0].1) == two[1].0);
        let weights: Option<u32> = states.iter().map(|&(a, b)| self.weight(a, b)).sum();
        states.len() == rounds && joined && states[0].0 != 0 && weights == Some(trail.weight)
    }
}

/// Every value has itself on the other side, and some others.
fn some_weights(random: &mut Random, bits: usize) -> Weights {
    let size = 1 << bits;
    let mut weights = vec![vec![NEVER; size]; size];
    weights[0][0] = 0;
    for (d, row) in weights.iter_mut().enumerate().skip(1) {
        for (e, weight) in row.iter_mut().enumerate().skip(1) {
            if d == e || random.below(3) == 0 {
                *weight = 1 + random.below(9) as u8;
            }
        }
    }
    weights
}

#[test]
fn the_lightest_trail_is_that_of_going_through_all() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut rose = 0;
    for _ in 0..150 {
        let case = Case::random(&mut random);
        let layers = Permuted::new(case.bits, &case.to, &case.sboxes, &case.kinds).unwrap();
        let minima = case.by_trying(6);
        for rounds in 1..=minima.len() {
            let truth = minima[rounds - 1];
            let fewer: Vec<u32> = [0].into_iter().chain(minima.clone()).take(rounds).collect();
            let nothing_known = vec![0; rounds];
            let mut go = || Ok::<(), ()>(());
            for bounds in [&fewer, &nothing_known] {
                let lighter = layers.lightest(rounds, bounds, truth - 1, &mut go).unwrap();
                assert_eq!(lighter, None);
                for most in [truth, truth + 1, truth + 7] {
                    let trail = layers.lightest(rounds, bounds, most, &mut go).unwrap();
                    let trail = trail.expect("one of that weight");
                    assert_eq!(trail.weight, truth);
                    assert!(case.is_trail(&trail, rounds));
                }
            }
            rose += usize::from(rounds > 1 && truth > rounds as u32 * minima[0]);
        }
    }
    assert!(rose > 100, "only {rose} minima of more than light layers");
}

#[test]
fn the_caller_stops_it() {
    let case = Case::random(&mut Random(7));
    let layers = Permuted::new(case.bits, &case.to, &case.sboxes, &case.kinds).unwrap();
    let stopped = layers.lightest(2, &[0, 0], 100, &mut || Err("stop"));
    assert_eq!(stopped, Err("stop"));
}

#[test]
fn what_does_not_fit_is_refused() {
    let weights = some_weights(&mut Random(3), 2);
    let refusal = |to: &[usize], kinds: &[usize], sbox: &Weights| {
        let layers = Permuted::new(2, to, std::slice::from_ref(sbox), kinds);
        layers.map(|_| ()).unwrap_err().to_string()
    };
    assert_eq!(
        refusal(&[0, 1, 2], &[0, 0], &weights),
        "places: want 4 to 4, got 3"
    );
    assert_eq!(
        refusal(&[0, 0], &[0], &weights),
        "structure: want a permutation of the bits"
    );
    assert_eq!(
        refusal(&[0, 2], &[0], &weights),
        "a place: want 0 to 1, got 2"
    );
    assert_eq!(
        refusal(&[0, 1], &[1], &weights),
        "the S-box of a cell: want 0 to 0, got 1"
    );
    let mut free = weights;
    free[1][1] = 0;
    assert!(refusal(&[0, 1], &[0], &free).contains("only that of no difference is 0"));
}
