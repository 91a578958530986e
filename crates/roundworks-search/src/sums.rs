//! Rounds of a wider family: every new word is a sum of its neighbour, through F or not, and of any words and blocks.
//!
//! `S'[i] = F?(S[i-1]) ^ S[j] ^ .. ^ X[k] ^ ..`, where each word may be added at several positions and each
//! block may enter at several. A sum may have any activity unless exactly one of its operands is active.

use crate::error::{Error, in_range};

/// Most words of a round here: the distances of 2^words states are kept.
pub const MAX_WORDS: usize = 16;
/// Most blocks of a round: every set of them is tried at every state.
pub const MAX_INPUTS: usize = 8;

/// A round; patterns are `u32`s whose bit `i` stands for word or position `i`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sums {
    /// The words that pass through F on their way to the next position; the others are moved as they are.
    pub functions: u32,
    /// For each word, the positions where it is added.
    pub added: Vec<u32>,
    /// For each block, the positions where it enters.
    pub blocks: Vec<u32>,
}

/// Positions with at least one active operand, and with at least two.
#[derive(Clone, Copy, Default)]
struct Operands {
    one: u32,
    two: u32,
}

impl Operands {
    fn and(self, other: Self) -> Self {
        Self {
            one: self.one | other.one,
            two: self.two | other.two | self.one & other.one,
        }
    }

    fn of(positions: u32) -> Self {
        Self {
            one: positions,
            two: 0,
        }
    }
}

/// The fewest active F of an internal collision if that is less than `below`, else `below`.
///
/// # Errors
/// Fewer than 2 or more than 16 words, no block or more than 8, or a pattern beyond the words.
pub fn cheapest_collision(round: &Sums, below: u32) -> Result<u32, Error> {
    let words = in_range("words", round.added.len(), 2, MAX_WORDS)?;
    let inputs = in_range("inputs", round.blocks.len(), 1, MAX_INPUTS)?;
    let patterns = round.added.iter().chain(&round.blocks);
    for &pattern in patterns.chain([&round.functions]) {
        in_range("pattern", pattern as usize, 0, (1 << words) - 1)?;
    }
    let sum = |set: usize, each: &dyn Fn(usize) -> Operands| {
        let members = (0..32).filter(|bit| set >> bit & 1 == 1);
        members.fold(Operands::default(), |all, bit| all.and(each(bit)))
    };
    let through =
        |word: usize| Operands::of(1 << ((word + 1) % words)).and(Operands::of(round.added[word]));
    let messages: Vec<Operands> = (0..1 << inputs)
        .map(|set| sum(set, &|block| Operands::of(round.blocks[block])))
        .collect();
    // Dijkstra's algorithm, a bucket for each distance; the state without differences begins and ends it.
    let mut distance = vec![below; 1 << words];
    let mut buckets: Vec<Vec<u32>> = vec![Vec::new(); below as usize];
    let mut reach = |operands: Operands, so_far: u32, buckets: &mut [Vec<u32>]| {
        let forced = operands.one & !operands.two;
        let mut free = operands.two;
        loop {
            let next = forced | free;
            let far = so_far + (next & round.functions).count_ones();
            if far < distance[next as usize] {
                distance[next as usize] = far;
                buckets[far as usize].push(next);
            }
            if free == 0 {
                break;
            }
            free = (free - 1) & operands.two;
        }
    };
    for &message in &messages[1..] {
        reach(message, 0, &mut buckets);
    }
    for far in 0..below {
        while let Some(state) = buckets[far as usize].pop() {
            if state == 0 {
                return Ok(far);
            }
            let operands = sum(state as usize, &through);
            for &message in &messages {
                reach(operands.and(message), far, &mut buckets);
            }
        }
    }
    Ok(below)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Kind, Node, Program, word};

    /// The same round as a program of any shape.
    fn program(round: &Sums) -> Program {
        let (words, inputs) = (round.added.len(), round.blocks.len());
        let (mut nodes, mut outputs) = (Vec::new(), Vec::new());
        for at in 0..words {
            let before = (at + words - 1) % words;
            let mut operands = vec![before];
            if round.functions >> before & 1 == 1 {
                nodes.push(Node {
                    kind: Kind::F,
                    operands,
                    weight: 1,
                });
                operands = vec![words + inputs + nodes.len() - 1];
            }
            operands.extend((0..words).filter(|&word| round.added[word] >> at & 1 == 1));
            let entering = (0..inputs).filter(|&block| round.blocks[block] >> at & 1 == 1);
            operands.extend(entering.map(|block| words + block));
            nodes.push(Node {
                kind: Kind::Xor,
                operands,
                weight: 0,
            });
            outputs.push(Some(words + inputs + nodes.len() - 1));
        }
        Program::new(words, inputs, nodes, outputs).expect("a round")
    }

    #[test]
    fn agrees_with_the_engine_of_programs() {
        let mut state = 1_u64;
        let mut draw = |most: u64| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % most
        };
        let mut seen = [0; 20];
        for _ in 0..300 {
            let (words, inputs) = (2 + draw(5) as usize, 1 + draw(2) as usize);
            let functions = draw(1 << words) as u32;
            let mut pattern =
                |without: u32| (draw(1 << words) & draw(1 << words)) as u32 & !without;
            let added = (0..words).map(|word| {
                // Added to itself a word would vanish, where no F is between.
                let next = 1 << ((word + 1) % words);
                pattern(if functions >> word & 1 == 1 { 0 } else { next })
            });
            let added = added.collect();
            let blocks = (0..inputs).map(|_| pattern(0)).collect();
            let round = Sums {
                functions,
                added,
                blocks,
            };
            let want = word::collision(&program(&round)).map_or(19, |found| found.0.min(19));
            assert_eq!(
                cheapest_collision(&round, 19).expect("in range"),
                want,
                "{round:?}"
            );
            seen[want as usize] += 1;
        }
        assert!(
            seen.iter().filter(|&&count| count > 0).count() > 6,
            "{seen:?}"
        );
    }

    #[test]
    fn the_round_of_aether() {
        let mut added = vec![0; 9];
        for (at, word) in [(1, 3), (2, 6), (4, 4), (6, 8), (7, 2), (8, 0)] {
            added[word] |= 1 << at;
        }
        let round = Sums {
            functions: 0x1ff,
            added,
            blocks: vec![1, 1 << 3, 1 << 5],
        };
        let cheapest = |below| cheapest_collision(&round, below).expect("in range");
        assert_eq!(cheapest(20), 8);
        assert_eq!(cheapest(5), 5, "not looked further than wanted");
        let beyond = Sums {
            functions: 1 << 9,
            ..round.clone()
        };
        assert!(cheapest_collision(&beyond, 3).is_err());
    }
}
