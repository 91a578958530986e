//! Words before and behind the linear layer, joined row by row, up to rotation.

use super::{MOST_ROWS, Rows, Words, bits, rotated};

/// More bits than this that a word may lack: then all words are gone through.
const MOST_MISSED: u32 = 5;

/// A word of a row before the linear layer, and its image.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Pair {
    pub(super) b: u64,
    pub(super) a: u64,
}

/// The pairs of one row and size; by each bit of `a`, too.
#[derive(Clone, Default)]
struct List {
    all: Vec<Pair>,
    with: Vec<Vec<Pair>>,
}

/// The light pairs of each row: one of each that are rotations of each other, and all by their size.
pub(super) struct Join {
    rows: usize,
    most: usize,
    first: Vec<Vec<(Pair, usize)>>,
    lists: Vec<Vec<List>>,
}

/// A choice of pairs for the first rows.
struct Chosen {
    b: Words,
    a: Words,
    union: Pair,
    first: usize,
    size: usize,
}

impl Join {
    /// Of the pairs that `keep` by their weights, those of which `b` weighs at most `light.0`, or `a` at most
    /// `light.1`. ``size``, at most ``most``, is so that a pair of that size lacks at most ``most`` - size bits of the
    /// union of all `a` that `keep` allows with it.
    pub(super) fn new(
        of: &Rows,
        light: (u32, u32),
        keep: &dyn Fn(u32, u32) -> bool,
        size: fn(&Pair) -> u32,
        most: u32,
    ) -> Self {
        let kept = |pair: &Pair| keep(pair.b.count_ones(), pair.a.count_ones());
        let mut first = Vec::new();
        let mut lists = Vec::new();
        for (map, inverse) in of.linear.iter().zip(&of.inverse) {
            let mut pairs = Vec::new();
            each_word(map, light.0, &mut |b, a| {
                pairs.extend(Some(Pair { b, a }).filter(kept))
            });
            each_word(inverse, light.1, &mut |a, b| {
                pairs.extend(Some(Pair { b, a }).filter(kept))
            });
            let rotations = |pair: Pair| {
                let turn = move |word, by| rotated(word, of.columns, by);
                (0..of.columns).map(move |by| Pair {
                    b: turn(pair.b, by),
                    a: turn(pair.a, by),
                })
            };
            for pair in &mut pairs {
                *pair = rotations(*pair).min().unwrap_or(*pair);
            }
            pairs.sort_unstable();
            pairs.dedup();
            let empty = List {
                all: Vec::new(),
                with: vec![Vec::new(); of.columns as usize],
            };
            let mut by_size = vec![empty; most as usize + 1];
            for pair in &pairs {
                let list = &mut by_size[size(pair) as usize];
                let mut all: Vec<Pair> = rotations(*pair).collect();
                all.sort_unstable();
                all.dedup();
                for rotation in &all {
                    for c in bits(rotation.a) {
                        list.with[c as usize].push(*rotation);
                    }
                }
                list.all.append(&mut all);
            }
            lists.push(by_size);
            first.push(
                pairs
                    .into_iter()
                    .map(|pair| (pair, size(&pair) as usize))
                    .collect(),
            );
        }
        Self {
            rows: of.rows,
            most: most as usize,
            first,
            lists,
        }
    }

    /// Every choice of a pair, or of nothing, for each row whose unions `keep` by their weights; one of each that are
    /// rotations of each other, or a few.
    pub(super) fn each<E, K: Fn(u32, u32) -> bool>(
        &self,
        keep: &K,
        found: &mut dyn FnMut(&Words, &Words) -> Result<(), E>,
    ) -> Result<(), E> {
        for first in 0..self.rows {
            for &(pair, size) in &self.first[first] {
                let (mut b, mut a) = ([0; MOST_ROWS], [0; MOST_ROWS]);
                (b[first], a[first]) = (pair.b, pair.a);
                self.extend(
                    0,
                    &Chosen {
                        b,
                        a,
                        union: pair,
                        first,
                        size,
                    },
                    keep,
                    found,
                )?;
            }
        }
        Ok(())
    }

    /// The first row, which may stand anywhere, has a pair of the minimum size, and is the first of those that have.
    fn extend<E, K: Fn(u32, u32) -> bool>(
        &self,
        row: usize,
        chosen: &Chosen,
        keep: &K,
        found: &mut dyn FnMut(&Words, &Words) -> Result<(), E>,
    ) -> Result<(), E> {
        if row == self.rows {
            return found(&chosen.b, &chosen.a);
        }
        self.extend_by(row, chosen, None, keep, found)?;
        if row == chosen.first {
            return Ok(());
        }
        let from = chosen.size + usize::from(row < chosen.first);
        for (size, list) in self.lists[row].iter().enumerate().skip(from) {
            let (missed, union) = ((self.most - size) as u32, chosen.union.a);
            if union.count_ones() <= missed || missed > MOST_MISSED {
                for pair in &list.all {
                    self.extend_by(row, chosen, Some(pair), keep, found)?;
                }
                continue;
            }
            // Of one bit more than it may lack it has some; by the first of these that it has. The longest list is of
            // those that may lack none.
            let mut before = 0;
            for c in bits(union).take(missed as usize + 1) {
                for pair in &list.with[c as usize] {
                    if pair.a & before == 0 && (missed > 0 || union & !pair.a == 0) {
                        self.extend_by(row, chosen, Some(pair), keep, found)?;
                    }
                }
                before |= 1 << c;
            }
        }
        Ok(())
    }

    /// With this pair, or nothing, in the row.
    #[inline(always)]
    fn extend_by<E, K: Fn(u32, u32) -> bool>(
        &self,
        row: usize,
        chosen: &Chosen,
        pair: Option<&Pair>,
        keep: &K,
        found: &mut dyn FnMut(&Words, &Words) -> Result<(), E>,
    ) -> Result<(), E> {
        let Some(pair) = pair else {
            return self.extend(row + 1, chosen, keep, found);
        };
        let union = Pair {
            b: chosen.union.b | pair.b,
            a: chosen.union.a | pair.a,
        };
        if !keep(union.b.count_ones(), union.a.count_ones()) {
            return Ok(());
        }
        let mut next = Chosen { union, ..*chosen };
        (next.b[row], next.a[row]) = (pair.b, pair.a);
        self.extend(row + 1, &next, keep, found)
    }
}

/// Every word with bit 0 of at most ``most`` ones, and its image.
fn each_word(map: &[u64], most: u32, found: &mut dyn FnMut(u64, u64)) {
    fn next(map: &[u64], word: u64, image: u64, left: u32, found: &mut dyn FnMut(u64, u64)) {
        found(word, image);
        let from = 64 - word.leading_zeros() as usize;
        if left > 0 {
            for (c, more) in map.iter().enumerate().skip(from) {
                next(map, word | 1 << c, image ^ more, left - 1, found);
            }
        }
    }
    if most > 0 {
        next(map, 1, map[0], most - 1, found);
    }
}
