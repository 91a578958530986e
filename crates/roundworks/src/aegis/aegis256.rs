//! The steps of AEGIS-256 and of each lane of AEGIS-256X. [AEGIS-RFC]

use super::{C0, C1};
use crate::aes::{AesLanes, Lane, Wiring};
use crate::aes_aead::{AesAead, Wordwise, bits64};

pub struct Steps;

pub(super) const INIT_ROUNDS: usize = 16;
pub(super) const FINAL_ROUNDS: usize = 7;

impl AesAead<1> for Steps {
    type Key = [u8; 32];
    type Nonce = [u8; 32];
    type State<W: Copy> = [W; 6];
    const WIRING: Option<Wiring> = Some(super::ring::<6>(&[0], &[3, 5]));

    #[inline(always)]
    fn zip<W: Copy, V: Copy, U: Copy>(
        s: [W; 6],
        t: [V; 6],
        mut f: impl Wordwise<W, V, U>,
    ) -> [U; 6] {
        [
            f.of(s[0], t[0]),
            f.of(s[1], t[1]),
            f.of(s[2], t[2]),
            f.of(s[3], t[3]),
            f.of(s[4], t[4]),
            f.of(s[5], t[5]),
        ]
    }

    #[inline(always)]
    fn start<L: AesLanes<D>, const D: usize>(
        l: L,
        key: &[u8; 32],
        nonces: &[[u8; 32]; D],
        context: Option<L::Word>,
    ) -> [L::Word; 6] {
        let half = |bytes: &[u8; 32], i: usize| -> Lane { bytes.as_chunks::<16>().0[i] };
        let (k0, k1) = (l.splat(&half(key, 0)), l.splat(&half(key, 1)));
        let (mut n0, mut n1) = ([[0; 16]; D], [[0; 16]; D]);
        for (i, nonce) in nonces.iter().enumerate() {
            (n0[i], n1[i]) = (half(nonce, 0), half(nonce, 1));
        }
        let (k0_n0, k1_n1) = (l.xor(k0, l.gather(&n0)), l.xor(k1, l.gather(&n1)));
        let (c0, c1) = (l.splat(&C0), l.splat(&C1));
        let s = [k0_n0, k1_n1, c1, c0, l.xor(k0, c0), l.xor(k1, c1)];
        let blocks = [[k0], [k1], [k0_n0], [k1_n1]];
        Self::updates::<L, D, { INIT_ROUNDS / 4 }, 4>(l, s, blocks, context)
    }

    /// S1 last: in decryption it waits for it again after two updates.
    #[inline(always)]
    fn mask<L: AesLanes<D>, const D: usize>(
        l: L,
        s: [L::Word; 6],
        x: [L::Word; 1],
    ) -> [L::Word; 1] {
        let sum = l.xor(s[4], s[5]);
        [l.xor3(l.xor_and(x[0], s[2], s[3]), sum, s[1])]
    }

    /// Update(M), with S'0 = AESRound(S5, M) ^ S0 where the RFC has AESRound(S5, S0 ^ M): equal,
    /// and the message does not lengthen the path from one update to the next.
    #[inline(always)]
    fn update<L: AesLanes<D>, const D: usize>(
        l: L,
        s: [L::Word; 6],
        m: [L::Word; 1],
    ) -> [L::Word; 6] {
        let mut next = rounds(l, s, m[0]);
        next[0] = l.xor(next[0], s[0]);
        next
    }

    /// As `update`, with the message where it comes last.
    #[inline(always)]
    fn decrypt_soonest<L: AesLanes<D>, const D: usize>(
        l: L,
        s: [L::Word; 6],
        c: [L::Word; 1],
    ) -> ([L::Word; 1], [L::Word; 6]) {
        let mut next = rounds(l, s, l.splat(&[0; 16]));
        let m = Self::mask(l, s, c);
        next[0] = l.xor3(next[0], s[0], m[0]);
        (m, next)
    }

    #[inline(always)]
    fn finish<L: AesLanes<D>, const D: usize>(
        l: L,
        s: [L::Word; 6],
        lengths: &[[u64; 2]; D],
    ) -> [L::Word; 6] {
        Self::finish_counts(l, s, bits64(l, lengths))
    }

    #[inline(always)]
    fn finish_counts<L: AesLanes<D>, const D: usize>(
        l: L,
        s: [L::Word; 6],
        counts: L::Word,
    ) -> [L::Word; 6] {
        let t = l.xor(s[3], counts);
        Self::updates::<L, D, FINAL_ROUNDS, 1>(l, s, [[t]], None)
    }

    #[inline(always)]
    fn tag16<L: AesLanes<D>, const D: usize>(l: L, s: [L::Word; 6]) -> L::Word {
        let [a, b] = Self::tag32(l, s);
        l.xor(a, b)
    }

    #[inline(always)]
    fn tag32<L: AesLanes<D>, const D: usize>(l: L, s: [L::Word; 6]) -> [L::Word; 2] {
        [l.xor3(s[0], s[1], s[2]), l.xor3(s[3], s[4], s[5])]
    }
}

/// AESRound of every word into the next, with its key; S0 is not added yet. Last words first: two
/// AES rounds begin in a cycle, and in this order those that the next update needs soonest are
/// not the ones that wait.
#[inline(always)]
fn rounds<L: AesLanes<D>, const D: usize>(l: L, s: [L::Word; 6], m: L::Word) -> [L::Word; 6] {
    let [s5, s4, s3, s2, s1, s0] = l.rounds(
        [s[4], s[3], s[2], s[1], s[0], s[5]],
        [s[5], s[4], s[3], s[2], s[1], m],
    );
    [s0, s1, s2, s3, s4, s5]
}
