//! AETHER on bit planes: bit `j` of every nibble stands in plane `j`, 32 bits a word, nibble 0 at
//! bit 31. Loops run over all words, which a compiler turns into vectors.
#![forbid(unsafe_code)]

use super::Portable;
use crate::aether::{ADDENDS, Addend, Lanes, MASKS, SUMS, Word};

/// Plane 0 holds the least significant bits. N words: 9 for a state, 3 for a block, 12 for images.
type Plane<const N: usize> = [[u32; N]; 4];

impl Lanes for Portable {
    type State = Plane<9>;
    type Images = Plane<12>;
    type Block = Plane<3>;

    #[inline(always)]
    fn state(self, words: &[Word; 9]) -> Plane<9> {
        slice(words)
    }

    #[inline(always)]
    fn block(self, bytes: &[u8; 48]) -> Plane<3> {
        let (words, _) = bytes.as_chunks::<16>();
        slice(&[words[0], words[1], words[2]])
    }

    #[inline(always)]
    fn store(self, block: Plane<3>, to: &mut [u8; 48]) {
        for (i, to) in to.as_chunks_mut::<16>().0.iter_mut().enumerate() {
            *to = unslice([block[0][i], block[1][i], block[2][i], block[3][i]]);
        }
    }

    #[inline(always)]
    fn xor_states(self, a: Plane<9>, b: Plane<9>) -> Plane<9> {
        xor(a, b)
    }

    #[inline(always)]
    fn xor_blocks(self, a: Plane<3>, b: Plane<3>) -> Plane<3> {
        xor(a, b)
    }

    #[inline(always)]
    fn f(self, s: Plane<9>) -> Plane<12> {
        // Twelve words cost hardly more than nine: they fill whole vectors.
        self.f_and_sums(s)
    }

    #[inline(always)]
    fn f_and_sums(self, s: Plane<9>) -> Plane<12> {
        let mut x = [[0; 12]; 4];
        for (to, from) in x.iter_mut().zip(&s) {
            to[..9].copy_from_slice(from);
            for (i, [a, b]) in SUMS.into_iter().enumerate() {
                to[9 + i] = from[a] ^ from[b];
            }
        }
        f(&mut x);
        x
    }

    #[inline(always)]
    fn round(self, images: Plane<12>, s: Plane<9>, x: Plane<3>) -> Plane<9> {
        let mut next = s;
        for j in 0..4 {
            for (i, to) in next[j].iter_mut().enumerate() {
                let addend = match ADDENDS[i] {
                    Addend::X(w) => x[j][w],
                    Addend::S(w) => s[j][w],
                };
                *to = images[j][(i + 8) % 9] ^ addend;
            }
        }
        next
    }

    #[inline(always)]
    fn keystream(self, images: Plane<12>, s: Plane<9>) -> Plane<3> {
        let mut x = [[0; 3]; 4];
        for j in 0..4 {
            for (i, to) in x[j].iter_mut().enumerate() {
                *to = images[j][9 + i] ^ s[j][MASKS[i]];
            }
        }
        x
    }

    #[inline(always)]
    fn fold(self, s: Plane<9>) -> Word {
        let mut sums = [0; 4];
        for (sum, plane) in sums.iter_mut().zip(&s) {
            for word in plane {
                *sum ^= word;
            }
        }
        unslice(sums)
    }
}

#[inline(always)]
fn xor<const N: usize>(mut a: Plane<N>, b: Plane<N>) -> Plane<N> {
    for (a, b) in a.as_flattened_mut().iter_mut().zip(b.as_flattened()) {
        *a ^= b;
    }
    a
}

/// F = Permutation . ApplySbox . MatrixMul . ApplySbox. A function of its own: inlined into every
/// round it is no faster, and the cipher five times as long. [AETHER, equation 1]
#[inline(never)]
fn f(x: &mut Plane<12>) {
    sbox(x);
    for word in x.as_flattened_mut() {
        *word = mix(*word);
    }
    sbox(x);
    for word in x.as_flattened_mut() {
        *word = permute(*word);
    }
}

