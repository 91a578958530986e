// Blocks of 16 bytes in memory and the end of the bytes: the last block lies there whole, and what is
// behind the last byte may be read, counts as 0 and is written as 0.
#pragma once

#include "bits.hpp"

namespace roundworks {

constexpr unsigned BLOCK_WORDS = 4, BLOCK_BYTES = 16;

struct Data {
  const uint32_t* words;
  uint64_t bytes;

  ROUNDWORKS_CODE uint64_t blocks() const { return (bytes + BLOCK_BYTES - 1) / BLOCK_BYTES; }
};

// Ones where word j of a block has bytes, of those that are left.
template <typename W>
ROUNDWORKS_CODE W kept(W left, unsigned j) {
  const W some = funnel(word<W>(~0u), word<W>(0), (word<W>(4 * j) - left) * 8 & 31);
  return select(below(left, word<W>(4 * j + 4)), below(word<W>(4 * j), left) & some, word<W>(~0u));
}

// Zeros where a block has no bytes, of those that are left.
template <typename W>
ROUNDWORKS_CODE void cut(W (&x)[4], W left) {
  ROUNDWORKS_UNROLL
  for (unsigned j = 0; j < 4; j++) x[j] = x[j] & kept(left, j);
}

// The same for block `at` of that many bytes: only the last ends early.
template <typename W>
ROUNDWORKS_CODE void cut_last(W (&x)[4], W at, uint64_t bytes) {
  const uint64_t last = (bytes - 1) / BLOCK_BYTES;
  const W others = ~equal(at, word<W>(last)), left = word<W>(bytes - BLOCK_BYTES * last);
  ROUNDWORKS_UNROLL
  for (unsigned j = 0; j < 4; j++) x[j] = x[j] & (others | kept(left, j));
}

// Block `at` and zeros behind the end.
template <typename W>
ROUNDWORKS_CODE void load_end(const Data& data, W at, W (&x)[4]) {
  load_if(below(at, word<W>(data.blocks())), data.words, at * BLOCK_WORDS, x);
  cut_last(x, at, data.bytes);
}

}  // namespace roundworks
