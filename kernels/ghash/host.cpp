// The entries of ghash.cu on the host, for the tests: the same names, arguments and thread code.
#include <vector>

#include "strided.hpp"

using namespace roundworks;
using namespace roundworks::ghash;

using Warp = Lanes<8>;

// A launch's block: fills its table, then absorbs warp by warp.
template <unsigned BITS, typename In>
static void group(const In& input, const uint32_t* powers, const uint32_t* of_groups,
                  unsigned groups, unsigned threads, unsigned number, uint32_t* sum) {
  std::vector<uint32_t> words(TABLE_BYTES<BITS> / 4);
  for (unsigned k = 0; k < 32 / BITS; k++)
    for (unsigned v = 0; v < 1 << BITS; v += LANES<Warp>)
      fill<BITS>(words.data(), k, lane<Warp>() + v, of_groups + 4 * groups);
  const Table<BITS, Warp> table(words.data());
  uint32_t own[4] = {};
  for (unsigned first = 0; first < threads; first += LANES<Warp>) {
    const Warp at = lane<Warp>() + first;
    Warp x[4];
    absorb(table, input, groups, threads, number, at, x);
    times_power(x, powers, word<Warp>(threads) - at);
    add_warp(x, own);
  }
  using Four = Lanes<4>;
  Four all[4];
  for (unsigned j = 0; j < 4; j++) all[j] = equal(lane<Four>(), word<Four>(0)) & word<Four>(own[j]);
  times_power(all, of_groups, word<Four>(groups - 1 - number));
  add_warp(all, sum);
}

extern "C" {

void ghash_powers(const uint32_t* base, uint32_t* powers, unsigned count) {
  for (unsigned i = 0; i < count; i++) {
    Lanes<1> b[4], x[4];
    for (unsigned j = 0; j < 4; j++) b[j] = word<Lanes<1>>(base[j]);
    power(b, word<Lanes<1>>(i), 32 - __builtin_clz(count), x);
    store(powers, word<Lanes<1>>(4 * i), x);
  }
}

// No entry of a device: groups of any shape, and tables of bytes or nibbles.
void ghash_sum_of(
    const uint32_t* ad, uint64_t ad_bytes, const uint32_t* text, uint64_t text_bytes,
    const uint32_t* powers, const uint32_t* of_groups, uint32_t groups,
    uint32_t threads, uint32_t bits, uint32_t* sum) {
  const Input input = {{ad, ad_bytes}, {text, text_bytes}};
  for (unsigned number = 0; number < groups; number++)
    bits == 4 ? group<4>(input, powers, of_groups, groups, threads, number, sum)
              : group<8>(input, powers, of_groups, groups, threads, number, sum);
}

void ghash_sum(
    const uint32_t* ad, uint64_t ad_bytes, const uint32_t* text, uint64_t text_bytes,
    const uint32_t* powers, const uint32_t* of_groups, uint32_t groups, uint32_t* sum) {
  ghash_sum_of(ad, ad_bytes, text, text_bytes, powers, of_groups, groups, 1024, 8, sum);
}

// The same of a chunk of an input.
void ghash_part_of(
    const uint32_t* before, const uint32_t* text, uint64_t bytes, const uint32_t* powers,
    const uint32_t* of_groups, uint32_t groups, uint32_t threads, uint32_t bits, uint32_t* sum) {
  const Part part = {before, {text, bytes}};
  for (unsigned number = 0; number < groups; number++)
    bits == 4 ? group<4>(part, powers, of_groups, groups, threads, number, sum)
              : group<8>(part, powers, of_groups, groups, threads, number, sum);
}

void ghash_part(const uint32_t* before, const uint32_t* text, uint64_t bytes, const uint32_t* powers,
                const uint32_t* of_groups, uint32_t groups, uint32_t* sum) {
  ghash_part_of(before, text, bytes, powers, of_groups, groups, 1024, 8, sum);
}

}
