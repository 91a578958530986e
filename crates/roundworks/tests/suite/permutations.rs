//! The permutations: vectors, agreement of the back ends, inverses, names.

#[cfg(feature = "permutations")]
mod all;

use roundworks::{
    AnyPermutation, Backend, Permutation, Permutation256, PermutationName, permutation,
    permutations,
};

use crate::{backends, noise, short};

/// The permutation on each back end that can run here; the others are reported.
fn everywhere(name: &str) -> Vec<(Backend, AnyPermutation)> {
    let usable = backends::usable("permutations", Permutation256::BACKENDS);
    let all: Vec<_> = usable
        .into_iter()
        .map(|b| (b, permutation(name, Some(b)).expect("is_available said so")))
        .collect();
    assert_eq!(all[0].0, Backend::Portable);
    all
}

/// One call for a block, one for many; each equals the portable back end's for every block, and
/// goes back.
fn agree(name: &str, most: usize) {
    let all = everywhere(name);
    let portable = all[0].1;
    let size = portable.block_bytes();
    let data = noise(9, size * most);
    let mut want = data.clone();
    for block in want.chunks_mut(size) {
        portable.permute(block).unwrap();
    }
    for (backend, p) in &all {
        for (i, (block, want)) in data.chunks(size).zip(want.chunks(size)).enumerate() {
            let mut x = block.to_vec();
            p.permute(&mut x).unwrap();
            assert!(x == want, "{name}/{backend}: block {i}: got {x:02x?}");
            p.inverse(&mut x).unwrap();
            assert!(
                x == block,
                "{name}/{backend}: block {i}: inverse gives {x:02x?}"
            );
        }
        let mut step = data[..size].to_vec();
        for times in 0..4 {
            let mut chain = data[..size].to_vec();
            p.permute_times(&mut chain, times).unwrap();
            assert!(chain == step, "{name}/{backend}: {times} times");
            p.inverse_times(&mut chain, times).unwrap();
            assert!(
                chain == data[..size],
                "{name}/{backend}: inverse, {times} times"
            );
            p.permute(&mut step).unwrap();
        }
        for count in 0..=most {
            let mut x = data[..size * count].to_vec();
            p.permute_many(&mut x).unwrap();
            assert!(x == want[..x.len()], "{name}/{backend}: {count} blocks");
            p.inverse_many(&mut x).unwrap();
            assert!(
                x == data[..x.len()],
                "{name}/{backend}: inverse of {count} blocks"
            );
        }
    }
}

#[test]
fn agreement() {
    for name in roundworks::permutations() {
        agree(name, if short() { 17 } else { 70 });
    }
}

#[test]
fn vectors() {
    let mut members = Vec::new();
    for family in roundworks_vectors::permutations() {
        let known = |name: &str| permutation(name, None).is_ok();
        if !cfg!(feature = "permutations") && !family.members.iter().any(|m| known(&m.name)) {
            continue;
        }
        members.extend(family.members.iter().map(|m| m.name.clone()));
        for m in &family.members {
            let p: PermutationName = m.name.parse().unwrap();
            let facts = (m.words * m.word_bytes, m.rounds.to_string());
            assert_eq!(
                (p.block_bytes(), p.rounds().to_string()),
                facts,
                "{}",
                m.name
            );
            let more = format!("{}:{}", m.name, m.most_rounds.ceil() + 1.0);
            let most = format!(" to {} rounds", m.most_rounds);
            assert!(
                permutation(&more, None)
                    .unwrap_err()
                    .to_string()
                    .contains(&most),
                "{more}"
            );
        }
        for v in roundworks_vectors::permutation(&family.family) {
            let name = match v.rounds {
                Some(rounds) => format!("{}:{rounds}", v.permutation),
                None => v.permutation.clone(),
            };
            for (backend, p) in everywhere(&name) {
                let at = format!("{}: {}: {backend}", family.family, v.id);
                let actual = match v.mode.as_deref() {
                    None => {
                        let mut block = v.input.0.clone();
                        p.permute(&mut block).unwrap();
                        block
                    }
                    #[cfg(feature = "permutations")]
                    Some(mode) => all::with_mode(mode, &name, &v, backend),
                    #[cfg(not(feature = "permutations"))]
                    Some(_) => continue, // those are of all families together
                };
                assert_eq!(actual, v.output.0, "{at}");
            }
        }
    }
    members.sort();
    let mut named: Vec<_> = permutations().collect();
    named.sort();
    assert_eq!(members, named, "members of spec/");
}
