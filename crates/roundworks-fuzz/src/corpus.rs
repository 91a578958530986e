//! The corpus: `corpus/<target>.hex`, an input per line, so that it can be read and compared as
//! text. libFuzzer wants a folder with a file per input.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Longer inputs are not kept: what they reach, shorter ones reach too.
const LONGEST: usize = 600;

/// The committed file of a target.
#[must_use]
pub fn path(target: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    folder.join(target).with_extension("hex")
}

/// The committed inputs of a target.
///
/// # Errors
///
/// If the file is missing or a line is not hex in pairs; says which.
pub fn read(target: &str) -> io::Result<Vec<Vec<u8>>> {
    let path = path(target);
    let text = fs::read_to_string(&path).map_err(|e| named(&path, &e.to_string()))?;
    let lines = text.lines().enumerate();
    lines
        .map(|(i, line)| {
            bytes(line).ok_or_else(|| named(&path, &format!("line {}: want hex in pairs", i + 1)))
        })
        .collect()
}

/// Writes the committed inputs of a target into a folder, a file each.
///
/// # Errors
///
/// Those of [`read`], and if the folder cannot be written.
pub fn unpack(target: &str, folder: &Path) -> io::Result<usize> {
    let inputs = read(target)?;
    fs::create_dir_all(folder)?;
    for (i, input) in inputs.iter().enumerate() {
        fs::write(folder.join(format!("committed-{i:04}")), input)?;
    }
    Ok(inputs.len())
}

/// Makes the files of a folder the committed inputs of a target, all but the long ones.
///
/// # Errors
///
/// If the folder cannot be read or the file cannot be written.
pub fn pack(target: &str, folder: &Path) -> io::Result<usize> {
    let mut inputs = BTreeSet::new();
    for entry in fs::read_dir(folder)? {
        inputs.insert(fs::read(entry?.path())?);
    }
    let short: Vec<_> = inputs.iter().filter(|i| i.len() <= LONGEST).collect();
    let text: String = short.iter().map(|input| hex(input) + "\n").collect();
    fs::write(path(target), text)?;
    Ok(short.len())
}

fn named(path: &Path, what: &str) -> io::Error {
    io::Error::other(format!("{}: {what}", path.display()))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

fn bytes(hex: &str) -> Option<Vec<u8>> {
    let (pairs, rest) = hex.as_bytes().as_chunks::<2>();
    let digit = |c: u8| char::from(c).to_digit(16);
    let byte = |[high, low]: &[u8; 2]| Some((digit(*high)? << 4 | digit(*low)?) as u8);
    if rest.is_empty() {
        pairs.iter().map(byte).collect()
    } else {
        None
    }
}
