//! AEGIS-128 as a reader would check it: AES on bytes with a table, compared with the portable
//! back end. The public surface is tested in `tests/`.

extern crate std;

use std::vec::Vec;

use roundworks_vectors::cipher;

use super::{Aegis128, C0, C1, aegis128, aegis128l, aegis256};
use crate::Backend;
use crate::aes::Lane as Word;
use crate::keyed::Streaming;

fn double(x: u8) -> u8 {
    x << 1 ^ if x >> 7 == 1 { 0x1b } else { 0 }
}

/// The S-box by walking the powers of 3 and of its inverse. [FIPS197, section 5.1.1]
fn sbox() -> [u8; 256] {
    let mut table = [0x63; 256];
    let (mut p, mut q) = (1u8, 1u8);
    loop {
        p ^= double(p);
        q ^= q << 1;
        q ^= q << 2;
        q ^= q << 4;
        q ^= if q >> 7 == 1 { 0x09 } else { 0 };
        table[usize::from(p)] =
            q ^ q.rotate_left(1) ^ q.rotate_left(2) ^ q.rotate_left(3) ^ q.rotate_left(4) ^ 0x63;
        if p == 1 {
            return table;
        }
    }
}

fn xor(a: Word, b: Word) -> Word {
    core::array::from_fn(|i| a[i] ^ b[i])
}

/// AESRound(A, B): SubBytes, ShiftRows, MixColumns, XOR. Byte 4 * column + row. [FIPS197, section 5]
fn aes_round(table: &[u8; 256], a: Word, b: Word) -> Word {
    let shifted: Word = core::array::from_fn(|i| table[usize::from(a[(i + 4 * (i % 4)) % 16])]);
    let mixed = core::array::from_fn(|i| {
        let at = |k: usize| shifted[i / 4 * 4 + (i + k) % 4];
        double(at(0)) ^ double(at(1)) ^ at(1) ^ at(2) ^ at(3)
    });
    xor(mixed, b)
}

/// StateUpdate128(S, m), as printed.
fn update(table: &[u8; 256], s: [Word; 5], m: Word) -> [Word; 5] {
    let keys = [xor(s[0], m), s[1], s[2], s[3], s[4]];
    core::array::from_fn(|i| aes_round(table, s[(i + 4) % 5], keys[i]))
}

fn blocks(data: &[u8]) -> impl Iterator<Item = Word> {
    data.chunks(16).map(|b| {
        let mut block = [0; 16];
        block[..b.len()].copy_from_slice(b);
        block
    })
}

fn encrypt(key: Word, nonce: Word, ad: &[u8], pt: &[u8]) -> (Vec<u8>, Word) {
    let table = sbox();
    let mut s = [xor(key, nonce), C1, C0, xor(key, C0), xor(key, C1)];
    for _ in 0..5 {
        s = update(&table, s, key);
        s = update(&table, s, xor(key, nonce));
    }
    for a in blocks(ad) {
        s = update(&table, s, a);
    }
    let mut ct = Vec::new();
    for p in blocks(pt) {
        let s2_and_s3: Word = core::array::from_fn(|i| s[2][i] & s[3][i]);
        ct.extend(xor(xor(p, s[1]), xor(s[4], s2_and_s3)));
        s = update(&table, s, p);
    }
    ct.truncate(pt.len());
    let bits = [ad.len(), pt.len()]
        .map(|n| (8 * n as u64).to_le_bytes())
        .concat();
    let t = xor(s[3], bits.try_into().unwrap());
    for _ in 0..7 {
        s = update(&table, s, t);
    }
    (ct, s.into_iter().fold([0; 16], xor))
}

#[test]
fn portable_is_the_model() {
    let noise: Vec<u8> = (0..240u64)
        .map(|i| (i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56) as u8)
        .collect();
    let key: Word = noise[200..216].try_into().unwrap();
    let nonce: Word = noise[216..232].try_into().unwrap();
    let cipher = Aegis128::with_backend(&key, Backend::Portable).unwrap();
    // Both sides of every block boundary, and more.
    for ad_len in [0, 1, 7, 15, 16, 17, 31, 32, 33, 48, 79, 80, 81, 200] {
        for len in [0, 1, 8, 15, 16, 17, 31, 32, 33, 47, 48, 79, 80, 81, 199] {
            let (ad, pt) = (&noise[..ad_len], &noise[1..=len]);
            let mut buf = pt.to_vec();
            let tag = *cipher.encrypt_in_place(&nonce, ad, &mut buf).as_bytes();
            assert_eq!((buf, tag), encrypt(key, nonce, ad, pt), "{ad_len}, {len}");
        }
    }
}

#[test]
fn constants_are_those_of_spec() {
    let spec = cipher("aegis");
    assert_eq!(
        (&spec.constants["C0"].0[..], &spec.constants["C1"].0[..]),
        (&C0[..], &C1[..])
    );
    let of_128 = [aegis128::INIT_ROUNDS, aegis128::FINAL_ROUNDS];
    let of_128l = [aegis128l::INIT_ROUNDS, aegis128l::FINAL_ROUNDS];
    let of_256 = [aegis256::INIT_ROUNDS, aegis256::FINAL_ROUNDS];
    member::<crate::Aegis128, crate::Aegis128>(16, 5, of_128);
    member::<crate::Aegis128L, crate::Aegis128LTag32>(32, 8, of_128l);
    member::<crate::Aegis128X2, crate::Aegis128X2Tag32>(64, 16, of_128l);
    member::<crate::Aegis128X4, crate::Aegis128X4Tag32>(128, 32, of_128l);
    member::<crate::Aegis256, crate::Aegis256Tag32>(16, 6, of_256);
    member::<crate::Aegis256X2, crate::Aegis256X2Tag32>(32, 12, of_256);
    member::<crate::Aegis256X4, crate::Aegis256X4Tag32>(64, 24, of_256);
}

fn member<C: Streaming, Tag32: Streaming>(rate: usize, words: usize, rounds: [usize; 2]) {
    let (spec, facts) = (cipher("aegis"), C::FACTS);
    let member = spec.member(facts.name);
    assert_eq!(
        [member.key_bytes, member.nonce_bytes, member.tag_bytes],
        [facts.key_bytes, facts.nonce_bytes, facts.tag_bytes]
    );
    assert_eq!(Tag32::FACTS.name, facts.name);
    assert!(facts.tag_bytes == Tag32::FACTS.tag_bytes || member.other_tag_bytes == [32]);
    assert_eq!([member.rate_bytes, member.words], [rate, words]);
    assert_eq!([member.init_rounds, member.final_rounds], rounds);
    let backends: Vec<_> = facts.backends.iter().map(|b| b.name()).collect();
    assert_eq!(member.backends, backends, "{}", facts.name);
}
