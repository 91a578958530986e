// The ends of AES-GCM: H from a key, the tag from a sum. Nonces are 12 bytes. [GCM, section 7]
#pragma once

#include "../aes/counter.hpp"
#include "../ghash/strided.hpp"

namespace roundworks::gcm {

using namespace roundworks::aes;

// Counter 1 masks the tag, and text begins at 2.
constexpr uint32_t OF_TAG = 1, OF_TEXT = 2;

template <typename W>
ROUNDWORKS_CODE void subkey(const Keys& keys, W (&h)[4]) {
  ghash::clear(h);
  encrypt(h, keys);
  ghash::swap_bytes(h);
}

template <typename W>
ROUNDWORKS_CODE void tag(const Keys& keys, const uint32_t (&nonce)[3], const uint32_t* sum,
                         W (&found)[4]) {
  ROUNDWORKS_UNROLL
  for (unsigned c = 0; c < 3; c++) found[c] = word<W>(nonce[c]);
  found[3] = word<W>(OF_TAG << 24);
  encrypt(found, keys);
  ROUNDWORKS_UNROLL
  for (unsigned c = 0; c < 4; c++) {
    const W s = word<W>(sum[c]);
    found[c] = found[c] ^ prmt(s, s, 0x0123);
  }
}

// 1 if two tags are the same, else 0; it looks at all of both.
template <typename W>
ROUNDWORKS_CODE W same(const W (&a)[4], const W (&b)[4]) {
  W different = a[0] ^ b[0];
  ROUNDWORKS_UNROLL
  for (unsigned c = 1; c < 4; c++) different = different | (a[c] ^ b[c]);
  return equal(different, word<W>(0)) & 1;
}

}  // namespace roundworks::gcm
