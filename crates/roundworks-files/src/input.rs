//! Where the bytes come from, read in runs of whole chunks.
#![forbid(unsafe_code)]

use std::fs::File;
use std::io::{self, ErrorKind, Read, Seek};
use std::os::unix::fs::FileExt;
use std::path::Path;

use rustix::event::PollFlags;
use zeroize::Zeroizing;

use crate::error::Kind;
use crate::output::{Identity, identity};
use crate::waiting::until_ready;

pub(crate) struct Input {
    file: File,
    /// Of a regular file, where to read next. Only there can one look ahead without reading.
    at: Option<u64>,
    /// Bytes from there to its end, when it was opened.
    pub(crate) bytes: Option<u64>,
    /// What was read of the next run already.
    carry: Zeroizing<Vec<u8>>,
    ended: bool,
}

/// What one call of [`Input::fill`] read.
pub(crate) struct Filled {
    pub(crate) bytes: usize,
    /// Nothing follows.
    pub(crate) last: bool,
}

impl Input {
    pub(crate) fn open(path: &Path) -> Result<Self, Kind> {
        Self::of(File::open(path)?)
    }

    pub(crate) fn stdin() -> Result<Self, Kind> {
        Self::of(File::from(rustix::stdio::stdin().try_clone_to_owned()?))
    }

    fn of(mut file: File) -> Result<Self, Kind> {
        let facts = file.metadata()?;
        if facts.is_dir() {
            return Err(io::Error::from(ErrorKind::IsADirectory).into());
        }
        // Files of the kernel say that they are empty, and are not.
        let regular = facts.is_file() && facts.len() > 0;
        let at = if regular {
            Some(file.stream_position()?)
        } else {
            None
        };
        Ok(Self {
            bytes: at.map(|at| facts.len().saturating_sub(at)),
            file,
            at,
            carry: Zeroizing::default(),
            ended: false,
        })
    }

    pub(crate) fn identity(&self) -> Result<Identity, Kind> {
        Ok(identity(&self.file.metadata()?))
    }

    /// The first bytes, as many as there are up to the length of `start`.
    pub(crate) fn start(&mut self, start: &mut [u8]) -> Result<usize, Kind> {
        let mut len = 0;
        while len < start.len() {
            match self.read(&mut start[len..])? {
                0 => break,
                bytes => len += bytes,
            }
        }
        Ok(len)
    }

    /// Fills `run`, which has space for whole chunks of `chunk` bytes, except at the end. A pipe
    /// that has nothing more to give for now ends a run early, after a whole chunk.
    pub(crate) fn fill(&mut self, run: &mut [u8], chunk: usize) -> Result<Option<Filled>, Kind> {
        if self.ended {
            return Ok(None);
        }
        let mut bytes = self.carry.len();
        run[..bytes].copy_from_slice(&self.carry);
        self.carry.clear(); // the next run overwrites it, and the end wipes all of it
        self.carry.reserve_exact(chunk);
        loop {
            if bytes == run.len() && self.at.is_some() {
                self.ended = self.at_end()?;
                break;
            }
            // One byte more than the run shows whether it is the last.
            let mut beyond = [0];
            let whole = bytes == run.len();
            let space = if whole {
                &mut beyond[..]
            } else {
                &mut run[bytes..]
            };
            let space_bytes = space.len();
            let actual = self.read(space)?;
            if actual == 0 {
                self.ended = true;
                break;
            }
            if whole {
                self.carry.push(beyond[0]);
                break;
            }
            bytes += actual;
            if self.at.is_none() && actual < space_bytes && bytes > chunk {
                let kept = (bytes - 1) / chunk * chunk;
                self.carry.extend_from_slice(&run[kept..bytes]);
                bytes = kept;
                break;
            }
        }
        let last = self.ended;
        Ok(Some(Filled { bytes, last }))
    }

    fn at_end(&self) -> Result<bool, Kind> {
        let at = self.at.expect("of a regular file");
        loop {
            match self.file.read_at(&mut [0], at) {
                Ok(bytes) => return Ok(bytes == 0),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error.into()),
            }
        }
    }

    fn read(&mut self, to: &mut [u8]) -> Result<usize, Kind> {
        loop {
            let actual = match &mut self.at {
                Some(at) => self
                    .file
                    .read_at(to, *at)
                    .inspect(|actual| *at += *actual as u64),
                None => self.file.read(to),
            };
            match actual {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    until_ready(&self.file, PollFlags::IN)?;
                }
                actual => return Ok(actual?),
            }
        }
    }
}
