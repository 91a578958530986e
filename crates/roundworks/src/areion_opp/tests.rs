//! Sizes against spec, masks against their definition.

extern crate std;

use std::vec::Vec;

use roundworks_vectors::{cipher, permutations};

use super::masks::{Masks, WORDS, beta, gamma};
use super::{Areion256Opp, Areion512Opp, Opp, Size};
use crate::stream::padded;

#[test]
fn sizes_are_those_of_spec() {
    let (spec, families) = (cipher("areion-opp"), permutations());
    let members = families.iter().flat_map(|family| &family.members);
    let rounds: Vec<_> = members
        .filter(|m| ["areion-256", "areion-512"].contains(&&*m.name))
        .map(|m| usize::from(m.rounds))
        .collect();
    assert_eq!(rounds, [Opp::<2>::P.rounds(), Opp::<4>::P.rounds()]);
    for (facts, block) in [
        (Areion256Opp::FACTS, padded::<Opp<2>>(&[]).len()),
        (Areion512Opp::FACTS, padded::<Opp<4>>(&[]).len()),
    ] {
        let member = spec.member(facts.name);
        assert_eq!(
            [member.key_bytes, member.nonce_bytes, member.tag_bytes],
            [facts.key_bytes, facts.nonce_bytes, facts.tag_bytes]
        );
        assert_eq!(member.rate_bytes, block);
        let backends = facts.backends.iter().map(|b| b.name());
        assert!(backends.eq(member.backends.iter()));
    }
}

/// Windows of one sequence are phi applied again and again, as its definition has it.
#[test]
fn masks_move_on_by_one_word() {
    const N: usize = 32;

    fn check<const W: usize>(step: fn(&[u64]) -> u64)
    where
        Opp<W>: Size,
    {
        let mut mask = core::array::from_fn(|i| (i as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        mask[2 * W..].fill(0);
        let phi = |x: &[u64; WORDS]| {
            let mut next = [0; WORDS];
            next[..2 * W - 1].copy_from_slice(&x[1..2 * W]);
            next[2 * W - 1] = step(x);
            next
        };
        let all = Masks::<W, { WORDS + N }>::new(&mask, N);
        let (one, two) = (phi(&mask), phi(&phi(&mask)));
        assert_eq!(beta::<W>(&mask), core::array::from_fn(|i| mask[i] ^ one[i]));
        assert_eq!(
            gamma::<W>(&mask),
            core::array::from_fn(|i| mask[i] ^ one[i] ^ two[i])
        );
        for i in 0..=N {
            assert_eq!(all.at(i), mask, "{i}");
            mask = phi(&mask);
        }
    }
    check::<2>(|x| x[0].rotate_left(3) ^ x[3] >> 5);
    check::<4>(|x| x[0].rotate_left(29) ^ x[1] << 9);
}
