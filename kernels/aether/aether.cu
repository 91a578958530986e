// The entries of AETHER and AETHER-LB on a device: which lane does which messages, and no more.
#include "messages.hpp"

using namespace roundworks;
using namespace roundworks::aether;

// 255 registers for each thread: eight warps fill a multiprocessor.
constexpr unsigned THREADS = 128, TILE = MESSAGES * THREADS;
#define ROUNDWORKS_ENTRY extern "C" __global__ void __launch_bounds__(THREADS, 2)

// Blocks of the launch, read where they are needed: gridDim.x is read once at the begin and kept,
// which costs a register that sm_100 has not.
__device__ __forceinline__ uint32_t blocks() {
  uint32_t count;
  asm volatile("mov.u32 %0, %%nctaid.x;" : "=r"(count));
  return count;
}

extern __shared__ __align__(16) uint32_t tiles[];

#define ROUNDWORKS_STREAMS(name, job, bound)                                                      \
  ROUNDWORKS_ENTRY name(const uint32_t* key, const uint32_t* nonces, const uint32_t* places,      \
                        const uint32_t* ad, const uint32_t* in, uint32_t* out, uint32_t* tags,    \
                        uint32_t* verdicts, uint32_t count) {                                     \
    __shared__ __align__(16) uint32_t fixed[FIXED_WORDS], words[4 * ROWS * THREADS];              \
    const Streams streams = {nonces, places, ad, in, out, tags, verdicts, count};                 \
    Scratch<uint32_t> scratch = {words, threadIdx.x, THREADS};                                    \
    const ChunkTile<uint32_t> tile = {tiles + threadIdx.x / 32 * ChunkTile<uint32_t>::WORDS};     \
    if (threadIdx.x < 32) fill<uint32_t>(fixed, key);                                             \
    __syncthreads();                                                                              \
    uint32_t m = TILE * blockIdx.x + MESSAGES * threadIdx.x;                                      \
    while (any(below(m, count))) {                                                                \
      job<Aether<uint32_t, bound>>(fixed, scratch, tile, streams, m);                             \
      m = scratch.first() + TILE * blocks();                                                      \
    }                                                                                             \
  }
ROUNDWORKS_STREAMS(aether_seal_many, seal, false)
ROUNDWORKS_STREAMS(aether_open_many, open, false)
ROUNDWORKS_STREAMS(aether_lb_seal_many, seal, true)
ROUNDWORKS_STREAMS(aether_lb_open_many, open, true)
