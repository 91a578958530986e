//! Table 6, in full and beyond it, with the time each line took. [AETHER, section 3.2]
//!
//! `cargo run --release -p roundworks-search --example table6 -- [threads=N] [plain] [s,m[,active] ...]`
//!
//! Without sizes: the rows the paper could not finish and the first that are larger. `plain`
//! also runs the slow twin on (9,3) and prints how many times longer it takes.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::process::ExitCode;
use std::time::Instant;

use roundworks_search::{Error, SearchOptions, SearchReport, SearchSpec, plain, search};

const ROWS: [(usize, usize); 9] = [
    (4, 1),
    (6, 2),
    (9, 3),
    (10, 4),
    (10, 5),
    (11, 4),
    (11, 5),
    (12, 5),
    (12, 4),
];

fn main() -> ExitCode {
    match run(std::env::args().skip(1)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("table6: error: {problem}");
            ExitCode::from(2)
        }
    }
}

fn run(arguments: impl Iterator<Item = String>) -> Result<(), String> {
    let (mut threads, mut with_plain, mut rows) = (None, false, Vec::new());
    for argument in arguments {
        if let Some(count) = argument.strip_prefix("threads=") {
            let count = count.parse::<NonZeroUsize>();
            threads = Some(count.map_err(|e| format!("threads: want a number above 0: {e}"))?);
        } else if argument == "plain" {
            with_plain = true;
        } else {
            let sizes: Result<Vec<usize>, _> = argument.split(',').map(str::parse).collect();
            match sizes.as_deref() {
                Ok(&[words, inputs]) => rows.push((words, inputs, 8)),
                Ok(&[words, inputs, active]) => rows.push((words, inputs, active)),
                _ => return Err(format!("sizes: want s,m or s,m,active, got '{argument}'")),
            }
        }
    }
    if rows.is_empty() {
        rows.extend(ROWS.map(|(words, inputs)| (words, inputs, 8)));
    }
    println!(
        "words inputs active     candidates      found complete threads    seconds candidates/s"
    );
    for (words, inputs, active) in rows {
        let report = row(words, inputs, active, threads).map_err(|error| error.to_string())?;
        let seconds = report.elapsed.as_secs_f64();
        println!(
            "{words:5} {inputs:6} {active:6} {:14} {:10} {:8} {:7} {seconds:10.4} {:12.3e}",
            report.candidates,
            report.found,
            report.complete,
            report.threads,
            report.searched as f64 / seconds
        );
    }
    if with_plain {
        compare_with_plain().map_err(|error| error.to_string())?;
    }
    Ok(())
}

fn row(
    words: usize,
    inputs: usize,
    active: usize,
    threads: Option<NonZeroUsize>,
) -> Result<SearchReport, Error> {
    let spec = SearchSpec::new(words, inputs, active)?;
    let options = SearchOptions {
        threads,
        ..SearchOptions::default()
    };
    search(&spec, &options, &mut |_| ControlFlow::Continue(()))
}

fn compare_with_plain() -> Result<(), Error> {
    let fast = row(9, 3, 8, NonZeroUsize::new(1))?;
    let begin = Instant::now();
    let result = plain::count(9, 3, 8);
    let (slow, fast_s) = (begin.elapsed().as_secs_f64(), fast.elapsed.as_secs_f64());
    println!(
        "plain (9,3): found {result} in {slow:.2} s on one thread; the search: {} in {fast_s:.4} s on one, {:.0} times faster",
        fast.found,
        slow / fast_s
    );
    Ok(())
}
