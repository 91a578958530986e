//! The structure search: all structures of a size whose internal collisions are dear enough.
//! [AETHER, section 3.2, Table 6]

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use crate::chunk::{Chunk, chunks};
use crate::collide::{Engine, Harvest};
use crate::error::{Error, in_range};
use crate::ledger::{Entry, Header, Ledger, Opened};
use crate::pool::{self, Gather, Progress};
use crate::structure::{Structure, candidates, check_sizes};

/// A ledger is brought to the disk at most this often.
const FLUSH: Duration = Duration::from_secs(1);

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

/// How a search is run; the default uses all threads and keeps nothing.
#[derive(Clone, Debug, Default)]
pub struct SearchOptions {
    /// Threads, or as many as the machine offers.
    pub threads: Option<NonZeroUsize>,
    /// File of finished work. If it exists, the search goes on where it ended.
    pub ledger: Option<PathBuf>,
    /// Most structures to return. All are counted in any case.
    pub keep: usize,
}

/// What a search found.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchReport {
    /// How far it came; of `s! C(s, m) / m!` structures in all.
    pub progress: Progress,
    /// Whether all were decided; if not, the ledger (if any) holds what was.
    pub complete: bool,
    /// The first `keep` found structures, every rotation of one before the next. The order does
    /// not depend on threads or on stops.
    pub structures: Vec<Structure>,
    /// Threads used.
    pub threads: usize,
    /// Chunks that came from the ledger.
    pub resumed_chunks: usize,
    /// What the caller should tell its user, such as a ledger's cut last line.
    pub notes: Vec<String>,
}

/// Decide all structures of `spec`.
///
/// `observe` is called on this thread about ten times a second and once at the end. If it
/// returns `Break`, the search ends early with a report that is not complete.
///
/// # Errors
/// Only from the ledger: not readable or writable, damaged, in use, or of another search.
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
    let cancel = AtomicBool::new(false);
    let mut tally = Tally {
        chunks: &chunks,
        progress: Progress::of(candidates(words, inputs)),
        keep: options.keep,
        kept: BTreeMap::new(),
        kept_structures: 0,
        ledger: None,
        flushed: begin,
        begin,
        observe,
    };
    let (mut done, mut notes) = (vec![false; chunks.len()], Vec::new());
    if let Some(path) = &options.ledger {
        let header = Header::new(words, inputs, active, options.keep, chunks.len());
        let Opened {
            ledger,
            entries,
            note,
        } = Ledger::open(path, &header)?;
        for entry in entries {
            done[entry.chunk] = true;
            let at = entry.chunk;
            tally.resume(entry, words).map_err(|problem| {
                let problem = format!("chunk {at}: {problem}; delete the file to start over");
                Error::Ledger {
                    path: path.clone(),
                    problem,
                }
            })?;
        }
        tally.ledger = Some(ledger);
        notes.extend(note);
    }
    let jobs: Vec<usize> = (0..chunks.len()).filter(|&chunk| !done[chunk]).collect();
    let threads = pool::threads_or_all(options.threads);
    let worker = || {
        let mut engine: Option<Engine> = None;
        let (chunks, cancel) = (&chunks, &cancel);
        move |job: usize| {
            let chunk: &Chunk = &chunks[job];
            let engine = match &mut engine {
                Some(engine) if engine.necklace() == chunk.necklace => engine,
                other => {
                    let keep = options.keep;
                    other.insert(Engine::new(
                        words,
                        active as u8,
                        chunk.necklace,
                        keep,
                        cancel,
                    ))
                }
            };
            engine.search(chunk)
        }
    };
    let ran = pool::run(threads, &jobs, &cancel, worker, &mut tally);
    // Whatever happened, finished chunks go to the ledger.
    let complete = tally.flush().and(ran)?;
    let _ = tally.look();
    Ok(SearchReport {
        progress: tally.progress,
        complete,
        structures: tally.structures(),
        threads,
        resumed_chunks: chunks.len() - jobs.len(),
        notes,
    })
}

/// Adds up finished chunks, keeps the ledger, and reports to the observer.
struct Tally<'a> {
    chunks: &'a [Chunk],
    progress: Progress,
    keep: usize,
    /// Chunk -> kept structures with their number of rotations; the lowest chunks that together
    /// hold at least `keep`.
    kept: BTreeMap<usize, Vec<Structure>>,
    kept_structures: usize,
    ledger: Option<Ledger>,
    flushed: Instant,
    begin: Instant,
    observe: &'a mut dyn FnMut(&Progress) -> ControlFlow<()>,
}

impl Tally<'_> {
    fn add(&mut self, chunk: usize, harvest: Harvest) {
        self.progress.searched += self.chunks[chunk].candidates;
        self.progress.found += harvest.found;
        if !harvest.kept.is_empty() {
            self.kept_structures += self.rotations(chunk, &harvest.kept);
            self.kept.insert(chunk, harvest.kept);
        }
        // Drop the last chunk as long as the others have enough.
        while let Some((&last, list)) = self.kept.last_key_value() {
            let without = self.kept_structures - self.rotations(last, list);
            if without < self.keep {
                break;
            }
            self.kept_structures = without;
            self.kept.pop_last();
        }
    }

    fn rotations(&self, chunk: usize, list: &[Structure]) -> usize {
        list.len() * self.chunks[chunk].necklace.orbit
    }

    fn resume(&mut self, entry: Entry, words: usize) -> Result<(), String> {
        let want = self.chunks[entry.chunk].candidates;
        if entry.searched != want {
            return Err(format!("want {want} structures, got {}", entry.searched));
        }
        let structures = entry.structures.into_iter();
        let kept = structures
            .map(|(positions, pi)| Structure::new(words, positions, pi))
            .collect::<Result<_, _>>()
            .map_err(|error| error.to_string())?;
        self.add(
            entry.chunk,
            Harvest {
                found: entry.found,
                kept,
            },
        );
        Ok(())
    }

    fn flush(&mut self) -> Result<(), Error> {
        self.flushed = Instant::now();
        self.ledger.as_mut().map_or(Ok(()), Ledger::flush)
    }

    fn look(&mut self) -> ControlFlow<()> {
        self.progress.elapsed = self.begin.elapsed();
        (self.observe)(&self.progress)
    }

    fn structures(&self) -> Vec<Structure> {
        let rotations = |(&chunk, list): (&usize, &Vec<Structure>)| -> Vec<Structure> {
            let orbit = self.chunks[chunk].necklace.orbit;
            list.iter()
                .flat_map(|structure| (0..orbit).map(|by| structure.rotated(by)))
                .collect()
        };
        self.kept
            .iter()
            .flat_map(rotations)
            .take(self.keep)
            .collect()
    }
}

impl Gather<Harvest> for Tally<'_> {
    fn take(&mut self, chunk: usize, harvest: Harvest) -> Result<(), Error> {
        if let Some(ledger) = &mut self.ledger {
            let pair = |s: &Structure| (s.positions().to_vec(), s.pi().to_vec());
            ledger.append(&Entry {
                chunk,
                searched: self.chunks[chunk].candidates,
                found: harvest.found,
                structures: harvest.kept.iter().map(pair).collect(),
            })?;
        }
        self.add(chunk, harvest);
        Ok(())
    }

    fn tick(&mut self) -> Result<ControlFlow<()>, Error> {
        if self.flushed.elapsed() >= FLUSH {
            self.flush()?;
        }
        Ok(self.look())
    }
}
