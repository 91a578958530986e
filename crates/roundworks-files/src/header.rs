//! The first 112 bytes of a sealed file. Integers are little endian.
//!
//! | offset | bytes | what |
//! |---|---|---|
//! | 0 | 8 | `89 52 57 4b 0d 0a 1a 0a`: not text, and broken by any change of line ends |
//! | 8 | 2 | version, 1 |
//! | 10 | 1 | where the key comes from: 0 a key file, 1 a passphrase through Argon2id |
//! | 11 | 1 | bytes of a tag |
//! | 12 | 16 | name of the cipher, filled with zeros |
//! | 28 | 4 | bytes of a chunk, 65536 |
//! | 32 | 32 | salt, random for every file |
//! | 64 | 12 | Argon2id memory in KiB, passes, lanes; zero with a key file |
//! | 76 | 4 | zero |
//! | 80 | 32 | key check, of the key and the 80 bytes before |
#![forbid(unsafe_code)]

use roundworks::Facts;

use crate::cipher;
use crate::error::Kind;

/// Bytes of a chunk of plaintext; only the last may have fewer.
pub const CHUNK_BYTES: usize = 1 << 16;

/// Most chunks of a file, 256 TiB: below every limit of data under one key of the ciphers here.
pub const MAX_CHUNKS: u64 = 1 << 32;

/// What a header says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The cipher: its name and its tag stand in the file.
    pub cipher: &'static Facts,
    /// Where the key comes from.
    pub source: Source,
    /// Random for every file.
    pub salt: [u8; 32],
    /// Commits to the key and to everything above.
    pub check: [u8; 32],
}

/// Where a key comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// A key file.
    KeyFile,
    /// A passphrase, stretched by Argon2id, [RFC9106, section 3].
    Passphrase(Argon2id),
}

/// Costs of Argon2id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Argon2id {
    /// Memory, in KiB.
    pub memory_kib: u32,
    /// Passes over it.
    pub passes: u32,
    /// Lanes.
    pub lanes: u32,
}

impl Argon2id {
    /// What new files get: the second recommended choice of [RFC9106, section 4].
    pub const RECOMMENDED: Self = Self {
        memory_kib: 64 * 1024,
        passes: 3,
        lanes: 4,
    };
    /// The most a header may request, since it is obeyed before anything of it is verified.
    pub const MOST: Self = Self {
        memory_kib: 256 * 1024,
        passes: 16,
        lanes: 16,
    };
}

impl Header {
    /// Its size in a file.
    pub const BYTES: usize = 112;
    /// The version written and read here.
    pub const VERSION: u16 = 1;
    /// The bytes that the key check and the keys are made from.
    pub(crate) const BOUND_BYTES: usize = 80;
    const MAGIC: [u8; 8] = *b"\x89RWK\r\n\x1a\n";

    /// The header as it stands in a file.
    pub fn to_bytes(&self) -> [u8; Self::BYTES] {
        let mut bytes = [0; Self::BYTES];
        let (bound, check) = bytes.split_at_mut(Self::BOUND_BYTES);
        bound.copy_from_slice(&self.bound());
        check.copy_from_slice(&self.check);
        bytes
    }

    /// All but the key check.
    pub(crate) fn bound(&self) -> [u8; Self::BOUND_BYTES] {
        let mut bytes = [0; Self::BOUND_BYTES];
        let mut put = |at: usize, part: &[u8]| bytes[at..at + part.len()].copy_from_slice(part);
        put(0, &Self::MAGIC);
        put(8, &Self::VERSION.to_le_bytes());
        put(11, &[self.cipher.tag_bytes as u8]);
        put(12, self.cipher.name.as_bytes());
        put(28, &(CHUNK_BYTES as u32).to_le_bytes());
        put(32, &self.salt);
        if let Source::Passphrase(cost) = self.source {
            put(10, &[1]);
            put(64, &cost.memory_kib.to_le_bytes());
            put(68, &cost.passes.to_le_bytes());
            put(72, &cost.lanes.to_le_bytes());
        }
        bytes
    }

    /// Reads what a file begins with, `bytes`, of which there are fewer only if the file is short.
    ///
    /// # Errors
    ///
    /// The first field that this program does not know or refuses.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Kind> {
        let start = bytes.len().min(Self::MAGIC.len());
        if start == 0 || bytes[..start] != Self::MAGIC[..start] {
            return Err(Kind::Foreign);
        }
        if let Some(version) = bytes.get(8..10) {
            let version = u16::from_le_bytes([version[0], version[1]]);
            if version != Self::VERSION {
                return Err(Kind::Version(version));
            }
        }
        let Some(bytes) = bytes.first_chunk::<{ Self::BYTES }>() else {
            return Err(Kind::CutInHeader { got: bytes.len() });
        };
        let number = |at: usize| {
            let four = bytes[at..at + 4].try_into().expect("four bytes");
            u32::from_le_bytes(four)
        };
        let name = &bytes[12..28];
        let end = name
            .iter()
            .rposition(|byte| *byte != 0)
            .map_or(0, |at| at + 1);
        // Anyone may have written it, and it goes to a terminal.
        let name = name[..end].escape_ascii().to_string();
        let Some(cipher) = cipher::named(&name) else {
            return Err(Kind::UnknownCipher(name));
        };
        let tag = cipher.tag_bytes as u32;
        within("tag", bytes[11].into(), tag, tag, "bytes")?;
        let chunk = CHUNK_BYTES as u32;
        within("chunk", number(28), chunk, chunk, "bytes")?;
        let source = match bytes[10] {
            0 => {
                for (at, what) in [(64, "memory"), (68, "passes"), (72, "lanes")] {
                    within(what, number(at), 0, 0, "with a key file")?;
                }
                Source::KeyFile
            }
            1 => {
                let most = Argon2id::MOST;
                let lanes = number(72);
                within("Argon2id lanes", lanes, 1, most.lanes, "")?;
                within(
                    "Argon2id memory",
                    number(64),
                    8 * lanes,
                    most.memory_kib,
                    "KiB",
                )?;
                within("Argon2id passes", number(68), 1, most.passes, "")?;
                Source::Passphrase(Argon2id {
                    memory_kib: number(64),
                    passes: number(68),
                    lanes,
                })
            }
            other => {
                return Err(within("source of the key", other.into(), 0, 1, "").unwrap_err());
            }
        };
        within("reserved", number(76), 0, 0, "")?;
        Ok(Self {
            cipher,
            source,
            salt: bytes[32..64].try_into().expect("32 bytes"),
            check: bytes[Self::BOUND_BYTES..].try_into().expect("32 bytes"),
        })
    }
}

/// `chunk: want 65536 bytes, got 4096`
fn within(what: &'static str, got: u32, minimum: u32, most: u32, unit: &str) -> Result<(), Kind> {
    if (minimum..=most).contains(&got) {
        return Ok(());
    }
    let want = if minimum == most {
        format!("{minimum} {unit}")
    } else {
        format!("{minimum} to {most} {unit}")
    };
    Err(Kind::Field(
        what,
        want.trim_end().to_owned(),
        got.to_string(),
    ))
}

#[cfg(test)]
mod tests;
