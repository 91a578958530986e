//! Reads `spec/` for the Rust tests of Roundworks; nothing else may.
//!
//! Nothing is skipped in silence: an unknown field, a missing one, a wrong count or odd hex panics
//! with the path of the file, and so fails the test that reads it.
//!
//! ```
//! let doc = roundworks_vectors::aead("aether/aether.kat.json");
//! assert_eq!(doc.vectors.len(), doc.count);
//! ```

#![forbid(unsafe_code)]

use std::collections::BTreeMap;
use std::fs::{self, DirEntry};
use std::path::{Path, PathBuf};

use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer};

/// A file of vectors: what each says of itself, and what those of its schema have in addition.
macro_rules! documents {
    ($(
        $(#[$doc:meta])*
        $document:ident of $vector:ident, $schema:literal { $($fields:tt)* }
    )+) => {$(
        $(#[$doc])*
        #[derive(Debug, Deserialize)]
        #[serde(deny_unknown_fields)]
        pub struct $document {
            /// Name and version of the schema.
            pub schema: String,
            /// How many vectors the file says it holds.
            pub count: usize,
            /// Who made the vectors, and from what.
            pub origin: String,
            /// Of the data.
            pub licence: String,
            /// Who else computed them.
            pub verified_by: Vec<String>,
            /// At least one.
            pub vectors: Vec<$vector>,
            $($fields)*
        }

        impl $document {
            /// Reads `spec/<path>`.
            fn read(path: &str) -> Self {
                let document: Self = json(path);
                let (got, want) = (&document.schema, $schema);
                assert!(got == want, "spec/{path}: schema: want {want}, got {got}");
                check(path, document.count, document.vectors.iter().map(|v| &v.id));
                document
            }
        }
    )+};
}

documents! {
    /// AEAD vectors, `spec/schema/aead-vectors.json`.
    AeadVectors of AeadVector, "aead-v1" {
        /// A member of the family's `cipher.toml`.
        pub algorithm: String,
        /// The file these vectors were converted from.
        #[serde(default)]
        pub source: Option<BTreeMap<String, String>>,
        /// Reason to how many cases of that file are not here.
        #[serde(default)]
        pub not_taken: BTreeMap<String, usize>,
        /// Flag to the mistake that its cases catch.
        pub flags: BTreeMap<String, String>,
    }

    /// Known answers of an inner function, `spec/schema/function-vectors.json`.
    FunctionVectors of FunctionVector, "function-v1" {
        /// A member of the family's `cipher.toml`.
        pub algorithm: String,
        /// As the paper names it.
        pub function: String,
        /// Bytes of the named parts of every input; 0: of any length. Absent: one word.
        #[serde(default)]
        pub parts: BTreeMap<String, usize>,
        /// Lengths an output may have. Absent: one word.
        #[serde(default)]
        pub output_bytes: Vec<usize>,
    }

    /// Known answers of permutations, `spec/schema/permutation-vectors.json`.
    PermutationVectors of PermutationVector, "permutation-vectors-v1" {}
}

/// One AEAD case.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AeadVector {
    /// Unique in its file.
    pub id: String,
    /// Key.
    pub key: Hex,
    /// Nonce.
    pub nonce: Hex,
    /// Associated data.
    pub ad: Hex,
    /// Plaintext; of an invalid case, what must not be released.
    pub pt: Hex,
    /// Ciphertext, without the tag.
    pub ct: Hex,
    /// Tag.
    pub tag: Hex,
    /// False: decryption must refuse.
    pub valid: bool,
    /// Names from the header's `flags`.
    pub flags: Vec<String>,
    /// For a reader.
    pub comment: String,
}

/// One known answer.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FunctionVector {
    /// Unique in its file.
    pub id: String,
    /// Input word.
    pub input: Hex,
    /// Output word.
    pub output: Hex,
    /// For a reader.
    pub comment: String,
}

/// One known answer.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PermutationVector {
    /// Unique in its file.
    pub id: String,
    /// Its name, with a configuration or a number of rounds.
    pub permutation: String,
    /// If other than its own.
    #[serde(default)]
    pub rounds: Option<u8>,
    /// Of a hash function made of it: `hash` or `dm` of one block, `md` of any message; `tweakable`
    /// of the block cipher.
    #[serde(default)]
    pub mode: Option<String>,
    /// Of the block cipher, as its tweak.
    #[serde(default)]
    pub key: Option<Hex>,
    /// Of 16 bytes.
    #[serde(default)]
    pub tweak: Option<Hex>,
    /// One block, or a message.
    pub input: Hex,
    /// What it is mapped to.
    pub output: Hex,
    /// For a reader.
    pub comment: String,
}

