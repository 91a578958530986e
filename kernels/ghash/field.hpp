// GF(2^128) of GHASH on the four words of a lane. [GCM, section 6.3]
//
// Word 0 holds the coefficients of x^0 .. x^31, that of x^0 in its highest bit: a block's bytes in
// their order, as big-endian words.
#pragma once

#include "../common/blocks.hpp"

namespace roundworks::ghash {

template <typename W>
ROUNDWORKS_CODE void clear(W (&a)[4]) {
  ROUNDWORKS_UNROLL
  for (unsigned j = 0; j < 4; j++) a[j] = word<W>(0);
}

template <typename W>
ROUNDWORKS_CODE void add(W (&a)[4], const W (&b)[4]) {
  ROUNDWORKS_UNROLL
  for (unsigned j = 0; j < 4; j++) a[j] = a[j] ^ b[j];
}

// Between a block in memory and an element.
template <typename W>
ROUNDWORKS_CODE void swap_bytes(W (&a)[4]) {
  ROUNDWORKS_UNROLL
  for (unsigned j = 0; j < 4; j++) a[j] = prmt(a[j], a[j], 0x0123);
}

template <typename W>
ROUNDWORKS_CODE void times_x(W (&a)[4]) {
  const W over = word<W>(0) - (a[3] & 1);
  a[3] = funnel(a[3], a[2], 1), a[2] = funnel(a[2], a[1], 1), a[1] = funnel(a[1], a[0], 1);
  a[0] = a[0] >> 1 ^ (over & word<W>(0xe1000000));
}

// Times x^32: x^128 is 1 + x + x^2 + x^7.
template <typename W>
ROUNDWORKS_CODE void times_x32(W (&a)[4]) {
  const W v = a[3];
  a[3] = a[2], a[2] = a[1];
  a[1] = xor3(a[0], v << 31, v << 30) ^ v << 25;
  a[0] = xor3(v, v >> 1, v >> 2) ^ v >> 7;
}

// a * b, bit-wise: for what is done once, such as powers and the join of lanes.
template <typename W>
ROUNDWORKS_CODE void multiply(const W (&a)[4], const W (&b)[4], W (&product)[4]) {
  W c[4] = {b[0], b[1], b[2], b[3]};
  clear(product);
  ROUNDWORKS_UNROLL
  for (unsigned j = 0; j < 4; j++) {
    ROUNDWORKS_ROLLED
    for (unsigned i = 0; i < 32; i++) {
      const W taken = word<W>(0) - (a[j] >> (31 - i) & 1);
      ROUNDWORKS_UNROLL
      for (unsigned k = 0; k < 4; k++) product[k] = lop3<A ^ (B & C)>(product[k], c[k], taken);
      times_x(c);
    }
  }
}

// base^exponent, for exponents under 2^bits.
template <typename W>
ROUNDWORKS_CODE void power(W (&base)[4], W exponent, unsigned bits, W (&found)[4]) {
  clear(found);
  found[0] = word<W>(0x80000000);
  ROUNDWORKS_ROLLED
  for (unsigned i = 0; i < bits; i++) {
    const W taken = word<W>(0) - (exponent >> i & 1);
    W product[4], square[4];
    multiply(found, base, product), multiply(base, base, square);
    ROUNDWORKS_UNROLL
    for (unsigned j = 0; j < 4; j++) {
      found[j] = select(taken, product[j], found[j]);
      base[j] = square[j];
    }
  }
}

}  // namespace roundworks::ghash
