// A word: 32 bits of one lane. Thread code is templated on it and says nothing else of the machine.
//
// On a device a word is uint32_t, a lane is a thread and the hardware keeps the lanes of a warp in
// step. On the host it is Lanes<N>: N neighbouring lanes, in step because each function below does
// all of them before it returns (lanes.hpp). Both have the same functions:
//
//   word<W>(x)                         x in every lane
//   lane<W>()                          the lane's number in its warp, 0 .. LANES<W> - 1
//   a ^ b, a & b, a | b, ~a, a + b, a - b, a * b, a << n, a >> n (n < 32, the same in all lanes)
//   lop3<F>(a, b, c)                   bit 4a + 2b + c of F, for every bit: any function of three
//   prmt(a, b, s)                      byte i is byte (nibble i of s) of b:a, where nibbles are 0 .. 7
//   funnel(low, high, n)               the low word of high:low >> n, n < 32, any n in any lane
//   below(a, b), equal(a, b)           all ones where a < b, where a = b; else 0
//   shuffle_xor<M>(a)                  a of lane ^ M
//   shuffle(a, from)                   a of lane `from`, a word, < LANES<W>
//   load(p, i), load(p, i, x)          p[i]; x = p[i], p[i + 1], ..: 2 or 4, aligned to their size
//   load_if(mask, p, i)                p[i] where the mask is set, else 0, and p[i] is not touched;
//                                      x = four of them, too
//   load_at(p, a), load_at(p, a, x)    the same a bytes behind p: a table's index made by prmt
//   store(p, i, x), store_if           the same the other way
//   fetch_some(to, i, p, j, n)         p[j] .. to `to`[i] .. in shared memory, n bytes and zeros, 16 in all,
//                                      while the lane goes on
//   fetched<W>()                       what any lane of the warp fetched is there for all
//   at(p, i)                           the place p + i in a device's memory, not in shared memory; the
//                                      functions above take it for p, with a number for i
//   add_xor(p, i, x), add_xor_if(mask, p, i, x)
//                                      p[i] ^= x, whole, whoever else does it
//   again(a)                           a; what is made of it is made here, and kept by no register
//   any(a)                             whether a is set in any lane: a branch
//   sync<W>()                          what any lane of the warp stored, all may load
//
// A pointer, an unsigned and a branch are the same in all lanes that step together; what differs is
// a word. So there is no branch on a word, and none on a secret.
#pragma once

#include "platform.hpp"

namespace roundworks {

template <typename W>
constexpr unsigned LANES = 0;

}  // namespace roundworks

#ifdef __CUDACC__

