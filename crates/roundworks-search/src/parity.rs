//! Which products of bits sum to 0 over a set of inputs, for every product at once.
//!
//! A state of n bits is computed in steps of `bit ^= product of others`, and next to it a table of 2^n parities: of every
//! product of bits, its sum over the inputs, or that this sum depends on unknown constants. It is the division property
//! with three subsets of [TODO-MORII], kept for every product and not only for the minimal ones.

use crate::Error;
use crate::error::in_range;

/// More places would take more than 2^40 bits.
pub const MOST_PLACES: u32 = 40;
/// Bits of an index that lie within a word.
const WITHIN: u32 = 6;
/// Of these places, the indices within a word that have the bit.
const WITH: [u64; WITHIN as usize] = [
    0xaaaa_aaaa_aaaa_aaaa,
    0xcccc_cccc_cccc_cccc,
    0xf0f0_f0f0_f0f0_f0f0,
    0xff00_ff00_ff00_ff00,
    0xffff_0000_ffff_0000,
    0xffff_ffff_0000_0000,
];

/// What happens to one place of the state. Places that are not used yet are 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// `target ^= product of factors`, times the unknown constant of that number, if there is one.
    Add {
        /// A place that is not among the factors.
        target: u32,
        /// A mask of places; none is the product 1.
        factors: u64,
        /// The number of a constant.
        unknown: Option<u32>,
    },
    /// Nothing uses the place any longer, and it is 0.
    Clear {
        /// The place.
        target: u32,
    },
}

/// A sum over all inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sum {
    /// 0 or 1 whatever the constants are.
    Known(bool),
    /// It may depend on them.
    Unknown,
}

/// Steps on a state of some places, of which those of `active` take all values and the others begin at 0.
#[derive(Clone, Debug)]
pub struct Steps {
    places: u32,
    active: u64,
    steps: Vec<Step>,
}

impl Steps {
    /// # Errors
    ///
    /// Where a place is beyond the state, or a target is its own factor.
    pub fn new(places: u32, active: u64, steps: Vec<Step>) -> Result<Self, Error> {
        in_range(
            "places",
            places as usize,
            WITHIN as usize,
            MOST_PLACES as usize,
        )?;
        for (number, step) in steps.iter().enumerate() {
            let (target, factors) = match *step {
                Step::Add {
                    target, factors, ..
                } => (target, factors),
                Step::Clear { target } => (target, 0),
            };
            if target >= places || factors >> places != 0 || factors >> target & 1 != 0 {
                let problem = "a place beyond the state, or a target that is its own factor";
                return Err(Error::Step {
                    step: number,
                    problem,
                });
            }
        }
        if active >> places != 0 {
            let want = format!("places below {places}");
            return Err(Error::Range {
                name: "active",
                want,
                got: active,
            });
        }
        Ok(Self {
            places,
            active,
            steps,
        })
    }

    /// The sums of products, each read after a number of steps, in that order; where `go` fails, those until then, and
    /// its error. It takes 2^places / 4 bytes, and a step goes through half of them.
    pub fn sums<E>(
        &self,
        reads: &[(usize, u64)],
        go: &mut impl FnMut() -> Result<(), E>,
    ) -> (Vec<Sum>, Result<(), E>) {
        let mut table = Table::new(self.places, self.active);
        let mut sums = Vec::with_capacity(reads.len());
        let mut done = 0;
        for &(after, product) in reads {
            while done < after.min(self.steps.len()) {
                if let Err(stop) = go() {
                    return (sums, Err(stop));
                }
                table.step(self.steps[done]);
                done += 1;
            }
            sums.push(table.sum(product));
        }
        (sums, Ok(()))
    }

