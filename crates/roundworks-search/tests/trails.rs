//! The engine of trails against a slow twin that walks single byte patterns. [MOUHA]

use std::collections::BTreeMap;

use roundworks_search::trail::{Branch, Count, Feistel, Kind, Trails};

/// Patterns with what they cost.
type Costs = BTreeMap<u16, u32>;

/// The row r of column c, byte 4c + r, comes from column c + r.
fn shifted(x: u16, back: bool) -> u16 {
    let mut out = 0;
    for (c, r) in (0..4).flat_map(|c| (0..4).map(move |r| (c, r))) {
        let (old, new) = (4 * ((c + r) % 4) + r, 4 * c + r);
        let (from, to) = if back { (new, old) } else { (old, new) };
        out |= (x >> from & 1) << to;
    }
    out
}

/// None or at least five of eight bytes of each column, before and after; at most `cap` after.
fn mixed(x: u16, cap: u32) -> Vec<u16> {
    let mut result = vec![0u16];
    for at in [0, 4, 8, 12] {
        let before = (x >> at & 15).count_ones();
        let fits = |n: &u16| {
            let all = before + n.count_ones();
            all == 0 || before > 0 && all >= 5 && *n > 0
        };
        let nibbles: Vec<u16> = (0..16).filter(fits).collect();
        let each = |&start: &u16| {
            nibbles
                .iter()
                .map(move |n| start | n << at)
                .collect::<Vec<_>>()
        };
        result = result.iter().flat_map(each).collect();
        result.retain(|y| y.count_ones() <= cap);
    }
    result
}

fn keep(costs: &mut Costs, pattern: u16, cost: u32, budget: u32) {
    if cost <= budget {
        let entry = costs.entry(pattern).or_insert(cost);
        *entry = (*entry).min(cost);
    }
}

/// The instructions of a function, true where it is `aesenclast`.
fn lasts(code: &str) -> &'static [bool] {
    match code {
        "0-0" => &[],
        "1-0" => &[false],
        "1-1" => &[true],
        "2-0" => &[false, false],
        "2-1" => &[true, false],
        "2-2" => &[false, true],
        "2-3" => &[true, true],
        _ => unreachable!("{code}"),
    }
}

/// Differences through the instructions; the S-boxes of the first count if `first`.
fn forward(lasts: &[bool], x: u16, first: bool, budget: u32) -> Costs {
    let mut now = Costs::from([(x, 0)]);
    for (i, &last) in lasts.iter().enumerate() {
        let mut next = Costs::new();
        for (x, cost) in now {
            let cost = cost + if i > 0 || first { x.count_ones() } else { 0 };
            let moved = shifted(x, false);
            // What comes next pays for what comes out, so that much is enough to look at.
            let after = i + 1 < lasts.len();
            let cap = if after {
                budget.saturating_sub(cost)
            } else {
                16
            };
            for y in if last { vec![moved] } else { mixed(moved, cap) } {
                keep(&mut next, y, cost, budget);
            }
        }
        now = next;
    }
    now
}

/// Masks through the instructions from their end; S-boxes count where a mask enters them.
fn backward(lasts: &[bool], mask: u16, budget: u32) -> Costs {
    let mut now = Costs::from([(mask, 0)]);
    for &last in lasts.iter().rev() {
        let mut next = Costs::new();
        for (mask, cost) in now {
            let Some(cap) = budget.checked_sub(cost) else {
                continue;
            };
            for y in if last { vec![mask] } else { mixed(mask, cap) } {
                let x = shifted(y, true);
                keep(&mut next, x, cost + x.count_ones(), budget);
            }
        }
        now = next;
    }
    now
}

/// Patterns of a sum: an active byte on both sides may stay or cancel.
fn sums(p: u16, q: u16) -> Vec<u16> {
    let (one, both) = (p ^ q, p & q);
    let mut result = vec![one];
    let mut kept = both;
    while kept != 0 {
        result.push(one | kept);
        kept = (kept - 1) & both;
    }
    result
}

/// (what is kept, what is added, cost) of a word, for differences.
fn outcomes(codes: [&str; 2], x: u16, count: Count, budget: u32) -> Vec<(u16, u16, u32)> {
    let (added, kept) = (lasts(codes[0]), lasts(codes[1]));
    let shared = count == Count::Distinct && !added.is_empty() && !kept.is_empty();
    let own = match (added, kept) {
        ([], []) => 0,
        ([], _) | (_, []) => 1,
        _ if shared => 1,
        _ => 2,
    };
    let mut result = Vec::new();
    if own * x.count_ones() > budget {
        return result;
    }
    if shared && added[0] == kept[0] {
        let first = x.count_ones();
        for (z, _) in forward(&added[..1], x, false, budget) {
            for (&p, &a) in &forward(&added[1..], z, true, budget) {
                for (&q, &b) in &forward(&kept[1..], z, true, budget) {
                    result.push((q, p, first + a + b));
                }
            }
        }
    } else {
        for (&p, &a) in &forward(added, x, true, budget) {
            for (&q, &b) in &forward(kept, x, !shared, budget) {
                result.push((q, p, a + b));
            }
        }
    }
    result.retain(|outcome| outcome.2 <= budget);
    result
}

