//! libFuzzer's main program. ROUNDWORKS_FUZZ_TARGET names the target; the arguments are libFuzzer's.
#![no_main]

use std::sync::OnceLock;

use libfuzzer_sys::fuzz_target;
use roundworks_fuzz::{TARGETS, Target, target};

static CHOSEN: OnceLock<Target> = OnceLock::new();

fn choose() {
    let name = std::env::var("ROUNDWORKS_FUZZ_TARGET").unwrap_or_default();
    let chosen = target(&name).unwrap_or_else(|| {
        let names: Vec<_> = TARGETS.iter().map(|t| t.0).collect();
        eprintln!(
            "fuzz: ROUNDWORKS_FUZZ_TARGET: unknown target '{name}', want {}",
            names.join(" or ")
        );
        std::process::exit(2);
    });
    CHOSEN.set(chosen).expect("called once");
}

fuzz_target!(init: choose(), |input: &[u8]| {
    let (_, run) = CHOSEN.get().expect("set before the first input");
    run(input);
});
