// The entries of AES-GCM on a device: which lane does which message, and no more.
#include "warps.hpp"

using namespace roundworks;
using namespace roundworks::gcm;

constexpr unsigned THREADS = 512;
#define ROUNDWORKS_ENTRY extern "C" __global__ void __launch_bounds__(THREADS, 1)

// One warp, whose lanes all do the same.
#define ROUNDWORKS_ENTRY_OF_A_WARP extern "C" __global__ void __launch_bounds__(32)

extern __shared__ uint32_t shared[];

// H.
ROUNDWORKS_ENTRY_OF_A_WARP gcm_subkey(const __grid_constant__ Keys keys, uint32_t* h) {
  uint32_t x[4];
  subkey(keys, x);
  store(h, 0, x);
}

// The tag of a sum.
ROUNDWORKS_ENTRY_OF_A_WARP gcm_tag(
    const __grid_constant__ Keys keys, const __grid_constant__ Counter counter, const uint32_t* sum,
    uint32_t* found) {
  uint32_t x[4];
  tag(keys, counter.nonce, sum, x);
  store(found, 0, x);
}

// 1 to `verdict` if the tag of a sum is the given one, else 0.
ROUNDWORKS_ENTRY_OF_A_WARP gcm_check(
    const __grid_constant__ Keys keys, const __grid_constant__ Counter counter, const uint32_t* sum,
    const uint32_t* given, uint32_t* verdict) {
  uint32_t x[4], y[4];
  tag(keys, counter.nonce, sum, x);
  load(given, 0, y);
  store(verdict, 0, same(x, y));
}

// Fills the tables, with the products of an element.
template <unsigned ROUNDS, typename Job>
__device__ __forceinline__ void with_tables(const Keys& keys, const uint32_t* element, Job job) {
  uint32_t* products = shared + aes::TABLE_BYTES / 4;
  for (unsigned t = threadIdx.x / 256; t < 4; t += THREADS / 256)
    fill<uint32_t>(shared, t, threadIdx.x % 256);
  if (threadIdx.x < 128)
    ghash::fill<4, uint32_t>(products, threadIdx.x / 16, threadIdx.x % 16, element);
  __syncthreads();
  const Tables<uint32_t> rounds(shared);
  const ghash::Table<4, uint32_t> times(products);
  job(Cipher<ROUNDS, uint32_t>{rounds, times, keys});
}

// A message to each lane, and a message to each warp. `powers` are of H, up to H^32.
#define ROUNDWORKS_ARGUMENTS                                                                      \
  const __grid_constant__ Keys keys, const uint32_t *powers, const uint32_t *nonces,              \
      const uint32_t *places, const uint32_t *ad, const uint32_t *in, uint32_t *out,              \
      uint32_t *tags, uint32_t *verdicts, uint32_t count
#define ROUNDWORKS_BATCH(name, rounds, one, many)                                                 \
  ROUNDWORKS_ENTRY name##_batch(ROUNDWORKS_ARGUMENTS) {                                           \
    const Batch messages = {nonces, places, ad, in, out, tags, verdicts, count};                  \
    with_tables<rounds>(keys, powers + 4, [&](const Cipher<rounds, uint32_t>& cipher) {           \
      for (unsigned m = THREADS * blockIdx.x; m < count; m += THREADS * gridDim.x)                \
        many(cipher, messages, m + threadIdx.x);                                                  \
    });                                                                                           \
  }                                                                                               \
  ROUNDWORKS_ENTRY name##_warps(ROUNDWORKS_ARGUMENTS) {                                           \
    const Batch messages = {nonces, places, ad, in, out, tags, verdicts, count};                  \
    with_tables<rounds>(keys, powers + 4 * 32, [&](const Cipher<rounds, uint32_t>& cipher) {      \
      const unsigned warps = THREADS / 32, first = warps * blockIdx.x + threadIdx.x / 32;         \
      for (unsigned m = first; m < count; m += warps * gridDim.x)                                 \
        one(cipher, messages, powers, m);                                                         \
    });                                                                                           \
  }
ROUNDWORKS_BATCH(gcm128_seal, 10, seal_one, seal)
ROUNDWORKS_BATCH(gcm128_open, 10, open_one, open)
ROUNDWORKS_BATCH(gcm256_seal, 14, seal_one, seal)
ROUNDWORKS_BATCH(gcm256_open, 14, open_one, open)
