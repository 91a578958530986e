//! A block in four integers, one for each bit of its nibbles: for a few blocks, where a batch would be
//! mostly empty.
//!
//! Bit 4 k + r of an integer belongs to nibble k of row r, counted as they lie in memory: the even and the
//! odd column of a byte are exchanged, which changes no shuffle.
#![forbid(unsafe_code)]

use crate::minalpher::lanes::{BEFORE, BLOCK, Block, Lanes, SHUFFLES, Schedule};
use crate::minalpher::mode::{LAST, xor};

/// Up to four blocks, each by itself.
#[derive(Clone, Copy)]
pub(crate) struct Few;

/// The planes of each block, and how many blocks there are.
#[derive(Clone, Copy)]
pub(crate) struct State {
    blocks: [[u64; 4]; LAST],
    count: usize,
}

impl Lanes for Few {
    const BLOCKS: usize = LAST;
    type Bytes = [u8; LAST * BLOCK];
    type State = State;
    type Tweaks = [[u64; 4]; LAST];

    fn zero(self) -> State {
        State {
            blocks: [[0; 4]; LAST],
            count: LAST,
        }
    }

    fn bytes(self) -> [u8; LAST * BLOCK] {
        [0; LAST * BLOCK]
    }

    fn load(self, from: &[u8], to: &mut State) {
        let blocks = from.as_chunks::<BLOCK>().0;
        to.count = blocks.len().min(LAST);
        for (to, from) in to.blocks.iter_mut().zip(blocks) {
            *to = planes(from);
        }
    }

    fn store(self, x: &State, to: &mut [u8]) {
        let blocks = to.as_chunks_mut::<BLOCK>().0;
        for (to, from) in blocks.iter_mut().zip(&x.blocks[..x.count]) {
            *to = bytes(*from);
        }
    }

    fn add(self, to: &mut State, x: &State) {
        mask(&mut to.blocks[..x.count], &x.blocks);
    }

    fn only(self, x: &mut State, n: usize) {
        x.count = n;
    }

    fn every(self, window: &[u8]) -> [[u64; 4]; LAST] {
        core::array::from_fn(|j| planes(&tweak(window, j)))
    }

    fn pairs(self, window: &[u8]) -> [[[u64; 4]; LAST]; 2] {
        [0, 1].map(|i| core::array::from_fn(|j| planes(&tweak(window, 2 * j + i))))
    }

    fn mask(self, x: &mut State, tweaks: &[[u64; 4]; LAST]) {
        mask(&mut x.blocks[..x.count], tweaks);
    }

    fn permute(self, x: &mut State, schedule: &Schedule) {
        for block in &mut x.blocks[..x.count] {
            *block = permuted(*block, schedule);
        }
    }
}

/// P of a block.
pub(super) fn permute(block: &mut Block, schedule: &Schedule) {
    *block = bytes(permuted(planes(block), schedule));
}

fn mask(to: &mut [[u64; 4]], x: &[[u64; 4]; LAST]) {
    for (to, x) in to.iter_mut().zip(x) {
        for (to, x) in to.iter_mut().zip(x) {
            *to ^= x;
        }
    }
}

/// Tweak j of a window. [MINALPHER, section 2.3]
fn tweak(window: &[u8], j: usize) -> Block {
    let a: &Block = window[BEFORE + j..]
        .first_chunk()
        .expect("a window of tweaks");
    let mut tail = [0; BLOCK];
    [tail[29], tail[30], tail[31]] = [a[0], a[1] ^ a[0], a[2] ^ a[1]];
    xor(a, &tail)
}

/// Rows to planes: bit b of nibble k of row r to bit 4 k + r of plane b.
fn planes(block: &Block) -> [u64; 4] {
    let rows = block.as_chunks::<8>().0;
    exchange([0, 1, 2, 3].map(|r| u64::from_le_bytes(rows[r])))
}

/// The other way.
fn bytes(planes: [u64; 4]) -> Block {
    let mut block = [0; BLOCK];
    let (rows, _) = block.as_chunks_mut::<8>();
    for (row, from) in rows.iter_mut().zip(exchange(planes)) {
        *row = from.to_le_bytes();
    }
    block
}

