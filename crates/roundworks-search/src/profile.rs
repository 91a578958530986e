//! Which structures have a given profile of fewest active F? [AETHER, Table 7]

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use crate::error::{Error, in_range};
use crate::pool::{self, Gather, Progress};
use crate::structure::{Structure, candidates, check_sizes, injections, masks, rotate};

/// What is searched for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProfileSpec {
    words: usize,
    inputs: usize,
    starts: Vec<u32>,
    profile: Vec<u32>,
}

impl ProfileSpec {
    /// Structures of `words` words and `inputs` messages whose smallest number of active F over
    /// rounds `1..=n`, from any of the `starts` patterns and without message differences, is
    /// exactly `profile[n - 1]`, for every `n`.
    ///
    /// # Errors
    /// Sizes as for [`crate::SearchSpec`]; no start or one without or beyond the words; a
    /// profile that is empty, that falls, or that does not begin with the lightest start.
    pub fn new(
        words: usize,
        inputs: usize,
        starts: &[u32],
        profile: &[u32],
    ) -> Result<Self, Error> {
        check_sizes(words, inputs)?;
        in_range("starts", starts.len(), 1, 1 << words)?;
        for &start in starts {
            in_range("starts", start as usize, 1, (1 << words) - 1)?;
        }
        in_range("profile", profile.len(), 1, 1000)?;
        if let Some(at) = (1..profile.len()).find(|&at| profile[at] < profile[at - 1]) {
            return Err(Error::Profile(format!(
                "falls from {} to {} in round {}; costs only add up",
                profile[at - 1],
                profile[at],
                at + 1
            )));
        }
        let lightest = starts
            .iter()
            .map(|start| start.count_ones())
            .min()
            .unwrap_or(0);
        if profile[0] != lightest {
            return Err(Error::Profile(format!(
                "round 1: want {lightest}, as the lightest start, got {}",
                profile[0]
            )));
        }
        Ok(Self {
            words,
            inputs,
            starts: starts.to_vec(),
            profile: profile.to_vec(),
        })
    }
}

/// How a search is run; the default uses all threads and keeps nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct ProfileOptions {
    /// Threads, or as many as the machine offers.
    pub threads: Option<NonZeroUsize>,
    /// Most structures to return. All are counted in any case.
    pub keep: usize,
}

/// What a search found.
#[derive(Clone, Debug, PartialEq)]
pub struct ProfileReport {
    /// How far it came.
    pub progress: Progress,
    /// Whether all were decided.
    pub complete: bool,
    /// The first `keep` found structures, by position set.
    pub structures: Vec<Structure>,
}

/// Decide all structures of `spec`; `observe` as in [`crate::search()`].
///
/// # Errors
/// None at present.
pub fn search_profile(
    spec: &ProfileSpec,
    options: &ProfileOptions,
    observe: &mut dyn FnMut(&Progress) -> ControlFlow<()>,
) -> Result<ProfileReport, Error> {
    let begin = Instant::now();
    let masks: Vec<u32> = masks(spec.words, spec.inputs).collect();
    let jobs: Vec<usize> = (0..masks.len()).collect();
    let cancel = AtomicBool::new(false);
    let progress = Progress::of(candidates(spec.words, spec.inputs));
    let each = injections(spec.words - spec.inputs, spec.words);
    let mut tally = Tally {
        progress,
        each,
        kept: vec![Vec::new(); masks.len()],
        begin,
        observe,
    };
    let worker = || {
        let (masks, cancel) = (&masks, &cancel);
        move |job: usize| {
            let mut engine = Engine::new(spec, masks[job], options.keep, cancel);
            engine.node();
            (!cancel.load(Ordering::Relaxed)).then_some((engine.found, engine.kept))
        }
    };
    let threads = pool::threads_or_all(options.threads);
    let complete = pool::run(threads, &jobs, &cancel, worker, &mut tally);
    let _ = tally.tick();
    Ok(ProfileReport {
        progress: tally.progress,
        complete,
        structures: tally
            .kept
            .into_iter()
            .flatten()
            .take(options.keep)
            .collect(),
    })
}

struct Tally<'a> {
    progress: Progress,
    each: u64,
    kept: Vec<Vec<Structure>>,
    begin: Instant,
    observe: &'a mut dyn FnMut(&Progress) -> ControlFlow<()>,
}

impl Gather<(u64, Vec<Structure>)> for Tally<'_> {
    fn take(&mut self, job: usize, (found, kept): (u64, Vec<Structure>)) {
        self.progress.searched += self.each;
        self.progress.found += found;
        self.kept[job] = kept;
    }

    fn tick(&mut self) -> ControlFlow<()> {
        self.progress.elapsed = self.begin.elapsed();
        (self.observe)(&self.progress)
    }
}

