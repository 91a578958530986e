//! Fuzz targets: functions from any bytes to nothing, which panic on what must not happen.
//!
//! `make fuzz` runs them under libFuzzer; the tests replay the corpus and some thousand random
//! inputs, on the compiler everyone has.

mod ciphers;
mod file;
mod header;
mod incremental;
mod input;
mod many;
mod open;
mod seal;

pub mod corpus;

/// Name and function of a target.
pub type Target = (&'static str, fn(&[u8]));

/// Every target.
pub const TARGETS: &[Target] = &[
    ("seal", seal::run),
    ("open", open::run),
    ("incremental", incremental::run),
    ("many", many::run),
    ("header", header::run),
    ("file", file::run),
];

/// The target of that name.
#[must_use]
pub fn target(name: &str) -> Option<Target> {
    TARGETS.iter().copied().find(|t| t.0 == name)
}
