// AEGIS-128L with a tag of 16 or 32 bytes: eight words of four columns, an AES round each. [AEGIS-RFC]
#pragma once

#include "../aes/tables.hpp"
#include "../common/streams.hpp"

namespace roundworks::aegis {

using aes::Tables;

constexpr unsigned INIT_ROUNDS = 10, FINAL_ROUNDS = 7;

template <typename W, unsigned TAG_WORDS>
struct Aegis128L {
  static constexpr unsigned TAG = TAG_WORDS;
  static_assert(TAG == 4 || TAG == 8, "no tag of another size");
  W w[8][4];

  ROUNDWORKS_CODE void start(const Tables<W>& tables, const uint32_t* key, const W (&nonce)[4]) {
    constexpr uint32_t C0[4] = {0x02010100, 0x0d080503, 0x59372215, 0x6279e990};
    constexpr uint32_t C1[4] = {0x55183ddb, 0xf12fc26d, 0x42311120, 0xdd28b573};
    W x[2][4];
    ROUNDWORKS_UNROLL
    for (unsigned c = 0; c < 4; c++) {
      const W k = word<W>(key[c]), c0 = word<W>(C0[c]), c1 = word<W>(C1[c]);
      w[0][c] = w[4][c] = k ^ nonce[c];
      w[1][c] = w[3][c] = c1;
      w[2][c] = c0;
      w[5][c] = w[7][c] = k ^ c0;
      w[6][c] = k ^ c1;
      x[0][c] = nonce[c];
      x[1][c] = k;
    }
    ROUNDWORKS_ROLLED
    for (unsigned i = 0; i < INIT_ROUNDS; i++) update(tables, x);
  }

  // Update(x[0], x[1]): from the last word on, each takes a round of the one before.
  ROUNDWORKS_CODE void update(const Tables<W>& tables, const W (&x)[2][4]) {
    const W last[4] = {w[7][0], w[7][1], w[7][2], w[7][3]};
    ROUNDWORKS_UNROLL
    for (unsigned i = 7; i; i--) aes::add_round(tables, w[i - 1], w[i]);
    aes::add_round(tables, last, w[0]);
    ROUNDWORKS_UNROLL
    for (unsigned c = 0; c < 4; c++) {
      w[0][c] = w[0][c] ^ x[0][c];
      w[4][c] = w[4][c] ^ x[1][c];
    }
  }

  ROUNDWORKS_CODE void crypt(const Tables<W>&, W (&x)[2][4]) const {
    ROUNDWORKS_UNROLL
    for (unsigned c = 0; c < 4; c++) {
      x[0][c] = xor3(x[0][c], w[6][c], lop3<(A ^ (B & C))>(w[1][c], w[2][c], w[3][c]));
      x[1][c] = xor3(x[1][c], w[2][c], lop3<(A ^ (B & C))>(w[5][c], w[6][c], w[7][c]));
    }
  }

  ROUNDWORKS_CODE void finish(const Tables<W>& tables, W ad_bytes, W bytes, W (&tag)[TAG]) {
    W t[2][4] = {{ad_bytes << 3, ad_bytes >> 29, bytes << 3, bytes >> 29}};
    ROUNDWORKS_UNROLL
    for (unsigned c = 0; c < 4; c++) t[0][c] = t[1][c] = t[0][c] ^ w[2][c];
    ROUNDWORKS_ROLLED
    for (unsigned i = 0; i < FINAL_ROUNDS; i++) update(tables, t);
    // All words but w[7] in one block, or four and four in two.
    ROUNDWORKS_UNROLL
    for (unsigned c = 0; c < 4; c++) {
      const W low = xor3(w[0][c], w[1][c], w[2][c]) ^ w[3][c], high = xor3(w[4][c], w[5][c], w[6][c]);
      tag[c] = TAG == 4 ? low ^ high : low;
      if (TAG == 8) tag[TAG - 4 + c] = high ^ w[7][c];
    }
  }
};

}  // namespace roundworks::aegis
