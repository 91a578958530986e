//! A cipher on every back end.

use roundworks::{Cipher, Facts, ciphers};

use crate::input::Input;

/// One cipher, picked by the input's first byte and keyed from it, on each of its back ends that
/// this CPU can run: `portable` first.
pub(crate) fn everywhere(input: &mut Input<'_>) -> Vec<Box<dyn Cipher>> {
    let facts = pick(input.byte());
    let key = input.bytes(facts.key_bytes);
    let usable = facts.backends.iter().filter(|b| b.is_available());
    let cipher = |b| roundworks::cipher(facts.name, &key, Some(facts.tag_bytes), Some(b));
    usable
        .map(|b| cipher(*b).expect("its own sizes, and available"))
        .collect()
}

/// The cipher that a first byte picks.
pub(crate) fn pick(byte: u8) -> &'static Facts {
    let all = ciphers().count();
    ciphers()
        .nth(usize::from(byte) % all)
        .expect("below the count")
}

/// For messages: `aegis-128l/aesni`.
pub(crate) fn name(cipher: &dyn Cipher) -> String {
    format!("{}/{}", cipher.facts().name, cipher.backend_name())
}
