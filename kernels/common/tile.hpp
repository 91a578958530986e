// Bytes of a warp's messages on their way through shared memory: neighbouring lanes move neighbouring
// blocks of one message, in whole sectors, and then each lane has its own messages. A lane that read and
// wrote its own alone would touch a line for every 16 bytes.
//
// Of MESSAGES of each lane a tile has BLOCKS blocks. Blocks of a lane are OF_LANE neighbours, in an order
// that gives eight lanes with one block each, and eight neighbouring blocks, different banks.
//
// R has of each message of the warp, by its number there:
//
//   first(r)     the first block of its bytes
//   bytes(r)     how many there are
//   writes(r)    whether what comes out is written
#pragma once

#include "blocks.hpp"

namespace roundworks {

template <typename W, unsigned MESSAGES, unsigned BLOCKS>
struct Tile {
  static constexpr unsigned OF_LANE = MESSAGES * BLOCKS, WORDS = OF_LANE * BLOCK_WORDS * LANES<W>;
  static constexpr unsigned BYTES = BLOCKS * BLOCK_BYTES;  // of each message
  static_assert(OF_LANE % 4 == 0, "lanes would wait for each other's banks");
  uint32_t* words;

  // Blocks at .. of each message, zeros behind their end. No lane waits for them: `fetched` does.
  // WHOLE: no message ends before.
  template <bool WHOLE, typename R>
  ROUNDWORKS_CODE void fetch(const uint32_t* from, const R& rows, uint32_t at) {
    each([&](const Part& part) {
      const W byte = part.block * BLOCK_BYTES + word<W>(at);
      W some = word<W>(BLOCK_BYTES);
      if (!WHOLE) {
        const W bytes = rows.bytes(part.row), left = bytes - byte;
        some = select(below(left, some), left, some) & below(byte, bytes);
      }
      fetch_some(words, part.place, from, rows.first(part.row) * BLOCK_WORDS + (byte >> 2), some);
    });
  }

  ROUNDWORKS_CODE void fetched() const { roundworks::fetched<W>(); }

  // What lanes put for blocks at .., to where bytes are.
  template <bool WHOLE, typename R>
  ROUNDWORKS_CODE void write(uint32_t* to, const R& rows, uint32_t at) const {
    sync<W>();
    each([&](const Part& part) {
      const W byte = part.block * BLOCK_BYTES + word<W>(at);
      W x[4], here = rows.writes(part.row);
      if (!WHOLE) here = here & below(byte, rows.bytes(part.row));
      load(words, part.place, x);
      store_if(here, to, rows.first(part.row) * BLOCK_WORDS + (byte >> 2), x);
    });
    sync<W>();
  }

  // Block h of a lane's message k.
  ROUNDWORKS_CODE void get(unsigned k, unsigned h, W (&x)[4]) const { load(words, mine(k, h), x); }
  ROUNDWORKS_CODE void put(unsigned k, unsigned h, const W (&x)[4]) { store(words, mine(k, h), x); }

 private:
  ROUNDWORKS_CODE static W place_of(W number, W lane) {
    const W turn = OF_LANE % 8 ? lane >> 1 & word<W>(3) : lane & word<W>(7);
    return (number ^ turn) * BLOCK_WORDS;
  }

  ROUNDWORKS_CODE static W mine(unsigned k, unsigned h) {
    const W own = again(lane<W>());
    return place_of(own * OF_LANE + word<W>(k * BLOCKS + h), own);
  }

  // Exact for as many blocks as a warp has.
  ROUNDWORKS_CODE static W over_blocks(W x) {
    static_assert(BLOCKS == 3 || BLOCKS == 6 || BLOCKS == 4 || BLOCKS == 8, "no other number is divided by");
    if (BLOCKS % 3 == 0) return x * 0xaaab >> (BLOCKS == 3 ? 17 : 18);
    return BLOCKS == 4 ? x >> 2 : x >> 3;
  }

  // The i-th block that a lane moves.
  struct Part {
    W row, block, place;

    ROUNDWORKS_CODE explicit Part(unsigned i) {
      static_assert(MESSAGES == 1 || MESSAGES == 4, "no other number is divided by");
      const W number = again(lane<W>()) + word<W>(i * LANES<W>);
      row = over_blocks(number);
      block = number - row * BLOCKS;
      place = place_of(number, MESSAGES == 1 ? row : row >> 2);
    }
  };

  // All blocks that a lane moves.
  template <typename F>
  ROUNDWORKS_CODE static void each(const F& move) {
    ROUNDWORKS_ROLLED
    for (unsigned k = 0; k < MESSAGES; k++) {
      ROUNDWORKS_UNROLL
      for (unsigned i = 0; i < BLOCKS; i++) move(Part(k * BLOCKS + i));
    }
  }
};

}  // namespace roundworks
