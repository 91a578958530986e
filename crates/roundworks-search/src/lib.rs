//! Searches over rounds seen word-wise: a word is active (differs) or not, and nothing else.
//!
//! Two kinds of queries have exact results:
//!
//! * [`word`]: what does *this* recorded round do? Fewest active F over rounds, the cheapest
//!   internal collision, rounds to full diffusion. The round is a [`Program`] of any shape.
//! * [`search()`] and [`search_profile`]: which rounds of the AEGIS-like family
//!   `S'[i] = F(S[i-1]) ^ (X_j or S[pi(i)])` resist collisions, or have a given profile?
//!   [AETHER, section 3.2] A [`Structure`] is one member of that family.
//!
//! [`permuted`] has the lightest trail over any number of rounds of S-boxes and permutations of bits.
//! [`frontier`] is the engine of a solver for counts of active cells, which knows no rounds. [`rows`] and [`cores`] have
//! the lightest trail over three rounds: of those whose linear layer takes each row of bits to itself, and of all whose
//! S-boxes take the whole state, where few of them need be active. [`parity`] sums every product of bits over inputs.
//!
//! The structure search has a slow twin, [`plain`], which a reader can check by eye.
//!
//! ```
//! use roundworks_search::{SearchOptions, SearchSpec, search};
//! use std::ops::ControlFlow;
//!
//! let spec = SearchSpec::new(6, 2, 8)?;
//! let report = search(&spec, &SearchOptions::default(), &mut |_| ControlFlow::Continue(()))?;
//! assert_eq!((report.progress.candidates, report.progress.found), (5_400, 54));
//! # Ok::<(), roundworks_search::Error>(())
//! ```

#![forbid(unsafe_code)]

mod chunk;
pub mod closed;
mod collide;
pub mod cores;
mod error;
pub mod frontier;
pub mod parity;
pub mod permuted;
pub mod plain;
mod pool;
mod profile;
mod program;
pub mod rows;
mod search;
mod structure;
pub mod sums;
pub mod trail;
mod transitions;
pub mod word;

pub use error::Error;
pub use pool::Progress;
pub use profile::{ProfileOptions, ProfileReport, ProfileSpec, search_profile};
pub use program::{Kind, Node, Program};
pub use search::{SearchOptions, SearchReport, SearchSpec, parts, search};
pub use structure::Structure;
