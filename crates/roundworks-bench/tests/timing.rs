//! Every operation, instruction and permutation is timed, in all of its samples.

use std::time::Duration;

use roundworks::Backend;
use roundworks_bench::{
    Error, Measure, Operation, Permuting, Way, Workload, instructions, permuted, time,
};

#[test]
fn digest_is_the_same_everywhere_and_samples_are_counted() {
    for facts in roundworks::ciphers() {
        let name = facts.name;
        let mut digests = std::collections::BTreeSet::new();
        for backend in facts.backends.iter().filter(|b| b.is_available()) {
            for operation in Operation::ALL {
                let load = Workload {
                    operation,
                    data_bytes: 100,
                    ad_bytes: 10,
                };
                let timing = time(name, *backend, load, 5, 20_000).unwrap();
                assert_eq!(timing.samples_ns.len(), 5);
                assert!(timing.samples_ns.iter().all(|&ns| ns > 0.0));
                if cfg!(target_arch = "x86_64") {
                    assert_eq!(timing.samples_cycles.len(), 5);
                    assert!(timing.samples_cycles.iter().all(|&cycles| cycles > 0.0));
                }
                digests.insert(timing.digest);
            }
        }
        assert_eq!(digests.len(), 1, "{name}: {digests:?}");
    }
}

#[test]
fn errors() {
    let load = Workload {
        operation: Operation::Encrypt,
        data_bytes: 0,
        ad_bytes: 0,
    };
    let error = time("aes", Backend::Portable, load, 1, 0).unwrap_err();
    let text = error.to_string();
    assert!(
        text.starts_with("cipher: unknown name, want one of aether, aether-lb, aegis-128, "),
        "{text}"
    );
    assert_eq!(
        time("aether", Backend::Portable, load, 0, 0),
        Err(Error::NoSamples)
    );
    let error = time("aether", Backend::Aesni, load, 1, 0).unwrap_err();
    assert!(matches!(error, Error::Unavailable(_)), "{error}");
}

/// What a chain takes is for benchmarks to say: here that each width has all its chains.
#[test]
fn every_width_has_each_chain_and_every_sample() {
    let result = instructions(5);
    for each in &result {
        assert_eq!(each.samples_cycles.len(), 5);
        let plausible = |cycles: &f64| cycles.is_finite() && *cycles >= 0.0;
        assert!(each.samples_cycles.iter().all(plausible), "{each:?}");
    }
    let there = |bits, name, measure| {
        result
            .iter()
            .filter(|i| (i.bits, i.name, i.measure) == (bits, name, measure))
            .count()
    };
    for bits in [128, 256, 512] {
        let chains = [
            there(bits, "aesenc", Measure::Throughput),
            there(bits, "aesenc", Measure::Latency),
            there(bits, "xor", Measure::Latency),
        ];
        assert!(chains == [1; 3] || chains == [0; 3], "{bits}: {chains:?}");
    }
    let widest = [
        there(512, "xor", Measure::Throughput),
        there(512, "ternary", Measure::Throughput),
        there(512, "ternary", Measure::Latency),
    ];
    assert_eq!(widest, [there(512, "xor", Measure::Latency); 3]);
    assert_eq!(result.len() % 3, 0, "{result:?}");
}

#[test]
fn every_way_is_timed() {
    let ways = [Way::Chain, Way::Call, Way::Many(1), Way::Many(5)];
    let mut subjects: Vec<_> = roundworks::permutations()
        .flat_map(|name| ways.map(|way| (name, way)))
        .flat_map(|(name, way)| [false, true].map(|inverse| (name, way, inverse)))
        .map(|(name, way, inverse)| Permuting::new(name, Backend::Portable, inverse, way).unwrap())
        .collect();
    for found in permuted(&mut subjects, 2, Duration::from_micros(20)) {
        assert_eq!(found.samples_ns.len(), 2);
        assert!(found.samples_ns.iter().all(|&ns| ns > 0.0));
        if cfg!(target_arch = "x86_64") {
            assert!(found.samples_cycles.iter().all(|&cycles| cycles > 0.0));
            assert_eq!(found.samples_cycles.len(), 2);
        }
    }
}
