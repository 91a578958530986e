//! Times ciphers inside one process: ours, and with the same windows anybody's ([`Subject`]).
//!
//! A sample is the time of one call, averaged over a window shorter than 2 ms, so that the clock
//! of the core hardly changes within it. Next to each window a chain of 2000 dependent additions is
//! timed, which takes 2000 cycles on any core: that turns ticks into cycles where hardware counters
//! are not to be had. Compare samples of one run; absolute times differ between runs.
//!
//! ```
//! use roundworks::Backend;
//! use roundworks_bench::{Operation, Workload};
//!
//! let load = Workload { operation: Operation::Encrypt, data_bytes: 64, ad_bytes: 0 };
//! let timing = roundworks_bench::time("aegis-128", Backend::Portable, load, 3, 10_000)?;
//! assert_eq!(timing.samples_ns.len(), 3);
//! # Ok::<(), roundworks_bench::Error>(())
//! ```

#![deny(unsafe_code)] // `clock` alone lifts this

mod clock;
mod grid;
mod many;
mod ours;
mod permutations;
mod subject;

use std::fmt;
use std::time::Duration;

use roundworks::{Backend, BackendUnavailable};

pub use crate::clock::instructions::{Instruction, Measure, instructions};
pub use crate::grid::{Disagreement, Entry, Measured, Plan, measure};
pub use crate::many::Many;
pub use crate::ours::{LIBRARY, ours};
pub use crate::permutations::{Permuted, Permuting, Way, permuted};
pub use crate::subject::counting;
pub use crate::subject::{Across, InPlace, Message, Operation, Subject, Window, Workload};

/// Longest window, unless one call alone takes longer.
const LONGEST_WINDOW: Duration = Duration::from_millis(2);

/// One number per sample, each for one call.
#[derive(Clone, Debug, PartialEq)]
pub struct Timing {
    /// Nanoseconds for one call.
    pub samples_ns: Vec<f64>,
    /// Cycles for one call; empty on a CPU for which no chain is written.
    pub samples_cycles: Vec<f64>,
    /// SHA-256 of ciphertext || tag of the first encryption, in hex.
    pub digest: String,
}

/// Why nothing was timed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// No cipher of that name.
    UnknownCipher,
    /// The cipher cannot run on that back end here.
    Unavailable(BackendUnavailable),
    /// No samples were requested.
    NoSamples,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownCipher => {
                let mut names: Vec<_> = roundworks::ciphers().map(|facts| facts.name).collect();
                names.dedup();
                let names = names.join(", ");
                write!(f, "cipher: unknown name, want one of {names}")
            }
            Self::Unavailable(error) => error.fmt(f),
            Self::NoSamples => f.write_str("samples: want at least 1, got 0"),
        }
    }
}

impl std::error::Error for Error {}

/// Times `samples` windows of about `min_sample_ns`, at most 2 ms, each.
///
/// Inputs are fixed: byte i of the key, of the nonce, of the associated data and of the first
/// plaintext is i modulo 256.
///
/// # Errors
///
/// [`Error`] if the cipher or the back end is not there, or no samples are wanted.
///
/// # Panics
///
/// If a timed decryption refuses its ciphertext or does not give the plaintext back.
pub fn time(
    cipher: &str,
    backend: Backend,
    load: Workload,
    samples: usize,
    min_sample_ns: u64,
) -> Result<Timing, Error> {
    if samples == 0 {
        return Err(Error::NoSamples);
    }
    let mut entry = ours::one(cipher, backend)?;
    entry.witness = false;
    let plan = Plan {
        window: Duration::from_nanos(min_sample_ns).min(LONGEST_WINDOW),
        windows: samples,
        budget: Duration::MAX,
    };
    let result = measure(&mut [entry], &[load], plan, &mut |_| ());
    let one = result.expect("one subject cannot disagree").swap_remove(0);
    Ok(Timing {
        samples_ns: one.samples_ns,
        samples_cycles: one.samples_cycles,
        digest: one.digest,
    })
}
