//! AES-128 as a programmer writes it from the standard, without tables, timed part by part.
//! [AES-HW, table 1] [FIPS197, section 5]
//!
//! `plain_aes FILE SAMPLES` encrypts every block of FILE with the key 00 01 .. 0f and prints for
//! each sample the nanoseconds of its four parts, then the XOR of all ciphertexts. It needs nothing
//! but the standard library: `rustc -C opt-level=3 --edition 2024 plain_aes.rs` builds it too.

use std::fs::File;
use std::hint::black_box;
use std::io::{BufReader, ErrorKind, Read};
use std::process::ExitCode;
use std::time::Instant;

const ROUNDS: usize = 10;

/// Row r, column c is byte r + 4 c.
type State = [u8; 16];

fn sub_bytes(state: &mut State) {
    *state = sbox(state);
}

/// The inverse in GF(2^8) as the power 254, then the affine map; all bytes in step.
fn sbox(a: &State) -> State {
    let square = |x: &State| gf_times(x, x);
    let a2 = square(a);
    let a3 = gf_times(&a2, a);
    let a12 = square(&square(&a3));
    let a15 = gf_times(&a12, &a3);
    let a240 = square(&square(&square(&square(&a15))));
    let b = gf_times(&gf_times(&a240, &a12), &a2);
    b.map(|b| {
        let rotated = |n| b.rotate_left(n);
        b ^ rotated(1) ^ rotated(2) ^ rotated(3) ^ rotated(4) ^ 0x63
    })
}

fn shift_rows(state: &mut State) {
    let old = *state;
    for column in 0..4 {
        for row in 0..4 {
            state[row + 4 * column] = old[row + 4 * ((column + row) % 4)];
        }
    }
}

fn mix_columns(state: &mut State) {
    for column in state.chunks_exact_mut(4) {
        let [a, b, c, d] = [column[0], column[1], column[2], column[3]];
        column[0] = gf02(a) ^ gf03(b) ^ c ^ d;
        column[1] = a ^ gf02(b) ^ gf03(c) ^ d;
        column[2] = a ^ b ^ gf02(c) ^ gf03(d);
        column[3] = gf03(a) ^ b ^ c ^ gf02(d);
    }
}

fn gf02(a: u8) -> u8 {
    (a << 1) ^ (0x1b & (a >> 7).wrapping_neg())
}

fn gf03(a: u8) -> u8 {
    gf02(a) ^ a
}

/// Byte by byte.
fn gf_times(a: &State, b: &State) -> State {
    let (mut a, mut product) = (*a, [0; 16]);
    for bit in 0..8 {
        for i in 0..16 {
            product[i] ^= a[i] & (b[i] >> bit & 1).wrapping_neg();
            a[i] = gf02(a[i]);
        }
    }
    product
}

fn add_round_key(state: &mut State, key: &State) {
    for (byte, key) in state.iter_mut().zip(key) {
        *byte ^= key;
    }
}

fn key_expansion(key: &State) -> [State; ROUNDS + 1] {
    let mut keys = [*key; ROUNDS + 1];
    let mut rcon = 1;
    for i in 1..=ROUNDS {
        let substituted = sbox(&keys[i - 1]);
        let mut word = [13, 14, 15, 12].map(|at| substituted[at]);
        word[0] ^= rcon;
        rcon = gf02(rcon);
        for at in 0..16 {
            word[at % 4] ^= keys[i - 1][at];
            keys[i][at] = word[at % 4];
        }
    }
    keys
}

/// Each block is a read of its own, as the paper's program takes its data.
fn read_blocks(path: &str) -> Result<Vec<State>, std::io::Error> {
    let mut file = BufReader::new(File::open(path)?);
    let mut blocks = Vec::new();
    loop {
        let mut block = [0; 16];
        match file.read_exact(&mut block) {
            Ok(()) => blocks.push(block),
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => return Ok(blocks),
            Err(error) => return Err(error),
        }
    }
}

/// Every part runs over all blocks before the next begins, so that the clock is read five times.
fn sample(path: &str, keys: &[State; ROUNDS + 1]) -> Result<([u128; 4], State), std::io::Error> {
    let start = Instant::now();
    let mut blocks = black_box(read_blocks(path)?);
    let read = start.elapsed();
    for state in &mut blocks {
        add_round_key(state, &keys[0]);
    }
    let mut blocks = black_box(blocks);
    let first = start.elapsed();
    for state in &mut blocks {
        for key in &keys[1..ROUNDS] {
            sub_bytes(state);
            shift_rows(state);
            mix_columns(state);
            add_round_key(state, key);
        }
    }
    let mut blocks = black_box(blocks);
    let repeated = start.elapsed();
    for state in &mut blocks {
        sub_bytes(state);
        shift_rows(state);
        add_round_key(state, &keys[ROUNDS]);
    }
    let blocks = black_box(blocks);
    let last = start.elapsed();
    let mut sum = [0; 16];
    for block in &blocks {
        add_round_key(&mut sum, block);
    }
    let parts = [read, first - read, repeated - first, last - repeated];
    Ok((parts.map(|part| part.as_nanos()), sum))
}

fn run() -> Result<(), String> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [path, samples] = arguments.as_slice() else {
        return Err("want FILE SAMPLES".into());
    };
    let samples: usize = samples.parse().map_err(|e| format!("samples: {e}"))?;
    let keys = key_expansion(black_box(&std::array::from_fn(|i| i as u8)));
    for _ in 0..samples {
        let (parts, sum) = sample(path, &keys).map_err(|e| format!("{path}: {e}"))?;
        let digest: String = sum.iter().map(|byte| format!("{byte:02x}")).collect();
        let [read, first, repeated, last] = parts;
        println!("{read} {first} {repeated} {last} {digest}");
    }
    Ok(())
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("plain_aes: error: {problem}");
            ExitCode::from(2)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// [FIPS197, appendix B]
    #[test]
    fn standard_vector() {
        let keys = key_expansion(&0x2b7e151628aed2a6abf7158809cf4f3cu128.to_be_bytes());
        let mut state = 0x3243f6a8885a308d313198a2e0370734u128.to_be_bytes();
        add_round_key(&mut state, &keys[0]);
        for (i, key) in keys.iter().enumerate().skip(1) {
            sub_bytes(&mut state);
            shift_rows(&mut state);
            if i < ROUNDS {
                mix_columns(&mut state);
            }
            add_round_key(&mut state, key);
        }
        assert_eq!(state, 0x3925841d02dc09fbdc118597196a0b32u128.to_be_bytes());
    }
}
