//! Where every byte of AETHER's planes stands, phase by phase: tables computed at compile time.
#![forbid(unsafe_code)]

use crate::aether::{ADDENDS, Addend, MASKS, SUMS};

/// 64 byte indices of a permutation.
#[repr(align(64))]
pub(super) struct Index(pub(super) [u8; 64]);

/// Brings plane j of a sliced block into slots, and zeros into all others.
pub(super) type Spread = [Index; 4];

/// Where everything goes in a round that starts in one phase: the rounds done, modulo 18. Words
/// come back to their slots after nine rounds, bytes to their places after two.
pub(super) struct Phase {
    /// Brings each byte of a word to the one it is added to (see `cells`), within a quarter.
    pub(super) exchange: Index,
    /// Words of the state to where the round XORs them, and [`MASKS`] to the slots of the sums.
    pub(super) addends: Index,
    /// X0, X1, X2 to where the round XORs them.
    pub(super) absorb: Spread,
    /// The same for a block in the slots of the sums.
    pub(super) absorb_sums: Index,
    /// First and second summand of each of [`SUMS`], to its slot. The first leaves all other words
    /// where they are, the second makes them zero: the sum of both is the state with its sums.
    pub(super) sums: [Index; 2],
    /// Words of phase 0 to their slots.
    pub(super) from_zero: Index,
    /// For slots 0, 1, 2 or 12, 13, 14 after the round.
    pub(super) rows: Index,
}

/// First slot of the sums.
const SUM_SLOT: usize = 12;
/// A byte that is zero in every state: of slot 15.
const ZERO: u8 = 63;
/// A byte that is zero in every sliced block.
const SLICED_ZERO: u8 = 63;

/// Place of byte k of a slot: four words share a quarter of the register, bytes 0 first, then 3,
/// and so on as the phase, even or odd, has it.
const fn at(slot: usize, k: usize, phase: usize) -> usize {
    let unit = match (k, phase % 2) {
        (0, _) => 0,
        (3, _) => 1,
        (1, 0) | (2, 1) => 2,
        _ => 3,
    };
    16 * (slot / 4) + 4 * unit + slot % 4
}

/// Slot of S\[word\].
const fn slot(word: usize, phase: usize) -> usize {
    (word + 9 - phase % 9) % 9
}

/// Place, in a sliced block, of byte k of plane j of X\[word\]; see `cells::COLUMNS`.
const fn sliced_at(word: usize, k: usize, j: usize) -> usize {
    16 * word + 2 * j + [0, 1, 9, 8][k]
}

/// Sets the bytes of slot `to` after a round to those of slot `from` before it.
const fn route(mut index: [u8; 64], to: usize, from: usize, phases: [usize; 2]) -> [u8; 64] {
    let mut k = 0;
    while k < 4 {
        index[at(to, k, phases[1])] = at(from, k, phases[0]) as u8;
        k += 1;
    }
    index
}

/// Slot `slots[w]` from word w of a sliced block.
const fn spread(slots: [usize; 3], phase: usize) -> Spread {
    let mut spread = [const { Index([SLICED_ZERO; 64]) }; 4];
    let mut n = 0;
    while n < 48 {
        let (word, k, j) = (n / 16, n / 4 % 4, n % 4);
        spread[j].0[at(slots[word], k, phase)] = sliced_at(word, k, j) as u8;
        n += 1;
    }
    spread
}

