//! Rocca-S. [ROCCA-S]
//!
//! The letters of the draft: S0..S6 is the state, K0 || K1 the key, N the nonce, Z0 and Z1 the
//! constants, R(X, Y) one AES round on X with round key Y.
#![forbid(unsafe_code)]

use crate::aes::{AesLanes, Lane, Wiring};
use crate::aes_aead::{AesAead, Degree, Wordwise};
use crate::keyed::aead;

aead! {
    /// Rocca-S: seven words, 32 bytes an update. [ROCCA-S]
    ///
    /// Key of 32 bytes, nonce of 16, tag of 32. A nonce used twice under one key breaks both
    /// secrecy and authenticity.
    RoccaS {
        name: "rocca-s",
        algorithm: Degree<Steps, 2, 1, 2>,
        sizes: 32, 16, 32,
        backends: [Portable, Aesni, Vaes256, Vaes512, Aarch64],
        kernel: crate::arch::aes,
        max_bytes: (1 << 61) - 1, (1 << 61) - 1,
        incremental: Encryptor, Decryptor,
    }
}

const Z0: Lane = 0xcd65ef239144377122ae28d7982f8a42_u128.to_be_bytes();
const Z1: Lane = 0xbcdb8981a5dbb5e92f3b4deccffbc0b5_u128.to_be_bytes();

/// Of the initialisation and of the finalisation.
const ROUNDS: usize = 16;

pub struct Steps;

