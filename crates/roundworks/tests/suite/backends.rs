//! Which back ends can run here, and which must.

use std::collections::BTreeSet;
use std::env;
use std::io::{Write, stderr};
use std::sync::Mutex;

use roundworks::Backend;

/// Names in ROUNDWORKS_REQUIRE_BACKENDS, separated by commas: a missing one fails instead of being
/// skipped.
pub fn required() -> Vec<Backend> {
    let names = env::var("ROUNDWORKS_REQUIRE_BACKENDS").unwrap_or_default();
    let names = names
        .split(',')
        .map(str::trim)
        .filter(|name| !name.is_empty());
    names
        .map(|name| {
            name.parse()
                .unwrap_or_else(|e| panic!("ROUNDWORKS_REQUIRE_BACKENDS: '{name}': {e}"))
        })
        .collect()
}

/// Those of `written` that can run here; each of the others is reported once.
pub fn usable(what: &str, written: &[Backend]) -> Vec<Backend> {
    static REPORTED: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    let required = required();
    let (usable, missing): (Vec<_>, Vec<_>) = written.iter().partition(|b| b.is_available());
    for b in missing {
        assert!(
            !required.contains(&b),
            "{what}: back end {b} is required, but this CPU lacks it"
        );
        let line = format!("{what}: skipped {b} (this CPU lacks it)");
        if REPORTED.lock().unwrap().insert(line.clone()) {
            report(&line);
        }
    }
    usable
}

/// Prints past the capture of the test harness.
pub fn report(line: &str) {
    stderr()
        .write_all(format!("{line}\n").as_bytes())
        .expect("stderr is open");
}
