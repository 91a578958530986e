//! Words of AES lanes as bytes, row by row; for the rounds, bit planes of eight lanes at a time: bit j
//! of byte b of lane i is bit i of byte b of plane j, so one pass of the S-box circuit serves 128 bytes.
#![forbid(unsafe_code)]

use core::array::from_fn;

use super::Portable;
use super::sbox::{Bits, inv_sub_bytes, sub_bytes};
use super::vector::{Units, Vector};
use super::wired;
use crate::aes::{AesLanes, Lane, Wired};
use crate::aes_layers::AesLayers;

/// Lanes in one pass.
const WIDTH: usize = 8;

impl<const D: usize> AesLanes<D> for Portable {
    /// Byte 4 * row + column is that of the AES state. [FIPS197, section 3.4]
    type Word = [Vector; D];
    type One = Vector;
    const AT_ONCE: usize = WIDTH;
    const MESSAGES: usize = 4;

    #[inline(always)]
    fn load(self, lanes: &[Lane; D]) -> Self::Word {
        lanes.each_ref().map(Vector::from_bytes)
    }

    #[inline(always)]
    fn store(self, word: Self::Word, lanes: &mut [Lane; D]) {
        *lanes = word.map(Vector::to_bytes);
    }

    #[inline(always)]
    fn one(self, lane: &Lane) -> Vector {
        Vector::from_bytes(lane)
    }

    #[inline(always)]
    fn put(self, one: Vector, lane: &mut Lane) {
        *lane = one.to_bytes();
    }

    #[inline(always)]
    fn join(self, ones: [Vector; D]) -> Self::Word {
        ones
    }

    #[inline(always)]
    fn split(self, word: Self::Word) -> [Vector; D] {
        word
    }

    #[inline(always)]
    fn xor(self, a: Self::Word, b: Self::Word) -> Self::Word {
        from_fn(|i| a[i].xor(b[i]))
    }

    #[inline(always)]
    fn and(self, a: Self::Word, b: Self::Word) -> Self::Word {
        from_fn(|i| a[i].and(b[i]))
    }

    #[inline(always)]
    fn rounds<const N: usize>(self, x: [Self::Word; N], keys: [Self::Word; N]) -> [Self::Word; N] {
        let mut next = keys;
        in_eights(x.as_flattened(), next.as_flattened_mut(), aes_rounds);
        next
    }

    #[inline(always)]
    fn wired<A: Wired, const R: usize, const K: usize>(
        self,
        s: &mut [Self::Word],
        blocks: &[[Self::Word; R]; K],
        context: Option<Self::Word>,
        times: usize,
    ) {
        wired::wired::<A, D, R, K>(s, blocks, context, times);
    }
}

/// Columns 0 and 2 of a word, and its columns 0 and 1: that byte of every row.
const EVEN: u32 = 0x00ff_00ff;
const LOW: u32 = 0x0000_ffff;

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
        layer(x, [[[Vector::units(0); D]; N]; M], inv_mix_columns_alone)
    }

    #[inline(always)]
    fn low(self, a: Self::Word, b: Self::Word) -> Self::Word {
        columns(a, b, |a, b| {
            spread_columns(a).or(spread_columns(b).shl::<8>())
        })
    }

    #[inline(always)]
    fn high(self, a: Self::Word, b: Self::Word) -> Self::Word {
        columns(a, b, |a, b| {
            let high = spread_columns(b.shr::<16>());
            spread_columns(a.shr::<16>()).or(high.shl::<8>())
        })
    }

    #[inline(always)]
    fn even(self, a: Self::Word, b: Self::Word) -> Self::Word {
        columns(a, b, |a, b| {
            gather_columns(a).or(gather_columns(b).shl::<16>())
        })
    }

    #[inline(always)]
    fn odd(self, a: Self::Word, b: Self::Word) -> Self::Word {
        columns(a, b, |a, b| {
            let high = gather_columns(b.shr::<8>());
            gather_columns(a.shr::<8>()).or(high.shl::<16>())
        })
    }

    #[inline(always)]
    fn alternate(self, a: Self::Word, b: Self::Word) -> Self::Word {
        columns(a, b, |a, b| b.blend(a, Vector::units(EVEN)))
    }

    #[inline(always)]
    fn halves(self, a: Self::Word, b: Self::Word) -> Self::Word {
        columns(a, b, |a, b| b.blend(a, Vector::units(LOW)))
    }
}

