//! Which ciphers a file may have.
#![forbid(unsafe_code)]

use roundworks::{Cipher, Facts};

use crate::error::Kind;

/// The cipher of a file unless another is named; docs/reference/files.md says why.
pub const DEFAULT_CIPHER: &str = "aegis-256x2";

/// Every cipher a file can be sealed with, the default first; each with its default size of tag. None pads, for
/// the size of a file would not tell the size of its data.
pub fn ciphers() -> impl Iterator<Item = &'static Facts> {
    let default = |facts: &&Facts| facts.name == DEFAULT_CIPHER;
    with_default_tags()
        .find(default)
        .into_iter()
        .chain(with_default_tags().filter(move |facts| !default(facts)))
        .filter(|facts| !facts.pads)
}

fn with_default_tags() -> impl Iterator<Item = &'static Facts> {
    let mut last = "";
    roundworks::ciphers().filter(move |facts| {
        let new = facts.name != last;
        last = facts.name;
        new
    })
}

/// The cipher called `name`.
pub(crate) fn named(name: &str) -> Option<&'static Facts> {
    with_default_tags().find(|facts| facts.name == name)
}

/// The cipher with its key set.
pub(crate) fn keyed(facts: &Facts, key: &[u8]) -> Box<dyn Cipher> {
    roundworks::cipher(facts.name, key, Some(facts.tag_bytes), None).expect("a cipher of the list")
}

/// Refuses a cipher that pads, and one for study, which protects nothing, unless `research` was requested.
pub(crate) fn allow(facts: &'static Facts, research: bool) -> Result<(), Kind> {
    if facts.pads {
        return Err(Kind::Padding(facts.name));
    }
    if facts.study && !research {
        return Err(Kind::Research(facts.name));
    }
    Ok(())
}
