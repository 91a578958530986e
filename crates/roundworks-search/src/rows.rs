//! The lightest trail through three layers of S-boxes, with a linear layer between them that takes each row of bits
//! to itself, rotated alike wherever it begins.
//!
//! The state has a word for each row; bit c of all words is column c, the input of one S-box. Words `a` are
//! differences before a layer of S-boxes and words `b` behind it, so that a trail is `b0 -> a1 => b1 -> a2`, where ->
//! is linear; what is before `b0` and behind `a2` costs the minimum. Of the active columns of a light trail, either
//! few are in `b0` and `a1` together, or few in `a2`. Both have few words in each row, because one that is light before
//! the linear layer and behind it is rare; these are joined row by row, up to rotation [XOODOO-TRAILS]. From the first
//! the trail is continued forwards, from the second backwards.

mod join;

use crate::Error;
use crate::error::in_range;
use crate::transitions::Transitions;
use join::{Join, Pair};

pub use crate::transitions::NEVER;

/// Rows that a layer can have, which is bits of an S-box.
pub const MOST_ROWS: usize = 8;

/// A word for each row; those of rows that are not there are 0.
pub type Words = [u64; MOST_ROWS];

/// A trail of minimum weight: words before and behind both linear layers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lightest {
    /// Its weight, in units of the S-box's.
    pub weight: u32,
    /// Behind the first layer of S-boxes, before and behind the second one, before the third one.
    pub words: [Words; 4],
}

/// S-boxes in columns, and linear layers of rows that commute with rotation.
#[derive(Clone, Debug)]
pub struct Rows {
    rows: usize,
    columns: u32,
    /// For each row the image of each bit, and of the inverse.
    linear: Vec<Vec<u64>>,
    inverse: Vec<Vec<u64>>,
    sbox: Transitions,
}

impl Rows {
    /// ``images``: of bit 0 of each row under the linear layer. ``weights``: of each difference before an S-box, for
    /// each one behind it, or [`NEVER`].
    ///
    /// # Errors
    ///
    /// Where a row has no inverse, or the weights are not of an S-box of as many bits as there are rows.
    pub fn new(columns: usize, images: &[u64], weights: &[Vec<u8>]) -> Result<Self, Error> {
        let rows = in_range("rows", images.len(), 1, MOST_ROWS)?;
        let columns = in_range("columns", columns, 1, 64)? as u32;
        let linear: Vec<Vec<u64>> = images
            .iter()
            .map(|&image| (0..columns).map(|c| rotated(image, columns, c)).collect())
            .collect();
        let inverse = linear
            .iter()
            .map(|map| inverted(map).ok_or_else(|| wrong("want rows that have an inverse")))
            .collect::<Result<_, _>>()?;
        let sbox = Transitions::new(rows, weights)?;
        Ok(Self {
            rows,
            columns,
            linear,
            inverse,
            sbox,
        })
    }

