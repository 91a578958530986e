//! Keys: from a key file or a passphrase, and what a file's keys are made from them.
#![forbid(unsafe_code)]

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use argon2::{Algorithm, Argon2, Block, Params, Version};
use hkdf::Hkdf;
use sha2::Sha256;
use subtle::ConstantTimeEq;
use zeroize::{Zeroize, Zeroizing};

use crate::chunk::Chunks;
use crate::cipher;
use crate::error::{Error, Kind};
use crate::header::{Argon2id, Header, Source};
use crate::output::{Output, Rights};
use crate::terminal;
use crate::waiting::unless_stopped;

/// First line of a key file.
const MARK: &str = "roundworks-key-1";
/// Longest passphrase, in bytes.
const MOST_PASSPHRASE_BYTES: usize = 4096;
/// Where a passphrase may stand instead of a terminal.
pub const PASSPHRASE_VARIABLE: &str = "ROUNDWORKS_PASSPHRASE";

/// Where the caller has the key.
#[derive(Clone, Debug)]
pub enum KeySource {
    /// In a key file, see [`create_key_file`].
    KeyFile(PathBuf),
    /// In the first line of a file.
    PassphraseFile(PathBuf),
    /// In [`PASSPHRASE_VARIABLE`], or else in a head at the terminal.
    Passphrase,
}

/// In a box, so that it is moved from thread to thread without a copy.
type Secret = Box<Zeroizing<[u8; 32]>>;

/// The secret of `source`, for a file whose header says so.
pub(crate) fn secret(
    key: &KeySource,
    header: &Header,
    about: &str,
    twice: bool,
    stop: &mut dyn FnMut() -> bool,
) -> Result<Secret, Error> {
    match (key, header.source) {
        (KeySource::KeyFile(path), Source::KeyFile) => {
            let file = path.clone();
            let read = unless_stopped(stop, move || read_key_file(&file));
            read.map_err(|kind| kind.of(&path.to_string_lossy()))
        }
        (KeySource::KeyFile(_), _) => Err(Kind::OtherKey { want: "passphrase" }.of(about)),
        (_, Source::KeyFile) => Err(Kind::OtherKey { want: "key file" }.of(about)),
        (KeySource::PassphraseFile(path), Source::Passphrase(cost)) => {
            let file = path.clone();
            let passphrase = unless_stopped(stop, move || first_line(&file).and_then(accepted));
            let passphrase = passphrase.map_err(|kind| kind.of(&path.to_string_lossy()))?;
            stretched(passphrase, header.salt, cost, stop).map_err(|kind| kind.of(about))
        }
        (KeySource::Passphrase, Source::Passphrase(cost)) => {
            let passphrase = match std::env::var_os(PASSPHRASE_VARIABLE) {
                Some(value) => Ok(Zeroizing::new(OsString::into_encoded_bytes(value))),
                None => terminal::read_hidden(about, twice, stop),
            };
            let passphrase = passphrase.and_then(accepted);
            let secret = passphrase.and_then(|p| stretched(p, header.salt, cost, stop));
            secret.map_err(|kind| kind.of(about))
        }
    }
}

fn accepted(passphrase: Zeroizing<Vec<u8>>) -> Result<Zeroizing<Vec<u8>>, Kind> {
    match passphrase.len() {
        0 => Err(Kind::Passphrase("empty")),
        1..=MOST_PASSPHRASE_BYTES => Ok(passphrase),
        _ => Err(Kind::Passphrase("longer than 4096 bytes")),
    }
}

/// [`stretch`], which the costs of a header that anyone may have written can make slow.
fn stretched(
    passphrase: Zeroizing<Vec<u8>>,
    salt: [u8; 32],
    cost: Argon2id,
    stop: &mut dyn FnMut() -> bool,
) -> Result<Secret, Kind> {
    unless_stopped(stop, move || stretch(&passphrase, &salt, cost))
}

/// A passphrase as a key, [RFC9106, section 3].
fn stretch(passphrase: &[u8], salt: &[u8; 32], cost: Argon2id) -> Result<Secret, Kind> {
    let params = Params::new(cost.memory_kib, cost.passes, cost.lanes, Some(32));
    let params = params.expect("costs within the limits of the header");
    let want_kib = cost.memory_kib;
    // Anyone may have written the header: `vec!` would let it end the process.
    let mut memory = Vec::new();
    let space = memory.try_reserve_exact(params.block_count());
    space.map_err(|_| Kind::Memory { want_kib })?;
    memory.resize(params.block_count(), Block::default());
    let mut secret = Secret::default();
    let made = Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
        .hash_password_into_with_memory(passphrase, salt, &mut **secret, &mut memory);
    memory.iter_mut().for_each(Zeroize::zeroize);
    made.expect("sizes within the limits of Argon2");
    Ok(secret)
}

/// What one file is sealed with.
pub(crate) struct FileKeys {
    chunks: Chunks,
    check: [u8; 32],
}

impl FileKeys {
    /// Derives them from `secret` and every byte of the header before its key check: another
    /// salt, cipher or cost gives other keys. [RFC5869, section 2]
    pub(crate) fn derive(secret: &Secret, header: &Header) -> Result<Self, Kind> {
        let bound = header.bound();
        let root = Hkdf::<Sha256>::new(Some(&header.salt), &***secret);
        let expand = |label: &[u8], out: &mut [u8]| {
            root.expand_multi_info(&[b"roundworks file 1, ", label, b"\0", &bound], out)
                .expect("at most 255 hashes");
        };
        let mut key = Zeroizing::new(vec![0; header.cipher.key_bytes]);
        let mut prefix = Zeroizing::new([0; 64]);
        let mut check = [0; 32];
        expand(b"cipher key", &mut key);
        expand(b"nonce prefix", &mut *prefix);
        expand(b"key check", &mut check);
        let cipher = cipher::keyed(header.cipher, &key);
        Ok(Self {
            chunks: Chunks::new(cipher, &*prefix)?,
            check,
        })
    }

