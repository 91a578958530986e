//! Every cipher on every back end.

use roundworks::{Backend, Cipher, Facts, ciphers};

/// A cipher on one back end.
pub struct Subject {
    /// Name, sizes.
    pub facts: &'static Facts,
    /// One of its back ends.
    pub backend: Backend,
}

impl Subject {
    /// Sets the key.
    #[must_use]
    pub fn with_key(&self, key: &[u8]) -> Box<dyn Cipher> {
        let Facts {
            name, tag_bytes, ..
        } = *self.facts;
        let made = roundworks::cipher(name, key, Some(tag_bytes), Some(self.backend));
        made.unwrap_or_else(|e| panic!("{self}: {e}"))
    }
}

impl std::fmt::Display for Subject {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Facts {
            name, tag_bytes, ..
        } = self.facts;
        write!(f, "{name}/{}, tag of {tag_bytes}", self.backend)
    }
}

/// Every cipher of the core on each of its back ends that this CPU can run, slowest first.
#[must_use]
pub fn subjects() -> Vec<Subject> {
    let on_all = |facts: &'static Facts| {
        let usable = facts.backends.iter().filter(|b| b.is_available());
        usable.map(move |&backend| Subject { facts, backend })
    };
    ciphers().flat_map(on_all).collect()
}

/// Neither a whole block of any cipher nor a part of one.
const PART: usize = 37;

/// As `Cipher::seal_into`, with the incremental interface.
///
/// # Panics
///
/// If `out` has another size than `Cipher::sealed_bytes`.
pub fn seal_incrementally(
    cipher: &dyn Cipher,
    nonce: &[u8],
    ad: &[u8],
    data: &[u8],
    out: &mut [u8],
) {
    let mut sealing = cipher.sealing(nonce).expect("nonce size");
    for part in ad.chunks(PART) {
        sealing.ad(part).expect("short");
    }
    let mut rest = out;
    for part in data.chunks(PART) {
        let (now, later) = rest.split_at_mut(sealing.update_bytes(part.len()));
        sealing.update_into(part, now).expect("sizes");
        rest = later;
    }
    sealing.finish_into(rest).expect("what is left");
}

/// As `Cipher::open_into`, with the incremental interface: the size of the data, if authentic.
///
/// # Panics
///
/// If `out` is shorter than `Cipher::opened_bytes`.
pub fn open_incrementally(
    cipher: &dyn Cipher,
    nonce: &[u8],
    ad: &[u8],
    sealed: &[u8],
    out: &mut [u8],
) -> Option<usize> {
    let (ciphertext, tag) = sealed.split_at(sealed.len() - cipher.facts().tag_bytes);
    let mut opening = cipher.opening(nonce, out).expect("nonce size");
    for part in ad.chunks(PART) {
        opening.ad(part).expect("short");
    }
    for part in ciphertext.chunks(PART) {
        opening.update(part).expect("space");
    }
    opening.finish(tag).ok()
}