/// What the tests compare of `spec/<family>/permutation.toml`; the Python side checks the whole file.
#[derive(Debug, Deserialize)]
pub struct Permutations {
    /// The family, as its folder.
    pub family: String,
    /// Its round constants as bytes in memory; none where they follow from a rule for each of them.
    #[serde(default)]
    pub round_constants: Vec<Hex>,
    /// Those with a name of their own.
    pub members: Vec<PermutationMember>,
}

/// One permutation of a family.
#[derive(Debug, Deserialize)]
#[allow(missing_docs)]
pub struct PermutationMember {
    pub name: String,
    pub word_bytes: usize,
    pub words: usize,
    pub rounds: u8,
    pub most_rounds: f64,
}

/// What the tests compare of `spec/<family>/cipher.toml`; the Python side checks the whole file.
#[derive(Debug, Deserialize)]
pub struct Cipher {
    /// The family, as its folder.
    pub family: String,
    /// Constants by name.
    pub constants: BTreeMap<String, Hex>,
    /// The ciphers of the family.
    pub members: Vec<Member>,
    /// Of AETHER and Minalpher: S-box, matrix, permutation.
    pub components: Option<Components>,
    /// Of AETHER: the wiring.
    pub round: Option<Round>,
}

/// One cipher of a family. Sizes in bytes.
#[derive(Debug, Deserialize)]
#[allow(missing_docs)]
pub struct Member {
    pub name: String,
    pub key_bytes: usize,
    pub nonce_bytes: usize,
    pub tag_bytes: usize,
    #[serde(default)]
    pub other_tag_bytes: Vec<usize>,
    pub rate_bytes: usize,
    /// Whether a ciphertext is longer than its message.
    #[serde(default)]
    pub padded: bool,
    /// 0, like the two below, where the cipher is not made of words.
    #[serde(default)]
    pub words: usize,
    #[serde(default)]
    pub init_rounds: usize,
    #[serde(default)]
    pub final_rounds: usize,
    pub backends: Vec<String>,
}

/// Components of a round on nibbles.
#[derive(Debug, Deserialize)]
pub struct Components {
    /// Value of each nibble.
    pub sbox: Vec<u8>,
    /// Rows of M_b.
    pub matrix: Vec<Vec<u8>>,
    /// Nibble i moves to `permutation[i]`; none of Minalpher, which has constants instead.
    #[serde(default)]
    pub permutation: Vec<usize>,
}

/// Wiring: S'\[i\] = F(S\[f\[i\]\]) ^ xor\[i\].
#[derive(Debug, Deserialize)]
pub struct Round {
    /// Index of the word under F.
    pub f: Vec<usize>,
    /// `X0` or `S3`.
    pub xor: Vec<String>,
}

impl Cipher {
    /// The member of that name; panics with the path if there is none.
    pub fn member(&self, name: &str) -> &Member {
        let member = self.members.iter().find(|m| m.name == name);
        member.unwrap_or_else(|| panic!("spec/{}/cipher.toml: no member '{name}'", self.family))
    }
}

/// Bytes, written as lower-case hex digits in pairs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hex(pub Vec<u8>);

impl<'de> Deserialize<'de> for Hex {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        hex(&text)
            .map(Self)
            .ok_or_else(|| D::Error::custom(format!("'{text}': want hex in pairs")))
    }
}

fn hex(text: &str) -> Option<Vec<u8>> {
    let digit = |c: u8| match c {
        b'0'..=b'9' => Some(c - b'0'),
        b'a'..=b'f' => Some(c - b'a' + 10),
        _ => None,
    };
    let (pairs, rest) = text.as_bytes().as_chunks::<2>();
    let bytes = pairs
        .iter()
        .map(|&[a, b]| Some(digit(a)? << 4 | digit(b)?))
        .collect();
    if rest.is_empty() { bytes } else { None }
}

