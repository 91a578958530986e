//! Sealed files: a file or stream as a header and a sequence of sealed chunks of 64 KiB.
//!
//! The format, and what it claims, is `docs/reference/files.md`. [`seal`] and [`open`] work in constant
//! memory; their output appears whole or not at all, or, on a stream, chunk after verified chunk.
#![forbid(unsafe_code)]

mod chunk;
mod cipher;
mod error;
mod header;
mod input;
mod output;
mod pipeline;
mod secret;
mod terminal;
mod waiting;

use std::path::{Path, PathBuf};

pub use crate::cipher::{DEFAULT_CIPHER, ciphers};
pub use crate::error::{Error, Kind};
pub use crate::header::{Argon2id, CHUNK_BYTES, Header, MAX_CHUNKS, Source};
pub use crate::secret::{KeySource, PASSPHRASE_VARIABLE, create_key_file, readable_by_others};

use crate::chunk::Chunks;
use crate::input::Input;
use crate::output::{Output, Rights, identity};
use crate::pipeline::{Direction, Side};
use crate::secret::FileKeys;
use crate::waiting::unless_stopped;

/// What both directions need.
#[derive(Clone, Debug)]
pub struct Request {
    /// File to read; `None` for standard input.
    pub input: Option<PathBuf>,
    /// File to make; `None` for standard output.
    pub output: Option<PathBuf>,
    /// Where the key is.
    pub key: KeySource,
    /// Take a cipher that is for research only.
    pub research: bool,
    /// Replace a file that is there already.
    pub replace: bool,
    /// Have the bytes on the disk before the file gets its name.
    pub sync: bool,
    /// Write to standard output even if it is a terminal.
    pub terminal: bool,
}

/// What was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Summary {
    /// Name of the cipher.
    pub cipher: &'static str,
    /// Bytes of the new file, or written to the stream.
    pub written: u64,
}

/// Called now and then with the bytes read so far and, if known, those there are; false stops.
/// Called at least once, the last time when every byte is read and the file has no name yet.
pub type Watch<'a> = &'a mut dyn FnMut(u64, Option<u64>) -> bool;

/// Seals a file or stream with the cipher of this name.
///
/// # Errors
///
/// See [`Kind`]. No output file is left then, except after [`Kind::NameNotSynced`].
pub fn seal(request: &Request, cipher: &str, watch: Watch<'_>) -> Result<Summary, Error> {
    let names = Names::of(request);
    let unknown = || Kind::UnknownCipher(cipher.escape_debug().to_string());
    let cipher = cipher::named(cipher).ok_or_else(unknown);
    let allowed = cipher.and_then(|facts| cipher::allow(facts, request.research).map(|()| facts));
    let cipher = allowed.map_err(|kind| kind.of(""))?;
    let mut stop = || !watch(0, None);
    let input = names.open_input(request, &mut stop)?;
    if input
        .bytes
        .is_some_and(|b| b > MAX_CHUNKS * CHUNK_BYTES as u64)
    {
        return Err(Kind::TooLong.of(&names.input));
    }
    let output = names.open_output(request, &input, Rights::Ordinary)?;
    let mut header = Header {
        cipher,
        source: match request.key {
            KeySource::KeyFile(_) => Source::KeyFile,
            _ => Source::Passphrase(Argon2id::RECOMMENDED),
        },
        salt: [0; 32],
        check: [0; 32],
    };
    secret::random(&mut header.salt).map_err(|kind| kind.of(&names.output))?;
    let secret = secret::secret(&request.key, &header, &names.input, true, &mut stop)?;
    let keys = FileKeys::derive(&secret, &header).map_err(|kind| kind.of(&names.input))?;
    drop(secret);
    let (chunks, check) = keys.begin();
    header.check = check;
    let start = header.to_bytes();
    let (written, failed) = pipeline::write(&output.file, None, &start, || false);
    if let Some(kind) = failed {
        return Err(names.failure(&output, written as u64, (Side::Output, kind)));
    }
    let work = Work {
        names,
        input,
        output,
        chunks,
        header,
        written: written as u64,
    };
    work.run(Direction::Seal, request.sync, watch)
}

/// Opens what [`seal`] made.
///
/// # Errors
///
/// See [`Kind`]. No output file is left then, except after [`Kind::NameNotSynced`]; to a stream, whole verified chunks may have been
/// written, and [`Error::released`] says how much.
pub fn open(request: &Request, watch: Watch<'_>) -> Result<Summary, Error> {
    let names = Names::of(request);
    let mut stop = || !watch(0, None);
    let input = names.open_input(request, &mut stop)?;
    let output = names.open_output(request, &input, Rights::OwnerOnly)?;
    let (input, header) = read_header(input, &mut stop).map_err(|kind| kind.of(&names.input))?;
    let refused = |kind: Kind| kind.of(&names.input);
    cipher::allow(header.cipher, request.research).map_err(refused)?;
    let whole = (CHUNK_BYTES + header.cipher.tag_bytes) as u64;
    if input.bytes.is_some_and(|b| b / whole > MAX_CHUNKS) {
        return Err(refused(Kind::TooLong));
    }
    let secret = secret::secret(&request.key, &header, &names.input, false, &mut stop)?;
    let keys = FileKeys::derive(&secret, &header).map_err(refused)?;
    drop(secret);
    let chunks = keys.checked(&header).map_err(refused)?;
    let work = Work {
        names,
        input,
        output,
        chunks,
        header,
        written: 0,
    };
    work.run(Direction::Open, request.sync, watch)
}

