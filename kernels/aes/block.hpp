// AES on one block of a lane, and its key schedule: no table, so no address from a secret.
// [FIPS197, section 5]
//
// A word is a column as it lies in memory, row 0 in its lowest byte. This is for what is done once:
// keys, H, the mask of a tag, the first rounds of 256 counters. Messages have tables.hpp and
// slices.hpp.
#pragma once

#include "sbox.hpp"

namespace roundworks::aes {

constexpr unsigned MOST_ROUNDS = 14;

// Round keys, the key first. As an argument of a launch they lie in the constant bank, where a
// round key is an operand and costs no instruction.
struct Keys {
  uint32_t words[4 * (MOST_ROUNDS + 1)];
  uint32_t rounds;
};

// S on every byte of N <= 8 words: bit b of all of them is one word of the circuit.
template <unsigned N, typename W>
ROUNDWORKS_CODE void substitute(W (&x)[N]) {
  const W ones = word<W>(0x01010101);
  W bits[8], out[8];
  ROUNDWORKS_UNROLL
  for (unsigned b = 0; b < 8; b++) {
    bits[b] = x[0] >> b & ones;
    ROUNDWORKS_UNROLL
    for (unsigned i = 1; i < N; i++) bits[b] = bits[b] | (x[i] >> b & ones) << i;
  }
  sbox(bits, out);
  ROUNDWORKS_UNROLL
  for (unsigned i = 0; i < N; i++) {
    x[i] = out[0] >> i & ones;
    ROUNDWORKS_UNROLL
    for (unsigned b = 1; b < 8; b++) x[i] = x[i] | (out[b] >> i & ones) << b;
  }
}

template <typename W>
ROUNDWORKS_CODE void shift_rows(W (&x)[4]) {
  W y[4];
  ROUNDWORKS_UNROLL
  for (unsigned c = 0; c < 4; c++) {
    const W upper = prmt(x[c], x[(c + 1) % 4], 0x0050);
    const W lower = prmt(x[(c + 2) % 4], x[(c + 3) % 4], 0x7200);
    y[c] = prmt(upper, lower, 0x7610);
  }
  ROUNDWORKS_UNROLL
  for (unsigned c = 0; c < 4; c++) x[c] = y[c];
}

// Every byte times x.
template <typename W>
ROUNDWORKS_CODE W doubled(W a) {
  return (a << 1 & word<W>(0xfefefefe)) ^ (a >> 7 & word<W>(0x01010101)) * 0x1b;
}

template <typename W>
ROUNDWORKS_CODE W mix_column(W a) {
  const W twice = doubled(a);
  return xor3(twice, prmt(a ^ twice, a, 0x0321), prmt(a, a, 0x1032)) ^ prmt(a, a, 0x2103);
}

template <typename W>
ROUNDWORKS_CODE void add_key(W (&x)[4], const uint32_t* key) {
  ROUNDWORKS_UNROLL
  for (unsigned c = 0; c < 4; c++) x[c] = x[c] ^ word<W>(key[c]);
}

template <typename W>
ROUNDWORKS_CODE void encrypt(W (&x)[4], const Keys& keys) {
  add_key(x, keys.words);
  ROUNDWORKS_ROLLED
  for (unsigned round = 1; round <= keys.rounds; round++) {
    substitute(x);
    shift_rows(x);
    ROUNDWORKS_UNROLL
    for (unsigned c = 0; c < 4; c++) x[c] = round < keys.rounds ? mix_column(x[c]) : x[c];
    add_key(x, keys.words + 4 * round);
  }
}

// The round keys of a key of KEY words, 4 or 8. Every lane does the same, and stores the same.
template <unsigned KEY, typename W>
ROUNDWORKS_CODE void expand(const uint32_t* key, Keys* keys) {
  const W none = word<W>(0);
  constexpr unsigned ROUNDS = KEY + 6;
  W w[KEY];
  ROUNDWORKS_UNROLL
  for (unsigned i = 0; i < KEY; i++) {
    w[i] = load(key, none + i);
    store(keys->words, none + i, w[i]);
  }
  uint32_t constant = 1;
  ROUNDWORKS_ROLLED
  for (unsigned first = KEY; first < 4 * (ROUNDS + 1); first += KEY) {
    W last[1] = {prmt(w[KEY - 1], w[KEY - 1], 0x0321)};
    substitute(last);
    w[0] = xor3(w[0], last[0], word<W>(constant));
    constant = (constant << 1) ^ (constant >> 7) * 0x11b;
    ROUNDWORKS_UNROLL
    for (unsigned i = 1; i < KEY; i++) {
      W before[1] = {w[i - 1]};
      if (KEY == 8 && i == 4) substitute(before);
      w[i] = w[i] ^ before[0];
    }
    ROUNDWORKS_UNROLL
    for (unsigned i = 0; i < KEY; i++)
      if (first + i < 4 * (ROUNDS + 1)) store(keys->words, none + first + i, w[i]);
  }
  store(&keys->rounds, none, word<W>(ROUNDS));
}

}  // namespace roundworks::aes
