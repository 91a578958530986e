//! The AES S-box as a Boolean circuit, by inversion in a tower of fields.
//!
//! GF(4) = GF(2)\[w\] / (w^2 + w + 1), GF(16) = GF(4)\[x\] / (x^2 + x + w + 1),
//! GF(256) = GF(16)\[y\] / (y^2 + y + w x + w). An element is an array of bits, least significant
//! first, so `[a0, a1]` is a1 w + a0. Of all such towers and all isomorphisms to the field of
//! [FIPS197, section 4] this one needs the fewest XORs for both changes of basis, 23.
#![forbid(unsafe_code)]

use core::array::from_fn;

/// As many bits as one operation handles.
pub(crate) trait Bits: Copy {
    fn xor(self, b: Self) -> Self;
    fn and(self, b: Self) -> Self;
    fn not(self) -> Self;
}

/// SubBytes on bit planes, plane 0 least significant. [FIPS197, section 5.1.1]
#[inline(always)]
pub(crate) fn sub_bytes<B: Bits>(x: [B; 8]) -> [B; 8] {
    affine(invert256(to_tower(x)))
}

/// InvSubBytes. SubBytes is an inversion and then an affine map A; with B the inverse of A this is
/// B, SubBytes, B. [FIPS197, section 5.3.2]
#[inline(always)]
pub(crate) fn inv_sub_bytes<B: Bits>(x: [B; 8]) -> [B; 8] {
    inverse_affine(sub_bytes(inverse_affine(x)))
}

/// Bit i is the sum of bits i + 2, i + 5 and i + 7, plus 0x05.
#[inline(always)]
fn inverse_affine<B: Bits>(x: [B; 8]) -> [B; 8] {
    from_fn(|i| {
        let y = x[(i + 2) % 8].xor(x[(i + 5) % 8]).xor(x[(i + 7) % 8]);
        if i == 0 || i == 2 { y.not() } else { y }
    })
}

/// From the basis of [FIPS197, section 4] to the tower: powers of its x are powers of 0x53 there.
#[inline(always)]
fn to_tower<B: Bits>(x: [B; 8]) -> [B; 8] {
    let [x0, x1, x2, x3, x4, x5, x6, x7] = x;
    let t0 = x2.xor(x3);
    let t1 = x5.xor(x7);
    let t2 = x6.xor(x1.xor(x5));
    let t3 = t2.xor(x4.xor(t0));
    [
        x0.xor(t2),
        x1.xor(x7),
        x2.xor(x7),
        x2.xor(x4),
        x1,
        t0.xor(t1),
        t3,
        t1,
    ]
}

/// Back from the tower, and the affine map of the S-box.
#[inline(always)]
fn affine<B: Bits>(x: [B; 8]) -> [B; 8] {
    let [x0, x1, x2, x3, x4, x5, x6, x7] = x;
    let t0 = x0.xor(x4);
    let t1 = x2.xor(x3);
    let t2 = x1.xor(t0);
    let t3 = x4.xor(x6);
    let t4 = x6.xor(t0);
    let y5 = t1.xor(x4.xor(x5));
    let y = [
        t0.xor(t1),
        t2,
        t2.xor(x2.xor(x7)),
        t1.xor(t4),
        t4,
        y5,
        t3,
        x2.xor(t3),
    ];
    // Plus 0x63.
    [
        y[0].not(),
        y[1].not(),
        y[2],
        y[3],
        y[4],
        y[5].not(),
        y[6].not(),
        y[7],
    ]
}

#[inline(always)]
fn add<B: Bits, const N: usize>(a: [B; N], b: [B; N]) -> [B; N] {
    from_fn(|i| a[i].xor(b[i]))
}

/// 1 / (h y + l) = (h y + h + l) / ((w x + w) h^2 + h l + l^2); zero gives zero.
#[inline(always)]
fn invert256<B: Bits>(a: [B; 8]) -> [B; 8] {
    let (l, h) = ([a[0], a[1], a[2], a[3]], [a[4], a[5], a[6], a[7]]);
    let sum = add(h, l);
    // h l + l^2 = l (h + l)
    let norm = add(scale16(square16(h)), multiply16(l, sum));
    let inverse = invert16(norm);
    let ([y0, y1, y2, y3], [y4, y5, y6, y7]) = (multiply16(sum, inverse), multiply16(h, inverse));
    [y0, y1, y2, y3, y4, y5, y6, y7]
}

