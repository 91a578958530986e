//! Two checks that what the ciphers do does not depend on what is secret.
//!
//! - `ct-memcheck` tracks secrets through the compiled code, bit-wise: exact for the paths it
//!   runs, blind to instructions that valgrind does not know.
//! - `ct-timing` compares the times of two classes of inputs statistically: for any back end, but
//!   it can only find a difference, never show that there is none.
//!
//! Both have controls that leak on purpose, and fail if these are not found.

pub mod ciphers;
pub mod controls;
pub mod machine;
pub mod welch;

/// Bytes without a pattern, the same for the same seed.
#[must_use]
pub fn noise(seed: u64, n: usize) -> Vec<u8> {
    let mut x = seed;
    let mut byte = || {
        x = x
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (x >> 56) as u8
    };
    (0..n).map(|_| byte()).collect()
}
