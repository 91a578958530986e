//! What can go wrong, in one line each.

use std::fmt;

/// Why a call on a GPU failed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// As on the CPU: a wrong size, or a message that is not authentic.
    Cipher(roundworks::Error),
    /// A number or a place in memory that the device cannot use.
    Argument(String),
    /// No driver, no GPU, a driver that is too old, no machine code, no such cipher here.
    Unavailable(String),
    /// The GPU has too little memory, or its host too little that can be pinned.
    Memory(String),
    /// The driver refused a call.
    Driver(String),
    /// A function of the caller's said to stop: see [`Gpu::stop_when`](crate::Gpu::stop_when).
    Interrupted,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cipher(error) => error.fmt(f),
            Self::Argument(line)
            | Self::Unavailable(line)
            | Self::Memory(line)
            | Self::Driver(line) => f.write_str(line),
            Self::Interrupted => f.write_str("interrupted by the caller"),
        }
    }
}

impl std::error::Error for Error {}

impl From<roundworks::Error> for Error {
    fn from(error: roundworks::Error) -> Self {
        Self::Cipher(error)
    }
}

/// What most calls here return.
pub(crate) type Result<T = ()> = std::result::Result<T, Error>;

/// `nonce: want 12 bytes, got 13`
pub(crate) fn check(what: &'static str, got: usize, want: usize) -> Result {
    if got == want {
        return Ok(());
    }
    Err(roundworks::Error::Length { what, want, got }.into())
}

/// `data: want at most 64 bytes, got 65`
pub(crate) fn at_most(what: &'static str, got: usize, most: usize) -> Result {
    if got <= most {
        return Ok(());
    }
    Err(roundworks::Error::Most { what, most, got }.into())
}
