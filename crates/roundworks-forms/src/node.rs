//! What bits are, each kept once.

use hashbrown::{HashMap, HashTable};

/// A bit without its constant.
#[derive(Debug)]
pub(crate) enum Node {
    /// Of symbols, in ascending order.
    Sum(Box<[u32]>),
    /// A function of one cell that is no sum: the number of its table, whose row 0 is 0.
    Function { cell: u32, table: u32 },
    /// A sum, and for some cells a function that no sum of their symbols is in, by the number of its table.
    Mixed { sum: u32, rest: Box<[(u32, u32)]> },
    /// The sum of unknowns, each of which is equal to nothing else, and of a node that is followed: so what was added
    /// to it for a while, as where bits of two words are exchanged, can be taken away again.
    Lost { unknowns: Box<[u32]>, followed: u32 },
}

pub(crate) struct Store {
    nodes: Vec<Node>,
    hashes: Vec<u64>,
    found: HashTable<u32>,
    /// Of two nodes: every processor of a back end adds the same.
    sums: HashMap<(u32, u32), u32>,
    spare: Vec<u32>,
}

impl Default for Store {
    /// With the empty sum, number 0.
    fn default() -> Self {
        let mut store = Self {
            nodes: Vec::new(),
            hashes: Vec::new(),
            found: HashTable::new(),
            sums: HashMap::new(),
            spare: Vec::new(),
        };
        store.sum_of(&[]);
        store
    }
}

