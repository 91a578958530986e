//! 64 blocks of Minalpher in 32 registers of AVX-512: bit b of row r of matrix m is one register,
//! a byte of it is one block, a bit of that byte one of the eight columns.

mod layout;
mod rounds;
mod slices;

use core::arch::x86_64::*;

use super::super::Avx512;
use crate::minalpher::lanes::{BEFORE, BLOCK, Lanes, Schedule};
use layout::{LAST, ROUND, SPREAD};

/// Proves what the token in it proves.
#[derive(Clone, Copy)]
pub(crate) struct Wide512 {
    _cpu: Avx512,
    /// Whether this CPU computes 512 bits in two passes; a matter of speed alone.
    halves: bool,
}

/// Plane b of row r of matrix m is number 16 m + 4 r + b.
type Planes = [__m512i; 32];

/// The tweaks of 64 blocks. A row of a matrix is four consecutive bytes of the tweak sequence, so
/// its planes are a window of the planes of four consecutive bytes, a byte for each place.
pub(crate) struct Tweaks {
    rows: [Window; 4],
    /// What row 3 of B has in addition, in its last three bytes.
    addends: [__m512i; 4],
    /// Powers of y from block to block: 2 to this.
    shift: u32,
}

/// Bit b of four consecutive bytes of the sequence, for each place.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Window([u8; 96]);

impl Wide512 {
    #[inline(always)]
    pub(super) fn new(cpu: Avx512, halves: bool) -> Self {
        Self { _cpu: cpu, halves }
    }

    /// For tests on any CPU.
    #[cfg(test)]
    pub(crate) fn other(self) -> Self {
        Self::new(self._cpu, !self.halves)
    }
}

impl Lanes for Wide512 {
    const BLOCKS: usize = 64;
    type Bytes = [u8; 64 * BLOCK];
    type State = Planes;
    type Tweaks = Tweaks;

    #[inline(always)]
    fn zero(self) -> Planes {
        // SAFETY: the token proves AVX-512 F.
        unsafe { [_mm512_setzero_si512(); 32] }
    }

    #[inline(always)]
    fn bytes(self) -> [u8; 64 * BLOCK] {
        [0; 64 * BLOCK]
    }

    #[inline(always)]
    fn load(self, from: &[u8], to: &mut Planes) {
        let from: &[u8; 64 * BLOCK] = from.try_into().expect("64 blocks");
        for half in 0..2 {
            let rows = self.transpose(sixteen!(g => self.gather(from, half, g)));
            for (i, v) in rows.into_iter().enumerate() {
                let (row, m, b) = (2 * half + i / 8, i / 4 % 2, i % 4);
                to[16 * m + 4 * row + b] = v;
            }
        }
    }

    #[inline(always)]
    fn store(self, x: &Planes, to: &mut [u8]) {
        let to: &mut [u8; 64 * BLOCK] = to.try_into().expect("64 blocks");
        for half in 0..2 {
            // Backwards: the transposition of bits turns the order round.
            let rows = sixteen!(i => {
                let (row, m, b) = (2 * half + i / 8, 1 - i / 4 % 2, 3 - i % 4);
                x[16 * m + 4 * row + b]
            });
            for (g, v) in self.transpose(rows).into_iter().enumerate() {
                self.scatter(v, to, half, g);
            }
        }
    }

    #[inline(always)]
    fn add(self, to: &mut Planes, x: &Planes) {
        for (to, x) in to.iter_mut().zip(x) {
            // SAFETY: the token proves AVX-512 F.
            *to = unsafe { _mm512_xor_si512(*to, *x) };
        }
    }

    #[inline(always)]
    fn every(self, window: &[u8]) -> Tweaks {
        let w: &[u8; 128] = window[BEFORE..].first_chunk().expect("a window of 64");
        self.spread([&w[..], &w[1..], &w[2..], &w[3..]], 0)
    }

    #[inline(always)]
    fn pairs(self, window: &[u8]) -> [Tweaks; 2] {
        let w: &[u8; 192] = window[BEFORE..].first_chunk().expect("a window of 128");
        let mut first = [0; 160];
        let mut second = [0; 160];
        for at in [0, 32, 64] {
            // SAFETY: 64 bytes at 2 `at` of `w`, 32 at `at` of the others; AVX-512 BW by the token.
            unsafe {
                let both = _mm512_loadu_si512(w.as_ptr().add(2 * at).cast());
                let even = _mm512_cvtepi16_epi8(both);
                let odd = _mm512_cvtepi16_epi8(_mm512_srli_epi16::<8>(both));
                _mm256_storeu_si256(first.as_mut_ptr().add(at).cast(), even);
                _mm256_storeu_si256(second.as_mut_ptr().add(at).cast(), odd);
            }
        }
        let (a, b) = (&first[..], &second[..]);
        [
            self.spread([a, b, &a[1..], &b[1..]], 1),
            self.spread([b, &a[1..], &b[1..], &a[2..]], 1),
        ]
    }

    #[inline(always)]
    fn mask(self, x: &mut Planes, tweaks: &Tweaks) {
        *x = tweaks.added_to(self, x);
    }

    #[inline(always)]
    fn permute(self, x: &mut Planes, schedule: &Schedule) {
        let tweaks = Tweaks::zero(self);
        // SAFETY: the token proves all five.
        unsafe {
            if self.halves {
                tem::<false, true>(self, x, &tweaks, schedule);
            } else {
                tem::<false, false>(self, x, &tweaks, schedule);
            }
        }
    }

