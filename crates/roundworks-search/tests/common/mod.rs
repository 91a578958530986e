//! What several tests share: AETHER's round, and repeatable random structures.

#![allow(dead_code, reason = "each test binary uses its own part")]

use std::ops::ControlFlow;

use roundworks_search::{Progress, Structure};

/// AETHER's round. [AETHER, section 3.2]
pub fn aether() -> Structure {
    Structure::new(9, vec![0, 3, 5], vec![3, 6, 4, 8, 2, 0]).unwrap()
}

/// An observer that only lets the search go on.
pub fn go_on(_: &Progress) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// Marsaglia's xorshift: enough to pick samples, and the same ones every time.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end as u64) as usize
    }

    pub fn structure(&mut self, words: usize, inputs: usize) -> Structure {
        let mut shuffled = || {
            let mut list: Vec<usize> = (0..words).collect();
            for at in (1..words).rev() {
                list.swap(at, self.below(at + 1));
            }
            list
        };
        let (mut positions, mut pi) = (shuffled(), shuffled());
        positions.truncate(inputs);
        positions.sort_unstable();
        pi.truncate(words - inputs);
        Structure::new(words, positions, pi).unwrap()
    }
}
