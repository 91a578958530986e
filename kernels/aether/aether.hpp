// The state of AETHER, nine words of four messages, and its round. [AETHER, section 2]
#pragma once

#include "f.hpp"

namespace roundworks::aether {

constexpr unsigned WORDS = 9, TAG_WORDS = 4, ROUNDS = 20;

// Slices that are the same for all messages, in shared memory: what the rounds before the first chunk
// take in, Z0, Z1, Z2, and those behind the last, K0, Z0, K1.
constexpr unsigned FIXED = 3 * SLICES, FIXED_WORDS = 2 * FIXED;
constexpr unsigned K0 = FIXED, K1 = FIXED + 2 * SLICES;

// Where a half of the key goes into S0 .. S8: bit i is of S_i, 0 is K0. After the first rounds, before
// the last, and behind them.
constexpr unsigned AFTER_INIT = 0b111010000, BEFORE_FINAL = 0b101001100, AFTER_FINAL = 0b110010001;

// Lane 0 of a warp stores them for all.
template <typename W>
ROUNDWORKS_CODE void fill(uint32_t* fixed, const uint32_t* key) {
  constexpr uint32_t Z[3][4] = {{0x428a2f98, 0xd728ae22, 0x71374491, 0x23ef65cd},
                                {0xb5c0fbcf, 0xec4d3b2f, 0xe9b5dba5, 0x8189dbbc},
                                {0x71374491, 0x23ef65cd, 0x428a2f98, 0xd728ae22}};
  ROUNDWORKS_UNROLL
  for (unsigned n = 0; n < 6; n++) {
    W x[MESSAGES][4];
    ROUNDWORKS_UNROLL
    for (unsigned j = 0; j < 4; j++) {
      const W z = word<W>(Z[n == 4 ? 0 : n % 3][j]);
      const W given = n == 3 || n == 5 ? word<W>(key[2 * (n - 3) + j]) : prmt(z, z, 0x0123);
      ROUNDWORKS_UNROLL
      for (unsigned m = 0; m < MESSAGES; m++) x[m][j] = given;
    }
    const Slices<W> made = sliced(x);
    ROUNDWORKS_UNROLL
    for (unsigned i = 0; i < SLICES; i++)
      store_if(equal(lane<W>(), word<W>(0)), fixed, word<W>(SLICES * n + i), made.s[i]);
  }
}

template <typename W>
ROUNDWORKS_CODE Slices<W> load_slices(const uint32_t* fixed) {
  Slices<W> to;
  ROUNDWORKS_UNROLL
  for (unsigned k = 0; k < SLICES; k += 4) {
    W x[4];
    load(fixed + k, word<W>(0), x);
    ROUNDWORKS_UNROLL
    for (unsigned j = 0; j < 4; j++) to.s[k + j] = x[j];
  }
  return to;
}

// What a lane has in the shared memory of LANES lanes: X0, X1, X2, which a round takes in, and S7, for
// which registers have no space; then rows of four words. Two words go at once: four
// would need four consecutive registers, which there are not.
constexpr unsigned WORD_OF_S7 = 3, ROW_OF_AD = 16, ROW_OF_TEXT = 18, ROW_OF_WRITES = 20;
constexpr unsigned ROW_OF_NUMBERS = 21, ROW_OF_TURNS = 22, ROWS = 23;

template <typename W>
struct Scratch {
  uint32_t* words;
  W mine;
  unsigned lanes;

  template <unsigned N>
  ROUNDWORKS_CODE void put(unsigned row, const W (&x)[N]) {
    ROUNDWORKS_UNROLL
    for (unsigned k = 0; k < N; k += 2) {
      const W two[2] = {x[k], x[k + 1]};
      store(words + (4 * row + k) * lanes, mine * 2, two);
    }
  }

  template <unsigned N>
  ROUNDWORKS_CODE void get(unsigned row, W (&x)[N]) const {
    sync<W>();  // or the compiler keeps in registers what was put
    ROUNDWORKS_UNROLL
    for (unsigned k = 0; k < N; k += 2) {
      W two[2];
      load(words + (4 * row + k) * lanes, mine * 2, two);
      x[k] = two[0], x[k + 1] = two[1];
    }
  }

  // What row `row` has of message r of the warp.
  ROUNDWORKS_CODE W of(unsigned row, W r) const {
    const W warp = mine - lane<W>();
    return load(words + 4 * row * lanes, (r & 2) * lanes + (warp + (r >> 2)) * 2 + (r & 1));
  }

  // Number of the first message: no register keeps it.
  ROUNDWORKS_CODE W first() const {
    W number[MESSAGES];
    get(ROW_OF_NUMBERS, number);
    return number[0];
  }

