//! Our permutations: one block after the other, or many in a call.

use std::hint::black_box;
use std::time::{Duration, Instant};

use roundworks::{AnyPermutation, Backend, Error, Permutation, permutation};

use crate::subject::{Aligned, Window, calibrate, timed};

/// How blocks come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// One block, each time the result of the last, in registers: the latency.
    Chain,
    /// As `Chain`, with a call and memory each time.
    Call,
    /// That many blocks in one call.
    Many(usize),
}

/// A permutation on a back end, forward or inverse.
pub struct Permuting {
    permutation: AnyPermutation,
    inverse: bool,
    way: Way,
    blocks: Aligned,
    /// In a window; 0 before the first.
    calls: usize,
}

/// One number per window, each for one block.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Permuted {
    /// Nanoseconds.
    pub samples_ns: Vec<f64>,
    /// Cycles; empty on a CPU for which no chain of additions is written.
    pub samples_cycles: Vec<f64>,
    /// Time spent on it, calibration and all.
    pub spent: Duration,
}

impl Permuting {
    /// By name, as [`permutation`] takes it.
    ///
    /// # Errors
    ///
    /// As [`permutation`].
    pub fn new(name: &str, backend: Backend, inverse: bool, way: Way) -> Result<Self, Error> {
        let permutation = permutation(name, Some(backend))?;
        Ok(Self {
            blocks: Aligned::counting(permutation.block_bytes() * blocks(way)),
            permutation,
            inverse,
            way,
            calls: 0,
        })
    }

    /// Times `calls` calls, after one that is not timed.
    fn window(&mut self, calls: usize) -> Window {
        let (permutation, inverse) = (&self.permutation, self.inverse);
        let blocks = self.blocks.bytes();
        let call = |blocks: &mut [u8], times| {
            let blocks = black_box(blocks);
            let done = match (self.way, inverse) {
                (Way::Chain, false) => permutation.permute_times(blocks, times),
                (Way::Chain, true) => permutation.inverse_times(blocks, times),
                (Way::Call, false) => permutation.permute(blocks),
                (Way::Call, true) => permutation.inverse(blocks),
                (Way::Many(_), false) => permutation.permute_many(blocks),
                (Way::Many(_), true) => permutation.inverse_many(blocks),
            };
            done.expect("blocks of the right size");
        };
        call(blocks, 1);
        if self.way == Way::Chain {
            return timed(|| call(blocks, calls));
        }
        timed(|| {
            for _ in 0..calls {
                call(blocks, 1);
            }
        })
    }
}

fn blocks(way: Way) -> usize {
    if let Way::Many(blocks) = way {
        blocks
    } else {
        1
    }
}

/// Times all of them, a window each, then all again.
pub fn permuted(subjects: &mut [Permuting], windows: usize, window: Duration) -> Vec<Permuted> {
    let mut result = vec![Permuted::default(); subjects.len()];
    for round in 0..windows {
        for (it, result) in subjects.iter_mut().zip(&mut result) {
            let start = Instant::now();
            if it.calls == 0 {
                it.calls = calibrate(window, |calls| it.window(calls));
            }
            // Odd, so that all lines of the page have their turn.
            it.blocks.move_to(round * 27);
            let took = it.window(it.calls);
            let each = (it.calls * blocks(it.way)) as f64;
            result.samples_ns.push(took.time.as_nanos() as f64 / each);
            let cycles = took.cycles.map(|cycles| cycles / each);
            result.samples_cycles.extend(cycles);
            result.spent += start.elapsed();
        }
    }
    result
}
