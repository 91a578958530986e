//! AEGIS-128. [AEGIS, section 3]
//!
//! The paper's letters: S0..S4 is the state, K the key, IV the nonce, AESRound(A, B) one AES round
//! on A with round key B. The bytes of a word stand as they stand in memory.
#![forbid(unsafe_code)]

use crate::arch;
use crate::keyed::{Direction, aead};

#[cfg(test)]
mod tests;

aead! {
    /// AEGIS-128, CAESAR submission v1.1. [AEGIS, section 3]
    ///
    /// Key, nonce and tag of 16 bytes. The AEGIS of the RFC are AEGIS-128L and AEGIS-256, two
    /// other ciphers. A nonce used twice under one key breaks both secrecy and authenticity.
    Aegis128 {
        name: "aegis-128",
        key_bytes: 16,
        backends: [Portable, Aesni, Aarch64],
        kernel: arch::aegis128,
        /// Largest message, in bytes: its length in bits is a 64-bit count. [AEGIS, section 3.1]
        max_message_bytes: (1 << 61) - 1,
        /// Largest associated data, in bytes: its length in bits is a 64-bit count.
        /// [AEGIS, section 3.1]
        max_ad_bytes: (1 << 61) - 1,
    }
}

pub(crate) type Word = [u8; 16];

/// The Fibonacci sequence modulo 256. [AEGIS, section 2.2]
const C0: Word = 0x000101020305080d1522375990e97962_u128.to_be_bytes();
const C1: Word = 0xdb3d18556dc22ff12011314273b528dd_u128.to_be_bytes();

const INIT_ROUNDS: usize = 10;
const FINAL_ROUNDS: usize = 7;

/// The vector operations that AEGIS-128 asks of a back end; `self` proves that the CPU has them.
pub(crate) trait Lanes: Copy {
    type Word: Copy;
    /// S0..S4.
    type State: Copy;

    fn word(self, bytes: &Word) -> Self::Word;
    fn bytes(self, word: Self::Word) -> Word;
    fn xor(self, a: Self::Word, b: Self::Word) -> Self::Word;
    fn and(self, a: Self::Word, b: Self::Word) -> Self::Word;

    fn state(self, words: [Self::Word; 5]) -> Self::State;
    /// S\[i\], where `i` is a constant after inlining.
    fn get(self, s: Self::State, i: usize) -> Self::Word;
    /// `s` with S0 replaced.
    fn with_first(self, s: Self::State, word: Self::Word) -> Self::State;
    /// Word i becomes AESRound(S\[i - 1\], KEYS\[i\]), indices modulo 5.
    fn rounds(self, s: Self::State, keys: Self::State) -> Self::State;
}

/// The cipher on one message. Inlined whole into each back end's entry point, so that no call
/// crosses from code with the instruction set to code without.
#[inline(always)]
pub(crate) fn run<L: Lanes>(
    l: L,
    key: &[u8; 16],
    nonce: &[u8; 16],
    ad: &[u8],
    buf: &mut [u8],
    direction: Direction,
) -> Word {
    let mut s = initialise(l, l.word(key), l.word(nonce));
    s = absorb(l, s, ad);
    let lengths = lengths([ad.len(), buf.len()]);
    s = match direction {
        Direction::Encrypt => encrypt(l, s, buf),
        Direction::Decrypt => decrypt(l, s, buf),
    };
    finalise(l, s, l.word(&lengths))
}

#[inline(always)]
fn initialise<L: Lanes>(l: L, k: L::Word, iv: L::Word) -> L::State {
    let (c0, c1, k_iv) = (l.word(&C0), l.word(&C1), l.xor(k, iv));
    let mut s = l.state([k_iv, c1, c0, l.xor(k, c0), l.xor(k, c1)]);
    for _ in 0..INIT_ROUNDS / 2 {
        s = update(l, s, k);
        s = update(l, s, k_iv);
    }
    s
}

