//! What one recorded round does: fewest active F, internal collisions, diffusion.
//!
//! States are activity patterns, so everything is a shortest path over 2^words vertices.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::ops::Range;

use crate::error::{Error, in_range};
use crate::program::Program;

/// Successor lists are kept up to this many in all (8 bytes each) and recomputed beyond.
const KEPT_EDGES: usize = 1 << 25;

/// One round of a trail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// Activity of the state before the round.
    pub state: u32,
    /// Activity of the message inputs.
    pub message: u32,
    /// Total weight of the active F of this round.
    pub weight: u32,
}

/// Minimum total weight of active F over the first 1, 2, ... rounds, one for each of `messages`.
///
/// Paths begin in any of `starts`. In round r exactly the message inputs in `messages[r]` differ,
/// or any of them where that is `None`. An entry is `None` only if `starts` is empty.
///
/// # Errors
/// Not 1 to 1000 rounds; a pattern with bits beyond the program's words or inputs.
pub fn profile(
    program: &Program,
    starts: &[u32],
    messages: &[Option<u32>],
) -> Result<Vec<Option<u32>>, Error> {
    in_range("rounds", messages.len(), 1, 1000)?;
    let states = 1usize << program.words();
    let blocks = 1u64 << program.inputs();
    if let Some(&block) = messages.iter().flatten().find(|&&b| u64::from(b) >= blocks) {
        let want = format!("a pattern of {} inputs, below {blocks}", program.inputs());
        return Err(Error::Range {
            name: "messages",
            want,
            got: block.into(),
        });
    }
    if let Some(&start) = starts.iter().find(|&&start| start as usize >= states) {
        let want = format!("a pattern of {} words, below {states}", program.words());
        return Err(Error::Range {
            name: "starts",
            want,
            got: start.into(),
        });
    }
    // One graph for each kind of round; most ciphers have one or two.
    let mut graphs: BTreeMap<Option<u32>, Graph> = BTreeMap::new();
    let mut cost: Vec<Option<u32>> = vec![None; states];
    for &start in starts {
        cost[start as usize] = Some(0);
    }
    let mut minimum = Vec::with_capacity(messages.len());
    for &block in messages {
        let graph = graphs.entry(block).or_insert_with(|| {
            let any = 0..1 << program.inputs();
            Graph::new(program, block.map_or(any, |b| b..b + 1))
        });
        let mut after: Vec<Option<u32>> = vec![None; states];
        for (state, cost) in cost.iter().enumerate() {
            let Some(cost) = cost else { continue };
            graph.each(state as u32, |next, weight| {
                lower(&mut after[next as usize], cost.saturating_add(weight));
            });
        }
        minimum.push(after.iter().flatten().copied().min());
        cost = after;
    }
    Ok(minimum)
}

/// The cheapest internal collision: a path from the state without differences back to it that
/// begins with an active message input. Returns its total weight and its rounds.
///
/// `None` only without message inputs: words as bits and F as the identity, enough rounds have
/// more message bits than the state has, so some nonzero message leads back to zero.
pub fn collision(program: &Program) -> Option<(u32, Vec<Step>)> {
    let messages = 1u32 << program.inputs();
    let mut best: Vec<Option<u32>> = vec![None; 1 << program.words()];
    // The round that reached a state. Entry 0 is the last round of the collision itself: the
    // zero state is left once, at the start, and never expanded again.
    let mut reached_by: Vec<Option<Step>> = vec![None; best.len()];
    let mut queue = BinaryHeap::new();
    let mut relax = |cost: u32, from: u32, messages: Range<u32>, queue: &mut BinaryHeap<_>| {
        for message in messages {
            program.successors(from, message, |next, weight| {
                let total = cost.saturating_add(weight);
                if lower(&mut best[next as usize], total) {
                    reached_by[next as usize] = Some(Step {
                        state: from,
                        message,
                        weight,
                    });
                    queue.push(Reverse((total, next)));
                }
            });
        }
    };
    relax(0, 0, 1..messages, &mut queue);
    let mut settled = vec![false; 1 << program.words()];
    while let Some(Reverse((cost, state))) = queue.pop() {
        if state == 0 {
            return Some((cost, trail(&reached_by)));
        }
        if !std::mem::replace(&mut settled[state as usize], true) {
            relax(cost, state, 0..messages, &mut queue);
        }
    }
    None
}

/// Rounds until every state word depends on every word of the first state, or `None` if that
/// never happens. Dependence is counted without cancellation; message inputs do not matter.
pub fn diffusion(program: &Program) -> Option<u32> {
    let words = program.words();
    let all = (1u32 << words) - 1;
    let reads = program.fold(
        |id| id.filter(|&id| id < words).map_or(0, |id| 1u32 << id),
        |operands| operands.fold(0, |sum, &operand| sum | operand),
    );
    let mut depends: Vec<u32> = (0..words).map(|word| 1 << word).collect();
    // Wielandt: a matrix with a positive power has one at or before this exponent.
    let last = (words as u32 - 1).pow(2) + 1;
    (1..=last).find(|_| {
        depends = reads
            .iter()
            .map(|&read| {
                (0..words)
                    .filter(|w| read >> w & 1 == 1)
                    .fold(0, |d, w| d | depends[w])
            })
            .collect();
        depends.iter().all(|&d| d == all)
    })
}

fn lower(slot: &mut Option<u32>, cost: u32) -> bool {
    let better = slot.is_none_or(|old| cost < old);
    if better {
        *slot = Some(cost);
    }
    better
}

fn trail(reached_by: &[Option<Step>]) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut at = 0;
    while let Some(step) = reached_by[at] {
        steps.push(step);
        at = step.state as usize;
        if at == 0 {
            break;
        }
    }
    steps.reverse();
    steps
}

/// Successors of a state, each with its minimum weight.
type Edges = Box<[(u32, u32)]>;

/// Everything a round may do, each state's successors found once.
struct Graph<'a> {
    program: &'a Program,
    messages: Range<u32>,
    edges: Vec<Option<Edges>>,
    kept: usize,
    minimum: Vec<Option<u32>>,
}

impl<'a> Graph<'a> {
    fn new(program: &'a Program, messages: Range<u32>) -> Self {
        let states = 1 << program.words();
        Self {
            program,
            messages,
            edges: vec![None; states],
            kept: 0,
            minimum: vec![None; states],
        }
    }

    fn each(&mut self, state: u32, mut visit: impl FnMut(u32, u32)) {
        if let Some(edges) = &self.edges[state as usize] {
            edges.iter().for_each(|&(next, weight)| visit(next, weight));
            return;
        }
        let mut seen = Vec::new();
        for message in self.messages.clone() {
            self.program.successors(state, message, |next, weight| {
                let slot = &mut self.minimum[next as usize];
                if slot.is_none() {
                    seen.push(next);
                }
                lower(slot, weight);
            });
        }
        let edges: Edges = seen
            .into_iter()
            .filter_map(|next| {
                self.minimum[next as usize]
                    .take()
                    .map(|weight| (next, weight))
            })
            .collect();
        edges.iter().for_each(|&(next, weight)| visit(next, weight));
        if self.kept + edges.len() <= KEPT_EDGES {
            self.kept += edges.len();
            self.edges[state as usize] = Some(edges);
        }
    }
}
