//! Where every byte of AETHER's planes stands in registers of 256 bits: tables computed at compile time.
#![forbid(unsafe_code)]

use crate::aether::{ADDENDS, Addend, MASKS, ROUNDS, SUMS};

/// 32 byte indices of a permutation.
#[derive(Clone, Copy)]
#[repr(align(32))]
pub(super) struct Index(pub(super) [u8; 32]);

/// A shuffle for each register, of it and of two planes of a block, which have the indices from 32 on: for bytes 0
/// and 3 of an even and of an odd plane, then for bytes 2 and 1.
pub(super) type Moves = [[Index; 2]; 2];

/// The byte of a word's plane in the first unit of a register, and in the second.
const BYTES: [[usize; 2]; 2] = [[0, 3], [2, 1]];
/// First slot of the sums.
const SUM_SLOT: usize = 12;
/// The bits of a byte, each in a byte of its own, the highest first.
pub(super) const BITS: u64 = 0x0102_0408_1020_4080;
/// For every quarter, a bit for each slot: all of the first eight, and slot 8.
pub(super) const SLOTS: [u64; 4] = {
    let (eight, one) = (u64::MAX, 0x0101_0101_0101_0101 << 7);
    [eight, eight, one, one]
};
/// Bytes of slots 0 to 8.
pub(super) const WORD_BYTES: u32 = 0x0101_ffff;
/// A byte that is zero in every state: of slot 15.
const ZERO: u8 = 31;

/// Place of a byte of a slot: eight words share half a register, first units first.
const fn at(slot: usize, unit: usize) -> usize {
    16 * (slot / 8) + 8 * unit + slot % 8
}

/// Slot of S\[word\], given the rounds done modulo 9.
const fn slot(word: usize, phase: usize) -> usize {
    (word + 9 - phase % 9) % 9
}

/// Place, in two planes of a block, of byte k of plane j of X\[word\].
const fn sliced_at(word: usize, k: usize, j: usize) -> usize {
    12 * (j % 2) + 4 * word + k
}

/// Planes 0 and 1 of a block, then 2 and 3, from words as `Evex256::slice_words` gives them: two, then one.
pub(super) static PLANES: [Index; 2] = {
    let mut planes = [Index([0; 32]); 2];
    let mut n = 0;
    while n < 48 {
        let (word, k, j) = (n / 16, n / 4 % 4, n % 4);
        // See `cells::COLUMNS`.
        planes[j / 2].0[sliced_at(word, k, j)] = (16 * word + 2 * j + [0, 1, 9, 8][k]) as u8;
        n += 1;
    }
    planes
};

/// Sets the bytes of slot `to` to those of slot `from`.
const fn route(mut index: [u8; 32], to: usize, from: usize) -> [u8; 32] {
    let mut unit = 0;
    while unit < 2 {
        index[at(to, unit)] = at(from, unit) as u8;
        unit += 1;
    }
    index
}

/// `index`, but slot `slots[w]` from word w of a block.
const fn with_block(index: [u8; 32], slots: [usize; 3]) -> Moves {
    let mut moves = [[Index(index); 2]; 2];
    let mut n = 0;
    while n < 24 {
        let (word, half, j, unit) = (n / 8, n / 4 % 2, n / 2 % 2, n % 2);
        let from = sliced_at(word, BYTES[half][unit], j);
        moves[half][j].0[at(slots[word], unit)] = 32 + from as u8;
        n += 1;
    }
    moves
}

/// A block as words 0..3, 3..6 or 6..9 of phase 0, and all others as they are.
pub(super) static LOAD: [Moves; 3] = {
    let mut stay = [0; 32];
    let mut n = 0;
    while n < 32 {
        stay[n] = n as u8;
        n += 1;
    }
    [
        with_block(stay, [0, 1, 2]),
        with_block(stay, [3, 4, 5]),
        with_block(stay, [6, 7, 8]),
    ]
};

/// Where everything goes in a round after `phase` others, modulo 9, after which words come back to their slots.
#[derive(Clone, Copy)]
pub(super) struct Phase {
    /// To where the round XORs them: words of the state and of a block; [`MASKS`] to the slots of the sums.
    pub(super) addends: Moves,
    /// A block in the slots of the sums to where the round XORs it.
    pub(super) absorb_sums: Index,
    /// First and second summand of each of [`SUMS`], to its slot. The first leaves all other words
    /// where they are, the second makes them zero: the sum of both is the state with its sums. For bytes 0 and 3,
    /// then for bytes 2 and 1, which they exchange.
    pub(super) sums: [[Index; 2]; 2],
    /// Words of phase 0 to their slots.
    pub(super) from_zero: Index,
}

/// `index`, but with the units of every slot exchanged.
const fn exchanged(index: [u8; 32]) -> Index {
    let mut exchanged = index;
    let mut slot = 0;
    while slot < 16 {
        exchanged[at(slot, 0)] = index[at(slot, 1)];
        exchanged[at(slot, 1)] = index[at(slot, 0)];
        slot += 1;
    }
    Index(exchanged)
}

