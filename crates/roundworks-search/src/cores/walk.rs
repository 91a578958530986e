//! All words of a number of active cells whose image has few.

use super::side::{Side, active, added, with};
use super::{Search, State, Stop};

/// One side of all pairs that it goes through, in one direction.
pub(super) struct Walk<'a, 'b, E, const K: usize> {
    side: &'a Side<K>,
    forwards: bool,
    search: &'a mut Search<'b, E, K>,
    /// Active cells of the image: more than `above`, at most `most`.
    above: u32,
    most: u32,
    /// Values that were tried, as a measure of time.
    steps: u64,
}

/// The cells that are chosen, and the sum of their images.
#[derive(Clone, Copy)]
struct Word<const K: usize> {
    state: State<K>,
    image: State<K>,
}

impl<'a, 'b, E, const K: usize> Walk<'a, 'b, E, K> {
    pub(super) fn new(side: &'a Side<K>, forwards: bool, search: &'a mut Search<'b, E, K>) -> Self {
        Self {
            side,
            forwards,
            search,
            above: 0,
            most: 0,
            steps: 0,
        }
    }

    /// Every word of ``size`` active cells whose image has more than ``above`` and at most ``most``, one or more of those
    /// that permutations of the cells make of each other. Gives the number of values that were tried.
    ///
    /// The first cell is one whose image has the most active cells, and of those in the first orbit.
    pub(super) fn all(&mut self, size: u32, most: u32, above: u32) -> Result<u64, Stop<E>> {
        (self.most, self.above) = (most, above);
        let side = self.side;
        let size_of = |i: usize| side.supports[i].count_ones();
        let cell = |i: usize| i >> K;
        let mut orbits: Vec<usize> = Vec::new();
        for first in 0..side.images.len() {
            let orbit = side.orbits[cell(first)];
            if side.supports[first] == 0 {
                continue;
            }
            let is_first = side.orbits[..cell(first)].iter().all(|&o| o != orbit);
            if !is_first {
                continue;
            }
            let others: Vec<usize> = (0..side.images.len())
                .filter(|&i| side.supports[i] != 0 && cell(i) != cell(first))
                .filter(|&i| {
                    let earlier = orbits.contains(&side.orbits[cell(i)]);
                    size_of(i) < size_of(first) || (size_of(i) == size_of(first) && !earlier)
                })
                .collect();
            let word = self.with(
                &Word {
                    state: [0; K],
                    image: [0; K],
                },
                first,
            );
            self.extend(&word, &others, size - 1)?;
            if first + 1 == side.images.len() || cell(first + 1) != cell(first) {
                orbits.push(orbit);
            }
        }
        Ok(self.steps)
    }

    fn with(&self, word: &Word<K>, i: usize) -> Word<K> {
        Word {
            state: with(&word.state, i >> K, i & ((1 << K) - 1)),
            image: added(&word.image, &self.side.images[i]),
        }
    }

    /// Every choice of ``left`` further cells among the ``others``.
    ///
    /// What of the image is too much, the others must take away, so that one of them meets its share of it. Each choice is
    /// gone through by the first of these that it has.
    fn extend(&mut self, word: &Word<K>, others: &[usize], left: u32) -> Result<(), Stop<E>> {
        self.search.tick()?;
        let now = active(&word.image);
        let excess = now.count_ones().saturating_sub(self.most);
        if left == 0 {
            return if excess == 0 {
                self.visit(word)
            } else {
                Ok(())
            };
        }
        let share = excess.div_ceil(left);
        if share > self.side.widest {
            return Ok(());
        }
        self.steps += others.len() as u64;
        let meets = |i: usize| (self.side.supports[i] & now).count_ones() >= share;
        if left == 1 {
            for &i in others.iter().filter(|&&i| meets(i)) {
                let whole = self.with(word, i);
                if active(&whole.image).count_ones() <= self.most {
                    self.visit(&whole)?;
                }
            }
            return Ok(());
        }
        let mut rest = others.to_vec();
        let mut inside = Vec::with_capacity(rest.len());
        for &i in others {
            if meets(i) {
                rest.retain(|&j| j != i);
                inside.clear();
                inside.extend(rest.iter().copied().filter(|&j| j >> K != i >> K));
                let more = self.with(word, i);
                self.extend(&more, &inside, left - 1)?;
            }
        }
        Ok(())
    }

    fn visit(&mut self, word: &Word<K>) -> Result<(), Stop<E>> {
        if active(&word.image).count_ones() <= self.above {
            return Ok(());
        }
        match self.forwards {
            true => self.search.pair(&word.state, &word.image),
            false => self.search.pair(&word.image, &word.state),
        }
    }
}