#[inline(always)]
fn finalise<L: Lanes>(l: L, mut s: L::State, lengths: L::Word) -> Word {
    let t = l.xor(l.get(s, 3), lengths);
    for _ in 0..FINAL_ROUNDS {
        s = update(l, s, t);
    }
    let mut tag = l.get(s, 0);
    for i in 1..5 {
        tag = l.xor(tag, l.get(s, i));
    }
    l.bytes(tag)
}

/// StateUpdate128(S, m), with S'0 = AESRound(S4, m) ^ S0 where the paper has AESRound(S4, S0 ^ m).
/// A round key is only XORed, so both are equal; this way S0 does not wait for an AES round to get
/// into S'0. [AEGIS, section 3.3]
#[inline(always)]
fn update<L: Lanes>(l: L, s: L::State, m: L::Word) -> L::State {
    update_sum(l, m, l.get(s, 0), s)
}

/// StateUpdate128(S, a ^ b ^ S0), where `a` is there before `b`: `b` is added after the AES round.
#[inline(always)]
fn update_sum<L: Lanes>(l: L, a: L::Word, b: L::Word, s: L::State) -> L::State {
    let next = l.rounds(s, l.with_first(s, a));
    l.with_first(next, l.xor(l.get(next, 0), b))
}

#[inline(always)]
fn keystream<L: Lanes>(l: L, s: L::State) -> L::Word {
    let [s1, s2, s3, s4] = [l.get(s, 1), l.get(s, 2), l.get(s, 3), l.get(s, 4)];
    l.xor(l.xor(s1, s4), l.and(s2, s3))
}

#[inline(always)]
fn absorb<L: Lanes>(l: L, mut s: L::State, ad: &[u8]) -> L::State {
    let (blocks, rest) = ad.as_chunks::<16>();
    for block in blocks {
        s = update(l, s, l.word(block));
    }
    if !rest.is_empty() {
        s = update(l, s, l.word(&padded(rest)));
    }
    s
}

#[inline(always)]
fn encrypt<L: Lanes>(l: L, mut s: L::State, buf: &mut [u8]) -> L::State {
    let (blocks, rest) = buf.as_chunks_mut::<16>();
    for block in blocks {
        let m = l.word(block);
        *block = l.bytes(l.xor(m, keystream(l, s)));
        s = update(l, s, m);
    }
    if !rest.is_empty() {
        let m = l.word(&padded(rest));
        let c = l.bytes(l.xor(m, keystream(l, s)));
        rest.copy_from_slice(&c[..rest.len()]);
        s = update(l, s, m);
    }
    s
}

#[inline(always)]
fn decrypt<L: Lanes>(l: L, mut s: L::State, buf: &mut [u8]) -> L::State {
    let (blocks, rest) = buf.as_chunks_mut::<16>();
    for block in blocks {
        // m = c ^ keystream, and c is there first.
        let (c, keystream) = (l.word(block), keystream(l, s));
        *block = l.bytes(l.xor(c, keystream));
        s = update_sum(l, c, l.xor(l.get(s, 0), keystream), s);
    }
    if !rest.is_empty() {
        let keystream = l.bytes(keystream(l, s));
        rest.iter_mut().zip(keystream).for_each(|(c, k)| *c ^= k);
        s = update(l, s, l.word(&padded(rest)));
    }
    s
}

/// Zeros up to a whole block; lengths are bound in the finalisation.
#[inline(always)]
fn padded(rest: &[u8]) -> Word {
    let mut block = [0; 16];
    block[..rest.len()].copy_from_slice(rest);
    block
}

/// adlen || msglen: 64-bit counts of bits, little endian. [AEGIS, section 3.6]
#[inline(always)]
fn lengths(bytes: [usize; 2]) -> Word {
    let mut block = [0; 16];
    for (to, bytes) in block.chunks_exact_mut(8).zip(bytes) {
        to.copy_from_slice(&(8 * bytes as u64).to_le_bytes());
    }
    block
}
