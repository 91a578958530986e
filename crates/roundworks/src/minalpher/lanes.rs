//! What Minalpher needs of a back end, and the permutation P over rows of nibbles.
#![forbid(unsafe_code)]

pub(crate) type Block = [u8; BLOCK];

/// Bytes of a block: two matrices of four rows by eight nibbles.
pub(crate) const BLOCK: usize = 32;

/// Bytes of the tweak sequence that stand before a window, so that a load may begin there.
pub(crate) const BEFORE: usize = 32;

/// [MINALPHER, section 2.4]
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code))] // vector shuffles look it up
pub(crate) const SBOX: [u8; 16] = [
    0xb, 0x3, 0x4, 0x1, 0x2, 0x8, 0xc, 0xf, 0x5, 0xd, 0xe, 0x0, 0x6, 0x9, 0xa, 0x7,
];

/// ShuffleRows: nibble c of the new row is nibble SR\[c\] of the old. [MINALPHER, section 2.4]
pub(crate) const SR1: [usize; 8] = [6, 7, 1, 0, 2, 3, 4, 5];
pub(crate) const SR2: [usize; 8] = [4, 5, 0, 1, 7, 6, 2, 3];

/// The inverse of a permutation.
pub(crate) const fn inverse(p: [usize; 8]) -> [usize; 8] {
    let mut q = [0; 8];
    let mut c = 0;
    while c < 8 {
        q[p[c]] = c;
        c += 1;
    }
    q
}

/// The four shuffles; row r of A is shuffled by SHUFFLES\[r\], row r of B by SHUFFLES\[r ^ 2\].
pub(crate) const SHUFFLES: [[usize; 8]; 4] = [SR1, SR2, inverse(SR1), inverse(SR2)];

/// Rounds with MixColumns; S and T alone follow.
pub(crate) const ROUNDS: usize = 17;

/// The round numbers, modulo 16, that enter the round constants of P or of its inverse.
pub(crate) type Schedule = [u8; ROUNDS];

/// P: round i adds c ^ r ^ i to nibble c < 4 of row r of B. [MINALPHER, section 2.4]
pub(crate) const FORWARD: Schedule = schedule(false);
/// The inverse of P is P with the constants M(RC\[16 - i\]), and M turns r into r ^ 2.
pub(crate) const BACKWARD: Schedule = schedule(true);

const fn schedule(backward: bool) -> Schedule {
    let mut numbers = [0; ROUNDS];
    let mut i = 0;
    while i < ROUNDS {
        let number = if backward {
            ((16 - i) as u8 % 16) ^ 2
        } else {
            i as u8 % 16
        };
        numbers[i] = number;
        i += 1;
    }
    numbers
}

/// That many blocks interleaved, in a form of the back end's own; `self` proves that the CPU has
/// what it takes.
pub(crate) trait Lanes: Copy {
    /// How many.
    const BLOCKS: usize;
    /// `[u8; 32 * BLOCKS]`.
    type Bytes: AsRef<[u8]> + AsMut<[u8]>;
    type State: Copy;
    type Tweaks;

    fn zero(self) -> Self::State;
    /// Zeros in memory.
    fn bytes(self) -> Self::Bytes;
    /// From that many bytes.
    fn load(self, from: &[u8], to: &mut Self::State);
    fn store(self, x: &Self::State, to: &mut [u8]);
    /// Of no more than the first `n` blocks is anything wanted from now on.
    #[inline(always)]
    fn only(self, _x: &mut Self::State, _n: usize) {}
    /// to ^= x.
    fn add(self, to: &mut Self::State, x: &Self::State);
    /// The tweaks of consecutive exponents of y: the first byte of the first stands at
    /// `window[BEFORE]`.
    fn every(self, window: &[u8]) -> Self::Tweaks;
    /// The tweaks of every second exponent, from the first of `window` and from the next.
    fn pairs(self, window: &[u8]) -> [Self::Tweaks; 2];
    /// x ^= tweaks.
    fn mask(self, x: &mut Self::State, tweaks: &Self::Tweaks);
    /// P, or its inverse, by the schedule.
    fn permute(self, x: &mut Self::State, schedule: &Schedule);

    /// The same between masks.
    #[inline(always)]
    fn tem(self, x: &mut Self::State, tweaks: &Self::Tweaks, schedule: &Schedule) {
        self.mask(x, tweaks);
        self.permute(x, schedule);
        self.mask(x, tweaks);
    }
}