/// Searches one position set, depth first over the targets of words (the inverse of `pi`).
///
/// Each node runs the rounds of the profile as far as the words placed so far allow. A round
/// whose minimum cost differs from the profile ends the node; a state that needs an unplaced word
/// names the word to place next.
struct Engine<'a> {
    spec: &'a ProfileSpec,
    mask: u32,
    keep: usize,
    cancel: &'a AtomicBool,
    targets: Vec<u32>,
    placed: u32,
    used: u32,
    /// Minimum cost of each state before the round at hand, and before the next one.
    cost: [Vec<u32>; 2],
    reached: [Vec<u32>; 2],
    found: u64,
    kept: Vec<Structure>,
}

enum Verdict {
    /// Some round's cost differs for every completion.
    Differs,
    /// This word's target decides how it goes on.
    Lacks(usize),
    /// Every completion has the profile.
    Agrees,
}

const UNREACHED: u32 = u32::MAX;

impl<'a> Engine<'a> {
    fn new(spec: &'a ProfileSpec, mask: u32, keep: usize, cancel: &'a AtomicBool) -> Self {
        let costs = || vec![UNREACHED; 1 << spec.words];
        Self {
            spec,
            mask,
            keep,
            cancel,
            targets: vec![0; spec.words],
            placed: 0,
            used: 0,
            cost: [costs(), costs()],
            reached: [Vec::new(), Vec::new()],
            found: 0,
            kept: Vec::new(),
        }
    }

    fn node(&mut self) {
        if self.cancel.load(Ordering::Relaxed) {
            return;
        }
        let words = self.spec.words;
        let open = !self.mask & !self.used & ((1 << words) - 1);
        let unplaced = words - self.placed.count_ones() as usize;
        let word = match self.verdict() {
            Verdict::Differs => return,
            Verdict::Lacks(word) => word,
            Verdict::Agrees if self.kept.len() >= self.keep || open == 0 => {
                self.found += injections(open.count_ones() as usize, unplaced);
                if self.kept.len() < self.keep {
                    self.kept
                        .push(Structure::from_targets(words, self.mask, &self.targets));
                }
                return;
            }
            // Go on for the sake of the structures themselves; nothing below can differ.
            Verdict::Agrees => (!self.placed).trailing_zeros() as usize,
        };
        self.placed |= 1 << word;
        let left_out = unplaced > open.count_ones() as usize;
        for at in (0..words).filter(|at| open >> at & 1 == 1) {
            self.targets[word] = 1 << at;
            self.used |= 1 << at;
            self.node();
            self.used &= !(1 << at);
        }
        self.targets[word] = 0;
        if left_out {
            self.node();
        }
        self.placed &= !(1 << word);
    }

    fn verdict(&mut self) -> Verdict {
        let spec = self.spec;
        // A state dearer than the last entry has no part in any of them.
        let dearest = spec.profile.last().copied().unwrap_or(0);
        self.clear();
        for &start in &spec.starts {
            self.reach(start, start.count_ones());
        }
        for (round, &want) in spec.profile.iter().enumerate() {
            self.cost.swap(0, 1);
            self.reached.swap(0, 1);
            let states = std::mem::take(&mut self.reached[0]);
            let minimum = states
                .iter()
                .map(|&state| self.cost[0][state as usize])
                .min();
            let lacks = states.iter().find(|&&state| state & !self.placed != 0);
            let verdict = match lacks {
                _ if minimum != Some(want) => Some(Verdict::Differs),
                _ if round + 1 == spec.profile.len() => Some(Verdict::Agrees),
                Some(&state) => Some(Verdict::Lacks(
                    (state & !self.placed).trailing_zeros() as usize
                )),
                None => None,
            };
            if verdict.is_none() {
                for &state in &states {
                    self.follow(state, dearest);
                }
            }
            for &state in &states {
                self.cost[0][state as usize] = UNREACHED;
            }
            self.reached[0] = states;
            self.reached[0].clear();
            if let Some(verdict) = verdict {
                return verdict;
            }
        }
        Verdict::Agrees
    }

    /// All states after a round from `state`, whose words are placed.
    fn follow(&mut self, state: u32, dearest: u32) {
        let cost = self.cost[0][state as usize];
        let mut image = 0;
        let mut left = state;
        while left != 0 {
            image |= self.targets[left.trailing_zeros() as usize];
            left &= left - 1;
        }
        let through_f = rotate(state, 1, self.spec.words);
        let (forced, free) = (through_f ^ image, through_f & image);
        let mut chosen = free;
        loop {
            let next = forced | chosen;
            let total = cost + next.count_ones();
            if total <= dearest {
                self.reach(next, total);
            }
            if chosen == 0 {
                return;
            }
            chosen = (chosen - 1) & free;
        }
    }

    fn reach(&mut self, state: u32, cost: u32) {
        let slot = &mut self.cost[1][state as usize];
        if *slot == UNREACHED {
            self.reached[1].push(state);
        }
        *slot = cost.min(*slot);
    }

    fn clear(&mut self) {
        for side in 0..2 {
            for state in self.reached[side].drain(..) {
                self.cost[side][state as usize] = UNREACHED;
            }
        }
    }
}
