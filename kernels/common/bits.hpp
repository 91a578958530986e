// Functions of three bits by name, and the way into and out of bit slices.
#pragma once

#include "word.hpp"

namespace roundworks {

// The tables of lop3, from those of its inputs: any formula in A, B and C.
constexpr uint8_t A = 0xf0, B = 0xcc, C = 0xaa;
constexpr uint8_t XOR = A ^ B ^ C;
constexpr uint8_t SELECT = (A & B) | (~A & C);

template <typename W>
ROUNDWORKS_CODE W xor3(W a, W b, W c) {
  return lop3<XOR>(a, b, c);
}

// b where a is set, else c.
template <typename W>
ROUNDWORKS_CODE W select(W a, W b, W c) {
  return lop3<SELECT>(a, b, c);
}

// All ones if bit i of x is set, else 0.
template <typename W>
ROUNDWORKS_CODE W spread(unsigned x, unsigned i) {
  return word<W>(0u - (x >> i & 1));
}

// Of two words, the upper N bits of each 2N of a and the lower of b change places; `kept` are the lower.
template <unsigned N, typename W>
ROUNDWORKS_CODE void exchange(W& a, W& b, uint32_t kept) {
  const W mask = word<W>(kept), x = a, y = b;
  a = select(mask, x, y << N);
  b = select(mask, x >> N, y);
}

// One of five steps of a transpose: blocks of N bits off the diagonal change places.
template <unsigned N, typename W>
ROUNDWORKS_CODE void exchange(W (&x)[32], uint32_t kept) {
  ROUNDWORKS_UNROLL
  for (unsigned i = 0; i < 32; i++)
    if (!(i & N)) exchange<N>(x[i], x[i + N], kept);
}

// Words to slices and back: bit j of x[i] becomes bit i of x[j].
//
// `even` and `odd` choose the bytes of one of the steps, where a lane may have bytes 0 and 1, and
// bytes 2 and 3, of every word change places without one instruction more: SWAPPED_IN on the way
// from words to slices, SWAPPED_OUT on the way back.
constexpr uint32_t EVEN = 0x6240, ODD = 0x7351;
constexpr uint32_t SWAPPED_IN_EVEN = ODD, SWAPPED_IN_ODD = EVEN;
constexpr uint32_t SWAPPED_OUT_EVEN = 0x2604, SWAPPED_OUT_ODD = 0x3715;

template <typename W, typename S = uint32_t>
ROUNDWORKS_CODE void transpose(W (&x)[32], S even = EVEN, S odd = ODD) {
  ROUNDWORKS_UNROLL
  for (unsigned i = 0; i < 16; i++) {
    const W a = x[i], b = x[i + 16];
    x[i] = prmt(a, b, 0x5410), x[i + 16] = prmt(a, b, 0x7632);
  }
  ROUNDWORKS_UNROLL
  for (unsigned i = 0; i < 32; i++) {
    if (i & 8) continue;
    const W a = x[i], b = x[i + 8];
    x[i] = prmt(a, b, even), x[i + 8] = prmt(a, b, odd);
  }
  exchange<4>(x, 0x0f0f0f0f);
  exchange<2>(x, 0x33333333);
  exchange<1>(x, 0x55555555);
}

}  // namespace roundworks
