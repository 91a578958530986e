//! AEAD classes over the cipher core, in the shape of pyca/cryptography.

/// Names of the ciphers that have a class here, as in `spec/`.
pub(crate) const CIPHERS: [&str; 3] = ["aether", "aether-lb", "aegis-128"];
