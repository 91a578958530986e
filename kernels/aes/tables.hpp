// AES rounds by look-up: four tables of S and MixColumns, each 32 times, a copy for every bank.
//
// Lane k reads bank k whatever it looks up, so no look-up waits for another and time shows nothing
// of the index. An entry of two tables is 256 bytes, 32 banks twice: its address is the index over
// four times the lane, which one prmt puts together.
#pragma once

#include "block.hpp"

namespace roundworks::aes {

constexpr unsigned COPIES = 32, TABLE_BYTES = 4 * 256 * COPIES * 4;

// Table t is column t of MixColumns times S: t mod 2 chooses the half of an entry.
template <typename T>
ROUNDWORKS_CODE T* table(T* tables, unsigned t) {
  return tables + 256 * 2 * COPIES * (t / 2) + COPIES * (t % 2);
}

// Entry x of table t, in all banks. Lanes begin at different ones, or their stores would collide.
template <typename W>
ROUNDWORKS_CODE void fill(uint32_t* tables, unsigned t, W x) {
  W s[1] = {x};
  substitute(s);
  W column = mix_column(s[0] & 0xff);
  ROUNDWORKS_ROLLED
  for (unsigned i = 0; i < t; i++) column = prmt(column, column, 0x2103);
  ROUNDWORKS_ROLLED
  for (unsigned copy = 0; copy < COPIES; copy++)
    store(table(tables, t), x * (2 * COPIES) + ((lane<W>() + copy) & (COPIES - 1)), column);
}

// The tables as a lane sees them.
template <typename W>
struct Tables {
  const uint32_t* words;
  W bank;

  ROUNDWORKS_CODE explicit Tables(const uint32_t* tables) : words(tables), bank(lane<W>() * 4) {}

  // Table t of byte r of x.
  ROUNDWORKS_CODE W at(unsigned t, W x, unsigned r) const {
    return load_at(table(words, t), prmt(x, bank, 0x5504 | r << 4));
  }
};

// y takes a round of x.
template <typename W>
ROUNDWORKS_CODE void add_round(const Tables<W>& tables, const W (&x)[4], W (&y)[4]) {
  ROUNDWORKS_UNROLL
  for (unsigned c = 0; c < 4; c++) {
    W t[4];
    ROUNDWORKS_UNROLL
    for (unsigned r = 0; r < 4; r++) t[r] = tables.at(r, x[(c + r) % 4], r);
    y[c] = xor3(xor3(t[0], t[1], t[2]), t[3], y[c]);
  }
}

// Rounds first .. ROUNDS, the last without MixColumns, of which the output takes `more` too.
template <unsigned ROUNDS, typename W>
ROUNDWORKS_CODE void rounds(const Tables<W>& tables, const Keys& keys, unsigned first, W (&x)[4],
                            const W (&more)[4]) {
  ROUNDWORKS_UNROLL
  for (unsigned round = first; round < ROUNDS; round++) {
    W y[4];
    ROUNDWORKS_UNROLL
    for (unsigned c = 0; c < 4; c++) y[c] = word<W>(keys.words[4 * round + c]);
    add_round(tables, x, y);
    ROUNDWORKS_UNROLL
    for (unsigned c = 0; c < 4; c++) x[c] = y[c];
  }
  // Table (r + 2) mod 4 has S itself in byte r.
  W y[4];
  ROUNDWORKS_UNROLL
  for (unsigned c = 0; c < 4; c++) {
    W s[4];
    ROUNDWORKS_UNROLL
    for (unsigned r = 0; r < 4; r++) s[r] = tables.at((r + 2) % 4, x[(c + r) % 4], r);
    y[c] = prmt(prmt(s[0], s[1], 0x0050), prmt(s[2], s[3], 0x7200), 0x7610);
    y[c] = xor3(y[c], word<W>(keys.words[4 * ROUNDS + c]), more[c]);
  }
  ROUNDWORKS_UNROLL
  for (unsigned c = 0; c < 4; c++) x[c] = y[c];
}

}  // namespace roundworks::aes
