// The entries of AES on a device: which warp does which counters, and no more.
#include "counter.hpp"
#include "slices.hpp"

using namespace roundworks;
using namespace roundworks::aes;

// One block fills a multiprocessor: the tables leave no space for a second.
constexpr unsigned THREADS = 1024, WARPS = THREADS / 32;
#define ROUNDWORKS_ENTRY extern "C" __global__ void __launch_bounds__(THREADS, 1)

extern __shared__ uint32_t shared[];

// The round keys of a key of 4 or 8 words; one warp, whose lanes all do the same.
extern "C" __global__ void __launch_bounds__(32)
aes_expand(const uint32_t* key, Keys* keys, unsigned key_words) {
  if (key_words == 4)
    expand<4, uint32_t>(key, keys);
  else
    expand<8, uint32_t>(key, keys);
}

template <unsigned ROUNDS>
__device__ void ctr(const Keys& keys, const Counter& counter, const Message& message,
                    const uint32_t* allowed) {
  if (allowed && !*allowed) return;
  fill<uint32_t>(shared, threadIdx.x / 256, threadIdx.x % 256);
  __syncthreads();
  const Tables<uint32_t> tables(shared);
  const uint64_t end = counter.first + message.in.blocks();
  const uint64_t first = counter.first / TILE + WARPS * blockIdx.x + threadIdx.x / 32;
  for (uint64_t tile = first; tile * TILE < end; tile += WARPS * gridDim.x)
    crypt_tile<ROUNDS>(tables, keys, counter, tile, message);
}

// Counter mode from tables. Does nothing where `allowed` points to 0.
ROUNDWORKS_ENTRY aes128_tables_ctr(
    const __grid_constant__ Keys keys, const __grid_constant__ Counter counter,
    const uint32_t* in, uint64_t bytes, uint32_t* out, const uint32_t* allowed) {
  ctr<10>(keys, counter, {{in, bytes}, out}, allowed);
}

ROUNDWORKS_ENTRY aes256_tables_ctr(
    const __grid_constant__ Keys keys, const __grid_constant__ Counter counter,
    const uint32_t* in, uint64_t bytes, uint32_t* out, const uint32_t* allowed) {
  ctr<14>(keys, counter, {{in, bytes}, out}, allowed);
}

// 255 registers for each thread: eight warps fill a multiprocessor.
constexpr unsigned SLICED_THREADS = 128, STEP = TILES<uint32_t> * SLICED_THREADS / 32;

// Counter mode on slices.
extern "C" __global__ void __launch_bounds__(SLICED_THREADS, 2)
aes_slices_ctr(const __grid_constant__ Keys keys, const __grid_constant__ Counter counter,
               const uint32_t* in, uint64_t bytes, uint32_t* out, const uint32_t* allowed) {
  const Message message = {{in, bytes}, out};
  __shared__ uint32_t masks[MASKS];
  if (allowed && !*allowed) return;
  for (unsigned i = threadIdx.x; i < MASKS; i += SLICED_THREADS)
    spread_keys<uint32_t>(keys, masks, i);
  __syncthreads();
  const uint64_t end = counter.first + message.in.blocks();
  const uint64_t first =
      counter.first / TILE + STEP * blockIdx.x + TILES<uint32_t> * (threadIdx.x / 32);
  for (uint64_t tile = first; tile * TILE < end; tile += STEP * gridDim.x)
    crypt_tiles<uint32_t>(keys, keys.rounds, masks, counter, tile, message);
}
