//! The structure search against its slow twin and against the printed table.

mod common;

use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use common::{Random, aether, go_on};
use roundworks_search::{SearchOptions, SearchReport, SearchSpec, Structure, parts, plain, search};

fn run(words: usize, inputs: usize, active: usize, keep: usize) -> SearchReport {
    let spec = SearchSpec::new(words, inputs, active).unwrap();
    let options = SearchOptions {
        keep,
        ..SearchOptions::default()
    };
    let report = search(&spec, &options, &mut go_on).unwrap();
    assert!(report.complete);
    assert_eq!(report.progress.searched, report.progress.candidates);
    assert_eq!(
        report.structures.len() as u64,
        report.progress.found.min(keep as u64)
    );
    report
}

#[test]
fn table_6_comes_out() {
    // [AETHER, Table 6]: its rows, and what was found in them; the last was searched in part.
    let rows = [
        (4, 1..4),
        (5, 2..5),
        (6, 2..6),
        (7, 3..7),
        (8, 3..8),
        (9, 3..9),
        (10, 4..6),
        (11, 4..5),
    ];
    for (words, all_inputs) in rows {
        for inputs in all_inputs {
            let want = match (words, inputs) {
                (4, 1) => 16,
                (6, 2) => 54,
                (9, 3) => 8478,
                _ => 0,
            };
            assert_eq!(
                run(words, inputs, 8, 0).progress.found,
                want,
                "({words},{inputs})"
            );
        }
    }
}

/// Every pair up to 7 words, every threshold: the same structures, not only the same number.
#[test]
fn small_sizes_agree_structure_by_structure() {
    for words in 2..=7 {
        for inputs in 1..words {
            let all: Vec<(Structure, Option<u32>)> = plain::structures(words, inputs)
                .map(|s| (plain::cheapest_collision(&s, 10), s))
                .map(|(cost, s)| (s, cost))
                .collect();
            for active in 1..=10 {
                let survives = |cost: &Option<u32>| cost.is_none_or(|cost| cost >= active);
                let want: BTreeSet<&Structure> = all
                    .iter()
                    .filter(|(_, cost)| survives(cost))
                    .map(|(s, _)| s)
                    .collect();
                let report = run(words, inputs, active as usize, all.len());
                let actual: BTreeSet<&Structure> = report.structures.iter().collect();
                assert_eq!(
                    report.progress.found as usize,
                    want.len(),
                    "({words},{inputs}) {active}"
                );
                assert!(
                    actual == want,
                    "({words},{inputs}) {active}: other structures"
                );
            }
        }
    }
}

/// Sizes too large for the slow twin as a whole: samples of all, and all that was found.
#[test]
fn large_sizes_agree_on_samples() {
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    for (words, inputs, active) in [(8, 2, 8), (8, 3, 7), (9, 3, 8), (10, 3, 9), (10, 4, 7)] {
        let report = run(words, inputs, active, 200_000);
        let result: BTreeSet<&Structure> = report.structures.iter().collect();
        assert_eq!(
            result.len(),
            report.structures.len(),
            "({words},{inputs}): one came twice"
        );
        let all_kept = report.progress.found == result.len() as u64;
        for _ in 0..500 {
            let structure = random.structure(words, inputs);
            let survives = plain::cheapest_collision(&structure, active as u32).is_none();
            if all_kept || !survives {
                assert_eq!(survives, result.contains(&structure), "{structure:?}");
            }
            if let Some(structure) = report.structures.get(random.below(result.len().max(1))) {
                let cost = plain::cheapest_collision(structure, active as u32);
                assert_eq!(cost, None, "{structure:?} was found");
            }
        }
    }
}

#[test]
fn aether_is_among_the_8478_and_none_reaches_9() {
    let report = run(9, 3, 8, 10_000);
    assert!(report.structures.contains(&aether()));
    assert_eq!(run(9, 3, 9, 0).progress.found, 0);
}

