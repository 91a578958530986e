//! Minalpher on x86-64.

mod narrow;
mod wide512;

pub(crate) use narrow::Narrow;
pub(crate) use wide512::Wide512;
