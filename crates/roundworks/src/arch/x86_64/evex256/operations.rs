//! Operations on the planes of a state and of a block.

use core::arch::asm;
use core::arch::x86_64::*;

use hybrid_array::Array;
use hybrid_array::typenum::U48;
use inout::InOut;

use super::layout::{BITS, Index, Moves, PHASES, PLANES, ROWS, SLOTS};
use super::{Evex256, Planes, State, Two};
use crate::arch::x86_64::avx512::cells::{BACK, BACK_COLUMNS, COLUMNS, HIGH, LOW, STAY, TO_BITS};

impl Evex256 {
    #[inline(always)]
    pub(super) fn zero(self) -> __m256i {
        // SAFETY: `self` proves AVX.
        unsafe { _mm256_setzero_si256() }
    }

    #[inline(always)]
    pub(super) fn xor(self, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: `self` proves AVX2.
        unsafe { pin(_mm256_xor_si256(a, b)) }
    }

    #[inline(always)]
    pub(super) fn xor_two(self, a: Two, b: Two) -> Two {
        [self.xor(a[0], b[0]), self.xor(a[1], b[1])]
    }

    #[inline(always)]
    pub(super) fn xor_planes(self, mut a: Planes, b: Planes) -> Planes {
        for (a, b) in a.iter_mut().zip(b) {
            *a = self.xor(*a, b);
        }
        a
    }

    #[inline(always)]
    pub(super) fn bytes(self, bytes: &[u8; 48]) -> Two {
        let (two, last) = bytes.split_at(32);
        // SAFETY: 32 and 16 readable bytes, which need no alignment; AVX by `self`.
        unsafe {
            let last = _mm_loadu_si128(last.as_ptr().cast());
            [
                _mm256_loadu_si256(two.as_ptr().cast()),
                _mm256_zextsi128_si256(last),
            ]
        }
    }

    #[inline(always)]
    pub(super) fn store_bytes(self, bytes: Two, to: &mut [u8; 48]) {
        let (two, last) = to.split_at_mut(32);
        // SAFETY: 32 and 16 writable bytes, which need no alignment; AVX by `self`.
        unsafe {
            _mm256_storeu_si256(two.as_mut_ptr().cast(), bytes[0]);
            _mm_storeu_si128(last.as_mut_ptr().cast(), _mm256_castsi256_si128(bytes[1]));
        }
    }

    #[inline(always)]
    pub(super) fn load(self, index: &Index) -> __m256i {
        // SAFETY: `index` are 32 readable bytes, aligned; AVX by `self`.
        unsafe { _mm256_load_si256(index.0.as_ptr().cast()) }
    }

    #[inline(always)]
    pub(super) fn pick(self, index: &Index, x: __m256i) -> __m256i {
        // SAFETY: `self` proves AVX-512 VL and VBMI.
        unsafe { pin(_mm256_permutexvar_epi8(self.load(index), x)) }
    }

    /// The same shuffle of every register.
    #[inline(always)]
    pub(super) fn pick_all(self, index: &Index, mut planes: Planes) -> Planes {
        for plane in &mut planes {
            *plane = self.pick(index, *plane);
        }
        planes
    }

    #[inline(always)]
    pub(super) fn pick_two(self, index: &Index, [low, high]: Two) -> __m256i {
        // SAFETY: `self` proves AVX-512 VL and VBMI.
        unsafe { pin(_mm256_permutex2var_epi8(low, self.load(index), high)) }
    }

    /// A shuffle of each register and of the planes of a block to which it belongs.
    #[inline(always)]
    pub(super) fn pick_each(self, moves: &Moves, mut planes: Planes, x: Two) -> Planes {
        for (r, plane) in planes.iter_mut().enumerate() {
            *plane = self.pick_two(&moves[r / 4][r % 2], [*plane, x[r % 4 / 2]]);
        }
        planes
    }

    /// The round, given the images of `s`; with those of its sums, the keystream is in their slots after it.
    #[inline(always)]
    pub(super) fn absorb(self, images: Planes, s: State, x: Two) -> State {
        let mut planes = images;
        for r in 0..8 {
            let addend = self.pick_two(
                &PHASES[s.phase].addends[r / 4][r % 2],
                [s.planes[r], x[r % 4 / 2]],
            );
            planes[r] = self.xor(planes[r], addend);
        }
        State {
            planes,
            phase: if s.phase == 8 { 0 } else { s.phase + 1 },
        }
    }

    /// The same two integers in both halves.
    #[inline(always)]
    pub(super) fn halves(self, [low, high]: [u64; 2]) -> __m256i {
        let (low, high) = (low as i64, high as i64);
        // SAFETY: `self` proves AVX.
        unsafe { _mm256_set_epi64x(high, low, high, low) }
    }

    /// A block, as it stands in memory, to its planes.
    #[inline(always)]
    pub(super) fn slice(self, bytes: Two) -> Two {
        let words = [self.slice_words(bytes[0]), self.slice_words(bytes[1])];
        [
            self.pick_two(&PLANES[0], words),
            self.pick_two(&PLANES[1], words),
        ]
    }

