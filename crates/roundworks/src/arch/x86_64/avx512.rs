//! AETHER with AVX-512 and GFNI: four bit planes, each one register, hold the whole state, so one
//! pass of F serves all nine words and the three keystream sums. No lookup, so the time depends on
//! no secret; the tables below are indexed by the number of rounds done.
//!
//! A plane has 16 slots, one for each word: 0 to 8 the state, 12 to 14 the sums. Bit t of byte k of
//! a word's plane belongs to nibble 8 k + t. Words do not move: F writes its image over its word,
//! and what is S\[i\] becomes S\[i + 1\] by name only. So the place of a word depends on the rounds
//! done so far, modulo 9: the phase.

mod layout;

use core::arch::x86_64::*;

use super::Avx512;
use crate::aether::{Lanes, Word};
use layout::{Index, LOAD, MATRICES, NIBBLES, PHASES, ROWS};

/// Plane 0 holds the least significant bits.
type Planes = [__m512i; 4];

/// The nine words in slots 0..9. Slots 9..12 and 15 are zero, and stay so, since F(0) = 0; slots
/// 12, 13, 14 may hold anything, and are read only when just filled with sums.
#[derive(Clone, Copy)]
pub(crate) struct State {
    planes: Planes,
    phase: usize,
}

/// A block in the forms that its users want. What nobody uses is not computed, since all of this
/// is inlined; and decryption absorbs keystream without a detour through memory order.
#[derive(Clone, Copy)]
pub(crate) struct Block {
    /// X0 and X1 as they stand in memory.
    two: __m256i,
    /// X2 as it stands in memory.
    last: __m128i,
    /// The part that came from memory, sliced.
    sliced: __m512i,
    /// The part that is keystream, in the slots of the sums. The sum of both is the block.
    keystream: Option<Planes>,
}

impl Lanes for Avx512 {
    type State = State;
    type Images = Planes;
    type Block = Block;

    #[inline(always)]
    fn state(self, words: &[Word; 9]) -> State {
        let mut planes = [self.zero(); 4];
        let (bytes, _) = words.as_flattened().as_chunks::<48>();
        for (group, three) in bytes.iter().enumerate() {
            let Block { sliced, .. } = self.block(three);
            for (plane, index) in planes.iter_mut().zip(&LOAD[group]) {
                *plane = self.xor(*plane, self.pick(index, sliced));
            }
        }
        State { planes, phase: 0 }
    }

    #[inline(always)]
    fn block(self, bytes: &[u8; 48]) -> Block {
        let (two, last) = bytes.split_at(32);
        // SAFETY: 32 and 16 readable bytes, which need no alignment; AVX by `self`.
        let (two, last) = unsafe {
            (
                _mm256_loadu_si256(two.as_ptr().cast()),
                _mm_loadu_si128(last.as_ptr().cast()),
            )
        };
        Block {
            two,
            last,
            sliced: self.slice(two, last),
            keystream: None,
        }
    }

    #[inline(always)]
    fn store(self, block: Block, to: &mut [u8; 48]) {
        let (two, last) = to.split_at_mut(32);
        // SAFETY: 32 and 16 writable bytes, which need no alignment; AVX by `self`.
        unsafe {
            _mm256_storeu_si256(two.as_mut_ptr().cast(), block.two);
            _mm_storeu_si128(last.as_mut_ptr().cast(), block.last);
        }
    }

    /// `b` was just loaded, so its phase is 0.
    #[inline(always)]
    fn xor_states(self, mut a: State, b: State) -> State {
        debug_assert_eq!(b.phase, 0);
        for (a_plane, b_plane) in a.planes.iter_mut().zip(b.planes) {
            *a_plane = self.xor(*a_plane, self.pick(&PHASES[a.phase].from_zero, b_plane));
        }
        a
    }

    #[inline(always)]
    fn xor_blocks(self, a: Block, b: Block) -> Block {
        let keystream = match (a.keystream, b.keystream) {
            (Some(mut a), Some(b)) => {
                for (a, b) in a.iter_mut().zip(b) {
                    *a = self.xor(*a, b);
                }
                Some(a)
            }
            (a, b) => a.or(b),
        };
        // SAFETY: `self` proves AVX-512 F, of which AVX2 is a part; SSE2 belongs to x86-64.
        let (two, last) = unsafe {
            (
                _mm256_xor_si256(a.two, b.two),
                _mm_xor_si128(a.last, b.last),
            )
        };
        Block {
            two,
            last,
            sliced: self.xor(a.sliced, b.sliced),
            keystream,
        }
    }

