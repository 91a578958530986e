//! Runs `ct-memcheck` under valgrind, where there is one.

use std::env;
use std::io::{Write, stderr};
use std::process::Command;

use roundworks::Backend;

/// What valgrind 3.19 can emulate.
const TRACKED: [Backend; 3] = [Backend::Portable, Backend::Aesni, Backend::Avx2];
/// Modules and functions where a verdict, which is public, is branched on, and the length without
/// padding, public with it. The core has no line tables, but its kernels are called by pointer: none
/// is inlined here, and a second branch in one of these would be one error more than counted.
const VERDICTS: [(&str, &str); 5] = [
    ("roundworks::keyed::", ">::open_into"),
    ("roundworks::incremental::", "::Opening>::finish"),
    ("roundworks::incremental::blocks::", "::Opening>::finish"),
    ("roundworks::minalpher::", "::decrypt"),
    (
        "roundworks::minalpher::incremental::",
        "::check_and_decrypt",
    ),
];
/// The controls, which leak.
const CONTROLS: &str = "roundworks-ct/src/controls.rs";
/// Of the standard library, at whatever place it was built.
const STANDARD: [&str; 3] = ["/library/core/", "/library/alloc/", "/library/std/"];

/// Whether a line of a stack names `function` of `module`.
fn is_in(line: &str, (module, function): (&str, &str)) -> bool {
    let name = line.split_once(": ").map_or("", |(_, name)| name);
    let name = name.rsplit_once(" (").map_or(name, |(name, _)| name);
    name.trim_start_matches('<').starts_with(module) && name.ends_with(function)
}

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
        .args([
            "--quiet",
            "--error-limit=no",
            "--num-callers=20",
            "--fullpath-after=",
        ])
        .arg(env!("CARGO_BIN_EXE_ct-memcheck"))
        .output()
        .expect("valgrind ran before");
    let said = String::from_utf8_lossy(&done.stdout);
    let log = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{}\n{said}\n{log}", done.status);
    // What valgrind cannot emulate it reports as missing from the CPU: see that none of these was.
    for facts in roundworks::ciphers() {
        let tracked = |b: &&Backend| TRACKED.contains(b) && b.is_available();
        for backend in facts.backends.iter().filter(tracked) {
            let start = format!("{}/{backend}, tag of {}: ", facts.name, facts.tag_bytes);
            let ran = said.lines().any(|line| line.starts_with(&start));
            assert!(ran, "{start}not run under valgrind:\n{said}");
        }
    }
    // `ct-memcheck` counts errors; here it is seen that they are the verdicts: the innermost frame
    // of each stack that is not inlined from the standard library.
    assert!(log.contains(CONTROLS), "the controls leak:\n{log}");
    let mut frames = log.lines().filter(|line| line.contains(" 0x"));
    while let Some(at) = frames.find(|line| line.contains(" at 0x")) {
        let mut frame = Some(at);
        while frame.is_some_and(|line| STANDARD.iter().any(|place| line.contains(place))) {
            frame = frames.next().filter(|line| line.contains(" by 0x"));
        }
        let known =
            |line: &str| line.contains(CONTROLS) || VERDICTS.iter().any(|v| is_in(line, *v));
        assert!(
            frame.is_some_and(known),
            "a branch or an address depends on a secret: {at}\n{log}"
        );
    }
    said.lines().for_each(report);
}