    /// Words to bytes of planes; see `cells::COLUMNS`.
    #[inline(always)]
    pub(super) fn slice_words(self, bytes: __m256i) -> __m256i {
        // SAFETY: `self` proves AVX-512 VL and VBMI, and GFNI.
        unsafe {
            let low = _mm256_multishift_epi64_epi8(self.halves(LOW), bytes);
            let high = _mm256_multishift_epi64_epi8(self.halves(HIGH), bytes);
            let low_halves = _mm256_set1_epi8(0x0f);
            let rows = _mm256_ternarylogic_epi64::<0xca>(low_halves, low, high);
            _mm256_gf2p8affine_epi64_epi8::<0>(self.halves(COLUMNS), rows)
        }
    }

    /// A block, with keystream added to it.
    #[inline(always)]
    pub(super) fn put(self, mut block: InOut<'_, '_, Array<u8, U48>>, rows: Two) {
        let bytes = self.bytes(&block.get_in().0);
        self.store_bytes(
            self.xor_two(bytes, self.unslice_rows(rows)),
            &mut block.get_out().0,
        );
    }

    /// The words in the slots of the sums, as bytes in memory.
    #[inline(always)]
    pub(super) fn unslice(self, planes: Planes) -> Two {
        self.unslice_rows(self.keystream_rows(planes))
    }

    #[inline(always)]
    pub(super) fn keystream_rows(self, [p0, p1, p2, p3, q0, q1, q2, q3]: Planes) -> Two {
        [
            self.sum_slots(p0, p1, p2, p3),
            self.sum_slots(q0, q1, q2, q3),
        ]
    }

    /// See `cells::BACK_COLUMNS`. Step by step for both, as each step waits for the one before.
    #[inline(always)]
    pub(super) fn unslice_rows(self, all: Two) -> Two {
        let mut words = [self.pick_two(&ROWS[0], all), self.pick_two(&ROWS[1], all)];
        // SAFETY: `self` proves AVX-512 VL and VBMI, and GFNI.
        unsafe {
            for rows in &mut words {
                let columns = self.halves(BACK_COLUMNS);
                *rows = pin(_mm256_gf2p8affine_epi64_epi8::<0>(columns, *rows));
            }
            let mut moved = words;
            for nibbles in &mut moved {
                *nibbles = pin(_mm256_multishift_epi64_epi8(
                    self.halves([BACK; 2]),
                    *nibbles,
                ));
            }
            for (stay, moved) in words.iter_mut().zip(moved) {
                let which = self.halves([STAY; 2]);
                *stay = pin(_mm256_ternarylogic_epi64::<0xca>(which, *stay, moved));
            }
            for planes in &mut words {
                let to_bits = self.halves([TO_BITS; 2]);
                *planes = pin(_mm256_gf2p8affine_epi64_epi8::<0>(*planes, to_bits));
            }
        }
        words
    }

    /// Slots 12 to 15 of four registers.
    #[inline(always)]
    pub(super) fn sum_slots(self, a: __m256i, b: __m256i, c: __m256i, d: __m256i) -> __m256i {
        // SAFETY: `self` proves AVX2.
        unsafe {
            let (a, b) = (_mm256_castsi256_ps(a), _mm256_castsi256_ps(b));
            let (c, d) = (_mm256_castsi256_ps(c), _mm256_castsi256_ps(d));
            let ab = _mm256_castps_si256(_mm256_shuffle_ps::<0b11_01_11_01>(a, b));
            let cd = _mm256_castps_si256(_mm256_shuffle_ps::<0b11_01_11_01>(c, d));
            _mm256_permute2x128_si256::<0x31>(ab, cd)
        }
    }

    /// The sum of the nine words of a plane, in every slot. Bits are transposed twice, and added on the way.
    #[inline(always)]
    pub(super) fn sum(self, plane: __m256i) -> __m256i {
        let [a, b, c, d] = SLOTS.map(|bits| bits as i64);
        // SAFETY: `self` proves AVX-512 VL, and GFNI.
        unsafe {
            let bits = _mm256_gf2p8affine_epi64_epi8::<0>(_mm256_set1_epi64x(BITS as i64), plane);
            let slots = _mm256_set_epi64x(d, c, b, a);
            let halves = _mm256_gf2p8affine_epi64_epi8::<0>(slots, bits);
            self.xor(halves, _mm256_permute4x64_epi64::<0b01_00_11_10>(halves))
        }
    }
}

/// Its argument, which the compiler does not know: so operations stay in the order in which they are written. In the
/// compiler's own long messages took longer on Zen 4, where no more than two operations of three registers begin
/// in a cycle.
#[target_feature(enable = "avx512f,avx512vl")]
#[inline]
pub(super) fn pin(mut x: __m256i) -> __m256i {
    // SAFETY: no instruction.
    unsafe { asm!("/* {0:y} */", inout(zmm_reg) x, options(nomem, nostack, preserves_flags)) }
    x
}
