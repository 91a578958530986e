//! Many subjects on many workloads, interleaved in one process.

use std::collections::BTreeMap;
use std::fmt;
use std::time::{Duration, Instant};

use sha2::{Digest, Sha256};

use crate::many::Many;
use crate::subject::{Message, Operation, Subject, Window, Workload, calibrate};

/// A subject and what it is called.
#[allow(missing_docs)]
pub struct Entry {
    pub cipher: &'static str,
    pub library: &'static str,
    pub version: String,
    /// Our back end, or how a peer was built and chooses its instructions.
    pub backend: &'static str,
    pub subject: Box<dyn Subject>,
    /// Present if many messages can be sealed in one call.
    pub many: Option<Many>,
    /// Compared with the others, but not timed.
    pub witness: bool,
}

impl Entry {
    fn sealed(&mut self, operation: Operation, message: &mut Message) -> Option<Vec<u8>> {
        if operation == Operation::SealMany {
            let many = self.many.as_mut()?;
            return Some(many.sealed(message.data_bytes(), message.ad()));
        }
        Some(self.subject.sealed(operation, message))
    }

    fn window(&mut self, operation: Operation, message: &mut Message, calls: usize) -> Window {
        match &mut self.many {
            Some(many) if operation == Operation::SealMany => {
                many.window(message.data_bytes(), message.ad(), calls)
            }
            _ => self.subject.window(operation, message, calls),
        }
    }
}

/// How long to measure.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// Length of a window, unless one call alone takes longer.
    pub window: Duration,
    /// Windows for each subject and workload, at most.
    pub windows: usize,
    /// No round begins that would end after this; three are always measured.
    pub budget: Duration,
}

/// One subject on one workload, one number per window, each for one call.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub struct Measured {
    pub entry: usize,
    pub load: Workload,
    pub samples_ns: Vec<f64>,
    /// Empty on a CPU for which no chain is written.
    pub samples_cycles: Vec<f64>,
    /// SHA-256 of ciphertext || tag of the first encryption, in hex.
    pub digest: String,
    /// Time spent on it, calibration and all.
    pub spent: Duration,
    calls: usize,
    sealed_bytes: usize,
    /// As `digest`, of as many bytes as the message has: the same whatever size the tag is.
    ciphertext: String,
}

/// Two subjects of one cipher gave different bytes: nothing was timed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disagreement(String);

impl fmt::Display for Disagreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Disagreement {}

/// Rounds measured even when the budget is spent.
const FEWEST: usize = 3;

/// Times every entry on every workload it can do: a window each, then all again, so that what the machine
/// does meanwhile falls on all alike. `progress` gets the share that is done.
///
/// # Errors
///
/// [`Disagreement`] if two entries of one cipher do not give the same ciphertext and tag.
pub fn measure(
    entries: &mut [Entry],
    loads: &[Workload],
    plan: Plan,
    progress: &mut dyn FnMut(f64),
) -> Result<Vec<Measured>, Disagreement> {
    let begun = Instant::now();
    let mut messages = BTreeMap::new();
    let mut result = vec![];
    for load in loads {
        let message = messages
            .entry((load.data_bytes, load.ad_bytes))
            .or_insert_with(|| Message::new(load.data_bytes, load.ad_bytes));
        for (entry, it) in entries.iter_mut().enumerate() {
            let Some(sealed) = it.sealed(load.operation, message) else {
                continue; // one message a call is all it can
            };
            result.push(Measured {
                entry,
                load: *load,
                samples_ns: vec![],
                samples_cycles: vec![],
                digest: hex(&Sha256::digest(&sealed)),
                spent: Duration::ZERO,
                calls: 0,
                sealed_bytes: sealed.len(),
                ciphertext: hex(&Sha256::digest(&sealed[..load.data_bytes])),
            });
        }
    }
    agree(entries, &result)?;
    result.retain(|it| !entries[it.entry].witness);

    let mut last_round = Duration::ZERO;
    for round in 0..plan.windows {
        let start = Instant::now();
        let over = (start - begun) + last_round > plan.budget;
        if over && round >= FEWEST {
            break;
        }
        let all = result.len();
        for (place, it) in result.iter_mut().enumerate() {
            let start = Instant::now();
            let message = messages
                .get_mut(&(it.load.data_bytes, it.load.ad_bytes))
                .expect("made above");
            let subject = &mut entries[it.entry];
            if it.load.operation == Operation::ColdStart {
                it.calls = 1; // emptying the caches takes longer than the call
            } else if it.calls == 0 {
                it.calls = calibrate(plan.window, |calls| {
                    subject.window(it.load.operation, message, calls)
                });
            }
            // Odd, so that all lines of the page have their turn.
            message.move_to(round * 27);
            let window = subject.window(it.load.operation, message, it.calls);
            let calls = it.calls as f64;
            it.samples_ns.push(window.time.as_nanos() as f64 / calls);
            it.samples_cycles
                .extend(window.cycles.map(|cycles| cycles / calls));
            it.spent += start.elapsed();
            if place % 64 == 0 {
                let share = (round as f64 + place as f64 / all as f64) / plan.windows as f64;
                let spent = begun.elapsed().as_secs_f64() / plan.budget.as_secs_f64();
                progress(share.max(spent).min(1.0));
            }
        }
        last_round = start.elapsed();
    }
    progress(1.0);
    Ok(result)
}

/// Ciphertexts of one cipher must be equal, and so must tags of one size.
fn agree(entries: &[Entry], found: &[Measured]) -> Result<(), Disagreement> {
    let mut first: BTreeMap<_, &Measured> = BTreeMap::new();
    for each in found {
        let entry = &entries[each.entry];
        let (cipher, size, ad) = (entry.cipher, each.load.data_bytes, each.load.ad_bytes);
        for (whole, part) in [
            (Some(each.sealed_bytes), &each.digest),
            (None, &each.ciphertext),
        ] {
            let other = *first.entry((cipher, size, ad, whole)).or_insert(each);
            let wanted = whole.map_or(&other.ciphertext, |_| &other.digest);
            if wanted != part {
                let of = &entries[other.entry];
                return Err(Disagreement(format!(
                    "{cipher}: {}/{} differs from {}/{} at {size} bytes with {ad} of associated \
                     data: want sha256 {wanted}, got {part}; nothing was timed",
                    entry.library, entry.backend, of.library, of.backend
                )));
            }
        }
    }
    Ok(())
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
