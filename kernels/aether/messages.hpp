// Many messages under one key, four to each lane. Lanes wait for the longest of their warp, so messages
// of like lengths lie together. What a message and its places are, common/streams.hpp says.
#pragma once

#include "../common/streams.hpp"
#include "aether.hpp"

namespace roundworks::aether {

constexpr unsigned BLOCKS = 3, CHUNK_BYTES = BLOCKS * BLOCK_BYTES;

// A chunk of each message, or two where there is space for them.
#ifdef ROUNDWORKS_SMALL_TILES
constexpr unsigned TILE_BLOCKS = BLOCKS;
#else
constexpr unsigned TILE_BLOCKS = 2 * BLOCKS;
#endif
template <typename W>
using ChunkTile = Tile<W, MESSAGES, TILE_BLOCKS>;

// Row `row` of the scratch area: where bytes of four messages begin; and the one behind it: how many there
// are. A message behind the last is empty. What was opened is written where another row says so.
template <typename W>
struct Span {
  const uint32_t* in;
  uint32_t* out;
  unsigned row;
  bool opened;
  const Scratch<W>& scratch;

  ROUNDWORKS_CODE W first(W r) const { return scratch.of(row, r); }
  ROUNDWORKS_CODE W bytes(W r) const { return scratch.of(row + 1, r); }
  ROUNDWORKS_CODE W writes(W r) const { return opened ? scratch.of(ROW_OF_WRITES, r) : word<W>(~0u); }
};

template <typename W>
ROUNDWORKS_CODE void look_up(Scratch<W>& scratch, const Streams& streams, W m) {
  W place[MESSAGES][4], row[4];
  ROUNDWORKS_UNROLL
  for (unsigned k = 0; k < MESSAGES; k++)
    load_if(below(m + k, word<W>(streams.count)), streams.places, (m + k) * 4, place[k]);
  ROUNDWORKS_UNROLL
  for (unsigned i = 0; i < 4; i++) {
    ROUNDWORKS_UNROLL
    for (unsigned k = 0; k < MESSAGES; k++) row[k] = place[k][i];
    scratch.put(ROW_OF_AD + i, row);
  }
  ROUNDWORKS_UNROLL
  for (unsigned k = 0; k < MESSAGES; k++) row[k] = m + k;
  scratch.put(ROW_OF_NUMBERS, row);
}

// 80 behind the last byte of a chunk that is not full: what word j has of it.
template <typename W>
ROUNDWORKS_CODE W padding(W left, unsigned j) {
  const W end = funnel(word<W>(0x80000000), word<W>(0), (~left & 3) * 8);
  return equal(left >> 2, word<W>(j)) & end;
}

// Zeros and padding where block h of a chunk has no bytes.
template <typename W>
ROUNDWORKS_CODE void pad(W (&x)[4], W left, unsigned h) {
  ROUNDWORKS_UNROLL
  for (unsigned j = 0; j < 4; j++)
    x[j] = (x[j] & kept(left, 4 * h + j)) | padding(left, 4 * h + j);
}

template <bool WHOLE, typename W>
ROUNDWORKS_CODE Slices<W> load_block(const Span<W>& span, ChunkTile<W> tile, uint32_t at,
                                     unsigned first, unsigned h, bool padded) {
  W bytes[MESSAGES], x[MESSAGES][4];
  if (!WHOLE && padded) span.scratch.get(span.row + 1, bytes);
  ROUNDWORKS_UNROLL
  for (unsigned k = 0; k < MESSAGES; k++) {
    tile.get(k, first + h, x[k]);
    if (!WHOLE && padded) pad(x[k], bytes[k] - word<W>(at), h);
  }
  return sliced(x);
}

// And the block again as it is taken in, if it was opened and ends.
template <bool WHOLE, typename W>
ROUNDWORKS_CODE void store_block(const Span<W>& span, ChunkTile<W> tile, uint32_t at, unsigned first,
                                 unsigned h, Slices<W>& block, bool opened) {
  W bytes[MESSAGES], x[MESSAGES][4];
  unsliced(block, x);
  if (!WHOLE) span.scratch.get(span.row + 1, bytes);
  ROUNDWORKS_UNROLL
  for (unsigned k = 0; k < MESSAGES; k++) {
    const W left = WHOLE ? word<W>(0) : bytes[k] - word<W>(at);
    ROUNDWORKS_UNROLL
    for (unsigned j = 0; j < 4; j++)
      if (!WHOLE) x[k][j] = x[k][j] & kept(left, 4 * h + j);
    tile.put(k, first + h, x[k]);
    if (!WHOLE && opened) pad(x[k], left, h);
  }
  if (!WHOLE && opened) block = sliced(x);
}

// Whether what was opened is written for a message of any lane.
template <typename W>
ROUNDWORKS_CODE bool any_writes(const Scratch<W>& scratch) {
  W writes[MESSAGES];
  scratch.get(ROW_OF_WRITES, writes);
  return any(writes[0] | writes[1] | writes[2] | writes[3]);
}

// Whether a message of any lane ends before byte `at`, and whether one goes beyond.
template <typename W>
ROUNDWORKS_CODE bool any_ends(const Span<W>& span, uint32_t at) {
  W bytes[MESSAGES], found = word<W>(0);
  span.scratch.get(span.row + 1, bytes);
  ROUNDWORKS_UNROLL
  for (unsigned k = 0; k < MESSAGES; k++) found = found | below(bytes[k], word<W>(at));
  return any(found);
}

template <typename W>
ROUNDWORKS_CODE bool any_beyond(const Span<W>& span, uint32_t at) {
  W bytes[MESSAGES], found = word<W>(0);
  span.scratch.get(span.row + 1, bytes);
  ROUNDWORKS_UNROLL
  for (unsigned k = 0; k < MESSAGES; k++) found = found | below(word<W>(at), bytes[k]);
  return any(found);
}

// A chunk `at` bytes behind the begin. Not WHOLE: some messages have less than 48 bytes left, or none; a
// block then waits for its keystream in the scratch area, since masks have its registers.
template <Kind KIND, bool WHOLE, typename C, typename W>
ROUNDWORKS_CODE void take(C& state, Scratch<W>& scratch, const Span<W>& span, ChunkTile<W> tile, uint32_t at) {
  constexpr bool OPENED = KIND == Kind::SEALED;
  const uint32_t in_tile = TILE_BLOCKS == BLOCKS ? 0 : at % tile.BYTES, next = at + CHUNK_BYTES;
  const unsigned first = in_tile / BLOCK_BYTES;
  if (in_tile == 0) tile.fetched();
  ROUNDWORKS_UNROLL
  for (unsigned h = 0; h < BLOCKS; h++) {
    Slices<W> block = load_block<WHOLE>(span, tile, at, first, h, !OPENED);
    if (!OPENED || !WHOLE) scratch.put_word(h, block);
    if (KIND == Kind::AD) continue;
    block = state.keystream(scratch, h) ^ (WHOLE ? block : scratch.get_word(h));
    store_block<WHOLE>(span, tile, at, first, h, block, OPENED);
    if (OPENED) scratch.put_word(h, block);
  }
  // The next tile comes while this chunk is taken in.
  const bool full = next % tile.BYTES == 0;
  if (full || !any_beyond(span, next)) {
    if (KIND == Kind::AD || (OPENED && !any_writes(scratch)))
      sync<W>();
    else if (WHOLE && full)
      tile.template write<true>(span.out, span, at - in_tile);
    else
      tile.template write<false>(span.out, span, at - in_tile);
    tile.template fetch<false>(span.in, span, next);
  }
  W inside = word<W>(0), bytes[MESSAGES];
  scratch.get(span.row + 1, bytes);
  ROUNDWORKS_UNROLL
  for (unsigned k = 0; k < MESSAGES; k++)
    inside = inside | (below(word<W>(at), bytes[k]) & (0x11111111u << k));
  state.template update<WHOLE>(scratch, inside);
}

// Chunks that all messages have whole are done without a test.
template <Kind KIND, typename C, typename W>
ROUNDWORKS_CODE void chunks(C& state, Scratch<W>& scratch, const Span<W>& span, ChunkTile<W> tile) {
  uint32_t at = 0;
  tile.fetched();
  tile.template fetch<false>(span.in, span, at);
  ROUNDWORKS_ROLLED
  while (any_beyond(span, at)) {
    ROUNDWORKS_ROLLED
    while (!any_ends(span, at + CHUNK_BYTES)) {
      take<KIND, true>(state, scratch, span, tile, at);
      at += CHUNK_BYTES;
    }
    if (any_beyond(span, at)) take<KIND, false>(state, scratch, span, tile, at);
    at += CHUNK_BYTES;
  }
}

// What the rounds before the first chunk take in, or the one that binds lengths, or those behind the
// last; how many these are.
template <typename C, typename W>
ROUNDWORKS_CODE unsigned lay_out(Scratch<W>& scratch, const uint32_t* fixed, unsigned part) {
  if (part == 1) {
    if (!C::IS_BOUND) return 0;
    W bytes[MESSAGES];
    scratch.get(ROW_OF_AD + 1, bytes);
    scratch.put_word(0, counted(bytes));
    scratch.get(ROW_OF_TEXT + 1, bytes);
    scratch.put_word(1, counted(bytes));
    scratch.put_word(2, load_slices<W>(fixed + SLICES));
    return 1;
  }
  ROUNDWORKS_UNROLL
  for (unsigned h = 0; h < BLOCKS; h++)
    scratch.put_word(h, load_slices<W>(fixed + (part ? FIXED : 0) + SLICES * h));
  return ROUNDS;
}

// The tags of four messages. All rounds that take in no chunk are one loop of machine code.
template <Kind KIND, typename C, typename W>
ROUNDWORKS_CODE void run(const uint32_t* fixed, Scratch<W>& scratch, ChunkTile<W> tile,
                         const Streams& streams, W (&tag)[MESSAGES][TAG_WORDS]) {
  W number[MESSAGES], nonce[MESSAGES][4];
  scratch.get(ROW_OF_NUMBERS, number);
  ROUNDWORKS_UNROLL
  for (unsigned k = 0; k < MESSAGES; k++)
    load_if(below(number[k], word<W>(streams.count)), streams.nonces, number[k] * 4, nonce[k]);
  C state;
  state.start(fixed, scratch, sliced(nonce));
  ROUNDWORKS_ROLLED
  for (unsigned part = 0; part < 3; part++) {
    if (part == 1) {
      state.add_key(fixed, scratch, AFTER_INIT);
      chunks<Kind::AD>(state, scratch, Span<W>{streams.ad, nullptr, ROW_OF_AD, false, scratch}, tile);
      chunks<KIND>(state, scratch,
                   Span<W>{streams.in, streams.out, ROW_OF_TEXT, KIND == Kind::SEALED, scratch}, tile);
      part = 1;  // so that no register keeps it meanwhile
    }
    if (part == 2) state.add_key(fixed, scratch, BEFORE_FINAL);
    const unsigned rounds = lay_out<C>(scratch, fixed, part);
    ROUNDWORKS_ROLLED
    for (unsigned i = 0; i < rounds; i++) state.template update<true>(scratch, word<W>(~0u));
  }
  state.add_key(fixed, scratch, AFTER_FINAL);
  state.tag(scratch, tag);
}

template <typename C, typename W>
ROUNDWORKS_CODE void seal(const uint32_t* fixed, Scratch<W> scratch, ChunkTile<W> tile, const Streams& streams,
                          W m) {
  W number[MESSAGES], tag[MESSAGES][TAG_WORDS];
  look_up(scratch, streams, m);
  run<Kind::PLAIN, C>(fixed, scratch, tile, streams, tag);
  scratch.get(ROW_OF_NUMBERS, number);
  ROUNDWORKS_UNROLL
  for (unsigned k = 0; k < MESSAGES; k++)
    store_if(below(number[k], word<W>(streams.count)), streams.tags, number[k] * TAG_WORDS, tag[k]);
}

// Twice over the texts: for the tags, and to write those whose tag was right.
template <typename C, typename W>
ROUNDWORKS_CODE void open(const uint32_t* fixed, Scratch<W> scratch, ChunkTile<W> tile, const Streams& streams,
                          W m) {
  const W none = word<W>(0), two = word<W>(2);
  W number[MESSAGES], right[MESSAGES] = {none, none, none, none};
  W turns[MESSAGES] = {two, two, two, two};  // to go: in the scratch area as well, for there is no register
  look_up(scratch, streams, m);
  ROUNDWORKS_ROLLED
  while (any(turns[0])) {
    W tag[MESSAGES][TAG_WORDS];
    scratch.put(ROW_OF_WRITES, right);
    scratch.put(ROW_OF_TURNS, turns);
    run<Kind::SEALED, C>(fixed, scratch, tile, streams, tag);
    scratch.get(ROW_OF_NUMBERS, number);
    scratch.get(ROW_OF_TURNS, turns);
    ROUNDWORKS_UNROLL
    for (unsigned k = 0; k < MESSAGES; k++) {
      const W mine = below(number[k], word<W>(streams.count));
      W given[TAG_WORDS], different = none;
      load_if(mine, streams.tags, number[k] * TAG_WORDS, given);
      ROUNDWORKS_UNROLL
      for (unsigned i = 0; i < TAG_WORDS; i++) different = different | (tag[k][i] ^ given[i]);
      right[k] = equal(different, none) & mine;
      turns[k] = turns[k] - word<W>(1);
    }
  }
  ROUNDWORKS_UNROLL
  for (unsigned k = 0; k < MESSAGES; k++)
    store_if(below(number[k], word<W>(streams.count)), streams.verdicts, number[k], right[k] & 1);
}

}  // namespace roundworks::aether
