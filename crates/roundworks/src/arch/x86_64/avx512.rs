//! AETHER with AVX-512 and GFNI: four bit planes, each one register, hold the whole state, so one
//! pass of F serves all nine words and the three keystream sums. No lookup, so the time depends on
//! no secret; the tables below are indexed by the number of rounds done.
//!
//! A plane has 16 slots, one for each word: 0 to 8 the state, 12 to 14 the sums. Bit t of byte k of
//! a word's plane belongs to a nibble that `cells` names. Words do not move: F writes its image over its word,
//! and what is S\[i\] becomes S\[i + 1\] by name only. So the place of a word depends on the rounds
//! done so far: the phase.

mod blocks;
pub(super) mod cells;
mod decrypt;
mod encrypt;
mod layout;
mod rounds;
mod sixteen;

use core::arch::x86_64::*;
use core::array::from_fn;
use core::hint::black_box;

use hybrid_array::Array;
use hybrid_array::typenum::U48;
use inout::InOutBuf;

use super::Avx512;
use crate::aether::{Lanes, Variant, Word, run_many};
use crate::arch::entry::clear_stack;
use crate::stream::{Batch, Direction, Lane};
use cells::{BACK, BACK_COLUMNS, COLUMNS, HIGH, LOW, OTHER, OWN, STAY, TO_BITS};
use layout::{Index, LOAD, PHASES};

/// Sums of bits as `cells::PLANES` has them.
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
    /// As it stands in memory, then zeros.
    bytes: __m512i,
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
        // SAFETY: `self` proves AVX-512 F.
        let bytes = unsafe { load(bytes) };
        Block {
            bytes,
            sliced: self.slice(bytes),
            keystream: None,
        }
    }

    #[inline(always)]
    fn store(self, block: Block, to: &mut [u8; 48]) {
        // SAFETY: `self` proves AVX-512 F.
        unsafe { store(block.bytes, to) }
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
        Block {
            bytes: self.xor(a.bytes, b.bytes),
            sliced: self.xor(a.sliced, b.sliced),
            keystream,
        }
    }

    #[inline(always)]
    fn f(self, s: State) -> Planes {
        let exchange = &PHASES[s.phase].exchange;
        // SAFETY: `self` proves AVX-512 F.
        let [x0, x1, x2, x3] = unsafe { sbox(s.planes) };
        let x = [
            self.linear(exchange, x0),
            self.linear(exchange, x1),
            self.linear(exchange, x2),
            self.linear(exchange, x3),
        ];
        // SAFETY: as above.
        unsafe { sbox(x) }
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
            phase: if s.phase == 17 { 0 } else { s.phase + 1 },
        }
    }

    #[inline(always)]
    fn all_rounds(self, s: State, x: Block) -> State {
        // SAFETY: `self` proves the features that are enabled there.
        unsafe { rounds::rounds(self, s, x.sliced) }
    }

    #[inline(always)]
    fn keystream(self, images: Planes, s: State) -> Block {
        let mut planes = images;
        for (plane, old) in planes.iter_mut().zip(s.planes) {
            *plane = self.xor(*plane, self.pick(&PHASES[s.phase].addends, old));
        }
        Block {
            bytes: self.unslice(&PHASES[s.phase].rows, planes),
            sliced: self.zero(),
            keystream: Some(planes),
        }
    }

    #[inline(always)]
    fn fold(self, s: State) -> Word {
        let [p0, p1, p2, p3] = s.planes;
        let rows = &PHASES[(s.phase + 17) % 18].rows;
        let sums = [self.sum(p0), self.sum(p1), self.sum(p2), self.sum(p3)];
        let sum = self.unslice(rows, sums);
        let mut word = [0; 16];
        // SAFETY: `word` are 16 writable bytes and the store wants no alignment; AVX-512 F by
        // `self`.
        unsafe { _mm_storeu_si128(word.as_mut_ptr().cast(), _mm512_castsi512_si128(sum)) };
        word
    }

    #[inline(always)]
    fn encrypt_blocks(self, s: State, blocks: InOutBuf<'_, '_, Array<u8, U48>>) -> State {
        // SAFETY: as in `all_rounds`.
        unsafe { encrypt::encrypt(self, s, blocks) }
    }

    #[inline(always)]
    fn decrypt_blocks(self, s: State, blocks: InOutBuf<'_, '_, Array<u8, U48>>) -> State {
        // SAFETY: as in `all_rounds`.
        unsafe { decrypt::decrypt(self, s, blocks) }
    }

    const WIDTH: usize = 16;

    /// Measured on an Intel core; what is encrypted one by one gets ahead with its length.
    fn pays(count: usize, bytes: usize, direction: Direction) -> bool {
        count
            >= match (direction, bytes) {
                (Direction::Decrypt, _) | (_, 0..=256) => 9,
                (_, 257..=1024) => 10,
                (_, 1025..=4096) => 11,
                _ => 12,
            }
    }

    #[inline(always)]
    fn many<V: Variant>(self, key: &[u8; 32], batch: Batch<'_, '_>) {
        #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
        fn many<V: Variant>(
            cpu: Avx512,
            key: &[u8; 32],
            lanes: &mut [Lane<'_, [u8; 16]>],
            direction: Direction,
        ) {
            run_many::<V, _, 16>(cpu, key, lanes, direction);
        }
        // By a pointer: rustc 1.95 does not heed `inline(never)` where target features are.
        let many: unsafe fn(_, &_, &mut _, _) = many::<V>;
        let (direction, count) = (batch.direction, batch.messages.len());
        let mut lanes: [_; 16] = from_fn(|_| Lane::default());
        for ((lane, m), tag) in lanes.iter_mut().zip(batch.messages).zip(batch.tags) {
            *lane = Lane::of(m, tag, direction);
        }
        // SAFETY: as in `all_rounds`.
        unsafe { black_box(many)(self, key, &mut lanes[..count], direction) };
        clear_stack::<MANY_STACK>();
    }
}

