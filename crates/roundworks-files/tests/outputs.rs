//! What an output may be, and who has the last word before it is there.

use std::fs::{self, OpenOptions};
use std::path::PathBuf;
use std::process::Command;

use roundworks_files::{DEFAULT_CIPHER, KeySource, Kind, Request, create_key_file, open, seal};

/// A folder with a key and an input, gone at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let own = format!("roundworks-outputs-{name}-{}", std::process::id());
        let folder = Self(std::env::temp_dir().join(own));
        fs::create_dir(&folder.0).expect("a new folder");
        create_key_file(&folder.0.join("my.key")).expect("a key");
        fs::write(folder.0.join("data"), [7; 1000]).expect("written");
        folder
    }

    fn request(&self, output: Option<&str>) -> Request {
        Request {
            input: Some(self.0.join("data")),
            output: output.map(|name| self.0.join(name)),
            key: KeySource::KeyFile(self.0.join("my.key")),
            research: false,
            replace: true,
            sync: false,
            terminal: false,
        }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn what_is_needed_is_not_replaced_whatever_follows_its_name() {
    let folder = Folder::new("slash");
    let key = fs::read(folder.0.join("my.key")).expect("a key");
    for name in [
        "my.key/", "my.key//", "my.key/.", "data/", "data/./", "new/",
    ] {
        let error = seal(&folder.request(Some(name)), DEFAULT_CIPHER, &mut |_, _| {
            true
        })
        .expect_err("not a file");
        assert!(matches!(error.kind, Kind::NotAName), "{name}: {error}");
    }
    for (name, what) in [("my.key", "key file"), ("data", "input")] {
        let error = seal(&folder.request(Some(name)), DEFAULT_CIPHER, &mut |_, _| {
            true
        })
        .expect_err("needed");
        assert!(
            matches!(error.kind, Kind::Needed(is) if is == what),
            "{name}: {error}"
        );
    }
    assert_eq!(fs::read(folder.0.join("my.key")).expect("a key"), key);
    assert_eq!(fs::read(folder.0.join("data")).expect("data"), [7; 1000]);
    assert!(!folder.0.join("new").exists());
}

#[test]
fn the_last_result_of_the_watch_stops_too() {
    let folder = Folder::new("watch");
    let request = folder.request(Some("sealed"));
    let mut calls = 0;
    let mut count = |_, _| {
        calls += 1;
        true
    };
    seal(&request, DEFAULT_CIPHER, &mut count).expect("sealed");
    let (key, data) = (folder.0.join("my.key"), folder.0.join("data"));
    fs::remove_file(folder.0.join("sealed")).expect("it is there");
    // However often it is called before: only the end is refused.
    let mut at_the_end = |read, total| Some(read) != total;
    let error = seal(&request, DEFAULT_CIPHER, &mut at_the_end).expect_err("stopped");
    assert!(calls > 0 && matches!(error.kind, Kind::Stopped), "{error}");
    assert!(!folder.0.join("sealed").exists());
    assert!(key.exists() && data.exists());

    seal(&request, DEFAULT_CIPHER, &mut |_, _| true).expect("sealed");
    let mut sealed = fs::read(folder.0.join("sealed")).expect("sealed");
    *sealed.last_mut().expect("not empty") ^= 1;
    fs::write(folder.0.join("data"), sealed).expect("written");
    let request = folder.request(Some("opened"));
    let error = open(&request, &mut at_the_end).expect_err("changed");
    assert!(error.kind.is_refusal(), "a stop hides it: {error}");
}

/// In a process of its own, whose standard output is the input.
#[test]
fn a_stream_is_not_the_input() {
    const DATA: &str = "ROUNDWORKS_TEST_OWN_INPUT";
    if let Some(folder) = std::env::var_os(DATA) {
        let folder = std::mem::ManuallyDrop::new(Folder(folder.into()));
        // Without the refusal it would not end by itself.
        let mut some = |read, _| read < 1 << 20;
        let done = seal(&folder.request(None), DEFAULT_CIPHER, &mut some);
        let refused = matches!(done, Err(error) if matches!(error.kind, Kind::Needed("input")));
        std::process::exit(if refused { 42 } else { 43 });
    }
    let folder = Folder::new("stream");
    let data = folder.0.join("data");
    fs::write(&data, vec![7; 3 << 20]).expect("written");
    let append = OpenOptions::new().append(true).open(&data).expect("data");
    let child = Command::new(std::env::current_exe().expect("this program"))
        .args(["--exact", "a_stream_is_not_the_input", "--nocapture"])
        .env(DATA, &folder.0)
        .stdout(append)
        .status()
        .expect("ran");
    assert_eq!(child.code(), Some(42));
}
