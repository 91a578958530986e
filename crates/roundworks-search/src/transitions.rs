//! What an S-box does to differences, and what that weighs.

use crate::Error;

/// What cannot be: the weight of a transition that the S-box does not have.
pub const NEVER: u8 = u8::MAX;

/// The transitions of an S-box of which only that of no difference is free.
#[derive(Clone, Debug)]
pub(crate) struct Transitions {
    /// For each difference before the S-box those behind it, and what that weighs.
    pub(crate) behind: Vec<Vec<(u8, u32)>>,
    /// For each difference behind it those before it.
    pub(crate) before: Vec<Vec<(u8, u32)>>,
    /// For each pair (before, behind) what it weighs.
    weights: Vec<Vec<Option<u32>>>,
    /// The minimum that a difference before (behind) it weighs.
    pub(crate) lightest_before: Vec<u32>,
    pub(crate) lightest_behind: Vec<u32>,
    /// The minimum of an S-box that is active.
    pub(crate) minimum: u32,
}

impl Transitions {
    /// ``weights``: of each difference before, for each one behind, or [`NEVER`]; of ``bits`` bits.
    pub(crate) fn new(bits: usize, weights: &[Vec<u8>]) -> Result<Self, Error> {
        let size = 1 << bits;
        if weights.len() != size || weights.iter().any(|row| row.len() != size) {
            return Err(wrong("want weights for every pair of differences"));
        }
        let weights: Vec<Vec<Option<u32>>> = weights
            .iter()
            .map(|row| {
                let all = row.iter().map(|&w| (w != NEVER).then_some(w.into()));
                all.collect()
            })
            .collect();
        let listed = |of: &dyn Fn(usize, usize) -> Option<u32>| -> Vec<Vec<(u8, u32)>> {
            let list = |i| (0..size).filter_map(move |j| of(i, j).map(|w| (j as u8, w)));
            (0..size).map(|i| list(i).collect()).collect()
        };
        let behind = listed(&|d, e| weights[d][e]);
        let before = listed(&|e, d| weights[d][e]);
        let lightest = |of: &[Vec<(u8, u32)>]| -> Option<Vec<u32>> {
            of.iter()
                .map(|row| row.iter().map(|&(_, w)| w).min())
                .collect()
        };
        let (Some(lightest_before), Some(lightest_behind)) = (lightest(&behind), lightest(&before))
        else {
            return Err(wrong(
                "want an S-box that has every difference on both sides",
            ));
        };
        let minimum = (1..size)
            .map(|d| lightest_before[d].min(lightest_behind[d]))
            .min()
            .unwrap_or(0);
        if minimum == 0 || weights[0][0] != Some(0) || behind[0].len() != 1 || before[0].len() != 1
        {
            return Err(wrong(
                "want weights of which only that of no difference is 0",
            ));
        }
        Ok(Self {
            behind,
            before,
            weights,
            lightest_before,
            lightest_behind,
            minimum,
        })
    }

    /// What the transition weighs, if there is one.
    #[inline]
    pub(crate) fn weight(&self, before: usize, behind: usize) -> Option<u32> {
        self.weights[before][behind]
    }
}

fn wrong(problem: &str) -> Error {
    Error::Structure(problem.to_owned())
}
