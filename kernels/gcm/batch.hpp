// Many short messages under one key, one to each lane. Lanes wait for the longest of their warp, so
// messages of like lengths lie together.
#pragma once

#include "tag.hpp"

namespace roundworks::gcm {

// Message m: words 3m .. of `nonces`; words 4m .. of `places`: first block and bytes of its associated
// data in `ad`, first block and bytes of its text in `in` and `out`; words 4m .. of `tags`; word m of
// `verdicts`. A text is shorter than 2^31 bytes, and so is associated data.
struct Batch {
  const uint32_t *nonces, *places, *ad, *in;
  uint32_t *out, *tags, *verdicts;
  uint32_t count;
};

// One message as its lane sees it; a lane behind the last has an empty one.
template <typename W>
struct Lane {
  W mine, nonce[3], place[4];

  ROUNDWORKS_CODE Lane(const Batch& batch, W at) : mine(below(at, word<W>(batch.count))) {
    ROUNDWORKS_UNROLL
    for (unsigned j = 0; j < 3; j++) nonce[j] = load_if(mine, batch.nonces, at * 3 + j);
    load_if(mine, batch.places, at * 4, place);
  }
};

// AES in counter mode and GHASH, from tables.
template <unsigned ROUNDS, typename W>
struct Cipher {
  const Tables<W>& tables;
  const ghash::Table<4, W>& products;
  const Keys& keys;

  // The block of a counter, and what it masks.
  ROUNDWORKS_CODE void mask(const W (&nonce)[3], W counter, W (&x)[4]) const {
    W key[4];
    ROUNDWORKS_UNROLL
    for (unsigned c = 0; c < 4; c++) {
      const W from = c < 3 ? nonce[c % 3] : prmt(counter, counter, 0x0123);
      key[c] = from ^ word<W>(keys.words[c]);
    }
    rounds<ROUNDS>(tables, keys, 1, key, x);
    ROUNDWORKS_UNROLL
    for (unsigned c = 0; c < 4; c++) x[c] = key[c];
  }

  // sum takes in a block as it lies in memory.
  ROUNDWORKS_CODE void absorb(W (&sum)[4], const W (&block)[4]) const {
    W x[4] = {block[0], block[1], block[2], block[3]};
    ghash::swap_bytes(x);
    ghash::add(sum, x);
    products.times(sum);
  }

  ROUNDWORKS_CODE void absorb(W (&sum)[4], const uint32_t* words, W first, W bytes) const {
    ROUNDWORKS_ROLLED
    for (W at = word<W>(0); any(below(at, bytes)); at += word<W>(BLOCK_BYTES)) {
      const W inside = below(at, bytes);
      W x[4], before[4] = {sum[0], sum[1], sum[2], sum[3]};
      load_if(inside, words, first * BLOCK_WORDS + (at >> 2), x);
      cut(x, bytes - at);
      absorb(sum, x);
      keep(inside, sum, before);
    }
  }

  // Text of the lanes that are allowed. In sealing the sum takes in the ciphertext.
  ROUNDWORKS_CODE void crypt(const Batch& batch, const Lane<W>& lane, W allowed, bool sealing,
                             W (&sum)[4]) const {
    const W first = lane.place[2] * BLOCK_WORDS, bytes = lane.place[3] & allowed;
    W counter = word<W>(OF_TEXT);
    ROUNDWORKS_ROLLED
    for (W at = word<W>(0); any(below(at, bytes)); at += word<W>(BLOCK_BYTES)) {
      const W inside = below(at, bytes);
      W x[4];
      load_if(inside, batch.in, first + (at >> 2), x);
      mask(lane.nonce, counter, x);
      cut(x, bytes - at);
      store_if(inside, batch.out, first + (at >> 2), x);
      if (sealing) {
        W before[4] = {sum[0], sum[1], sum[2], sum[3]};
        absorb(sum, x);
        keep(inside, sum, before);
      }
      counter += word<W>(1);
    }
  }

  ROUNDWORKS_CODE static void keep(W inside, W (&sum)[4], const W (&before)[4]) {
    ROUNDWORKS_UNROLL
    for (unsigned j = 0; j < 4; j++) sum[j] = select(inside, sum[j], before[j]);
  }

  // The tag from the sum of all blocks but the lengths.
  ROUNDWORKS_CODE void finish(const Lane<W>& lane, W (&sum)[4]) const {
    ROUNDWORKS_UNROLL
    for (unsigned j = 0; j < 4; j++) {
      const W bytes = lane.place[j < 2 ? 1 : 3];
      sum[j] = sum[j] ^ (j % 2 ? bytes << 3 : bytes >> 29);
    }
    products.times(sum);
    ghash::swap_bytes(sum);
    mask(lane.nonce, word<W>(OF_TAG), sum);
  }
};

template <unsigned ROUNDS, typename W>
ROUNDWORKS_CODE void seal(const Cipher<ROUNDS, W>& cipher, const Batch& batch, W at) {
  const Lane<W> lane(batch, at);
  W sum[4];
  ghash::clear(sum);
  cipher.absorb(sum, batch.ad, lane.place[0], lane.place[1]);
  cipher.crypt(batch, lane, word<W>(~0u), true, sum);
  cipher.finish(lane, sum);
  store_if(lane.mine, batch.tags, at * 4, sum);
}

// The tag first: text leaves only where it is right.
template <unsigned ROUNDS, typename W>
ROUNDWORKS_CODE void open(const Cipher<ROUNDS, W>& cipher, const Batch& batch, W at) {
  const Lane<W> lane(batch, at);
  W sum[4], given[4];
  ghash::clear(sum);
  cipher.absorb(sum, batch.ad, lane.place[0], lane.place[1]);
  cipher.absorb(sum, batch.in, lane.place[2], lane.place[3]);
  cipher.finish(lane, sum);
  load_if(lane.mine, batch.tags, at * 4, given);
  const W right = same(sum, given);
  store_if(lane.mine, batch.verdicts, at, right);
  cipher.crypt(batch, lane, word<W>(0) - right, false, sum);
}

}  // namespace roundworks::gcm
