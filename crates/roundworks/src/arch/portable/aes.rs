//! Words of AES lanes as bytes; for the rounds, bit planes of eight lanes at a time: bit j of
//! every byte stands in plane j, so one pass of the S-box circuit serves 128 bytes.
#![forbid(unsafe_code)]

use core::array::from_fn;

use super::Portable;
use super::sbox::{Bits, sub_bytes};
use crate::aes::{AesLanes, Lane};

/// Lanes in one pass.
const WIDTH: usize = 8;

/// One bit of every byte of eight lanes, 16 bits each. Bit 4 * column + row of a lane belongs to
/// that byte of the AES state. [FIPS197, section 3.4]
#[derive(Clone, Copy)]
struct Plane([u16; WIDTH]);

impl Bits for Plane {
    #[inline(always)]
    fn xor(self, b: Self) -> Self {
        Self(from_fn(|i| self.0[i] ^ b.0[i]))
    }

    #[inline(always)]
    fn and(self, b: Self) -> Self {
        Self(from_fn(|i| self.0[i] & b.0[i]))
    }

    #[inline(always)]
    fn not(self) -> Self {
        Self(self.0.map(|x| !x))
    }
}

impl<const D: usize> AesLanes<D> for Portable {
    /// The eight planes of each lane.
    type Word = [[u16; 8]; D];
    const AT_ONCE: usize = WIDTH;

    #[inline(always)]
    fn load(self, lanes: &[Lane; D]) -> Self::Word {
        lanes.map(|lane| slice(&lane))
    }

    #[inline(always)]
    fn store(self, word: Self::Word, lanes: &mut [Lane; D]) {
        *lanes = word.map(unslice);
    }

    #[inline(always)]
    fn xor(self, a: Self::Word, b: Self::Word) -> Self::Word {
        from_fn(|i| from_fn(|j| a[i][j] ^ b[i][j]))
    }

    #[inline(always)]
    fn and(self, a: Self::Word, b: Self::Word) -> Self::Word {
        from_fn(|i| from_fn(|j| a[i][j] & b[i][j]))
    }

    #[inline(always)]
    fn rounds<const N: usize>(self, x: [Self::Word; N], keys: [Self::Word; N]) -> [Self::Word; N] {
        let mut next = keys;
        let lanes = x.as_flattened().chunks(WIDTH);
        for (lanes, next) in lanes.zip(next.as_flattened_mut().chunks_mut(WIDTH)) {
            let mut eight = [[0; 8]; WIDTH];
            eight[..lanes.len()].copy_from_slice(lanes);
            for (next, lane) in next.iter_mut().zip(aes_rounds(&eight)) {
                *next = from_fn(|j| next[j] ^ lane[j]);
            }
        }
        next
    }
}

/// One AES round without key on eight lanes. A function of its own: inlined everywhere it is
/// hardly faster, and the ciphers several times as long.
#[inline(never)]
fn aes_rounds(lanes: &[[u16; 8]; WIDTH]) -> [[u16; 8]; WIDTH] {
    let planes: [Plane; 8] = from_fn(|j| Plane(from_fn(|i| lanes[i][j])));
    let planes = mix_columns(sub_bytes(planes).map(shift_rows));
    from_fn(|i| from_fn(|j| planes[j].0[i]))
}

/// Row r rotates by r columns, that is by 4 * r bits: rows 2 and 3 by 8, then rows 1 and 3 by 4.
#[inline(always)]
fn shift_rows(p: Plane) -> Plane {
    Plane(p.0.map(|x| {
        let two = x & 0x3333 | x.rotate_right(8) & 0xcccc;
        two & 0x5555 | two.rotate_right(4) & 0xaaaa
    }))
}

/// b_r = 2 (a_r + a_{r+1}) + a_{r+1} + a_{r+2} + a_{r+3}, rows modulo 4. [FIPS197, section 5.1.3]
#[inline(always)]
fn mix_columns(a: [Plane; 8]) -> [Plane; 8] {
    let a1 = a.map(|p| Plane(p.0.map(|x| (x >> 1) & 0x7777 | (x << 3) & 0x8888)));
    let t: [Plane; 8] = from_fn(|j| a[j].xor(a1[j]));
    let t2 = t.map(|p| Plane(p.0.map(|x| (x >> 2) & 0x3333 | (x << 2) & 0xcccc)));
    let rest: [Plane; 8] = from_fn(|j| a1[j].xor(t2[j]));
    // 2 t: bit j moves to j + 1, and bit 7 returns as x^8 = x^4 + x^3 + x + 1.
    from_fn(|j| match j {
        0 => rest[0].xor(t[7]),
        1 | 3 | 4 => rest[j].xor(t[j - 1]).xor(t[7]),
        _ => rest[j].xor(t[j - 1]),
    })
}

/// Bytes to planes.
#[inline(always)]
fn slice(lane: &Lane) -> [u16; 8] {
    let (halves, _) = lane.as_chunks::<8>();
    let [low, high] = [halves[0], halves[1]].map(|h| transpose(u64::from_le_bytes(h)));
    from_fn(|j| u16::from_le_bytes([low.to_le_bytes()[j], high.to_le_bytes()[j]]))
}

/// Planes to bytes.
#[inline(always)]
fn unslice(planes: [u16; 8]) -> Lane {
    let half = |k: usize| transpose(u64::from_le_bytes(planes.map(|p| p.to_le_bytes()[k])));
    (u128::from(half(1)) << 64 | u128::from(half(0))).to_le_bytes()
}

/// Transposes 8 x 8 bits: bit j of byte i becomes bit i of byte j.
#[inline(always)]
fn transpose(x: u64) -> u64 {
    let exchange = |x: u64, mask: u64, shift: u32| {
        let t = (x ^ (x >> shift)) & mask;
        x ^ t ^ (t << shift)
    };
    let x = exchange(x, 0x00aa_00aa_00aa_00aa, 7);
    let x = exchange(x, 0x0000_cccc_0000_cccc, 14);
    exchange(x, 0x0000_0000_f0f0_f0f0, 28)
}
