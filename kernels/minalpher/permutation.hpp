// P and its inverse on 32 blocks of a lane pair, bit-sliced. [MINALPHER, section 2.4]
//
// P commutes with sigma, which moves row r to r + 2 and column c to c ^ 2. So the even lane holds
// rows 0 and 1, the odd lane rows 2 and 3 with columns c ^ 2, and both run the same code:
// ShuffleRows is a renaming, and MixColumns wants one word of the partner for each of its own.
#pragma once

#include "../common/bits.hpp"

namespace roundworks::minalpher {

constexpr unsigned ROUNDS = 17;

// Bit b of byte p of a lane's half of 32 blocks is word 8p + b: four times 32 slices.
template <typename W>
struct State {
  W part[4][32];
  ROUNDWORKS_CODE W& operator[](unsigned i) { return part[i / 32][i % 32]; }
};

// ShuffleRows: column c of row r of B comes from column SHUFFLE[r][c] of A, and back.
ROUNDWORKS_CODE constexpr unsigned shuffled(unsigned r, unsigned c) {
  constexpr uint32_t SR1 = 0x54320176, SR2 = 0x32671054;  // column 0 in the lowest nibble
  return (r ? SR2 : SR1) >> 4 * c & 7;
}

// The lowest bit of the nibble in row r, column c; bytes 0 .. 3 of a row are A, 4 .. 7 are B, and
// the even column is the high nibble.
ROUNDWORKS_CODE constexpr unsigned of_a(unsigned r, unsigned c) {
  return 8 * (8 * r + c / 2) + (c & 1 ? 0 : 4);
}
ROUNDWORKS_CODE constexpr unsigned of_b(unsigned r, unsigned c) { return of_a(r, c) + 32; }

// SB from x to y, bit 3 the highest, in seven functions of three bits; six are too few, as a SAT
// solver found.
template <typename W>
ROUNDWORKS_CODE void sbox(const W* x, W* y) {
  const W g0 = lop3<0xd2>(x[2], x[1], x[0]);
  const W g1 = lop3<0x6c>(x[3], x[0], g0);
  const W g2 = lop3<0x6c>(x[3], x[1], g1);
  const W g3 = lop3<0x69>(x[3], g0, g2);
  const W g4 = lop3<0xe1>(x[0], g0, g2);
  const W g5 = lop3<0xd2>(g0, g1, g3);
  const W g6 = lop3<0xb4>(g2, g4, g5);
  y[0] = g4, y[1] = g5, y[2] = g6, y[3] = g3;
}

// T S: T is an involution, so two nibbles change places as they pass the S-box.
template <typename W>
ROUNDWORKS_CODE void substitute(State<W>& s) {
  ROUNDWORKS_UNROLL
  for (unsigned r = 0; r < 2; r++) {
    ROUNDWORKS_UNROLL
    for (unsigned c = 0; c < 8; c++) {
      W* a = &s[of_a(r, shuffled(r, c))];
      W* b = &s[of_b(r, c)];
      W from_a[4], from_b[4];
      sbox(a, from_a), sbox(b, from_b);
      ROUNDWORKS_UNROLL
      for (unsigned i = 0; i < 4; i++) a[i] = from_b[i], b[i] = from_a[i];
    }
  }
}

// MixColumns of one bit of four nibbles: rows 0 and 1, columns c and c ^ 2.
template <typename W>
ROUNDWORKS_CODE void mix(W& x0, W& x1, W& y0, W& y1) {
  const W p0 = shuffle_xor<1>(x0), p1 = shuffle_xor<1>(x1);
  const W q0 = shuffle_xor<1>(y0), q1 = shuffle_xor<1>(y1);
  const W x = xor3(x0, x1, q1), y = xor3(y0, y1, p1);
  x1 = xor3(x0, x1, q0), y1 = xor3(y0, y1, p0);
  x0 = x, y0 = y;
}

// M, after nibble c < 4 of row r of B took in c ^ r ^ number. The constant rides on B ^= A: no
// instruction of its own.
template <typename W>
ROUNDWORKS_CODE void mix_with_constant(State<W>& s, unsigned number) {
  W k[4];
  ROUNDWORKS_UNROLL
  for (unsigned i = 0; i < 4; i++) k[i] = spread<W>(number, i);
  ROUNDWORKS_UNROLL
  for (unsigned r = 0; r < 2; r++) {
    ROUNDWORKS_UNROLL
    for (unsigned c = 0; c < 8; c++) {
      ROUNDWORKS_UNROLL
      for (unsigned i = 0; i < 4; i++) {
        const W a = s[of_a(r, c) + i];
        W& b = s[of_b(r, c) + i];
        if (c >= 4)
          b = b ^ a;
        else if ((c ^ r) >> i & 1)
          b = lop3<uint8_t(~XOR)>(b, a, k[i]);
        else
          b = xor3(b, a, k[i]);
      }
    }
  }
  ROUNDWORKS_UNROLL
  for (unsigned c = 0; c < 8; c++) {
    if (c & 2) continue;
    ROUNDWORKS_UNROLL
    for (unsigned i = 0; i < 4; i++) {
      mix(s[of_a(0, c) + i], s[of_a(1, c) + i], s[of_a(0, c ^ 2) + i], s[of_a(1, c ^ 2) + i]);
      mix(s[of_b(0, c) + i], s[of_b(1, c) + i], s[of_b(0, c ^ 2) + i], s[of_b(1, c ^ 2) + i]);
    }
  }
}

// P, or its inverse. P adds RC_i after M, and M(RC_i) before it is the same: M turns r into r ^ 2.
// The inverse is the same circuit with RC_16 .. RC_0 before M.
template <typename W>
ROUNDWORKS_CODE void permute(State<W>& s, bool back) {
  ROUNDWORKS_ROLLED
  for (unsigned i = 0; i < ROUNDS; i++) {
    substitute(s);
    mix_with_constant(s, back ? 16 - i : i ^ 2);
  }
  substitute(s);
}

}  // namespace roundworks::minalpher