  ROUNDWORKS_CODE void put_word(unsigned h, const Slices<W>& x) { put(4 * h, x.s); }
  ROUNDWORKS_CODE Slices<W> get_word(unsigned h) const {
    Slices<W> x;
    get(4 * h, x.s);
    return x;
  }
};

// Bits of a number of bytes, big endian.
template <typename W>
ROUNDWORKS_CODE Slices<W> counted(const W (&bytes)[MESSAGES]) {
  W x[MESSAGES][4];
  ROUNDWORKS_UNROLL
  for (unsigned m = 0; m < MESSAGES; m++) {
    const W high = bytes[m] >> 29, low = bytes[m] << 3;
    x[m][0] = x[m][1] = word<W>(0);
    x[m][2] = prmt(high, high, 0x0123), x[m][3] = prmt(low, low, 0x0123);
  }
  return sliced(x);
}

// AETHER, or AETHER-LB with lengths bound.
template <typename W, bool BOUND>
struct Aether {
  static constexpr bool IS_BOUND = BOUND;
  Slices<W> w[WORDS];  // but S7

  ROUNDWORKS_CODE void start(const uint32_t* fixed, Scratch<W>& scratch, const Slices<W>& nonce) {
    const Slices<W> k0 = load_slices<W>(fixed + K0), none = k0 ^ k0;
    w[0] = load_slices<W>(fixed + SLICES);
    w[1] = k0;
    w[2] = nonce ^ k0;
    w[3] = none;
    w[4] = load_slices<W>(fixed);
    w[5] = none;
    w[6] = nonce;
    scratch.put_word(WORD_OF_S7, load_slices<W>(fixed + K1));
    w[8] = load_slices<W>(fixed + 2 * SLICES);
  }

  // R(S; X0, X1, X2), what lies in the scratch area, of messages that are inside; of others S stays. In this
  // order no words but S2 and S8 are wanted when their place is taken, and nothing else moves; one more
  // and sm_80 spills.
  template <bool ALL>
  ROUNDWORKS_CODE void update(Scratch<W>& scratch, W inside) {
    const Slices<W> s2 = w[2], s8 = w[8];
    Slices<W> s7 = scratch.get_word(WORD_OF_S7);
    put<ALL>(w[8], f(s7) ^ w[0], inside);
    put<ALL>(w[2], f(w[1]) ^ w[6], inside);
    put<ALL>(w[1], f(w[0]) ^ w[3], inside);
    put<ALL>(s7, f(w[6]) ^ s2, inside);
    scratch.put_word(WORD_OF_S7, s7);
    put<ALL>(w[0], with(f(s8), scratch, 0), inside);
    put<ALL>(w[6], f(w[5]) ^ s8, inside);
    put<ALL>(w[5], with(f(w[4]), scratch, 2), inside);
    put<ALL>(w[4], f(w[3]) ^ w[4], inside);
    put<ALL>(w[3], with(f(s2), scratch, 1), inside);
  }

  // Word h of the keystream.
  ROUNDWORKS_CODE Slices<W> keystream(const Scratch<W>& scratch, unsigned h) const {
    if (h == 0) return f(w[0] ^ w[1]) ^ w[4];
    if (h == 1) return with(f(w[2] ^ w[6]), scratch, WORD_OF_S7);
    return f(w[3] ^ w[5]) ^ w[8];
  }

  ROUNDWORKS_CODE void add_key(const uint32_t* fixed, Scratch<W>& scratch, unsigned where) {
    ROUNDWORKS_UNROLL
    for (unsigned i = 0; i < WORDS; i++) {
      const Slices<W> key = load_slices<W>(fixed + (where >> i & 1 ? K1 : K0));
      if (i == 7)
        scratch.put_word(WORD_OF_S7, with(key, scratch, WORD_OF_S7));
      else
        w[i] = w[i] ^ key;
    }
  }

  ROUNDWORKS_CODE void tag(const Scratch<W>& scratch, W (&to)[MESSAGES][TAG_WORDS]) const {
    Slices<W> sum = scratch.get_word(WORD_OF_S7);
    ROUNDWORKS_UNROLL
    for (unsigned i = 0; i < WORDS; i++)
      if (i != 7) sum = sum ^ w[i];
    unsliced(sum, to);
  }

 private:
  // Looked up behind F, not before.
  ROUNDWORKS_CODE static Slices<W> with(const Slices<W>& image, const Scratch<W>& scratch, unsigned h) {
    return image ^ scratch.get_word(h);
  }

  template <bool ALL>
  ROUNDWORKS_CODE static void put(Slices<W>& to, const Slices<W>& next, W inside) {
    sync<W>();  // no look-up for a later word comes before
    ROUNDWORKS_UNROLL
    for (unsigned k = 0; k < SLICES; k++)
      to.s[k] = ALL ? next.s[k] : select(inside, next.s[k], to.s[k]);
  }
};

}  // namespace roundworks::aether
