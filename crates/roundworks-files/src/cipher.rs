//! Which ciphers a file may have.
#![forbid(unsafe_code)]

use roundworks::{Cipher, Facts};

use crate::error::Kind;

/// The cipher of a file unless another is named; docs/reference/files.md says why.
pub const DEFAULT_CIPHER: &str = "aegis-256x2";

/// For study: they protect nothing, and are refused unless requested.
const RESEARCH_ONLY: &[&str] = &["aether", "aether-lb"];

/// They pad, so that the size of a file would not tell the size of its data: refused.
const PADDING: &[&str] = &["minalpher"];

/// Every cipher a file can be sealed with, the default first; each with its default size of tag.
pub fn ciphers() -> impl Iterator<Item = &'static Facts> {
    let default = |facts: &&Facts| facts.name == DEFAULT_CIPHER;
    with_default_tags()
        .find(default)
        .into_iter()
        .chain(with_default_tags().filter(move |facts| !default(facts)))
        .filter(|facts| !PADDING.contains(&facts.name))
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

/// Refuses a cipher that pads, and one that is for research only unless `research` was requested.
pub(crate) fn allow(facts: &'static Facts, research: bool) -> Result<(), Kind> {
    if PADDING.contains(&facts.name) {
        return Err(Kind::Padding(facts.name));
    }
    if RESEARCH_ONLY.contains(&facts.name) && !research {
        return Err(Kind::Research(facts.name));
    }
    Ok(())
}
