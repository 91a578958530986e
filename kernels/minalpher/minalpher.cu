// The entries of Minalpher on a device: which lane pair does which 32 blocks, and no more. A launch of
// any number of blocks does all of the work; those of one warp say so.
#include "many.hpp"

using namespace roundworks;
using namespace roundworks::minalpher;

// 255 registers for each thread: eight warps fill a multiprocessor.
constexpr unsigned THREADS = 128, PAIRS = THREADS / 2, TILE = GROUP * PAIRS;
#define ROUNDWORKS_ENTRY extern "C" __global__ void __launch_bounds__(THREADS, 2)
#define ROUNDWORKS_ENTRY_OF_A_WARP extern "C" __global__ void __launch_bounds__(32)

// Tiles of `size` of a launch's block: its number, then in steps of the number of blocks.
#define FOR_EACH_TILE(tile, size, all) \
  for (uint32_t tile = blockIdx.x, tiles = (all + size - 1) / size; tile < tiles; tile += gridDim.x)

// The group of a lane pair in a tile, and whether that many blocks fill the tile.
ROUNDWORKS_CODE uint32_t group_of(uint32_t tile) { return tile * PAIRS + threadIdx.x / 2; }
ROUNDWORKS_CODE bool fill(uint64_t blocks, uint32_t tile) { return blocks / TILE > tile; }

// What a thread sums up, out of the registers that the state wants.
#define SUMS(sum)                           \
  __shared__ uint32_t sums_of[THREADS][4];  \
  uint32_t(&sum)[4] = sums_of[threadIdx.x]; \
  sum[0] = sum[1] = sum[2] = sum[3] = 0

// P or its inverse of that many blocks: the benchmark of P alone.
ROUNDWORKS_ENTRY minalpher_permute(const uint32_t* in, uint32_t* out, uint64_t blocks, bool back) {
  FOR_EACH_TILE(tile, TILE, blocks) {
    const uint64_t first = uint64_t{GROUP} * group_of(tile);
    State<uint32_t> s;
    load_blocks(s, {in, BLOCK_BYTES * blocks, false}, first, fill(blocks, tile));
    permute(s, back);
    const uint64_t count = from_group(blocks, group_of(tile));
    store_blocks<4>(s, out + BLOCK_WORDS * first, count, fill(blocks, tile));
  }
}

// Masks of `count` seeds, and the start of their sequences, `words` apart: a warp for each.
ROUNDWORKS_ENTRY_OF_A_WARP minalpher_start(const uint32_t* seeds, uint32_t* masks,
                                           uint32_t* sequences, uint64_t words, uint32_t count) {
  FOR_EACH_TILE(k, 1, count) {
    mask<uint32_t>(seeds + BLOCK_WORDS * k, masks + BLOCK_WORDS * k);
    sync<uint32_t>();
    start<uint32_t>(masks + BLOCK_WORDS * k, sequences + words * k);
  }
}

// All of a sequence that was started: a warp for each TILE_COLUMNS.
ROUNDWORKS_ENTRY_OF_A_WARP minalpher_fill(uint32_t* sequence, uint32_t columns) {
  FOR_EACH_TILE(tile, TILE_COLUMNS, columns) fill_tile<uint32_t>(sequence, tile, columns);
}

// The ciphertext of a message, padded, and the sums of its tag.
ROUNDWORKS_ENTRY minalpher_encrypt(const uint32_t* sequence, const uint32_t* in, uint64_t bytes,
                                   uint32_t* out, uint32_t* sums) {
  const uint64_t blocks = bytes / BLOCK_BYTES + 1;
  SUMS(sum);
  FOR_EACH_TILE(tile, TILE, blocks)
    encrypt(sequence, {in, bytes, true}, out, blocks, group_of(tile), fill(blocks - 1, tile), sum);
  add_sums(sums, sum);
}

// The padded message; only for a ciphertext whose tag was found right.
ROUNDWORKS_ENTRY minalpher_decrypt(const uint32_t* sequence, const uint32_t* in, uint64_t blocks,
                                   uint32_t* out) {
  const Data data = {in, BLOCK_BYTES * blocks, false};
  FOR_EACH_TILE(tile, TILE, blocks)
    decrypt<uint32_t>(sequence, data, out, blocks, group_of(tile), fill(blocks, tile));
}

// The sums of a ciphertext's tag.
ROUNDWORKS_ENTRY minalpher_tag(const uint32_t* sequence, const uint32_t* in, uint64_t blocks,
                               uint32_t* sums) {
  const Data data = {in, BLOCK_BYTES * blocks, false};
  SUMS(sum);
  FOR_EACH_TILE(tile, TILE, blocks)
    add_ciphertext(sequence, data, blocks, group_of(tile), fill(blocks - 1, tile), sum);
  add_sums(sums, sum);
}

// The sums of associated data, or of the MAC's message.
ROUNDWORKS_ENTRY minalpher_hash(const uint32_t* sequence, const uint32_t* data, uint64_t bytes,
                                uint32_t* sums) {
  const uint64_t blocks = (bytes + BLOCK_BYTES - 1) / BLOCK_BYTES;
  SUMS(sum);
  FOR_EACH_TILE(tile, TILE, blocks)
    add_data(sequence, {data, bytes, false}, blocks, group_of(tile), fill(blocks - 1, tile), sum);
  add_sums(sums, sum);
}

