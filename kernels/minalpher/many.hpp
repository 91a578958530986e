// Many messages under one key: 32 blocks of one of them to a lane pair, and what is done once for a
// message to a lane. A message below 1 KiB leaves some places of its pair empty.
//
// Texts and associated data lie in whole blocks, padded. Masks, sums and tags have 8 words each.
#pragma once

#include "mode.hpp"

namespace roundworks::minalpher {

// Message m: words 4m .. of `places`: its first block, how many, the first column of its tweaks, and of
// associated data how the last block enters: 0 there are none, and the block is of no use; 1 as data;
// 2 as padding. Group n: words 2n .. of `groups`: its message, and which 32 blocks.
struct Batch {
  const uint32_t *places, *sequences, *groups;
  uint32_t count;  // of groups
};

// A group as its pair sees it. Behind the last is one that has no blocks, for a warp to stay together.
struct Group {
  bool mine;
  uint32_t message, number;
  uint64_t first, blocks;
  const uint32_t* sequence;

  ROUNDWORKS_CODE Group(const Batch& batch, uint32_t at) : mine(at < batch.count) {
    const uint32_t* group = batch.groups + (mine ? uint64_t{2} * at : 0);
    const uint32_t* place = batch.places + uint64_t{4} * group[0];
    message = group[0], number = group[1];
    first = place[0], blocks = mine ? place[1] : 0;
    sequence = batch.sequences + uint64_t{COLUMN} * place[2];
  }

