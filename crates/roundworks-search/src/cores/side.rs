//! The linear layer in one direction: what one cell gives.

use super::State;

/// The images of all values of all cells.
#[derive(Clone, Debug)]
pub(super) struct Side<const K: usize> {
    /// Of value v of cell c at place 2^K c + v.
    pub(super) images: Vec<State<K>>,
    /// The cells that these have active.
    pub(super) supports: Vec<u128>,
    /// The most of them.
    pub(super) widest: u32,
    pub(super) orbits: Vec<usize>,
}

impl<const K: usize> Side<K> {
    /// ``images``: of bit k of cell c at place K c + k.
    pub(super) fn new(images: &[State<K>], orbits: &[usize]) -> Self {
        let mut all = Vec::with_capacity(orbits.len() << K);
        for bits in images.chunks_exact(K) {
            for value in 0..1 << K {
                let chosen = (0..K).filter(|k| value >> k & 1 == 1);
                all.push(chosen.fold([0; K], |sum, k| added(&sum, &bits[k])));
            }
        }
        let supports: Vec<u128> = all.iter().map(active).collect();
        let widest = supports.iter().map(|s| s.count_ones()).max().unwrap_or(0);
        Self {
            images: all,
            supports,
            widest,
            orbits: orbits.to_vec(),
        }
    }
}

/// The cells that are not 0.
#[inline]
pub(super) fn active<const K: usize>(state: &State<K>) -> u128 {
    state.iter().fold(0, |sum, plane| sum | plane)
}

#[inline]
pub(super) fn added<const K: usize>(one: &State<K>, other: &State<K>) -> State<K> {
    std::array::from_fn(|k| one[k] ^ other[k])
}

/// The value of a cell.
#[inline]
pub(super) fn value<const K: usize>(state: &State<K>, cell: usize) -> usize {
    (0..K).map(|k| ((state[k] >> cell & 1) as usize) << k).sum()
}

/// The state with one cell of that value, which was 0.
#[inline]
pub(super) fn with<const K: usize>(state: &State<K>, cell: usize, value: usize) -> State<K> {
    std::array::from_fn(|k| state[k] | ((value >> k & 1) as u128) << cell)
}

/// The places of the ones, from the lowest on.
pub(super) fn cells(mut set: u128) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let place = (set != 0).then(|| set.trailing_zeros() as usize);
        set &= set.wrapping_sub(1);
        place
    })
}

/// The images of the inverse, by Gauss and Jordan; None where there is none.
pub(super) fn inverted<const K: usize>(images: &[State<K>]) -> Option<Vec<State<K>>> {
    let bit = |state: &State<K>, i: usize| state[i % K] >> (i / K) & 1 == 1;
    let mut lines: Vec<(State<K>, State<K>)> = images
        .iter()
        .enumerate()
        .map(|(i, image)| (*image, with(&[0; K], i / K, 1 << (i % K))))
        .collect();
    for i in 0..lines.len() {
        let pivot = (i..lines.len()).find(|&j| bit(&lines[j].0, i))?;
        lines.swap(i, pivot);
        let (image, from) = lines[i];
        for (j, line) in lines.iter_mut().enumerate() {
            if j != i && bit(&line.0, i) {
                *line = (added(&line.0, &image), added(&line.1, &from));
            }
        }
    }
    Some(lines.into_iter().map(|(_, from)| from).collect())
}
