// Products with one element by look-up, BITS bits at a time, 4 or 8.
//
// A table covers the first word of a block, and Horner's rule with x^32 does the other three: so a
// table of bytes, eight times for the eight groups of four banks, is 128 KB and one of nibbles 16 KB.
// A look-up of four words goes through in quarters of a warp, and each lane of a quarter has its own
// banks: no look-up waits for another, whatever the index.
#pragma once

#include "field.hpp"

namespace roundworks::ghash {

constexpr unsigned GROUPS = 8;

template <unsigned BITS>
constexpr unsigned TABLE_BYTES = 32 / BITS * (1 << BITS) * GROUPS * BLOCK_BYTES;

// Where the entries of position k lie, from x^(BITS k) on, and how far apart, in words. Two tables
// of bytes share 256 bytes, for a byte to be the second byte of an address.
template <unsigned BITS>
constexpr unsigned APART = BITS == 8 ? 64 : 32;

template <unsigned BITS, typename T>
ROUNDWORKS_CODE T* position(T* words, unsigned k) {
  return BITS == 8 ? words + 256 * 64 * (k / 2) + 32 * (k % 2) : words + 16 * 32 * k;
}

// Entry v of position k of the table of an element.
template <unsigned BITS, typename W>
ROUNDWORKS_CODE void fill(uint32_t* words, unsigned k, W v, const uint32_t* element) {
  W a[4], sum[4];
  clear(sum);
  ROUNDWORKS_UNROLL
  for (unsigned j = 0; j < 4; j++) a[j] = word<W>(element[j]);
  ROUNDWORKS_ROLLED
  for (unsigned i = 0; i < BITS * k; i++) times_x(a);
  ROUNDWORKS_ROLLED
  for (unsigned i = 1; i <= BITS; i++) {
    const W taken = word<W>(0) - (v >> (BITS - i) & 1);
    ROUNDWORKS_UNROLL
    for (unsigned j = 0; j < 4; j++) sum[j] = lop3<A ^ (B & C)>(sum[j], a[j], taken);
    times_x(a);
  }
  ROUNDWORKS_ROLLED
  for (unsigned copy = 0; copy < GROUPS; copy++)
    store(position<BITS>(words, k), v * APART<BITS> + ((lane<W>() + copy) & (GROUPS - 1)) * 4, sum);
}

// The table as a lane sees it.
template <unsigned BITS, typename W>
struct Table {
  const uint32_t* words;
  W bank;

  ROUNDWORKS_CODE explicit Table(const uint32_t* table)
      : words(table), bank((lane<W>() & (GROUPS - 1)) * 16) {}

  ROUNDWORKS_CODE void at(W x, unsigned k, W (&entry)[4]) const {
    load_at(position<BITS>(words, k), index(x, k), entry);
  }

  ROUNDWORKS_CODE W index(W x, unsigned k) const {
    if (BITS == 8) return prmt(x, bank, 0x5504 | (3 - k) << 4);
    const W moved = k < 6 ? x >> (21 - 4 * k) % 32 : x << (4 * k - 21) % 32;
    return lop3<uint8_t((A & B) | C)>(moved, word<W>(0x780), bank);
  }

  // a times the element.
  ROUNDWORKS_CODE void times(W (&a)[4]) const {
    W sum[4];
    clear(sum);
    ROUNDWORKS_UNROLL
    for (unsigned j = 4; j-- > 0;) {
      if (j < 3) times_x32(sum);
      ROUNDWORKS_UNROLL
      for (unsigned k = 0; k < 32 / BITS; k += 2) {
        W first[4], second[4];
        at(a[j], k, first), at(a[j], k + 1, second);
        ROUNDWORKS_UNROLL
        for (unsigned i = 0; i < 4; i++) sum[i] = xor3(sum[i], first[i], second[i]);
      }
    }
    ROUNDWORKS_UNROLL
    for (unsigned i = 0; i < 4; i++) a[i] = sum[i];
  }
};

}  // namespace roundworks::ghash
