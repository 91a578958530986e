//! Which nibble each bit of a plane belongs to, and F's linear part on bits so ordered.
//!
//! A word's plane has 4 bytes, 32 bits. Byte k holds nibbles 8 k to 8 k + 7, which MatrixMul and
//! Permutation never tear apart: bytes 0 and 1 are one half of the word before, and the even
//! nibbles after; so each byte of an image is a sum of two matrices times two bytes. Bytes 2 and 3
//! are kept in reverse, because F commutes with reversal: then bytes 0 and 3 want the same two
//! matrices, and so do 1 and 2, which are put together. GF2P8AFFINEQB has one matrix for eight
//! bytes.
//!
//! An image appears where its first byte was: of bytes 0, 3, 1, 2 in this order come 0, 3, 2, 1,
//! and of those 0, 3, 1, 2 again. So there are two layouts, even and odd, a round leads from one
//! to the other, and one shuffle does in each: it exchanges bytes 0 and 1, 3 and 2.
#![forbid(unsafe_code)]

/// The nibble of bit `bit` of byte `k`. Rows 0 to 3 of the bytes in memory have odd nibbles low.
const fn nibble(k: usize, bit: usize) -> usize {
    if k >= 2 {
        return 31 - nibble(3 - k, bit);
    }
    let row = 7 - bit;
    8 * k + if row < 4 { 2 * row + 1 } else { 2 * (row - 4) }
}

/// Permutation . MatrixMul from byte `from` to byte `to` of a plane, as GF2P8AFFINEQB wants a
/// matrix: row of bit 0 in the last byte.
const fn matrix(to: usize, from: usize) -> u64 {
    let mut rows = [0u8; 8];
    let mut bit = 0;
    while bit < 8 {
        let after = nibble(to, bit);
        let before = after % 16 * 2 + after / 16; // Permutation moves it from here
        let mut b = 0;
        while b < 8 {
            let n = nibble(from, b);
            assert!(n / 16 == before / 16, "MatrixMul works on halves");
            let (i, j) = (before % 16, n % 16);
            if i / 4 + j / 4 == 3 || i % 4 == j % 4 {
                rows[7 - bit] |= 1 << b;
            }
            b += 1;
        }
        bit += 1;
    }
    u64::from_le_bytes(rows)
}

/// For bytes 0 and 3, then for bytes 1 and 2: of the byte itself.
pub(in crate::arch::x86_64) const OWN: [u64; 2] = [matrix(0, 0), matrix(2, 1)];
/// Of the byte it is exchanged with.
pub(in crate::arch::x86_64) const OTHER: [u64; 2] = [matrix(0, 1), matrix(2, 0)];
const _: () = assert!(OWN[0] == matrix(3, 3) && OWN[1] == matrix(1, 2));
const _: () = assert!(OTHER[0] == matrix(3, 2) && OTHER[1] == matrix(1, 3));

// Slicing. Eight bytes in memory are bytes k and k + 1 of all four planes (k = 0, then 2). First
// nibbles are exchanged so that each row, a byte, has one nibble of k in its low half and one of
// k + 1 in its high half; then one bit matrix is transposed. The rows of bytes 2 and 3 go
// backwards, which reverses them.

/// Bit offsets that bring the low halves of the rows, and the high halves.
pub(in crate::arch::x86_64) const LOW: [u64; 2] = rows(0, 4);
pub(in crate::arch::x86_64) const HIGH: [u64; 2] = rows(28, 32);

const fn rows(first: u8, second: u8) -> [u64; 2] {
    let mut offsets = [[0u8; 8]; 2];
    let mut r = 0;
    while r < 8 {
        let offset = 8 * (r as u8 % 4) + if r < 4 { first } else { second };
        offsets[0][r] = offset;
        offsets[1][7 - r] = offset;
        r += 1;
    }
    [
        u64::from_le_bytes(offsets[0]),
        u64::from_le_bytes(offsets[1]),
    ]
}

/// The planes are not the bits of a nibble but sums of them, bit i of `PLANES[j]` for bit i: one of
/// the few bases in which the S-box of Orthros takes six functions of three inputs, the fewest
/// that there are; on its own bits it takes seven. Found by trying all bases.
const PLANES: [u8; 4] = [0b1000, 0b1011, 0b1100, 0b1110];
/// The bits of a nibble, bit j for plane j.
const BITS: [u8; 4] = [0b1111, 0b1100, 0b0101, 0b0001];
const _: () = {
    let mut i = 0;
    while i < 4 {
        let (mut sum, mut j) = (0, 0);
        while j < 4 {
            sum ^= PLANES[j] * (BITS[i] >> j & 1);
            j += 1;
        }
        assert!(sum == 1 << i, "BITS is not the inverse of PLANES");
        i += 1;
    }
};

/// Columns to take, in this order: of plane 0 byte k and k + 1, of plane 1, ... ; in the second
/// half k + 1 comes first.
pub(in crate::arch::x86_64) const COLUMNS: [u64; 2] = {
    let mut columns = [[0; 8]; 2];
    let mut i = 0;
    while i < 8 {
        let plane = PLANES[i / 2];
        columns[0][i] = plane << (4 * (i % 2));
        columns[1][i] = plane << (4 - 4 * (i % 2));
        i += 1;
    }
    [
        u64::from_le_bytes(columns[0]),
        u64::from_le_bytes(columns[1]),
    ]
};

/// Planes, in both halves of a byte, to nibbles: a matrix.
pub(in crate::arch::x86_64) const TO_BITS: u64 = {
    let mut rows = [0; 8];
    let mut i = 0;
    while i < 8 {
        rows[7 - i] = BITS[i % 4] << (i / 4 * 4);
        i += 1;
    }
    u64::from_le_bytes(rows)
};

// Back: rows k + 1, planes 3 to 0, then k, to columns; the columns are in the order of memory in
// both halves, so the exchange of nibbles is the same.
pub(in crate::arch::x86_64) const BACK_COLUMNS: [u64; 2] =
    [0x0102_0408_1020_4080, 0x8040_2010_0804_0201];
/// Bit offsets for those nibbles that move.
pub(in crate::arch::x86_64) const BACK: u64 = u64::from_le_bytes([28, 36, 44, 52, 4, 12, 20, 28]);
/// The nibbles that do not.
pub(in crate::arch::x86_64) const STAY: u64 = 0xf0f0_f0f0_0f0f_0f0f;
