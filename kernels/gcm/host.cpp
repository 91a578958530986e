// The thread code of AES-GCM on the host, for the tests: extern "C", called through ctypes.
#include <vector>

#include "warps.hpp"

using namespace roundworks;
using namespace roundworks::gcm;

using One = Lanes<1>;
using Warp = Lanes<8>;

// A launch's block: fills its tables, then goes through the messages, a lane or a warp to each. The
// products are with H, or with H^LANES, of these powers of H.
template <unsigned ROUNDS>
static void batch(const Keys& keys, const uint32_t* powers, const Batch& messages, bool opening, bool warps) {
  std::vector<uint32_t> tables(aes::TABLE_BYTES / 4), products(ghash::TABLE_BYTES<4> / 4);
  const uint32_t* element = powers + 4 * (warps ? LANES<Warp> : 1);
  for (unsigned t = 0; t < 4; t++)
    for (unsigned x = 0; x < 256; x += LANES<Warp>) fill(tables.data(), t, lane<Warp>() + x);
  for (unsigned k = 0; k < 8; k++)
    for (unsigned v = 0; v < 16; v += LANES<Warp>) ghash::fill<4>(products.data(), k, lane<Warp>() + v, element);
  const Tables<Warp> rounds(tables.data());
  const ghash::Table<4, Warp> times(products.data());
  const Cipher<ROUNDS, Warp> cipher = {rounds, times, keys};
  if (warps)
    for (unsigned m = 0; m < messages.count; m++)
      opening ? open_one(cipher, messages, powers, m) : seal_one(cipher, messages, powers, m);
  else
    for (unsigned first = 0; first < messages.count; first += LANES<Warp>)
      opening ? open(cipher, messages, lane<Warp>() + first) : seal(cipher, messages, lane<Warp>() + first);
}

extern "C" {

void gcm_subkey(const Keys* keys, uint32_t* h) {
  One x[4];
  subkey(*keys, x);
  store(h, word<One>(0), x);
}

void gcm_tag(const Keys* keys, const Counter* counter, const uint32_t* sum, uint32_t* found) {
  One x[4];
  tag(*keys, counter->nonce, sum, x);
  store(found, word<One>(0), x);
}

void gcm_check(
    const Keys* keys, const Counter* counter, const uint32_t* sum, const uint32_t* given, uint32_t* verdict) {
  One x[4], y[4];
  tag(*keys, counter->nonce, sum, x);
  load(given, word<One>(0), y);
  store(verdict, word<One>(0), same(x, y));
}

void gcm_batch(const Keys* keys, const uint32_t* powers, const Batch* messages, bool opening, bool warps) {
  keys->rounds == 10 ? batch<10>(*keys, powers, *messages, opening, warps)
                     : batch<14>(*keys, powers, *messages, opening, warps);
}

}
