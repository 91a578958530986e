// The entries of aegis.cu on the host, for the tests: the same names, arguments and thread code.
#include <vector>

#include "aegis128l.hpp"

using namespace roundworks;
using namespace roundworks::aegis;

using One = Lanes<1>;
using Warp = Lanes<8>;

// Tables as a launch's block fills them.
static std::vector<uint32_t> filled() {
  std::vector<uint32_t> words(aes::TABLE_BYTES / 4);
  for (unsigned t = 0; t < 4; t++)
    for (unsigned x = 0; x < 256; x += LANES<Warp>) aes::fill(words.data(), t, lane<Warp>() + x);
  return words;
}

static const uint32_t* tables() {
  static const std::vector<uint32_t> words = filled();
  return words.data();
}

extern "C" {

#define ROUNDWORKS_STREAMS(name, job, tag)                                                        \
  void name(const uint32_t* key, const uint32_t* nonces, const uint32_t* places,                  \
            const uint32_t* ad, const uint32_t* in, uint32_t* out, uint32_t* tags,                \
            uint32_t* verdicts, uint32_t count) {                                                 \
    const Streams streams = {nonces, places, ad, in, out, tags, verdicts, count};                 \
    for (unsigned m = 0; m < count; m += LANES<Warp>)                                             \
      job<Aegis128L<Warp, tag>>(Tables<Warp>(tables()), key, streams, lane<Warp>() + m);          \
  }
ROUNDWORKS_STREAMS(aegis128l_seal_many, seal, 4)
ROUNDWORKS_STREAMS(aegis128l_open_many, open, 4)
ROUNDWORKS_STREAMS(aegis128l_tag32_seal_many, seal, 8)
ROUNDWORKS_STREAMS(aegis128l_tag32_open_many, open, 8)

// No entry of a device: a round of in[0 ..] with the key in[4 ..].
void aegis_round(const uint32_t* in, uint32_t* out) {
  One x[4], y[4];
  load(in, word<One>(0), x);
  load(in + 4, word<One>(0), y);
  aes::add_round(Tables<One>(tables()), x, y);
  store(out, word<One>(0), y);
}

}
