//! The fast structure search within one chunk.
//!
//! `pi` is built from its inverse: word `j` gets a *target*, the position it is added at, or
//! none. A round from state `S` then needs only the targets of the active words: with
//! `R = S` moved up by one and `I` the targets of `S`, outside the message positions `R ^ I` must
//! differ and `R & I` may. So a trail of fewer than `active` F involves few words, and one that
//! needs only words already placed refutes every structure that agrees on them.
//!
//! Depth first over words; at each node
//! * `cost[S]` is the minimum cost of reaching `S` with the words placed so far, kept up to date by
//!   undoing on the way back; states with an unplaced active word wait in a list;
//! * a waiting state with one unplaced word and one target that closes the trail takes that
//!   target out of the word's domain, before it is tried;
//! * the word with the smallest domain is placed next. An empty domain, or a position that no
//!   word can be added at, ends the node at once;
//! * with nothing waiting, no completion can have a cheap trail: all of them are found.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::chunk::{Chunk, NOWHERE};
use crate::structure::{MAX_WORDS, Structure, injections, rotate};

/// `WEIGHT[x]` = number of ones. The default x86-64 target has no instruction for it.
static WEIGHT: [u8; 1 << 16] = {
    let mut table = [0; 1 << 16];
    let mut x = 1;
    while x < table.len() {
        table[x] = table[x >> 1] + (x & 1) as u8;
        x += 1;
    }
    table
};

fn weight(x: u32) -> u32 {
    WEIGHT[x as u16 as usize].into()
}

/// `WITH[bit][x]` = all ones where `x` has the bit: what is added to a table, several entries at once.
static WITH: [[u16; 256]; 8] = {
    let mut table = [[0; 256]; 8];
    let mut at = 0;
    while at < 8 * 256 {
        let (bit, x) = (at / 256, at % 256);
        table[bit][x] = if x >> bit & 1 == 1 { u16::MAX } else { 0 };
        at += 1;
    }
    table
};

const UNREACHED: u8 = u8::MAX;

/// What a chunk holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Harvest {
    /// Structures without a cheap collision.
    pub found: u64,
    /// The first of them.
    pub kept: Vec<Structure>,
}

/// Searches the chunks of one position set.
pub(crate) struct Engine<'a> {
    words: usize,
    active: u8,
    messages_at: u32,
    keep: usize,
    cancel: &'a AtomicBool,
    /// Positions that add a word.
    adding: u32,
    /// `shifted[S]` = R.
    shifted: Vec<u16>,
    /// Sets of message positions, small ones first; `messages_up_to[n]` of them have up to n.
    messages: Vec<u16>,
    messages_up_to: [usize; MAX_WORDS + 1],
    targets: [u32; MAX_WORDS],
    /// I of the lower and of the upper half of a state.
    image: [[u16; 256]; 2],
    placed: u32,
    used: u32,
    cost: Vec<u8>,
    undo: Vec<(u16, u8)>,
    queue: Vec<(u16, u8)>,
    nodes: u64,
    harvest: Harvest,
}

/// A trail with only placed words in it closes: the node has no survivors.
struct Refuted;

impl<'a> Engine<'a> {
    /// `keep`: how many structures a chunk's harvest may hold. A set `cancel` ends a chunk.
    pub fn new(
        words: usize,
        active: u8,
        messages_at: u32,
        keep: usize,
        cancel: &'a AtomicBool,
    ) -> Self {
        let states = 1u32 << words;
        let adding = (states - 1) & !messages_at;
        let mut messages: Vec<u16> = (0..states)
            .filter(|x| x & adding == 0)
            .map(|x| x as u16)
            .collect();
        messages.sort_by_key(|x| x.count_ones());
        let up_to = |n: usize| messages.partition_point(|x| x.count_ones() as usize <= n);
        Self {
            words,
            active,
            messages_at,
            keep,
            cancel,
            adding,
            shifted: (0..states)
                .map(|s| (rotate(s, 1, words) & adding) as u16)
                .collect(),
            messages_up_to: std::array::from_fn(up_to),
            messages,
            targets: [0; MAX_WORDS],
            image: [[0; 256]; 2],
            placed: 0,
            used: 0,
            cost: vec![UNREACHED; states as usize],
            undo: Vec::new(),
            queue: Vec::new(),
            nodes: 0,
            harvest: Harvest::default(),
        }
    }

    /// Where messages enter; a chunk with other positions needs another engine.
    pub fn messages_at(&self) -> u32 {
        self.messages_at
    }

