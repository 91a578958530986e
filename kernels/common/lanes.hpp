// The word of the host: N lanes as a batch. word.hpp says what each function does.
#pragma once

#include <cstring>

#include "word.hpp"

namespace roundworks {

template <unsigned N>
struct Lanes {
  typedef uint32_t Vector __attribute__((vector_size(4 * N)));
  Vector v;
};

template <unsigned N>
constexpr unsigned LANES<Lanes<N>> = N;

#define ROUNDWORKS_OPERATOR(op)                             \
  template <unsigned N>                                     \
  inline Lanes<N> operator op(Lanes<N> a, Lanes<N> b) {     \
    return {a.v op b.v};                                    \
  }                                                         \
  template <unsigned N>                                     \
  inline Lanes<N> operator op(Lanes<N> a, uint32_t b) {     \
    return {a.v op b};                                      \
  }                                                         \
  template <unsigned N>                                     \
  inline Lanes<N>& operator op##=(Lanes<N>& a, Lanes<N> b) { \
    return a = a op b;                                      \
  }
ROUNDWORKS_OPERATOR(^)
ROUNDWORKS_OPERATOR(&)
ROUNDWORKS_OPERATOR(|)
ROUNDWORKS_OPERATOR(+)
ROUNDWORKS_OPERATOR(-)
ROUNDWORKS_OPERATOR(*)
#undef ROUNDWORKS_OPERATOR

template <unsigned N>
inline Lanes<N> operator~(Lanes<N> a) {
  return {~a.v};
}
template <unsigned N>
inline Lanes<N> operator<<(Lanes<N> a, unsigned n) {
  return {a.v << n};
}
template <unsigned N>
inline Lanes<N> operator>>(Lanes<N> a, unsigned n) {
  return {a.v >> n};
}

template <typename W>
inline W word(uint32_t x) {
  return {typename W::Vector{} + x};
}

template <typename W>
inline W lane() {
  W x;
  for (unsigned k = 0; k < LANES<W>; k++) x.v[k] = k;
  return x;
}

// A function of two bits, of three: by cases of the first, fewer where the cases are alike.
template <unsigned F, unsigned N>
inline Lanes<N> of_two(Lanes<N> b, Lanes<N> c) {
  const Lanes<N> none = b ^ b;
  const Lanes<N> low = {F & 1 ? ~none.v : none.v}, high = {F & 4 ? ~none.v : none.v};
  const Lanes<N> first = (F & 1) == (F >> 1 & 1) ? low : low ^ c;
  const Lanes<N> second = (F >> 2 & 1) == (F >> 3 & 1) ? high : high ^ c;
  return first ^ ((first ^ second) & b);
}

template <unsigned F, unsigned N>
inline Lanes<N> lop3(Lanes<N> a, Lanes<N> b, Lanes<N> c) {
  const Lanes<N> first = of_two<F & 15>(b, c), second = of_two<(F >> 4)>(b, c);
  return first ^ ((first ^ second) & a);
}

template <unsigned N>
inline Lanes<N> prmt(Lanes<N> a, Lanes<N> b, Lanes<N> s) {
  Lanes<N> d;
  for (unsigned k = 0; k < N; k++) {
    const uint64_t pair = uint64_t{b.v[k]} << 32 | a.v[k];
    uint32_t x = 0;
    for (unsigned i = 0; i < 4; i++) x |= (pair >> 8 * (s.v[k] >> 4 * i & 7) & 0xff) << 8 * i;
    d.v[k] = x;
  }
  return d;
}

template <unsigned N>
inline Lanes<N> prmt(Lanes<N> a, Lanes<N> b, uint32_t s) {
  return prmt(a, b, word<Lanes<N>>(s));
}

template <unsigned N>
inline Lanes<N> funnel(Lanes<N> low, Lanes<N> high, Lanes<N> n) {
  Lanes<N> d;
  for (unsigned k = 0; k < N; k++)
    d.v[k] = (uint64_t{high.v[k]} << 32 | low.v[k]) >> (n.v[k] & 31);
  return d;
}

template <unsigned N>
inline Lanes<N> funnel(Lanes<N> low, Lanes<N> high, uint32_t n) {
  return funnel(low, high, word<Lanes<N>>(n));
}

template <unsigned N>
inline Lanes<N> below(Lanes<N> a, Lanes<N> b) {
  return {(typename Lanes<N>::Vector)(a.v < b.v)};
}
template <unsigned N>
inline Lanes<N> equal(Lanes<N> a, Lanes<N> b) {
  return {(typename Lanes<N>::Vector)(a.v == b.v)};
}

template <unsigned N>
inline Lanes<N> shuffle(Lanes<N> a, Lanes<N> from) {
  Lanes<N> d;
  for (unsigned k = 0; k < N; k++) d.v[k] = a.v[from.v[k] % N];
  return d;
}

