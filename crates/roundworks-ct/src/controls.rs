//! Code that leaks on purpose, and its twin that does not: what a check must find, and must not.

use std::hint::black_box;

/// A table entry at a secret address, as in AES by tables.
#[inline(never)]
#[must_use]
pub fn lookup(table: &[u8; 256], secret: u8) -> u8 {
    table[usize::from(black_box(secret))]
}

/// Every entry is read, one is kept.
#[inline(never)]
#[must_use]
pub fn lookup_by_scan(table: &[u8; 256], secret: u8) -> u8 {
    table.iter().zip(0u8..).fold(0, |kept, (entry, i)| {
        // All ones where `i` is the index: 0 - 1 borrows from the high byte, nothing else does.
        let here = (u16::from(i ^ black_box(secret)).wrapping_sub(1) >> 8) as u8;
        kept | entry & here
    })
}

/// Stops at the first byte that differs.
#[inline(never)]
#[must_use]
pub fn equal_early(a: &[u8], b: &[u8]) -> bool {
    for (a, b) in a.iter().zip(b) {
        if black_box(*a) != *b {
            return false;
        }
    }
    true
}

/// Looks at every byte.
#[inline(never)]
#[must_use]
pub fn equal_late(a: &[u8], b: &[u8]) -> u8 {
    let pairs = a.iter().zip(b);
    pairs.fold(0, |difference, (a, b)| difference | black_box(*a) ^ b)
}