const fn phase(phase: usize) -> Phase {
    let next = phase + 1;
    let mut addends = [ZERO; 64];
    let mut absorbed = [0; 3];
    let mut from_zero = [ZERO; 64];
    let mut i = 0;
    while i < 9 {
        let to = slot(i, next);
        match ADDENDS[i] {
            Addend::S(word) => addends = route(addends, to, slot(word, phase), [phase, next]),
            Addend::X(word) => absorbed[word] = to,
        }
        from_zero = route(from_zero, slot(i, phase), slot(i, 0), [0, phase]);
        i += 1;
    }
    let mut absorb_sums = [ZERO; 64];
    let mut sums = [[ZERO; 64]; 2];
    let mut n = 0;
    while n < 9 {
        sums[0] = route(sums[0], n, n, [phase, phase]);
        n += 1;
    }
    let mut j = 0;
    while j < 3 {
        let sum = SUM_SLOT + j;
        addends = route(addends, sum, slot(MASKS[j], phase), [phase, next]);
        absorb_sums = route(absorb_sums, absorbed[j], sum, [next, next]);
        sums[0] = route(sums[0], sum, slot(SUMS[j][0], phase), [phase, phase]);
        sums[1] = route(sums[1], sum, slot(SUMS[j][1], phase), [phase, phase]);
        j += 1;
    }
    let mut exchange = [0; 64];
    let mut n = 0;
    while n < 64 {
        let (slot, k) = (n / 4, n % 4);
        exchange[at(slot, k, phase)] = (at(slot, [1, 0, 3, 2][k], phase) % 16) as u8;
        n += 1;
    }
    Phase {
        exchange: Index(exchange),
        addends: Index(addends),
        absorb: spread(absorbed, next),
        absorb_sums: Index(absorb_sums),
        sums: [Index(sums[0]), Index(sums[1])],
        from_zero: Index(from_zero),
        rows: rows(next),
    }
}

pub(super) static PHASES: [Phase; 18] = [
    phase(0),
    phase(1),
    phase(2),
    phase(3),
    phase(4),
    phase(5),
    phase(6),
    phase(7),
    phase(8),
    phase(9),
    phase(10),
    phase(11),
    phase(12),
    phase(13),
    phase(14),
    phase(15),
    phase(16),
    phase(17),
];

/// Words 0..3, 3..6 and 6..9 of phase 0.
pub(super) static LOAD: [Spread; 3] = [
    spread([0, 1, 2], 0),
    spread([3, 4, 5], 0),
    spread([6, 7, 8], 0),
];

/// Where [`super::Avx512::unslice`] finds the rows of its matrices, in quarters of the four planes:
/// of byte k + 1, then of byte k, planes 3 to 0.
const fn rows(phase: usize) -> Index {
    let mut index = [0; 64];
    let mut i = 0;
    while i < 48 {
        let (word, half, plane) = (i / 16, i / 8 % 2, 3 - i % 4);
        let k = 2 * half + 1 - i / 4 % 2;
        index[i] = (16 * plane + at(word, k, phase)) as u8;
        i += 1;
    }
    Index(index)
}

/// What a round in a run wants, see `encrypt` and `rounds`.
pub(super) struct RunPhase {
    pub(super) exchange: Index,
    /// To where the round XORs them, words and the block; the first summands of [`SUMS`] to the
    /// slots of the sums.
    pub(super) addends: Index,
    /// The second summands to there, and [`MASKS`] to slots 0, 1, 2 as they will be in two rounds.
    pub(super) late: Index,
    /// Words and block to where the round XORs them, and the block to its slots once more.
    pub(super) again: Index,
    /// For images of sums, and for masks, in the layout of this phase.
    pub(super) rows: Index,
    /// A sliced block to four quarters, one for each plane, as slots 9, 10, 11 want it.
    pub(super) arrange: Index,
}

const fn run_phase(phase: usize) -> RunPhase {
    let next = phase + 1;
    let mut addends = [ZERO; 64];
    let mut i = 0;
    while i < 9 {
        let from = match ADDENDS[i] {
            Addend::S(word) => slot(word, phase),
            Addend::X(word) => BLOCK_SLOT + word,
        };
        addends = route(addends, slot(i, next), from, [phase, next]);
        i += 1;
    }
    let mut again = addends;
    let mut late = [ZERO; 64];
    let mut arrange = [SLICED_ZERO; 64];
    let mut j = 0;
    while j < 3 {
        let sum = SUM_SLOT + j;
        addends = route(addends, sum, slot(SUMS[j][0], phase), [phase, next]);
        late = route(late, sum, slot(SUMS[j][1], phase), [phase, next]);
        late = route(late, j, slot(MASKS[j], phase), [phase, phase]);
        again = route(again, BLOCK_SLOT + j, BLOCK_SLOT + j, [phase, next]);
        let mut n = 0;
        while n < 16 {
            let (k, plane) = (n / 4, n % 4);
            arrange[16 * plane + at(BLOCK_SLOT + j, k, phase) % 16] = sliced_at(j, k, plane) as u8;
            n += 1;
        }
        j += 1;
    }
    let Phase { exchange, .. } = self::phase(phase);
    RunPhase {
        exchange,
        addends: Index(addends),
        late: Index(late),
        again: Index(again),
        rows: rows(phase),
        arrange: Index(arrange),
    }
}

