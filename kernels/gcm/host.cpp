// The entries of gcm.cu on the host, for the tests: the same names, arguments and thread code.
#include <vector>

#include "warps.hpp"

using namespace roundworks;
using namespace roundworks::gcm;

using One = Lanes<1>;
using Warp = Lanes<8>;

// A launch's block: fills its tables, then goes through the messages, a lane or a warp to each. The
// products are with H, or with H^LANES, of these powers of H.
template <unsigned ROUNDS>
static void batch(const Keys& keys, const uint32_t* powers, const Batch& messages, bool opening,
                  bool warps) {
  std::vector<uint32_t> tables(aes::TABLE_BYTES / 4), products(ghash::TABLE_BYTES<4> / 4);
  const uint32_t* element = powers + 4 * (warps ? LANES<Warp> : 1);
  for (unsigned t = 0; t < 4; t++)
    for (unsigned x = 0; x < 256; x += LANES<Warp>) fill(tables.data(), t, lane<Warp>() + x);
  for (unsigned k = 0; k < 8; k++)
    for (unsigned v = 0; v < 16; v += LANES<Warp>)
      ghash::fill<4>(products.data(), k, lane<Warp>() + v, element);
  const Tables<Warp> rounds(tables.data());
  const ghash::Table<4, Warp> times(products.data());
  const Cipher<ROUNDS, Warp> cipher = {rounds, times, keys};
  if (warps)
    for (unsigned m = 0; m < messages.count; m++)
      opening ? open_one(cipher, messages, powers, m) : seal_one(cipher, messages, powers, m);
  else
    for (unsigned first = 0; first < messages.count; first += LANES<Warp>)
      opening ? open(cipher, messages, lane<Warp>() + first)
              : seal(cipher, messages, lane<Warp>() + first);
}

extern "C" {

void gcm_subkey(Keys keys, uint32_t* h) {
  One x[4];
  subkey(keys, x);
  store(h, word<One>(0), x);
}

void gcm_tag(Keys keys, Counter counter, const uint32_t* sum, uint32_t* found) {
  One x[4];
  tag(keys, counter.nonce, sum, x);
  store(found, word<One>(0), x);
}

void gcm_check(Keys keys, Counter counter, const uint32_t* sum, const uint32_t* given,
               uint32_t* verdict) {
  One x[4], y[4];
  tag(keys, counter.nonce, sum, x);
  load(given, word<One>(0), y);
  store(verdict, word<One>(0), same(x, y));
}

#define ROUNDWORKS_BATCH(name, rounds, opening, warps)                                            \
  void name(Keys keys, const uint32_t* powers, const uint32_t* nonces, const uint32_t* places,    \
            const uint32_t* ad, const uint32_t* in, uint32_t* out, uint32_t* tags,                \
            uint32_t* verdicts, uint32_t count) {                                                 \
    const Batch messages = {nonces, places, ad, in, out, tags, verdicts, count};                  \
    batch<rounds>(keys, powers, messages, opening, warps);                                        \
  }
ROUNDWORKS_BATCH(gcm128_seal_batch, 10, false, false)
ROUNDWORKS_BATCH(gcm128_open_batch, 10, true, false)
ROUNDWORKS_BATCH(gcm128_seal_warps, 10, false, true)
ROUNDWORKS_BATCH(gcm128_open_warps, 10, true, true)
ROUNDWORKS_BATCH(gcm256_seal_batch, 14, false, false)
ROUNDWORKS_BATCH(gcm256_open_batch, 14, true, false)
ROUNDWORKS_BATCH(gcm256_seal_warps, 14, false, true)
ROUNDWORKS_BATCH(gcm256_open_warps, 14, true, true)

}
