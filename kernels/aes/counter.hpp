// Counter mode: blocks of 12 bytes that stay and a counter of 32 bits. [GCM, section 6.5]
//
// Counters that differ in their last byte alone share most of two rounds: after the first they
// differ in column 0, and after the second each column is a shared word and one look-up.
#pragma once

#include "messages.hpp"
#include "tables.hpp"

namespace roundworks::aes {

// What the counters of a tile share before round 3.
template <typename W>
struct Shared {
  W first;  // column 0 after round 1, but for byte 15
  W second[4];

  ROUNDWORKS_CODE Shared(const Tables<W>& tables, const Keys& keys, const Counter& counter,
                         uint32_t tile) {
    const W number = word<W>(tile << 8);
    W x[4], y[4];
    ROUNDWORKS_UNROLL
    for (unsigned c = 0; c < 3; c++) x[c] = word<W>(counter.nonce[c] ^ keys.words[c]);
    x[3] = prmt(number, number, 0x0123) ^ word<W>(keys.words[3]);
    ROUNDWORKS_UNROLL
    for (unsigned c = 0; c < 4; c++) {
      y[c] = word<W>(keys.words[4 + c]);
      ROUNDWORKS_UNROLL
      for (unsigned r = 0; r < 4; r++)
        if (c || r < 3) y[c] = y[c] ^ tables.at(r, x[(c + r) % 4], r);
    }
    first = y[0];
    ROUNDWORKS_UNROLL
    for (unsigned c = 0; c < 4; c++) {
      second[c] = word<W>(keys.words[8 + c]);
      ROUNDWORKS_UNROLL
      for (unsigned r = 0; r < 4; r++)
        if ((c + r) % 4) second[c] = second[c] ^ tables.at(r, y[(c + r) % 4], r);
    }
  }
};

// The part of a message that 256 counters encrypt.
template <unsigned ROUNDS, typename W>
ROUNDWORKS_CODE void crypt_tile(const Tables<W>& tables, const Keys& keys, const Counter& counter,
                                uint32_t tile, const Message& message) {
  const Shared<W> shared(tables, keys, counter, tile);
  const bool whole = is_whole(message, counter, tile, 1);
  ROUNDWORKS_ROLLED
  for (unsigned step = 0; step < TILE; step += LANES<W>) {
    const W low = lane<W>() + step;
    const W at = low + (TILE * tile - counter.first);
    W x[4], text[4];
    load_blocks(message, at, text, whole);
    const W first = shared.first ^ tables.at(3, low << 24 ^ word<W>(keys.words[3]), 3);
    ROUNDWORKS_UNROLL
    for (unsigned c = 0; c < 4; c++) {
      const unsigned r = (4 - c) % 4;
      x[c] = shared.second[c] ^ tables.at(r, first, r);
    }
    rounds<ROUNDS>(tables, keys, 3, x, text);
    store_blocks(message, at, x, whole);
  }
}

}  // namespace roundworks::aes