    /// The lightest trail of at most that weight, after every one was looked at or excluded; None if there is none.
    ///
    /// # Errors
    ///
    /// The one by which ``go`` stops it, which is called from time to time.
    pub fn lightest<E>(
        &self,
        most: u32,
        go: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<Option<Lightest>, E> {
        let active = most / self.sbox.minimum;
        if active < 3 {
            return Ok(None);
        }
        // Two thirds of all are in the first two layers, or less than a third in the last one.
        let first = 2 * active / 3;
        let best = self.lightest_of_few(first, most, go)?;
        let last = active - first - 1;
        let few = |b: u32, a: u32| a <= last && a + b < active;
        let join = Join::new(self, (0, last), &few, |pair| pair.a.count_ones(), last);
        let mut search = Search::new(self, most, best);
        join.each(&few, &mut |b, a| {
            go()?;
            search.backwards(b, a);
            Ok(())
        })?;
        Ok(search.best)
    }

    /// The same of those trails that have at most ``few`` active columns in `b0` and `a1` together.
    ///
    /// # Errors
    ///
    /// As of [`Rows::lightest`].
    pub fn lightest_of_few<E>(
        &self,
        few: u32,
        most: u32,
        go: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<Option<Lightest>, E> {
        let both = |b: u32, a: u32| b + a <= few;
        let light = (few / 2, few.saturating_sub(1) / 2);
        let size = |pair: &Pair| pair.b.count_ones() + pair.a.count_ones();
        let join = Join::new(self, light, &both, size, few);
        let mut search = Search::new(self, most, None);
        join.each(&both, &mut |b, a| {
            go()?;
            search.forwards(b, a);
            Ok(())
        })?;
        Ok(search.best)
    }

    fn column(&self, words: &Words, c: u32) -> usize {
        (0..self.rows)
            .map(|r| ((words[r] >> c & 1) as usize) << r)
            .sum()
    }

    fn sum(&self, words: &Words, lightest: &[u32]) -> u32 {
        bits(union(words))
            .map(|c| lightest[self.column(words, c)])
            .sum()
    }
}

struct Search<'a> {
    of: &'a Rows,
    most: u32,
    best: Option<Lightest>,
}

/// A trail that is continued column by column: what is known of it so far.
#[derive(Clone, Copy)]
struct Part {
    spent: u32,
    b1: Words,
    a2: Words,
}

/// In which order, and for each column and those after it, which bits of `a2` they can still change and the minimum
/// that they weigh.
struct Order {
    columns: Vec<u32>,
    open: Vec<Words>,
    rest: Vec<u32>,
}

impl<'a> Search<'a> {
    /// For what weighs at most that much, and less than the best so far.
    fn new(of: &'a Rows, most: u32, best: Option<Lightest>) -> Self {
        let most = best.map_or(most, |found| found.weight - 1);
        Self { of, most, best }
    }

    fn found(&mut self, weight: u32, words: [Words; 4]) {
        if weight <= self.most {
            self.best = Some(Lightest { weight, words });
            self.most = weight - 1;
        }
    }

    /// Every `b1` that follows from `a1`, as long as the columns of `a2` that nothing can change any more are few.
    fn forwards(&mut self, b0: &Words, a1: &Words) {
        let of = self.of;
        let spent = of.sum(b0, &of.sbox.lightest_behind);
        if spent + of.sum(a1, &of.sbox.lightest_before) + of.sbox.minimum > self.most {
            return;
        }
        let columns: Vec<u32> = bits(union(a1)).collect();
        let mut open = vec![[0; MOST_ROWS]; columns.len() + 1];
        let mut rest = vec![0; columns.len() + 1];
        for (j, &c) in columns.iter().enumerate().rev() {
            open[j] = open[j + 1];
            rest[j] = rest[j + 1] + of.sbox.lightest_before[of.column(a1, c)];
            for (word, map) in open[j].iter_mut().zip(&of.linear) {
                *word |= map[c as usize];
            }
        }
        let order = Order {
            columns,
            open,
            rest,
        };
        let part = Part {
            spent,
            b1: [0; MOST_ROWS],
            a2: [0; MOST_ROWS],
        };
        self.column(b0, a1, &order, 0, part);
    }

    fn column(&mut self, b0: &Words, a1: &Words, order: &Order, j: usize, part: Part) {
        let of = self.of;
        let sure = part
            .a2
            .iter()
            .zip(&order.open[j])
            .fold(0, |sum, (a, open)| sum | a & !open);
        if part.spent + order.rest[j] + sure.count_ones() * of.sbox.minimum > self.most {
            return;
        }
        let Some(&c) = order.columns.get(j) else {
            let weight = part.spent + of.sum(&part.a2, &of.sbox.lightest_before);
            return self.found(weight, [*b0, *a1, part.b1, part.a2]);
        };
        for &(out, weight) in &of.sbox.behind[of.column(a1, c)] {
            let mut next = Part {
                spent: part.spent + weight,
                ..part
            };
            for r in (0..of.rows).filter(|r| out >> r & 1 == 1) {
                next.b1[r] |= 1 << c;
                next.a2[r] ^= of.linear[r][c as usize];
            }
            self.column(b0, a1, order, j + 1, next);
        }
    }

