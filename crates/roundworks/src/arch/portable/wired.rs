//! Updates on bit planes from the first to the last: bit `i` of a byte is of word `i`, so a word that takes
//! the place of another is a shift of bytes.
#![forbid(unsafe_code)]

use core::array::from_fn;

use super::aes::{Eight, aes_round};
use super::sbox::Bits;
use super::vector::{Units, Vector};
use crate::aes::{MOST, Wired};

/// Lane by lane. Of a state to which the context was added already, an update is one without context, with
/// the context added behind it: for that of the next.
#[inline(always)]
pub(super) fn wired<A: Wired, const D: usize, const R: usize, const K: usize>(
    s: &mut [[Vector; D]],
    blocks: &[[[Vector; D]; R]; K],
    context: Option<[Vector; D]>,
    times: usize,
) {
    for d in 0..D {
        let mut after = [Vector::units(0); MOST];
        if let Some(context) = context {
            for &i in A::WIRING.context {
                after[i] = context[d];
            }
        }
        let added = blocks.each_ref().map(|block| {
            let mut words = after;
            for (&i, word) in A::WIRING.message.iter().zip(block) {
                words[i] = words[i].xor(word[d]);
            }
            Vector::flip(words)
        });
        let mut words = after;
        for (to, word) in words.iter_mut().zip(&*s) {
            *to = to.xor(word[d]);
        }
        let next = Vector::flip(updates::<A>(&Vector::flip(words), &added, times));
        for (i, word) in s.iter_mut().enumerate() {
            word[d] = next[i].xor(after[i]);
        }
    }
}

/// `times` times those of `added`, one after another. A function of its own: start and end of a message share it.
#[inline(never)]
fn updates<A: Wired>(planes: &Eight, added: &[Eight], times: usize) -> Eight {
    let mut s = *planes;
    for _ in 0..times {
        for m in added {
            let keys: Eight = from_fn(|j| moved(s[j], const { of_sums::<A>() }).xor(m[j]));
            let rounds = aes_round(s);
            s = from_fn(|j| moved(rounds[j], const { of_rounds::<A>() }).xor(keys[j]));
        }
    }
    s
}

/// Of the bits that move by 0, 1, ... places, those of each byte where they come to: up, and down.
struct Moves {
    up: [u8; MOST],
    down: [u8; MOST],
}

const fn moves(sums: [u8; MOST]) -> Moves {
    let (mut up, mut down) = ([0; MOST], [0; MOST]);
    let mut to = 0;
    while to < MOST {
        let mut from = 0;
        while from < MOST {
            if sums[to] >> from & 1 == 1 {
                if to >= from {
                    up[to - from] |= 1 << to;
                } else {
                    down[from - to] |= 1 << to;
                }
            }
            from += 1;
        }
        to += 1;
    }
    Moves { up, down }
}

const fn of_sums<A: Wired>() -> Moves {
    moves(A::WIRING.sum)
}

const fn of_rounds<A: Wired>() -> Moves {
    let mut sums = [0; MOST];
    let mut i = 0;
    while i < MOST {
        if let Some(from) = A::WIRING.round[i] {
            sums[i] = 1 << from;
        }
        i += 1;
    }
    moves(sums)
}

/// The sum of the moves. They are known when this is compiled: what moves nothing is not there then.
#[inline(always)]
fn moved(x: Vector, moves: Moves) -> Vector {
    let kept = |x: Vector, mask: u8| x.and(Vector::bytes(mask));
    let mut sum = kept(x, moves.up[0]);
    macro_rules! by {
        ($($n:literal)+) => {$(
            // Bits that a shift takes to the next byte are not among those that come to be there.
            if moves.up[$n] != 0 {
                let up = if $n == 1 { x.double() } else { x.shl::<$n>() };
                sum = sum.xor(kept(up, moves.up[$n]));
            }
            if moves.down[$n] != 0 {
                sum = sum.xor(kept(x.shr::<$n>(), moves.down[$n]));
            }
        )+};
    }
    by!(1 2 3 4 5 6 7);
    sum
}
