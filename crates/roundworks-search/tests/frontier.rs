//! The frontier against going through every sequence of tables' entries.

mod common;

use common::Random;
use roundworks_search::frontier::{Costs, Frontier, LANES, NEVER, Row, Step};

/// Tables of 0, 3, 3, 3 and 0 bits; the middle steps replace one bit and move the others.
fn some_steps(random: &mut Random, options: usize) -> Vec<Step> {
    let mut steps = Vec::new();
    for (before, after) in [(0, 3), (3, 3), (3, 3), (3, 0)] {
        let (kept, from, to): (Vec<_>, u32, u32) = match (before, after) {
            (3, 3) => (vec![(0, 2), (2, 1)], 0b010, 0b001),
            _ => (vec![], (1 << before) - 1, (1 << after) - 1),
        };
        let rows = (0..12)
            .map(|_| Row {
                from: random.below(8) as u32 & from,
                to: random.below(8) as u32 & to,
                option: random.below(options) as u32,
                cost: random.below(4) as u8,
            })
            .collect();
        steps.push(Step {
            kept,
            rows,
            bits: after,
        });
    }
    steps
}

/// The minimum from an entry on, by trying every row.
fn by_trying(steps: &[Step], entry: u32, lane: usize, options: &[Costs]) -> u32 {
    let Some((step, rest)) = steps.split_first() else {
        return 0;
    };
    let stay: u32 = step.kept.iter().map(|(before, _)| 1 << before).sum();
    let moved: u32 = step
        .kept
        .iter()
        .map(|(before, after)| (entry >> before & 1) << after)
        .sum();
    let mut best = u32::from(NEVER);
    for row in &step.rows {
        let own = options[row.option as usize][lane];
        if row.from == entry & !stay && own != NEVER {
            let after = by_trying(rest, moved | row.to, lane, options);
            best = best.min(u32::from(own) + u32::from(row.cost) + after);
        }
    }
    best
}

#[test]
fn minima_are_those_of_trying_everything() {
    let (mut never, mut some) = (0, 0);
    for seed in 1..51 {
        let mut random = Random(seed);
        let steps = some_steps(&mut random, 5);
        let options: Vec<Costs> = (0..5)
            .map(|_| [(); LANES].map(|()| [0, 1, 2, 7, NEVER][random.below(5)]))
            .collect();
        let frontier = Frontier::new(steps.clone()).expect("steps of tables that fit");
        let minima = frontier.minima(&options, &[NEVER; LANES]);
        let enough = frontier.minima(&options, &[2; LANES]);
        for lane in 0..LANES {
            let truth = by_trying(&steps, 0, lane, &options);
            assert_eq!(u32::from(minima[lane]), truth, "seed {seed}, query {lane}");
            // What ends early is a lower bound, and at least as much as was asked for.
            assert!(enough[lane] <= minima[lane] && enough[lane] >= minima[lane].min(2));
            if truth == NEVER.into() {
                never += 1;
            } else {
                some += 1;
            }
        }
    }
    assert!(never > 10 && some > 1_000, "{never} and {some}");
}

#[test]
fn a_step_that_does_not_fit_is_refused() {
    let step = |kept, from, to, bits| Step {
        kept,
        rows: vec![Row {
            from,
            to,
            option: 0,
            cost: 0,
        }],
        bits,
    };
    for (steps, text) in [
        (
            vec![step(vec![(0, 0)], 0, 0, 1)],
            "step 0: a bit beyond its table",
        ),
        (
            vec![step(vec![], 0, 2, 1)],
            "step 0: a row beyond its table",
        ),
        (vec![step(vec![], 0, 1, 1)], "step 1: bits are left over"),
        (vec![step(vec![], 0, 0, 25)], "step 0: more than 24 bits"),
        (
            vec![step(vec![], 0, 1, 1), step(vec![(0, 0)], 1, 0, 1)],
            "step 1: a row replaces a bit that stays",
        ),
    ] {
        let error = Frontier::new(steps).expect_err(text);
        assert_eq!(error.to_string(), text);
    }
}
