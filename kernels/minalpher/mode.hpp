// AEAD and MAC on a lane pair: a group of 32 blocks, or the one block of a mask or a tag.
// [MINALPHER, section 2.2]
//
// TEM(t, m) = t ^ P(t ^ m). The message encrypts block j = 1, 2, .. under y^(2j - 1) L; the sums of
// the tag take ciphertext block j under y^(2j) L, and block i of associated data under y^i L'.
#pragma once

#include "tweaks.hpp"

namespace roundworks::minalpher {

// s <- TEM(y^k L, s), or its inverse; k as in add_tweaks.
template <typename W>
ROUNDWORKS_CODE void tem(State<W>& s, const uint32_t* column, unsigned e, bool back) {
  add_tweaks(s, column, e);
  permute(s, back);
  add_tweaks(s, column, e);
}

// Slices whose neighbours N apart become one word: half of each adds up the other half.
template <unsigned N, typename W>
ROUNDWORKS_CODE void halve(W (&x)[32], uint32_t kept) {
  const W mask = word<W>(kept);
  ROUNDWORKS_UNROLL
  for (unsigned i = 0; i < 2 * N; i++) {
    if (i & N) continue;
    const W a = x[i], b = x[i + N];
    x[i] = select(mask, a ^ (a >> N), b ^ (b << N));
  }
}

// The sum of blocks in slices: word j of it, in the lane's byte order, to sum[j].
template <typename W>
ROUNDWORKS_CODE void add_blocks(W (&sum)[4], State<W>& s) {
  ROUNDWORKS_UNROLL
  for (unsigned j = 0; j < 4; j++) {
    W(&x)[32] = s.part[j];
    ROUNDWORKS_UNROLL
    for (unsigned i = 0; i < 16; i++)
      x[i] = prmt(x[i], x[i + 16], 0x5410) ^ prmt(x[i], x[i + 16], 0x7632);
    ROUNDWORKS_UNROLL
    for (unsigned i = 0; i < 8; i++)
      x[i] = prmt(x[i], x[i + 8], EVEN) ^ prmt(x[i], x[i + 8], ODD);
    halve<4>(x, 0x0f0f0f0f);
    halve<2>(x, 0x33333333);
    halve<1>(x, 0x55555555);
    sum[j] = sum[j] ^ x[0];
  }
}

// The sum over the pairs of a warp.
template <unsigned M = 2, typename W>
ROUNDWORKS_CODE W over_pairs(W x) {
  if constexpr (M < LANES<W>) return over_pairs<2 * M>(x ^ shuffle_xor<M>(x));
  return x;
}

// sums, 8 words in memory, take in what a warp summed up.
template <typename W>
ROUNDWORKS_CODE void add_sums(uint32_t* sums, const W (&sum)[4]) {
  const W order = select(odd<W>(), word<W>(0x2301), word<W>(0x3210));
  ROUNDWORKS_UNROLL
  for (unsigned j = 0; j < 4; j++) {
    const W x = prmt(over_pairs(sum[j]), word<W>(0), order);
    add_xor_if(below(lane<W>(), word<W>(2)), sums + j, half<W>(), x);
  }
}

// The lowest `count` bits of 32.
ROUNDWORKS_CODE uint32_t first_bits(uint64_t count) {
  return count < 32 ? (1u << count) - 1 : ~0u;
}

// sum ^= the sum of the first `count` blocks of s, which is lost; of all of them if `whole`.
template <typename W>
ROUNDWORKS_CODE void add_first(W (&sum)[4], State<W>& s, uint64_t count, bool whole) {
  if (!whole) {
    const W mask = word<W>(first_bits(count));
    ROUNDWORKS_UNROLL
    for (unsigned i = 0; i < 128; i++) s[i] = s[i] & mask;
  }
  add_blocks(sum, s);
}

// -- 32 blocks ----------------------------------------------------------------------------------
// A group may lie behind the end, for its warp to stay together: it reads no data and writes nothing,
// but a sequence must have columns for it, whatever they hold. `whole` is as in slices.hpp, and the last
// block of all, which enters a tag by itself, lies behind too.

// How many of `blocks` a group has, from its first block on.
ROUNDWORKS_CODE uint64_t from_group(uint64_t blocks, uint32_t group) {
  const uint64_t first = uint64_t{GROUP} * group;
  return first < blocks ? blocks - first : 0;
}

// A group of a message of `blocks`: its ciphertext, and its part of the tag.
template <typename W>
ROUNDWORKS_CODE void encrypt(const uint32_t* sequence, const Data& message, uint32_t* out,
                             uint64_t blocks, uint32_t group, bool whole, W (&sum)[4]) {
  State<W> s;
  load_blocks(s, message, uint64_t{GROUP} * group, whole);
  // A loop, for P to be in the instruction cache once.
  ROUNDWORKS_ROLLED
  for (unsigned e = 1; e <= 2; e++) {
    tem(s, sequence + uint64_t{COLUMN} * group, e, false);
    if (e == 1)
      store_blocks<2>(s, out + uint64_t{BLOCK_WORDS * GROUP} * group, from_group(blocks, group), whole);
  }
  add_first(sum, s, from_group(blocks - 1, group), whole);
}

template <typename W>
ROUNDWORKS_CODE void decrypt(const uint32_t* sequence, const Data& ciphertext, uint32_t* out,
                             uint64_t blocks, uint32_t group, bool whole) {
  State<W> s;
  load_blocks(s, ciphertext, uint64_t{GROUP} * group, whole);
  tem(s, sequence + uint64_t{COLUMN} * group, 1, true);
  store_blocks<4>(s, out + uint64_t{BLOCK_WORDS * GROUP} * group, from_group(blocks, group), whole);
}

// The part of a group of ciphertext in the tag.
template <typename W>
ROUNDWORKS_CODE void add_ciphertext(const uint32_t* sequence, const Data& ciphertext,
                                    uint64_t blocks, uint32_t group, bool whole, W (&sum)[4]) {
  State<W> s;
  load_blocks(s, ciphertext, uint64_t{GROUP} * group, whole);
  tem(s, sequence + uint64_t{COLUMN} * group, 2, false);
  add_first(sum, s, from_group(blocks - 1, group), whole);
}

// The part of 32 blocks of associated data: every other one from block 64 (n / 2) + n % 2 on.
template <typename W>
ROUNDWORKS_CODE void add_data(const uint32_t* sequence, const Data& data, uint64_t blocks,
                              uint32_t n, bool whole, W (&sum)[4]) {
  const uint64_t first = uint64_t{2 * GROUP} * (n / 2) + n % 2;
  State<W> s;
  load_blocks<2>(s, data, first, whole);
  tem(s, sequence + uint64_t{COLUMN} * (n / 2), 1 + n % 2, false);
  add_first(sum, s, first < blocks ? (blocks - first) / 2 : 0, whole);
}

// -- one block ----------------------------------------------------------------------------------

// A block in every place of a group, the lane's half in x.
template <typename W>
ROUNDWORKS_CODE void spread_block(State<W>& s, const W (&x)[4]) {
  ROUNDWORKS_UNROLL
  for (unsigned j = 0; j < 4; j++) {
    const W y = prmt(x[j], word<W>(0), select(odd<W>(), word<W>(0x2301), word<W>(0x3210)));
    ROUNDWORKS_UNROLL
    for (unsigned i = 0; i < 32; i++) s.part[j][i] = word<W>(0) - (y >> i & 1);
  }
}

// Block i of a group.
template <typename W>
ROUNDWORKS_CODE void gather_block(W (&x)[4], const State<W>& s, unsigned i) {
  ROUNDWORKS_UNROLL
  for (unsigned j = 0; j < 4; j++) {
    W y = word<W>(0);
    ROUNDWORKS_UNROLL
    for (unsigned k = 0; k < 32; k++) y = y | (s.part[j][k] >> i & 1) << k;
    x[j] = prmt(y, word<W>(0), select(odd<W>(), word<W>(0x2301), word<W>(0x3210)));
  }
}

// The mask L = B ^ P(B) of a block B = K || flag || 00 00 || N.
template <typename W>
ROUNDWORKS_CODE void mask(const uint32_t* from, uint32_t* to) {
  W x[4], y[4];
  State<W> s;
  load(from, half<W>(), x);
  spread_block(s, x);
  permute(s, false);
  gather_block(y, s, 0);
  ROUNDWORKS_UNROLL
  for (unsigned j = 0; j < 4; j++) y[j] = y[j] ^ x[j];
  store(to, half<W>(), y);
}

// TEM(y^n (y + 1)^times L, sums ^ added ^ block `at` of the data), times 1 or 2: the end of the
// hash and of the tag. (y + 1)^2 = y^2 + 1, so the tweak is the sum of two.
template <typename W>
ROUNDWORKS_CODE void finish(const uint32_t* sequence, uint64_t n, unsigned times,
                            const uint32_t* sums, const uint32_t* added, const Data& data,
                            uint64_t at, uint32_t* to) {
  const uint32_t* column = sequence + COLUMN * (n / 64);
  const unsigned i = n % 64 / 2, e = n % 2;
  State<W> s;
  W x[4], y[4];
  load_blocks(s, data, at, false);
  gather_block(x, s, 0);
  load(sums, half<W>(), y);
  ROUNDWORKS_UNROLL
  for (unsigned j = 0; j < 4; j++) x[j] = x[j] ^ y[j];
  load(added, half<W>(), y);
  ROUNDWORKS_UNROLL
  for (unsigned j = 0; j < 4; j++) x[j] = x[j] ^ y[j];
  spread_block(s, x);
  add_tweaks(s, column, e + times);
  tem(s, column, e, false);
  add_tweaks(s, column, e + times);
  gather_block(x, s, i);
  store(to, half<W>(), x);
}

}  // namespace roundworks::minalpher
