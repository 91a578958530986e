// Rocca-S: seven words of four columns, an AES round on six of them. [ROCCA-S-DRAFT]
#pragma once

#include "../aes/tables.hpp"
#include "../common/streams.hpp"

namespace roundworks::rocca {

using aes::Tables;

constexpr unsigned INIT_ROUNDS = 16, FINAL_ROUNDS = 16;

template <typename W>
struct RoccaS {
  static constexpr unsigned TAG = 8;
  W w[7][4];

  ROUNDWORKS_CODE void start(const Tables<W>& tables, const uint32_t* key, const W (&nonce)[4]) {
    constexpr uint32_t Z0[4] = {0x23ef65cd, 0x71374491, 0xd728ae22, 0x428a2f98};
    constexpr uint32_t Z1[4] = {0x8189dbbc, 0xe9b5dba5, 0xec4d3b2f, 0xb5c0fbcf};
    W z[2][4];
    ROUNDWORKS_UNROLL
    for (unsigned c = 0; c < 4; c++) {
      const W k0 = word<W>(key[c]), k1 = word<W>(key[4 + c]);
      z[0][c] = word<W>(Z0[c]);
      z[1][c] = word<W>(Z1[c]);
      w[0][c] = k1;
      w[1][c] = nonce[c];
      w[2][c] = z[0][c];
      w[3][c] = k0;
      w[4][c] = z[1][c];
      w[5][c] = nonce[c] ^ k1;
      w[6][c] = word<W>(0);
    }
    ROUNDWORKS_ROLLED
    for (unsigned i = 0; i < INIT_ROUNDS; i++) update(tables, z);
    ROUNDWORKS_UNROLL
    for (unsigned i = 0; i < 7; i++) {
      const unsigned half = i == 2 || i > 4;  // K0, K0, K1, K0, K0, K1, K1
      ROUNDWORKS_UNROLL
      for (unsigned c = 0; c < 4; c++) w[i][c] = w[i][c] ^ word<W>(key[4 * half + c]);
    }
  }

  // R(S, x[0], x[1]): word i + 1 takes a round of word i, and another word or a block.
  ROUNDWORKS_CODE void update(const Tables<W>& tables, const W (&x)[2][4]) {
    W y[7][4];
    ROUNDWORKS_UNROLL
    for (unsigned c = 0; c < 4; c++) {
      y[0][c] = w[6][c] ^ w[1][c];
      y[1][c] = x[0][c];
      y[2][c] = w[0][c];
      y[3][c] = w[6][c];
      y[4][c] = x[1][c];
      y[5][c] = w[3][c];
      y[6][c] = w[4][c];
    }
    ROUNDWORKS_UNROLL
    for (unsigned i = 0; i < 6; i++) aes::add_round(tables, w[i], y[i + 1]);
    ROUNDWORKS_UNROLL
    for (unsigned i = 0; i < 7; i++) {
      ROUNDWORKS_UNROLL
      for (unsigned c = 0; c < 4; c++) w[i][c] = y[i][c];
    }
  }

  ROUNDWORKS_CODE void crypt(const Tables<W>& tables, W (&x)[2][4]) const {
    W a[4], b[4];
    ROUNDWORKS_UNROLL
    for (unsigned c = 0; c < 4; c++) {
      a[c] = w[3][c] ^ w[5][c];
      b[c] = w[4][c] ^ w[6][c];
      x[0][c] = x[0][c] ^ w[0][c];
      x[1][c] = x[1][c] ^ w[2][c];
    }
    aes::add_round(tables, a, x[0]);
    aes::add_round(tables, b, x[1]);
  }

  ROUNDWORKS_CODE void finish(const Tables<W>& tables, W ad_bytes, W bytes, W (&tag)[TAG]) {
    const W none = word<W>(0);
    const W x[2][4] = {{ad_bytes << 3, ad_bytes >> 29, none, none},
                       {bytes << 3, bytes >> 29, none, none}};
    ROUNDWORKS_ROLLED
    for (unsigned i = 0; i < FINAL_ROUNDS; i++) update(tables, x);
    ROUNDWORKS_UNROLL
    for (unsigned c = 0; c < 4; c++) {
      tag[c] = xor3(w[0][c], w[1][c], w[2][c]) ^ w[3][c];
      tag[4 + c] = xor3(w[4][c], w[5][c], w[6][c]);
    }
  }
};

}  // namespace roundworks::rocca
