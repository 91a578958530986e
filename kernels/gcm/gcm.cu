// The entries of AES-GCM on a device: which lane does which message, and no more.
#include "batch.hpp"

using namespace roundworks;
using namespace roundworks::gcm;

constexpr unsigned THREADS = 512;
#define ROUNDWORKS_ENTRY extern "C" __global__ void __launch_bounds__(THREADS, 1)

extern __shared__ uint32_t shared[];

// H; one thread.
extern "C" __global__ void gcm_subkey(const __grid_constant__ Keys keys, uint32_t* h) {
  uint32_t x[4];
  subkey(keys, x);
  store(h, 0, x);
}

// The tag of a sum; one thread.
extern "C" __global__ void gcm_tag(
    const __grid_constant__ Keys keys, const __grid_constant__ Counter counter, const uint32_t* sum,
    uint32_t* found) {
  uint32_t x[4];
  tag(keys, counter.nonce, sum, x);
  store(found, 0, x);
}

// 1 to `verdict` if the tag of a sum is the given one, else 0; one thread.
extern "C" __global__ void gcm_check(
    const __grid_constant__ Keys keys, const __grid_constant__ Counter counter, const uint32_t* sum,
    const uint32_t* given, uint32_t* verdict) {
  uint32_t x[4], y[4];
  tag(keys, counter.nonce, sum, x);
  load(given, 0, y);
  store(verdict, 0, same(x, y));
}

template <unsigned ROUNDS, bool OPENING>
__device__ void batch(const Keys& keys, const uint32_t* h, const Batch& messages) {
  uint32_t* products = shared + aes::TABLE_BYTES / 4;
  for (unsigned t = threadIdx.x / 256; t < 4; t += THREADS / 256) fill<uint32_t>(shared, t, threadIdx.x % 256);
  if (threadIdx.x < 128) ghash::fill<4, uint32_t>(products, threadIdx.x / 16, threadIdx.x % 16, h);
  __syncthreads();
  const Tables<uint32_t> rounds(shared);
  const ghash::Table<4, uint32_t> times(products);
  const Cipher<ROUNDS, uint32_t> cipher = {rounds, times, keys};
  for (unsigned first = THREADS * blockIdx.x; first < messages.count; first += THREADS * gridDim.x)
    if constexpr (OPENING)
      open(cipher, messages, first + threadIdx.x);
    else
      seal(cipher, messages, first + threadIdx.x);
}

#define ROUNDWORKS_BATCH(name, rounds, opening)                                              \
  ROUNDWORKS_ENTRY name(                                                                     \
      const __grid_constant__ Keys keys, const uint32_t* h, const __grid_constant__ Batch messages) { \
    batch<rounds, opening>(keys, h, messages);                                               \
  }
ROUNDWORKS_BATCH(gcm128_seal_batch, 10, false)
ROUNDWORKS_BATCH(gcm128_open_batch, 10, true)
ROUNDWORKS_BATCH(gcm256_seal_batch, 14, false)
ROUNDWORKS_BATCH(gcm256_open_batch, 14, true)
