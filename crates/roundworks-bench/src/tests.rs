//! Tests of the crate's root.

use super::*;

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
