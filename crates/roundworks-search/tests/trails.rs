//! Limits of the search for the lightest trail.

use roundworks_search::trail::{Branch, Count, Feistel, Kind, Trails};

#[test]
fn no_limit_is_a_limit() {
    let branch = |code| Branch::parse(code).expect("a code");
    let pairs = vec![(branch("1-0"), branch("0-0"))];
    let feistel = Feistel {
        pairs,
        shuffle: vec![1, 0],
    };
    let minimum = |limit| {
        let mut trails = Trails::new(feistel.clone(), Kind::Differential, Count::Executed);
        trails.minimum(3, limit).map(|found| found.active)
    };
    let free = minimum(u32::MAX).expect("some trail");
    assert_eq!((minimum(free), minimum(free - 1)), (Some(free), None));
}