    #[inline(always)]
    fn f(self, s: State) -> Planes {
        let [x0, x1, x2, x3] = self.sbox(s.planes);
        self.sbox([
            self.linear(x0),
            self.linear(x1),
            self.linear(x2),
            self.linear(x3),
        ])
    }

    #[inline(always)]
    fn f_and_sums(self, mut s: State) -> Planes {
        let [first, second] = &PHASES[s.phase].sums;
        for plane in &mut s.planes {
            *plane = self.xor(self.pick(first, *plane), self.pick(second, *plane));
        }
        self.f(s)
    }

    #[inline(always)]
    fn round(self, images: Planes, s: State, x: Block) -> State {
        let phase = &PHASES[s.phase];
        let mut planes = images;
        for (j, plane) in planes.iter_mut().enumerate() {
            let words = self.pick(&phase.addends, s.planes[j]);
            let block = self.pick(&phase.absorb[j], x.sliced);
            *plane = self.xor3(*plane, words, block);
            if let Some(keystream) = x.keystream {
                *plane = self.xor(*plane, self.pick(&phase.absorb_sums, keystream[j]));
            }
        }
        State {
            planes,
            phase: if s.phase == 8 { 0 } else { s.phase + 1 },
        }
    }

    #[inline(always)]
    fn keystream(self, images: Planes, s: State) -> Block {
        let mut planes = images;
        for (plane, old) in planes.iter_mut().zip(s.planes) {
            *plane = self.xor(*plane, self.pick(&PHASES[s.phase].addends, old));
        }
        let bytes = self.unslice(planes);
        // SAFETY: `self` proves AVX-512 F.
        let (two, last) = unsafe {
            (
                _mm512_castsi512_si256(bytes),
                _mm512_extracti32x4_epi32::<2>(bytes),
            )
        };
        Block {
            two,
            last,
            sliced: self.zero(),
            keystream: Some(planes),
        }
    }

    #[inline(always)]
    fn fold(self, s: State) -> Word {
        let [p0, p1, p2, p3] = s.planes;
        let sum = self.unslice([self.sum(p0), self.sum(p1), self.sum(p2), self.sum(p3)]);
        let mut word = [0; 16];
        // SAFETY: `word` are 16 writable bytes and the store wants no alignment; AVX-512 F by
        // `self`.
        unsafe { _mm_storeu_si128(word.as_mut_ptr().cast(), _mm512_castsi512_si128(sum)) };
        word
    }
}

impl Avx512 {
    #[inline(always)]
    fn zero(self) -> __m512i {
        // SAFETY: `self` proves AVX-512 F.
        unsafe { _mm512_setzero_si512() }
    }

    #[inline(always)]
    fn xor(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: `self` proves AVX-512 F.
        unsafe { _mm512_xor_si512(a, b) }
    }

    #[inline(always)]
    fn xor3(self, a: __m512i, b: __m512i, c: __m512i) -> __m512i {
        // SAFETY: `self` proves AVX-512 F.
        unsafe { _mm512_ternarylogic_epi64::<0x96>(a, b, c) }
    }

    #[inline(always)]
    fn load(self, index: &Index) -> __m512i {
        // SAFETY: `index` are 64 readable bytes, aligned; AVX-512 F by `self`.
        unsafe { _mm512_load_si512(index.0.as_ptr().cast()) }
    }

    #[inline(always)]
    fn pick(self, index: &Index, x: __m512i) -> __m512i {
        // SAFETY: `self` proves AVX-512 VBMI.
        unsafe { _mm512_permutexvar_epi8(self.load(index), x) }
    }

    /// The S-box of Orthros in seven three-input functions, two deep; the unit tests compare F
    /// with the table. [AETHER, table 2]
    #[inline(always)]
    fn sbox(self, [x0, x1, x2, x3]: Planes) -> Planes {
        // SAFETY: `self` proves AVX-512 F.
        unsafe {
            let h0 = _mm512_ternarylogic_epi64::<0xdc>(x0, x2, x3);
            let h1 = _mm512_ternarylogic_epi64::<0xc4>(x0, x1, x3);
            let h2 = _mm512_ternarylogic_epi64::<0xc4>(x1, x2, x3);
            [
                _mm512_ternarylogic_epi64::<0x85>(x0, x2, h1),
                _mm512_ternarylogic_epi64::<0x5e>(x0, x1, h0),
                _mm512_ternarylogic_epi64::<0xe8>(x3, h0, h1),
                _mm512_ternarylogic_epi64::<0x64>(x0, x3, h2),
            ]
        }
    }

