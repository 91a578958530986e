// 32 blocks of 32 bytes between memory and the slices of a lane pair.
#pragma once

#include "permutation.hpp"

namespace roundworks::minalpher {

constexpr unsigned BLOCK_WORDS = 8, BLOCK_BYTES = 32, GROUP = 32;

// Bytes in memory as blocks: 80 and zeros behind the last byte if padded, then blocks of zeros. The
// address is a multiple of 16, and the last word is read whole.
struct Data {
  const uint32_t* words;
  uint64_t bytes;
  bool padded;
};

// The odd lane of a pair: all ones there, else 0.
template <typename W>
ROUNDWORKS_CODE W odd() {
  return word<W>(0) - (lane<W>() & 1);
}

// The word of a block where the lane's half begins.
template <typename W>
ROUNDWORKS_CODE W half() {
  return (lane<W>() & 1) * 4;
}

// Blocks that may lie behind the end of the data.
template <unsigned STRIDE, typename W>
ROUNDWORKS_CODE void load_end(State<W>& s, const Data& data, uint64_t first) {
  const uint32_t* p = data.words + BLOCK_WORDS * first;
  const bool behind = data.bytes < BLOCK_BYTES * first;
  const uint64_t rest = behind ? 0 : data.bytes - BLOCK_BYTES * first;
  const unsigned last = rest < 1 << 16 ? rest / 4 : 1 << 14, bits = 8 * (rest % 4);
  W tail = bits ? load(p, word<W>(last)) & ((1u << bits) - 1) : word<W>(0);
  if (data.padded && !behind) tail = tail | 0x80u << bits;
  const auto place = at(p, half<W>());
  // Of the words from the lane's half on, this one is the tail; 4 more, for none to be below 0.
  const W end = word<W>(last + 4) - half<W>();
  ROUNDWORKS_UNROLL
  for (unsigned i = 0; i < GROUP; i++) {
    ROUNDWORKS_UNROLL
    for (unsigned j = 0; j < 4; j++) {
      const unsigned k = BLOCK_WORDS * STRIDE * i + j;
      const W x = load_if(below(word<W>(k + 4), end), place, k);
      s.part[j][i] = x | (equal(word<W>(k + 4), end) & tail);
    }
  }
}

// From words of 32 blocks, of each the lane's half.
template <typename W>
ROUNDWORKS_CODE void into_slices(State<W>& s) {
  // Byte p of an odd lane is byte p ^ 1 of its half: columns c ^ 2.
  const W even = select(odd<W>(), word<W>(SWAPPED_IN_EVEN), word<W>(EVEN));
  const W other = select(odd<W>(), word<W>(SWAPPED_IN_ODD), word<W>(ODD));
  ROUNDWORKS_UNROLL
  for (unsigned j = 0; j < 4; j++) transpose(s.part[j], even, other);
}

// 32 blocks of the data, from block `first` on, STRIDE apart. `whole` says that they all lie before
// the end; it is the same in every warp of a launch's block, or the warps would part.
template <unsigned STRIDE = 1, typename W>
ROUNDWORKS_CODE void load_blocks(State<W>& s, const Data& data, uint64_t first, bool whole) {
  if (whole) {
    const auto place = at(data.words + BLOCK_WORDS * first, half<W>());
    ROUNDWORKS_UNROLL
    for (unsigned i = 0; i < GROUP; i++) {
      W x[4];
      load(place, BLOCK_WORDS * STRIDE * i, x);
      ROUNDWORKS_UNROLL
      for (unsigned j = 0; j < 4; j++) s.part[j][i] = x[j];
    }
  } else {
    load_end<STRIDE>(s, data, first);
  }
  into_slices(s);
}

// The first `count` of 32 blocks to p, one after another; all of them if `whole`, as above. PARTS of
// the four leave at once: four where s is not wanted any more, two where registers must hold it.
template <unsigned PARTS, typename W>
ROUNDWORKS_CODE void store_blocks(const State<W>& s, uint32_t* p, uint64_t count, bool whole) {
  const W even = select(odd<W>(), word<W>(SWAPPED_OUT_EVEN), word<W>(EVEN));
  const W other = select(odd<W>(), word<W>(SWAPPED_OUT_ODD), word<W>(ODD));
  const auto place = at(p, half<W>());
  const unsigned blocks = whole || count > GROUP ? GROUP : count;
  ROUNDWORKS_UNROLL
  for (unsigned part = 0; part < 4; part += PARTS) {
    W x[PARTS][32];
    ROUNDWORKS_UNROLL
    for (unsigned j = 0; j < PARTS; j++) {
      ROUNDWORKS_UNROLL
      for (unsigned i = 0; i < 32; i++) x[j][i] = s.part[part + j][i];
      transpose(x[j], even, other);
    }
    ROUNDWORKS_UNROLL
    for (unsigned i = 0; i < GROUP; i++) {
      W block[PARTS];
      ROUNDWORKS_UNROLL
      for (unsigned j = 0; j < PARTS; j++) block[j] = x[j][i];
      if (i < blocks) store(place, BLOCK_WORDS * i + part, block);
    }
  }
}

}  // namespace roundworks::minalpher
