//! The steps of AEGIS-128. [AEGIS, section 3]

use super::{C0, C1};
use crate::aes::{AesLanes, Wiring};
use crate::aes_aead::{AesAead, Wordwise, bits64};

pub struct Steps;

pub(super) const INIT_ROUNDS: usize = 10;
pub(super) const FINAL_ROUNDS: usize = 7;

impl AesAead<1> for Steps {
    type Key = [u8; 16];
    type Nonce = [u8; 16];
    type State<W: Copy> = [W; 5];
    const WIRING: Option<Wiring> = Some(super::ring::<5>(&[0], &[]));

    #[inline(always)]
    fn zip<W: Copy, V: Copy, U: Copy>(
        s: [W; 5],
        t: [V; 5],
        mut f: impl Wordwise<W, V, U>,
    ) -> [U; 5] {
        [
            f.of(s[0], t[0]),
            f.of(s[1], t[1]),
            f.of(s[2], t[2]),
            f.of(s[3], t[3]),
            f.of(s[4], t[4]),
        ]
    }

    #[inline(always)]
    fn start<L: AesLanes<D>, const D: usize>(
        l: L,
        key: &[u8; 16],
        nonces: &[[u8; 16]; D],
        _: Option<L::Word>,
    ) -> [L::Word; 5] {
        let (k, c0, c1) = (l.splat(key), l.splat(&C0), l.splat(&C1));
        let k_n = l.xor(k, l.gather(nonces));
        let s = [k_n, c1, c0, l.xor(k, c0), l.xor(k, c1)];
        Self::updates::<L, D, { INIT_ROUNDS / 2 }, 2>(l, s, [[k], [k_n]], None)
    }

    /// S1 last: in decryption it waits for it again after two updates.
    #[inline(always)]
    fn mask<L: AesLanes<D>, const D: usize>(
        l: L,
        s: [L::Word; 5],
        x: [L::Word; 1],
    ) -> [L::Word; 1] {
        [l.xor3(l.xor_and(x[0], s[2], s[3]), s[4], s[1])]
    }

    /// StateUpdate128(S, m), with S'0 = AESRound(S4, m) ^ S0 where the paper has
    /// AESRound(S4, S0 ^ m). A round key is only XORed, so both are equal; this way S0 does not
    /// wait for an AES round to get into S'0. [AEGIS, section 3.3]
    #[inline(always)]
    fn update<L: AesLanes<D>, const D: usize>(
        l: L,
        s: [L::Word; 5],
        m: [L::Word; 1],
    ) -> [L::Word; 5] {
        let mut next = rounds(l, s, m[0]);
        next[0] = l.xor(next[0], s[0]);
        next
    }

    /// As `update`, with the message where it comes last.
    #[inline(always)]
    fn decrypt_soonest<L: AesLanes<D>, const D: usize>(
        l: L,
        s: [L::Word; 5],
        c: [L::Word; 1],
    ) -> ([L::Word; 1], [L::Word; 5]) {
        let mut next = rounds(l, s, l.splat(&[0; 16]));
        let m = Self::mask(l, s, c);
        next[0] = l.xor3(next[0], s[0], m[0]);
        (m, next)
    }

    #[inline(always)]
    fn finish<L: AesLanes<D>, const D: usize>(
        l: L,
        s: [L::Word; 5],
        lengths: &[[u64; 2]; D],
    ) -> [L::Word; 5] {
        let t = l.xor(s[3], bits64(l, lengths));
        Self::updates::<L, D, FINAL_ROUNDS, 1>(l, s, [[t]], None)
    }

    #[inline(always)]
    fn tag16<L: AesLanes<D>, const D: usize>(l: L, s: [L::Word; 5]) -> L::Word {
        l.xor3(l.xor3(s[0], s[1], s[2]), s[3], s[4])
    }

    #[inline(always)]
    fn tag32<L: AesLanes<D>, const D: usize>(_: L, _: [L::Word; 5]) -> [L::Word; 2] {
        unreachable!("AEGIS-128 has one size of tag")
    }
}

/// AESRound of every word into the next, with its key; S0 is not added yet. Last words first: two
/// AES rounds begin in a cycle, and in this order those that the next update needs soonest are
/// not the ones that wait.
#[inline(always)]
fn rounds<L: AesLanes<D>, const D: usize>(l: L, s: [L::Word; 5], m: L::Word) -> [L::Word; 5] {
    let [s4, s3, s2, s1, s0] =
        l.rounds([s[3], s[2], s[1], s[0], s[4]], [s[4], s[3], s[2], s[1], m]);
    [s0, s1, s2, s3, s4]
}
