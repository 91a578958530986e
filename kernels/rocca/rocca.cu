// The entries of Rocca-S on a device: which lane does which message, and no more.
#include "rocca_s.hpp"

using namespace roundworks;
using namespace roundworks::rocca;

// One block fills a multiprocessor: the tables leave no space for a second.
constexpr unsigned THREADS = 512;
#define ROUNDWORKS_ENTRY extern "C" __global__ void __launch_bounds__(THREADS, 1)

extern __shared__ __align__(16) uint32_t shared[];

#define ROUNDWORKS_STREAMS(name, job)                                                             \
  ROUNDWORKS_ENTRY name(const uint32_t* key, const uint32_t* nonces, const uint32_t* places,      \
                        const uint32_t* ad, const uint32_t* in, uint32_t* out, uint32_t* tags,    \
                        uint32_t* verdicts, uint32_t count) {                                     \
    const Streams streams = {nonces, places, ad, in, out, tags, verdicts, count};                 \
    for (unsigned t = threadIdx.x / 256; t < 4; t += THREADS / 256)                               \
      aes::fill<uint32_t>(shared, t, threadIdx.x % 256);                                          \
    __syncthreads();                                                                              \
    const Tables<uint32_t> tables(shared);                                                        \
    const StreamTile<uint32_t> tile = {shared + aes::TABLE_BYTES / 4 +                            \
                                       threadIdx.x / 32 * StreamTile<uint32_t>::WORDS};           \
    for (unsigned m = THREADS * blockIdx.x; m < count; m += THREADS * gridDim.x)                  \
      job<RoccaS<uint32_t>>(tables, key, streams, tile, m + threadIdx.x);                         \
  }
ROUNDWORKS_STREAMS(rocca_s_seal_many, seal)
ROUNDWORKS_STREAMS(rocca_s_open_many, open)
