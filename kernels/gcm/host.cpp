// The thread code of AES-GCM on the host, for the tests: extern "C", called through ctypes.
#include <vector>

#include "batch.hpp"

using namespace roundworks;
using namespace roundworks::gcm;

using One = Lanes<1>;
using Warp = Lanes<8>;

template <unsigned ROUNDS>
static void batch(const Keys& keys, const uint32_t* h, const Batch& messages, bool opening) {
  std::vector<uint32_t> tables(aes::TABLE_BYTES / 4), products(ghash::TABLE_BYTES<4> / 4);
  for (unsigned t = 0; t < 4; t++)
    for (unsigned x = 0; x < 256; x += LANES<Warp>) fill(tables.data(), t, lane<Warp>() + x);
  for (unsigned k = 0; k < 8; k++)
    for (unsigned v = 0; v < 16; v += LANES<Warp>) ghash::fill<4>(products.data(), k, lane<Warp>() + v, h);
  const Tables<Warp> rounds(tables.data());
  const ghash::Table<4, Warp> times(products.data());
  const Cipher<ROUNDS, Warp> cipher = {rounds, times, keys};
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

void gcm_batch(const Keys* keys, const uint32_t* h, const Batch* messages, bool opening) {
  keys->rounds == 10 ? batch<10>(*keys, h, *messages, opening) : batch<14>(*keys, h, *messages, opening);
}

}