#[inline(always)]
fn columns<const D: usize>(
    a: [Vector; D],
    b: [Vector; D],
    f: impl Fn(Vector, Vector) -> Vector,
) -> [Vector; D] {
    from_fn(|i| f(a[i], b[i]))
}

/// Columns 0 and 1 to 0 and 2; the others are zero.
#[inline(always)]
fn spread_columns(x: Vector) -> Vector {
    let x = x.and(Vector::units(LOW));
    x.or(x.shl::<8>()).and(Vector::units(EVEN))
}

/// The other way.
#[inline(always)]
fn gather_columns(x: Vector) -> Vector {
    let x = x.and(Vector::units(EVEN));
    x.or(x.shr::<8>()).and(Vector::units(LOW))
}

pub(super) type Eight = [Vector; WIDTH];

#[inline(always)]
fn layer<const D: usize, const N: usize, const M: usize>(
    x: [[[Vector; D]; N]; M],
    mut keys: [[[Vector; D]; N]; M],
    rounds: fn(&Eight) -> Eight,
) -> [[[Vector; D]; N]; M] {
    in_eights(
        x.as_flattened().as_flattened(),
        keys.as_flattened_mut().as_flattened_mut(),
        rounds,
    );
    keys
}

/// Adds the rounds of `x` to `next`, eight lanes in a pass.
#[inline(always)]
fn in_eights(x: &[Vector], next: &mut [Vector], rounds: fn(&Eight) -> Eight) {
    for (lanes, next) in x.chunks(WIDTH).zip(next.chunks_mut(WIDTH)) {
        let mut eight = [Vector::units(0); WIDTH];
        eight[..lanes.len()].copy_from_slice(lanes);
        for (next, lane) in next.iter_mut().zip(rounds(&eight)) {
            *next = next.xor(lane);
        }
    }
}

/// One AES round without key on eight lanes. A function of its own: inlined everywhere it is
/// hardly faster, and the ciphers several times as long.
#[inline(never)]
fn aes_rounds(lanes: &Eight) -> Eight {
    on_planes(lanes, aes_round)
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
fn on_planes(lanes: &Eight, f: impl Fn(Eight) -> Eight) -> Eight {
    Vector::flip(f(Vector::flip(*lanes)))
}

/// On planes.
#[inline(always)]
pub(super) fn aes_round(x: Eight) -> Eight {
    mix_columns(sub_bytes(x).map(shift_rows))
}

/// Row r rotates by r columns, that is by 8 * r bits. [FIPS197, section 5.1.2]
#[inline(always)]
fn shift_rows(x: Vector) -> Vector {
    x.skew::<8, 24>()
}

/// The other way.
#[inline(always)]
fn inv_shift_rows(x: Vector) -> Vector {
    x.skew::<24, 8>()
}

/// b_r = 2 (a_r + a_{r+1}) + a_{r+1} + a_{r+2} + a_{r+3}, rows modulo 4. [FIPS197, section 5.1.3]
#[inline(always)]
fn mix_columns(a: Eight) -> Eight {
    let a1 = a.map(Vector::below);
    let t: Eight = from_fn(|j| a[j].xor(a1[j]));
    let t2 = t.map(Vector::opposite);
    let rest: Eight = from_fn(|j| a1[j].xor(t2[j]));
    let double = times_x(t);
    from_fn(|j| rest[j].xor(double[j]))
}

/// The matrix of InvMixColumns is that of MixColumns times 5, 0, 4, 0 in a circle.
/// [FIPS197, section 5.3.3]
#[inline(always)]
fn inv_mix_columns(a: Eight) -> Eight {
    let t = times_x(times_x(from_fn(|j| a[j].xor(a[j].opposite()))));
    mix_columns(from_fn(|j| a[j].xor(t[j])))
}

/// Bit j moves to j + 1, and bit 7 returns as x^8 = x^4 + x^3 + x + 1.
#[inline(always)]
fn times_x(a: Eight) -> Eight {
    from_fn(|j| match j {
        0 => a[7],
        1 | 3 | 4 => a[j - 1].xor(a[7]),
        _ => a[j - 1],
    })
}
