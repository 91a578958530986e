// Many messages under one key, one to each lane, for a cipher that is a state and its update. Lanes
// wait for the longest of their warp, so messages of like lengths lie together.
//
// A cipher C is a struct of words, w[..][4], with
//
//   TAG                           words of a tag: 4 or 8; a nonce has 4, a chunk of text two blocks
//   start(tables, key, nonce)     the state before the first chunk
//   update(tables, x)             takes in a chunk
//   crypt(tables, x)              XORs a chunk with the keystream
//   finish(tables, ad_bytes, bytes, tag)
#pragma once

#include "blocks.hpp"

namespace roundworks {

constexpr unsigned CHUNK_BYTES = 2 * BLOCK_BYTES;

// Message m: words 4m .. of `nonces`; words 4m .. of `places`: first block and bytes of its associated
// data in `ad`, first block and bytes of its text in `in` and `out`; words TAG m .. of `tags`; word m
// of `verdicts`. A text is shorter than 2^31 bytes, and so is associated data.
struct Streams {
  const uint32_t *nonces, *places, *ad, *in;
  uint32_t *out, *tags, *verdicts;
  uint32_t count;
};

// Of each lane: where its bytes begin, how many there are, and whether what comes out is written.
template <typename W>
struct Span {
  const uint32_t* in;
  uint32_t* out;
  W first, bytes, writes;
};

enum class Kind { AD, PLAIN, SEALED };

// A chunk `at` bytes behind the begin. Not WHOLE: some lanes have less than 32 bytes left, or none.
template <Kind KIND, bool WHOLE, typename C, typename T, typename W>
ROUNDWORKS_CODE void chunk(const T& tables, C& state, const Span<W>& span, uint32_t at) {
  const W left = span.bytes - word<W>(at), word_at = span.first * BLOCK_WORDS + word<W>(at / 4);
  W x[2][4], y[2][4];
  ROUNDWORKS_UNROLL
  for (unsigned h = 0; h < 2; h++) {
    const W inside = WHOLE ? word<W>(~0u) : below(word<W>(at + h * BLOCK_BYTES), span.bytes);
    if (WHOLE)
      load(span.in, word_at + h * BLOCK_WORDS, x[h]);
    else
      load_if(inside, span.in, word_at + h * BLOCK_WORDS, x[h]);
    ROUNDWORKS_UNROLL
    for (unsigned j = 0; j < 4; j++) {
      if (!WHOLE) x[h][j] = x[h][j] & kept(left, 4 * h + j);
      y[h][j] = x[h][j];
    }
  }
  if (KIND != Kind::AD) {
    state.crypt(tables, y);
    ROUNDWORKS_UNROLL
    for (unsigned h = 0; h < 2; h++) {
      W writes = span.writes;
      if (!WHOLE) {
        ROUNDWORKS_UNROLL
        for (unsigned j = 0; j < 4; j++) y[h][j] = y[h][j] & kept(left, 4 * h + j);
        writes = writes & below(word<W>(at + h * BLOCK_BYTES), span.bytes);
      }
      store_if(writes, span.out, word_at + h * BLOCK_WORDS, y[h]);
    }
  }
  const C before = state;
  state.update(tables, KIND == Kind::SEALED ? y : x);
  if (WHOLE) return;
  const W inside = below(word<W>(at), span.bytes);
  ROUNDWORKS_UNROLL
  for (unsigned i = 0; i < sizeof state.w / sizeof state.w[0]; i++) {
    ROUNDWORKS_UNROLL
    for (unsigned j = 0; j < 4; j++) state.w[i][j] = select(inside, state.w[i][j], before.w[i][j]);
  }
}

// Chunks that all lanes have whole are done without a test.
template <Kind KIND, typename C, typename T, typename W>
ROUNDWORKS_CODE void chunks(const T& tables, C& state, const Span<W>& span) {
  uint32_t at = 0;
  ROUNDWORKS_ROLLED
  while (any(below(word<W>(at), span.bytes))) {
    ROUNDWORKS_ROLLED
    while (!any(below(span.bytes, word<W>(at + CHUNK_BYTES)))) {
      chunk<KIND, true>(tables, state, span, at);
      at += CHUNK_BYTES;
    }
    if (any(below(word<W>(at), span.bytes))) chunk<KIND, false>(tables, state, span, at);
    at += CHUNK_BYTES;
  }
}

// One message as its lane sees it; a lane behind the last has an empty one.
template <typename W>
struct Stream {
  W mine, nonce[4], place[4];

  ROUNDWORKS_CODE Stream(const Streams& streams, W m) : mine(below(m, word<W>(streams.count))) {
    load_if(mine, streams.nonces, m * 4, nonce);
    load_if(mine, streams.places, m * 4, place);
  }

  ROUNDWORKS_CODE Span<W> ad(const Streams& streams) const {
    return {streams.ad, nullptr, place[0], place[1], word<W>(0)};
  }

  ROUNDWORKS_CODE Span<W> text(const Streams& streams, W writes) const {
    return {streams.in, streams.out, place[2], place[3], writes};
  }
};

template <typename C, typename T, typename W>
ROUNDWORKS_CODE void seal(const T& tables, const uint32_t* key, const Streams& streams, W m) {
  const Stream<W> stream(streams, m);
  C state;
  W tag[C::TAG];
  state.start(tables, key, stream.nonce);
  chunks<Kind::AD>(tables, state, stream.ad(streams));
  chunks<Kind::PLAIN>(tables, state, stream.text(streams, word<W>(~0u)));
  state.finish(tables, stream.place[1], stream.place[3], tag);
  ROUNDWORKS_UNROLL
  for (unsigned i = 0; i < C::TAG; i++) store_if(stream.mine, streams.tags, m * C::TAG + i, tag[i]);
}

// Twice over the text: for the tag, and to write it where the tag was right.
template <typename C, typename T, typename W>
ROUNDWORKS_CODE void open(const T& tables, const uint32_t* key, const Streams& streams, W m) {
  const Stream<W> stream(streams, m);
  W right = word<W>(0);
  ROUNDWORKS_ROLLED
  for (unsigned turn = 0; turn < 2; turn++) {
    C state;
    state.start(tables, key, stream.nonce);
    chunks<Kind::AD>(tables, state, stream.ad(streams));
    chunks<Kind::SEALED>(tables, state, stream.text(streams, right));
    W tag[C::TAG], different = word<W>(0);
    state.finish(tables, stream.place[1], stream.place[3], tag);
    ROUNDWORKS_UNROLL
    for (unsigned i = 0; i < C::TAG; i++)
      different = different | (tag[i] ^ load_if(stream.mine, streams.tags, m * C::TAG + i));
    right = equal(different, word<W>(0)) & stream.mine;
  }
  store_if(stream.mine, streams.verdicts, m, right & 1);
}

}  // namespace roundworks