/// What the header of a sealed file says; nothing of it is verified without the key. `stop` is called while it waits for
/// a pipe, and ends that with true.
///
/// # Errors
///
/// [`Kind::Foreign`] for any other file; see [`Header::from_bytes`].
pub fn inspect(
    input: Option<&Path>,
    stop: &mut dyn FnMut() -> bool,
) -> Result<(Header, Option<Extent>), Error> {
    let name = display(input, "standard input");
    let mut read = || -> Result<_, Kind> {
        let input = opened(input, stop)?;
        let bytes = input.bytes;
        let (_, header) = read_header(input, stop)?;
        Ok((
            header.clone(),
            bytes.and_then(|bytes| Extent::of(&header, bytes)),
        ))
    };
    read().map_err(|kind| kind.of(&name))
}

/// How long a sealed file is, if it is whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// All of it.
    pub file_bytes: u64,
    /// Its chunks.
    pub chunks: u64,
    /// What was sealed.
    pub data_bytes: u64,
}

impl Extent {
    /// `None` where no file has this length.
    fn of(header: &Header, file_bytes: u64) -> Option<Self> {
        let tag = header.cipher.tag_bytes as u64;
        let sealed = file_bytes.checked_sub(Header::BYTES as u64)?;
        let chunks = sealed.div_ceil(CHUNK_BYTES as u64 + tag);
        let data_bytes = sealed.checked_sub(chunks * tag)?;
        (chunks > 0).then_some(Self {
            file_bytes,
            chunks,
            data_bytes,
        })
    }
}

/// A file, or standard input. A named pipe opens once somebody writes to it.
fn opened(path: Option<&Path>, stop: &mut dyn FnMut() -> bool) -> Result<Input, Kind> {
    let Some(path) = path.map(Path::to_owned) else {
        return Input::stdin();
    };
    unless_stopped(stop, move || Input::open(&path))
}

fn read_header(mut input: Input, stop: &mut dyn FnMut() -> bool) -> Result<(Input, Header), Kind> {
    unless_stopped(stop, move || {
        let mut start = [0; Header::BYTES];
        let len = input.start(&mut start)?;
        Ok((input, Header::from_bytes(&start[..len])?))
    })
}

fn display(path: Option<&Path>, stream: &str) -> String {
    path.map_or_else(|| stream.to_owned(), |p| p.to_string_lossy().into_owned())
}

/// How messages call the two ends.
struct Names {
    input: String,
    output: String,
}

impl Names {
    fn of(request: &Request) -> Self {
        Self {
            input: display(request.input.as_deref(), "standard input"),
            output: display(request.output.as_deref(), "standard output"),
        }
    }

    fn open_input(
        &self,
        request: &Request,
        stop: &mut dyn FnMut() -> bool,
    ) -> Result<Input, Error> {
        opened(request.input.as_deref(), stop).map_err(|kind| kind.of(&self.input))
    }

    fn open_output(
        &self,
        request: &Request,
        input: &Input,
        rights: Rights,
    ) -> Result<Output, Error> {
        let key = match &request.key {
            KeySource::KeyFile(path) => Some(("key file", path)),
            KeySource::PassphraseFile(path) => Some(("passphrase file", path)),
            KeySource::Passphrase => None,
        };
        // That a key file is not there is an error when it is read.
        let key = key.and_then(|(what, path)| Some((what, identity(&path.metadata().ok()?))));
        let input = input.identity().map_err(|kind| kind.of(&self.input))?;
        let needed: Vec<_> = [("input", input)].into_iter().chain(key).collect();
        let output = match &request.output {
            None => Output::stream(request.terminal, &needed),
            Some(path) => Output::file(path, rights, request.replace, &needed),
        };
        output.map_err(|kind| kind.of(&self.output))
    }

    fn failure(&self, output: &Output, written: u64, (side, kind): (Side, Kind)) -> Error {
        Error {
            file: match side {
                Side::Input => self.input.clone(),
                Side::Output => self.output.clone(),
            },
            kind,
            released: (output.is_stream() && written > 0).then_some(written),
        }
    }
}

/// Everything is ready.
struct Work {
    names: Names,
    input: Input,
    output: Output,
    chunks: Chunks,
    header: Header,
    /// Bytes of the output that are written already.
    written: u64,
}

impl Work {
    fn run(self, direction: Direction, sync: bool, watch: Watch<'_>) -> Result<Summary, Error> {
        let total = self.input.bytes;
        let file = self.output.file.clone();
        let start = (!self.output.is_stream()).then_some(self.written);
        let mut watch = |read: u64| watch(read, total);
        let outcome = pipeline::run(self.chunks, direction, self.input, file, start, &mut watch);
        let written = self.written + outcome.written;
        if let Some(failed) = outcome.failed {
            return Err(self.names.failure(&self.output, written, failed));
        }
        let name = self.names.output;
        self.output.commit(sync).map_err(|kind| kind.of(&name))?;
        Ok(Summary {
            cipher: self.header.cipher.name,
            written,
        })
    }
}