// The hash or the tag: one warp.
ROUNDWORKS_ENTRY_OF_A_WARP minalpher_finish(const uint32_t* sequence, uint64_t n, uint32_t times,
                                            const uint32_t* sums, const uint32_t* added,
                                            const uint32_t* data, uint64_t bytes, bool padded,
                                            uint64_t at, uint32_t* to) {
  finish<uint32_t>(sequence, n, times, sums, added, {data, bytes, padded}, at, to);
}

// -- many messages -------------------------------------------------------------------------------

// Groups of a launch's block: 64 at once.
#define FOR_EACH_GROUP(at, groups) \
  FOR_EACH_TILE(tile, PAIRS, groups) if (const uint32_t at = group_of(tile); true)
#define FOR_EACH_MESSAGE(at, count)                                                           \
  for (uint32_t m = THREADS * blockIdx.x; m < count; m += THREADS * gridDim.x)                \
    if (const uint32_t at = m + threadIdx.x; true)
#define CLEAR(sum) sum[0] = sum[1] = sum[2] = sum[3] = 0

// P of that many blocks, and blocks added to it.
ROUNDWORKS_ENTRY minalpher_permute_add(const uint32_t* in, const uint32_t* added, uint32_t* to,
                                       uint64_t blocks) {
  FOR_EACH_TILE(tile, TILE, blocks) permute_add<uint32_t>(in, added, to, blocks, group_of(tile));
}

// Tweaks of messages from their masks: the first 64 columns of each.
ROUNDWORKS_ENTRY minalpher_start_many(const uint32_t* places, const uint32_t* masks,
                                      uint32_t* sequences, uint32_t count) {
  FOR_EACH_MESSAGE(at, count) start_one<uint32_t>(places, masks, sequences, count, at);
}

// The others: a warp for each TILE_COLUMNS. Words 2n .. of `numbers`: a message, and which tile of it.
ROUNDWORKS_ENTRY_OF_A_WARP minalpher_fill_many(const uint32_t* places, const uint32_t* numbers,
                                               uint32_t* sequences, uint32_t count) {
  FOR_EACH_TILE(n, 1, count) {
    const uint32_t* place = places + uint64_t{4} * numbers[2 * n];
    uint32_t* sequence = sequences + uint64_t{COLUMN} * place[2];
    fill_tile<uint32_t>(sequence, numbers[2 * n + 1], columns_of(place[1]));
  }
}

ROUNDWORKS_ENTRY minalpher_encrypt_many(const uint32_t* places, const uint32_t* sequences,
                                        const uint32_t* groups, uint32_t count, const uint32_t* in,
                                        uint32_t* out, uint32_t* sums) {
  SUMS(sum);
  FOR_EACH_GROUP(at, count) {
    encrypt({places, sequences, groups, count}, at, in, out, sums, sum);
    CLEAR(sum);
  }
}

// Texts of the messages whose verdict is not 0.
ROUNDWORKS_ENTRY minalpher_decrypt_many(const uint32_t* places, const uint32_t* sequences,
                                        const uint32_t* groups, uint32_t count, const uint32_t* in,
                                        uint32_t* out, const uint32_t* verdicts) {
  FOR_EACH_GROUP(at, count)
    decrypt<uint32_t>({places, sequences, groups, count}, at, in, out, verdicts);
}

ROUNDWORKS_ENTRY minalpher_tag_many(const uint32_t* places, const uint32_t* sequences,
                                    const uint32_t* groups, uint32_t count, const uint32_t* in,
                                    uint32_t* sums) {
  SUMS(sum);
  FOR_EACH_GROUP(at, count) {
    add_ciphertext({places, sequences, groups, count}, at, in, sums, sum);
    CLEAR(sum);
  }
}

ROUNDWORKS_ENTRY minalpher_hash_many(const uint32_t* places, const uint32_t* sequences,
                                     const uint32_t* groups, uint32_t count, const uint32_t* in,
                                     uint32_t* sums) {
  SUMS(sum);
  FOR_EACH_GROUP(at, count) {
    add_data({places, sequences, groups, count}, at, in, sums, sum);
    CLEAR(sum);
  }
}

ROUNDWORKS_ENTRY minalpher_join_many(const uint32_t* places, const uint32_t* sequences,
                                     const uint32_t* sums, const uint32_t* data, const uint32_t* ads,
                                     const uint32_t* added, uint32_t count, bool of_text, bool each,
                                     uint32_t* to, uint32_t* tweaks) {
  const Ends ends = {places, sequences, sums, data, ads, added, count, of_text, each};
  FOR_EACH_MESSAGE(at, count) join<uint32_t>(ends, to, tweaks, at);
}

ROUNDWORKS_ENTRY minalpher_check_many(const uint32_t* tags, const uint32_t* given,
                                      uint32_t* verdicts, uint32_t count) {
  FOR_EACH_MESSAGE(at, count) check<uint32_t>(tags, given, verdicts, count, at);
}