    /// Permutation . MatrixMul on one plane. The permutation comes before the second S-box, which
    /// treats all nibbles alike.
    #[inline(always)]
    fn linear(self, x: __m512i) -> __m512i {
        let [even, odd] = MATRICES.map(|m| self.quarters(m));
        // SAFETY: `self` proves AVX-512 F and GFNI.
        unsafe {
            let first = _mm512_shuffle_epi32::<0b10_00_10_00>(x);
            let second = _mm512_shuffle_epi32::<0b11_01_11_01>(x);
            let first = _mm512_gf2p8affine_epi64_epi8::<0>(first, even);
            let second = _mm512_gf2p8affine_epi64_epi8::<0>(second, odd);
            _mm512_xor_si512(first, second)
        }
    }

    /// The same two integers in every quarter.
    #[inline(always)]
    fn quarters(self, [low, high]: [u64; 2]) -> __m512i {
        let (low, high) = (low as i64, high as i64);
        // SAFETY: `self` proves AVX-512 F.
        unsafe { _mm512_set_epi64(high, low, high, low, high, low, high, low) }
    }

    /// Three words to bytes of planes, in the order of `layout::sliced_at`: each eight nibbles
    /// become the rows of a bit matrix, whose columns are the planes. Loads repeat the words all
    /// over the register, so no shuffle does.
    #[inline(always)]
    fn slice(self, two: __m256i, last: __m128i) -> __m512i {
        let even = i64::from_le_bytes(NIBBLES);
        let odd = even + 0x2020_2020_2020_2020;
        let low = self.quarters([0x0804_0201; 2]);
        // SAFETY: `self` proves AVX-512 F and VBMI, and GFNI.
        unsafe {
            let offsets = _mm512_set_epi64(odd, odd, odd, odd, even, even, even, even);
            let two = _mm512_multishift_epi64_epi8(offsets, _mm512_broadcast_i64x4(two));
            // The last four columns are zero, and so is what they select.
            let high = 0x0804_0201 << 32;
            let high = _mm512_set_epi64(0, 0, 0, 0, high, high, high, high);
            let offsets = _mm512_set_epi64(odd, odd, even, even, odd, odd, even, even);
            let last = _mm512_multishift_epi64_epi8(offsets, _mm512_broadcast_i32x4(last));
            let two = _mm512_gf2p8affine_epi64_epi8::<0>(low, two);
            let last = _mm512_gf2p8affine_epi64_epi8::<0>(high, last);
            _mm512_or_si512(two, last)
        }
    }

    /// The words in the slots of the sums, as bytes in memory. The planes of eight nibbles become
    /// the rows of a bit matrix, once as they are, for the low nibble of a byte, and once moved by
    /// one bit, for the high nibble, which stands one bit before; the columns are the bytes.
    #[inline(always)]
    fn unslice(self, planes: Planes) -> __m512i {
        let low = self.quarters([0x8020_0802; 2]);
        let high = self.quarters([0x8020_0802 << 32; 2]);
        // SAFETY: `self` proves AVX-512 F, BW and VBMI, and GFNI.
        unsafe {
            let first = _mm512_shuffle_i64x2::<0b11_11_11_11>(planes[0], planes[1]);
            let second = _mm512_shuffle_i64x2::<0b11_11_11_11>(planes[2], planes[3]);
            let all = _mm512_shuffle_i64x2::<0b10_00_10_00>(first, second);
            // Bits that cross into the next byte arrive at bit 0, which is in no column.
            let moved = self.quarters([0x0001_0001; 2]);
            let two = _mm512_sllv_epi16(self.pick(&ROWS[0], all), moved);
            let last = _mm512_sllv_epi16(self.pick(&ROWS[1], all), moved);
            let two = _mm512_gf2p8affine_epi64_epi8::<0>(low, two);
            let last = _mm512_gf2p8affine_epi64_epi8::<0>(high, last);
            let order = _mm512_set_epi32(0, 0, 0, 0, 7, 5, 3, 1, 14, 12, 10, 8, 6, 4, 2, 0);
            _mm512_permutexvar_epi32(order, _mm512_or_si512(two, last))
        }
    }

    /// The sum of the nine words of a plane, in the first slot of the sums.
    #[inline(always)]
    fn sum(self, plane: __m512i) -> __m512i {
        // SAFETY: `self` proves AVX-512 F; the rest belongs to x86-64.
        unsafe {
            let (a, b) = (
                _mm512_castsi512_si128(plane),
                _mm512_extracti32x4_epi32::<1>(plane),
            );
            let four = _mm_xor_si128(_mm_xor_si128(a, b), _mm512_extracti32x4_epi32::<2>(plane));
            let two = _mm_xor_si128(four, _mm_srli_epi32::<16>(four));
            let one = _mm_xor_si128(two, _mm_srli_epi32::<8>(two));
            _mm512_inserti32x4::<3>(self.zero(), one)
        }
    }
}
