//! Tests of `structure`.

use super::*;

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
fn orbits_add_up_to_all_position_sets() {
    for words in 2..=12 {
        for inputs in 1..words {
            let sum: usize = necklaces(words, inputs).iter().map(|n| n.orbit).sum();
            assert_eq!(sum, masks(words, inputs).count(), "({words},{inputs})");
        }
    }
}

#[test]
fn rotation_moves_positions_and_sources_alike() {
    let aether = Structure::new(9, vec![0, 3, 5], vec![3, 6, 4, 8, 2, 0]).unwrap();
    let moved = aether.rotated(4);
    assert_eq!(moved.positions(), [0, 4, 7]);
    // Position 1 adds word 3, so position 5 now adds word 7.
    assert_eq!(moved.added()[5], Some(7));
    assert_eq!(moved.rotated(5), aether);
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
