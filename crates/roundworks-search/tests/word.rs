//! The analyses of one recorded round, on AETHER and on rounds small enough for paper.

mod common;

use common::{Random, aether};
use roundworks_search::word::{collision, diffusion, profile};
use roundworks_search::{Kind, Node, Program, Structure, plain};

fn node(kind: Kind, operands: &[usize], weight: u32) -> Node {
    Node {
        kind,
        operands: operands.to_vec(),
        weight,
    }
}

/// A structure written out as a program: one F for each word, then the XORs.
fn program(structure: &Structure) -> Program {
    let (words, inputs) = (structure.words(), structure.positions().len());
    let mut nodes: Vec<Node> = (0..words).map(|word| node(Kind::F, &[word], 1)).collect();
    let mut messages = words..;
    for (at, source) in structure.added().into_iter().enumerate() {
        let through_f = words + inputs + (at + words - 1) % words;
        let other = source.or_else(|| messages.next()).unwrap();
        nodes.push(node(Kind::Xor, &[through_f, other], 0));
    }
    let outputs = (0..words)
        .map(|at| Some(words + inputs + words + at))
        .collect();
    Program::new(words, inputs, nodes, outputs).unwrap()
}

#[test]
fn aether_has_the_profile_of_table_7() {
    let nonce = 1 << 2 | 1 << 6;
    let minimum = profile(&program(&aether()), &[nonce], &[Some(0); 16]).unwrap();
    let printed = [2, 4, 8, 12, 16, 19, 22, 24, 28, 34, 36, 39, 43, 45, 48, 50];
    assert_eq!(minimum, printed.map(Some));
}

#[test]
fn aether_collides_at_8_and_the_trail_is_one() {
    let program = program(&aether());
    let (cost, trail) = collision(&program).unwrap();
    assert_eq!(cost, 8);
    assert_eq!(trail.iter().map(|step| step.weight).sum::<u32>(), cost);
    assert_eq!(trail[0].state, 0);
    assert_ne!(trail[0].message, 0);
    // Each round by the definition of the structure, not by the program.
    let added = aether().added();
    for (at, step) in trail.iter().enumerate() {
        let next = trail.get(at + 1).map_or(0, |step| step.state);
        assert_eq!(step.weight, step.state.count_ones());
        let mut message = 0;
        for (word, source) in added.iter().enumerate() {
            let active = |word: usize| step.state >> word & 1;
            let other = source.map_or_else(
                || {
                    message += 1;
                    step.message >> (message - 1) & 1
                },
                active,
            );
            let differing = active((word + 8) % 9) + other + (next >> word & 1);
            assert_ne!(differing, 1, "round {at}, word {word}");
        }
    }
}

#[test]
fn aether_diffuses_in_6_rounds() {
    assert_eq!(diffusion(&program(&aether())), Some(6));
}

#[test]
fn random_structures_agree_with_the_plain_search() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for round in 0..200 {
        let words = 2 + random.below(6);
        let inputs = 1 + random.below(words - 1);
        let structure = random.structure(words, inputs);
        let program = program(&structure);
        let cost = collision(&program).map(|(cost, _)| cost);
        assert_eq!(
            cost,
            plain::cheapest_collision(&structure, u32::MAX),
            "{round}: {structure:?}"
        );
        let starts = [1 + random.below((1 << words) - 1) as u32];
        let minimum = profile(&program, &starts, &[Some(0); 6]).unwrap();
        let plain: Vec<_> = plain::profile(&structure, &starts, 6)
            .into_iter()
            .map(Some)
            .collect();
        assert_eq!(minimum, plain, "{round}: {structure:?} from {starts:?}");
    }
}

#[test]
fn free_messages_can_only_lower_the_profile() {
    let program = program(&aether());
    let still = profile(&program, &[0x44], &[Some(0); 8]).unwrap();
    let free = profile(&program, &[0x44], &[None; 8]).unwrap();
    assert!(free.iter().zip(&still).all(|(free, still)| free <= still));
    assert!(free < still);
}

