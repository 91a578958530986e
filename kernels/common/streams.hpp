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

#include "tile.hpp"

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
  W of_first, of_bytes, of_writes;

  ROUNDWORKS_CODE W first(W row) const { return shuffle(of_first, row); }
  ROUNDWORKS_CODE W bytes(W row) const { return shuffle(of_bytes, row); }
  ROUNDWORKS_CODE W writes(W row) const { return shuffle(of_writes, row); }
};

// Half a line of each lane, or a line where there is space for it.
#ifdef ROUNDWORKS_SMALL_TILES
constexpr unsigned TILE_BLOCKS = 4;
#else
constexpr unsigned TILE_BLOCKS = 8;
#endif
template <typename W>
using StreamTile = Tile<W, 1, TILE_BLOCKS>;

enum class Kind { AD, PLAIN, SEALED };

template <typename W>
ROUNDWORKS_CODE void fetch_next(const Span<W>& span, StreamTile<W> tile, uint32_t at) {
  if (any(below(span.of_bytes, word<W>(at + tile.BYTES))))
    tile.template fetch<false>(span.in, span, at);
  else
    tile.template fetch<true>(span.in, span, at);
}

// A chunk `at` bytes behind the begin. Not WHOLE: some lanes have less than 32 bytes left, or none.
template <Kind KIND, bool WHOLE, typename C, typename T, typename W>
ROUNDWORKS_CODE void chunk(const T& tables, C& state, const Span<W>& span, StreamTile<W> tile, uint32_t at) {
  const uint32_t in_tile = at % tile.BYTES, next = at + CHUNK_BYTES;
  if (in_tile == 0) tile.fetched();
  W x[2][4], y[2][4];
  ROUNDWORKS_UNROLL
  for (unsigned h = 0; h < 2; h++) {
    tile.get(0, in_tile / BLOCK_BYTES + h, x[h]);
    ROUNDWORKS_UNROLL
    for (unsigned j = 0; j < 4; j++) y[h][j] = x[h][j];
  }
  if (KIND != Kind::AD) {
    state.crypt(tables, y);
    ROUNDWORKS_UNROLL
    for (unsigned h = 0; h < 2; h++) {
      ROUNDWORKS_UNROLL
      for (unsigned j = 0; j < 4; j++)
        if (!WHOLE) y[h][j] = y[h][j] & kept(span.of_bytes - word<W>(at), 4 * h + j);
      tile.put(0, in_tile / BLOCK_BYTES + h, y[h]);
    }
  }
  // The next tile comes while this chunk is taken in.
  const bool full = next % tile.BYTES == 0;
  if (full || !any(below(word<W>(next), span.of_bytes))) {
    if (KIND == Kind::AD || !any(span.of_writes))
      sync<W>();
    else if (WHOLE && full)
      tile.template write<true>(span.out, span, at - in_tile);
    else
      tile.template write<false>(span.out, span, at - in_tile);
    fetch_next(span, tile, next);
  }
  const C before = state;
  state.update(tables, KIND == Kind::SEALED ? y : x);
  if (WHOLE) return;
  const W inside = below(word<W>(at), span.of_bytes);
  ROUNDWORKS_UNROLL
  for (unsigned i = 0; i < sizeof state.w / sizeof state.w[0]; i++) {
    ROUNDWORKS_UNROLL
    for (unsigned j = 0; j < 4; j++) state.w[i][j] = select(inside, state.w[i][j], before.w[i][j]);
  }
}

// Chunks that all lanes have whole are done without a test.
template <Kind KIND, typename C, typename T, typename W>
ROUNDWORKS_CODE void chunks(const T& tables, C& state, const Span<W>& span, StreamTile<W> tile) {
  uint32_t at = 0;
  tile.fetched();
  fetch_next(span, tile, at);
  ROUNDWORKS_ROLLED
  while (any(below(word<W>(at), span.of_bytes))) {
    ROUNDWORKS_ROLLED
    while (!any(below(span.of_bytes, word<W>(at + CHUNK_BYTES)))) {
      chunk<KIND, true>(tables, state, span, tile, at);
      at += CHUNK_BYTES;
    }
    if (any(below(word<W>(at), span.of_bytes))) chunk<KIND, false>(tables, state, span, tile, at);
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
ROUNDWORKS_CODE void seal(const T& tables, const uint32_t* key, const Streams& streams, StreamTile<W> tile, W m) {
  const Stream<W> stream(streams, m);
  C state;
  W tag[C::TAG];
  state.start(tables, key, stream.nonce);
  chunks<Kind::AD>(tables, state, stream.ad(streams), tile);
  chunks<Kind::PLAIN>(tables, state, stream.text(streams, word<W>(~0u)), tile);
  state.finish(tables, stream.place[1], stream.place[3], tag);
  ROUNDWORKS_UNROLL
  for (unsigned i = 0; i < C::TAG; i++) store_if(stream.mine, streams.tags, m * C::TAG + i, tag[i]);
}

// Twice over the text: for the tag, and to write it where the tag was right.
template <typename C, typename T, typename W>
ROUNDWORKS_CODE void open(const T& tables, const uint32_t* key, const Streams& streams, StreamTile<W> tile, W m) {
  const Stream<W> stream(streams, m);
  W right = word<W>(0);
  ROUNDWORKS_ROLLED
  for (unsigned turn = 0; turn < 2; turn++) {
    C state;
    state.start(tables, key, stream.nonce);
    chunks<Kind::AD>(tables, state, stream.ad(streams), tile);
    chunks<Kind::SEALED>(tables, state, stream.text(streams, right), tile);
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
