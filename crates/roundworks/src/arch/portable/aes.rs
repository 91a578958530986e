//! Words of AES lanes as bytes; for the rounds, bit planes of eight lanes at a time: bit j of
//! every byte stands in plane j, so one pass of the S-box circuit serves 128 bytes.
#![forbid(unsafe_code)]

use core::array::from_fn;

use super::Portable;
use super::sbox::{Bits, inv_sub_bytes, sub_bytes};
use crate::aes::{AesLanes, Lane};
use crate::aes_layers::AesLayers;

/// Lanes in one pass.
const WIDTH: usize = 8;

/// One bit of every byte of eight lanes, 16 bits each, four to an integer. Bit 4 * column + row of
/// a lane belongs to that byte of the AES state. [FIPS197, section 3.4]
///
/// Integers and not arrays of `u16`: those the compiler takes apart again.
#[derive(Clone, Copy)]
struct Plane([u64; 2]);

impl Bits for Plane {
    #[inline(always)]
    fn xor(self, b: Self) -> Self {
        Self([self.0[0] ^ b.0[0], self.0[1] ^ b.0[1]])
    }

    #[inline(always)]
    fn and(self, b: Self) -> Self {
        Self([self.0[0] & b.0[0], self.0[1] & b.0[1]])
    }

    #[inline(always)]
    fn not(self) -> Self {
        Self(self.0.map(|x| !x))
    }
}

impl<const D: usize> AesLanes<D> for Portable {
    /// Of each lane planes 0 to 3 in one integer, 4 to 7 in the other, 16 bits each.
    type Word = [[u64; 2]; D];
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
        from_fn(|i| [a[i][0] ^ b[i][0], a[i][1] ^ b[i][1]])
    }

    #[inline(always)]
    fn and(self, a: Self::Word, b: Self::Word) -> Self::Word {
        from_fn(|i| [a[i][0] & b[i][0], a[i][1] & b[i][1]])
    }

    #[inline(always)]
    fn rounds<const N: usize>(self, x: [Self::Word; N], keys: [Self::Word; N]) -> [Self::Word; N] {
        let mut next = keys;
        in_eights(x.as_flattened(), next.as_flattened_mut(), aes_rounds);
        next
    }
}

/// Columns 0 and 2 of a word, and its columns 0 and 1: bits 4 * column and on of each plane.
const EVEN: u64 = four(0x0f0f);
const LOW: u64 = four(0x00ff);

impl<const D: usize> AesLayers<D> for Portable {
    #[inline(always)]
    fn enc<const N: usize, const M: usize>(
        self,
        x: [[Self::Word; N]; M],
        keys: [[Self::Word; N]; M],
    ) -> [[Self::Word; N]; M] {
        layer(x, keys, aes_rounds)
    }

    #[inline(always)]
    fn enc_last<const N: usize, const M: usize>(
        self,
        x: [[Self::Word; N]; M],
        keys: [[Self::Word; N]; M],
    ) -> [[Self::Word; N]; M] {
        layer(x, keys, aes_last_rounds)
    }

    #[inline(always)]
    fn dec<const N: usize, const M: usize>(
        self,
        x: [[Self::Word; N]; M],
        keys: [[Self::Word; N]; M],
    ) -> [[Self::Word; N]; M] {
        layer(x, keys, inv_rounds)
    }

    #[inline(always)]
    fn dec_last<const N: usize, const M: usize>(
        self,
        x: [[Self::Word; N]; M],
        keys: [[Self::Word; N]; M],
    ) -> [[Self::Word; N]; M] {
        layer(x, keys, inv_last_rounds)
    }

    /// One pass of one function or the other, not a copy of all around it for each.
    #[inline(always)]
    fn enc_either<const N: usize, const M: usize>(
        self,
        last: bool,
        x: [[Self::Word; N]; M],
        keys: [[Self::Word; N]; M],
    ) -> [[Self::Word; N]; M] {
        layer(x, keys, if last { aes_last_rounds } else { aes_rounds })
    }

    #[inline(always)]
    fn dec_either<const N: usize, const M: usize>(
        self,
        last: bool,
        x: [[Self::Word; N]; M],
        keys: [[Self::Word; N]; M],
    ) -> [[Self::Word; N]; M] {
        layer(x, keys, if last { inv_last_rounds } else { inv_rounds })
    }

    #[inline(always)]
    fn unmix<const N: usize, const M: usize>(
        self,
        x: [[Self::Word; N]; M],
    ) -> [[Self::Word; N]; M] {
        layer(x, [[[[0; 2]; D]; N]; M], inv_mix_columns_alone)
    }

    #[inline(always)]
    fn low(self, a: Self::Word, b: Self::Word) -> Self::Word {
        columns(a, b, |a, b| spread_columns(a) | spread_columns(b) << 4)
    }