    /// Search `chunk`; `None` if cancelled on the way.
    pub fn search(&mut self, chunk: &Chunk) -> Option<Harvest> {
        self.harvest = Harvest::default();
        let mut waiting = Vec::new();
        for &message in self.messages.iter().filter(|&&message| message != 0) {
            let cost = weight(message.into()) as u8;
            if cost < self.active && self.can_close(message.into(), cost) {
                self.undo.push((message, UNREACHED));
                self.cost[message as usize] = cost;
                waiting.push(message);
            }
        }
        self.descend(&chunk.prefix, &waiting);
        self.rewind(0);
        let finished = !self.cancel.load(Ordering::Relaxed);
        finished.then(|| std::mem::take(&mut self.harvest))
    }

    fn descend(&mut self, prefix: &[(usize, u32)], waiting: &[u16]) {
        match prefix.split_first() {
            Some((&(word, target), rest)) => self.place(word, target, rest, waiting),
            None => self.node(waiting),
        }
    }

    fn node(&mut self, waiting: &[u16]) {
        self.nodes += 1;
        if self.nodes.is_multiple_of(1024) && self.cancel.load(Ordering::Relaxed) {
            return;
        }
        if waiting.is_empty() {
            self.collect();
            return;
        }
        if let Some((word, mut domain)) = self.next_word(waiting) {
            while domain != 0 {
                let target = domain & domain.wrapping_neg();
                domain &= domain - 1;
                self.place(word, target, &[], waiting);
            }
        }
    }

    /// The word to place next and its domain, or `None` if the node has no survivors.
    fn next_word(&self, waiting: &[u16]) -> Option<(usize, u32)> {
        // How much a word is wanted: by trails that lack only it, then two words, ...
        let mut wanted = [0u32; MAX_WORDS];
        let mut closing = [0u32; MAX_WORDS];
        for &state in waiting {
            let state = u32::from(state);
            let mut lacks = state & !self.placed;
            let count = weight(lacks);
            let want = 1u32 << 16u32.saturating_sub(3 * (count - 1));
            if count == 1 {
                closing[lacks.trailing_zeros() as usize] |= self.closing_target(state);
            }
            while lacks != 0 {
                wanted[lacks.trailing_zeros() as usize] += want;
                lacks &= lacks - 1;
            }
        }
        let open = self.adding & !self.used;
        let unplaced = self.words - self.placed.count_ones() as usize;
        let may_be_left_out = unplaced > open.count_ones() as usize;
        let targets = if may_be_left_out {
            open | NOWHERE
        } else {
            open
        };
        let mut covered = 0;
        let mut best: Option<(usize, u32)> = None;
        for word in (0..self.words).filter(|word| self.placed >> word & 1 == 0) {
            let domain = targets & !closing[word];
            covered |= domain;
            let better = best.is_none_or(|(other, smallest)| {
                let (size, minimum) = (domain.count_ones(), smallest.count_ones());
                size < minimum || size == minimum && wanted[word] > wanted[other]
            });
            if wanted[word] > 0 && better {
                best = Some((word, domain));
            }
        }
        best.filter(|&(_, domain)| domain != 0 && covered & open == open)
    }

    /// The one target that takes `state`, which lacks one word, to the zero state; 0 if none.
    fn closing_target(&self, state: u32) -> u32 {
        let (shifted, image) = self.inputs_of(state);
        let missing = shifted & !image;
        match (image & !shifted, weight(missing)) {
            (0, 0) => NOWHERE,
            (0, 1) => missing,
            _ => 0,
        }
    }

    fn place(&mut self, word: usize, target: u32, prefix: &[(usize, u32)], waiting: &[u16]) {
        let target = target & !NOWHERE;
        self.set_target(word, target);
        self.placed |= 1 << word;
        self.used |= target;
        let mark = self.undo.len();
        let mut still_waiting = Vec::with_capacity(waiting.len() + 16);
        if self.release(waiting, &mut still_waiting).is_ok()
            && self.expand(&mut still_waiting).is_ok()
        {
            self.descend(prefix, &still_waiting);
        }
        self.queue.clear();
        self.rewind(mark);
        self.used &= !target;
        self.placed &= !(1 << word);
        self.clear_target(word);
    }

    /// Sort the waiting states: those now complete to the queue, hopeless ones out.
    fn release(&mut self, waiting: &[u16], still: &mut Vec<u16>) -> Result<(), Refuted> {
        for &state in waiting {
            let cost = self.cost[state as usize];
            if u32::from(state) & !self.placed == 0 {
                if self.can_go_on(state.into(), cost)? {
                    self.queue.push((state, cost));
                }
            } else if self.can_close(state.into(), cost) {
                still.push(state);
            } else {
                // Unreached again, so that a cheaper way to it puts it back on the list.
                self.undo.push((state, cost));
                self.cost[state as usize] = UNREACHED;
            }
        }
        Ok(())
    }

