//! How many times longer the slow twin of the structure search takes, on (9,3). [AETHER, section 3.2]
//!
//! `cargo run --release -p roundworks-search --example plain`; `roundworks search` runs the search alone,
//! on any size.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::time::Instant;

use roundworks_search::{Error, SearchOptions, SearchSpec, plain, search};

fn main() -> Result<(), Error> {
    let options = SearchOptions {
        threads: NonZeroUsize::new(1),
        ..SearchOptions::default()
    };
    let spec = SearchSpec::new(9, 3, 8)?;
    let fast = search(&spec, &options, &mut |_| ControlFlow::Continue(()))?;
    let begin = Instant::now();
    let count = plain::count(9, 3, 8);
    let (slow, fast_s) = (
        begin.elapsed().as_secs_f64(),
        fast.progress.elapsed.as_secs_f64(),
    );
    println!(
        "plain (9,3): found {count} in {slow:.2} s on one thread; the search: {} in {fast_s:.4} s on one, {:.0} times faster",
        fast.progress.found,
        slow / fast_s
    );
    Ok(())
}
