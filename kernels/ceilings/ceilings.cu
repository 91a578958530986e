// The entries of the ceilings: every thread does `turns` of the same, on as many as the device holds.
#include "ceilings.hpp"

using namespace roundworks;
using namespace roundworks::ceilings;

constexpr unsigned THREADS = 256;
#define ROUNDWORKS_ENTRY extern "C" __global__ void __launch_bounds__(THREADS)

ROUNDWORKS_ENTRY ceilings_lop3(uint32_t* out, uint32_t turns) {
  const uint32_t at = blockIdx.x * THREADS + threadIdx.x;
  store(out, at, logic<uint32_t>(at, turns));
}

ROUNDWORKS_ENTRY ceilings_look_ups(uint32_t* out, uint32_t turns) {
  __shared__ uint32_t table[ENTRIES * BANKS];
  fill<uint32_t>(table, threadIdx.x);
  __syncthreads();
  store(out, blockIdx.x * THREADS + threadIdx.x, look_ups<uint32_t>(table, turns));
}

// Sixteen bytes of each thread at once, all over the memory.
ROUNDWORKS_ENTRY ceilings_copy(const uint32_t* in, uint32_t* out, uint64_t words) {
  for (uint64_t at = 4 * (uint64_t{blockIdx.x} * THREADS + threadIdx.x); at < words;
       at += 4 * uint64_t{gridDim.x} * THREADS) {
    uint32_t x[4];
    load(in + at, 0, x);
    store(out + at, 0, x);
  }
}
