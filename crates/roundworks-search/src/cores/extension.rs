//! A pair of words continued through the S-boxes and the linear layer on the other side of them.

use super::side::{Side, active, added, cells, value, with};
use super::{Search, State, Stop};

/// What is continued, one cell after the other.
struct Extension<'a, const K: usize> {
    forwards: bool,
    side: &'a Side<K>,
    pair: (&'a State<K>, &'a State<K>),
    /// The active cells, and for each its values on the other side of the S-box with their weights.
    columns: Vec<(usize, &'a [(u8, u32)])>,
    /// For each of them and those after it: the cells of the far end that they can change, how many one choice of them
    /// changes at most, and the minimum that they weigh.
    open: Vec<u128>,
    spread: Vec<u32>,
    rest: Vec<u32>,
    /// The minimum of an active S-box, those of a far end by value, and how many can be active there.
    minimum: u32,
    lightest: &'a [u32],
    most: u32,
}

/// What is known so far: of the near side of the S-boxes, of the far end, and what it weighs.
#[derive(Clone, Copy)]
struct Part<const K: usize> {
    near: State<K>,
    far: State<K>,
    spent: u32,
}

impl<E, const K: usize> Search<'_, E, K> {
    /// The pair `b -> a` continued from `a` on, or from `b` back, to at most that many active S-boxes.
    pub(super) fn extend(
        &mut self,
        forwards: bool,
        (b, a): (&State<K>, &State<K>),
        most: u32,
    ) -> Result<(), Stop<E>> {
        let (of, sbox) = (self.of, &self.of.sbox);
        let (side, from, end, options) = match forwards {
            true => (&of.forwards, a, b, &sbox.behind),
            false => (&of.backwards, b, a, &sbox.before),
        };
        let (of_end, of_middle, lightest) = match forwards {
            true => (
                &sbox.lightest_behind,
                &sbox.lightest_before,
                &sbox.lightest_before,
            ),
            false => (
                &sbox.lightest_before,
                &sbox.lightest_behind,
                &sbox.lightest_behind,
            ),
        };
        let columns: Vec<(usize, &[(u8, u32)])> = cells(active(from))
            .map(|c| (c, options[value(from, c)].as_slice()))
            .collect();
        let mut open = vec![0; columns.len() + 1];
        let mut spread = vec![0; columns.len() + 1];
        let mut rest = vec![0; columns.len() + 1];
        for (j, &(c, there)) in columns.iter().enumerate().rev() {
            let supports = there
                .iter()
                .map(|&(v, _)| side.supports[c << K | usize::from(v)]);
            open[j] = supports.clone().fold(open[j + 1], |sum, s| sum | s);
            spread[j] = spread[j + 1] + supports.map(|s| s.count_ones()).max().unwrap_or(0);
            rest[j] = rest[j + 1] + of_middle[value(from, c)];
        }
        let part = Part {
            near: [0; K],
            far: [0; K],
            spent: cells(active(end)).map(|c| of_end[value(end, c)]).sum(),
        };
        let extension = Extension {
            forwards,
            side,
            pair: (b, a),
            columns,
            open,
            spread,
            rest,
            minimum: sbox.minimum,
            lightest,
            most,
        };
        self.column(&extension, 0, &part)
    }

    fn column(&mut self, of: &Extension<'_, K>, j: usize, part: &Part<K>) -> Result<(), Stop<E>> {
        self.tick()?;
        let far = active(&part.far);
        let sure = (far & !of.open[j])
            .count_ones()
            .max(far.count_ones().saturating_sub(of.spread[j]))
            .max(1);
        if sure > of.most || part.spent + of.rest[j] + of.minimum * sure > self.most {
            return Ok(());
        }
        let Some(&(c, there)) = of.columns.get(j) else {
            let weight: u32 = cells(far).map(|c| of.lightest[value(&part.far, c)]).sum();
            let (b, a) = of.pair;
            let words = match of.forwards {
                true => [*b, *a, part.near, part.far],
                false => [part.far, part.near, *b, *a],
            };
            return self.found(part.spent + weight, words);
        };
        for &(v, weight) in there {
            let next = Part {
                near: with(&part.near, c, v.into()),
                far: added(&part.far, &of.side.images[c << K | usize::from(v)]),
                spent: part.spent + weight,
            };
            self.column(of, j + 1, &next)?;
        }
        Ok(())
    }
}
