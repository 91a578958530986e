//! The Python module `roundworks._native`: glue without logic of its own.
//!
//! One file per crate behind it; each offers its Python names and this file lists them. Types,
//! shapes and units are documented in `python/roundworks/_native.pyi`.

mod aead;

#[pyo3::pymodule]
mod _native {
    #[pymodule_export]
    const CIPHERS: [&str; 3] = super::aead::CIPHERS;
}
