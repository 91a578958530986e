// Tweaks y^k L as windows of one sequence of bytes, in slices; none is computed from the one before.
//
// a_k is the first byte of y^k L, and a_{k+32} = a_{k+3} ^ a_{k+2} ^ x a_k, so byte t of the tweak
// y^k L is a_{k+t}; bytes 29, 30, 31 also hold what TweakUpdate fed in on the way: a_k,
// a_k ^ a_{k+1} and a_{k+1} ^ a_{k+2}. [MINALPHER, section 2.3]
//
// In memory: bit i of word (w, e, b) is bit b of a_k, k = 64w + 2i + e. Blocks of a message take every
// other power, one tweak to encrypt and one for the tag, so 32 tweaks of a group in slices are
// shifts of two words. Squaring the relation s times gives it for steps of q = 2^s:
// a_{k+32q} = a_{k+3q} ^ a_{k+2q} ^ x^q a_k.
#pragma once

#include "slices.hpp"

namespace roundworks::minalpher {

// Words of memory for 64 powers; what `start` makes, in such columns; the columns of a tile.
constexpr unsigned COLUMN = 16, STARTED = 64, TILE_COLUMNS = 256;
constexpr unsigned REDUCTION = 0xa3;  // x^8

// Byte i is x^(E + STEP i) in GF(2^8).
template <unsigned E, unsigned STEP>
ROUNDWORKS_CODE constexpr uint64_t powers_of_x() {
  uint64_t all = 0;
  for (unsigned i = 0; i < 8; i++) {
    uint64_t v = 1;
    for (unsigned k = 0; k < E + STEP * i; k++) v = v >> 7 ? (v << 1 & 0xff) ^ REDUCTION : v << 1;
    all |= v << 8 * i;
  }
  return all;
}

// r ^= x^E v in GF(2^8), bit-wise.
template <unsigned E, typename W>
ROUNDWORKS_CODE void add_times_x(W (&r)[8], const W (&v)[8]) {
  constexpr uint64_t POWERS = powers_of_x<E, 1>();
  ROUNDWORKS_UNROLL
  for (unsigned i = 0; i < 8; i++) {
    ROUNDWORKS_UNROLL
    for (unsigned j = 0; j < 8; j++)
      if (POWERS >> (8 * i + j) & 1) r[j] = r[j] ^ v[i];
  }
}

// s ^= y^k L for block i of the group, k = 64w + 2i + e, e <= 3, w the column at `column`.
template <typename W>
ROUNDWORKS_CODE void add_tweaks(State<W>& s, const uint32_t* column, unsigned e) {
  const W o = lane<W>() & 1;
  ROUNDWORKS_UNROLL
  for (unsigned b = 0; b < 8; b++) {
    W low[2], high[2];
    ROUNDWORKS_UNROLL
    for (unsigned q = 0; q < 2; q++) {
      // Byte 2u + q of the lane's half is byte t = 2u + q, or 16 + 2u + (1 - q) in an odd lane.
      const W t = (o * 16 + (word<W>(q) ^ o)) + word<W>(e);
      const W at = (t & 1) * 8;
      low[q] = load(column + b, at), high[q] = load(column + b + COLUMN, at);
      const W first = funnel(low[q], high[q], t >> 1);
      const W second = funnel(high[q], word<W>(0), t >> 1);
      ROUNDWORKS_UNROLL
      for (unsigned u = 0; u < 8; u++)
        s[8 * (2 * u + q) + b] = s[8 * (2 * u + q) + b] ^ funnel(first, second, u);
    }
    // In an odd lane q = 1 has the bytes with the parity of e, and bytes 29, 31, 30 of a tweak are
    // bytes 12, 14, 15 of the half.
    const W a0 = funnel(low[1], high[1], e >> 1) & odd<W>();
    const W a1 = funnel(low[0], high[0], (e + 1) >> 1) & odd<W>();
    const W a2 = funnel(low[1], high[1], (e >> 1) + 1) & odd<W>();
    s[8 * 12 + b] = s[8 * 12 + b] ^ a0;
    s[8 * 14 + b] = xor3(s[8 * 14 + b], a1, a2);
    s[8 * 15 + b] = xor3(s[8 * 15 + b], a0, a1);
  }
}

// Half a column, one parity of its powers, where `mask` is set: eight words as two of four.
template <typename W>
ROUNDWORKS_CODE void load_half(W mask, const uint32_t* sequence, W at, W (&v)[8]) {
  ROUNDWORKS_UNROLL
  for (unsigned b = 0; b < 8; b += 4) {
    W x[4];
    load_if(mask, sequence + b, at, x);
    ROUNDWORKS_UNROLL
    for (unsigned j = 0; j < 4; j++) v[b + j] = x[j];
  }
}

template <typename W>
ROUNDWORKS_CODE void store_half(W mask, uint32_t* sequence, W at, const W (&v)[8]) {
  ROUNDWORKS_UNROLL
  for (unsigned b = 0; b < 8; b += 4) {
    const W x[4] = {v[b], v[b + 1], v[b + 2], v[b + 3]};
    store_if(mask, sequence + b, at, x);
  }
}

// Column `at` of the sequence from column at - Q, in lanes where `mask` is set. What it reads behind
// is 29 Q powers, so that many are right after the first time, and all of 32 Q after the second.
template <unsigned Q, typename W>
ROUNDWORKS_CODE void extend(uint32_t* sequence, W at, W mask) {
  ROUNDWORKS_UNROLL
  for (unsigned parity = 0; parity < 2; parity++) {
    const W from = (at - word<W>(Q)) * COLUMN + 8 * parity;
    W v[8], r[8] = {};
    ROUNDWORKS_UNROLL
    for (unsigned k = 2; k < 4; k++) {
      const uint32_t* p = sequence + COLUMN * (k * Q / 32);
      const unsigned n = k * Q % 32;
      W low[8], high[8] = {};
      load_half(mask, p, from, low);
      if (n) load_half(mask, p + COLUMN, from, high);
      ROUNDWORKS_UNROLL
      for (unsigned b = 0; b < 8; b++) r[b] = r[b] ^ funnel(low[b], high[b], n);
    }
    load_half(mask, sequence, from, v);
    add_times_x<2 * Q>(r, v);
    store_half(mask, sequence, at * COLUMN + 8 * parity, r);
  }
}

// The bits at even places, packed.
template <typename W>
ROUNDWORKS_CODE W evens(W x) {
  x = x & 0x55555555;
  x = (x | x >> 1) & 0x33333333;
  x = (x | x >> 2) & 0x0f0f0f0f;
  x = (x | x >> 4) & 0x00ff00ff;
  return (x | x >> 8) & 0xffff;
}

template <unsigned Q, typename W>
ROUNDWORKS_CODE void double_columns(uint32_t* sequence) {
  ROUNDWORKS_ROLLED
  for (unsigned time = 0; time < 2; time++) {
    sync<W>();
    extend<Q>(sequence, lane<W>() + Q, below(lane<W>(), word<W>(Q)));
  }
}

// Bits of a_0 .. a_31, bit k of v[b] that of a_k, from the mask L at this place.
template <typename W>
ROUNDWORKS_CODE void first_powers(const uint32_t* masks, W at, W (&v)[8]) {
  W a[32];
  ROUNDWORKS_UNROLL
  for (unsigned k = 0; k < 32; k++) a[k] = load(masks + k / 4, at) >> 8 * (k % 4) & 0xff;
  a[29] = a[29] ^ a[0];
  a[30] = xor3(a[30], a[1], a[0]);
  a[31] = xor3(a[31], a[2], a[1]);
  transpose(a);
  ROUNDWORKS_UNROLL
  for (unsigned b = 0; b < 8; b++) v[b] = a[b];
}

// The next 32 powers: 29 of them are right after the first time.
template <typename W>
ROUNDWORKS_CODE void next_powers(const W (&v)[8], W (&next)[8]) {
  ROUNDWORKS_UNROLL
  for (unsigned b = 0; b < 8; b++) next[b] = word<W>(0);
  ROUNDWORKS_UNROLL
  for (unsigned time = 0; time < 2; time++) {
    ROUNDWORKS_UNROLL
    for (unsigned b = 0; b < 8; b++) next[b] = funnel(v[b], next[b], 3) ^ funnel(v[b], next[b], 2);
    add_times_x<1>(next, v);
  }
}

// A column from its two halves, where `mask` is set.
template <typename W>
ROUNDWORKS_CODE void store_column(W mask, uint32_t* sequence, W at, const W (&v)[8],
                                  const W (&next)[8]) {
  ROUNDWORKS_UNROLL
  for (unsigned parity = 0; parity < 2; parity++) {
    W half[8];
    ROUNDWORKS_UNROLL
    for (unsigned b = 0; b < 8; b++)
      half[b] = evens(v[b] >> parity) | evens(next[b] >> parity) << 16;
    store_half(mask, sequence, at + 8 * parity, half);
  }
}

// The first columns, from the mask L: one warp.
template <typename W>
ROUNDWORKS_CODE void start(const uint32_t* mask, uint32_t* sequence) {
  W v[8], next[8];
  first_powers(mask, word<W>(0), v);
  next_powers(v, next);
  store_column(equal(lane<W>(), word<W>(0)), sequence, word<W>(0), v, next);
  double_columns<1, W>(sequence);
  double_columns<2, W>(sequence);
  double_columns<4, W>(sequence);
  double_columns<8, W>(sequence);
  double_columns<16, W>(sequence);
  double_columns<32, W>(sequence);
  static_assert(STARTED == 64);
}

// -- elements of the field of the tweaks: lane l holds the coefficient of y^l, a byte -------------

template <typename W>
ROUNDWORKS_CODE W square_byte(W v) {
  constexpr uint64_t SQUARES = powers_of_x<0, 2>();
  W r = word<W>(0);
  ROUNDWORKS_UNROLL
  for (unsigned i = 0; i < 8; i++)
    r = r ^ ((word<W>(0) - (v >> i & 1)) & uint32_t(SQUARES >> 8 * i & 0xff));
  return r;
}

template <typename W>
ROUNDWORKS_CODE W times_x_byte(W v) {
  return (v << 1 & 0xff) ^ ((word<W>(0) - (v >> 7)) & REDUCTION);
}

// c^2, reduced by y^32 = y^3 + y^2 + x. The squares stand at even powers; those from 32 on come back
// three, two and no places higher, and the highest, 62, comes back once more.
template <typename W>
ROUNDWORKS_CODE W square(W c) {
  const W l = lane<W>(), s = square_byte(c), is_odd = word<W>(0) - (l & 1);
  const W highest = shuffle(s, word<W>(31));
  const W low = shuffle(s, l >> 1), by_32 = shuffle(s, (l >> 1) + 16);
  const W by_30 = shuffle(s, ((l + 30) >> 1) & 31) & below(word<W>(1), l);
  const W by_29 = shuffle(s, ((l + 29) >> 1) & 31) & below(word<W>(2), l);
  const W r = select(is_odd, by_29, xor3(low, times_x_byte(by_32), by_30));
  const W again = highest & (equal(l, word<W>(2)) | equal(l, word<W>(4)));
  return xor3(r, again, times_x_byte(highest) & below(l, word<W>(2)));
}

// y c.
template <typename W>
ROUNDWORKS_CODE W times_y(W c) {
  const W l = lane<W>(), highest = shuffle(c, word<W>(31));
  const W r = select(equal(l, word<W>(0)), times_x_byte(highest), shuffle(c, (l + 31) & 31));
  return r ^ (highest & (equal(l, word<W>(2)) | equal(l, word<W>(3))));
}

// y^n.
template <typename W>
ROUNDWORKS_CODE W power_of_y(uint32_t n) {
  W c = equal(lane<W>(), word<W>(0)) & 1;
  ROUNDWORKS_ROLLED
  for (unsigned i = 32; i-- > 0;) {
    if (n >> i) c = square(c);
    if (n >> i & 1) c = times_y(c);
  }
  return c;
}

// Columns `first` to first + 31 from the start, lane l column first + l. With d(y) = y^n,
// y^(64 n) = d(y)^64, and column l + n is the sum of d_j^64 times column l + j.
template <typename W>
ROUNDWORKS_CODE void jump(uint32_t* sequence, uint32_t first) {
  W d = power_of_y<W>(first);
  ROUNDWORKS_UNROLL
  for (unsigned i = 0; i < 6; i++) d = square_byte(d);
  ROUNDWORKS_ROLLED
  for (unsigned parity = 0; parity < 2; parity++) {
    W sum[8][8] = {};
    ROUNDWORKS_ROLLED
    for (unsigned j = 0; j < 32; j++) {
      const W factor = shuffle(d, word<W>(j)), at = (lane<W>() + j) * COLUMN;
      W v[8];
      load_half(word<W>(~0u), sequence, at + 8 * parity, v);
      ROUNDWORKS_UNROLL
      for (unsigned i = 0; i < 8; i++) {
        const W mask = word<W>(0) - (factor >> i & 1);
        ROUNDWORKS_UNROLL
        for (unsigned b = 0; b < 8; b++) sum[i][b] = sum[i][b] ^ (mask & v[b]);
      }
    }
    ROUNDWORKS_UNROLL
    for (unsigned i = 7; i > 0; i--) add_times_x<1>(sum[i - 1], sum[i]);
    store_half(word<W>(~0u), sequence, (lane<W>() + first) * COLUMN + 8 * parity, sum[0]);
  }
}

// One tile of the sequence, to column `count` at the latest: one warp.
template <typename W>
ROUNDWORKS_CODE void fill_tile(uint32_t* sequence, uint32_t tile, uint32_t count) {
  const uint32_t first = tile * TILE_COLUMNS;
  if (tile) jump<W>(sequence, first);
  const uint32_t last = count < first + TILE_COLUMNS ? count : first + TILE_COLUMNS;
  ROUNDWORKS_ROLLED
  for (uint32_t at = first + (tile ? 32 : STARTED); at < last; at += 29) {
    sync<W>();
    const W one = lane<W>() + at;
    extend<32>(sequence, one, below(lane<W>(), word<W>(29)) & below(one, word<W>(last)));
  }
}

}  // namespace roundworks::minalpher
