// Messages in counter mode, and where they end.
#pragma once

#include "../common/blocks.hpp"
#include "block.hpp"

namespace roundworks::aes {

// Counters that differ in their last byte alone.
constexpr unsigned TILE = 256;

// Data to encrypt or decrypt, and where it goes: to its own place or another.
struct Message {
  Data in;
  uint32_t* out;
};

// The first counter block, as words of the block but for the last, which is a number.
struct Counter {
  uint32_t nonce[3];
  uint32_t first;
};

template <typename W>
ROUNDWORKS_CODE void load_blocks(const Message& message, W at, W (&x)[4], bool whole) {
  if (whole)
    load(message.in.words, at * BLOCK_WORDS, x);
  else
    load_if(below(at, word<W>(message.in.blocks())), message.in.words, at * BLOCK_WORDS, x);
}

// Not `whole`: some blocks may lie outside the message, or end early.
template <typename W>
ROUNDWORKS_CODE void store_blocks(const Message& message, W at, W (&x)[4], bool whole) {
  if (whole) {
    store(message.out, at * BLOCK_WORDS, x);
  } else {
    cut_last(x, at, message.in.bytes);
    store_if(below(at, word<W>(message.in.blocks())), message.out, at * BLOCK_WORDS, x);
  }
}

// Whether counters 256 tile .. 256 (tile + tiles) - 1 all belong to whole blocks of the message.
ROUNDWORKS_CODE bool is_whole(const Message& message, const Counter& counter, uint32_t tile,
                              unsigned tiles) {
  const uint64_t begin = uint64_t{TILE} * tile, end = begin + TILE * tiles;
  return begin >= counter.first && end - counter.first <= message.in.bytes / BLOCK_BYTES;
}

}  // namespace roundworks::aes
