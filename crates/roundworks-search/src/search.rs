//! The structure search: all structures of a size whose internal collisions are dear enough.
//! [AETHER, section 3.2, Table 6]

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::ops::{ControlFlow, Range};
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use crate::chunk::{Chunk, chunks};
use crate::collide::{Engine, Harvest};
use crate::error::{Error, in_range};
use crate::pool::{self, Gather, Progress};
use crate::structure::{Structure, check_sizes, members};

/// What is searched for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchSpec {
    words: usize,
    inputs: usize,
    active: u32,
}

impl SearchSpec {
    /// Largest `active`: far beyond any collision of 16 words that is worth a search.
    pub const MAX_ACTIVE: usize = 64;

    /// Structures of `words` words and `inputs` messages whose cheapest internal collision has
    /// at least `active` active F, or that have none.
    ///
    /// # Errors
    /// `words` not in 2 to 16, `inputs` not in 1 to `words - 1`, `active` not in 1 to 64.
    pub fn new(words: usize, inputs: usize, active: usize) -> Result<Self, Error> {
        check_sizes(words, inputs)?;
        let active = in_range("active", active, 1, Self::MAX_ACTIVE)? as u32;
        Ok(Self {
            words,
            inputs,
            active,
        })
    }
}

/// How a search is run; the default uses all threads, searches everything and keeps nothing.
#[derive(Clone, Debug, Default)]
pub struct SearchOptions {
    /// Threads, or as many as the machine offers.
    pub threads: Option<NonZeroUsize>,
    /// Search these of [`parts`] alone. The counts of ranges that cover all parts once add up to
    /// those of the whole search.
    pub parts: Option<Range<usize>>,
    /// Most structures to return. All are counted in any case.
    pub keep: usize,
}

/// What a search found.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchReport {
    /// How far it came; without a range, of `s! C(s, m) / m!` structures.
    pub progress: Progress,
    /// Whether all were decided.
    pub complete: bool,
    /// The first `keep` found structures; of one after the other those that differ from it by an exchange of
    /// chains. The order does not depend on threads or on stops.
    pub structures: Vec<Structure>,
    /// Threads used.
    pub threads: usize,
}

/// How many structures each part of the search has, in a fixed order; what a search is cut into.
///
/// # Errors
/// Sizes as for [`SearchSpec`].
pub fn parts(words: usize, inputs: usize) -> Result<Vec<u64>, Error> {
    check_sizes(words, inputs)?;
    let chunks = chunks(words, inputs);
    Ok(chunks.iter().map(|chunk| chunk.candidates).collect())
}

/// Decide all structures of `spec`, or those of a range of its parts.
///
/// `observe` is called on this thread about ten times a second and once at the end. If it
/// returns `Break`, the search ends early with a report that is not complete.
///
/// # Errors
/// A range that is empty or ends beyond the last part.
pub fn search(
    spec: &SearchSpec,
    options: &SearchOptions,
    observe: &mut dyn FnMut(&Progress) -> ControlFlow<()>,
) -> Result<SearchReport, Error> {
    let begin = Instant::now();
    let SearchSpec {
        words,
        inputs,
        active,
    } = *spec;
    let chunks = chunks(words, inputs);
    let wanted = options.parts.clone().unwrap_or(0..chunks.len());
    in_range("end of the parts", wanted.end, 1, chunks.len())?;
    in_range("first part", wanted.start, 0, wanted.end - 1)?;
    let total = chunks[wanted.clone()].iter().map(|c| c.candidates).sum();
    let cancel = AtomicBool::new(false);
    let mut tally = Tally {
        chunks: &chunks,
        progress: Progress::of(total),
        keep: options.keep,
        kept: BTreeMap::new(),
        kept_structures: 0,
        begin,
        observe,
    };
    let jobs: Vec<usize> = wanted.collect();
    let threads = pool::threads_or_all(options.threads);
    let worker = || {
        let mut engine: Option<Engine> = None;
        let (chunks, cancel) = (&chunks, &cancel);
        move |job: usize| {
            let chunk: &Chunk = &chunks[job];
            let engine = match &mut engine {
                Some(engine) if engine.messages_at() == chunk.class.mask => engine,
                other => {
                    let keep = options.keep;
                    other.insert(Engine::new(
                        words,
                        active as u8,
                        chunk.class.mask,
                        keep,
                        cancel,
                    ))
                }
            };
            engine.search(chunk)
        }
    };
    let complete = pool::run(threads, &jobs, &cancel, worker, &mut tally);
    let _ = tally.look();
    Ok(SearchReport {
        progress: tally.progress,
        complete,
        structures: tally.structures(),
        threads,
    })
}

/// Adds up finished chunks, and reports to the observer.
struct Tally<'a> {
    chunks: &'a [Chunk],
    progress: Progress,
    keep: usize,
    /// Chunk -> kept structures, each of which stands for others; the lowest chunks that
    /// together hold at least `keep`.
    kept: BTreeMap<usize, Vec<Structure>>,
    kept_structures: usize,
    begin: Instant,
    observe: &'a mut dyn FnMut(&Progress) -> ControlFlow<()>,
}

impl Tally<'_> {
    fn add(&mut self, chunk: usize, harvest: Harvest) {
        self.progress.searched += self.chunks[chunk].candidates;
        self.progress.found += harvest.found * self.chunks[chunk].each() as u64;
        if !harvest.kept.is_empty() {
            self.kept_structures += self.standing_for(chunk, &harvest.kept);
            self.kept.insert(chunk, harvest.kept);
        }
        // Drop the last chunk as long as the others have enough.
        while let Some((&last, list)) = self.kept.last_key_value() {
            let without = self.kept_structures - self.standing_for(last, list);
            if without < self.keep {
                break;
            }
            self.kept_structures = without;
            self.kept.pop_last();
        }
    }

    fn standing_for(&self, chunk: usize, list: &[Structure]) -> usize {
        list.len() * self.chunks[chunk].each()
    }

    fn look(&mut self) -> ControlFlow<()> {
        self.progress.elapsed = self.begin.elapsed();
        (self.observe)(&self.progress)
    }

    fn structures(&self) -> Vec<Structure> {
        let every = |(&chunk, list): (&usize, &Vec<Structure>)| -> Vec<Structure> {
            let Chunk {
                class, exchanges, ..
            } = &self.chunks[chunk];
            let members: Vec<_> = match list.first() {
                Some(one) => members(one.words(), *class).collect(),
                None => Vec::new(),
            };
            list.iter()
                .flat_map(|one| exchanges.iter().map(|names| one.renamed(names)))
                .flat_map(|one| members.iter().map(move |names| one.renamed(names)))
                .collect()
        };
        self.kept.iter().flat_map(every).take(self.keep).collect()
    }
}

impl Gather<Harvest> for Tally<'_> {
    fn take(&mut self, chunk: usize, harvest: Harvest) {
        self.add(chunk, harvest);
    }

    fn tick(&mut self) -> ControlFlow<()> {
        self.look()
    }
}