/// Times 256 bytes of stack: what sixteen messages leave, which have 4608 bytes of state alone.
const MANY_STACK: usize = 84;

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

    /// Permutation . MatrixMul on one plane. The permutation comes before the second S-box, which
    /// treats all nibbles alike.
    #[inline(always)]
    fn linear(self, exchange: &Index, x: __m512i) -> __m512i {
        let [own, other] = [OWN, OTHER].map(|m| self.quarters(m));
        let exchange = self.load(exchange);
        // SAFETY: `self` proves AVX-512 F and BW, and GFNI.
        unsafe {
            let exchanged = _mm512_shuffle_epi8(x, exchange);
            let own = _mm512_gf2p8affine_epi64_epi8::<0>(x, own);
            let other = _mm512_gf2p8affine_epi64_epi8::<0>(exchanged, other);
            _mm512_xor_si512(own, other)
        }
    }

    /// The same two integers in every quarter.
    #[inline(always)]
    fn quarters(self, [low, high]: [u64; 2]) -> __m512i {
        let (low, high) = (low as i64, high as i64);
        // SAFETY: `self` proves AVX-512 F.
        unsafe { _mm512_set_epi64(high, low, high, low, high, low, high, low) }
    }

    /// Three words to bytes of planes, in the order of `layout::sliced_at`; see `cells::COLUMNS`.
    #[inline(always)]
    fn slice(self, bytes: __m512i) -> __m512i {
        // SAFETY: `self` proves AVX-512 F and VBMI, and GFNI.
        unsafe {
            let low = _mm512_multishift_epi64_epi8(self.quarters(LOW), bytes);
            let high = _mm512_multishift_epi64_epi8(self.quarters(HIGH), bytes);
            let low_halves = _mm512_set1_epi8(0x0f);
            let rows = _mm512_ternarylogic_epi64::<0xca>(low_halves, low, high);
            // Zero in the last quarter, whatever is there.
            let columns = _mm512_maskz_mov_epi64(0b11_1111, self.quarters(COLUMNS));
            _mm512_gf2p8affine_epi64_epi8::<0>(columns, rows)
        }
    }

    /// The words in the slots of the sums, as bytes in memory; see `cells::BACK_COLUMNS`.
    #[inline(always)]
    fn unslice(self, rows: &Index, planes: Planes) -> __m512i {
        // SAFETY: `self` proves AVX-512 F and VBMI, and GFNI.
        unsafe {
            let first = _mm512_shuffle_i64x2::<0b11_11_11_11>(planes[0], planes[1]);
            let second = _mm512_shuffle_i64x2::<0b11_11_11_11>(planes[2], planes[3]);
            self.unslice_quarters(rows, _mm512_shuffle_i64x2::<0b10_00_10_00>(first, second))
        }
    }

    /// The same, with that quarter of each plane.
    #[inline(always)]
    fn unslice_quarters(self, rows: &Index, all: __m512i) -> __m512i {
        let rows = self.pick(rows, all);
        // SAFETY: `self` proves AVX-512 F and VBMI, and GFNI.
        unsafe {
            let rows = _mm512_gf2p8affine_epi64_epi8::<0>(self.quarters(BACK_COLUMNS), rows);
            let moved = _mm512_multishift_epi64_epi8(self.quarters([BACK; 2]), rows);
            let bytes = _mm512_ternarylogic_epi64::<0xca>(self.quarters([STAY; 2]), rows, moved);
            _mm512_gf2p8affine_epi64_epi8::<0>(bytes, self.quarters([TO_BITS; 2]))
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

/// A block, then zeros.
#[target_feature(enable = "avx512f")]
#[inline]
fn load(bytes: &[u8; 48]) -> __m512i {
    let (two, last) = bytes.split_at(32);
    // SAFETY: 32 and 16 readable bytes, which need no alignment.
    let (two, last) = unsafe {
        (
            _mm256_loadu_si256(two.as_ptr().cast()),
            _mm_loadu_si128(last.as_ptr().cast()),
        )
    };
    _mm512_inserti32x4::<2>(_mm512_zextsi256_si512(two), last)
}

/// The first three quarters.
#[target_feature(enable = "avx512f")]
#[inline]
fn store(bytes: __m512i, to: &mut [u8; 48]) {
    let (two, last) = to.split_at_mut(32);
    // SAFETY: 32 and 16 writable bytes, which need no alignment.
    unsafe {
        _mm256_storeu_si256(two.as_mut_ptr().cast(), _mm512_castsi512_si256(bytes));
        let word = _mm512_extracti32x4_epi32::<2>(bytes);
        _mm_storeu_si128(last.as_mut_ptr().cast(), word);
    }
}

/// The S-box of Orthros on the planes of `cells`; the unit tests compare F with the table.
/// [AETHER, table 2]
#[target_feature(enable = "avx512f")]
#[inline]
fn sbox([x0, x1, x2, x3]: Planes) -> Planes {
    let h0 = _mm512_ternarylogic_epi64::<0x6b>(x2, x1, x0);
    let h1 = _mm512_ternarylogic_epi64::<0x34>(h0, x3, x0);
    [
        _mm512_ternarylogic_epi64::<0xac>(h1, x2, x0),
        _mm512_ternarylogic_epi64::<0xe8>(h1, h0, x1),
        _mm512_ternarylogic_epi64::<0x2c>(h1, x3, x2),
        _mm512_ternarylogic_epi64::<0xd8>(x3, x1, x0),
    ]
}
