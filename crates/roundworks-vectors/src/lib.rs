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

mod types;

use std::fs::{self, DirEntry};
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde::de::DeserializeOwned;

pub use types::*;

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
