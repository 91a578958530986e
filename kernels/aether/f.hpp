// F on the same word of four messages, bit-sliced and in one lane. [AETHER, section 2]
//
// Bit b of nibble i = 16 h + 8 g + 4 v + 2 u + c of message m is bit 16 v + 8 u + 4 h + m of slice
// 8 g + 4 c + b. So the S-box is 32 at once; of M_b and Permutation all that moves within a slice are
// whole bytes, which PRMT moves, but for one exchange of nibbles between two slices; and words from
// memory want no more than three exchanges.
#pragma once

#include "../common/bits.hpp"

namespace roundworks::aether {

constexpr unsigned MESSAGES = 4, SLICES = 16;

template <typename W>
struct Slices {
  W s[SLICES];

  ROUNDWORKS_CODE Slices operator^(const Slices& other) const {
    Slices sum;
    ROUNDWORKS_UNROLL
    for (unsigned i = 0; i < SLICES; i++) sum.s[i] = s[i] ^ other.s[i];
    return sum;
  }
};

// Messages and bits change places.
template <typename W>
ROUNDWORKS_CODE void transpose(W& a, W& b, W& c, W& d) {
  exchange<1>(a, b, 0x55555555), exchange<1>(c, d, 0x55555555);
  exchange<2>(a, c, 0x33333333), exchange<2>(b, d, 0x33333333);
}

// Word j of message m, as it lies in memory, is x[m][j], 2 h + g = j; and back. In a byte the high
// nibble has c = 0.
template <typename W>
ROUNDWORKS_CODE Slices<W> sliced(W (&x)[MESSAGES][4]) {
  Slices<W> to;
  ROUNDWORKS_UNROLL
  for (unsigned j = 0; j < 4; j++) transpose(x[0][j], x[1][j], x[2][j], x[3][j]);
  ROUNDWORKS_UNROLL
  for (unsigned g = 0; g < 2; g++) {
    ROUNDWORKS_UNROLL
    for (unsigned b = 0; b < 4; b++) {
      exchange<4>(x[b][g], x[b][2 + g], 0x0f0f0f0f);
      to.s[8 * g + b] = x[b][2 + g], to.s[8 * g + 4 + b] = x[b][g];
    }
  }
  return to;
}

template <typename W>
ROUNDWORKS_CODE void unsliced(const Slices<W>& from, W (&x)[MESSAGES][4]) {
  ROUNDWORKS_UNROLL
  for (unsigned g = 0; g < 2; g++) {
    ROUNDWORKS_UNROLL
    for (unsigned b = 0; b < 4; b++) {
      x[b][2 + g] = from.s[8 * g + b], x[b][g] = from.s[8 * g + 4 + b];
      exchange<4>(x[b][g], x[b][2 + g], 0x0f0f0f0f);
    }
  }
  ROUNDWORKS_UNROLL
  for (unsigned j = 0; j < 4; j++) transpose(x[0][j], x[1][j], x[2][j], x[3][j]);
}

// The S-box of four slices, bit 3 the highest, in seven functions of three bits.
template <typename W>
ROUNDWORKS_CODE void sbox(W* x) {
  const W g0 = lop3<0x34>(x[2], x[1], x[0]);
  const W g1 = lop3<0xb6>(x[3], x[2], g0);
  const W g2 = lop3<0x79>(x[3], x[0], g1);
  const W g3 = lop3<0x78>(x[1], g0, g1);
  const W g4 = lop3<0xe4>(g0, g1, g2);
  const W g5 = lop3<0xb4>(x[3], x[2], g4);
  const W g6 = lop3<0x3a>(x[2], x[0], g4);
  x[0] = g2, x[1] = g6, x[2] = g3, x[3] = g5;
}

// M_b and Permutation of bit b. With x(g, v, u, c), ~ for the other one of two, and both sums over
// what they lack, M_b is
//
//   y(g, v, u, c) = column(u, c) ^ x(~g, ~v, u, c) ^ block(~g, ~v)
//
// of which column(u, c) ^ x(~g, ~v, u, c) = half(v) ^ half(~v) ^ x(~g, ~v, u, c)
// = half(v) ^ x(g, ~v, u, c), half(v) the sum over g alone. It is made with ~v for v, which costs
// nothing: Permutation moves the bytes once more, c after h has moved to where c was.
template <typename W>
ROUNDWORKS_CODE void mix(W (&s)[SLICES], unsigned b) {
  W y[2][2], half[2], block[2];
  ROUNDWORKS_UNROLL
  for (unsigned k = 0; k < 2; k++) {
    half[k] = s[4 * k + b] ^ s[8 + 4 * k + b];
    half[k] = prmt(half[k], half[k], 0x1032);
    block[k] = s[8 * k + b] ^ s[8 * k + 4 + b];
    block[k] = block[k] ^ prmt(block[k], block[k], 0x2301);
  }
  ROUNDWORKS_UNROLL
  for (unsigned g = 0; g < 2; g++) {
    ROUNDWORKS_UNROLL
    for (unsigned c = 0; c < 2; c++) y[g][c] = xor3(s[8 * g + 4 * c + b], half[c], block[1 - g]);
    exchange<4>(y[g][0], y[g][1], 0x0f0f0f0f);
  }
  ROUNDWORKS_UNROLL
  for (unsigned h = 0; h < 2; h++) {
    s[8 * h + b] = prmt(y[0][h], y[1][h], 0x4602);
    s[8 * h + 4 + b] = prmt(y[0][h], y[1][h], 0x5713);
  }
}

// F = Permutation . ApplySbox . MatrixMul . ApplySbox, the last two the other way round.
template <typename W>
ROUNDWORKS_CODE Slices<W> f(Slices<W> x) {
  ROUNDWORKS_UNROLL
  for (unsigned i = 0; i < SLICES; i += 4) sbox(x.s + i);
  ROUNDWORKS_UNROLL
  for (unsigned b = 0; b < 4; b++) mix(x.s, b);
  ROUNDWORKS_UNROLL
  for (unsigned i = 0; i < SLICES; i += 4) sbox(x.s + i);
  return x;
}

}  // namespace roundworks::aether
