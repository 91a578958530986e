// The entries of minalpher.cu on the host, for the tests: the same names, arguments and thread code,
// lane pairs and warps one after another, tiles of four groups to their end.
#include "many.hpp"

using namespace roundworks;
using namespace roundworks::minalpher;

using Pair = Lanes<2>;
using Warp = Lanes<32>;

constexpr unsigned GROUPS = 4, TILE = GROUP * GROUPS;

// Groups to the end of the last tile; whether that many blocks fill the tile of a group.
static uint32_t groups(uint64_t blocks) { return (blocks + TILE - 1) / TILE * GROUPS; }
static bool fill(uint64_t blocks, uint32_t group) { return blocks / TILE > group / GROUPS; }

extern "C" {

void minalpher_permute(const uint32_t* in, uint32_t* out, uint64_t blocks, bool back) {
  for (uint64_t first = 0; first < blocks; first += GROUP) {
    const bool whole = first + GROUP <= blocks;
    State<Pair> s;
    load_blocks(s, {in, BLOCK_BYTES * blocks, false}, first, whole);
    permute(s, back);
    store_blocks<4>(s, out + BLOCK_WORDS * first, blocks - first, whole);
  }
}

void minalpher_start(const uint32_t* seeds, uint32_t* masks, uint32_t* sequences, uint64_t words,
                     uint32_t count) {
  for (uint32_t k = 0; k < count; k++) {
    mask<Pair>(seeds + BLOCK_WORDS * k, masks + BLOCK_WORDS * k);
    start<Warp>(masks + BLOCK_WORDS * k, sequences + words * k);
  }
}

void minalpher_fill(uint32_t* sequence, uint32_t columns) {
  for (uint32_t tile = 0; TILE_COLUMNS * tile < columns; tile++)
    fill_tile<Warp>(sequence, tile, columns);
}

void minalpher_encrypt(const uint32_t* sequence, const uint32_t* in, uint64_t bytes, uint32_t* out,
                       uint32_t* sums) {
  const uint64_t blocks = bytes / BLOCK_BYTES + 1;
  Pair sum[4] = {};
  for (uint32_t g = 0; g < groups(blocks); g++)
    encrypt(sequence, {in, bytes, true}, out, blocks, g, fill(blocks - 1, g), sum);
  add_sums(sums, sum);
}

void minalpher_decrypt(const uint32_t* sequence, const uint32_t* in, uint64_t blocks, uint32_t* out) {
  const Data data = {in, BLOCK_BYTES * blocks, false};
  for (uint32_t g = 0; g < groups(blocks); g++)
    decrypt<Pair>(sequence, data, out, blocks, g, fill(blocks, g));
}

void minalpher_tag(const uint32_t* sequence, const uint32_t* in, uint64_t blocks, uint32_t* sums) {
  const Data data = {in, BLOCK_BYTES * blocks, false};
  Pair sum[4] = {};
  for (uint32_t g = 0; g < groups(blocks); g++)
    add_ciphertext(sequence, data, blocks, g, fill(blocks - 1, g), sum);
  add_sums(sums, sum);
}

void minalpher_hash(const uint32_t* sequence, const uint32_t* data, uint64_t bytes, uint32_t* sums) {
  const uint64_t blocks = (bytes + BLOCK_BYTES - 1) / BLOCK_BYTES;
  Pair sum[4] = {};
  for (uint32_t n = 0; n < groups(blocks); n++)
    add_data(sequence, {data, bytes, false}, blocks, n, fill(blocks - 1, n), sum);
  add_sums(sums, sum);
}

void minalpher_finish(const uint32_t* sequence, uint64_t n, uint32_t times, const uint32_t* sums,
                      const uint32_t* added, const uint32_t* data, uint64_t bytes, bool padded,
                      uint64_t at, uint32_t* to) {
  finish<Pair>(sequence, n, times, sums, added, {data, bytes, padded}, at, to);
}

// Groups and messages to the end of a launch's last block, as on a device.
#define FOR_EACH_GROUP(at, count) for (uint32_t at = 0; at < (count + GROUPS - 1) / GROUPS * GROUPS; at++)
#define FOR_EACH_MESSAGE(at, count) \
  for (uint32_t m = 0; m < count; m += LANES<Warp>) if (const Warp at = lane<Warp>() + m; true)

void minalpher_permute_add(const uint32_t* in, const uint32_t* added, uint32_t* to, uint64_t blocks) {
  for (uint32_t g = 0; g < groups(blocks); g++) permute_add<Pair>(in, added, to, blocks, g);
}

void minalpher_start_many(const uint32_t* places, const uint32_t* masks, uint32_t* sequences,
                          uint32_t count) {
  FOR_EACH_MESSAGE(at, count) start_one(places, masks, sequences, count, at);
}

void minalpher_fill_many(const uint32_t* places, const uint32_t* numbers, uint32_t* sequences,
                         uint32_t count) {
  for (uint32_t n = 0; n < count; n++) {
    const uint32_t* place = places + 4 * numbers[2 * n];
    fill_tile<Warp>(sequences + COLUMN * place[2], numbers[2 * n + 1], columns_of(place[1]));
  }
}

void minalpher_encrypt_many(const uint32_t* places, const uint32_t* sequences, const uint32_t* groups,
                            uint32_t count, const uint32_t* in, uint32_t* out, uint32_t* sums) {
  FOR_EACH_GROUP(at, count) {
    Pair sum[4] = {};
    encrypt({places, sequences, groups, count}, at, in, out, sums, sum);
  }
}

void minalpher_decrypt_many(const uint32_t* places, const uint32_t* sequences, const uint32_t* groups,
                            uint32_t count, const uint32_t* in, uint32_t* out,
                            const uint32_t* verdicts) {
  FOR_EACH_GROUP(at, count)
    decrypt<Pair>({places, sequences, groups, count}, at, in, out, verdicts);
}

void minalpher_tag_many(const uint32_t* places, const uint32_t* sequences, const uint32_t* groups,
                        uint32_t count, const uint32_t* in, uint32_t* sums) {
  FOR_EACH_GROUP(at, count) {
    Pair sum[4] = {};
    add_ciphertext({places, sequences, groups, count}, at, in, sums, sum);
  }
}

void minalpher_hash_many(const uint32_t* places, const uint32_t* sequences, const uint32_t* groups,
                         uint32_t count, const uint32_t* in, uint32_t* sums) {
  FOR_EACH_GROUP(at, count) {
    Pair sum[4] = {};
    add_data({places, sequences, groups, count}, at, in, sums, sum);
  }
}

void minalpher_join_many(const uint32_t* places, const uint32_t* sequences, const uint32_t* sums,
                         const uint32_t* data, const uint32_t* ads, const uint32_t* added,
                         uint32_t count, bool of_text, bool each, uint32_t* to, uint32_t* tweaks) {
  const Ends ends = {places, sequences, sums, data, ads, added, count, of_text, each};
  FOR_EACH_MESSAGE(at, count) join(ends, to, tweaks, at);
}

void minalpher_check_many(const uint32_t* tags, const uint32_t* given, uint32_t* verdicts,
                          uint32_t count) {
  FOR_EACH_MESSAGE(at, count) check(tags, given, verdicts, count, at);
}

// No entry of a device: y^n alone, byte k the coefficient of y^k.
void minalpher_power(uint32_t n, uint8_t* to) {
  const Warp c = power_of_y<Warp>(n);
  for (unsigned k = 0; k < 32; k++) to[k] = c.v[k];
}

}
