//! What can go wrong, in one line each.

use std::fmt;
use std::io;

use crate::header::{Header, MAX_CHUNKS};

/// Why a file was not sealed, opened or inspected. `Display` is one line: which file, what is
/// wrong, what was done about it.
#[derive(Debug)]
pub struct Error {
    /// The file concerned, as the caller named it; empty where it is none.
    pub file: String,
    /// What is wrong with it.
    pub kind: Kind,
    /// Bytes already written to a stream that cannot be taken back; `None` if nothing was.
    pub released: Option<u64>,
}

/// What is wrong.
#[derive(Debug)]
#[non_exhaustive]
pub enum Kind {
    /// The key check of the header does not belong to this key and this header.
    WrongKey {
        /// What the key came from: `key` or `passphrase`.
        what: &'static str,
    },
    /// A chunk does not verify.
    BadChunk {
        /// Its number, from 0.
        index: u64,
        /// Whether nothing follows it in the file.
        at_end: bool,
    },
    /// The file ends after a whole chunk that is not marked as the last.
    CutAfter {
        /// Number of that chunk, from 0.
        index: u64,
    },
    /// What is left of a chunk is shorter than its tag.
    CutInTag {
        /// Its number, from 0.
        index: u64,
        /// Its bytes.
        got: usize,
        /// The minimum a chunk has.
        want: usize,
    },
    /// The file ends within its header.
    CutInHeader {
        /// Its bytes.
        got: usize,
    },
    /// A header, and nothing else.
    NoChunk,
    /// Something follows the chunk that is marked as the last.
    Extended {
        /// Number of that chunk, from 0.
        index: u64,
    },
    /// A last chunk without a byte, after others: no sealer makes one.
    EmptyLast {
        /// Its number, from 0.
        index: u64,
    },

