// The entries of aes.cu on the host, for the tests: the same names, arguments and thread code.
#include <vector>

#include "counter.hpp"
#include "slices.hpp"

using namespace roundworks;
using namespace roundworks::aes;

using Warp = Lanes<8>;
using Pair = Lanes<2 * ACROSS>;  // two tiles at once

// Tables as a launch's block fills them.
static std::vector<uint32_t> tables() {
  std::vector<uint32_t> words(TABLE_BYTES / 4);
  for (unsigned t = 0; t < 4; t++)
    for (unsigned x = 0; x < 256; x += LANES<Warp>) fill(words.data(), t, lane<Warp>() + x);
  return words;
}

template <unsigned ROUNDS>
static void ctr(const Keys& keys, const Counter& counter, const Message& message,
                const uint32_t* allowed) {
  if (allowed && !*allowed) return;
  static const std::vector<uint32_t> words = tables();
  const Tables<Warp> seen(words.data());
  const uint64_t end = counter.first + message.in.blocks();
  for (uint64_t tile = counter.first / TILE; tile * TILE < end; tile++)
    crypt_tile<ROUNDS>(seen, keys, counter, tile, message);
}

extern "C" {

void aes_expand(const uint32_t* key, Keys* keys, unsigned key_words) {
  if (key_words == 4)
    expand<4, Lanes<1>>(key, keys);
  else
    expand<8, Lanes<1>>(key, keys);
}

void aes128_tables_ctr(Keys keys, Counter counter, const uint32_t* in, uint64_t bytes, uint32_t* out,
                       const uint32_t* allowed) {
  ctr<10>(keys, counter, {{in, bytes}, out}, allowed);
}

void aes256_tables_ctr(Keys keys, Counter counter, const uint32_t* in, uint64_t bytes, uint32_t* out,
                       const uint32_t* allowed) {
  ctr<14>(keys, counter, {{in, bytes}, out}, allowed);
}

void aes_slices_ctr(Keys keys, Counter counter, const uint32_t* in, uint64_t bytes, uint32_t* out,
                    const uint32_t* allowed) {
  if (allowed && !*allowed) return;
  const Message message = {{in, bytes}, out};
  alignas(16) uint32_t masks[MASKS];
  for (unsigned i = 0; i < MASKS; i += LANES<Pair>) spread_keys(keys, masks, lane<Pair>() + i);
  const uint64_t end = counter.first + message.in.blocks();
  for (uint64_t tile = counter.first / TILE; tile * TILE < end; tile += TILES<Pair>)
    crypt_tiles<Pair>(keys, keys.rounds, masks, counter, tile, message);
}

// No entries of a device: S, and AES of one block.
void aes_substitute(const uint32_t* in, uint32_t* out, unsigned words) {
  for (unsigned i = 0; i < words; i++) {
    Lanes<1> x[1] = {word<Lanes<1>>(in[i])};
    substitute(x);
    out[i] = x[0].v[0];
  }
}

void aes_encrypt(const Keys* keys, const uint32_t* in, uint32_t* out) {
  Lanes<1> x[4];
  load(in, word<Lanes<1>>(0), x);
  encrypt(x, *keys);
  store(out, word<Lanes<1>>(0), x);
}

}
