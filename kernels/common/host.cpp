// The word of the host by itself, for the tests: what a device does in hardware.
#include <utility>

#include "bits.hpp"

using namespace roundworks;

using Four = Lanes<4>;

static Four loaded(const uint32_t* p) { return load(p, lane<Four>()); }

template <unsigned... F>
static void every_lop3(uint32_t* to, std::integer_sequence<unsigned, F...>) {
  const Four a = word<Four>(A), b = word<Four>(B), c = word<Four>(C);
  ((to[F] = (lop3<F>(a, b, c) & 0xff).v[F % 4]), ...);
}

extern "C" {

// Function F of the three patterns is F.
void common_lop3(uint32_t* to) { every_lop3(to, std::make_integer_sequence<unsigned, 256>()); }

void common_prmt(const uint32_t* a, const uint32_t* b, const uint32_t* s, uint32_t* to) {
  store(to, lane<Four>(), prmt(loaded(a), loaded(b), loaded(s)));
}

void common_funnel(const uint32_t* low, const uint32_t* high, const uint32_t* n, uint32_t* to) {
  store(to, lane<Four>(), funnel(loaded(low), loaded(high), loaded(n)));
}

void common_compare(const uint32_t* a, const uint32_t* b, uint32_t* is_below, uint32_t* is_equal) {
  store(is_below, lane<Four>(), below(loaded(a), loaded(b)));
  store(is_equal, lane<Four>(), equal(loaded(a), loaded(b)));
}

void common_shuffle(const uint32_t* a, const uint32_t* from, uint32_t* to, uint32_t* neighbour) {
  store(to, lane<Four>(), shuffle(loaded(a), loaded(from)));
  store(neighbour, lane<Four>(), shuffle_xor<2>(loaded(a)));
}

// Word i of lane k is x[4i + k]. With `swap`, odd lanes see bytes 0 and 1, 2 and 3 of each word the
// other way round: on the way in, or out.
void common_transpose(uint32_t* x, uint32_t swap) {
  const Four odd = word<Four>(0) - (lane<Four>() & 1);
  const uint32_t swapped[3][2] = {
      {EVEN, ODD}, {SWAPPED_IN_EVEN, SWAPPED_IN_ODD}, {SWAPPED_OUT_EVEN, SWAPPED_OUT_ODD}};
  Four w[32];
  for (unsigned i = 0; i < 32; i++) w[i] = loaded(x + 4 * i);
  transpose(w, select(odd, word<Four>(swapped[swap][0]), word<Four>(EVEN)),
            select(odd, word<Four>(swapped[swap][1]), word<Four>(ODD)));
  for (unsigned i = 0; i < 32; i++) store(x + 4 * i, lane<Four>(), w[i]);
}

}