impl AesAead<2> for Steps {
    type Key = [u8; 32];
    type Nonce = [u8; 16];
    /// S0..S6, and S4 ^ S6: decryption would wait for that sum.
    type State<W: Copy> = [W; 8];
    /// Without the sum in the last word: nothing between start and end of the updates reads it.
    const WIRING: Option<Wiring> = Some(Wiring {
        round: [
            None,
            Some(0),
            Some(1),
            Some(2),
            Some(3),
            Some(4),
            Some(5),
            None,
        ],
        sum: [1 << 6 | 1 << 1, 0, 1 << 0, 1 << 6, 0, 1 << 3, 1 << 4, 0],
        message: &[1, 4],
        context: &[],
    });

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
        key: &[u8; 32],
        nonces: &[[u8; 16]; D],
        _: Option<L::Word>,
    ) -> [L::Word; 8] {
        let (halves, _) = key.as_chunks::<16>();
        let (k0, k1) = (l.splat(&halves[0]), l.splat(&halves[1]));
        let (n, z0, z1) = (l.gather(nonces), l.splat(&Z0), l.splat(&Z1));
        let zero = l.splat(&[0; 16]);
        let mut s = [k1, n, z0, k0, z1, l.xor(n, k1), zero, z1];
        s = Self::updates::<L, D, ROUNDS, 1>(l, s, [[z0, z1]], None);
        for (word, key) in s.iter_mut().zip([k0, k0, k1, k0, k0, k1, k1]) {
            *word = l.xor(*word, key);
        }
        s[7] = l.xor(s[4], s[6]);
        s
    }

    #[inline(always)]
    fn mask<L: AesLanes<D>, const D: usize>(
        l: L,
        s: [L::Word; 8],
        x: [L::Word; 2],
    ) -> [L::Word; 2] {
        l.rounds(
            [l.xor(s[3], s[5]), s[7]],
            [l.xor(s[0], x[0]), l.xor(s[2], x[1])],
        )
    }

    #[inline(always)]
    fn update<L: AesLanes<D>, const D: usize>(
        l: L,
        s: [L::Word; 8],
        m: [L::Word; 2],
    ) -> [L::Word; 8] {
        let [s6, s5, s3, s2, s1, s4] = l.rounds(
            [s[5], s[4], s[2], s[1], s[0], s[3]],
            [s[4], s[3], s[6], s[0], m[0], m[1]],
        );
        [l.xor(s[6], s[1]), s1, s2, s3, s4, s5, s6, l.xor(s4, s6)]
    }

    #[inline(always)]
    fn encrypt<L: AesLanes<D>, const D: usize>(
        l: L,
        s: [L::Word; 8],
        m: [L::Word; 2],
    ) -> ([L::Word; 2], [L::Word; 8]) {
        if L::AT_ONCE < 8 * D {
            let next = Self::update(l, s, m);
            return (Self::mask(l, s, m), next);
        }
        let sum = l.xor(s[3], s[5]);
        let keys = [l.xor(s[0], m[0]), l.xor(s[2], m[1])];
        let [s6, s5, s3, s2, s1, s4, c0, c1] = l.rounds(
            [s[5], s[4], s[2], s[1], s[0], s[3], sum, s[7]],
            [s[4], s[3], s[6], s[0], m[0], m[1], keys[0], keys[1]],
        );
        let next = [l.xor(s[6], s[1]), s1, s2, s3, s4, s5, s6, l.xor(s4, s6)];
        ([c0, c1], next)
    }

    /// The keystream first, and R(S0, C0) ^ Z0 for R(S0, M0), R(S3, C1) ^ Z1 for R(S3, M1): what
    /// waits for the keystream is then an XOR and no AES round.
    #[inline(always)]
    fn decrypt_soonest<L: AesLanes<D>, const D: usize>(
        l: L,
        s: [L::Word; 8],
        c: [L::Word; 2],
    ) -> ([L::Word; 2], [L::Word; 8]) {
        let sum = l.xor(s[3], s[5]);
        let [z0, r4, z1, s6, s5, s3, s2, r1] = l.rounds(
            [sum, s[3], s[7], s[5], s[4], s[2], s[1], s[0]],
            [s[0], c[1], s[2], s[4], s[3], s[6], s[0], c[0]],
        );
        let m = [l.xor(z0, c[0]), l.xor(z1, c[1])];
        let (s1, s4) = (l.xor(r1, z0), l.xor(r4, z1));
        let t = l.xor3(r4, s6, z1);
        (m, [l.xor(s[6], s[1]), s1, s2, s3, s4, s5, s6, t])
    }

    /// Both lengths in bits, 128-bit counts, little endian.
    #[inline(always)]
    fn finish<L: AesLanes<D>, const D: usize>(
        l: L,
        s: [L::Word; 8],
        lengths: &[[u64; 2]; D],
    ) -> [L::Word; 8] {
        let (mut ad, mut message) = ([[0; 16]; D], [[0; 16]; D]);
        for (i, [ad_bytes, message_bytes]) in lengths.iter().enumerate() {
            ad[i] = (8 * u128::from(*ad_bytes)).to_le_bytes();
            message[i] = (8 * u128::from(*message_bytes)).to_le_bytes();
        }
        let m = [l.gather(&ad), l.gather(&message)];
        Self::updates::<L, D, ROUNDS, 1>(l, s, [m], None)
    }

    #[inline(always)]
    fn tag16<L: AesLanes<D>, const D: usize>(_: L, _: [L::Word; 8]) -> L::Word {
        unreachable!("Rocca-S has one size of tag")
    }

    #[inline(always)]
    fn tag32<L: AesLanes<D>, const D: usize>(l: L, s: [L::Word; 8]) -> [L::Word; 2] {
        [
            l.xor3(l.xor(s[0], s[1]), s[2], s[3]),
            l.xor3(s[4], s[5], s[6]),
        ]
    }
}

#[cfg(test)]
mod tests {
    use roundworks_vectors::cipher;

    use super::{ROUNDS, RoccaS, Z0, Z1};

    #[test]
    fn constants_are_those_of_spec() {
        let spec = cipher("rocca");
        assert_eq!(
            (&spec.constants["Z0"].0[..], &spec.constants["Z1"].0[..]),
            (&Z0[..], &Z1[..])
        );
        let member = spec.member(RoccaS::NAME);
        assert_eq!(
            [member.key_bytes, member.nonce_bytes, member.tag_bytes],
            [RoccaS::KEY_BYTES, RoccaS::NONCE_BYTES, RoccaS::TAG_BYTES]
        );
        assert_eq!([member.rate_bytes, member.words], [32, 7]);
        assert_eq!([member.init_rounds, member.final_rounds], [ROUNDS, ROUNDS]);
        let backends = RoccaS::BACKENDS.iter().map(|b| b.name());
        assert!(backends.eq(member.backends.iter()));
    }
}
