// The entries of GHASH on a device: which lane takes which blocks, and no more.
#include "strided.hpp"

using namespace roundworks;
using namespace roundworks::ghash;

// One block fills a multiprocessor: its table leaves no space for a second.
constexpr unsigned THREADS = 1024, BITS = 8;

extern __shared__ uint32_t shared[];

// base^0 .. base^(count - 1).
extern "C" __global__ void __launch_bounds__(128)
ghash_powers(const uint32_t* base, uint32_t* powers, unsigned count) {
  for (unsigned first = blockDim.x * blockIdx.x; first < count; first += blockDim.x * gridDim.x) {
    const unsigned i = first + threadIdx.x;
    uint32_t b[4] = {base[0], base[1], base[2], base[3]}, x[4];
    power(b, i, 32 - __clz(count), x);
    store_if(below(i, count), powers, 4 * i, x);
  }
}

// What both entries do: the groups of a launch, each with its place among all.
template <typename In>
__device__ __forceinline__ void add_groups(const In& input, const uint32_t* powers,
                                           const uint32_t* of_groups, uint32_t groups,
                                           uint32_t* sum) {
  __shared__ uint32_t own[4];
  fill<BITS, uint32_t>(shared, threadIdx.x / 256, threadIdx.x % 256, of_groups + 4 * groups);
  const Table<BITS, uint32_t> table(shared);
  for (uint32_t group = blockIdx.x; group < groups; group += gridDim.x) {
    if (threadIdx.x < 4) own[threadIdx.x] = 0;
    __syncthreads();
    uint32_t x[4];
    absorb(table, input, groups, THREADS, group, threadIdx.x, x);
    times_power<uint32_t>(x, powers, THREADS - threadIdx.x);
    add_warp(x, own);
    __syncthreads();
    if (threadIdx.x < 32) {
      for (unsigned j = 0; j < 4; j++) x[j] = threadIdx.x ? 0 : own[j];
      times_power<uint32_t>(x, of_groups, groups - 1 - group);
      add_warp(x, sum);
    }
    __syncthreads();
  }
}

// Adds GHASH of the input to `sum`, by `groups` groups of THREADS lanes. `powers` are of H, THREADS + 1
// of them, and `of_groups` those of H^THREADS, one more than there are groups.
extern "C" __global__ void __launch_bounds__(THREADS, 1)
ghash_sum(const uint32_t* ad, uint64_t ad_bytes, const uint32_t* text, uint64_t text_bytes,
          const uint32_t* powers, const uint32_t* of_groups, uint32_t groups, uint32_t* sum) {
  add_groups(Input{{ad, ad_bytes}, {text, text_bytes}}, powers, of_groups, groups, sum);
}

// The same of a chunk of an input, `before` the sum of what is before it: other memory than `sum`.
extern "C" __global__ void __launch_bounds__(THREADS, 1)
ghash_part(const uint32_t* before, const uint32_t* text, uint64_t bytes, const uint32_t* powers,
           const uint32_t* of_groups, uint32_t groups, uint32_t* sum) {
  add_groups(Part{before, {text, bytes}}, powers, of_groups, groups, sum);
}