/// Goes on from states with what they have cost; the minimum after `rounds` more, within the budget.
fn lightest(
    mut states: BTreeMap<(u16, u16), u32>,
    rounds: usize,
    budget: u32,
    step: impl Fn((u16, u16), bool, &mut dyn FnMut((u16, u16), u32)),
) -> Option<u32> {
    for round in 1..=rounds {
        let mut next: BTreeMap<(u16, u16), u32> = BTreeMap::new();
        for (state, paid) in states {
            step(state, round == rounds, &mut |state, cost| {
                if paid + cost <= budget {
                    let entry = next.entry(state).or_insert(u32::MAX);
                    *entry = (*entry).min(paid + cost);
                }
            });
        }
        states = next;
    }
    states.into_values().min()
}

/// (x, y) -> (F1(x) ^ y, F2(x)). With y free the sum takes every pattern; so the first two words
/// are chosen, and what the first has kept follows.
fn differences(codes: [&str; 2], count: Count, rounds: usize, budget: u32) -> Option<u32> {
    if rounds == 1 {
        return Some(0); // x = 0, and nothing pays for y
    }
    let known: Vec<_> = (0..=u16::MAX)
        .map(|x| outcomes(codes, x, count, budget))
        .collect();
    let minimum = |x: u16| known[usize::from(x)].iter().map(|o| o.2).min();
    let mut payable: Vec<(u16, u32)> = Vec::new();
    payable.extend((0..=u16::MAX).filter_map(|x| Some((x, minimum(x)?))));
    let mut states: BTreeMap<(u16, u16), u32> = BTreeMap::new();
    for &(x, _) in &payable {
        let mut kept = Costs::new();
        known[usize::from(x)]
            .iter()
            .for_each(|o| keep(&mut kept, o.0, o.2, budget));
        for (y, cost) in kept {
            for &(next, more) in &payable {
                if cost + more <= budget && (x, next) != (0, 0) {
                    let entry = states.entry((next, y)).or_insert(cost);
                    *entry = (*entry).min(cost);
                }
            }
        }
    }
    lightest(states, rounds - 1, budget, |(x, y), last, found| {
        for &(kept, added, cost) in &known[usize::from(x)] {
            if last {
                found((0, 0), cost); // nothing pays for what comes out
                continue;
            }
            for next in sums(added, y) {
                if minimum(next).is_some() {
                    found((next, kept), cost);
                }
            }
        }
    })
}

/// Of (F1(x) ^ y, F2(x)) with masks (a, b) the word x has the sum of a through F1 and b through F2,
/// and y has a.
fn masks(codes: [&str; 2], rounds: usize, budget: u32) -> Option<u32> {
    let [added, kept] = codes.map(|code| -> Vec<Costs> {
        (0..=u16::MAX)
            .map(|mask| backward(lasts(code), mask, budget))
            .collect()
    });
    let payable = |halves: &[Costs]| -> Vec<(u16, u32)> {
        let minimum = |mask: u16| halves[usize::from(mask)].values().min().copied();
        (0..=u16::MAX)
            .filter_map(|mask| Some((mask, minimum(mask)?)))
            .collect()
    };
    let (ones, twos) = (payable(&added), payable(&kept));
    let mut states = BTreeMap::new();
    for &(a, p) in &ones {
        for &(b, q) in &twos {
            if (a, b) != (0, 0) && p + q <= budget {
                states.insert((a, b), 0);
            }
        }
    }
    lightest(states, rounds, budget, |(a, b), last, found| {
        for (&p, &cost_p) in &added[usize::from(a)] {
            for (&q, &cost_q) in &kept[usize::from(b)] {
                if last {
                    found((0, 0), cost_p + cost_q);
                } else if cost_p + cost_q <= budget {
                    for x in sums(p, q) {
                        found((x, a), cost_p + cost_q);
                    }
                }
            }
        }
    })
}

fn trails(codes: [&str; 2], kind: Kind, count: Count) -> Trails {
    let [added, kept] = codes.map(|code| Branch::parse(code).unwrap());
    let feistel = Feistel {
        pairs: vec![(added, kept)],
        shuffle: vec![1, 0],
    };
    Trails::new(feistel, kind, count)
}

fn agree(codes: [&str; 2], kind: Kind, count: Count, most_rounds: usize, limit: u32) {
    let mut engine = trails(codes, kind, count);
    for rounds in 1..=most_rounds {
        let fast = engine.minimum(rounds, limit).map(|found| found.active);
        let slow = match kind {
            Kind::Differential => differences(codes, count, rounds, limit),
            Kind::Linear => masks(codes, rounds, limit),
        };
        assert_eq!(fast, slow, "{codes:?} {kind:?} {count:?}, {rounds} rounds");
    }
}

#[test]
fn of_differences() {
    for codes in [
        ["1-0", "1-0"],
        ["1-0", "1-1"],
        ["1-1", "2-3"],
        ["2-0", "0-0"],
        ["2-1", "1-0"],
    ] {
        for count in [Count::Executed, Count::Distinct] {
            agree(codes, Kind::Differential, count, 3, 4);
        }
    }
}

#[test]
fn of_masks() {
    for codes in [["1-0", "1-1"], ["2-1", "1-1"]] {
        agree(codes, Kind::Linear, Count::Executed, 2, 3);
    }
}

#[test]
fn one_round_needs_nothing_active() {
    let result = trails(["2-0", "2-0"], Kind::Differential, Count::Executed).minimum(1, 60);
    assert_eq!(result.map(|result| result.active), Some(0));
}

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