    /// The same sums by computing the state for every input, where the constants have the values given.
    ///
    /// # Errors
    ///
    /// That of `go`.
    pub fn sums_of_values<E>(
        &self,
        constants: &[bool],
        reads: &[(usize, u64)],
        go: &mut impl FnMut() -> Result<(), E>,
    ) -> Result<Vec<bool>, E> {
        const LANES: usize = 8;
        let active: Vec<u32> = (0..self.places)
            .filter(|p| self.active >> p & 1 == 1)
            .collect();
        let within = active.len().min(WITHIN as usize);
        let (low, high) = active.split_at(within);
        let all = 1usize << high.len();
        let whole = u64::MAX >> (64 - (1 << within));
        let used = |i: usize| if i < all { whole } else { 0 };
        let mut sums = vec![0u64; reads.len()];
        let mut state = vec![[0u64; LANES]; self.places as usize];
        for start in (0..all).step_by(LANES) {
            if start % (LANES << 8) == 0 {
                go()?;
            }
            state.fill([0; LANES]);
            for (&place, with) in low.iter().zip(WITH) {
                state[place as usize] = [with; LANES];
            }
            for (bit, &place) in high.iter().enumerate() {
                for (lane, value) in state[place as usize].iter_mut().enumerate() {
                    *value = 0u64.wrapping_sub(((start + lane) >> bit & 1) as u64);
                }
            }
            let mut done = 0;
            for (&(after, product), sum) in reads.iter().zip(&mut sums) {
                while done < after.min(self.steps.len()) {
                    evaluate(&mut state, self.steps[done], constants);
                    done += 1;
                }
                let values = product_of(&state, product);
                for (lane, value) in values.iter().enumerate() {
                    *sum ^= value & used(start + lane);
                }
            }
        }
        Ok(sums.iter().map(|sum| sum.count_ones() % 2 == 1).collect())
    }
}

fn product_of<const L: usize>(state: &[[u64; L]], mut product: u64) -> [u64; L] {
    let mut value = [u64::MAX; L];
    while product != 0 {
        let place = &state[product.trailing_zeros() as usize];
        for (one, bits) in value.iter_mut().zip(place) {
            *one &= bits;
        }
        product &= product - 1;
    }
    value
}

fn evaluate<const L: usize>(state: &mut [[u64; L]], step: Step, constants: &[bool]) {
    match step {
        Step::Clear { target } => state[target as usize] = [0; L],
        Step::Add {
            target,
            factors,
            unknown,
        } => {
            if unknown.is_none_or(|number| constants[number as usize]) {
                let value = product_of(state, factors);
                for (bits, one) in state[target as usize].iter_mut().zip(value) {
                    *bits ^= one;
                }
            }
        }
    }
}

/// For every product of places whether its sum is odd, and whether it is unknown; then the first means nothing.
struct Table {
    odd: Vec<u64>,
    unknown: Vec<u64>,
}

impl Table {
    fn new(places: u32, active: u64) -> Self {
        let words = 1usize << (places - WITHIN);
        let mut odd = vec![0; words];
        odd[(active >> WITHIN) as usize] = 1 << (active & ((1 << WITHIN) - 1));
        Self {
            odd,
            unknown: vec![0; words],
        }
    }

    fn sum(&self, product: u64) -> Sum {
        let (word, bit) = ((product >> WITHIN) as usize, product & ((1 << WITHIN) - 1));
        if self.unknown[word] >> bit & 1 == 1 {
            Sum::Unknown
        } else {
            Sum::Known(self.odd[word] >> bit & 1 == 1)
        }
    }

    fn step(&mut self, step: Step) {
        match step {
            Step::Clear { target } => {
                for table in [&mut self.odd, &mut self.unknown] {
                    each_with(table.len(), target, |word| table[word] &= !with(target));
                }
            }
            Step::Add {
                target,
                factors,
                unknown,
            } => self.add(target, factors, unknown.is_some()),
        }
    }

    /// The product that has the target becomes the sum of itself and the one with the factors in its place.
    fn add(&mut self, target: u32, factors: u64, unknown: bool) {
        let above = (factors >> WITHIN) as usize;
        let clear = if target < WITHIN {
            usize::MAX
        } else {
            !(1 << (target - WITHIN))
        };
        let (odd, unknowns) = (&mut self.odd, &mut self.unknown);
        each_with(odd.len(), target, |word| {
            let from = word & clear | above;
            let (mut parity, mut open) = (odd[from], unknowns[from]);
            for value in [&mut parity, &mut open] {
                for place in (0..WITHIN).filter(|place| factors >> place & 1 == 1) {
                    let both = *value & WITH[place as usize];
                    *value = both | both >> (1 << place);
                }
                if target < WITHIN {
                    *value = (*value & !WITH[target as usize]) << (1 << target);
                }
            }
            if unknown {
                unknowns[word] |= parity | open;
            } else {
                odd[word] ^= parity;
                unknowns[word] |= open;
            }
        });
    }
}

