//! The search by profile: AETHER alone has Table 7, and small sizes agree with the slow twin.

mod common;

use std::collections::{BTreeMap, BTreeSet};

use common::{aether, go_on};
use roundworks_search::{
    ProfileOptions, ProfileReport, ProfileSpec, Structure, plain, search_profile,
};

fn run(words: usize, inputs: usize, starts: &[u32], profile: &[u32], keep: usize) -> ProfileReport {
    let spec = ProfileSpec::new(words, inputs, starts, profile).unwrap();
    let options = ProfileOptions {
        threads: None,
        keep,
    };
    let report = search_profile(&spec, &options, &mut go_on).unwrap();
    assert!(report.complete);
    assert_eq!(report.progress.searched, report.progress.candidates);
    report
}

#[test]
fn table_7_has_one_structure() {
    let printed = [2, 4, 8, 12, 16, 19, 22, 24, 28, 34, 36, 39, 43, 45, 48, 50];
    let report = run(9, 3, &[1 << 2 | 1 << 6], &printed, 10);
    assert_eq!(
        (report.progress.candidates, report.progress.found),
        (5_080_320, 1)
    );
    assert_eq!(report.structures, [aether()]);
}

#[test]
fn small_sizes_agree_structure_by_structure() {
    for (words, inputs, starts) in [
        (2, 1, &[1][..]),
        (3, 1, &[2, 4]),
        (4, 1, &[5]),
        (5, 2, &[3, 9]),
        (5, 3, &[31]),
        (6, 2, &[8]),
    ] {
        let mut classes: BTreeMap<Vec<u32>, BTreeSet<Structure>> = BTreeMap::new();
        for structure in plain::structures(words, inputs) {
            let profile = plain::profile(&structure, starts, 7);
            classes.entry(profile).or_default().insert(structure);
        }
        assert!(
            classes.len() > 1,
            "({words},{inputs}): nothing to tell apart"
        );
        for (profile, want) in classes {
            let report = run(words, inputs, starts, &profile, usize::MAX);
            assert_eq!(
                report.progress.found as usize,
                want.len(),
                "({words},{inputs}) {profile:?}"
            );
            let actual: BTreeSet<Structure> = report.structures.into_iter().collect();
            assert!(
                actual == want,
                "({words},{inputs}) {profile:?}: other structures"
            );
        }
    }
}

#[test]
fn keep_limits_the_list_but_not_the_count() {
    let all = run(5, 2, &[3], &[2], 0);
    assert_eq!(
        (all.progress.found, all.structures.len()),
        (all.progress.candidates, 0)
    );
    let some = run(5, 2, &[3], &[2], 7);
    assert_eq!(
        (some.progress.found, some.structures.len()),
        (all.progress.candidates, 7)
    );
}

#[test]
fn impossible_profiles_are_refused() {
    let text = |starts: &[u32], profile: &[u32]| {
        ProfileSpec::new(9, 3, starts, profile)
            .unwrap_err()
            .to_string()
    };
    assert_eq!(text(&[], &[1]), "starts: want 1 to 512, got 0");
    assert_eq!(text(&[512], &[1]), "starts: want 1 to 511, got 512");
    assert_eq!(text(&[3], &[]), "profile: want 1 to 1000, got 0");
    assert_eq!(
        text(&[3], &[1]),
        "profile: round 1: want 2, as the lightest start, got 1"
    );
    assert_eq!(
        text(&[3], &[2, 4, 3]),
        "profile: falls from 4 to 3 in round 3; costs only add up"
    );
}
