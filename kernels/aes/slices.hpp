// AES in counter mode on slices: 32 blocks of a lane, bit-sliced, and no table.
//
// Slice 8 p + b holds bit b of byte p = 4 column + row. Bit i of it is the block of counter
// 8 i + k of a tile of 256, where k is the lane's number mod 8: eight lanes do a tile, and what
// neighbours store lies together, 128 bytes. ShiftRows is a renaming.
#pragma once

#include "messages.hpp"

namespace roundworks::aes {

constexpr unsigned ACROSS = 8;  // lanes of a tile
template <typename W>
constexpr unsigned TILES = LANES<W> / ACROSS;

constexpr unsigned MASKS = 32 * 4 * (MOST_ROUNDS + 1);

// Mask i: all ones if bit i of the round keys is set, else 0. They lie in shared memory, for all.
template <typename W>
ROUNDWORKS_CODE void spread_keys(const Keys& keys, uint32_t* masks, W i) {
  const W bits = load(keys.words, i >> 5);
  store(masks, i, word<W>(0) - (funnel(bits, bits, i & 31) & 1));
}

template <typename W>
ROUNDWORKS_CODE W spread_bit(W x, unsigned i) {
  return word<W>(0) - (x >> i & 1);
}

template <typename W>
struct Slices {
  W byte[16][8];
};

// MixColumns of one byte, which is in row r, added to a column: row i takes it times 2 where i = r,
// times 3 where i + 1 = r.
template <typename W>
ROUNDWORKS_CODE void add_mixed(W (&column)[4][8], const W (&x)[8], unsigned r) {
  ROUNDWORKS_UNROLL
  for (unsigned b = 0; b < 8; b++) {
    const W before = x[(b + 7) % 8];
    const W twice = b == 1 || b == 3 || b == 4 ? before ^ x[7] : before;
    ROUNDWORKS_UNROLL
    for (unsigned i = 0; i < 4; i++) {
      W& y = column[i][b];
      if (i == r)
        y = y ^ twice;
      else if ((i + 1) % 4 == r)
        y = xor3(y, twice, x[b]);
      else
        y = y ^ x[b];
    }
  }
}

// Rounds 1 and 2 of a tile's blocks, most of them once for all: column 0 after round 1 but for byte
// 15, and after round 2 all columns but for what column 0 gave, are words of a block of block.hpp.
template <typename W>
ROUNDWORKS_CODE void begin(Slices<W>& s, const Keys& keys, const uint32_t* masks,
                           const Counter& counter, W tile) {
  W x[4], column[4][8];
  ROUNDWORKS_UNROLL
  for (unsigned c = 0; c < 3; c++) x[c] = word<W>(counter.nonce[c]);
  x[3] = prmt(tile << 8, tile, 0x0123);
  add_key(x, keys.words);
  substitute(x);
  x[3] = x[3] & 0x00ffffff;
  shift_rows(x);
  ROUNDWORKS_UNROLL
  for (unsigned c = 0; c < 4; c++) x[c] = mix_column(x[c]);
  add_key(x, keys.words + 4);
  ROUNDWORKS_UNROLL
  for (unsigned i = 0; i < 32; i++) column[i / 8][i % 8] = spread_bit(x[0], i);

  constexpr uint32_t BIT[5] = {0xaaaaaaaa, 0xcccccccc, 0xf0f0f0f0, 0xff00ff00, 0xffff0000};
  W last[8], out[8];
  ROUNDWORKS_UNROLL
  for (unsigned b = 0; b < 8; b++) {
    const W low = b < 3 ? spread_bit(lane<W>(), b) : word<W>(BIT[b < 3 ? 0 : b - 3]);
    last[b] = low ^ word<W>(masks[8 * 15 + b]);
  }
  sbox(last, out);
  add_mixed(column, out, 3);

  substitute(x);
  x[0] = word<W>(0);
  shift_rows(x);
  ROUNDWORKS_UNROLL
  for (unsigned c = 0; c < 4; c++) x[c] = mix_column(x[c]);
  add_key(x, keys.words + 8);
  ROUNDWORKS_UNROLL
  for (unsigned c = 0; c < 4; c++) {
    const unsigned r = (4 - c) % 4;
    W (&mixed)[4][8] = reinterpret_cast<W (&)[4][8]>(s.byte[4 * c]);
    ROUNDWORKS_UNROLL
    for (unsigned i = 0; i < 32; i++) mixed[i / 8][i % 8] = spread_bit(x[c], i);
    sbox(column[r], out);
    add_mixed(mixed, out, r);
  }
}

template <typename W>
ROUNDWORKS_CODE void load_keys(const uint32_t* masks, W (&key)[8]) {
  W half[4];
  ROUNDWORKS_UNROLL
  for (unsigned i = 0; i < 8; i += 4) {
    load(masks + i, word<W>(0), half);
    ROUNDWORKS_UNROLL
    for (unsigned j = 0; j < 4; j++) key[i + j] = half[j];
  }
}

// MixColumns of four bytes and the key. With p[r] = a[r] ^ a[r + 1], row r is
// 2 p[r] ^ a[r + 1] ^ p[r + 2].
template <typename W>
ROUNDWORKS_CODE void mix(const W (&a)[4][8], const uint32_t* masks, W (*y)[8]) {
  W p[4][8];
  ROUNDWORKS_UNROLL
  for (unsigned i = 0; i < 32; i++) p[i / 8][i % 8] = a[i / 8][i % 8] ^ a[(i / 8 + 1) % 4][i % 8];
  ROUNDWORKS_UNROLL
  for (unsigned r = 0; r < 4; r++) {
    W key[8];
    load_keys(masks + 8 * r, key);
    ROUNDWORKS_UNROLL
    for (unsigned b = 0; b < 8; b++) {
      const W rest = xor3(a[(r + 1) % 4][b], p[(r + 2) % 4][b], key[b]);
      const W twice = p[r][(b + 7) % 8];
      y[r][b] = b == 1 || b == 3 || b == 4 ? xor3(rest, twice, p[r][7]) : rest ^ twice;
    }
  }
}

// The other rounds.
template <typename W>
ROUNDWORKS_CODE void finish(Slices<W>& s, unsigned rounds, const uint32_t* masks) {
  ROUNDWORKS_ROLLED
  for (unsigned round = 3; round < rounds; round++) {
    Slices<W> t;
    ROUNDWORKS_UNROLL
    for (unsigned c = 0; c < 4; c++) {
      W a[4][8];
      ROUNDWORKS_UNROLL
      for (unsigned r = 0; r < 4; r++) sbox(s.byte[(4 * c + 5 * r) % 16], a[r]);
      mix(a, masks + 128 * round + 32 * c, t.byte + 4 * c);
    }
    s = t;
  }
  Slices<W> t;
  ROUNDWORKS_UNROLL
  for (unsigned p = 0; p < 16; p++) {
    W key[8];
    load_keys(masks + 128 * rounds + 8 * p, key);
    sbox(s.byte[(p + 4 * (p % 4)) % 16], t.byte[p]);
    ROUNDWORKS_UNROLL
    for (unsigned b = 0; b < 8; b++) t.byte[p][b] = t.byte[p][b] ^ key[b];
  }
  s = t;
}

// The part of a message that TILES tiles encrypt, from tile `first` on.
template <typename W>
ROUNDWORKS_CODE void crypt_tiles(const Keys& keys, unsigned rounds, const uint32_t* masks,
                                 const Counter& counter, uint32_t first, const Message& message) {
  const W number = lane<W>() >> 3;
  Slices<W> s;
  begin(s, keys, masks, counter, number + first);
  finish(s, rounds, masks);
  W x[4][32];
  ROUNDWORKS_UNROLL
  for (unsigned c = 0; c < 4; c++) {
    ROUNDWORKS_UNROLL
    for (unsigned i = 0; i < 32; i++) x[c][i] = s.byte[4 * c + i / 8][i % 8];
    transpose(x[c]);
  }
  const bool whole = is_whole(message, counter, first, TILES<W>);
  const W at = number * TILE + (lane<W>() & 7) + (TILE * first - counter.first);
  ROUNDWORKS_UNROLL
  for (unsigned i = 0; i < 32; i++) {
    W text[4], y[4];
    load_blocks(message, at + 8 * i, text, whole);
    ROUNDWORKS_UNROLL
    for (unsigned c = 0; c < 4; c++) y[c] = x[c][i] ^ text[c];
    store_blocks(message, at + 8 * i, y, whole);
  }
}

}  // namespace roundworks::aes
