//! Tests of `output`.

use std::fs;
use std::io::Write;

use super::*;

/// A folder of its own, gone at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let own = format!("roundworks-{name}-{}", std::process::id());
        let path = std::env::temp_dir().join(own);
        fs::create_dir(&path).expect("a new folder");
        Self(path)
    }

    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).expect("a folder");
        let name = |e: io::Result<fs::DirEntry>| e.expect("an entry").file_name();
        entries
            .map(|e| name(e).into_string().expect("ASCII"))
            .collect()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// An output as a file system without nameless files has it.
fn named_output(folder: &Folder, name: &str, replace: bool) -> Output {
    let open = File::open(&folder.0).expect("a folder");
    let mode = Mode::from_raw_mode(0o600);
    let (file, temporary) = named(&open, OsStr::new(name), mode).expect("a hidden file");
    (&file).write_all(b"new").expect("written");
    Output {
        file: Arc::new(file),
        place: Place::Hidden {
            folder: open,
            name: name.into(),
            temporary: Some(temporary),
            replace,
        },
    }
}

#[test]
fn without_nameless_files() {
    let folder = Folder::new("named");
    let output = named_output(&folder, "a", false);
    let (names, end) = (folder.names(), ".partial");
    assert!(names.len() == 1 && names[0].starts_with(".a.") && names[0].ends_with(end));
    drop(output);
    assert!(folder.names().is_empty());

    named_output(&folder, "a", false)
        .commit(true)
        .expect("a new file");
    assert_eq!(folder.names(), ["a"]);
    let late = named_output(&folder, "a", false).commit(true);
    assert!(matches!(late, Err(Kind::Exists)));
    fs::write(folder.0.join("a"), "old").expect("written");
    named_output(&folder, "a", true)
        .commit(true)
        .expect("replaced");
    assert_eq!(fs::read(folder.0.join("a")).expect("a file"), b"new");
    fs::create_dir(folder.0.join("b")).expect("a new folder");
    let onto = named_output(&folder, "b", true).commit(true);
    assert!(matches!(onto, Err(Kind::Irregular)));
    assert_eq!(folder.names().len(), 2);
}

#[test]
fn a_file_made_meanwhile_is_not_replaced() {
    let folder = Folder::new("nameless");
    let path = folder.0.join("a");
    let output = Output::file(&path, Rights::Ordinary, false, &[]).expect("an output");
    fs::write(&path, "other").expect("written");
    assert!(matches!(output.commit(true), Err(Kind::Exists)));
    assert_eq!(fs::read(&path).expect("a file"), b"other");
    assert_eq!(folder.names(), ["a"]);
}

#[test]
fn a_folder_made_meanwhile_is_not_replaced() {
    let folder = Folder::new("meanwhile");
    let path = folder.0.join("a");
    let output = Output::file(&path, Rights::Ordinary, true, &[]).expect("an output");
    fs::create_dir(&path).expect("a new folder");
    let error = output.commit(true).expect_err("not a file");
    assert_eq!(
        error.to_string(),
        "not a regular file; write to standard output (-) instead"
    );
    assert_eq!(folder.names(), ["a"]);
}

#[test]
fn a_folder_that_cannot_be_synced_is_told_apart_from_a_failure() {
    let result = |error: Errno| name_synced(Err(error.into()));
    assert!(name_synced(Ok(())).is_ok());
    assert!(result(Errno::INVAL).is_ok() && result(Errno::NOTSUP).is_ok());
    assert_eq!(
        result(Errno::IO).expect_err("a failure").to_string(),
        "written, but its name may not survive a power cut: Input/output error"
    );
}

#[test]
fn a_file_that_cannot_be_looked_at_is_not_taken_for_absent() {
    let folder = Folder::new("looked-at");
    let path = folder.0.join("n".repeat(256));
    let made = Output::file(&path, Rights::Ordinary, true, &[]).err();
    assert!(matches!(made, Some(Kind::Io(_))), "before any work");
}

#[test]
fn long_names_have_space_for_a_hidden_one() {
    let folder = Folder::new("long");
    let long = "n".repeat(255);
    named_output(&folder, &long, false)
        .commit(false)
        .expect("a new file");
    assert_eq!(folder.names(), [long]);
}
