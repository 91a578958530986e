//! The Python module `roundworks._native`: glue without logic of its own.
//!
//! One file per crate behind it (of the cipher core: one per kind of call); each offers its Python
//! names and this file lists them. Types, shapes, units and errors are documented in
//! `python/roundworks/_native.pyi`, once: `build.rs` cuts the docstrings out of it, and `stub!` takes
//! one of them by its name, so that `help()` prints what an editor shows.

#![deny(unsafe_code)] // `buffer` and `gpu` alone lift this

macro_rules! stub {
    ($name:literal) => {
        include_str!(concat!(env!("OUT_DIR"), "/", $name))
    };
}

mod aead;
mod bench;
mod buffer;
mod errors;
mod files;
mod forms;
mod frontier;
mod gil;
mod gpu;
mod gpu_aead;
mod incremental;
mod keyed;
mod lrat;
mod mac;
mod many;
mod memory;
mod parity;
mod permutations;
mod rows;
mod search;
mod trails;

#[doc = stub!("rustc_version")]
#[pyo3::pyfunction]
fn rustc_version() -> &'static str {
    env!("RUSTC_VERSION")
}

// The GIL is what keeps other threads from a buffer while it is copied, see `buffer`.
#[pyo3::pymodule(gil_used = true)]
mod _native {
    #[pymodule_export]
    use super::aead::{Aead, cipher_names};
    #[pymodule_export]
    use super::bench::{bench, bench_permutations};
    #[pymodule_export]
    use super::files::{
        create_key_file, file_ciphers, inspect_file, open_file, readable_by_others, seal_file,
    };
    #[pymodule_export]
    use super::forms::{LinearMap, PublicBits, Symbols};
    #[pymodule_export]
    use super::frontier::FrontierSteps;
    #[pymodule_export]
    use super::gpu::{DeviceMemory, Gpu, Pinned};
    #[pymodule_export]
    use super::gpu_aead::{GpuAead, Staged, gpu_cipher_names};
    #[pymodule_export]
    use super::incremental::{Decryptor, Encryptor};
    #[pymodule_export]
    use super::lrat::check_lrat;
    #[pymodule_export]
    use super::mac::{Mac, mac_names};
    #[pymodule_export]
    use super::parity::ParitySteps;
    #[pymodule_export]
    use super::permutations::{
        BlockHash, Permutation, Pholkos, areion_512_md, hash_names, permutation_names,
    };
    #[pymodule_export]
    use super::rows::{lightest_of_cores, lightest_of_permuted, lightest_of_three};
    #[pymodule_export]
    use super::rustc_version;
    #[pymodule_export]
    use super::search::{
        search_parts, search_profile, search_structures, structure_collisions, sums_collision,
        word_collision, word_diffusion, word_profile,
    };
    #[pymodule_export]
    use super::trails::feistel_minima;
}
