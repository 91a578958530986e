//! Fewest active S-boxes of Feistel permutations made of AES instructions, byte by byte. [AESNI-PERM]

mod columns;
mod functions;
mod hash;
mod machine;
mod search;

pub use functions::Branch;
pub use machine::{Count, Feistel, Kind};
pub use search::{Minimum, Trails};
