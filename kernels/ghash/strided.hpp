// GHASH of one long input by Horner's rule over many lanes at once. [GCM, section 6.4]
//
// Of LANES lanes each takes every LANES-th block and multiplies by H^LANES between them, so one table
// serves all. Blocks of zeros in front, which change nothing, make the laps whole; at the end lane t
// of group g multiplies by its own power of H, and all are added.
#pragma once

#include "table.hpp"

namespace roundworks::ghash {

// Associated data, data, and a block with both lengths. All in all fewer than 2^31 blocks.
struct Input {
  Data ad, text;

  ROUNDWORKS_CODE uint64_t blocks() const { return ad.blocks() + text.blocks() + 1; }

  // Whether that many blocks are all whole ones of text.
  ROUNDWORKS_CODE bool is_text(uint32_t begin, unsigned count) const {
    const uint64_t first = ad.blocks(), end = first + text.bytes / BLOCK_BYTES;
    return begin >= first && uint64_t{begin} + count <= end;
  }
};

// Blocks behind others, whose sum enters the first: a chunk of an input, not empty. No lengths.
struct Part {
  const uint32_t* before;
  Data text;

  ROUNDWORKS_CODE uint64_t blocks() const { return text.blocks(); }

  ROUNDWORKS_CODE bool is_text(uint32_t begin, unsigned count) const {
    return begin && uint64_t{begin} + count <= text.bytes / BLOCK_BYTES;
  }
};

// The last block, as an element.
template <typename W>
ROUNDWORKS_CODE W length_word(const Input& input, unsigned j) {
  const uint64_t bits = 8 * (j < 2 ? input.ad.bytes : input.text.bytes);
  return word<W>(j % 2 ? bits : bits >> 32);
}

// Block `at` of the input as an element, 0 where there is none. `whole`: all lanes have a whole block
// of text.
template <typename W>
ROUNDWORKS_CODE void load_input(const Input& input, W at, bool whole, W (&x)[4]) {
  const W of_text = at - uint32_t(input.ad.blocks());
  if (whole) {
    load(input.text.words, of_text * BLOCK_WORDS, x);
    swap_bytes(x);
    return;
  }
  W ad[4];
  load_end(input.ad, at, ad), load_end(input.text, of_text, x);
  add(x, ad), swap_bytes(x);
  const W last = equal(at, word<W>(input.blocks() - 1));
  ROUNDWORKS_UNROLL
  for (unsigned j = 0; j < 4; j++) x[j] = x[j] ^ (last & length_word<W>(input, j));
}

template <typename W>
ROUNDWORKS_CODE void load_input(const Part& part, W at, bool whole, W (&x)[4]) {
  if (whole)
    load(part.text.words, at * BLOCK_WORDS, x);
  else
    load_end(part.text, at, x);
  swap_bytes(x);
  if (whole) return;
  const W first = equal(at, word<W>(0));
  ROUNDWORKS_UNROLL
  for (unsigned j = 0; j < 4; j++) x[j] = x[j] ^ (first & word<W>(part.before[j]));
}

// Of `groups` groups of `threads` lanes, the warp from lane `first` of group `group` on: the sum of
// its blocks. The table is of H^(groups * threads).
template <unsigned BITS, typename In, typename W>
ROUNDWORKS_CODE void absorb(const Table<BITS, W>& table, const In& input, unsigned groups,
                            unsigned threads, unsigned group, W first, W (&sum)[4]) {
  const uint32_t lanes = groups * threads, blocks = input.blocks();
  const uint32_t laps = (blocks + lanes - 1) / lanes;
  // Before the first lap it wraps, and lies behind every end.
  uint32_t begin = group * threads - (laps * lanes - blocks);
  clear(sum);
  ROUNDWORKS_ROLLED
  for (uint32_t lap = 0; lap < laps; lap++, begin += lanes) {
    W x[4];
    load_input(input, first + begin, input.is_text(begin, threads), x);
    table.times(sum);
    add(sum, x);
  }
}

template <unsigned M, typename W>
ROUNDWORKS_CODE void add_lanes(W (&x)[4]) {
  if constexpr (M > 0) {
    ROUNDWORKS_UNROLL
    for (unsigned j = 0; j < 4; j++) x[j] = x[j] ^ shuffle_xor<M>(x[j]);
    add_lanes<M / 2>(x);
  }
}

// The sum of all lanes, to p: lanes 0 .. 3 add a word each.
template <typename W>
ROUNDWORKS_CODE void add_warp(W (&x)[4], uint32_t* p) {
  add_lanes<LANES<W> / 2>(x);
  W mine = word<W>(0);
  ROUNDWORKS_UNROLL
  for (unsigned j = 0; j < 4; j++) mine = mine ^ (x[j] & equal(lane<W>(), word<W>(j)));
  add_xor_if(below(lane<W>(), word<W>(4)), p, lane<W>(), mine);
}

// x times power `i` of a list of powers.
template <typename W>
ROUNDWORKS_CODE void times_power(W (&x)[4], const uint32_t* powers, W i) {
  W by[4], product[4];
  load(powers, i * 4, by);
  multiply(x, by, product);
  ROUNDWORKS_UNROLL
  for (unsigned j = 0; j < 4; j++) x[j] = product[j];
}

}  // namespace roundworks::ghash
