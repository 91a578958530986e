// The entries of ceilings.cu on the host: one block of 256 threads.
#include <vector>

#include "ceilings.hpp"

using namespace roundworks;
using namespace roundworks::ceilings;

using Warp = Lanes<32>;

extern "C" {

void ceilings_lop3(uint32_t* out, uint32_t turns) {
  for (unsigned first = 0; first < 256; first += LANES<Warp>)
    store(out, lane<Warp>() + first, logic(lane<Warp>() + first, turns));
}

void ceilings_look_ups(uint32_t* out, uint32_t turns) {
  std::vector<uint32_t> table(ENTRIES * BANKS);
  for (unsigned x = 0; x < ENTRIES; x += LANES<Warp>) fill(table.data(), lane<Warp>() + x);
  for (unsigned first = 0; first < 256; first += LANES<Warp>)
    store(out, lane<Warp>() + first, look_ups<Warp>(table.data(), turns));
}

void ceilings_copy(const uint32_t* in, uint32_t* out, uint64_t words) {
  for (uint64_t at = 0; at < words; at++) out[at] = in[at];
}

}
