//! Compares the times of two classes of inputs, on the back ends that valgrind cannot emulate.
//!
//! A large t says that the time depends on the class. A small one says that this many measurements
//! on this machine did not show it: not that the code is constant-time, and nothing about caches
//! shared with others, power or speculation.

use std::hint::black_box;
use std::process::ExitCode;

use roundworks::Facts;
use roundworks_ct::ciphers::{Subject, subjects};
use roundworks_ct::controls::{equal_early, equal_late};
use roundworks_ct::machine::ticks;
use roundworks_ct::noise;
use roundworks_ct::welch::{Outcome, SUSPICIOUS, compare};

const USAGE: &str = "usage: ct-timing [MEASUREMENTS] [BACKEND,...]";
/// Those that `ct-memcheck` covers: not measured unless they are named.
const TRACKED: [&str; 3] = ["portable", "aesni", "avx2"];
const DEFAULT_MEASUREMENTS: usize = 200_000;
/// Inputs made before any of them is measured.
const BATCH: usize = 500;
const AD_BYTES: usize = 16;
/// Whole blocks of every cipher and a rest.
const DATA_BYTES: usize = 400;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let measurements = arguments
        .next()
        .map_or(Ok(DEFAULT_MEASUREMENTS), |a| a.parse());
    let (Ok(measurements), wanted) = (measurements, arguments.next()) else {
        eprintln!("ct-timing: measurements: want a number; {USAGE}");
        return ExitCode::from(2);
    };
    if !controls(measurements) {
        return ExitCode::from(2);
    }
    let mut ran = 0;
    let mut leaks = 0;
    for subject in subjects() {
        let name = subject.backend.name();
        let measured = wanted.as_ref().map_or(!TRACKED.contains(&name), |w| {
            w.split(',').any(|b| b == name)
        });
        if measured {
            ran += 1;
            leaks += usize::from(!constant(&subject, measurements));
        }
    }
    println!("ct-timing: {ran} ciphers and back ends measured, {leaks} with a difference");
    if ran == 0 {
        println!("ct-timing: skipped: this CPU has no back end that ct-memcheck leaves out");
    }
    if leaks == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(1)
    }
}

/// Whether this machine's clock shows the leak of a comparison that stops early, and none of one
/// that does not.
fn controls(measurements: usize) -> bool {
    let want = noise(1, 16);
    let measure = |equal: fn(&[u8], &[u8]) -> bool| {
        let input = |second: bool, _| {
            let mut tag = want.clone();
            tag[if second { 15 } else { 0 }] ^= 1;
            tag
        };
        run(measurements, input, |tag| {
            black_box(equal(black_box(tag), black_box(&want)));
        })
    };
    let early = measure(equal_early);
    show("control: a comparison that stops early", &early);
    let late = measure(|a, b| equal_late(a, b) == 0);
    show("control: a comparison that does not", &late);
    if early.t.abs() < SUSPICIOUS {
        println!(
            "ct-timing: the leak of the control was not found: the machine is too noisy for this"
        );
        return false;
    }
    true
}

/// Whether none of three comparisons shows a difference. One that does is repeated, as a machine
/// that others use shows many.
fn constant(subject: &Subject, measurements: usize) -> bool {
    let Facts {
        key_bytes,
        nonce_bytes,
        ..
    } = *subject.facts;
    let nonce = noise(1, nonce_bytes);
    let ad = noise(2, AD_BYTES);

    let key = noise(3, key_bytes);
    let cipher = subject.with_key(&key);
    let mut sealed = vec![0; cipher.sealed_bytes(DATA_BYTES)];
    let data = noise(4, DATA_BYTES);
    cipher
        .seal_into(&nonce, &ad, &data, &mut sealed)
        .expect("sizes");
    let sealed_bytes = sealed.len();
    let first_of_tag = sealed.len() - subject.facts.tag_bytes;
    let seal = || {
        let mut out = sealed.clone();
        let input = |second, seed| noise(if second { seed } else { 7 }, key_bytes + DATA_BYTES);
        run(measurements, input, |secret| {
            let (key, data) = secret.split_at(key_bytes);
            let sealed = subject.with_key(key).seal_into(&nonce, &ad, data, &mut out);
            black_box(sealed.is_ok());
        })
    };
    let open = |input: &dyn Fn(bool, u64) -> Vec<u8>| {
        let mut out = vec![0; cipher.opened_bytes(sealed.len()).expect("was sealed")];
        run(measurements, input, |sealed| {
            black_box(cipher.open_into(&nonce, &ad, sealed, &mut out).is_ok());
        })
    };
    let wrong_byte = |second: bool, _| {
        let mut sealed = sealed.clone();
        sealed[if second {
            sealed_bytes - 1
        } else {
            first_of_tag
        }] ^= 1;
        sealed
    };
    let wrong_everything = |second, seed| noise(if second { seed } else { 7 }, sealed_bytes);

    let checks: [(&str, &dyn Fn() -> Outcome); 3] = [
        ("sealing, fixed or random key and data", &seal),
        ("refusing, first or last byte of the tag wrong", &|| {
            open(&wrong_byte)
        }),
        ("refusing, fixed or random ciphertext", &|| {
            open(&wrong_everything)
        }),
    ];
    checks.iter().all(|(what, check)| {
        let what = format!("{subject}: {what}");
        let outcome = check();
        show(&what, &outcome);
        if outcome.t.abs() < SUSPICIOUS {
            return true;
        }
        let again = check();
        show(&format!("{what}, again"), &again);
        again.t.abs() < SUSPICIOUS || again.t.signum() != outcome.t.signum()
    })
}

fn show(what: &str, outcome: &Outcome) {
    let Outcome {
        t,
        difference,
        resolution,
        measurements: [first, second],
    } = outcome;
    let verdict = if t.abs() < SUSPICIOUS {
        format!("none found, {resolution:.1} would have been")
    } else {
        String::from("THEY DIFFER")
    };
    println!("{what}: t = {t:+.2}, {difference:+.2} ticks of {first} + {second}: {verdict}");
}

/// Times `action` on inputs of two classes, which follow each other at random. `input` makes one
/// from its class and a seed; all of a batch are made before the first is timed, so that the clock
/// sees only `action`.
fn run(
    measurements: usize,
    input: impl Fn(bool, u64) -> Vec<u8>,
    mut action: impl FnMut(&[u8]),
) -> Outcome {
    let mut samples = Vec::with_capacity(measurements);
    let coins = noise(0x5eed, measurements);
    for (batch, coins) in coins.chunks(BATCH).enumerate() {
        let inputs: Vec<_> = coins
            .iter()
            .enumerate()
            .map(|(i, coin)| {
                (
                    coin & 1 == 1,
                    input(coin & 1 == 1, (1000 + batch * BATCH + i) as u64),
                )
            })
            .collect();
        for (class, bytes) in &inputs {
            let start = ticks();
            action(bytes);
            samples.push((*class, ticks() - start));
        }
    }
    compare(&samples)
}
