//! Runs `ct-memcheck` under valgrind, where there is one.

use std::env;
use std::io::{Write, stderr};
use std::process::Command;

/// Prints past the capture of the test harness.
fn report(line: &str) {
    let line = format!("memcheck: {line}\n");
    stderr().write_all(line.as_bytes()).expect("stderr is open");
}

#[test]
fn no_secret_reaches_a_branch_or_an_address() {
    let mut missing = "";
    if !cfg!(target_arch = "x86_64") {
        missing = "requests to valgrind are written for x86-64 only";
    } else if Command::new("valgrind").arg("--version").output().is_err() {
        missing = "valgrind not found; apt-get install valgrind";
    }
    if !missing.is_empty() {
        let required = env::var("ROUNDWORKS_REQUIRE_TOOLS").is_ok_and(|v| v == "1");
        assert!(!required, "{missing}, and ROUNDWORKS_REQUIRE_TOOLS is set");
        return report(&format!("1 skipped: {missing}"));
    }
    let done = Command::new("valgrind")
        .args(["--quiet", "--error-limit=no", "--num-callers=20"])
        .arg(env!("CARGO_BIN_EXE_ct-memcheck"))
        .output()
        .expect("valgrind answered before");
    let said = String::from_utf8_lossy(&done.stdout);
    let log = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{}\n{said}\n{log}", done.status);
    // What valgrind cannot emulate it reports as missing from the CPU: see that none of these was.
    let mut want = vec!["aether/portable", "aegis-128/portable"];
    if roundworks::Backend::Aesni.is_available() {
        want.push("aegis-128/aesni");
    }
    if roundworks::Backend::Avx2.is_available() {
        want.push("aether/avx2");
    }
    for subject in want {
        let line = said
            .lines()
            .find(|l| l.starts_with(&format!("{subject}: ")));
        assert!(
            line.is_some(),
            "{subject} was not run under valgrind:\n{said}"
        );
    }
    said.lines().for_each(report);
}
