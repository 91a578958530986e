//! Dynamic programming over a frontier, for many choices of costs at once.
//!
//! A table has the minimum cost for every assignment of the live bits, and a step replaces some of these bits by
//! others. Which pairs of assignments a step allows, and at what cost, depends on options; what those cost is
//! given anew for each of [`LANES`] queries, which go through the tables together.

use crate::Error;

/// Queries that are answered at once, one in each byte of an entry.
pub const LANES: usize = 32;

/// What cannot be, or costs as much as a byte can say.
pub const NEVER: u8 = u8::MAX;

/// One cost for each query.
pub type Costs = [u8; LANES];

/// From the assignment `from` of a step's bits before it to `to`, its bits after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// An index into the table before the step, of the bits that it replaces; the others 0.
    pub from: u32,
    /// The same after it.
    pub to: u32,
    /// Which option has to be taken, and costs what the query says.
    pub option: u32,
    /// What it costs in any case.
    pub cost: u8,
}

/// A step of [`Frontier`]: the bits that it leaves alone may move, and rows say what becomes of the others.
#[derive(Clone, Debug)]
pub struct Step {
    /// For each bit that stays, its place before and after.
    pub kept: Vec<(u32, u32)>,
    /// By `to`.
    pub rows: Vec<Row>,
    /// Bits of the table after it.
    pub bits: u32,
}

/// Steps from a table of no bits to one of no bits.
#[derive(Clone, Debug)]
pub struct Frontier {
    steps: Vec<Step>,
    /// The bases of both tables for every assignment of the bits that stay.
    bases: Vec<Vec<(u32, u32)>>,
    options: usize,
}

impl Frontier {
    /// # Errors
    ///
    /// Where a step reads or writes beyond a table, or the last table has bits.
    pub fn new(mut steps: Vec<Step>) -> Result<Self, Error> {
        let mut before = 0;
        let mut options = 0;
        let mut bases = Vec::new();
        for (index, step) in steps.iter_mut().enumerate() {
            if step.bits > 24 {
                return Err(wrong(index, "more than 24 bits"));
            }
            step.rows.sort_by_key(|row| (row.to, row.from));
            let mut base = vec![(0u32, 0u32)];
            for &(from, to) in &step.kept {
                if from >= before || to >= step.bits {
                    return Err(wrong(index, "a bit beyond its table"));
                }
                base.extend_from_within(..);
                let half = base.len() / 2;
                for (a, b) in &mut base[half..] {
                    (*a, *b) = (*a | 1 << from, *b | 1 << to);
                }
            }
            let most = base.last().copied().unwrap_or_default();
            for row in &step.rows {
                let (from, to) = (row.from | most.0, row.to | most.1);
                if row.from & most.0 != 0 || row.to & most.1 != 0 {
                    return Err(wrong(index, "a row replaces a bit that stays"));
                }
                if from >> before != 0 || to >> step.bits != 0 {
                    return Err(wrong(index, "a row beyond its table"));
                }
                options = options.max(row.option as usize + 1);
            }
            bases.push(base);
            before = step.bits;
        }
        if before != 0 {
            return Err(wrong(steps.len(), "bits are left over"));
        }
        Ok(Self {
            steps,
            bases,
            options,
        })
    }

    /// How many options rows may want.
    pub fn options(&self) -> usize {
        self.options
    }

    /// The minimum cost of each query. Once every query costs at least what `enough` says, so far, that is returned.
    pub fn minima(&self, options: &[Costs], enough: &Costs) -> Costs {
        let mut table = vec![[0; LANES]];
        let mut after = Vec::new();
        let mut rows = Vec::new();
        for (step, bases) in self.steps.iter().zip(&self.bases) {
            rows.clear();
            for row in &step.rows {
                let costs = options[row.option as usize].map(|cost| cost.saturating_add(row.cost));
                match rows.last_mut() {
                    Some((from, to, best)) if (*from, *to) == (row.from, row.to) => {
                        lower(best, &costs, &[0; LANES]);
                    }
                    _ if costs == [NEVER; LANES] => {}
                    _ => rows.push((row.from, row.to, costs)),
                }
            }
            after.clear();
            after.resize(1 << step.bits, [NEVER; LANES]);
            // So few that all entries of them stay in the cache while the rows go by.
            for some in bases.chunks(16) {
                for (from, to, costs) in &rows {
                    pass(&mut after, &table, some, (*from, *to), costs);
                }
            }
            std::mem::swap(&mut table, &mut after);
            // Rows add to costs, and never take from them.
            if enough.iter().any(|&cost| cost != NEVER) {
                let least = least(&table);
                if least.iter().zip(enough).all(|(a, b)| a >= b) {
                    return least;
                }
            }
        }
        least(&table)
    }
}

fn wrong(step: usize, problem: &'static str) -> Error {
    Error::Step { step, problem }
}

/// One row, for some assignments of the bits that stay.
#[inline(never)]
fn pass(
    after: &mut [Costs],
    table: &[Costs],
    bases: &[(u32, u32)],
    row: (u32, u32),
    costs: &Costs,
) {
    let costs = *costs;
    for &(from, to) in bases {
        lower(
            &mut after[(to | row.1) as usize],
            &table[(from | row.0) as usize],
            &costs,
        );
    }
}

#[inline(always)]
fn lower(best: &mut Costs, entry: &Costs, costs: &Costs) {
    for ((best, entry), cost) in best.iter_mut().zip(entry).zip(costs) {
        *best = (*best).min(entry.saturating_add(*cost));
    }
}

fn least(table: &[Costs]) -> Costs {
    let mut best = [NEVER; LANES];
    for entry in table {
        lower(&mut best, entry, &[0; LANES]);
    }
    best
}
