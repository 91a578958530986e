
extern crate std;
use super::lanes::*;
use super::mode::Engine;
use crate::arch::testing;
use std::vec::Vec;
use std::vec;

const SB: [u8; 16] = [0xb, 3, 4, 1, 2, 8, 0xc, 0xf, 5, 0xd, 0xe, 0, 6, 9, 0xa, 7];

fn p_model(x: &[u8], schedule: &Schedule) -> Vec<u8> {
    // [m][r][c]
    let mut s = [[[0u8; 8]; 4]; 2];
    for m in 0..2 { for r in 0..4 { for j in 0..4 {
        let v = x[8 * r + 4 * m + j];
        s[m][r][2 * j] = v >> 4; s[m][r][2 * j + 1] = v & 15;
    }}}
    let st = |s: &mut [[[u8; 8]; 4]; 2]| {
        for m in 0..2 { for r in 0..4 { for c in 0..8 { s[m][r][c] = SB[s[m][r][c] as usize]; }}}
        let o = *s;
        for r in 0..4 { for c in 0..8 {
            s[0][r][c] = o[1][r][SHUFFLES[r ^ 2][c]];
            s[1][r][c] = o[0][r][SHUFFLES[r][c]];
        }}
    };
    for &i in schedule {
        st(&mut s);
        for r in 0..4 { for c in 0..8 { s[1][r][c] ^= s[0][r][c]; }}
        let o = s;
        for m in 0..2 { for r in 0..4 { for c in 0..8 {
            s[m][r][c] = o[m][r][c] ^ o[m][(r + 1) % 4][c] ^ o[m][(r + 3) % 4][c];
        }}}
        for r in 0..4 { for c in 0..4 { s[1][r][c] ^= c as u8 ^ r as u8 ^ i; }}
    }
    st(&mut s);
    let mut y = vec![0; 32];
    for m in 0..2 { for r in 0..4 { for j in 0..4 {
        y[8 * r + 4 * m + j] = s[m][r][2 * j] << 4 | s[m][r][2 * j + 1];
    }}}
    y
}

fn noise(seed: u64, n: usize) -> Vec<u8> {
    let mut x = seed;
    (0..n).map(|_| { x = x.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407); (x >> 56) as u8 }).collect()
}

fn check<L: Lanes>(l: L) {
    let n = L::BLOCKS;
    let mut x = noise(1, 32 * n);
    for v in &mut x[..32] { *v = 0; }
    let mut xb = l.bytes(); xb.as_mut().copy_from_slice(&x);
    let mut s = l.load(xb.as_ref());
    let mut yb = l.bytes();
    l.store(&s, yb.as_mut());
    assert_eq!(x, yb.as_ref());
    l.permute(&mut s, &FORWARD);
    l.store(&s, yb.as_mut());
    for j in 0..n { assert_eq!(p_model(&x[32 * j..32 * j + 32], &FORWARD), yb.as_ref()[32 * j..32 * j + 32], "{j}"); }
    l.permute(&mut s, &BACKWARD);
    l.store(&s, yb.as_mut());
    assert_eq!(x, yb.as_ref());
    let window = noise(2, 300);
    let tweak = |k: usize| {
        let w = &window[32 + k..];
        let mut t = w[..32].to_vec();
        t[29] ^= w[0]; t[30] ^= w[1] ^ w[0]; t[31] ^= w[2] ^ w[1];
        t
    };
    let t = l.every(&window);
    let mut s = l.zero();
    l.mask(&mut s, &t);
    l.store(&s, yb.as_mut());
    for j in 0..n { assert_eq!(tweak(j), yb.as_ref()[32 * j..32 * j + 32], "every {j}"); }
    for (i, t) in l.pairs(&window).iter().enumerate() {
        let mut s = l.zero();
        l.mask(&mut s, t);
        l.store(&s, yb.as_mut());
        for j in 0..n { assert_eq!(tweak(2 * j + i), yb.as_ref()[32 * j..32 * j + 32], "pairs {i} {j}"); }
    }
}

#[test]
fn fact() {
    let y = p_model(&[0; 32], &FORWARD);
    assert_eq!(y[..4], [0x1a, 0xf0, 0x6c, 0x27]);
    assert_eq!(p_model(&y, &BACKWARD), [0; 32]);
    check(testing::Wide512(testing::Avx512::detect().unwrap()));
    check(testing::Portable.wide());
    check(testing::Portable.narrow());
    check(testing::Wide256(testing::Avx2::detect().unwrap()));
    check(testing::Narrow(testing::Avx512::detect().unwrap()));
    check(testing::Narrow(testing::Avx2::detect().unwrap()));
}