#[test]
fn threads_and_keep_do_not_change_the_result() {
    let all = run(9, 3, 8, usize::MAX).structures;
    for threads in [1, 2, 7] {
        let spec = SearchSpec::new(9, 3, 8).unwrap();
        for keep in [0, 1, 10, 1000] {
            let threads = NonZeroUsize::new(threads);
            let options = SearchOptions {
                threads,
                parts: None,
                keep,
            };
            let report = search(&spec, &options, &mut go_on).unwrap();
            assert_eq!(report.progress.found, 8478);
            assert!(
                report.structures == all[..keep],
                "{threads:?} threads, keep {keep}"
            );
        }
    }
}

#[test]
fn ranges_of_parts_add_up_to_the_whole_search() {
    let whole = run(9, 3, 8, usize::MAX);
    let sizes = parts(9, 3).unwrap();
    assert_eq!(sizes.iter().sum::<u64>(), whole.progress.candidates);
    let spec = SearchSpec::new(9, 3, 8).unwrap();
    for step in [1, 7, 100, sizes.len()] {
        let (mut found, mut structures) = (0, Vec::new());
        for first in (0..sizes.len()).step_by(step) {
            let range = first..sizes.len().min(first + step);
            let options = SearchOptions {
                parts: Some(range.clone()),
                keep: usize::MAX,
                ..SearchOptions::default()
            };
            let report = search(&spec, &options, &mut go_on).unwrap();
            let size: u64 = sizes[range].iter().sum();
            assert!(report.complete);
            assert_eq!(
                (report.progress.searched, report.progress.candidates),
                (size, size)
            );
            found += report.progress.found;
            structures.extend(report.structures);
        }
        assert_eq!(found, 8478, "{step} parts at a time");
        assert!(structures == whole.structures, "{step} parts at a time");
    }
}

#[test]
fn ranges_beyond_the_parts_are_refused() {
    let spec = SearchSpec::new(9, 3, 8).unwrap();
    let count = parts(9, 3).unwrap().len();
    let text = |range: std::ops::Range<usize>| {
        let parts = Some(range);
        let options = SearchOptions {
            parts,
            ..SearchOptions::default()
        };
        search(&spec, &options, &mut go_on).unwrap_err().to_string()
    };
    let last = count - 1;
    let beyond = count + 1;
    assert_eq!(
        text(0..beyond),
        format!("end of the parts: want 1 to {count}, got {beyond}")
    );
    assert_eq!(
        text(count..count),
        format!("first part: want 0 to {last}, got {count}")
    );
    assert_eq!(
        text(0..0),
        format!("end of the parts: want 1 to {count}, got 0")
    );
    assert_eq!(
        parts(9, 9).unwrap_err().to_string(),
        "inputs: want 1 to 8, got 9"
    );
}

#[test]
fn the_largest_size_can_be_stopped() {
    let spec = SearchSpec::new(16, 5, 8).unwrap();
    let mut calls = 0;
    let report = search(&spec, &SearchOptions::default(), &mut |progress| {
        calls += 1;
        assert!(progress.searched <= progress.candidates);
        ControlFlow::Break(())
    });
    let report = report.unwrap();
    assert!(!report.complete && report.progress.searched < report.progress.candidates);
    assert_eq!(calls, 2, "once to stop, once at the end");
}

#[test]
fn sizes_out_of_range_are_refused() {
    let text = |words, inputs, active| {
        SearchSpec::new(words, inputs, active)
            .unwrap_err()
            .to_string()
    };
    assert_eq!(text(17, 3, 8), "words: want 2 to 16, got 17");
    assert_eq!(text(9, 9, 8), "inputs: want 1 to 8, got 9");
    assert_eq!(text(9, 3, 0), "active: want 1 to 64, got 0");
    assert_eq!(text(9, 3, 65), "active: want 1 to 64, got 65");
}