/// 1 / (h x + l) = (h x + h + l) / ((w + 1) h^2 + h l + l^2).
#[inline(always)]
fn invert16<B: Bits>(a: [B; 4]) -> [B; 4] {
    let (l, h) = ([a[0], a[1]], [a[2], a[3]]);
    let sum = add(h, l);
    let norm = add(times_w_plus_1(square4(h)), multiply4(l, sum));
    let inverse = square4(norm); // a^3 = 1
    let ([y0, y1], [y2, y3]) = (multiply4(sum, inverse), multiply4(h, inverse));
    [y0, y1, y2, y3]
}

/// (h x + l)(k x + m) = ((h + l)(k + m) + l m) x + l m + (w + 1) h k.
#[inline(always)]
fn multiply16<B: Bits>(a: [B; 4], b: [B; 4]) -> [B; 4] {
    let (l, h) = ([a[0], a[1]], [a[2], a[3]]);
    let (m, k) = ([b[0], b[1]], [b[2], b[3]]);
    let (low, high) = (multiply4(l, m), multiply4(h, k));
    let [y2, y3] = add(multiply4(add(h, l), add(k, m)), low);
    let [y0, y1] = add(low, times_w_plus_1(high));
    [y0, y1, y2, y3]
}

/// (h x + l)^2 = h^2 x + l^2 + (w + 1) h^2.
#[inline(always)]
fn square16<B: Bits>(a: [B; 4]) -> [B; 4] {
    let (l, h) = (square4([a[0], a[1]]), square4([a[2], a[3]]));
    let [y0, y1] = add(l, times_w_plus_1(h));
    [y0, y1, h[0], h[1]]
}

/// (w x + w)(h x + l) = w l x + w l + h.
#[inline(always)]
fn scale16<B: Bits>(a: [B; 4]) -> [B; 4] {
    let wl = [a[1], a[0].xor(a[1])];
    let [y0, y1] = add(wl, [a[2], a[3]]);
    [y0, y1, wl[0], wl[1]]
}

/// (a1 w + a0)(b1 w + b0) = ((a1 + a0)(b1 + b0) + a0 b0) w + a0 b0 + a1 b1.
#[inline(always)]
fn multiply4<B: Bits>(a: [B; 2], b: [B; 2]) -> [B; 2] {
    let low = a[0].and(b[0]);
    let cross = a[0].xor(a[1]).and(b[0].xor(b[1]));
    [low.xor(a[1].and(b[1])), cross.xor(low)]
}

#[inline(always)]
fn square4<B: Bits>(a: [B; 2]) -> [B; 2] {
    [a[0].xor(a[1]), a[1]]
}

/// (w + 1)(a1 w + a0) = a0 w + a1 + a0.
#[inline(always)]
fn times_w_plus_1<B: Bits>(a: [B; 2]) -> [B; 2] {
    [a[0].xor(a[1]), a[0]]
}

#[cfg(test)]
mod tests {
    use super::{Bits, inv_sub_bytes, sub_bytes};

    #[derive(Clone, Copy)]
    struct Bit(u8);

    impl Bits for Bit {
        fn xor(self, b: Self) -> Self {
            Self(self.0 ^ b.0)
        }
        fn and(self, b: Self) -> Self {
            Self(self.0 & b.0)
        }
        fn not(self) -> Self {
            Self(1 - self.0)
        }
    }

    /// The definition: the inverse by search, then the affine map bit-wise.
    /// [FIPS197, section 5.1.1]
    fn sub_byte(x: u8) -> u8 {
        let times = |mut a: u8, b: u8| {
            (0..8).fold(0, |sum, i| {
                let term = if b >> i & 1 == 1 { a } else { 0 };
                a = a << 1 ^ if a >> 7 == 1 { 0x1b } else { 0 };
                sum ^ term
            })
        };
        let b = (0..=255).find(|&y| times(x, y) == 1).unwrap_or(0);
        [1, 2, 3, 4]
            .iter()
            .fold(b ^ 0x63, |sum, &n| sum ^ b.rotate_left(n))
    }

    #[test]
    fn circuit_is_sub_bytes() {
        assert_eq!(sub_byte(0x53), 0xed); // [FIPS197, section 5.1.1]
        for x in 0..=255u8 {
            let bits = sub_bytes(core::array::from_fn(|j| Bit(x >> j & 1)));
            let y = bits.iter().rev().fold(0, |y, bit| y << 1 | bit.0);
            assert_eq!(y, sub_byte(x), "S-box of {x:02x}");
            let bits = inv_sub_bytes(core::array::from_fn(|j| Bit(y >> j & 1)));
            let back = bits.iter().rev().fold(0, |x, bit| x << 1 | bit.0);
            assert_eq!(back, x, "inverse S-box of {y:02x}");
        }
    }
}
