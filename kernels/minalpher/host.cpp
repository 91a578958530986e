// The thread code of Minalpher on the host, for the tests: extern "C", called through ctypes.
#include "slices.hpp"

using namespace roundworks;
using namespace roundworks::minalpher;

using Pair = Lanes<2>;

extern "C" {

// P or its inverse of so many blocks, one after another.
void minalpher_permute(const uint32_t* in, uint32_t* out, uint64_t blocks, bool back) {
  for (uint64_t first = 0; first < blocks; first += GROUP) {
    State<Pair> s;
    load_blocks(s, {in, BLOCK_BYTES * blocks, false}, first, first + GROUP <= blocks);
    permute(s, back);
    store_blocks<4>(s, out + BLOCK_WORDS * first, blocks - first, first + GROUP <= blocks);
  }
}

}