/// Within a word, the indices that have the place; all of them where that is a matter of the word.
fn with(place: u32) -> u64 {
    WITH.get(place as usize).copied().unwrap_or(u64::MAX)
}

/// Calls `each` for the words that have indices with the place.
fn each_with(words: usize, place: u32, mut each: impl FnMut(usize)) {
    if place < WITHIN {
        (0..words).for_each(each);
        return;
    }
    let half = 1usize << (place - WITHIN);
    for start in (half..words).step_by(2 * half) {
        (start..start + half).for_each(&mut each);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Steps by a simple generator, on six to nine places.
    fn random(seed: u64) -> (Steps, usize, Vec<(usize, u64)>) {
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let mut next = |below: u64| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 20) % below
        };
        let places = 6 + next(4) as u32;
        let constants = 3;
        let steps = (0..30)
            .map(|_| {
                let target = next(places.into()) as u32;
                if next(8) == 0 {
                    return Step::Clear { target };
                }
                let factors = next(1 << places) & next(1 << places) & !(1 << target);
                let unknown = (next(6) == 0).then(|| next(constants) as u32);
                Step::Add {
                    target,
                    factors,
                    unknown,
                }
            })
            .collect();
        let active = next(1 << places) | next(1 << places);
        let reads = (0..20).map(|i| (10 * (i / 7), next(1 << places))).collect();
        (
            Steps::new(places, active, steps).unwrap(),
            constants as usize,
            reads,
        )
    }

    fn on() -> Result<(), ()> {
        Ok(())
    }

    /// The definition: the state for each input on its own.
    fn slow(steps: &Steps, constants: &[bool], (after, product): (usize, u64)) -> bool {
        let mut sum = false;
        for input in (0..1u64 << steps.places).filter(|x| x & !steps.active == 0) {
            let mut state = input;
            for step in &steps.steps[..after] {
                match *step {
                    Step::Clear { target } => state &= !(1 << target),
                    Step::Add {
                        target,
                        factors,
                        unknown,
                    } => {
                        let on = unknown.is_none_or(|number| constants[number as usize]);
                        state ^= u64::from(on && state & factors == factors) << target;
                    }
                }
            }
            sum ^= state & product == product;
        }
        sum
    }

    #[test]
    fn known_sums_are_those_of_all_inputs_for_all_constants() {
        let (mut known, mut odd) = (0, 0);
        for seed in 1..60 {
            let (steps, constants, reads) = random(seed);
            let sums = steps.sums(&reads, &mut on).0;
            for choice in 0..1u32 << constants {
                let values: Vec<bool> = (0..constants).map(|i| choice >> i & 1 == 1).collect();
                let fast = steps.sums_of_values(&values, &reads, &mut on).unwrap();
                for ((read, sum), value) in reads.iter().zip(&sums).zip(fast) {
                    assert_eq!(value, slow(&steps, &values, *read), "seed {seed}, {read:?}");
                    if let Sum::Known(one) = *sum {
                        assert_eq!(one, value, "seed {seed}, {read:?}");
                        known += 1;
                        odd += i32::from(one);
                    }
                }
            }
        }
        assert!(known > 2000 && odd > 100, "{known} known, {odd} odd");
    }

    #[test]
    fn without_constants_nothing_is_unknown() {
        for seed in 1..40 {
            let (mut steps, _, reads) = random(seed);
            for step in &mut steps.steps {
                if let Step::Add { unknown, .. } = step {
                    *unknown = None;
                }
            }
            let sums = steps.sums(&reads, &mut on).0;
            assert!(sums.iter().all(|sum| *sum != Sum::Unknown));
        }
    }

    #[test]
    fn places_beyond_the_state_are_refused() {
        let beyond = Step::Add {
            target: 6,
            factors: 1,
            unknown: None,
        };
        let own = Step::Add {
            target: 1,
            factors: 2,
            unknown: None,
        };
        assert!(Steps::new(6, 1, vec![beyond]).is_err() && Steps::new(6, 1, vec![own]).is_err());
        assert!(Steps::new(6, 64, vec![]).is_err() && Steps::new(5, 1, vec![]).is_err());
        assert!(Steps::new(7, 64, vec![beyond]).is_ok());
    }
}