/// First slot of the block in a run.
const BLOCK_SLOT: usize = 9;
/// Brings a block there, in an even and in an odd phase.
pub(super) static ENTER: [Spread; 2] = {
    let slots = [BLOCK_SLOT, BLOCK_SLOT + 1, BLOCK_SLOT + 2];
    [spread(slots, 0), spread(slots, 1)]
};
/// Bytes of slots 0 to 8.
pub(super) const WORD_BYTES: u64 = 0x0000_1111_ffff_ffff;
/// Bytes of all slots but those of the block.
pub(super) const NOT_BLOCK_BYTES: u64 = 0xffff_1111_ffff_ffff;

/// Four phases from any of the first 18 on are here one after the other.
pub(super) static RUN_PHASES: [RunPhase; 21] = {
    let mut phases = [const { run_phase(0) }; 21];
    let mut i = 1;
    while i < 21 {
        phases[i] = run_phase(i % 18);
        i += 1;
    }
    phases
};

/// What a round in a run of decryption wants, see `decrypt`.
pub(super) struct DecryptPhase {
    pub(super) exchange: Index,
    /// To where the round XORs them, words and the block; [`MASKS`] to the slots of the sums.
    pub(super) addends: Index,
    /// Of the round's result, with the keystream in the slots of the sums: what makes it the state
    /// with its sums if added to it. The last one stays within quarters.
    pub(super) sums: [Index; 3],
    /// For the keystream of two rounds before.
    pub(super) rows: Index,
    /// As in [`RunPhase`].
    pub(super) arrange: Index,
}

const fn decrypt_phase(phase: usize) -> DecryptPhase {
    let next = phase + 1;
    let RunPhase {
        exchange,
        mut addends,
        arrange,
        ..
    } = run_phase(phase);
    let mut sums = [[ZERO; 64]; 3];
    let mut absorbed = [0; 3];
    let mut i = 0;
    while i < 9 {
        if let Addend::X(word) = ADDENDS[i] {
            absorbed[word] = i;
        }
        i += 1;
    }
    let mut j = 0;
    while j < 3 {
        let sum = SUM_SLOT + j;
        addends.0 = route(addends.0, sum, slot(MASKS[j], phase), [phase, next]);
        sums[0] = route(sums[0], slot(absorbed[j], next), sum, [next, next]);
        sums[0] = route(sums[0], sum, slot(SUMS[j][0], next), [next, next]);
        sums[1] = route(sums[1], sum, slot(SUMS[j][1], next), [next, next]);
        j += 1;
    }
    // The sums of the next round have X0, nothing, X1 + X2 of this one; and in their slots are the
    // keystreams 0, 1, 2.
    assert!(SUMS[0][0] == absorbed[0] && SUMS[2][0] == absorbed[1] && SUMS[2][1] == absorbed[2]);
    assert!(SUMS[0][1] != absorbed[1] && SUMS[0][1] != absorbed[2]);
    let mut within = [0x80; 64];
    let mut k = 0;
    while k < 4 {
        let from = (at(SUM_SLOT + 1, k, next) % 16) as u8;
        within[at(SUM_SLOT + 1, k, next)] = from;
        within[at(SUM_SLOT + 2, k, next)] = from;
        k += 1;
    }
    DecryptPhase {
        exchange,
        addends,
        sums: [Index(sums[0]), Index(sums[1]), Index(within)],
        rows: rows(next),
        arrange,
    }
}

/// Four phases from any of the first 18 on are here one after the other.
pub(super) static DECRYPT_PHASES: [DecryptPhase; 21] = {
    let mut phases = [const { decrypt_phase(0) }; 21];
    let mut i = 1;
    while i < 21 {
        phases[i] = decrypt_phase(i % 18);
        i += 1;
    }
    phases
};
