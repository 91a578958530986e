//! Sixteen messages in a batch: one plane of one word of all of them fills a register, so that no
//! word ever moves within it. Byte m of a 32-bit unit in lane i belongs to message 4 m + i; the
//! units of a lane are bytes 0, 3, 1, 2 of a word's plane in the even layout, 0, 3, 2, 1 in the
//! odd one (see `cells`).

use core::arch::x86_64::*;

use super::cells::{BACK, BACK_COLUMNS, COLUMNS, HIGH, LOW, OTHER, OWN, STAY, TO_BITS};
use super::{Avx512, Planes, sbox};
use crate::aether::{ADDENDS, Addend, Batched, InPlace, MASKS, ROUNDS, SUMS, Word};
use crate::stream::Direction;

/// S0..S8 of sixteen messages, in one layout and, one round later, in the other.
pub(crate) struct State {
    layouts: [[Planes; 9]; 2],
    odd: bool,
}

/// X0, X1, X2 of sixteen messages.
type Blocks = [Planes; 3];

impl Batched<16> for Avx512 {
    type Many = State;

    #[inline(always)]
    fn zero(self) -> State {
        State {
            layouts: [[[Avx512::zero(self); 4]; 9]; 2],
            odd: false,
        }
    }

    #[inline(always)]
    fn load(self, s: &mut State, words: &[[Word; 9]; 16]) {
        // SAFETY: `self` proves the features of every function called here and below.
        unsafe { set(s, words) }
    }

    #[inline(always)]
    fn words(self, s: &State) -> [[Word; 9]; 16] {
        // SAFETY: as in `load`.
        unsafe { words(s) }
    }

    #[inline(always)]
    fn xor_keys(self, s: &mut State, keys: [Word; 2], which: [usize; 9]) {
        // SAFETY: as in `load`.
        unsafe { xor_keys(s, keys, which) }
    }

    #[inline(always)]
    fn update(self, s: &mut State, x: [&[u8; 48]; 16], active: u16) {
        // SAFETY: as in `load`.
        unsafe { update(s, x, active) }
    }

    #[inline(always)]
    fn rounds(self, s: &mut State, x: &[u8; 48]) {
        // SAFETY: as in `load`.
        unsafe { rounds(s, x) }
    }