    #[inline(always)]
    fn tem(self, x: &mut Planes, tweaks: &Tweaks, schedule: &Schedule) {
        // SAFETY: the token proves all five.
        unsafe {
            if self.halves {
                tem::<true, true>(self, x, tweaks, schedule);
            } else {
                tem::<true, false>(self, x, tweaks, schedule);
            }
        }
    }
}

#[repr(align(64))]
struct Aligned(#[allow(dead_code)] u8);

#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
fn tem<const MASKED: bool, const HALVES: bool>(
    lanes: Wide512,
    state: &mut Planes,
    tweaks: &Tweaks,
    schedule: &Schedule,
) {
    // With something aligned on it the compiler aligns the stack, and the registers that it keeps
    // there do not straddle cache lines.
    core::hint::black_box(&mut Aligned(schedule[0]));
    let mut x = if MASKED {
        tweaks.added_to(lanes, state)
    } else {
        *state
    };
    for (i, &number) in schedule.iter().enumerate() {
        let frame = &ROUND[i % 8];
        lanes.substitute::<false>(&mut x, &frame.matrices);
        let columns = &frame.columns[usize::from(number % 16)];
        lanes.mix::<HALVES>(&mut x, columns, frame.four);
    }
    lanes.substitute::<true>(&mut x, &LAST);
    *state = if MASKED {
        tweaks.added_to(lanes, &x)
    } else {
        x
    };
}

impl Tweaks {
    #[inline(always)]
    fn zero(lanes: Wide512) -> Self {
        Self {
            rows: [Window([0; 96]); 4],
            addends: [lanes.zero()[0]; 4],
            shift: 0,
        }
    }

    /// Written out, so that the sums stay in registers.
    #[inline(always)]
    fn added_to(&self, lanes: Wide512, x: &Planes) -> Planes {
        let a = sixteen!(i => self.plane(0, i / 4, i % 4, x[i]));
        let mut b = sixteen!(i => self.plane(1, i / 4, i % 4, x[16 + i]));
        for (last, addend) in b[12..].iter_mut().zip(self.addends) {
            // SAFETY: only a `Wide512`, which proves AVX-512 F, makes tweaks.
            *last = unsafe { _mm512_xor_si512(*last, addend) };
        }
        let mut sum = lanes.zero();
        sum[..16].copy_from_slice(&a);
        sum[16..].copy_from_slice(&b);
        sum
    }

    #[inline(always)]
    fn plane(&self, m: usize, row: usize, b: usize, x: __m512i) -> __m512i {
        let at = (8 * row + 4 * m) >> self.shift;
        assert!(at <= 28);
        // SAFETY: 64 bytes from there are in a window; only a `Wide512`, which proves AVX-512 F,
        // makes tweaks.
        unsafe {
            let tweak = self.rows[b].0.as_ptr().add(at).cast();
            _mm512_xor_si512(x, _mm512_loadu_si512(tweak))
        }
    }
}

impl Wide512 {
    /// `bytes[p][x]` is byte p of the window of block x.
    #[inline(always)]
    fn spread(self, bytes: [&[u8]; 4], shift: u32) -> Tweaks {
        let mut tweaks = Tweaks {
            shift,
            ..Tweaks::zero(self)
        };
        for (b, row) in tweaks.rows.iter_mut().enumerate() {
            let matrices = &SPREAD[b];
            // SAFETY: 96 bytes of each of `bytes`, checked here, and of `row`; AVX-512 F and VL,
            // and GFNI by the token.
            unsafe {
                let mut from = [bytes[0].as_ptr(); 4];
                for p in 0..4 {
                    from[p] = bytes[p][..96].as_ptr();
                }
                let mut x = [_mm512_setzero_si512(); 4];
                let mut y = [_mm256_setzero_si256(); 4];
                let mut addends = [_mm512_setzero_si512(); 4];
                let addend = [
                    matrices[1] ^ matrices[2],
                    matrices[2] ^ matrices[3],
                    matrices[3],
                    0,
                ];
                for p in 0..4 {
                    let v = _mm512_loadu_si512(from[p].cast());
                    let matrix = _mm512_set1_epi64(matrices[p]);
                    x[p] = _mm512_gf2p8affine_epi64_epi8::<0>(v, matrix);
                    let matrix = _mm512_set1_epi64(addend[p]);
                    addends[p] = _mm512_gf2p8affine_epi64_epi8::<0>(v, matrix);
                    let v = _mm256_loadu_si256(from[p].add(64).cast());
                    let matrix = _mm256_set1_epi64x(matrices[p]);
                    y[p] = _mm256_gf2p8affine_epi64_epi8::<0>(v, matrix);
                }
                let x = _mm512_xor_si512(self.xor3(x[0], x[1], x[2]), x[3]);
                let y =
                    _mm256_xor_si256(_mm256_xor_si256(y[0], y[1]), _mm256_xor_si256(y[2], y[3]));
                let to = row.0.as_mut_ptr();
                _mm512_storeu_si512(to.cast(), x);
                _mm256_storeu_si256(to.add(64).cast(), y);
                tweaks.addends[b] = self.xor3(addends[0], addends[1], addends[2]);
            }
        }
        tweaks
    }
}