/// Reads `spec/<path>`, AEAD vectors.
pub fn aead(path: &str) -> AeadVectors {
    let doc = AeadVectors::read(path);
    let family = family_of(&doc.algorithm);
    let padded = cipher(&family).member(&doc.algorithm).padded;
    for v in &doc.vectors {
        let unknown = v.flags.iter().find(|f| !doc.flags.contains_key(*f));
        assert!(
            unknown.is_none(),
            "spec/{path}: {}: flag {unknown:?} is not in the header",
            v.id
        );
        let (pt, ct) = (v.pt.0.len(), v.ct.0.len());
        assert!(
            pt == ct || padded && pt <= ct,
            "spec/{path}: {}: pt has {pt} bytes, ct {ct}",
            v.id
        );
    }
    doc
}

/// The folder of `spec/` whose `cipher.toml` has the cipher; panics if none has.
pub fn family_of(cipher: &str) -> String {
    #[derive(Deserialize)]
    struct Family {
        family: String,
        members: Vec<Name>,
    }
    #[derive(Deserialize)]
    struct Name {
        name: String,
    }
    let mut families = families("cipher.toml").into_iter();
    families
        .find(|family: &Family| family.members.iter().any(|m| m.name == cipher))
        .unwrap_or_else(|| panic!("spec/: no cipher '{cipher}'"))
        .family
}

/// Reads every file of AEAD vectors of one cipher, `spec/<family>/<cipher>.<what>.json`, with its
/// path; panics if there is none.
pub fn aead_all(family: &str, cipher: &str) -> Vec<(String, AeadVectors)> {
    #[derive(Deserialize)]
    struct Header {
        schema: String,
    }
    let paths: Vec<String> = files(family, &format!("{cipher}."))
        .into_iter()
        .filter(|path| json::<Header>(path).schema == "aead-v1")
        .collect();
    assert!(!paths.is_empty(), "spec/{family}: no vectors of {cipher}");
    paths
        .into_iter()
        .map(|path| (path.clone(), aead(&path)))
        .collect()
}

/// Reads `spec/<path>`, known answers of a function.
pub fn function(path: &str) -> FunctionVectors {
    FunctionVectors::read(path)
}

/// Reads `spec/<family>/cipher.toml`.
pub fn cipher(family: &str) -> Cipher {
    toml(&root().join(family).join("cipher.toml"))
}

/// Reads every `spec/<family>/<family>.<what>.json`, known answers of permutations.
pub fn permutation(family: &str) -> Vec<PermutationVector> {
    let paths = files(family, &format!("{family}."));
    let vectors: Vec<_> = paths
        .iter()
        .flat_map(|path| PermutationVectors::read(path).vectors)
        .collect();
    assert!(!vectors.is_empty(), "spec/{family}: no known answers");
    vectors
}

/// Reads every `spec/<family>/permutation.toml`.
pub fn permutations() -> Vec<Permutations> {
    let all = families("permutation.toml");
    assert!(!all.is_empty(), "spec/: no permutations");
    all
}

/// The file of that name in each folder of `spec/` that has it.
fn families<T: DeserializeOwned>(name: &str) -> Vec<T> {
    let folders = entries(&root()).map(|folder| folder.path().join(name));
    folders
        .filter(|path| path.is_file())
        .map(|path| toml(&path))
        .collect()
}

fn entries(folder: &Path) -> impl Iterator<Item = DirEntry> + use<> {
    let entries = fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    entries.map(|entry| entry.expect("readable folder"))
}

/// Paths below `spec/` of the JSON files of a family that begin so, in order.
fn files(family: &str, start: &str) -> Vec<String> {
    let names = entries(&root().join(family));
    let names = names.map(|entry| entry.file_name().into_string().expect("UTF-8"));
    let mut paths: Vec<String> = names
        .filter(|name| name.starts_with(start) && name.ends_with(".json"))
        .map(|name| format!("{family}/{name}"))
        .collect();
    paths.sort();
    paths
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../spec")
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn toml<T: DeserializeOwned>(path: &Path) -> T {
    toml::from_str(&read(path)).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn json<T: DeserializeOwned>(path: &str) -> T {
    let path = root().join(path);
    serde_json::from_str(&read(&path)).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn check<'a>(path: &str, count: usize, ids: impl ExactSizeIterator<Item = &'a String>) {
    let vectors = ids.len();
    assert!(
        vectors == count && vectors > 0,
        "spec/{path}: holds {vectors} vectors, header says {count}"
    );
    let mut seen = std::collections::BTreeSet::new();
    for id in ids {
        assert!(seen.insert(id), "spec/{path}: id '{id}' stands twice");
    }
}

#[cfg(test)]
mod tests;
