//! Nanoseconds for a block, one and 64 at a time, on every back end: `cargo bench`.

use std::time::Instant;

use {{ crate | replace("-", "_") }}::{BLOCK, Backend, permute_with};

fn main() {
    for &backend in Backend::ALL {
        for count in [1_usize, 64] {
            let mut blocks = vec![[0; BLOCK]; count];
            if permute_with(backend, &mut blocks).is_none() {
                continue;
            }
            let calls = 20_000 / count;
            let best = (0..20)
                .map(|_| {
                    let start = Instant::now();
                    for _ in 0..calls {
                        permute_with(backend, std::hint::black_box(&mut blocks));
                    }
                    start.elapsed().as_secs_f64() / (calls * count) as f64
                })
                .fold(f64::INFINITY, f64::min);
            println!("{backend:?} {count:3} blocks: {:8.1} ns a block", best * 1e9);
        }
    }
}