  ROUNDWORKS_CODE Data data(const uint32_t* all) const {
    return {all + BLOCK_WORDS * first, BLOCK_BYTES * blocks, false};
  }
};

// What a group sums up, to the sums of its message.
template <typename W>
ROUNDWORKS_CODE void add_group(uint32_t* sums, const Group& group, const W (&sum)[4]) {
  const W order = select(odd<W>(), word<W>(0x2301), word<W>(0x3210));
  const W mine = word<W>(group.mine ? ~0u : 0);
  uint32_t* const of_message = sums + uint64_t{BLOCK_WORDS} * group.message;
  ROUNDWORKS_UNROLL
  for (unsigned j = 0; j < 4; j++)
    add_xor_if(mine, of_message + j, half<W>(), prmt(sum[j], word<W>(0), order));
}

// The first `count` of 32 blocks; the others are zeros.
template <typename W>
ROUNDWORKS_CODE void load_first(State<W>& s, const uint32_t* p, uint64_t count) {
  const auto place = at(p, half<W>());
  const unsigned blocks = count < GROUP ? count : GROUP;
  ROUNDWORKS_UNROLL
  for (unsigned i = 0; i < GROUP; i++) {
    W x[4] = {};
    if (i < blocks) load(place, BLOCK_WORDS * i, x);
    ROUNDWORKS_UNROLL
    for (unsigned j = 0; j < 4; j++) s.part[j][i] = x[j];
  }
  into_slices(s);
}

// As `encrypt` of mode.hpp, but that the group is read again where it is wanted: every register is in
// use, and one more would spill.
template <typename W>
ROUNDWORKS_CODE void encrypt(const Batch& batch, uint32_t at, const uint32_t* in, uint32_t* out,
                             uint32_t* sums, W (&sum)[4]) {
  State<W> s;
  {
    const Group g(batch, at);
    const uint32_t* const from = in + BLOCK_WORDS * (g.first + uint64_t{GROUP} * g.number);
    load_first(s, from, from_group(g.blocks, g.number));
  }
  ROUNDWORKS_ROLLED
  for (unsigned e = 1; e <= 2; e++) {
    {
      const Group g(batch, at);
      tem(s, g.sequence + uint64_t{COLUMN} * g.number, e, false);
    }
    if (e == 1) {
      const Group g(batch, at);
      uint32_t* const to = out + BLOCK_WORDS * (g.first + uint64_t{GROUP} * g.number);
      const uint64_t rest = from_group(g.blocks, g.number);
      store_blocks<2>(s, to, rest, rest >= GROUP);  // no lane waits for others in there
    }
  }
  const Group g(batch, at);
  add_first(sum, s, from_group(g.blocks - 1, g.number), false);
  add_group(sums, g, sum);
}

// Nothing of a message whose verdict is 0.
template <typename W>
ROUNDWORKS_CODE void decrypt(const Batch& batch, uint32_t at, const uint32_t* in, uint32_t* out,
                             const uint32_t* verdicts) {
  Group g(batch, at);
  if (!verdicts[g.message]) g.blocks = 0;
  decrypt<W>(g.sequence, g.data(in), out + BLOCK_WORDS * g.first, g.blocks, g.number, false);
}

template <typename W>
ROUNDWORKS_CODE void add_ciphertext(const Batch& batch, uint32_t at, const uint32_t* in,
                                    uint32_t* sums, W (&sum)[4]) {
  const Group g(batch, at);
  add_ciphertext(g.sequence, g.data(in), g.blocks, g.number, false, sum);
  add_group(sums, g, sum);
}

template <typename W>
ROUNDWORKS_CODE void add_data(const Batch& batch, uint32_t at, const uint32_t* in, uint32_t* sums,
                              W (&sum)[4]) {
  const Group g(batch, at);
  add_data(g.sequence, g.data(in), g.blocks, g.number, false, sum);
  add_group(sums, g, sum);
}

// to = P(in) ^ added, 32 blocks: masks, where both are K || flag || 00 00 || N, and tags, where they
// are what `join` gives.
template <typename W>
ROUNDWORKS_CODE void permute_add(const uint32_t* in, const uint32_t* added, uint32_t* to,
                                 uint64_t blocks, uint32_t group) {
  const uint64_t first = uint64_t{GROUP} * group, count = from_group(blocks, group);
  State<W> s;
  load_blocks(s, {in, BLOCK_BYTES * blocks, false}, first, false);
  permute(s, false);
  store_blocks<4>(s, to + BLOCK_WORDS * first, count, false);
  ROUNDWORKS_ROLLED
  for (unsigned i = 0; i < (count < GROUP ? count : GROUP); i++) {
    W x[4], y[4];
    load(to + BLOCK_WORDS * (first + i), half<W>(), x);
    load(added + BLOCK_WORDS * (first + i), half<W>(), y);
    ROUNDWORKS_UNROLL
    for (unsigned j = 0; j < 4; j++) x[j] = x[j] ^ y[j];
    store(to + BLOCK_WORDS * (first + i), half<W>(), x);
  }
}

// -- a lane for a message --------------------------------------------------------------------------

// How many columns the tweaks of that many blocks take.
template <typename N>
ROUNDWORKS_CODE N columns_of(N blocks) {
  return (blocks >> 5) + 2;
}

// The place of a message; of lanes behind the last, that of message 0.
template <typename W>
ROUNDWORKS_CODE void load_place(const uint32_t* places, W mine, W at, W (&place)[4]) {
  load(places, (at & mine) * 4, place);
}

// The tweaks of a message from its mask, but for columns from STARTED on.
template <typename W>
ROUNDWORKS_CODE void start_one(const uint32_t* places, const uint32_t* masks, uint32_t* sequences,
                               uint32_t count, W at) {
  const W mine = below(at, word<W>(count));
  W place[4], v[8], next[8];
  load_place(places, mine, at, place);
  first_powers(masks, (at & mine) * BLOCK_WORDS, v);
  const W all = columns_of(place[1]) & mine, few = below(all, word<W>(STARTED));
  const W columns = select(few, all, word<W>(STARTED) & mine);
  ROUNDWORKS_ROLLED
  for (W i = word<W>(0); any(below(i, columns)); i += word<W>(1)) {
    next_powers(v, next);
    store_column(below(i, columns), sequences, (place[2] + i) * COLUMN, v, next);
    next_powers(next, v);
  }
}

// Bits at even places of the lowest 16, the others 0: the way back from `evens`.
template <typename W>
ROUNDWORKS_CODE W apart(W x) {
  x = x & 0xffff;
  x = (x | x << 8) & 0x00ff00ff;
  x = (x | x << 4) & 0x0f0f0f0f;
  x = (x | x << 2) & 0x33333333;
  return (x | x << 1) & 0x55555555;
}

// v[b] ^= bits b of a_n .. a_{n+31}, column `first` being that of a_0.
template <typename W>
ROUNDWORKS_CODE void add_window(const uint32_t* sequences, W first, W n, W (&v)[8]) {
  const W column = (first + (n >> 6)) * COLUMN, upper = word<W>(0) - (n >> 5 & 1);
  ROUNDWORKS_UNROLL
  for (unsigned b = 0; b < 8; b++) {
    W powers[3];
    const W even = load(sequences + b, column), odd = load(sequences + 8 + b, column);
    powers[0] = apart(even) | apart(odd) << 1;
    powers[1] = apart(even >> 16) | apart(odd >> 16) << 1;
    powers[2] = apart(load(sequences + COLUMN + b, column)) |
                apart(load(sequences + COLUMN + 8 + b, column)) << 1;
    v[b] = v[b] ^ funnel(select(upper, powers[1], powers[0]), select(upper, powers[2], powers[1]), n & 31);
  }
}

// The end of a tag or of a hash before P, and what is added behind it: the tweak y^n (y + 1)^times L.
// `added`, of a tag: the hashes of associated data, one for all messages unless `each`, where `ads`, the
// places of those, say that there are some.
struct Ends {
  const uint32_t *places, *sequences, *sums, *data, *ads, *added;
  uint32_t count;
  bool of_text, each;
};

template <typename W>
ROUNDWORKS_CODE void join(const Ends& ends, uint32_t* to, uint32_t* tweaks, W at) {
  const W mine = below(at, word<W>(ends.count));
  W place[4], v[8], a[32];
  load_place(ends.places, mine, at, place);
  const W blocks = place[1];
  const W n = ends.of_text ? blocks * 2 - 1 : blocks - 1;
  const W times = ends.of_text ? word<W>(1) : place[3];
  ROUNDWORKS_UNROLL
  for (unsigned b = 0; b < 8; b++) v[b] = word<W>(0);
  add_window(ends.sequences, place[2], n, v);
  add_window(ends.sequences, place[2], n + times, v);
  ROUNDWORKS_UNROLL
  for (unsigned k = 0; k < 32; k++) a[k] = k < 8 ? v[k % 8] : word<W>(0);
  transpose(a);
  a[31] = xor3(a[31], a[2], a[1]);
  a[30] = xor3(a[30], a[1], a[0]);
  a[29] = a[29] ^ a[0];
  W with = word<W>(0);
  if (ends.of_text) with = ~equal(load(ends.ads + 3, (at & mine) * 4), word<W>(0));
  const W of_message = (at & mine) * BLOCK_WORDS;
  const W of_hash = ends.each ? of_message : word<W>(0);
  const W last = (place[0] + blocks - 1) * BLOCK_WORDS;
  ROUNDWORKS_UNROLL
  for (unsigned j = 0; j < BLOCK_WORDS; j++) {
    const W tweak = a[4 * j] | a[4 * j + 1] << 8 | a[4 * j + 2] << 16 | a[4 * j + 3] << 24;
    W x = xor3(load(ends.sums + j, of_message), load(ends.data + j, last), tweak);
    x = x ^ load_if(with, ends.added + j, of_hash);
    store_if(mine, to + j, of_message, x);
    store_if(mine, tweaks + j, of_message, tweak);
  }
}

// 1 to the verdict of a message if its tag is the given one, 4 words, else 0; it looks at all of both.
template <typename W>
ROUNDWORKS_CODE void check(const uint32_t* tags, const uint32_t* given, uint32_t* verdicts,
                           uint32_t count, W at) {
  const W mine = below(at, word<W>(count));
  W x[4], y[4];
  load(tags, (at & mine) * BLOCK_WORDS, x), load(given, (at & mine) * 4, y);
  W different = x[0] ^ y[0];
  ROUNDWORKS_UNROLL
  for (unsigned j = 1; j < 4; j++) different = different | (x[j] ^ y[j]);
  store_if(mine, verdicts, at, equal(different, word<W>(0)) & 1);
}

}  // namespace roundworks::minalpher