    #[inline(always)]
    fn high(self, a: Self::Word, b: Self::Word) -> Self::Word {
        columns(a, b, |a, b| {
            spread_columns(a >> 8) | spread_columns(b >> 8) << 4
        })
    }

    #[inline(always)]
    fn even(self, a: Self::Word, b: Self::Word) -> Self::Word {
        columns(a, b, |a, b| gather_columns(a) | gather_columns(b) << 8)
    }

    #[inline(always)]
    fn odd(self, a: Self::Word, b: Self::Word) -> Self::Word {
        columns(a, b, |a, b| {
            gather_columns(a >> 4) | gather_columns(b >> 4) << 8
        })
    }

    #[inline(always)]
    fn alternate(self, a: Self::Word, b: Self::Word) -> Self::Word {
        columns(a, b, |a, b| a & EVEN | b & !EVEN)
    }

    #[inline(always)]
    fn halves(self, a: Self::Word, b: Self::Word) -> Self::Word {
        columns(a, b, |a, b| a & LOW | b & !LOW)
    }
}

#[inline(always)]
fn columns<const D: usize>(
    a: [[u64; 2]; D],
    b: [[u64; 2]; D],
    f: impl Fn(u64, u64) -> u64,
) -> [[u64; 2]; D] {
    from_fn(|i| [f(a[i][0], b[i][0]), f(a[i][1], b[i][1])])
}

/// Columns 0 and 1 to 0 and 2; the others are zero.
#[inline(always)]
fn spread_columns(x: u64) -> u64 {
    let x = x & LOW;
    (x | x << 4) & EVEN
}

/// The other way.
#[inline(always)]
fn gather_columns(x: u64) -> u64 {
    let x = x & EVEN;
    (x | x >> 4) & LOW
}

type Eight = [[u64; 2]; WIDTH];

#[inline(always)]
fn layer<const D: usize, const N: usize, const M: usize>(
    x: [[[[u64; 2]; D]; N]; M],
    mut keys: [[[[u64; 2]; D]; N]; M],
    rounds: fn(&Eight) -> Eight,
) -> [[[[u64; 2]; D]; N]; M] {
    in_eights(
        x.as_flattened().as_flattened(),
        keys.as_flattened_mut().as_flattened_mut(),
        rounds,
    );
    keys
}

/// Adds the rounds of `x` to `next`, eight lanes in a pass.
#[inline(always)]
fn in_eights(x: &[[u64; 2]], next: &mut [[u64; 2]], rounds: fn(&Eight) -> Eight) {
    for (lanes, next) in x.chunks(WIDTH).zip(next.chunks_mut(WIDTH)) {
        let mut eight = [[0; 2]; WIDTH];
        eight[..lanes.len()].copy_from_slice(lanes);
        for (next, lane) in next.iter_mut().zip(rounds(&eight)) {
            *next = [next[0] ^ lane[0], next[1] ^ lane[1]];
        }
    }
}

/// One AES round without key on eight lanes. A function of its own: inlined everywhere it is
/// hardly faster, and the ciphers several times as long.
#[inline(never)]
fn aes_rounds(lanes: &Eight) -> Eight {
    on_planes(lanes, |x| mix_columns(sub_bytes(x).map(shift_rows)))
}

#[inline(never)]
fn aes_last_rounds(lanes: &Eight) -> Eight {
    on_planes(lanes, |x| sub_bytes(x).map(shift_rows))
}

#[inline(never)]
fn inv_rounds(lanes: &Eight) -> Eight {
    on_planes(lanes, |x| {
        inv_mix_columns(inv_sub_bytes(x.map(inv_shift_rows)))
    })
}

#[inline(never)]
fn inv_last_rounds(lanes: &Eight) -> Eight {
    on_planes(lanes, |x| inv_sub_bytes(x.map(inv_shift_rows)))
}

#[inline(never)]
fn inv_mix_columns_alone(lanes: &Eight) -> Eight {
    on_planes(lanes, inv_mix_columns)
}

#[inline(always)]
fn on_planes(lanes: &Eight, f: impl Fn([Plane; 8]) -> [Plane; 8]) -> Eight {
    let planes = f(exchange(*lanes).map(Plane));
    exchange(planes.map(|plane| plane.0))
}

/// Plane j of lane i to lane i of plane j, and back: a matrix of 8 x 8 parts of 16 bits.
#[inline(always)]
fn exchange(x: [[u64; 2]; WIDTH]) -> [[u64; 2]; WIDTH] {
    let mut y = [[0; 2]; WIDTH];
    for row in 0..2 {
        for column in 0..2 {
            let quarter = transpose4(from_fn(|i| x[4 * row + i][column]));
            for (i, from) in quarter.into_iter().enumerate() {
                y[4 * column + i][row] = from;
            }
        }
    }
    y
}