/// Bit j of every nibble of integer i to bit i of integer j.
fn exchange([a, b, c, d]: [u64; 4]) -> [u64; 4] {
    let swap = |x: u64, y: u64, mask: u64, shift: u32| {
        let t = ((x >> shift) ^ y) & mask;
        (x ^ (t << shift), y ^ t)
    };
    let (a, c) = swap(a, c, 0x3333_3333_3333_3333, 2);
    let (b, d) = swap(b, d, 0x3333_3333_3333_3333, 2);
    let (a, b) = swap(a, b, 0x5555_5555_5555_5555, 1);
    let (c, d) = swap(c, d, 0x5555_5555_5555_5555, 1);
    [a, b, c, d]
}

fn permuted(mut x: [u64; 4], schedule: &Schedule) -> [u64; 4] {
    for &number in schedule {
        x = substitute(x);
        for (b, x) in x.iter_mut().enumerate() {
            let y = shuffle(*x);
            let y = mix(y ^ y << 32); // B += A
            let number = u64::from(number >> b & 1).wrapping_neg() & ROUND;
            *x = y ^ CONSTANTS[b] ^ number;
        }
    }
    substitute(x).map(shuffle)
}

/// The table in gates; the unit tests compare P with the table. [MINALPHER, section 2.4]
pub(super) fn substitute<W>([x0, x1, x2, x3]: [W; 4]) -> [W; 4]
where
    W: Copy
        + core::ops::BitXor<Output = W>
        + core::ops::BitAnd<Output = W>
        + core::ops::BitOr<Output = W>
        + core::ops::Not<Output = W>,
{
    let g0 = x2 ^ (x0 & !x1);
    let g1 = x0 ^ (x3 & g0);
    let g2 = x1 ^ (x3 & g1);
    let y3 = !(x3 ^ g0 ^ g2);
    let y0 = !(x0 ^ (g0 | g2));
    let y1 = g0 ^ (y3 & !g1);
    let y2 = g2 ^ (y0 & !y1);
    [y0, y1, y2, y3]
}

/// ShuffleRows, and the exchange of A and B: every shuffle exchanges the nibbles of one pair, and then
/// moves pairs.
fn shuffle(x: u64) -> u64 {
    let x = x.rotate_left(32);
    let t = (x ^ x >> 4) & EXCHANGED;
    let x = x ^ t ^ t << 4;
    let [up3, up2, up1, _, down1, down2, down3] = MOVED;
    (x << 24 & up3 | x << 16 & up2 | x << 8 & up1)
        | (x >> 8 & down1 | x >> 16 & down2 | x >> 24 & down3)
}

/// MixColumns: each row but the one two below.
fn mix(x: u64) -> u64 {
    let below = x >> 1 & 0x7777_7777_7777_7777 | x << 3 & 0x8888_8888_8888_8888;
    let above = x >> 3 & 0x1111_1111_1111_1111 | x << 1 & 0xeeee_eeee_eeee_eeee;
    x ^ below ^ above
}

/// Pairs of nibbles in a row of both matrices.
const PAIRS: usize = 8;

/// The source of nibble 2 q of row r after the matrices were exchanged: pairs 4 and on are of B.
const fn source(q: usize, r: usize) -> usize {
    let row = if q < 4 { r ^ 2 } else { r };
    // The odd column stands first in memory, hence ^ 1 twice.
    8 * (q / 4) + (SHUFFLES[row][2 * (q % 4) + 1] ^ 1)
}

/// The lower nibbles of the pairs that are exchanged.
const EXCHANGED: u64 = {
    let (mut mask, mut i) = (0, 0);
    while i < 4 * PAIRS {
        let (q, r) = (i / 4, i % 4);
        let from = source(q, r);
        if from % 2 == 1 {
            mask |= 1 << (4 * (from - 1) + r);
        }
        i += 1;
    }
    mask
};

/// The places to which pairs move by 3 - i pairs upwards.
const MOVED: [u64; 7] = {
    let (mut masks, mut i) = ([0; 7], 0);
    while i < 4 * PAIRS {
        let (q, r) = (i / 4, i % 4);
        masks[3 + source(q, r) / 2 - q] |= 0x11 << (8 * q + r);
        i += 1;
    }
    assert!(masks[3] == 0, "no pair stays");
    masks
};

/// Nibbles of B in columns 0 to 3, all rows.
const ROUND: u64 = 0xffff << 32;

/// Bit b of c ^ r there.
const CONSTANTS: [u64; 4] = {
    let (mut planes, mut i) = ([0; 4], 0);
    while i < 64 {
        let (c, r, b) = (i / 16, i / 4 % 4, i % 4);
        planes[b] |= ((c ^ r) as u64 >> b & 1) << (4 * (8 + (c ^ 1)) + r);
        i += 1;
    }
    planes
};
