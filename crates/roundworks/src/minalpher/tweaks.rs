//! The tweaks y^k L as windows of one byte sequence. [MINALPHER, section 2.3]
//!
//! Let a_k be the first byte of y^k L. As y^32 = y^3 + y^2 + x in the field of 2^256 elements,
//! a_(k + 32) = a_(k + 3) ^ a_(k + 2) ^ x a_k, and y^k L is a_k .. a_(k + 31) but for the last three
//! bytes, to which a_k, a_(k + 1) ^ a_k and a_(k + 2) ^ a_(k + 1) are added. So a tweak costs one
//! new byte. Squaring the relation s times gives one for steps of 2^s, by which 29 * 2^s bytes
//! depend only on older ones.
#![forbid(unsafe_code)]

use super::lanes::{BEFORE, Block};

/// Bytes of the sequence kept at a time.
const KEPT: usize = 1024;

/// A part of the sequence, and a place in it.
#[derive(Clone)]
pub(crate) struct Tweaks {
    bytes: [u8; KEPT],
    /// Bytes before this one are not of the sequence.
    first: usize,
    /// Of the next tweak.
    at: usize,
    /// Bytes known.
    end: usize,
}

impl Tweaks {
    /// y^0 L is next.
    #[inline(always)]
    pub(crate) fn new(l: &Block) -> Self {
        let mut tweaks = Self {
            bytes: [0; KEPT],
            first: BEFORE,
            at: BEFORE,
            end: BEFORE + 32,
        };
        let a = &mut tweaks.bytes[BEFORE..BEFORE + 32];
        a.copy_from_slice(l);
        add_to_last(a, l);
        tweaks
    }

    /// The sequence from `BEFORE` bytes before the next tweak on: what `count` tweaks take, and 64
    /// bytes of any value, for loads of whole registers.
    #[inline(always)]
    pub(crate) fn window(&mut self, count: usize) -> &[u8] {
        let want = (count + 32).next_multiple_of(16);
        if self.at + want + 64 > KEPT {
            self.bytes.copy_within(self.at - BEFORE..self.end, 0);
            self.end -= self.at - BEFORE;
            (self.first, self.at) = (0, BEFORE);
        }
        while self.end < self.at + want {
            self.grow();
        }
        &self.bytes[self.at - BEFORE..]
    }

    #[inline(always)]
    pub(crate) fn advance(&mut self, count: usize) {
        self.at += count;
    }

    /// The next tweak but k: byte by byte, for the few that are needed one by one.
    #[inline(always)]
    pub(crate) fn tweak(&mut self, k: usize) -> Block {
        let window = &self.window(k + 1)[BEFORE + k..];
        let a: &Block = window.first_chunk().expect("a window of k + 1 tweaks");
        let mut tweak = *a;
        add_to_last(&mut tweak, a);
        tweak
    }

    /// More of the sequence, in steps as large as what is known allows.
    #[inline(always)]
    fn grow(&mut self) {
        match self.end - self.first {
            0..64 => self.grow_by::<1, 16>(),
            64..128 => self.grow_by::<2, 48>(),
            128..256 => self.grow_by::<4, 112>(),
            // Those of a batch of 64 pairs at once, from older ones alone: what was just stored
            // would come late.
            _ => self.grow_by::<8, 128>(),
        }
    }

    /// `NEW` bytes, at most 29 `STEP`: a_(k + 32 q) = a_(k + 3 q) ^ a_(k + 2 q) ^ x^q a_k.
    #[inline(always)]
    fn grow_by<const STEP: usize, const NEW: usize>(&mut self) {
        const { assert!(NEW <= 29 * STEP) };
        let old = &self.bytes[self.end - 32 * STEP..self.end];
        let (oldest, third, second) = (&old[..NEW], &old[3 * STEP..], &old[2 * STEP..]);
        let mut new = [0; NEW];
        for (i, to) in new.iter_mut().enumerate() {
            let mut product = oldest[i];
            for _ in 0..STEP {
                product = product << 1 ^ 0xa3 & ((product >> 7).wrapping_neg());
            }
            *to = product ^ third[i] ^ second[i];
        }
        let space = KEPT - self.end;
        let n = NEW.min(space);
        self.bytes[self.end..self.end + n].copy_from_slice(&new[..n]);
        self.end += n;
    }

    pub(crate) fn wipe(&mut self) {
        self.bytes.fill(0);
        zeroize::optimization_barrier(&self.bytes);
    }
}

/// The addends of the last three bytes, which are their own inverse.
#[inline(always)]
fn add_to_last(to: &mut [u8], a: &[u8]) {
    to[29] ^= a[0];
    to[30] ^= a[1] ^ a[0];
    to[31] ^= a[2] ^ a[1];
}