const fn phase(phase: usize) -> Phase {
    let next = phase + 1;
    let mut addends = [ZERO; 32];
    let mut absorbed = [0; 3];
    let mut from_zero = [ZERO; 32];
    let mut sums = [[ZERO; 32]; 2];
    let mut i = 0;
    while i < 9 {
        let to = slot(i, next);
        match ADDENDS[i] {
            Addend::S(word) => addends = route(addends, to, slot(word, phase)),
            Addend::X(word) => absorbed[word] = to,
        }
        from_zero = route(from_zero, slot(i, phase), slot(i, 0));
        sums[0] = route(sums[0], i, i);
        i += 1;
    }
    let mut absorb_sums = [ZERO; 32];
    let mut j = 0;
    while j < 3 {
        let sum = SUM_SLOT + j;
        addends = route(addends, sum, slot(MASKS[j], phase));
        absorb_sums = route(absorb_sums, absorbed[j], sum);
        sums[0] = route(sums[0], sum, slot(SUMS[j][0], phase));
        sums[1] = route(sums[1], sum, slot(SUMS[j][1], phase));
        j += 1;
    }
    Phase {
        addends: with_block(addends, absorbed),
        absorb_sums: Index(absorb_sums),
        sums: [
            [Index(sums[0]), Index(sums[1])],
            [exchanged(sums[0]), exchanged(sums[1])],
        ],
        from_zero: Index(from_zero),
    }
}

pub(super) static PHASES: [Phase; 9] = {
    let mut phases = [phase(0); 9];
    let mut i = 1;
    while i < 9 {
        phases[i] = phase(i);
        i += 1;
    }
    phases
};

/// Words 0 and 1 of a block as those of phase 0 whose bit in `WHICH` is 0 or 1.
pub(super) struct Keys<const WHICH: u16>;

impl<const WHICH: u16> Keys<WHICH> {
    pub(super) const MOVES: Moves = keys(WHICH);
}

const fn keys(which: u16) -> Moves {
    let mut moves = [[Index([ZERO; 32]); 2]; 2];
    let mut n = 0;
    while n < 72 {
        let (word, half, j, unit) = (n / 8, n / 4 % 2, n / 2 % 2, n % 2);
        let from = sliced_at((which >> word & 1) as usize, BYTES[half][unit], j);
        moves[half][j].0[at(slot(word, 0), unit)] = 32 + from as u8;
        n += 1;
    }
    moves
}

/// First slots of both copies of a block in a run, see `rounds`: for a round after an even number, an odd number.
const COPIES: [usize; 2] = [12, 9];

/// A block to both.
pub(super) static ENTER: Moves = {
    let mut moves = LOAD[0];
    let mut n = 0;
    while n < 48 {
        let (copy, slot, half, j, unit) = (n / 24, n / 8 % 3, n / 4 % 2, n / 2 % 2, n % 2);
        let x = LOAD[0][half][j].0[at(slot, unit)];
        moves[half][j].0[at(COPIES[copy] + slot, unit)] = x;
        n += 1;
    }
    let mut n = 0;
    while n < 24 {
        let (slot, half, j, unit) = (n / 8, n / 4 % 2, n / 2 % 2, n % 2);
        moves[half][j].0[at(slot, unit)] = at(slot, unit) as u8;
        n += 1;
    }
    moves
};

/// Ones in the copy for a round after an odd number, then in the other.
pub(super) static COMPLEMENT: [Index; 2] = {
    let mut ones = [Index([0; 32]); 2];
    let mut n = 0;
    while n < 12 {
        let (copy, slot, unit) = (n / 6, n / 2 % 3, n % 2);
        ones[1 - copy].0[at(COPIES[copy] + slot, unit)] = 0xff;
        n += 1;
    }
    ones
};

/// Words and block to where the round after that many others XORs them, and both copies to themselves.
const fn again(rounds: usize) -> Index {
    let mut index = [0; 32];
    let mut n = 0;
    while n < 32 {
        index[n] = n as u8;
        n += 1;
    }
    let mut i = 0;
    while i < 9 {
        let from = match ADDENDS[i] {
            Addend::S(word) => slot(word, rounds),
            Addend::X(word) => COPIES[rounds % 2] + word,
        };
        index = route(index, slot(i, rounds + 1), from);
        i += 1;
    }
    Index(index)
}

/// [`ROUNDS`] from any of the first nine on are here one after the other.
pub(super) static AGAIN: [Index; ROUNDS + 8] = {
    let mut all = [Index([0; 32]); ROUNDS + 8];
    let mut rounds = 0;
    while rounds < all.len() {
        all[rounds] = again(rounds);
        rounds += 1;
    }
    all
};

/// Where [`super::Evex256::unslice_words`] finds the rows of its matrices: of byte k + 1, then of byte k, planes 3 to
/// 0; of the first two words, then of the last one.
pub(super) static ROWS: [Index; 2] = {
    let mut rows = [Index([0; 32]); 2];
    let mut i = 0;
    while i < 48 {
        let (word, half, plane) = (i / 16, i / 8 % 2, 3 - i % 4);
        let k = 2 * half + 1 - i / 4 % 2;
        let [register, unit] = [[0, 0], [1, 1], [1, 0], [0, 1]][k];
        rows[i / 32].0[i % 32] = (32 * register + 8 * plane + 4 * unit + word) as u8;
        i += 1;
    }
    rows
};