    #[inline(always)]
    fn crypt(self, s: &mut State, blocks: [InPlace<'_>; 16], active: u16, way: Direction) {
        // SAFETY: as in `load`.
        unsafe {
            match way {
                Direction::Encrypt => encrypt(s, blocks, active),
                Direction::Decrypt => decrypt(s, blocks, active),
            }
        }
    }

    #[inline(always)]
    fn keystreams(self, s: &State) -> [[u8; 48]; 16] {
        // SAFETY: as in `load`.
        unsafe { keystream(s) }
    }

    #[inline(always)]
    fn folds(self, s: &State) -> [Word; 16] {
        // SAFETY: as in `load`.
        unsafe { fold(s) }
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
#[inline(never)]
fn set(s: &mut State, words: &[[Word; 9]; 16]) {
    for (i, planes) in s.layouts[0].iter_mut().enumerate() {
        *planes = slice::<false>(gather(|n| &words[n][i]));
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
fn words(s: &State) -> [[Word; 9]; 16] {
    let mut words = [[[0; 16]; 9]; 16];
    for (i, &planes) in s.layouts[usize::from(s.odd)].iter().enumerate() {
        let bytes = if s.odd {
            unslice::<true>(planes)
        } else {
            unslice::<false>(planes)
        };
        for (n, word) in scatter(bytes).into_iter().enumerate() {
            words[n][i] = word;
        }
    }
    words
}

#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
fn xor_keys(s: &mut State, keys: [Word; 2], which: [usize; 9]) {
    let keys = keys.map(|key| {
        let key = slice::<false>(gather(|_| &key));
        if s.odd { other_layout(key) } else { key }
    });
    for (word, which) in s.layouts[usize::from(s.odd)].iter_mut().zip(which) {
        *word = xor(*word, keys[which]);
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
#[inline(never)]
fn update(s: &mut State, x: [&[u8; 48]; 16], active: u16) {
    if s.odd {
        let x = blocks::<false>(&x);
        round::<true>(s, &x, active);
    } else {
        let x = blocks::<true>(&x);
        round::<false>(s, &x, active);
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
#[inline(never)]
fn rounds(s: &mut State, x: &[u8; 48]) {
    let x = [x; 16];
    let (even, odd) = (blocks::<false>(&x), blocks::<true>(&x));
    for _ in 0..ROUNDS {
        if s.odd {
            round::<true>(s, &even, u16::MAX);
        } else {
            round::<false>(s, &odd, u16::MAX);
        }
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
#[inline(never)]
fn encrypt(s: &mut State, blocks: [InPlace<'_>; 16], active: u16) {
    if s.odd {
        crypt::<true, false, false>(s, blocks, active);
    } else {
        crypt::<false, true, false>(s, blocks, active);
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
#[inline(never)]
fn decrypt(s: &mut State, blocks: [InPlace<'_>; 16], active: u16) {
    if s.odd {
        crypt::<true, false, true>(s, blocks, active);
    } else {
        crypt::<false, true, true>(s, blocks, active);
    }
}

/// One block of each message. `NEXT` is the layout after the round, the opposite of `ODD`.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
#[inline]
fn crypt<const ODD: bool, const NEXT: bool, const DECRYPT: bool>(
    s: &mut State,
    mut blocks: [InPlace<'_>; 16],
    active: u16,
) {
    let x = [
        word::<0, ODD, NEXT, DECRYPT>(s, &mut blocks),
        word::<1, ODD, NEXT, DECRYPT>(s, &mut blocks),
        word::<2, ODD, NEXT, DECRYPT>(s, &mut blocks),
    ];
    round::<ODD>(s, &x, active);
}

/// Word J of each block: encrypts or decrypts it and returns the plaintext.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
#[inline]
fn word<const J: usize, const ODD: bool, const NEXT: bool, const DECRYPT: bool>(
    s: &State,
    blocks: &mut [InPlace<'_>; 16],
) -> Planes {
    let keystream = keystream_word::<ODD>(s, J);
    let from = gather(|n| &blocks[n].get_in().0.as_chunks::<16>().0[J]);
    let to = xor(from, unslice::<NEXT>(keystream));
    for (m, four) in to.into_iter().enumerate() {
        let four = [
            _mm512_castsi512_si128(four),
            _mm512_extracti32x4_epi32::<1>(four),
            _mm512_extracti32x4_epi32::<2>(four),
            _mm512_extracti32x4_epi32::<3>(four),
        ];
        for (i, word) in four.into_iter().enumerate() {
            let to = &mut blocks[4 * m + i].get_out().0.as_chunks_mut::<16>().0[J];
            // SAFETY: 16 writable bytes, which need no alignment.
            unsafe { _mm_storeu_si128(to.as_mut_ptr().cast(), word) };
        }
    }
    let x = slice::<NEXT>(from);
    if DECRYPT { xor(x, keystream) } else { x }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
#[inline(never)]
fn keystream(s: &State) -> [[u8; 48]; 16] {
    let mut blocks = [[0; 48]; 16];
    for j in 0..3 {
        let bytes = if s.odd {
            unslice::<false>(keystream_word::<true>(s, j))
        } else {
            unslice::<true>(keystream_word::<false>(s, j))
        };
        for (block, word) in blocks.iter_mut().zip(scatter(bytes)) {
            block.as_chunks_mut::<16>().0[j] = word;
        }
    }
    blocks
}

#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
fn fold(s: &State) -> [Word; 16] {
    let [first, others @ ..] = &s.layouts[usize::from(s.odd)];
    let sum = others.iter().fold(*first, |sum, &word| xor(sum, word));
    scatter(if s.odd {
        unslice::<true>(sum)
    } else {
        unslice::<false>(sum)
    })
}

/// Keystream word j, in the layout after the round.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
#[inline]
fn keystream_word<const ODD: bool>(s: &State, j: usize) -> Planes {
    let words = &s.layouts[usize::from(ODD)];
    let sum = xor(words[SUMS[j][0]], words[SUMS[j][1]]);
    xor(f::<ODD>(sum), other_layout(words[MASKS[j]]))
}

/// R by [`ADDENDS`] on the messages of `active`; the others stay, in the other layout.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
#[inline]
fn round<const ODD: bool>(s: &mut State, x: &Blocks, active: u16) {
    let [even, odd] = &mut s.layouts;
    let (from, to) = if ODD { (odd, even) } else { (even, odd) };
    to[0] = next::<0, ODD>(from, x);
    to[1] = next::<1, ODD>(from, x);
    to[2] = next::<2, ODD>(from, x);
    to[3] = next::<3, ODD>(from, x);
    to[4] = next::<4, ODD>(from, x);
    to[5] = next::<5, ODD>(from, x);
    to[6] = next::<6, ODD>(from, x);
    to[7] = next::<7, ODD>(from, x);
    to[8] = next::<8, ODD>(from, x);
    if active != u16::MAX {
        // Message n = 4 m + i is bit m of every group of four in the mask's lane i.
        let mut mask = 0;
        for n in 0..16 {
            mask |= u64::from(active >> n & 1) * (0x1111 << (n % 4 * 16) << (n / 4));
        }
        for (to, from) in to.iter_mut().zip(from) {
            let from = other_layout(*from);
            for (to, from) in to.iter_mut().zip(from) {
                *to = _mm512_mask_blend_epi8(mask, from, *to);
            }
        }
    }
    s.odd = !ODD;
}

/// S\[I\] after the round.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
#[inline]
fn next<const I: usize, const ODD: bool>(s: &[Planes; 9], x: &Blocks) -> Planes {
    let addend = match ADDENDS[I] {
        Addend::X(w) => x[w],
        Addend::S(w) => other_layout(s[w]),
    };
    xor(f::<ODD>(s[(I + 8) % 9]), addend)
}

/// F, from one layout to the other.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
#[inline]
fn f<const ODD: bool>(x: Planes) -> Planes {
    let [x0, x1, x2, x3] = sbox(x);
    sbox([
        linear::<ODD>(x0),
        linear::<ODD>(x1),
        linear::<ODD>(x2),
        linear::<ODD>(x3),
    ])
}

/// Permutation . MatrixMul on one plane.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
#[inline]
fn linear<const ODD: bool>(x: __m512i) -> __m512i {
    let other = if ODD {
        _mm512_shuffle_epi32::<0b00_01_10_11>(x)
    } else {
        _mm512_shuffle_epi32::<0b01_00_11_10>(x)
    };
    _mm512_xor_si512(
        _mm512_gf2p8affine_epi64_epi8::<0>(x, lanes(OWN)),
        _mm512_gf2p8affine_epi64_epi8::<0>(other, lanes(OTHER)),
    )
}

#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
#[inline]
fn other_layout(x: Planes) -> Planes {
    [
        _mm512_shuffle_epi32::<0b10_11_01_00>(x[0]),
        _mm512_shuffle_epi32::<0b10_11_01_00>(x[1]),
        _mm512_shuffle_epi32::<0b10_11_01_00>(x[2]),
        _mm512_shuffle_epi32::<0b10_11_01_00>(x[3]),
    ]
}

#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
#[inline]
fn xor(a: Planes, b: Planes) -> Planes {
    [
        _mm512_xor_si512(a[0], b[0]),
        _mm512_xor_si512(a[1], b[1]),
        _mm512_xor_si512(a[2], b[2]),
        _mm512_xor_si512(a[3], b[3]),
    ]
}

/// The same two integers in every lane.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
#[inline]
fn lanes([low, high]: [u64; 2]) -> __m512i {
    let (low, high) = (low as i64, high as i64);
    _mm512_set_epi64(high, low, high, low, high, low, high, low)
}

/// One word of each message: message 4 m + i to lane i of register m.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
#[inline]
fn gather<'a>(word: impl Fn(usize) -> &'a Word) -> Planes {
    // SAFETY: 16 readable bytes, which need no alignment.
    let load = |n| unsafe { _mm_loadu_si128(word(n).as_ptr().cast()) };
    let four = |n| {
        let x = _mm512_castsi128_si512(load(n));
        let x = _mm512_inserti32x4::<1>(x, load(n + 1));
        let x = _mm512_inserti32x4::<2>(x, load(n + 2));
        _mm512_inserti32x4::<3>(x, load(n + 3))
    };
    [four(0), four(4), four(8), four(12)]
}

/// The inverse of [`gather`].
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
#[inline]
fn scatter(bytes: Planes) -> [Word; 16] {
    let mut words = [[0; 16]; 16];
    let (fours, _) = words.as_chunks_mut::<4>();
    for (to, four) in fours.iter_mut().zip(bytes) {
        // SAFETY: 64 writable bytes, which need no alignment.
        unsafe { _mm512_storeu_si512(to.as_mut_ptr().cast(), four) };
    }
    words
}

/// All of [`blocks`], in one layout.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
#[inline]
fn blocks<const ODD: bool>(x: &[&[u8; 48]; 16]) -> Blocks {
    let word = |j: usize| slice::<ODD>(gather(|n| &x[n].as_chunks::<16>().0[j]));
    [word(0), word(1), word(2)]
}

/// Words to planes.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
#[inline]
fn slice<const ODD: bool>(bytes: Planes) -> Planes {
    let low_halves = _mm512_set1_epi8(0x0f);
    let [r0, r1, r2, r3] = bytes.map(|x| {
        let low = _mm512_multishift_epi64_epi8(lanes(LOW), x);
        let high = _mm512_multishift_epi64_epi8(lanes(HIGH), x);
        let rows = _mm512_ternarylogic_epi64::<0xca>(low_halves, low, high);
        _mm512_gf2p8affine_epi64_epi8::<0>(lanes(COLUMNS), rows)
    });
    // Four messages, which are in four registers, to the four bytes of a unit.
    let (low01, low23) = (_mm512_unpacklo_epi8(r0, r1), _mm512_unpacklo_epi8(r2, r3));
    let (high01, high23) = (_mm512_unpackhi_epi8(r0, r1), _mm512_unpackhi_epi8(r2, r3));
    let first = [
        _mm512_unpacklo_epi16(low01, low23),
        _mm512_unpackhi_epi16(low01, low23),
    ];
    let second = [
        _mm512_unpacklo_epi16(high01, high23),
        _mm512_unpackhi_epi16(high01, high23),
    ];
    // Now units of bytes 0 and 1 of two planes each; and of bytes 3 and 2.
    let join = |i: usize| {
        let (a, b) = (first[i], second[i]);
        if ODD {
            let index = |a: i32, b: i32| {
                let lane = |i: i32| [a, 16 + a, 16 + b, b].map(|unit| unit + 4 * i);
                let units: [[i32; 4]; 4] = [lane(0), lane(1), lane(2), lane(3)];
                // SAFETY: 64 readable bytes, which need no alignment.
                unsafe { _mm512_loadu_si512(units.as_ptr().cast()) }
            };
            [
                _mm512_permutex2var_epi32(a, index(0, 1), b),
                _mm512_permutex2var_epi32(a, index(2, 3), b),
            ]
        } else {
            [_mm512_unpacklo_epi32(a, b), _mm512_unpackhi_epi32(a, b)]
        }
    };
    let ([p0, p1], [p2, p3]) = (join(0), join(1));
    [p0, p1, p2, p3]
}

/// Planes to words.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
#[inline]
fn unslice<const ODD: bool>([p0, p1, p2, p3]: Planes) -> Planes {
    // The four planes of a byte become the bytes of a unit, one unit for each message.
    let (low32, low10) = (_mm512_unpacklo_epi8(p3, p2), _mm512_unpacklo_epi8(p1, p0));
    let (high32, high10) = (_mm512_unpackhi_epi8(p3, p2), _mm512_unpackhi_epi8(p1, p0));
    let byte0 = _mm512_unpacklo_epi16(low32, low10);
    let byte3 = _mm512_unpackhi_epi16(low32, low10);
    let third = _mm512_unpacklo_epi16(high32, high10);
    let fourth = _mm512_unpackhi_epi16(high32, high10);
    let (byte1, byte2) = if ODD {
        (fourth, third)
    } else {
        (third, fourth)
    };
    let first = [
        _mm512_unpacklo_epi32(byte1, byte0),
        _mm512_unpackhi_epi32(byte1, byte0),
    ];
    let second = [
        _mm512_unpacklo_epi32(byte3, byte2),
        _mm512_unpackhi_epi32(byte3, byte2),
    ];
    [
        _mm512_unpacklo_epi64(first[0], second[0]),
        _mm512_unpackhi_epi64(first[0], second[0]),
        _mm512_unpacklo_epi64(first[1], second[1]),
        _mm512_unpackhi_epi64(first[1], second[1]),
    ]
    .map(|x| {
        let rows = _mm512_gf2p8affine_epi64_epi8::<0>(lanes(BACK_COLUMNS), x);
        let moved = _mm512_multishift_epi64_epi8(lanes([BACK; 2]), rows);
        let bytes = _mm512_ternarylogic_epi64::<0xca>(lanes([STAY; 2]), rows, moved);
        _mm512_gf2p8affine_epi64_epi8::<0>(bytes, lanes([TO_BITS; 2]))
    })
}