    /// The chunks of a new file, and the key check that its header carries.
    pub(crate) fn begin(self) -> (Chunks, [u8; 32]) {
        (self.chunks, self.check)
    }

    /// The chunks of the file with this header, if its key check says so.
    pub(crate) fn checked(self, header: &Header) -> Result<Chunks, Kind> {
        if bool::from(self.check.ct_eq(&header.check)) {
            return Ok(self.chunks);
        }
        let what = match header.source {
            Source::KeyFile => "key",
            Source::Passphrase(_) => "passphrase",
        };
        Err(Kind::WrongKey { what })
    }
}

/// Writes a fresh random key to a new file that only its owner can read.
///
/// # Errors
///
/// [`Kind::Exists`] if anything of that name is there, or what the system says.
pub fn create_key_file(path: &Path) -> Result<(), Error> {
    let written = write_key_file(path).map_err(|kind| match kind {
        Kind::Exists | Kind::Irregular => Kind::KeyExists,
        other => other,
    });
    written.map_err(|kind| kind.of(&path.to_string_lossy()))
}

fn write_key_file(path: &Path) -> Result<(), Kind> {
    let output = Output::file(path, Rights::OwnerOnly, false, &[])?;
    let mut key = Secret::default();
    random(&mut **key)?;
    let mut text = Zeroizing::new(String::with_capacity(128));
    text.push_str(MARK);
    text.push('\n');
    for byte in key.iter() {
        for digit in [byte >> 4, byte & 15] {
            text.push(char::from_digit(digit.into(), 16).expect("four bits"));
        }
    }
    text.push('\n');
    let mut file = &*output.file;
    // The mask of the process may have taken the owner's own rights away.
    file.set_permissions(PermissionsExt::from_mode(0o600))?;
    file.write_all(text.as_bytes())?;
    output.commit(true)
}

fn read_key_file(path: &Path) -> Result<Secret, Kind> {
    let text = read_small(path, MARK.len() + 2 * 32 + 4)?;
    parse_key(&text).ok_or(Kind::NotAKey)
}

/// Either hex digit, without a table or branch that depends on a valid one.
fn parse_key(text: &[u8]) -> Option<Secret> {
    let rest = text.strip_prefix(MARK.as_bytes())?;
    let rest = rest
        .strip_prefix(b"\r")
        .unwrap_or(rest)
        .strip_prefix(b"\n")?;
    let (digits, end) = rest.split_first_chunk::<64>()?;
    if !matches!(end, b"" | b"\n" | b"\r\n") {
        return None;
    }
    let mut key = Secret::default();
    let mut good = 0xff;
    for (byte, pair) in key.iter_mut().zip(digits.chunks_exact(2)) {
        let (high, low) = (nibble(pair[0]), nibble(pair[1]));
        good &= high.1 & low.1;
        *byte = high.0 << 4 | low.0;
    }
    (good == 0xff).then_some(key)
}

/// Value of a hex digit, and 0xff if it is one, else 0.
fn nibble(digit: u8) -> (u8, u8) {
    let within = |low: u8, high: u8| {
        let outside = (i16::from(digit) - i16::from(low)) | (i16::from(high) - i16::from(digit));
        !(outside >> 8) as u8
    };
    let (number, lower, upper) = (within(b'0', b'9'), within(b'a', b'f'), within(b'A', b'F'));
    let value = (digit & 15).wrapping_add(9 & (lower | upper)) & 15;
    (value & (number | lower | upper), number | lower | upper)
}

fn first_line(path: &Path) -> Result<Zeroizing<Vec<u8>>, Kind> {
    let mut text = read_small(path, MOST_PASSPHRASE_BYTES + 2)?;
    let end = text
        .iter()
        .position(|byte| *byte == b'\n')
        .unwrap_or(text.len());
    text[end..].zeroize();
    text.truncate(end);
    if text.last() == Some(&b'\r') {
        text.pop();
    }
    Ok(text)
}

/// Up to `most` bytes, in memory that is wiped; one more means that there are more.
fn read_small(path: &Path, most: usize) -> io::Result<Zeroizing<Vec<u8>>> {
    let mut text = Zeroizing::new(vec![0; most + 1]);
    let mut file = File::open(path)?;
    let mut len = 0;
    while len < text.len() {
        match file.read(&mut text[len..]) {
            Ok(0) => break,
            Ok(bytes) => len += bytes,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    text.truncate(len);
    Ok(text)
}

/// The mode of a key or passphrase file, if others than its owner may read it. What is no file, such as a pipe of a
/// shell, has other readers or none.
pub fn readable_by_others(path: &Path) -> Option<u32> {
    let facts = std::fs::metadata(path).ok()?;
    let mode = facts.mode() & 0o777;
    (facts.is_file() && mode & 0o077 != 0).then_some(mode)
}

/// Random bytes of the operating system.
pub(crate) fn random(mut bytes: &mut [u8]) -> Result<(), Kind> {
    while !bytes.is_empty() {
        match rustix::rand::getrandom(&mut *bytes, rustix::rand::GetRandomFlags::empty()) {
            Ok(got) => bytes = &mut bytes[got..],
            Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