/// The S-box of Orthros as a circuit of 20 operations, from its three-input form; the unit tests
/// compare F with the table. [AETHER, table 2]
#[inline(always)]
#[allow(clippy::needless_range_loop)] // four planes at one index
fn sbox(x: &mut Plane<12>) {
    for i in 0..12 {
        let [x0, x1, x2, x3] = [x[0][i], x[1][i], x[2][i], x[3][i]];
        let h0 = x2 | (x0 & !x3);
        let h1 = x1 & (x0 | !x3);
        let h2 = x2 & (x1 | !x3);
        x[0][i] = !(x0 ^ h1) & (x2 | !h1);
        x[1][i] = h0 ^ (x0 | (x1 & !h0));
        x[2][i] = h0 ^ ((x3 ^ h0) & (h0 ^ h1));
        x[3][i] = (x3 ^ h2) & (x0 | !h2);
    }
}

/// M_b on both halves of a word: 4 rows of 4 bits each. Output row r is the sum of all rows but
/// its mirror, and of the parity of its mirror in every column.
#[inline(always)]
fn mix(x: u32) -> u32 {
    let pairs = swap(x, 0x0f0f_0f0f, 4); // rows 1 0 3 2
    let halves = swap(x, 0x00ff_00ff, 8); // rows 2 3 0 1
    let mirror = swap(halves, 0x0f0f_0f0f, 4); // rows 3 2 1 0
    let folded = mirror ^ (mirror >> 2);
    let parity = (folded ^ (folded >> 1)) & 0x1111_1111;
    x ^ pairs ^ halves ^ ((parity << 4).wrapping_sub(parity))
}

/// Exchanges neighbouring groups of `width` bits; `low` masks the lower of each two.
#[inline(always)]
fn swap(x: u32, low: u32, width: u32) -> u32 {
    ((x >> width) & low) | ((x & low) << width)
}

/// Nibble i moves to i/2 (i even) or (i - 1)/2 + 16: the index, five bits, rotates by one. Bit 31
/// is nibble 0, which complements every index bit and changes nothing.
#[inline(always)]
fn permute(x: u32) -> u32 {
    let exchange = |x: u32, mask: u32, shift: u32| {
        let t = (x ^ (x >> shift)) & mask;
        x ^ t ^ (t << shift)
    };
    let x = exchange(x, 0x2222_2222, 1);
    let x = exchange(x, 0x0c0c_0c0c, 2);
    let x = exchange(x, 0x00f0_00f0, 4);
    exchange(x, 0x0000_ff00, 8)
}

/// Exchanges the bits under `mask` with those `shift` places higher.
#[inline(always)]
fn exchange(x: u64, mask: u64, shift: u32) -> u64 {
    let t = (x ^ (x >> shift)) & mask;
    x ^ t ^ (t << shift)
}

/// Words to planes.
#[inline(always)]
fn slice<const N: usize>(words: &[Word; N]) -> Plane<N> {
    let mut planes = [[0; N]; 4];
    for (i, word) in words.iter().enumerate() {
        let word = u128::from_be_bytes(*word);
        let (high, low) = (gather((word >> 64) as u64), gather(word as u64));
        for (j, plane) in planes.iter_mut().enumerate() {
            plane[i] = (((high >> (16 * j)) as u32) << 16) | ((low >> (16 * j)) as u32 & 0xffff);
        }
    }
    planes
}

/// The four planes of one word to the word.
#[inline(always)]
fn unslice(planes: [u32; 4]) -> Word {
    let half = |shift: u32| {
        let plane = |j: usize| u64::from((planes[j] >> shift) & 0xffff) << (16 * j);
        scatter(plane(0) | plane(1) | plane(2) | plane(3))
    };
    (u128::from(half(16)) << 64 | u128::from(half(0))).to_be_bytes()
}

/// Bit index exchanges that bring bit j of 16 nibbles together: index n3 n2 n1 n0 j1 j0 becomes
/// j1 j0 n3 n2 n1 n0. Shift 2^a - 2^b exchanges index bits a and b.
const GATHER: [(u64, u32); 4] = [
    (0x0000_0000_cccc_cccc, 30),
    (0x00cc_00cc_00cc_00cc, 6),
    (0x0000_aaaa_0000_aaaa, 15),
    (0x0a0a_0a0a_0a0a_0a0a, 3),
];

/// 16 nibbles to 4 planes of 16 bits.
#[inline(always)]
fn gather(x: u64) -> u64 {
    GATHER
        .into_iter()
        .fold(x, |x, (mask, shift)| exchange(x, mask, shift))
}

/// The inverse of [`gather`].
#[inline(always)]
fn scatter(x: u64) -> u64 {
    GATHER
        .into_iter()
        .rev()
        .fold(x, |x, (mask, shift)| exchange(x, mask, shift))
}
