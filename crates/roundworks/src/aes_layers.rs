//! What the permutations need of a back end in addition to [`AesLanes`]: every AES instruction on many words
//! at once, moves of 32-bit columns between words, and blocks interleaved.
//!
//! Loops here count: over iterators some were left in memory, where a block waited for its stores.
#![forbid(unsafe_code)]
#![allow(clippy::needless_range_loop)]

use crate::aes::{AesLanes, Lane};

/// `M` words of each of `N` blocks or groups of blocks.
pub(crate) type Layer<W, const N: usize, const M: usize> = [[W; N]; M];

/// The same key for all.
#[inline(always)]
pub(crate) fn same<W: Copy, const N: usize, const M: usize>(key: W) -> Layer<W, N, M> {
    [[key; N]; M]
}

/// `$round` of `$x`, one group of blocks after the other, of eight at most: the shuffles of one run
/// during the AES rounds of the next. All at once where that takes no longer than one. Written out, as
/// a loop of so much was left with its words in memory.
macro_rules! interleaved {
    ($l:ident: $L:ident, $N:ident, $x:ident => $round:expr) => {
        interleaved!($l: $L, $N, $x => $round; 0 1 2 3 4 5 6 7)
    };
    ($l:ident: $L:ident, $N:ident, $x:ident => $round:expr; $($n:literal)+) => {
        if const { $L::AT_ONCE > 1 } {
            $round
        } else {
            const { assert!($N <= 8, "every group has its turn") };
            let mut all = $x;
            $(if const { $n < $N } {
                let mut $x = same($l.zero());
                for m in 0..all.len() {
                    $x[m] = [all[m][$n]];
                }
                $x = $round;
                for m in 0..all.len() {
                    all[m][$n] = $x[m][0];
                }
            })+
            all
        }
    };
}
pub(crate) use interleaved;

/// Layers of AES instructions; a word is `D` lanes, lane i of the i-th of `D` blocks.
pub trait AesLayers<const D: usize>: AesLanes<D> {
    /// Whether there are registers for what waits when all groups of blocks take an instruction
    /// before one takes the next.
    const TO_SPARE: bool = false;

    /// `aesenc`: MixColumns(ShiftRows(SubBytes(x))) ^ key. [FIPS197, section 5.1]
    #[inline(always)]
    fn enc<const N: usize, const M: usize>(
        self,
        mut x: [[Self::Word; N]; M],
        keys: [[Self::Word; N]; M],
    ) -> [[Self::Word; N]; M] {
        for m in 0..M {
            x[m] = self.rounds(x[m], keys[m]);
        }
        x
    }

    /// `aesenclast`: the same without MixColumns.
    fn enc_last<const N: usize, const M: usize>(
        self,
        x: [[Self::Word; N]; M],
        keys: [[Self::Word; N]; M],
    ) -> [[Self::Word; N]; M];

    /// `enc_last` if `last`, else `enc`.
    #[inline(always)]
    fn enc_either<const N: usize, const M: usize>(
        self,
        last: bool,
        x: [[Self::Word; N]; M],
        keys: [[Self::Word; N]; M],
    ) -> [[Self::Word; N]; M] {
        if last {
            self.enc_last(x, keys)
        } else {
            self.enc(x, keys)
        }
    }

    /// `dec_last` if `last`, else `dec`.
    #[inline(always)]
    fn dec_either<const N: usize, const M: usize>(
        self,
        last: bool,
        x: [[Self::Word; N]; M],
        keys: [[Self::Word; N]; M],
    ) -> [[Self::Word; N]; M] {
        if last {
            self.dec_last(x, keys)
        } else {
            self.dec(x, keys)
        }
    }

    /// `aesdec`: InvMixColumns(InvSubBytes(InvShiftRows(x))) ^ key. [FIPS197, section 5.3.5]
    fn dec<const N: usize, const M: usize>(
        self,
        x: [[Self::Word; N]; M],
        keys: [[Self::Word; N]; M],
    ) -> [[Self::Word; N]; M];

    /// `aesdeclast`: the same without InvMixColumns.
    fn dec_last<const N: usize, const M: usize>(
        self,
        x: [[Self::Word; N]; M],
        keys: [[Self::Word; N]; M],
    ) -> [[Self::Word; N]; M];

    /// InvMixColumns. Not every width has `aesimc`: what is between the two goes back and forth.
    #[inline(always)]
    fn unmix<const N: usize, const M: usize>(
        self,
        x: [[Self::Word; N]; M],
    ) -> [[Self::Word; N]; M] {
        let zero = same(self.zero());
        self.dec(self.enc_last(x, zero), zero)
    }

    #[inline(always)]
    fn zero(self) -> Self::Word {
        self.splat(&[0; 16])
    }

    /// Columns a0, b0, a1, b1.
    fn low(self, a: Self::Word, b: Self::Word) -> Self::Word;
    /// Columns a2, b2, a3, b3.
    fn high(self, a: Self::Word, b: Self::Word) -> Self::Word;
    /// Columns a0, a2, b0, b2: a of `low` and `high`.
    fn even(self, a: Self::Word, b: Self::Word) -> Self::Word;
    /// Columns a1, a3, b1, b3: b of `low` and `high`.
    fn odd(self, a: Self::Word, b: Self::Word) -> Self::Word;
    /// Columns a0, b1, a2, b3.
    fn alternate(self, a: Self::Word, b: Self::Word) -> Self::Word;
    /// Columns a0, a1, b2, b3.
    fn halves(self, a: Self::Word, b: Self::Word) -> Self::Word;

    /// Blocks that follow each other in memory, word i of all of them together.
    #[inline(always)]
    fn load_blocks<const W: usize>(self, blocks: &[[Lane; W]; D]) -> [Self::Word; W] {
        let mut words = [self.zero(); W];
        for i in 0..W {
            let mut ones = [self.one(&blocks[0][i]); D];
            for j in 1..D {
                ones[j] = self.one(&blocks[j][i]);
            }
            words[i] = self.join(ones);
        }
        words
    }

    #[inline(always)]
    fn store_blocks<const W: usize>(self, words: [Self::Word; W], blocks: &mut [[Lane; W]; D]) {
        for i in 0..W {
            let ones = self.split(words[i]);
            for j in 0..D {
                self.put(ones[j], &mut blocks[j][i]);
            }
        }
    }
}
