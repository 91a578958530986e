// Many messages under one key, one to each warp: for those of some blocks and more. A batch is laid
// out as in batch.hpp, and lengths may differ as they like.
#pragma once

#include "batch.hpp"

namespace roundworks::gcm {

// Message m: the same for all lanes.
struct Single {
  ghash::Input input;
  uint32_t nonce[3];
  uint32_t* out;

  ROUNDWORKS_CODE Single(const Batch& batch, const uint32_t* in, uint32_t m) {
    const uint32_t* place = batch.places + 4 * uint64_t{m};
    const uint32_t* of_nonce = batch.nonces + 3 * uint64_t{m};
    input = {{batch.ad + BLOCK_WORDS * uint64_t{place[0]}, place[1]},
             {in + BLOCK_WORDS * uint64_t{place[2]}, place[3]}};
    for (unsigned j = 0; j < 3; j++) nonce[j] = of_nonce[j];
    out = batch.out + BLOCK_WORDS * uint64_t{place[2]};
  }
};

// The products are with H^LANES, and `powers` those of H up to there.
template <unsigned ROUNDS, typename W>
ROUNDWORKS_CODE void total(
    const Cipher<ROUNDS, W>& cipher, const Single& single, const uint32_t* powers, W (&found)[4]) {
  ghash::absorb(cipher.products, single.input, 1, LANES<W>, 0, lane<W>(), found);
  ghash::times_power(found, powers, word<W>(LANES<W>) - lane<W>());
  ghash::add_lanes<LANES<W> / 2>(found);
  ghash::swap_bytes(found);
  const W nonce[3] = {word<W>(single.nonce[0]), word<W>(single.nonce[1]), word<W>(single.nonce[2])};
  cipher.mask(nonce, word<W>(OF_TAG), found);
}

template <unsigned ROUNDS, typename W>
ROUNDWORKS_CODE void crypt(const Cipher<ROUNDS, W>& cipher, const Single& single) {
  const Data& text = single.input.text;
  const uint32_t blocks = text.blocks();
  const W nonce[3] = {word<W>(single.nonce[0]), word<W>(single.nonce[1]), word<W>(single.nonce[2])};
  ROUNDWORKS_ROLLED
  for (uint32_t first = 0; first < blocks; first += LANES<W>) {
    const W at = lane<W>() + first, inside = below(at, word<W>(blocks));
    W x[4];
    load_if(inside, text.words, at * BLOCK_WORDS, x);
    cipher.mask(nonce, at + word<W>(OF_TEXT), x);
    cut_last(x, at, text.bytes);
    store_if(inside, single.out, at * BLOCK_WORDS, x);
  }
}

template <unsigned ROUNDS, typename W>
ROUNDWORKS_CODE void seal_one(
    const Cipher<ROUNDS, W>& cipher, const Batch& batch, const uint32_t* powers, uint32_t m) {
  crypt(cipher, Single(batch, batch.in, m));
  sync<W>();
  W tag[4];
  total(cipher, Single(batch, batch.out, m), powers, tag);
  store_if(equal(lane<W>(), word<W>(0)), batch.tags + 4 * uint64_t{m}, word<W>(0), tag);
}

// The tag first: text leaves only where it is right.
template <unsigned ROUNDS, typename W>
ROUNDWORKS_CODE void open_one(
    const Cipher<ROUNDS, W>& cipher, const Batch& batch, const uint32_t* powers, uint32_t m) {
  const Single single(batch, batch.in, m);
  W tag[4], given[4];
  total(cipher, single, powers, tag);
  load(batch.tags + 4 * uint64_t{m}, word<W>(0), given);
  const W right = same(tag, given);
  store_if(equal(lane<W>(), word<W>(0)), batch.verdicts + m, word<W>(0), right);
  if (any(right)) crypt(cipher, single);
}

}  // namespace roundworks::gcm
