//! Tests of `structure`.

use super::*;
use crate::plain;

#[test]
fn totals_are_those_of_table_6() {
    // [AETHER, Table 6], but for (10,5), where the paper prints five times its own formula.
    for (words, inputs, total) in [
        (4, 1, 96),
        (6, 2, 5_400),
        (9, 3, 5_080_320),
        (10, 5, 7_620_480),
        (11, 4, 548_856_000),
    ] {
        assert_eq!(candidates(words, inputs), total, "({words},{inputs})");
    }
}

#[test]
fn members_of_all_classes_are_all_position_sets() {
    for words in 2..=12 {
        for inputs in 1..words {
            let mut all = Vec::new();
            for class in chain_classes(words, inputs) {
                let first = split(words, class.mask).0;
                let sets: Vec<u32> = members(words, class)
                    .map(|names| first.iter().fold(0, |mask, &at| mask | 1 << names[at]))
                    .collect();
                assert_eq!((sets[0], sets.len()), (class.mask, class.members));
                all.extend(sets);
            }
            all.sort_unstable();
            assert!(
                all.into_iter().eq(masks(words, inputs)),
                "({words},{inputs})"
            );
        }
    }
}

#[test]
fn there_is_a_class_for_each_partition() {
    // Of 12 words into 4 parts, of 14 into 5, of 15 into 5.
    for (words, inputs, partitions) in [(12, 4, 15), (14, 5, 23), (15, 5, 30)] {
        assert_eq!(chain_classes(words, inputs).len(), partitions);
    }
}

#[test]
fn chains_that_change_places_take_their_words_along() {
    let aether = Structure::new(9, vec![0, 3, 5], vec![3, 6, 4, 8, 2, 0]).unwrap();
    // Chains 0 1 2, 3 4 and 5 6 7 8: the last two change places.
    let moved = aether.renamed(&[0, 1, 2, 7, 8, 3, 4, 5, 6]);
    assert_eq!(moved.positions(), [0, 3, 7]);
    // Position 1 added word 3, which is called 7 now; position 4, called 8, added 4.
    assert_eq!((moved.added()[1], moved.added()[8]), (Some(7), Some(8)));
    for active in 1..12 {
        let cheap = |it| plain::cheapest_collision(it, active);
        assert_eq!(cheap(&aether), cheap(&moved));
    }
}

#[test]
fn errors_name_the_word() {
    let text = |r: Result<Structure, Error>| r.unwrap_err().to_string();
    assert_eq!(
        text(Structure::new(3, vec![], vec![])),
        "inputs: want 1 to 2, got 0"
    );
    assert_eq!(
        text(Structure::new(3, vec![0, 1, 2], vec![])),
        "inputs: want 1 to 2, got 3"
    );
    assert_eq!(
        text(Structure::new(3, vec![0], vec![1, 1])),
        "structure: pi: word 1 is added twice"
    );
    assert_eq!(
        text(Structure::new(3, vec![1, 0], vec![1])),
        "structure: positions: want them ascending, got [1, 0]"
    );
    assert_eq!(
        text(Structure::new(3, vec![0], vec![1, 3])),
        "structure: want words below 3, got 3"
    );
}