    /// Another kind of file.
    Foreign,
    /// A version of the format that this program does not know.
    Version(u16),
    /// A header field that this program refuses: what it is, wanted, got.
    Field(&'static str, String, String),
    /// The cipher is for research only and the caller did not request that.
    Research(&'static str),
    /// No cipher of that name.
    UnknownCipher(String),
    /// The cipher's nonce is too short for a counter.
    ShortNonce {
        /// Name of the cipher.
        cipher: &'static str,
        /// Its bytes.
        got: usize,
    },
    /// The cipher pads, so that the size of a file would not tell the size of its data.
    Padding(&'static str),
    /// More chunks than a file may have.
    TooLong,
    /// The file was sealed with the other kind of key.
    OtherKey {
        /// The kind that it wants: `key file` or `passphrase`.
        want: &'static str,
    },
    /// Not a key file, or not a whole one.
    NotAKey,
    /// A passphrase that cannot be one; the text says why.
    Passphrase(&'static str),
    /// The operating system refused the memory that a passphrase takes.
    Memory {
        /// What Argon2id was to have, by the header.
        want_kib: u32,
    },
    /// The output is there already.
    Exists,
    /// The name of the output can only be a folder's.
    NotAName,
    /// The output is no regular file, so it cannot be replaced as a whole.
    Irregular,
    /// A key file is there already: it is never replaced.
    KeyExists,
    /// The output is a file that is needed: the input or the key.
    Needed(&'static str),
    /// The output is a terminal.
    Terminal,
    /// The input became shorter while it was read.
    Changed,
    /// The caller stopped it.
    Stopped,
    /// The output is there, whole, but the operating system could not put its name on the disk.
    NameNotSynced(io::Error),
    /// The operating system gave no thread.
    Threads(io::Error),
    /// The operating system refused.
    Io(io::Error),
}

impl Kind {
    /// Whether this is a sealed file that does not verify, as opposed to wrong use or a failure of
    /// the system.
    pub fn is_refusal(&self) -> bool {
        matches!(
            self,
            Self::WrongKey { .. }
                | Self::BadChunk { .. }
                | Self::CutAfter { .. }
                | Self::CutInTag { .. }
                | Self::CutInHeader { .. }
                | Self::NoChunk
                | Self::Extended { .. }
                | Self::EmptyLast { .. }
        )
    }

    pub(crate) fn of(self, file: &str) -> Error {
        Error {
            file: file.to_owned(),
            kind: self,
            released: None,
        }
    }
}

impl From<io::Error> for Kind {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<rustix::io::Errno> for Kind {
    fn from(error: rustix::io::Errno) -> Self {
        Self::Io(error.into())
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::WrongKey { what } => write!(
                f,
                "authentication failed at the header: wrong {what}, or the header was changed"
            ),
            Self::BadChunk {
                index,
                at_end: false,
            } => write!(
                f,
                "authentication failed at chunk {index}: changed, moved or of another file"
            ),
            Self::BadChunk {
                index,
                at_end: true,
            } => write!(
                f,
                "authentication failed at chunk {index}, where the file ends: changed, cut or extended"
            ),
            Self::CutAfter { index } => write!(
                f,
                "truncated: the file ends after chunk {index}, which is not the last"
            ),
            Self::CutInTag { index, got, want } => write!(
                f,
                "truncated: chunk {index}: want at least {want} bytes, got {got}"
            ),
            Self::CutInHeader { got } => write!(
                f,
                "truncated: header: want {} bytes, got {got}",
                Header::BYTES
            ),
            Self::NoChunk => f.write_str("truncated: the file ends after its header"),
            Self::Extended { index } => write!(
                f,
                "extended: chunk {index} is marked as the last, but more follows"
            ),
            Self::EmptyLast { index } => {
                write!(f, "chunk {index}: empty, which only the first chunk may be")
            }
            Self::Foreign => f.write_str("not a sealed file: it does not begin as one"),
            Self::Version(got) => write!(
                f,
                "version: want {}, got {got}; a newer roundworks may read it",
                Header::VERSION
            ),
            Self::Field(what, want, got) => write!(f, "header: {what}: want {want}, got {got}"),
            Self::Research(cipher) => write!(
                f,
                "cipher {cipher}: for research only, protects nothing; --research takes it anyway"
            ),
            Self::UnknownCipher(name) => {
                write!(f, "cipher '{name}': not known; one of ")?;
                let mut known = crate::cipher::ciphers();
                let listed = known.try_fold("", |comma, facts| {
                    write!(f, "{comma}{}", facts.name).map(|()| ", ")
                });
                listed.map(drop)
            }
            Self::ShortNonce { cipher, got } => write!(
                f,
                "cipher {cipher}: nonce: want {} bytes or more for the chunk counter, got {got}",
                crate::chunk::MIN_NONCE_BYTES
            ),
            Self::Padding(cipher) => write!(
                f,
                "cipher {cipher}: pads its data; want one whose ciphertext is as long as its data, \
                 such as {}",
                crate::cipher::DEFAULT_CIPHER
            ),
            Self::TooLong => write!(f, "too long: want at most {MAX_CHUNKS} chunks of 64 KiB"),
            Self::OtherKey { want: "passphrase" } => f.write_str(
                "sealed with a passphrase: want --passphrase or --passphrase-file, not --key",
            ),
            Self::OtherKey { .. } => {
                f.write_str("sealed with a key file: want --key, not a passphrase")
            }
            Self::NotAKey => f.write_str(
                "not a key file: want the line 'roundworks-key-1' and a line of 64 hex digits",
            ),
            Self::Passphrase(why) => write!(f, "passphrase: {why}"),
            Self::Memory { want_kib } => write!(
                f,
                "passphrase: want {want_kib} KiB of memory for Argon2id, which the system refuses; \
                 free some or raise the limit (ulimit -v)"
            ),
            Self::Exists => f.write_str("exists; --force replaces it"),
            Self::KeyExists => f.write_str("exists; a key file is never replaced"),
            Self::NotAName => f.write_str("not the name of a file"),
            Self::Irregular => {
                f.write_str("not a regular file; write to standard output (-) instead")
            }
            Self::Needed(what) => write!(f, "is the {what}; want another output"),
            Self::Terminal => f.write_str("a terminal: want -o FILE, or a pipe"),
            Self::Changed => f.write_str("became shorter while it was read"),
            Self::Stopped => f.write_str("stopped"),
            Self::NameNotSynced(error) => write!(
                f,
                "written, but its name may not survive a power cut: {}",
                without_number(error)
            ),
            Self::Threads(error) => write!(f, "no thread to work in: {}", without_number(error)),
            Self::Io(error) => f.write_str(&without_number(error)),
        }
    }
}

/// Without the number that `Display` of an operating system's error ends in.
fn without_number(error: &io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error").next().unwrap_or(&text).to_owned()
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.file.is_empty() {
            write!(f, "{}: ", self.file)?;
        }
        write!(f, "{}", self.kind)?;
        match self.released {
            Some(bytes) => write!(f, "; the {bytes} bytes already written are incomplete"),
            None if self.kind.is_refusal() => f.write_str("; nothing was written"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.kind {
            Kind::Io(error) | Kind::NameNotSynced(error) | Kind::Threads(error) => Some(error),
            _ => None,
        }
    }
}
