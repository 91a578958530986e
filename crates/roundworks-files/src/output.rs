//! Where the result goes: a stream, or a file that appears whole or not at all.
#![forbid(unsafe_code)]

use std::ffi::{OsStr, OsString};
use std::fs::{File, Metadata};
use std::io;
use std::os::fd::{AsFd, AsRawFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustix::fs::{AtFlags, CWD, FileType, Mode, OFlags, RenameFlags};
use rustix::io::Errno;

use crate::error::Kind;
use crate::secret::random;

/// Rights of a new file before the mask of the process takes some away.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Rights {
    /// Like any new file.
    Ordinary,
    /// Plaintext that was sealed is for its owner.
    OwnerOnly,
}

/// Device and number on it: the same file under whatever name.
pub(crate) type Identity = (u64, u64);

pub(crate) fn identity(facts: &Metadata) -> Identity {
    (facts.dev(), facts.ino())
}

pub(crate) struct Output {
    pub(crate) file: Arc<File>,
    place: Place,
}

enum Place {
    Stream,
    /// A file without its name yet.
    Hidden {
        folder: File,
        name: OsString,
        /// The name it has meanwhile, where the file system knows no files without one.
        temporary: Option<OsString>,
        replace: bool,
    },
}

impl Output {
    /// Standard output.
    ///
    /// # Errors
    ///
    /// [`Kind::Terminal`] if it is one and `terminal` does not allow that; [`Kind::Needed`] if it is
    /// one of the files `needed`: what is appended to the input is input again, without an end.
    pub(crate) fn stream(
        terminal: bool,
        needed: &[(&'static str, Identity)],
    ) -> Result<Self, Kind> {
        let stdout = rustix::stdio::stdout();
        if !terminal && rustix::termios::isatty(stdout) {
            return Err(Kind::Terminal);
        }
        let file = File::from(stdout.try_clone_to_owned()?);
        let facts = file.metadata()?;
        if facts.is_file() {
            refuse_needed(identity(&facts), needed)?;
        }
        Ok(Self {
            file: Arc::new(file),
            place: Place::Stream,
        })
    }

    /// A file that will be called `path`; `needed` are those it must not replace.
    pub(crate) fn file(
        path: &Path,
        rights: Rights,
        replace: bool,
        needed: &[(&'static str, Identity)],
    ) -> Result<Self, Kind> {
        let name = path.file_name().ok_or(Kind::NotAName)?;
        // A slash or a dot behind it, which `file_name` drops, names a folder.
        if !path.as_os_str().as_bytes().ends_with(name.as_bytes()) {
            return Err(Kind::NotAName);
        }
        let folder = File::open(folder_of(path))?;
        match rustix::fs::statat(&folder, name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(there) => {
                refuse_needed((there.st_dev, there.st_ino), needed)?;
                if FileType::from_raw_mode(there.st_mode) != FileType::RegularFile {
                    return Err(Kind::Irregular);
                }
                if !replace {
                    return Err(Kind::Exists);
                }
            }
            Err(Errno::NOENT) => {}
            Err(error) => return Err(error.into()),
        }
        let mode = Mode::from_raw_mode(match rights {
            Rights::Ordinary => 0o666,
            Rights::OwnerOnly => 0o600,
        });
        let (file, temporary) = match nameless(&folder, mode) {
            Some(file) => (file?, None),
            None => {
                let (file, name) = named(&folder, name, mode)?;
                (file, Some(name))
            }
        };
        Ok(Self {
            file: Arc::new(file),
            place: Place::Hidden {
                folder,
                name: name.to_owned(),
                temporary,
                replace,
            },
        })
    }

    pub(crate) fn is_stream(&self) -> bool {
        matches!(self.place, Place::Stream)
    }

    /// Gives the file its name, after its bytes are on the disk if `sync`.
    pub(crate) fn commit(mut self, sync: bool) -> Result<(), Kind> {
        let Place::Hidden {
            folder,
            name,
            temporary,
            replace,
        } = &mut self.place
        else {
            return Ok(());
        };
        if sync {
            self.file.sync_all()?;
        }
        if temporary.is_none() {
            match link(&self.file, folder, name) {
                Err(Errno::EXIST) if *replace => {
                    let other = with_fresh_name(name, |other| link(&self.file, folder, other))?;
                    *temporary = Some(other);
                }
                linked => linked.map_err(exists)?,
            }
        }
        if let Some(other) = temporary.as_deref() {
            rename(folder, other, name, *replace)?;
            *temporary = None;
        }
        if sync {
            name_synced(folder.sync_all())?;
        }
        Ok(())
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        if let Place::Hidden {
            folder,
            temporary: Some(name),
            ..
        } = &self.place
        {
            // The error that is returned is the one that led here.
            let _ = rustix::fs::unlinkat(folder, name, AtFlags::empty());
        }
    }
}

fn refuse_needed(file: Identity, needed: &[(&'static str, Identity)]) -> Result<(), Kind> {
    match needed.iter().find(|(_, other)| *other == file) {
        Some((what, _)) => Err(Kind::Needed(what)),
        None => Ok(()),
    }
}

/// What follows from an attempt to have a new name on the disk.
fn name_synced(done: io::Result<()>) -> Result<(), Kind> {
    match done.map_err(|error| (Errno::from_io_error(&error), error)) {
        // There are file systems that cannot sync a folder.
        Ok(()) | Err((Some(Errno::INVAL | Errno::NOTSUP), _)) => Ok(()),
        Err((_, error)) => Err(Kind::NameNotSynced(error)),
    }
}

fn exists(error: Errno) -> Kind {
    match error {
        Errno::EXIST => Kind::Exists,
        other => other.into(),
    }
}

/// The folder that `path` lies in.
fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

/// A file without a name, which is gone with its last user whatever ends the program; `None` where
/// there are none.
fn nameless(folder: &File, mode: Mode) -> Option<Result<File, Kind>> {
    let flags = OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC;
    match rustix::fs::openat(folder, ".", flags, mode) {
        // Its name comes through this link.
        Ok(file) => {
            let file = File::from(file);
            own_link(&file).exists().then_some(Ok(file))
        }
        Err(Errno::OPNOTSUPP | Errno::ISDIR | Errno::NOENT | Errno::INVAL) => None,
        Err(error) => Some(Err(error.into())),
    }
}

fn own_link(file: &File) -> PathBuf {
    PathBuf::from(format!("/proc/self/fd/{}", file.as_fd().as_raw_fd()))
}

/// A new hidden file next to `name`, and its own name.
fn named(folder: &File, name: &OsStr, mode: Mode) -> Result<(File, OsString), Kind> {
    let flags = OFlags::CREATE | OFlags::EXCL | OFlags::RDWR | OFlags::CLOEXEC;
    let mut made = None;
    let other = with_fresh_name(name, |other| {
        made = Some(rustix::fs::openat(folder, other, flags, mode)?);
        Ok(())
    })?;
    Ok((File::from(made.expect("made under this name")), other))
}

/// Calls `make` with hidden names until one is new.
fn with_fresh_name(
    name: &OsStr,
    mut make: impl FnMut(&OsStr) -> Result<(), Errno>,
) -> Result<OsString, Kind> {
    loop {
        let mut bytes = [0; 8];
        random(&mut bytes)?;
        let mut other = OsString::from(".");
        other.push(name);
        other.push(format!(".{:016x}.partial", u64::from_le_bytes(bytes)));
        match make(&other) {
            Ok(()) => return Ok(other),
            Err(Errno::EXIST) => {}
            // The name with its ending is too long: a short one will do.
            Err(Errno::NAMETOOLONG) if name.len() > 8 => {
                return with_fresh_name(OsStr::new("sealed"), make);
            }
            Err(error) => return Err(error.into()),
        }
    }
}

fn link(file: &File, folder: &File, name: &OsStr) -> Result<(), Errno> {
    rustix::fs::linkat(CWD, own_link(file), folder, name, AtFlags::SYMLINK_FOLLOW)
}

/// Renames; onto something only if `replace`, and never onto anything but a regular file.
fn rename(folder: &File, from: &OsStr, to: &OsStr, replace: bool) -> Result<(), Kind> {
    if replace {
        let there = rustix::fs::statat(folder, to, AtFlags::SYMLINK_NOFOLLOW);
        if there.is_ok_and(|s| FileType::from_raw_mode(s.st_mode) != FileType::RegularFile) {
            return Err(Kind::Irregular);
        }
        return Ok(rustix::fs::renameat(folder, from, folder, to)?);
    }
    let renamed = match rustix::fs::renameat_with(folder, from, folder, to, RenameFlags::NOREPLACE)
    {
        // Not every file system has that. A hard link refuses an existing name, too.
        Err(Errno::INVAL | Errno::NOSYS) => {
            rustix::fs::linkat(folder, from, folder, to, AtFlags::empty())
                .and_then(|()| rustix::fs::unlinkat(folder, from, AtFlags::empty()))
        }
        done => done,
    };
    renamed.map_err(exists)
}

#[cfg(test)]
mod tests;