#[test]
fn f_on_a_message_and_weights_count() {
    // s' = G(x) ^ H(s): weight 5 to inject, 3 to cancel through H, and 5 again for the second x.
    let nodes = vec![
        node(Kind::F, &[1], 5),
        node(Kind::F, &[0], 3),
        node(Kind::Xor, &[2, 3], 0),
    ];
    let program = Program::new(1, 1, nodes, vec![Some(4)]).unwrap();
    let (cost, trail) = collision(&program).unwrap();
    assert_eq!((cost, trail.len()), (13, 2));
    assert_eq!([trail[0].weight, trail[1].weight], [5, 8]);
    // Without message differences, 3 a round; with them, the second round need not begin active.
    assert_eq!(
        profile(&program, &[1], &[Some(0); 3]).unwrap(),
        [3, 6, 9].map(Some)
    );
    assert_eq!(
        profile(&program, &[1], &[None; 3]).unwrap(),
        [3, 6, 8].map(Some)
    );
}

#[test]
fn messages_may_differ_in_some_rounds_only() {
    // s' = F(s) ^ x: the difference goes on, and may be cancelled where x differs.
    let nodes = vec![node(Kind::F, &[0], 1), node(Kind::Xor, &[2, 1], 0)];
    let program = Program::new(1, 1, nodes, vec![Some(3)]).unwrap();
    let of = |messages: &[Option<u32>]| profile(&program, &[1], messages).unwrap();
    let (no, yes) = (Some(0), Some(1));
    assert_eq!(of(&[no, no, no]), [1, 2, 3].map(Some));
    assert_eq!(of(&[yes, no, no]), [1, 1, 1].map(Some));
    // Cancelled at once it comes back with the next block; cancelled by that one it stays away.
    assert_eq!(of(&[yes, yes, no, no]), [1, 1, 2, 2].map(Some));
    assert_eq!(of(&[None; 3]), [1, 1, 1].map(Some));
}

#[test]
fn collisions_of_rounds_small_enough_for_paper() {
    let f = |word| node(Kind::F, &[word], 1);
    let length = |program: &Program| collision(program).map(|(cost, trail)| (cost, trail.len()));
    // The message does not reach the state at all: it collides at once, for nothing.
    let deaf = Program::new(1, 1, vec![f(0)], vec![Some(2)]).unwrap();
    assert_eq!(length(&deaf), Some((0, 1)));
    // s0' = x, s1' = F(s0), s2' = F(s1): three rounds carry x out, two through an F.
    let shift = Program::new(3, 1, vec![f(0), f(1)], vec![Some(3), Some(4), Some(5)]).unwrap();
    assert_eq!(length(&shift), Some((2, 4)));
    // s0' = F(s1) ^ x, s1' = F(s0): the difference goes round once before x meets it again.
    let ring = vec![f(1), f(0), node(Kind::Xor, &[2, 3], 0)];
    let ring = Program::new(2, 1, ring, vec![Some(5), Some(4)]).unwrap();
    assert_eq!(length(&ring), Some((2, 3)));
    // Without message inputs there is nothing to begin with.
    let alone = Program::new(1, 0, vec![f(0)], vec![Some(1)]).unwrap();
    assert_eq!(collision(&alone), None);
    assert_eq!(diffusion(&alone), Some(1));
    assert_eq!(profile(&alone, &[], &[Some(0); 2]).unwrap(), [None, None]);
}

#[test]
fn words_that_never_mix_have_no_diffusion() {
    let apart = Program::new(2, 0, vec![], vec![Some(0), Some(1)]).unwrap();
    assert_eq!(diffusion(&apart), None);
    let swapped = Program::new(2, 0, vec![], vec![Some(1), Some(0)]).unwrap();
    assert_eq!(diffusion(&swapped), None);
}

#[test]
fn starts_and_rounds_out_of_range_are_refused() {
    let aether = program(&aether());
    let error = profile(&aether, &[512], &[Some(0); 1])
        .unwrap_err()
        .to_string();
    assert_eq!(
        error,
        "starts: want a pattern of 9 words, below 512, got 512"
    );
    let error = profile(&aether, &[1], &[Some(0); 1001])
        .unwrap_err()
        .to_string();
    assert_eq!(error, "rounds: want 1 to 1000, got 1001");
    let error = profile(&aether, &[1], &[Some(8)]).unwrap_err().to_string();
    assert_eq!(
        error,
        "messages: want a pattern of 3 inputs, below 8, got 8"
    );
}