    /// Follow everything in the queue; states that lack a word join `waiting`.
    fn expand(&mut self, waiting: &mut Vec<u16>) -> Result<(), Refuted> {
        while let Some((state, cost)) = self.queue.pop() {
            if self.cost[state as usize] != cost {
                continue;
            }
            let (shifted, image) = self.inputs_of(state.into());
            let (forced, free) = (shifted ^ image, shifted & image);
            let budget = u32::from(self.active - 1 - cost);
            let mut chosen = free;
            loop {
                let base = forced | chosen;
                if weight(base) <= budget {
                    let most = ((budget - weight(base)) as usize).min(MAX_WORDS);
                    for at in 0..self.messages_up_to[most] {
                        let next = base | u32::from(self.messages[at]);
                        self.reach(next, cost + weight(next) as u8, waiting)?;
                    }
                }
                if chosen == 0 {
                    break;
                }
                chosen = (chosen - 1) & free;
            }
        }
        Ok(())
    }

    #[inline(always)]
    fn reach(&mut self, state: u32, cost: u8, waiting: &mut Vec<u16>) -> Result<(), Refuted> {
        let old = self.cost[state as usize];
        if cost >= old {
            return Ok(());
        }
        if state & !self.placed == 0 {
            if !self.can_go_on(state, cost)? {
                return Ok(());
            }
            self.queue.push((state as u16, cost));
        } else {
            if !self.can_close(state, cost) {
                return Ok(());
            }
            if old == UNREACHED {
                waiting.push(state as u16);
            }
        }
        self.undo.push((state as u16, old));
        self.cost[state as usize] = cost;
        Ok(())
    }

    /// For a state whose words are all placed: does it have a next state within the budget?
    #[inline(always)]
    fn can_go_on(&self, state: u32, cost: u8) -> Result<bool, Refuted> {
        let (shifted, image) = self.inputs_of(state);
        if shifted == image {
            return Err(Refuted);
        }
        Ok(weight(shifted ^ image) <= u32::from(self.active - 1 - cost))
    }

    /// For a state that lacks words: may it still have a next state within the budget? Positions
    /// that differ whatever the words get: targets outside R, and R where another word is added
    /// or where more words would be needed than are left.
    #[inline(always)]
    fn can_close(&self, state: u32, cost: u8) -> bool {
        let (shifted, image) = self.inputs_of(state);
        let missing = shifted & !image;
        let lost = weight(image & !shifted | missing & self.used);
        let open = weight(missing & !self.used);
        lost + open.saturating_sub(weight(state & !self.placed))
            <= u32::from(self.active - 1 - cost)
    }

    /// R and I of a state.
    #[inline(always)]
    fn inputs_of(&self, state: u32) -> (u32, u32) {
        let half = self.words.div_ceil(2);
        let (low, high) = (state & ((1 << half) - 1), state >> half);
        let image = self.image[0][low as u8 as usize] | self.image[1][high as u8 as usize];
        (self.shifted[state as usize].into(), image.into())
    }

    /// Give a word without a target one, or 0.
    fn set_target(&mut self, word: usize, target: u32) {
        self.targets[word] = target;
        if target != 0 {
            let half = self.words.div_ceil(2);
            let (table, bit) = (usize::from(word >= half), word % half);
            for (image, with) in self.image[table].iter_mut().zip(&WITH[bit]) {
                *image |= with & target as u16;
            }
        }
    }

    /// No other word has its target.
    fn clear_target(&mut self, word: usize) {
        let target = std::mem::take(&mut self.targets[word]) as u16;
        if target != 0 {
            for image in &mut self.image[usize::from(word >= self.words.div_ceil(2))] {
                *image &= !target;
            }
        }
    }

    fn rewind(&mut self, mark: usize) {
        for (state, cost) in self.undo.drain(mark..).rev() {
            self.cost[state as usize] = cost;
        }
    }

    /// Every completion of the words placed so far is found.
    fn collect(&mut self) {
        let open = self.adding & !self.used;
        let unplaced = self.words - self.placed.count_ones() as usize;
        let completions = injections(open.count_ones() as usize, unplaced);
        self.harvest.found += completions;
        if self.harvest.kept.len() < self.keep {
            let mut targets = self.targets;
            self.complete(&mut targets, self.placed, open);
        }
    }

    fn complete(&mut self, targets: &mut [u32; MAX_WORDS], placed: u32, open: u32) {
        if self.harvest.kept.len() >= self.keep {
            return;
        }
        if open == 0 {
            let words = &targets[..self.words];
            self.harvest
                .kept
                .push(Structure::from_targets(self.words, self.messages_at, words));
            return;
        }
        let target = open & open.wrapping_neg();
        for word in 0..self.words {
            if placed >> word & 1 == 0 {
                targets[word] = target;
                self.complete(targets, placed | 1 << word, open & !target);
                targets[word] = 0;
            }
        }
    }
}
