//! What the files of `spec/` hold.

use std::collections::BTreeMap;

use serde::de::Error;
use serde::{Deserialize, Deserializer};

use crate::{check, json};

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
            pub(crate) fn read(path: &str) -> Self {
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

pub(crate) fn hex(text: &str) -> Option<Vec<u8>> {
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