    /// Every `a1` of the same columns from which `b1` follows and that comes from a light `b0`.
    fn backwards(&mut self, b1: &Words, a2: &Words) {
        let of = self.of;
        let columns = union(b1);
        let known = of.sum(b1, &of.sbox.lightest_behind) + of.sum(a2, &of.sbox.lightest_before);
        if known + of.sbox.minimum > self.most {
            return;
        }
        // Columns that can be active in `b0`.
        let few = (self.most - known) / of.sbox.minimum;
        let chosen: Vec<u32> = bits(columns).collect();
        let mut words: Vec<Vec<Pair>> = Vec::new();
        for map in &of.inverse {
            // Gray's code: each word differs from the one before it in one bit.
            let mut pair = Pair { b: 0, a: 0 };
            let mut light = vec![pair];
            for i in 1_u64..1 << chosen.len() {
                let c = chosen[i.trailing_zeros() as usize];
                pair.a ^= 1 << c;
                pair.b ^= map[c as usize];
                if pair.b.count_ones() <= few {
                    light.push(pair);
                }
            }
            words.push(light);
        }
        self.row(&words, few, ([0; MOST_ROWS], [0; MOST_ROWS]), 0, (b1, a2));
    }

    fn row(
        &mut self,
        words: &[Vec<Pair>],
        few: u32,
        (b0, a1): (Words, Words),
        r: usize,
        after: (&Words, &Words),
    ) {
        let Some(here) = words.get(r) else {
            return self.joined(b0, a1, after);
        };
        let before = union(&b0);
        for pair in here {
            if (before | pair.b).count_ones() <= few {
                let (mut b, mut a) = (b0, a1);
                (b[r], a[r]) = (pair.b, pair.a);
                self.row(words, few, (b, a), r + 1, after);
            }
        }
    }

    fn joined(&mut self, b0: Words, a1: Words, (b1, a2): (&Words, &Words)) {
        let of = self.of;
        if union(&a1) != union(b1) {
            return;
        }
        let middle = bits(union(&a1))
            .map(|c| of.sbox.weight(of.column(&a1, c), of.column(b1, c)))
            .sum::<Option<u32>>();
        if let Some(middle) = middle {
            let ends = of.sum(&b0, &of.sbox.lightest_behind) + of.sum(a2, &of.sbox.lightest_before);
            self.found(middle + ends, [b0, a1, *b1, *a2]);
        }
    }
}

fn union(words: &Words) -> u64 {
    words.iter().fold(0, |sum, word| sum | word)
}

/// The places of the ones, from the lowest on.
fn bits(mut word: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let place = (word != 0).then(|| word.trailing_zeros());
        word &= word.wrapping_sub(1);
        place
    })
}

/// The lowest ``columns`` bits, rotated to the left.
fn rotated(word: u64, columns: u32, by: u32) -> u64 {
    if by == 0 {
        return word;
    }
    (word << by | word >> (columns - by)) & (u64::MAX >> (64 - columns))
}

/// By Gauss and Jordan; None where it is singular.
fn inverted(map: &[u64]) -> Option<Vec<u64>> {
    let mut lines: Vec<(u64, u64)> = map
        .iter()
        .enumerate()
        .map(|(c, &image)| (image, 1 << c))
        .collect();
    for bit in 0..lines.len() {
        let pivot = (bit..lines.len()).find(|&i| lines[i].0 >> bit & 1 == 1)?;
        lines.swap(bit, pivot);
        let (image, from) = lines[bit];
        for (i, line) in lines.iter_mut().enumerate() {
            if i != bit && line.0 >> bit & 1 == 1 {
                *line = (line.0 ^ image, line.1 ^ from);
            }
        }
    }
    Some(lines.into_iter().map(|(_, from)| from).collect())
}

fn wrong(problem: &str) -> Error {
    Error::Structure(problem.to_owned())
}
