//! The lightest trail through three layers of alike S-boxes, of all that have few of them active.
//!
//! Words `a` are differences before a layer of S-boxes and words `b` behind it, so that a trail is
//! `b0 -> a1 => b1 -> a2`, where -> is linear; what is before `b0` and behind `a2` costs the minimum. Let n0, n1 and n2
//! S-boxes be active. Where n0 is at most n2, the pair `b0 -> a1` is light: 2 n0 + n1 is at most n0 + n1 + n2; elsewhere the
//! pair `b1 -> a2` is, for n1 + 2 n2 is less than that sum. All such pairs are gone through, from `b` where few S-boxes are
//! active in it and from `a` where few are in that, and each is continued in the other direction [XOODOO-TRAILS]. Where
//! permutations of the S-boxes commute with the linear layer, one pair is enough of those that they make of each other.

mod extension;
mod side;
mod walk;

use crate::Error;
use crate::error::in_range;
use crate::transitions::Transitions;
use side::Side;
use walk::Walk;

pub use crate::transitions::NEVER;

/// S-boxes that a layer can have.
pub const MOST_CELLS: usize = 128;

/// For each bit of an S-box the cells that have it: bit c is that of cell c.
pub type State<const K: usize> = [u128; K];

/// A trail: words behind the first layer of S-boxes, before and behind the second one, before the third one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lightest<const K: usize> {
    /// Its weight, in units of the S-box's.
    pub weight: u32,
    /// The words.
    pub words: [State<K>; 4],
}

/// Layers of S-boxes of K bits, and the linear layer between any two of them.
#[derive(Clone, Debug)]
pub struct Cores<const K: usize> {
    forwards: Side<K>,
    backwards: Side<K>,
    sbox: Transitions,
}

impl<const K: usize> Cores<K> {
    /// ``images``: of bit k of cell c at place K c + k, under the linear layer. ``weights``: of each difference before an
    /// S-box, for each one behind it, or [`NEVER`]. ``orbits``: a number for each cell, the same for those that
    /// permutations of the cells make of each other which commute with the linear layer.
    ///
    /// # Errors
    ///
    /// Where the linear layer has no inverse, or the weights are not of an S-box of K bits.
    pub fn new(images: &[State<K>], weights: &[Vec<u8>], orbits: &[usize]) -> Result<Self, Error> {
        in_range("bits of an S-box", K, 1, 8)?;
        let cells = in_range("cells", orbits.len(), 1, MOST_CELLS)?;
        let images_wanted = K * cells;
        in_range("images", images.len(), images_wanted, images_wanted)?;
        let inverse = side::inverted(images)
            .ok_or_else(|| Error::Structure("want a linear layer that has an inverse".into()))?;
        Ok(Self {
            forwards: Side::new(images, orbits),
            backwards: Side::new(&inverse, orbits),
            sbox: Transitions::new(K, weights)?,
        })
    }

    /// The lightest of all trails that weigh at most ``most`` and have at most ``active`` S-boxes active, after every one
    /// was looked at or excluded; None if there is none. One that weighs at most ``enough`` ends the search.
    ///
    /// # Errors
    ///
    /// The one by which ``go`` stops it, which is called from time to time.
    pub fn lightest<E>(
        &self,
        active: u32,
        most: u32,
        enough: u32,
        go: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<Option<Lightest<K>>, E> {
        let mut search = Search {
            of: self,
            active,
            most,
            enough,
            best: None,
            go,
            ticks: 0,
        };
        match search.all() {
            Ok(()) | Err(Stop::Enough) => Ok(search.best),
            Err(Stop::By(error)) => Err(error),
        }
    }
}

/// Why a search ends before it has looked at everything.
enum Stop<E> {
    Enough,
    By(E),
}

struct Search<'a, E, const K: usize> {
    of: &'a Cores<K>,
    active: u32,
    most: u32,
    enough: u32,
    best: Option<Lightest<K>>,
    go: &'a mut dyn FnMut() -> Result<(), E>,
    ticks: u32,
}

impl<E, const K: usize> Search<'_, E, K> {
    /// All light pairs, with one active S-box more each time on the side where that is expected to take less time.
    fn all(&mut self) -> Result<(), Stop<E>> {
        let of = self.of;
        // All pairs with at most that many active S-boxes in `b`, or in `a`, were gone through.
        let (mut in_b, mut in_a) = (Level::default(), Level::default());
        while self.most_in_a(in_b.done + 1) > in_a.done {
            if in_b.expected() <= in_a.expected() {
                let size = in_b.done + 1;
                let most = self.most_in_a(size);
                let steps = Walk::new(&of.forwards, true, self).all(size, most, in_a.done)?;
                in_b.next(steps);
            } else {
                let size = in_a.done + 1;
                let most = self.most_in_b(size);
                let steps = Walk::new(&of.backwards, false, self).all(size, most, in_b.done)?;
                in_a.next(steps);
            }
        }
        Ok(())
    }

    /// The most active S-boxes in `a` of a light pair that has ``here`` in `b`.
    fn most_in_a(&self, here: u32) -> u32 {
        let continued_forwards = self.active.saturating_sub(2 * here);
        let continued_back = self.active.saturating_sub(1).saturating_sub(here) / 2;
        continued_forwards.max(continued_back)
    }

    /// The same in `b`, of one that has ``here`` in `a`.
    fn most_in_b(&self, here: u32) -> u32 {
        let continued_forwards = self.active.saturating_sub(here) / 2;
        let continued_back = self.active.saturating_sub(1).saturating_sub(2 * here);
        continued_forwards.max(continued_back)
    }

    /// A pair `b -> a`, continued to where more S-boxes are active, or the same number.
    fn pair(&mut self, b: &State<K>, a: &State<K>) -> Result<(), Stop<E>> {
        let (before, behind) = (side::active(b), side::active(a));
        let (nb, na) = (before.count_ones(), behind.count_ones());
        if 2 * nb + na <= self.active {
            self.extend(true, (b, a), self.active - nb - na)?;
        }
        if nb + 2 * na < self.active {
            self.extend(false, (b, a), self.active - nb - na)?;
        }
        Ok(())
    }

    fn found(&mut self, weight: u32, words: [State<K>; 4]) -> Result<(), Stop<E>> {
        if weight <= self.most {
            self.best = Some(Lightest { weight, words });
            self.most = weight - 1;
            if weight <= self.enough {
                return Err(Stop::Enough);
            }
        }
        Ok(())
    }

    /// Whether it is to go on, of which the caller hears not too often.
    fn tick(&mut self) -> Result<(), Stop<E>> {
        self.ticks = self.ticks.wrapping_add(1);
        if self.ticks.is_multiple_of(1 << 10) {
            (self.go)().map_err(Stop::By)?;
        }
        Ok(())
    }
}

/// How far one side is: up to how many active S-boxes, and the steps that the last two numbers took.
#[derive(Default)]
struct Level {
    done: u32,
    before: u64,
    last: u64,
}

impl Level {
    /// The steps that one more is expected to take, by growth as before.
    fn expected(&self) -> u64 {
        let growth = self.last.checked_div(self.before).unwrap_or(1).max(1);
        self.last.saturating_mul(growth)
    }

    fn next(&mut self, steps: u64) {
        (self.done, self.before, self.last) = (self.done + 1, self.last, steps);
    }
}
