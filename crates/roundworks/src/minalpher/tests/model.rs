//! Minalpher as a reader would check it: nibbles, tables and tweaks one by one.

use super::std::vec;
use super::std::vec::Vec;

use crate::minalpher::lanes::{SBOX, SHUFFLES};

/// A\[r\]\[c\] and B\[r\]\[c\].
pub(super) type Matrices = [[[u8; 8]; 4]; 2];

pub(super) fn nibbles(x: &[u8]) -> Matrices {
    let mut s = [[[0; 8]; 4]; 2];
    for (i, byte) in x.iter().enumerate() {
        let (r, m, j) = (i / 8, i / 4 % 2, i % 4);
        (s[m][r][2 * j], s[m][r][2 * j + 1]) = (byte >> 4, byte & 15);
    }
    s
}

pub(super) fn bytes(s: &Matrices) -> Vec<u8> {
    let byte = |i: usize| {
        let (r, m, j) = (i / 8, i / 4 % 2, i % 4);
        s[m][r][2 * j] << 4 | s[m][r][2 * j + 1]
    };
    (0..32).map(byte).collect()
}

pub(super) fn substitute(s: &Matrices) -> Matrices {
    s.map(|m| m.map(|row| row.map(|v| SBOX[usize::from(v)])))
}

/// T: ShuffleRows, then A and B change places.
pub(super) fn shuffle(s: &Matrices) -> Matrices {
    let row = |m: usize, r: usize, by: usize| SHUFFLES[by].map(|c| s[m][r][c]);
    [
        [0, 1, 2, 3].map(|r| row(1, r, r ^ 2)),
        [0, 1, 2, 3].map(|r| row(0, r, r)),
    ]
}

/// M: B ^= A, then MixColumns.
pub(super) fn mix(s: &Matrices) -> Matrices {
    let [a, b] = *s;
    let sum = |r: usize| core::array::from_fn(|c| a[r][c] ^ b[r][c]);
    [a, [0, 1, 2, 3].map(sum)].map(|m| {
        [0, 1, 2, 3].map(|r: usize| {
            core::array::from_fn(|c| m[r][c] ^ m[(r + 1) % 4][c] ^ m[(r + 3) % 4][c])
        })
    })
}

pub(super) fn add_constant(s: &mut Matrices, i: u8) {
    for (r, row) in s[1].iter_mut().enumerate() {
        for (c, v) in row[..4].iter_mut().enumerate() {
            *v ^= c as u8 ^ r as u8 ^ (i % 16);
        }
    }
}

/// P round by round.
pub(super) fn p(x: &[u8]) -> Vec<u8> {
    let mut s = nibbles(x);
    for i in 0..17 {
        s = mix(&shuffle(&substitute(&s)));
        add_constant(&mut s, i);
    }
    bytes(&shuffle(&substitute(&s)))
}

/// Its inverse, as the rounds are undone.
pub(super) fn p_inverse(x: &[u8]) -> Vec<u8> {
    let mut s = substitute(&shuffle(&nibbles(x)));
    for i in (0..17).rev() {
        add_constant(&mut s, i);
        s = substitute(&shuffle(&mix(&s)));
    }
    bytes(&s)
}

/// y v, byte by byte.
pub(super) fn times_y(v: &[u8]) -> Vec<u8> {
    let top = v[0];
    let mut w = v[1..].to_vec();
    w.push(top << 1 ^ if top >= 0x80 { 0xa3 } else { 0 });
    w[28] ^= top;
    w[29] ^= top;
    w
}

pub(super) fn power(v: &[u8], k: usize) -> Vec<u8> {
    (0..k).fold(v.to_vec(), |v, _| times_y(&v))
}

pub(super) fn add(a: &[u8], b: &[u8]) -> Vec<u8> {
    a.iter().zip(b).map(|(a, b)| a ^ b).collect()
}

pub(super) fn tem(t: &[u8], m: &[u8]) -> Vec<u8> {
    add(t, &p(&add(t, m)))
}

pub(super) fn mask(key: &[u8], flag: u8, nonce: &[u8]) -> Vec<u8> {
    let seed = [key, &[flag, 0, 0], nonce].concat();
    add(&seed, &p(&seed))
}

pub(super) fn padded(data: &[u8]) -> Vec<u8> {
    let mut data = data.to_vec();
    data.push(0x80);
    data.resize(data.len().next_multiple_of(32), 0);
    data
}

/// The hash of associated data and MAC, tweak by tweak.
pub(super) fn hash(l: &[u8], data: &[u8]) -> Vec<u8> {
    let whole = !data.is_empty() && data.len().is_multiple_of(32);
    let data = if whole { data.to_vec() } else { padded(data) };
    let (mut tweak, mut sum) = (l.to_vec(), vec![0; 32]);
    let blocks: Vec<&[u8]> = data.chunks(32).collect();
    let (last, head) = blocks.split_last().unwrap();
    for block in head {
        tweak = times_y(&tweak);
        sum = add(&sum, &tem(&tweak, block));
    }
    tweak = add(&times_y(&tweak), &tweak);
    if !whole {
        tweak = add(&times_y(&tweak), &tweak);
    }
    tem(&tweak, &add(&sum, last))
}

pub(super) fn encrypt(key: &[u8], nonce: &[u8], ad: &[u8], message: &[u8]) -> (Vec<u8>, Vec<u8>) {
    let mut tweak = mask(key, 0x40, nonce);
    let mut sum = match ad {
        [] => vec![0; 32],
        _ => hash(&mask(key, 0, &[0; 13]), ad),
    };
    let padded = padded(message);
    let m = padded.len() / 32;
    let (mut ciphertext, mut tag) = (vec![], vec![]);
    for (j, block) in padded.chunks(32).enumerate() {
        tweak = times_y(&tweak);
        let c = tem(&tweak, block);
        let next = times_y(&tweak);
        if j + 1 < m {
            sum = add(&sum, &tem(&next, &c));
        } else {
            tag = tem(&add(&next, &tweak), &add(&sum, &c))[..16].to_vec();
        }
        tweak = next;
        ciphertext.extend(c);
    }
    (ciphertext, tag)
}
