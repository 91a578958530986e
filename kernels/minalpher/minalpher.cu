// The entries of Minalpher on a device: which lane pair does which 32 blocks, and no more.
#include "slices.hpp"

using namespace roundworks;
using namespace roundworks::minalpher;

// 255 registers for each thread: eight warps fill a multiprocessor.
constexpr unsigned THREADS = 128, TILE = GROUP * THREADS / 2;
#define ROUNDWORKS_ENTRY extern "C" __global__ void __launch_bounds__(THREADS, 2)

// P or its inverse of so many blocks; the benchmark of P alone.
ROUNDWORKS_ENTRY minalpher_permute(const uint32_t* in, uint32_t* out, uint64_t blocks, bool back) {
  for (uint64_t tile = TILE * uint64_t{blockIdx.x}; tile < blocks; tile += TILE * uint64_t{gridDim.x}) {
    const uint64_t first = tile + GROUP * (threadIdx.x / 2);
    State<uint32_t> s;
    load_blocks(s, {in, BLOCK_BYTES * blocks, false}, first, tile + TILE <= blocks);
    permute(s, back);
    store_blocks<4>(s, out + BLOCK_WORDS * first, first < blocks ? blocks - first : 0, tile + TILE <= blocks);
  }
}
