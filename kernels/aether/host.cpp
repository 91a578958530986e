// The entries of aether.cu on the host, for the tests: the same names, arguments and thread code.
#include "messages.hpp"

using namespace roundworks;
using namespace roundworks::aether;

using One = Lanes<1>;
using Warp = Lanes<4>;

extern "C" {

#define ROUNDWORKS_STREAMS(name, job, bound)                                           \
  void name(const uint32_t* key, const uint32_t* nonces, const uint32_t* places,       \
            const uint32_t* ad, const uint32_t* in, uint32_t* out, uint32_t* tags,     \
            uint32_t* verdicts, uint32_t count) {                                      \
    const Streams streams = {nonces, places, ad, in, out, tags, verdicts, count};      \
    uint32_t fixed[FIXED_WORDS], words[4 * ROWS * LANES<Warp>];                        \
    uint32_t tile[ChunkTile<Warp>::WORDS];                                             \
    fill<Warp>(fixed, key);                                                            \
    for (unsigned m = 0; m < count; m += MESSAGES * LANES<Warp>)                       \
      job<Aether<Warp, bound>>(fixed, Scratch<Warp>{words, lane<Warp>(), LANES<Warp>}, \
                               ChunkTile<Warp>{tile}, streams, lane<Warp>() * MESSAGES + m); \
  }
ROUNDWORKS_STREAMS(aether_seal_many, seal, false)
ROUNDWORKS_STREAMS(aether_open_many, open, false)
ROUNDWORKS_STREAMS(aether_lb_seal_many, seal, true)
ROUNDWORKS_STREAMS(aether_lb_open_many, open, true)

// No entry of a device: F of four words.
void aether_f(const uint32_t* in, uint32_t* out) {
  One x[MESSAGES][4];
  for (unsigned m = 0; m < MESSAGES; m++) load(in, word<One>(4 * m), x[m]);
  unsliced(f(sliced(x)), x);
  for (unsigned m = 0; m < MESSAGES; m++) store(out, word<One>(4 * m), x[m]);
}

}
