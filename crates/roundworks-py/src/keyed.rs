//! Ciphers by name: ours, then the baselines.

use roundworks::{Backend, Cipher, Error, Facts};

/// Sets the key. Out of line and boxed, so that the key moves no more once it is set and the
/// caller can clear the stack it moved over.
#[inline(never)]
pub(crate) fn keyed(
    name: &str,
    key: &[u8],
    tag_bytes: Option<usize>,
    backend: Option<Backend>,
) -> Result<Box<dyn Cipher>, Error> {
    match roundworks::cipher(name, key, tag_bytes, backend) {
        Err(Error::UnknownCipher) => roundworks_baselines::cipher(name, key),
        found => found,
    }
}

fn ciphers() -> impl Iterator<Item = &'static Facts> {
    roundworks::ciphers().chain(roundworks_baselines::ciphers())
}

/// What is fixed about the cipher called `name`: once for each size of tag, the default first.
pub(crate) fn facts(name: &str) -> impl Iterator<Item = &'static Facts> {
    ciphers().filter(move |facts| facts.name == name)
}

/// Each name once.
pub(crate) fn names() -> Vec<&'static str> {
    let mut names: Vec<_> = ciphers().map(|facts| facts.name).collect();
    names.dedup();
    names
}
