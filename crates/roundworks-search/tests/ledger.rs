//! A search that was stopped goes on where it ended, and refuses what is not its own.

mod common;

use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use common::go_on;
use roundworks_search::{Error, SearchOptions, SearchReport, SearchSpec, search};

/// A file of its own for each test, removed at the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("roundworks-{}-{name}", std::process::id()));
        let _ = fs::remove_file(&path);
        Self(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

fn run(inputs: usize, keep: usize, ledger: Option<&Path>) -> Result<SearchReport, Error> {
    let spec = SearchSpec::new(9, inputs, 8)?;
    let options = SearchOptions {
        keep,
        ledger: ledger.map(Into::into),
        threads: None,
    };
    search(&spec, &options, &mut go_on)
}

fn refusal(inputs: usize, ledger: &Path) -> String {
    let text = run(inputs, 50, Some(ledger)).unwrap_err().to_string();
    assert_eq!(text.lines().count(), 1, "{text}");
    text
}

#[test]
fn a_ledger_cut_anywhere_resumes_to_the_same_result() {
    let scratch = Scratch::new("cut");
    let whole = run(3, 50, None).unwrap();
    let first = run(3, 50, Some(&scratch.0)).unwrap();
    assert_eq!(
        (first.progress.found, first.resumed_chunks),
        (whole.progress.found, 0)
    );
    let text = fs::read(&scratch.0).unwrap();
    let lines = text.iter().filter(|&&byte| byte == b'\n').count();
    for (numerator, denominator) in [(0, 1), (1, 1000), (1, 3), (1, 2), (9, 10), (1, 1)] {
        let cut = text.len() * numerator / denominator;
        fs::write(&scratch.0, &text[..cut]).unwrap();
        let clean = cut == 0 || text[cut - 1] == b'\n';
        let report = run(3, 50, Some(&scratch.0)).unwrap();
        assert!(report.complete, "cut at {cut}");
        assert_eq!(report.progress.found, whole.progress.found, "cut at {cut}");
        assert_eq!(report.structures, whole.structures, "cut at {cut}");
        assert_eq!(
            report.progress.searched, whole.progress.searched,
            "cut at {cut}"
        );
        assert_eq!(
            report.notes.is_empty(),
            clean,
            "cut at {cut}: {:?}",
            report.notes
        );
        // The header is a line, too; a cut line is searched again.
        let kept = text[..cut].iter().filter(|&&byte| byte == b'\n').count();
        assert_eq!(
            report.resumed_chunks,
            kept.saturating_sub(1),
            "cut at {cut}"
        );
        // What was mended is a whole ledger again: nothing left to do, nothing to say.
        let again = run(3, 50, Some(&scratch.0)).unwrap();
        assert_eq!(again.resumed_chunks, lines - 1, "cut at {cut}");
        assert_eq!(again.structures, whole.structures, "cut at {cut}");
        assert!(again.notes.is_empty(), "cut at {cut}: {:?}", again.notes);
    }
}

#[test]
fn a_stopped_search_resumes() {
    let scratch = Scratch::new("stopped");
    let spec = SearchSpec::new(11, 4, 8).unwrap();
    let threads = std::num::NonZeroUsize::new(1);
    let options = SearchOptions {
        threads,
        ledger: Some(scratch.0.clone()),
        keep: 0,
    };
    let first = search(&spec, &options, &mut |_| ControlFlow::Break(())).unwrap();
    assert!(
        !first.complete,
        "too fast to be stopped after a tenth of a second"
    );
    let lines = fs::read_to_string(&scratch.0).unwrap().lines().count();
    let second = search(&spec, &options, &mut go_on).unwrap();
    assert_eq!(second.resumed_chunks, lines - 1);
    assert!(second.complete && second.resumed_chunks > 0);
    assert_eq!(
        (second.progress.searched, second.progress.found),
        (548_856_000, 0)
    );
}

#[test]
fn another_search_is_refused_and_the_file_kept() {
    let scratch = Scratch::new("other");
    run(3, 50, Some(&scratch.0)).unwrap();
    let before = fs::read(&scratch.0).unwrap();
    assert_eq!(
        refusal(4, &scratch.0),
        format!(
            "ledger {}: made for words 9, inputs 3, active 8, keep 50, engine 1; this search is \
             words 9, inputs 4, active 8, keep 50, engine 1; name another file, or delete this \
             one to start over",
            scratch.0.display()
        )
    );
    assert_eq!(fs::read(&scratch.0).unwrap(), before);
}

#[test]
fn files_that_are_no_ledgers_are_left_alone() {
    let scratch = Scratch::new("foreign");
    for text in ["dear diary", "dear diary\n", "{}\n", "\n"] {
        fs::write(&scratch.0, text).unwrap();
        let error = refusal(3, &scratch.0);
        assert!(
            error.ends_with("line 1: not a ledger of this search; name another file"),
            "{error}"
        );
        assert_eq!(fs::read_to_string(&scratch.0).unwrap(), text);
    }
}

#[test]
fn damage_is_named_by_its_line() {
    let scratch = Scratch::new("damaged");
    run(3, 50, Some(&scratch.0)).unwrap();
    let text = fs::read_to_string(&scratch.0).unwrap();
    let mut lines: Vec<&str> = text.lines().collect();
    lines[4] = lines[3];
    fs::write(&scratch.0, lines.join("\n") + "\n").unwrap();
    let error = refusal(3, &scratch.0);
    assert!(
        error.contains("line 5: chunk ") && error.contains(" a second time; delete"),
        "{error}"
    );
    lines[4] = "{\"chunk\": 1";
    fs::write(&scratch.0, lines.join("\n") + "\n").unwrap();
    let error = refusal(3, &scratch.0);
    assert!(
        error.ends_with("line 5: not a finished chunk; delete the file to start over"),
        "{error}"
    );
    lines[4] = "{\"chunk\":100000,\"searched\":1,\"found\":0}";
    fs::write(&scratch.0, lines.join("\n") + "\n").unwrap();
    assert!(refusal(3, &scratch.0).contains("line 5: chunk 100000: want below "));
    let more = text
        .lines()
        .nth(4)
        .unwrap()
        .replace("\"searched\":", "\"searched\":1");
    lines[4] = &more;
    fs::write(&scratch.0, lines.join("\n") + "\n").unwrap();
    let error = refusal(3, &scratch.0);
    assert!(
        error.contains(" structures, got 1") && error.contains("; delete the file"),
        "{error}"
    );
}

#[test]
fn two_searches_cannot_share_a_ledger() {
    let scratch = Scratch::new("shared");
    let spec = SearchSpec::new(11, 4, 8).unwrap();
    let options = SearchOptions {
        ledger: Some(scratch.0.clone()),
        ..Default::default()
    };
    let mut inner = None;
    search(&spec, &options, &mut |_| {
        inner.get_or_insert_with(|| search(&spec, &options, &mut go_on).unwrap_err().to_string());
        ControlFlow::Break(())
    })
    .unwrap();
    let path = scratch.0.display();
    let want = format!("ledger {path}: in use by another search; wait for it or name another file");
    assert_eq!(inner.unwrap(), want);
}

#[test]
fn a_missing_folder_is_an_error_of_the_ledger() {
    let error = refusal(3, Path::new("/no/such/folder/ledger.jsonl"));
    assert!(
        error.starts_with("ledger /no/such/folder/ledger.jsonl: "),
        "{error}"
    );
}
