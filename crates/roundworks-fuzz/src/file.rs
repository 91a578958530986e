//! A whole sealed file, from a stranger: only what was sealed opens, and what is refused leaves no
//! file.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use roundworks_files::{CHUNK_BYTES, Header, KeySource, Request, ciphers, inspect, open, seal};

use crate::input::Input;

/// That of the sealed files in the corpus.
const KEY: &str =
    "roundworks-key-1\n4242424242424242424242424242424242424242424242424242424242424242\n";
/// An empty file, less than a chunk, a boundary between chunks, and an end just behind one.
const SIZES: [usize; 4] = [0, 100, 2 * CHUNK_BYTES, CHUNK_BYTES + 5];

pub(crate) fn run(input: &[u8]) {
    let folder = Folder::new();
    folder.opened(input); // as it is, then as changes of what was sealed

    let mut input = Input::new(input);
    let cipher = usize::from(input.byte()) % ciphers().count();
    let size = usize::from(input.byte()) % SIZES.len();
    let sealed = &originals()[cipher][size];
    let mut changed = sealed.clone();
    let chunk = CHUNK_BYTES + usize::from(sealed[11]); // with its tag
    for _ in 0..input.byte() % 4 {
        change(&mut changed, chunk, &mut input);
    }
    let opened = folder.opened(&changed);
    if changed == *sealed {
        assert!(opened == Some(data(SIZES[size])), "not what was sealed");
    } else {
        assert!(opened.is_none(), "opens what was not sealed");
    }
}

/// One byte, the length, or the order of the chunks.
fn change(file: &mut Vec<u8>, chunk: usize, input: &mut Input<'_>) {
    let place = (input.below(1 << 16) << 8 | usize::from(input.byte())) % (file.len() + 1);
    let first = Header::BYTES..Header::BYTES + chunk;
    let chunks = file.len().saturating_sub(Header::BYTES) / chunk;
    match input.byte() % 6 {
        0 => file.truncate(place),
        1 => file.extend(input.bytes(place % 100)),
        2 if chunks > 0 => drop(file.drain(first)),
        3 if chunks > 0 => file.extend_from_within(first),
        4 if chunks > 1 => file[first.start..first.end + chunk].rotate_left(chunk),
        _ => {
            if let Some(byte) = file.get_mut(place) {
                *byte ^= input.byte();
            }
        }
    }
}

fn data(bytes: usize) -> Vec<u8> {
    (0..bytes).map(|i| (i / 7) as u8).collect()
}

/// For each cipher, a sealed file of each size.
fn originals() -> &'static [Vec<Vec<u8>>] {
    static MADE: OnceLock<Vec<Vec<Vec<u8>>>> = OnceLock::new();
    MADE.get_or_init(|| {
        let folder = Folder::new();
        let sealed = |cipher: &str, bytes| {
            fs::write(folder.path("in"), data(bytes)).expect("a folder of our own");
            let done = seal(&folder.request(), cipher, &mut |_, _| true);
            done.expect("an ordinary file");
            fs::read(folder.path("out")).expect("was sealed")
        };
        ciphers()
            .map(|facts| SIZES.map(|bytes| sealed(facts.name, bytes)).into())
            .collect()
    })
}

/// With a key in it, gone at the end.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        // In memory, where there is such a place: it is made for every input.
        let parent = Path::new("/dev/shm");
        let temporary = std::env::temp_dir();
        let parent = if parent.is_dir() { parent } else { &temporary };
        let folder = Self(parent.join(format!("roundworks-fuzz-{}-{number}", std::process::id())));
        fs::create_dir(&folder.0).expect("a new folder");
        fs::write(folder.path("key"), KEY).expect("a folder of our own");
        folder
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    fn request(&self) -> Request {
        Request {
            input: Some(self.path("in")),
            output: Some(self.path("out")),
            key: KeySource::KeyFile(self.path("key")),
            research: true,
            replace: true,
            sync: false,
            terminal: false,
        }
    }

    /// Of all that is in it.
    fn names(&self) -> Vec<OsString> {
        let entries = fs::read_dir(&self.0).expect("a folder of our own");
        let mut names: Vec<_> = entries.map(|e| e.expect("an entry").file_name()).collect();
        names.sort();
        names
    }

    /// What a sealed file holds, if it opens.
    fn opened(&self, sealed: &[u8]) -> Option<Vec<u8>> {
        fs::write(self.path("in"), sealed).expect("a folder of our own");
        let done = open(&self.request(), &mut |_, _| true);
        match done {
            Ok(summary) => {
                let made = fs::read(self.path("out")).expect("an opened file");
                let extent = inspect(Some(&self.path("in")), &mut || false)
                    .expect("it was opened")
                    .1;
                let extent = extent.expect("of a regular file").data_bytes;
                let bytes = made.len() as u64;
                assert_eq!((summary.written, extent), (bytes, bytes));
                fs::remove_file(self.path("out")).expect("it is there");
                Some(made)
            }
            Err(error) => {
                assert_eq!(
                    self.names(),
                    ["in", "key"],
                    "refused, and yet a file: {error}"
                );
                assert!(error.released.is_none(), "not a stream: {error}");
                let said = error.to_string();
                assert!(said.chars().all(|c| !c.is_control()), "{said:?}");
                None
            }
        }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::Folder;
    use crate::corpus;

    /// A seed with another key would never get past the header.
    #[test]
    fn sealed_files_of_the_corpus_open() {
        let inputs = corpus::read("file").expect("a corpus");
        let folder = Folder::new();
        let open = inputs.iter().filter(|i| folder.opened(i).is_some());
        assert!(open.count() >= 2, "want two sealed files in the corpus");
    }
}
