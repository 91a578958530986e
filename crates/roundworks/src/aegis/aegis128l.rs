//! The steps of AEGIS-128L and of each lane of AEGIS-128X. [AEGIS-RFC]

use super::{C0, C1};
use crate::aes::{AesLanes, Wiring};
use crate::aes_aead::{AesAead, Wordwise, bits64};

pub struct Steps;

pub(super) const INIT_ROUNDS: usize = 10;
pub(super) const FINAL_ROUNDS: usize = 7;

impl AesAead<2> for Steps {
    type Key = [u8; 16];
    type Nonce = [u8; 16];
    type State<W: Copy> = [W; 8];
    const WIRING: Option<Wiring> = Some(super::ring::<8>(&[0, 4], &[3, 7]));

    #[inline(always)]
    fn zip<W: Copy, V: Copy, U: Copy>(
        s: [W; 8],
        t: [V; 8],
        mut f: impl Wordwise<W, V, U>,
    ) -> [U; 8] {
        [
            f.of(s[0], t[0]),
            f.of(s[1], t[1]),
            f.of(s[2], t[2]),
            f.of(s[3], t[3]),
            f.of(s[4], t[4]),
            f.of(s[5], t[5]),
            f.of(s[6], t[6]),
            f.of(s[7], t[7]),
        ]
    }

    #[inline(always)]
    fn start<L: AesLanes<D>, const D: usize>(
        l: L,
        key: &[u8; 16],
        nonces: &[[u8; 16]; D],
        context: Option<L::Word>,
    ) -> [L::Word; 8] {
        let (k, n) = (l.splat(key), l.gather(nonces));
        let (c0, c1) = (l.splat(&C0), l.splat(&C1));
        let (k_n, k_c0, k_c1) = (l.xor(k, n), l.xor(k, c0), l.xor(k, c1));
        let s = [k_n, c1, c0, c1, k_n, k_c0, k_c1, k_c0];
        Self::updates::<L, D, INIT_ROUNDS, 1>(l, s, [[n, k]], context)
    }

    /// S1 and S5 last: in decryption they wait for it again after two updates.
    #[inline(always)]
    fn mask<L: AesLanes<D>, const D: usize>(
        l: L,
        s: [L::Word; 8],
        x: [L::Word; 2],
    ) -> [L::Word; 2] {
        [
            l.xor3(l.xor_and(x[0], s[2], s[3]), s[6], s[1]),
            l.xor3(l.xor_and(x[1], s[6], s[7]), s[2], s[5]),
        ]
    }

    /// Update(M0, M1), with S'0 = AESRound(S7, M0) ^ S0 where the RFC has AESRound(S7, S0 ^ M0):
    /// equal, and the message does not lengthen the path from one update to the next.
    #[inline(always)]
    fn update<L: AesLanes<D>, const D: usize>(
        l: L,
        s: [L::Word; 8],
        m: [L::Word; 2],
    ) -> [L::Word; 8] {
        let mut next = rounds(l, s, m);
        [next[0], next[4]] = [l.xor(next[0], s[0]), l.xor(next[4], s[4])];
        next
    }

    /// As `update`, with the message where it comes last.
    #[inline(always)]
    fn decrypt_soonest<L: AesLanes<D>, const D: usize>(
        l: L,
        s: [L::Word; 8],
        c: [L::Word; 2],
    ) -> ([L::Word; 2], [L::Word; 8]) {
        let zero = l.splat(&[0; 16]);
        let mut next = rounds(l, s, [zero; 2]);
        let m = Self::mask(l, s, c);
        next[0] = l.xor3(next[0], s[0], m[0]);
        next[4] = l.xor3(next[4], s[4], m[1]);
        (m, next)
    }

    #[inline(always)]
    fn finish<L: AesLanes<D>, const D: usize>(
        l: L,
        s: [L::Word; 8],
        lengths: &[[u64; 2]; D],
    ) -> [L::Word; 8] {
        Self::finish_counts(l, s, bits64(l, lengths))
    }

    #[inline(always)]
    fn finish_counts<L: AesLanes<D>, const D: usize>(
        l: L,
        s: [L::Word; 8],
        counts: L::Word,
    ) -> [L::Word; 8] {
        let t = l.xor(s[2], counts);
        Self::updates::<L, D, FINAL_ROUNDS, 1>(l, s, [[t, t]], None)
    }

    /// Without S7.
    #[inline(always)]
    fn tag16<L: AesLanes<D>, const D: usize>(l: L, s: [L::Word; 8]) -> L::Word {
        l.xor3(l.xor3(s[0], s[1], s[2]), l.xor3(s[3], s[4], s[5]), s[6])
    }

    #[inline(always)]
    fn tag32<L: AesLanes<D>, const D: usize>(l: L, s: [L::Word; 8]) -> [L::Word; 2] {
        [
            l.xor3(l.xor(s[0], s[1]), s[2], s[3]),
            l.xor3(l.xor(s[4], s[5]), s[6], s[7]),
        ]
    }
}

/// AESRound of every word into the next, with its key; S0 and S4 are not added yet. Last words
/// first: two AES rounds begin in a cycle, and in this order those that the next update needs
/// soonest are not the ones that wait.
#[inline(always)]
fn rounds<L: AesLanes<D>, const D: usize>(l: L, s: [L::Word; 8], m: [L::Word; 2]) -> [L::Word; 8] {
    let [s7, s6, s5, s3, s2, s1, s0, s4] = l.rounds(
        [s[6], s[5], s[4], s[2], s[1], s[0], s[7], s[3]],
        [s[7], s[6], s[5], s[3], s[2], s[1], m[0], m[1]],
    );
    [s0, s1, s2, s3, s4, s5, s6, s7]
}
