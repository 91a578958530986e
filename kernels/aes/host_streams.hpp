// Messages of a cipher on AES rounds, eight at a time, on the host: for the entries of host.cpp.
#pragma once
#include <vector>

#include "../common/streams.hpp"
#include "tables.hpp"

namespace roundworks {

using Warp = Lanes<8>;

// Tables as a launch's block fills them.
inline const uint32_t* host_tables() {
  static const std::vector<uint32_t> words = [] {
    std::vector<uint32_t> filled(aes::TABLE_BYTES / 4);
    for (unsigned t = 0; t < 4; t++)
      for (unsigned x = 0; x < 256; x += LANES<Warp>) aes::fill(filled.data(), t, lane<Warp>() + x);
    return filled;
  }();
  return words.data();
}

}  // namespace roundworks

// An entry that runs job on a state of the type that follows it.
#define ROUNDWORKS_STREAMS(name, job, ...)                                                        \
  void name(const uint32_t* key, const uint32_t* nonces, const uint32_t* places,                  \
            const uint32_t* ad, const uint32_t* in, uint32_t* out, uint32_t* tags,                \
            uint32_t* verdicts, uint32_t count) {                                                 \
    const Streams streams = {nonces, places, ad, in, out, tags, verdicts, count};                 \
    uint32_t words[StreamTile<Warp>::WORDS];                                                      \
    for (unsigned m = 0; m < count; m += LANES<Warp>)                                             \
      job<__VA_ARGS__>(Tables<Warp>(host_tables()), key, streams, StreamTile<Warp>{words},        \
                       lane<Warp>() + m);                                                         \
  }