namespace roundworks {

template <>
constexpr unsigned LANES<uint32_t> = 32;

template <typename W>
ROUNDWORKS_CODE W word(uint32_t x) {
  return x;
}

template <typename W>
ROUNDWORKS_CODE W lane() {
  uint32_t id;
  asm("mov.u32 %0, %%laneid;" : "=r"(id));
  return id;
}

template <uint8_t F>
ROUNDWORKS_CODE uint32_t lop3(uint32_t a, uint32_t b, uint32_t c) {
  uint32_t d;
  asm("lop3.b32 %0, %1, %2, %3, %4;" : "=r"(d) : "r"(a), "r"(b), "r"(c), "n"(F));
  return d;
}

ROUNDWORKS_CODE uint32_t prmt(uint32_t a, uint32_t b, uint32_t s) { return __byte_perm(a, b, s); }

ROUNDWORKS_CODE uint32_t funnel(uint32_t low, uint32_t high, uint32_t n) {
  return __funnelshift_r(low, high, n);
}

ROUNDWORKS_CODE uint32_t below(uint32_t a, uint32_t b) { return a < b ? ~0u : 0u; }
ROUNDWORKS_CODE uint32_t equal(uint32_t a, uint32_t b) { return a == b ? ~0u : 0u; }

template <unsigned M>
ROUNDWORKS_CODE uint32_t shuffle_xor(uint32_t a) {
  return __shfl_xor_sync(~0u, a, M);
}

ROUNDWORKS_CODE uint32_t shuffle(uint32_t a, uint32_t from) { return __shfl_sync(~0u, a, from); }

// The compiler would make it again at each use, from parts that then want registers for long.
template <typename T>
ROUNDWORKS_CODE T* at(T* p, uint32_t i) {
  size_t address = __cvta_generic_to_global(p + i);
  asm volatile("" : "+l"(address));
  return static_cast<T*>(__cvta_global_to_generic(address));
}

ROUNDWORKS_CODE uint32_t again(uint32_t a) {
  asm volatile("" : "+r"(a));
  return a;
}

ROUNDWORKS_CODE uint32_t load(const uint32_t* p, uint32_t i) { return p[i]; }

ROUNDWORKS_CODE uint32_t load_if(uint32_t mask, const uint32_t* p, uint32_t i) {
  return mask ? p[i] : 0;
}

ROUNDWORKS_CODE void load(const uint32_t* p, uint32_t i, uint32_t (&x)[4]) {
  const uint4 v = *reinterpret_cast<const uint4*>(p + i);
  x[0] = v.x, x[1] = v.y, x[2] = v.z, x[3] = v.w;
}

ROUNDWORKS_CODE void load(const uint32_t* p, uint32_t i, uint32_t (&x)[2]) {
  const uint2 v = *reinterpret_cast<const uint2*>(p + i);
  x[0] = v.x, x[1] = v.y;
}

ROUNDWORKS_CODE void load_if(uint32_t mask, const uint32_t* p, uint32_t i, uint32_t (&x)[4]) {
  x[0] = x[1] = x[2] = x[3] = 0;
  if (mask) load(p, i, x);
}

ROUNDWORKS_CODE uint32_t load_at(const uint32_t* p, uint32_t a) {
  return *reinterpret_cast<const uint32_t*>(reinterpret_cast<const char*>(p) + a);
}

ROUNDWORKS_CODE void load_at(const uint32_t* p, uint32_t a, uint32_t (&x)[4]) {
  load(reinterpret_cast<const uint32_t*>(reinterpret_cast<const char*>(p) + a), 0, x);
}

ROUNDWORKS_CODE void store(uint32_t* p, uint32_t i, uint32_t x) { p[i] = x; }

ROUNDWORKS_CODE void store_if(uint32_t mask, uint32_t* p, uint32_t i, uint32_t x) {
  if (mask) p[i] = x;
}

ROUNDWORKS_CODE void store(uint32_t* p, uint32_t i, const uint32_t (&x)[4]) {
  *reinterpret_cast<uint4*>(p + i) = make_uint4(x[0], x[1], x[2], x[3]);
}

ROUNDWORKS_CODE void store_if(uint32_t mask, uint32_t* p, uint32_t i, const uint32_t (&x)[4]) {
  if (mask) store(p, i, x);
}

ROUNDWORKS_CODE void store(uint32_t* p, uint32_t i, const uint32_t (&x)[2]) {
  *reinterpret_cast<uint2*>(p + i) = make_uint2(x[0], x[1]);
}

ROUNDWORKS_CODE void fetch_some(uint32_t* to, uint32_t i, const uint32_t* p, uint32_t j, uint32_t n) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(
                   static_cast<uint32_t>(__cvta_generic_to_shared(to + i))),
               "l"(__cvta_generic_to_global(p + j)), "r"(n)
               : "memory");
}

template <typename W>
ROUNDWORKS_CODE void fetched() {
  asm volatile("cp.async.wait_all;" ::: "memory");
  __syncwarp();
}

ROUNDWORKS_CODE void add_xor(uint32_t* p, uint32_t i, uint32_t x) { atomicXor(p + i, x); }

ROUNDWORKS_CODE void add_xor_if(uint32_t mask, uint32_t* p, uint32_t i, uint32_t x) {
  if (mask) atomicXor(p + i, x);
}

ROUNDWORKS_CODE bool any(uint32_t a) { return __any_sync(~0u, a); }

template <typename W>
ROUNDWORKS_CODE void sync() {
  __syncwarp();
}

}  // namespace roundworks

#else
#include "lanes.hpp"
#endif
