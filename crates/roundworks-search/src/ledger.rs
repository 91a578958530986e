//! The file that lets a stopped search go on: JSON lines, one for each finished chunk.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::error::Error;

/// Raised whenever chunks or what is stored about them change their meaning.
const ENGINE: u32 = 1;

/// First line: which search this is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Header {
    ledger: String,
    engine: u32,
    words: usize,
    inputs: usize,
    active: u32,
    keep: usize,
    chunks: usize,
}

impl Header {
    pub fn new(words: usize, inputs: usize, active: u32, keep: usize, chunks: usize) -> Self {
        let ledger = "roundworks-search".to_owned();
        Self {
            ledger,
            engine: ENGINE,
            words,
            inputs,
            active,
            keep,
            chunks,
        }
    }

    fn describe(&self) -> String {
        format!(
            "words {}, inputs {}, active {}, keep {}, engine {}",
            self.words, self.inputs, self.active, self.keep, self.engine
        )
    }
}

/// Any further line: one finished chunk.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Entry {
    /// Its place in the list of chunks.
    pub chunk: usize,
    /// Structures in it, rotations counted.
    pub searched: u64,
    /// Structures found in it, rotations counted.
    pub found: u64,
    /// Message positions and `pi` of those kept, one for each class of rotations.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub structures: Vec<(Vec<usize>, Vec<usize>)>,
}

/// An open ledger, locked against other searches while it lives.
pub(crate) struct Ledger {
    path: PathBuf,
    file: File,
    pending: Vec<u8>,
}

/// What a ledger contained when it was opened.
pub(crate) struct Opened {
    pub ledger: Ledger,
    pub entries: Vec<Entry>,
    /// What was odd but could be mended.
    pub note: Option<String>,
}

impl Ledger {
    /// Open or create the ledger of the search that `header` describes.
    pub fn open(path: &Path, header: &Header) -> Result<Opened, Error> {
        let io = |source| Error::Io {
            path: path.into(),
            source,
        };
        let wrong = |problem: String| Error::Ledger {
            path: path.into(),
            problem,
        };
        let mut options = OpenOptions::new();
        let mut file = options
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(io)?;
        file.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => {
                wrong("in use by another search; wait for it or name another file".into())
            }
            TryLockError::Error(source) => io(source),
        })?;
        let mut text = String::new();
        file.read_to_string(&mut text).map_err(io)?;

        let mut note = None;
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        let (lines, cut) = text.split_at(whole);
        let first = to_line(header).map_err(io)?;
        let entries = match lines.split_once('\n') {
            // Nothing but perhaps a cut header: ours, if it agrees as far as it goes.
            None if first.starts_with(cut.as_bytes()) => Vec::new(),
            None => {
                return Err(wrong(
                    "line 1: not a ledger of this search; name another file".into(),
                ));
            }
            Some((head, rest)) => {
                check_header(head, header).map_err(wrong)?;
                read_entries(rest, header.chunks).map_err(wrong)?
            }
        };
        if !cut.is_empty() {
            file.set_len(whole as u64).map_err(io)?;
            let path = path.display();
            note = Some(format!(
                "ledger {path}: the last line was cut; that part is searched again"
            ));
        }
        file.seek(SeekFrom::End(0)).map_err(io)?;
        let mut ledger = Self {
            path: path.into(),
            file,
            pending: Vec::new(),
        };
        if whole == 0 {
            ledger.pending = first;
            ledger.flush()?;
        }
        Ok(Opened {
            ledger,
            entries,
            note,
        })
    }

    /// Note a finished chunk; it is safe after the next [`Ledger::flush`].
    pub fn append(&mut self, entry: &Entry) -> Result<(), Error> {
        let line = to_line(entry).map_err(|source| self.error(source))?;
        self.pending.extend(line);
        Ok(())
    }

    /// Bring everything noted to the disk.
    pub fn flush(&mut self) -> Result<(), Error> {
        if self.pending.is_empty() {
            return Ok(());
        }
        let pending = std::mem::take(&mut self.pending);
        let written = self
            .file
            .write_all(&pending)
            .and_then(|()| self.file.sync_data());
        written.map_err(|source| self.error(source))
    }

    fn error(&self, source: io::Error) -> Error {
        Error::Io {
            path: self.path.clone(),
            source,
        }
    }
}

fn to_line(value: &impl Serialize) -> io::Result<Vec<u8>> {
    let mut line = serde_json::to_vec(value)?;
    line.push(b'\n');
    Ok(line)
}

fn check_header(line: &str, want: &Header) -> Result<(), String> {
    let Ok(got) = serde_json::from_str::<Header>(line) else {
        return Err("line 1: not a ledger of this search; name another file".into());
    };
    if got != *want {
        return Err(format!(
            "made for {}; this search is {}; name another file, or delete this one to start over",
            got.describe(),
            want.describe()
        ));
    }
    Ok(())
}

fn read_entries(text: &str, chunks: usize) -> Result<Vec<Entry>, String> {
    let mut seen = vec![false; chunks];
    let mut entries = Vec::new();
    for (at, line) in text.lines().enumerate() {
        let damaged = |what: &str| {
            Err(format!(
                "line {}: {what}; delete the file to start over",
                at + 2
            ))
        };
        let Ok(entry) = serde_json::from_str::<Entry>(line) else {
            return damaged("not a finished chunk");
        };
        match seen.get_mut(entry.chunk) {
            None => return damaged(&format!("chunk {}: want below {chunks}", entry.chunk)),
            Some(true) => return damaged(&format!("chunk {} a second time", entry.chunk)),
            Some(seen) => *seen = true,
        }
        entries.push(entry);
    }
    Ok(entries)
}
