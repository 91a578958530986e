//! A round as a program over words that are active or not.

use crate::error::{Error, in_range};

/// What a node does with the activity of its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A bijection on one word: passes activity on, and costs its weight when active.
    F,
    /// XOR: among operands and output, never exactly one active. Two active operands may cancel.
    Xor,
    /// AND and the like: with an active operand the output may be active or not.
    Any,
}

/// One node; operands are ids of state inputs, message inputs, or earlier nodes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// What the node does.
    pub kind: Kind,
    /// Ids of the operands: one for [`Kind::F`], at least one else.
    pub operands: Vec<usize>,
    /// Cost of an active [`Kind::F`]; other kinds are free whatever it says.
    pub weight: u32,
}

/// A checked round.
///
/// Ids count the state inputs `0..words`, then the message inputs, then the nodes in order.
/// Patterns are `u32`s whose bit `i` says that word `i` is active.
#[derive(Clone, Debug)]
pub struct Program {
    words: usize,
    inputs: usize,
    nodes: Vec<Node>,
    outputs: Vec<Option<usize>>,
    /// Nodes that reach an output or an F of some weight; the others would only double the work.
    live: Vec<bool>,
}

/// A choice still to be made: evaluate from here on with these values.
struct Branch {
    node: usize,
    weight: u32,
}

impl Program {
    /// Most state words, and most message inputs: successor tables have 2^words entries.
    pub const MAX_WORDS: usize = 24;

    /// Check a program of `words` state words and `inputs` message inputs.
    ///
    /// `outputs[i]` is the id of new state word `i`, or `None` for a word that never differs.
    ///
    /// # Errors
    /// Sizes out of range, an operand that is not defined yet, a wrong number of operands or
    /// outputs, an operand that appears twice in an XOR (it would cancel; leave it out).
    pub fn new(
        words: usize,
        inputs: usize,
        nodes: Vec<Node>,
        outputs: Vec<Option<usize>>,
    ) -> Result<Self, Error> {
        in_range("words", words, 1, Self::MAX_WORDS)?;
        in_range("inputs", inputs, 0, Self::MAX_WORDS)?;
        let first = words + inputs;
        for (at, node) in nodes.iter().enumerate() {
            check_node(node, first + at).map_err(|problem| Error::Node { node: at, problem })?;
        }
        if outputs.len() != words {
            return Err(Error::Outputs(format!(
                "want {words}, one for each word, got {}",
                outputs.len()
            )));
        }
        let ids = first + nodes.len();
        if let Some(id) = outputs.iter().flatten().find(|&&id| id >= ids) {
            return Err(Error::Outputs(format!("want ids below {ids}, got {id}")));
        }
        let live = live_nodes(first, &nodes, &outputs);
        Ok(Self {
            words,
            inputs,
            nodes,
            outputs,
            live,
        })
    }

    /// State words.
    pub fn words(&self) -> usize {
        self.words
    }

    /// Message inputs.
    pub fn inputs(&self) -> usize {
        self.inputs
    }

    /// For each id, in order: `combine` of what its operands have; `leaf` for inputs.
    /// Returns what the outputs have, `leaf(None)` for an output that never differs.
    pub(crate) fn fold<T: Clone>(
        &self,
        leaf: impl Fn(Option<usize>) -> T,
        combine: impl Fn(&mut dyn Iterator<Item = &T>) -> T,
    ) -> Vec<T> {
        let mut values: Vec<T> = (0..self.words + self.inputs)
            .map(|id| leaf(Some(id)))
            .collect();
        for node in &self.nodes {
            let value = combine(&mut node.operands.iter().map(|&id| &values[id]));
            values.push(value);
        }
        self.outputs
            .iter()
            .map(|o| o.map_or_else(|| leaf(None), |id| values[id].clone()))
            .collect()
    }

    /// Call `visit(next state, weight)` for everything one round may do to `state` and `message`.
    /// The same successor may be visited more than once, also with different weights.
    pub(crate) fn successors(&self, state: u32, message: u32, mut visit: impl FnMut(u32, u32)) {
        let first = self.words + self.inputs;
        let leaves = u64::from(state) | u64::from(message) << self.words;
        let mut active: Vec<bool> = (0..first).map(|id| leaves >> id & 1 == 1).collect();
        active.resize(first + self.nodes.len(), false);
        // Every free node is tried inactive first; its `Branch` remembers to try active.
        let mut pending: Vec<Branch> = Vec::new();
        let (mut at, mut weight) = (0, 0);
        loop {
            while at < self.nodes.len() {
                let node = &self.nodes[at];
                let inputs = node.operands.iter().filter(|&&id| active[id]).count();
                active[first + at] = match (node.kind, inputs) {
                    _ if !self.live[at] => false,
                    (_, 0) => false,
                    (Kind::F, _) => {
                        weight += node.weight;
                        true
                    }
                    (Kind::Xor, 1) => true,
                    _ => {
                        pending.push(Branch { node: at, weight });
                        false
                    }
                };
                at += 1;
            }
            let next = self
                .outputs
                .iter()
                .enumerate()
                .fold(0, |next, (word, output)| {
                    next | u32::from(output.is_some_and(|id| active[id])) << word
                });
            visit(next, weight);
            let Some(branch) = pending.pop() else { return };
            active[first + branch.node] = true;
            (at, weight) = (branch.node + 1, branch.weight);
        }
    }
}

fn check_node(node: &Node, id: usize) -> Result<(), String> {
    let count = node.operands.len();
    match node.kind {
        Kind::F if count != 1 => return Err(format!("f: want 1 operand, got {count}")),
        _ if count == 0 => return Err("want at least 1 operand, got 0".into()),
        _ => {}
    }
    if let Some(operand) = node.operands.iter().find(|&&operand| operand >= id) {
        return Err(format!(
            "operand {operand} is not defined yet: want ids below {id}"
        ));
    }
    let twice = |at: usize| node.operands[..at].contains(&node.operands[at]);
    match (0..count).find(|&at| node.kind == Kind::Xor && twice(at)) {
        Some(at) => Err(format!(
            "xor: operand {} twice cancels; leave both out",
            node.operands[at]
        )),
        None => Ok(()),
    }
}

fn live_nodes(first: usize, nodes: &[Node], outputs: &[Option<usize>]) -> Vec<bool> {
    let mut live = vec![false; first + nodes.len()];
    for &id in outputs.iter().flatten() {
        live[id] = true;
    }
    for (at, node) in nodes.iter().enumerate().rev() {
        live[first + at] |= node.kind == Kind::F && node.weight > 0;
        if live[first + at] {
            for &id in &node.operands {
                live[id] = true;
            }
        }
    }
    live.split_off(first)
}

#[cfg(test)]
mod tests;
