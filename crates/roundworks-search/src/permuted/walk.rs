//! All trails from one word on, in one direction.

use super::Word;
use super::side::Side;

/// What a number of layers one after the other may weigh: at most that in the mean.
#[derive(Clone, Copy)]
pub(super) struct Window {
    most: u64,
    rounds: u64,
    /// The layers before, and what they weigh.
    earlier: (u64, u64),
}

impl Window {
    pub(super) fn new(most: u32, rounds: usize) -> Self {
        Self {
            most: most.into(),
            rounds: rounds as u64,
            earlier: (0, 0),
        }
    }

    /// The same after one layer of that weight.
    pub(super) fn after(self, weight: u32) -> Self {
        let (layers, spent) = self.earlier;
        Self {
            earlier: (layers + 1, spent + u64::from(weight)),
            ..self
        }
    }

    #[inline]
    pub(super) fn allows(&self, weight: u32, layers: usize) -> bool {
        let (before, spent) = self.earlier;
        (spent + u64::from(weight)) * self.rounds <= (before + layers as u64) * self.most
    }
}

/// A trail from one word on: what it weighs, and of each layer that word and the one on the other side.
pub(super) struct Part {
    pub(super) weight: u32,
    pub(super) layers: Vec<(Word, Word)>,
}

/// The search in one direction, and the lightest trail so far.
pub(super) struct Walk<'a> {
    side: &'a Side,
    fewer: &'a [u32],
    /// What the layers may weigh together.
    limit: u32,
    window: Option<Window>,
    path: Vec<(Word, Word)>,
    best: Option<Part>,
    ticks: u32,
}

/// A layer whose S-boxes are gone through.
struct Layer {
    /// The active cells, and the minimum that each of them and all after it weigh.
    active: Vec<usize>,
    rest: Vec<u32>,
    /// How many layers are done, and how many follow.
    done: usize,
    left: usize,
}

impl<'a> Walk<'a> {
    pub(super) fn new(
        side: &'a Side,
        fewer: &'a [u32],
        limit: u32,
        window: Option<Window>,
    ) -> Self {
        Self {
            side,
            fewer,
            limit,
            window,
            path: Vec::new(),
            best: None,
            ticks: 0,
        }
    }

    /// The lightest trail over ``layers`` layers, the word being before the first of them; None if all weigh too much.
    pub(super) fn lightest<E>(
        mut self,
        word: &Word,
        layers: usize,
        go: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<Option<Part>, E> {
        self.layer(word.clone(), 0, layers, 0, go)?;
        Ok(self.best)
    }

    fn layer<E>(
        &mut self,
        word: Word,
        done: usize,
        layers: usize,
        spent: u32,
        go: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<(), E> {
        let Some(left) = layers.checked_sub(1) else {
            if self.best.as_ref().is_none_or(|best| spent < best.weight) && spent <= self.limit {
                let layers = self.path.clone();
                self.best = Some(Part {
                    weight: spent,
                    layers,
                });
                self.limit = spent.saturating_sub(1);
            }
            return Ok(());
        };
        let side = self.side;
        let active: Vec<usize> = (0..word.len()).filter(|&cell| word[cell] != 0).collect();
        let mut rest = vec![0; active.len() + 1];
        for (i, &cell) in active.iter().enumerate().rev() {
            rest[i] = rest[i + 1] + side.table(cell).minimum[usize::from(word[cell])];
        }
        let of = Layer {
            active,
            rest,
            done,
            left,
        };
        if !self.fits(&of, spent + of.rest[0], 0) {
            return Ok(());
        }
        if left == 0 {
            let other = side.lightest_other(&word);
            self.path.push((word, other));
            self.layer(Word::new(), done + 1, 0, spent + of.rest[0], go)?;
        } else {
            self.path.push((word, side.nothing()));
            self.cell(&of, 0, &mut side.nothing(), spent, 0, go)?;
        }
        self.path.pop();
        Ok(())
    }

    /// Whether a trail can be light enough that weighs so much up to this layer, and at least ``next`` in the next one.
    #[inline]
    fn fits(&self, of: &Layer, weight: u32, next: u32) -> bool {
        let rest = match of.left {
            0 => 0,
            left => self.fewer[left].max(next + self.fewer[left - 1]),
        };
        weight + rest <= self.limit
            && self.window.is_none_or(|window| {
                window.allows(weight, of.done + 1)
                    && (of.left == 0 || window.allows(weight + next, of.done + 2))
            })
    }

    /// All choices of the active cells from the i-th on. ``next`` has the bits that those before it bring to the next
    /// layer, which weighs at least ``floor`` for that.
    fn cell<E>(
        &mut self,
        of: &Layer,
        i: usize,
        next: &mut Word,
        spent: u32,
        floor: u32,
        go: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<(), E> {
        self.ticks = self.ticks.wrapping_add(1);
        if self.ticks.is_multiple_of(1 << 10) {
            go()?;
        }
        let Some(&cell) = of.active.get(i) else {
            return self.layer(next.clone(), of.done + 1, of.left, spent, go);
        };
        let side = self.side;
        let here = self.path.len() - 1;
        let value = self.path[here].0[cell];
        for &(other, weight) in &side.table(cell).options[usize::from(value)] {
            let spent = spent + weight;
            if !self.fits(of, spent + of.rest[i + 1], floor) {
                break;
            }
            let mut more = floor;
            for (there, bit) in side.places(cell, other) {
                let table = side.table(there);
                let with = next[there] | bit;
                more += table.floor[usize::from(with)] - table.floor[usize::from(next[there])];
                next[there] = with;
            }
            if self.fits(of, spent + of.rest[i + 1], more) {
                self.path[here].1[cell] = other;
                self.cell(of, i + 1, next, spent, more, go)?;
            }
            for (there, bit) in side.places(cell, other) {
                next[there] &= !bit;
            }
        }
        self.path[here].1[cell] = 0;
        Ok(())
    }
}