/// The finaliser of SplitMix64.
fn mixed(value: u64) -> u64 {
    let mut x = value.wrapping_add(0x9E37_79B9_7F4A_7C15);
    x = (x ^ x >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x = (x ^ x >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ x >> 31
}

fn mixed_pair(a: u32, b: u32) -> u64 {
    mixed(u64::from(a) << 32 | u64::from(b))
}

/// The sum of the hashes of its symbols, so that the hash of a sum of sums is known before it is computed.
fn hash_of_sum(symbols: &[u32]) -> u64 {
    symbols
        .iter()
        .fold(0, |hash, &symbol| hash ^ mixed(symbol.into()))
}

/// Symbols that are sorted rather than added one after another.
const MOST_SORTED: usize = 32;

impl Store {
    pub(crate) fn has(&self, at: u32) -> bool {
        (at as usize) < self.nodes.len()
    }

    pub(crate) fn node(&self, at: u32) -> &Node {
        &self.nodes[at as usize]
    }

    /// The symbols of a node that is a sum.
    pub(crate) fn sum(&self, at: u32) -> Option<&[u32]> {
        match self.node(at) {
            Node::Sum(symbols) => Some(symbols),
            _ => None,
        }
    }

    /// The highest symbol of a sum that has one.
    pub(crate) fn top(&self, at: u32) -> Option<u32> {
        self.sum(at).and_then(|symbols| symbols.last().copied())
    }

    /// The node of these symbols, in ascending order.
    pub(crate) fn sum_of(&mut self, symbols: &[u32]) -> u32 {
        self.sum_with(symbols, hash_of_sum(symbols))
    }

    fn sum_with(&mut self, symbols: &[u32], hash: u64) -> u32 {
        let is = |node: &Node| matches!(node, Node::Sum(other) if **other == *symbols);
        self.interned(hash, is, || Node::Sum(symbols.into()))
    }

    /// The sum of two nodes that are sums.
    pub(crate) fn add(&mut self, a: u32, b: u32) -> u32 {
        if a == 0 || b == 0 {
            return a | b;
        }
        let pair = (a.min(b), a.max(b));
        if let Some(&made) = self.sums.get(&pair) {
            return made;
        }
        let mut out = std::mem::take(&mut self.spare);
        let hash = self.hashes[a as usize] ^ self.hashes[b as usize];
        difference(
            self.sum(a).expect("a sum"),
            self.sum(b).expect("a sum"),
            &mut out,
        );
        let made = self.sum_with(&out, hash);
        self.spare = out;
        self.sums.insert(pair, made);
        made
    }

    /// The sum of nodes that are sums.
    pub(crate) fn add_all(&mut self, nodes: &[u32]) -> u32 {
        let mut out = std::mem::take(&mut self.spare);
        let (mut total, mut hash) = (Vec::new(), 0);
        if nodes.len() <= MOST_SORTED
            && nodes
                .iter()
                .all(|&at| self.sum(at).is_some_and(|sum| sum.len() == 1))
        {
            // Outputs of S-boxes, in a linear layer.
            out.clear();
            out.extend(nodes.iter().map(|&at| self.sum(at).expect("a sum")[0]));
            out.sort_unstable();
            for pair in out.chunk_by(|a, b| a == b) {
                if pair.len() % 2 == 1 {
                    total.push(pair[0]);
                    hash ^= mixed(pair[0].into());
                }
            }
            let made = self.sum_with(&total, hash);
            self.spare = out;
            return made;
        }
        for &at in nodes {
            hash ^= self.hashes[at as usize];
            difference(&total, self.sum(at).expect("a sum"), &mut out);
            std::mem::swap(&mut total, &mut out);
        }
        let made = self.sum_with(&total, hash);
        self.spare = out;
        made
    }

    pub(crate) fn function(&mut self, cell: u32, table: u32) -> u32 {
        let is = |node: &Node| matches!(*node, Node::Function { cell: c, table: t } if c == cell && t == table);
        self.interned(mixed_pair(cell, table) ^ 1, is, || Node::Function {
            cell,
            table,
        })
    }

    /// `rest` by ascending cell.
    pub(crate) fn mixed(&mut self, sum: u32, rest: &[(u32, u32)]) -> u32 {
        let hash = rest.iter().fold(mixed(sum.into()), |hash, &(cell, table)| {
            mixed(hash ^ mixed_pair(cell, table))
        });
        let is = |node: &Node| matches!(node, Node::Mixed { sum: s, rest: r } if *s == sum && **r == *rest);
        self.interned(hash ^ 2, is, || Node::Mixed {
            sum,
            rest: rest.into(),
        })
    }

    /// `unknowns` in ascending order.
    pub(crate) fn lost(&mut self, unknowns: &[u32], followed: u32) -> u32 {
        let hash = mixed(hash_of_sum(unknowns) ^ u64::from(followed)) ^ 3;
        let is = |node: &Node| matches!(node, Node::Lost { unknowns: u, followed: f } if **u == *unknowns && *f == followed);
        self.interned(hash, is, || Node::Lost {
            unknowns: unknowns.into(),
            followed,
        })
    }

    fn interned(
        &mut self,
        hash: u64,
        is: impl Fn(&Node) -> bool,
        make: impl FnOnce() -> Node,
    ) -> u32 {
        let (nodes, hashes) = (&mut self.nodes, &mut self.hashes);
        // The table looks at the lowest and the highest bits.
        match self.found.entry(
            hash,
            |&at| is(&nodes[at as usize]),
            |&at| hashes[at as usize],
        ) {
            hashbrown::hash_table::Entry::Occupied(entry) => *entry.get(),
            hashbrown::hash_table::Entry::Vacant(entry) => {
                let at = u32::try_from(nodes.len())
                    .ok()
                    .filter(|at| at >> 31 == 0)
                    .expect("fewer nodes than 2^31");
                entry.insert(at);
                nodes.push(make());
                hashes.push(hash);
                at
            }
        }
    }
}

/// The symmetric difference of two ascending lists. Which of the two is less cannot be foreseen, so no branch is taken on
/// it.
pub(crate) fn difference(a: &[u32], b: &[u32], out: &mut Vec<u32>) {
    out.clear();
    out.resize(a.len() + b.len(), 0);
    let (mut i, mut j, mut count) = (0, 0, 0);
    while i < a.len() && j < b.len() {
        let (x, y) = (a[i], b[j]);
        out[count] = x.min(y);
        count += usize::from(x != y);
        i += usize::from(x <= y);
        j += usize::from(y <= x);
    }
    for rest in [&a[i..], &b[j..]] {
        out[count..count + rest.len()].copy_from_slice(rest);
        count += rest.len();
    }
    out.truncate(count);
}