template <unsigned M, unsigned N>
inline Lanes<N> shuffle_xor(Lanes<N> a) {
  static_assert(M < N, "a lane that does not step with this one");
  return shuffle(a, lane<Lanes<N>>() ^ M);
}

template <unsigned N>
inline Lanes<N> load_if(Lanes<N> mask, const uint32_t* p, Lanes<N> i) {
  Lanes<N> x;
  for (unsigned k = 0; k < N; k++) x.v[k] = mask.v[k] ? p[i.v[k]] : 0;
  return x;
}

template <unsigned N>
inline Lanes<N> load(const uint32_t* p, Lanes<N> i) {
  return load_if(word<Lanes<N>>(~0u), p, i);
}

template <unsigned N, unsigned M>
inline void load(const uint32_t* p, Lanes<N> i, Lanes<N> (&x)[M]) {
  for (unsigned j = 0; j < M; j++) x[j] = load(p, i + j);
}

template <unsigned N, unsigned M>
inline void load_if(Lanes<N> mask, const uint32_t* p, Lanes<N> i, Lanes<N> (&x)[M]) {
  for (unsigned j = 0; j < M; j++) x[j] = load_if(mask, p, i + j);
}

template <unsigned N>
inline Lanes<N> load_at(const uint32_t* p, Lanes<N> a) {
  return load(p, a >> 2);
}

template <unsigned N, unsigned M>
inline void load_at(const uint32_t* p, Lanes<N> a, Lanes<N> (&x)[M]) {
  load(p, a >> 2, x);
}

template <unsigned N>
inline void store_if(Lanes<N> mask, uint32_t* p, Lanes<N> i, Lanes<N> x) {
  for (unsigned k = 0; k < N; k++)
    if (mask.v[k]) p[i.v[k]] = x.v[k];
}

template <unsigned N>
inline void store(uint32_t* p, Lanes<N> i, Lanes<N> x) {
  store_if(word<Lanes<N>>(~0u), p, i, x);
}

template <unsigned N, unsigned M>
inline void store(uint32_t* p, Lanes<N> i, const Lanes<N> (&x)[M]) {
  for (unsigned j = 0; j < M; j++) store(p, i + j, x[j]);
}

template <unsigned N, unsigned M>
inline void store_if(Lanes<N> mask, uint32_t* p, Lanes<N> i, const Lanes<N> (&x)[M]) {
  for (unsigned j = 0; j < M; j++) store_if(mask, p, i + j, x[j]);
}

template <unsigned N>
inline void fetch_some(uint32_t* to, Lanes<N> i, const uint32_t* p, Lanes<N> j, Lanes<N> n) {
  for (unsigned k = 0; k < N; k++) {
    std::memset(to + i.v[k], 0, 16);
    std::memcpy(to + i.v[k], p + j.v[k], n.v[k]);
  }
}

// A place for each lane.
template <unsigned N, typename T>
struct Place {
  T* p;
  Lanes<N> i;
};

template <unsigned N, typename T>
inline Place<N, T> at(T* p, Lanes<N> i) {
  return {p, i};
}

template <unsigned N, typename T, unsigned M>
inline void load(Place<N, T> place, unsigned k, Lanes<N> (&x)[M]) {
  load(place.p + k, place.i, x);
}

template <unsigned N, typename T>
inline Lanes<N> load_if(Lanes<N> mask, Place<N, T> place, unsigned k) {
  return load_if(mask, place.p + k, place.i);
}

template <unsigned N, typename T>
inline Lanes<N> load(Place<N, T> place, unsigned k) {
  return load(place.p + k, place.i);
}

template <unsigned N, typename T, typename X>
inline void store(Place<N, T> place, unsigned k, const X& x) {
  store(place.p + k, place.i, x);
}

template <unsigned N, typename T>
inline void store_if(Lanes<N> mask, Place<N, T> place, unsigned k, Lanes<N> x) {
  store_if(mask, place.p + k, place.i, x);
}

template <unsigned N>
inline Lanes<N> again(Lanes<N> a) {
  return a;
}

template <unsigned N>
inline void add_xor_if(Lanes<N> mask, uint32_t* p, Lanes<N> i, Lanes<N> x) {
  for (unsigned k = 0; k < N; k++)
    if (mask.v[k]) p[i.v[k]] ^= x.v[k];
}

template <unsigned N>
inline void add_xor(uint32_t* p, Lanes<N> i, Lanes<N> x) {
  add_xor_if(word<Lanes<N>>(~0u), p, i, x);
}

template <unsigned N>
inline bool any(Lanes<N> a) {
  for (unsigned k = 0; k < N; k++)
    if (a.v[k]) return true;
  return false;
}

template <typename W>
inline void sync() {}

template <typename W>
inline void fetched() {}

}  // namespace roundworks