/// 4 x 4 parts of 16 bits.
#[inline(always)]
fn transpose4([a, b, c, d]: [u64; 4]) -> [u64; 4] {
    let swap = |x: u64, y: u64, mask: u64, shift: u32| {
        let t = ((x >> shift) ^ y) & mask;
        (x ^ (t << shift), y ^ t)
    };
    let (a, c) = swap(a, c, 0x0000_0000_ffff_ffff, 32);
    let (b, d) = swap(b, d, 0x0000_0000_ffff_ffff, 32);
    let (a, b) = swap(a, b, 0x0000_ffff_0000_ffff, 16);
    let (c, d) = swap(c, d, 0x0000_ffff_0000_ffff, 16);
    [a, b, c, d]
}

/// Row r rotates by r columns, that is by 4 * r bits: rows 2 and 3 by 8, then rows 1 and 3 by 4.
#[inline(always)]
fn shift_rows(p: Plane) -> Plane {
    Plane(p.0.map(|x| {
        let two = x & four(0x3333) | (x >> 8) & four(0x00cc) | (x << 8) & four(0xcc00);
        two & four(0x5555) | (two >> 4) & four(0x0aaa) | (two << 12) & four(0xa000)
    }))
}

/// The other way: rows 2 and 3 by 8, then rows 1 and 3 by 12, as one direction is the other three
/// times.
#[inline(always)]
fn inv_shift_rows(p: Plane) -> Plane {
    Plane(p.0.map(|x| {
        let two = x & four(0x3333) | (x >> 8) & four(0x00cc) | (x << 8) & four(0xcc00);
        two & four(0x5555) | (two >> 12) & four(0x000a) | (two << 4) & four(0xaaa0)
    }))
}

/// b_r = 2 (a_r + a_{r+1}) + a_{r+1} + a_{r+2} + a_{r+3}, rows modulo 4. [FIPS197, section 5.1.3]
#[inline(always)]
fn mix_columns(a: [Plane; 8]) -> [Plane; 8] {
    let a1 = a.map(|p| Plane(p.0.map(|x| (x >> 1) & four(0x7777) | (x << 3) & four(0x8888))));
    let t: [Plane; 8] = from_fn(|j| a[j].xor(a1[j]));
    let t2 = t.map(|p| Plane(p.0.map(|x| (x >> 2) & four(0x3333) | (x << 2) & four(0xcccc))));
    let rest: [Plane; 8] = from_fn(|j| a1[j].xor(t2[j]));
    let double = times_x(t);
    from_fn(|j| rest[j].xor(double[j]))
}

/// The matrix of InvMixColumns is that of MixColumns times 5, 0, 4, 0 in a circle.
/// [FIPS197, section 5.3.3]
#[inline(always)]
fn inv_mix_columns(a: [Plane; 8]) -> [Plane; 8] {
    let a2 = a.map(|p| Plane(p.0.map(|x| (x >> 2) & four(0x3333) | (x << 2) & four(0xcccc))));
    let t = times_x(times_x(from_fn(|j| a[j].xor(a2[j]))));
    mix_columns(from_fn(|j| a[j].xor(t[j])))
}

/// Bit j moves to j + 1, and bit 7 returns as x^8 = x^4 + x^3 + x + 1.
#[inline(always)]
fn times_x(a: [Plane; 8]) -> [Plane; 8] {
    from_fn(|j| match j {
        0 => a[7],
        1 | 3 | 4 => a[j - 1].xor(a[7]),
        _ => a[j - 1],
    })
}

/// The same 16 bits four times.
const fn four(mask: u16) -> u64 {
    mask as u64 * 0x0001_0001_0001_0001
}

/// Bytes to planes: bit j of byte i is bit i of plane j.
#[inline(always)]
fn slice(lane: &Lane) -> [u64; 2] {
    let (halves, _) = lane.as_chunks::<8>();
    let [low, high] = [halves[0], halves[1]].map(|h| transpose(u64::from_le_bytes(h)));
    [0, 32].map(|at| spread(low >> at) | spread(high >> at) << 8)
}

/// Planes to bytes.
#[inline(always)]
fn unslice(planes: [u64; 2]) -> Lane {
    let half = |at: u32| gather(planes[0] >> at) | gather(planes[1] >> at) << 32;
    let [low, high] = [0, 8].map(|at| u128::from(transpose(half(at))));
    (high << 64 | low).to_le_bytes()
}

/// The lower four bytes, each with a zero byte above.
#[inline(always)]
fn spread(x: u64) -> u64 {
    let x = x & 0xffff_ffff;
    let x = (x | x << 16) & 0x0000_ffff_0000_ffff;
    (x | x << 8) & 0x00ff_00ff_00ff_00ff
}

/// The other way.
#[inline(always)]
fn gather(x: u64) -> u64 {
    let x = x & 0x00ff_00ff_00ff_00ff;
    let x = (x | x >> 8) & 0x0000_ffff_0000_ffff;
    (x | x >> 16) & 0x0000_0000_ffff_ffff
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
