//! The corpus and some random inputs, on the compiler everyone has.

use std::io::{Write, stderr};

use roundworks_fuzz::{TARGETS, corpus};

const RANDOM_INPUTS: u64 = 1000;

/// Random bytes and a random length, most of them short; the same for the same seed.
fn random(seed: u64) -> Vec<u8> {
    let mut x = seed;
    let mut next = || {
        x = x
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (x >> 48) as usize
    };
    let most = [30, 100, 300, 2000][next() % 4];
    let bytes = next() % most;
    (0..bytes).map(|_| next() as u8).collect()
}

#[test]
fn corpus_and_random_inputs() {
    for (name, run) in TARGETS {
        let inputs = corpus::read(name).unwrap_or_else(|e| panic!("{e}"));
        assert!(!inputs.is_empty(), "{name}: the corpus is empty");
        inputs.iter().for_each(|input| run(input));
        (0..RANDOM_INPUTS).for_each(|seed| run(&random(seed)));
        let line = format!(
            "fuzz: {name}: {} inputs of the corpus, {RANDOM_INPUTS} random\n",
            inputs.len()
        );
        stderr().write_all(line.as_bytes()).expect("stderr is open");
    }
}

/// A target that never gets past its first branch would pass for ever.
#[test]
fn every_cipher_is_reached() {
    for (name, _) in TARGETS.iter().filter(|t| t.0 != "header") {
        let ciphers = match *name {
            "file" => roundworks_files::ciphers().count(),
            _ => roundworks::ciphers().count(),
        };
        let inputs = corpus::read(name).unwrap_or_else(|e| panic!("{e}"));
        let mut reached = vec![false; ciphers];
        for input in &inputs {
            reached[usize::from(input.first().copied().unwrap_or(0)) % ciphers] = true;
        }
        assert!(
            reached.iter().all(|r| *r),
            "{name}: the corpus leaves ciphers out: {reached:?}"
        );
    }
}
