//! Tests of `welch`.

use super::*;
use crate::noise;

/// Times around `base`, and one in 256 that an interrupt made long.
fn times(seed: u64, class: bool, base: u64) -> Vec<(bool, u64)> {
    let jitter = noise(seed, 20_000);
    let long = |j: &u8| {
        if *j == 255 {
            100_000
        } else {
            u64::from(j % 16)
        }
    };
    jitter.iter().map(|j| (class, base + long(j))).collect()
}

#[test]
fn a_tick_of_difference_is_found_under_interrupts() {
    let same = [times(1, false, 500), times(2, true, 500)].concat();
    let outcome = compare(&same);
    assert!(outcome.t.abs() < SUSPICIOUS, "{outcome:?}");
    assert_eq!(outcome.measurements, [20_000, 20_000]);
    let other = [times(1, false, 500), times(2, true, 501)].concat();
    let outcome = compare(&other);
    assert!(outcome.t < -SUSPICIOUS, "{outcome:?}");
    assert!((-1.2..0.0).contains(&outcome.difference), "{outcome:?}");
}

/// 1, 2, 3, ... against 2, 4, 6, ...; t from the textbook formula.
#[test]
fn t_is_welchs() {
    let moments = |step: u64| (1..=200).fold(Moments::default(), |m, x| m.with((x * step) as f64));
    let (t, difference, error) = moments(1).minus(&moments(2)).unwrap();
    assert_eq!(difference, 100.5 - 201.0);
    // Variances 3350 and 13400.
    assert!((error - (16.75f64 + 67.0).sqrt()).abs() < 1e-9, "{error}");
    assert!((t + 10.981_803).abs() < 1e-5, "{t}");
}
