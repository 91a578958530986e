"""The processor on symbols: instructions against the CPU's own results, and what must be refused."""

from __future__ import annotations

import ctypes
import random
from collections.abc import Callable

import pytest

from roundworks.binary.alignment import Unaligned
from roundworks.binary.features import CPUS
from roundworks.binary.forms import Symbols
from roundworks.binary.library import CompiledLibrary
from roundworks.binary.machine import RCX, RDX, Processor, SecretAddress, SecretBranch
from roundworks.binary.words import SymbolicBytes
from roundworks.errors import NotFollowed

SECRETS = """
#include <stdint.h>
static const uint8_t table[256] = {1, 2, 3};
int look_up(const uint8_t *key) { return table[key[0]]; }
int branch(const uint8_t *key, uint8_t *out) { if (key[0] & 1) out[0] = 1; else out[1] = 7; return 0; }
int neither(const uint8_t *key, uint8_t *out) { out[0] = key[0] ^ (key[1] & 0x0f) ^ 0x55; return 0; }
"""

# Scalar code as compilers make it: shifts, carries, comparisons, multiplication, conditional moves.
SCALAR = """
#include <stdint.h>
uint64_t mixed(uint64_t a, uint64_t b) {
  uint64_t r = 0;
  for (int i = 0; i < 40; i++) {
    a = (a << 7 | a >> 57) * 0x9e3779b97f4a7c15u + b;
    b ^= a >> (i & 31); b -= (int64_t)a < 0 ? 3 : (a % 1000003);
    r += a > b ? a - b : __builtin_bswap64(b) + __builtin_ctzll(a | 1);
    r ^= (uint8_t)a * (uint16_t)b; a += (int8_t)b; b += (int32_t)a;
    if ((int64_t)r <= (int64_t)a) r = ~r; if (a < 77) r++; r = (r << 3 | r >> 61) - (a >= b);
  }
  return r;
}
"""


def machine(library: CompiledLibrary) -> Processor:
    return Processor(library, Symbols(), CPUS["plain"])


def secret(m: Processor, count: int) -> int:
    address = m.place(bytes(count))
    for i, part in enumerate(SymbolicBytes.unknown(count, m.symbols)):
        m.write_bits(address + i, part)
    return address


def test_a_secret_in_an_address_is_refused(compiled: Callable[..., CompiledLibrary]) -> None:
    m = machine(compiled(SECRETS))
    with pytest.raises(SecretAddress, match="look_up.*: an address depends on a secret"):
        m.call("look_up", secret(m, 1))


ALIGNED = """
#include <immintrin.h>
#include <stdint.h>
int bound(uint8_t *p) { __asm__("movdqa (%0), %%xmm0" :: "r"(p) : "xmm0"); return 0; }
int legacy(uint8_t *p) { __asm__("pxor (%0), %%xmm0" :: "r"(p) : "xmm0"); return 0; }
int unbound(uint8_t *p) { __asm__("movdqu (%0), %%xmm0" :: "r"(p) : "xmm0"); return 0; }
int vex(uint8_t *p) { __asm__("vpxor (%0), %%xmm0, %%xmm0" :: "r"(p) : "xmm0"); return 0; }
"""


def test_an_operand_that_is_not_aligned_is_refused(compiled: Callable[..., CompiledLibrary]) -> None:
    """As by the CPU, which ends the program: what has to be aligned, and nothing else."""
    library = compiled(ALIGNED)
    for name, multiple in (("bound", 16), ("legacy", 16), ("unbound", 1), ("vex", 1)):
        for shift in (0, 16, 1, 8):
            m = machine(library)
            at = m.place(bytes(64)) + shift
            if shift % multiple:
                with pytest.raises(Unaligned, match=rf"{name}.*is no multiple of 16"):
                    m.call(name, at)
            else:
                assert m.call(name, at) == 0


def test_a_secret_in_a_branch_is_refused(compiled: Callable[..., CompiledLibrary]) -> None:
    m = machine(compiled(SECRETS))
    with pytest.raises(SecretBranch, match="branch.*: a branch depends on a secret"):
        m.call("branch", secret(m, 1), m.place(bytes(2)))


def test_forms_of_code_without_either(compiled: Callable[..., CompiledLibrary]) -> None:
    m = machine(compiled(SECRETS))
    key, out = secret(m, 2), m.place(bytes(1))
    m.call("neither", key, out)
    a, b = m.read_bits(key, 1), m.read_bits(key + 1, 1)
    want = [m.symbols.xor(a[i], b[i] if i < 4 else 0) ^ (0x55 >> i & 1) for i in range(8)]
    assert m.read_bits(out, 1) == want


def test_scalar_instructions_compute_what_the_cpu_does(compiled: Callable[..., CompiledLibrary]) -> None:
    library = compiled(SCALAR)
    native = ctypes.CDLL(str(library.path)).mixed
    native.restype, native.argtypes = ctypes.c_uint64, [ctypes.c_uint64] * 2
    rng = random.Random(3)
    for _ in range(5):
        a, b = rng.getrandbits(64), rng.getrandbits(64)
        assert machine(library).call("mixed", a, b) == native(a, b)


STRINGS = """
#include <stdint.h>
#include <string.h>
uint64_t f(uint64_t a, uint64_t b) {
  uint32_t from[6] = {1, 2, 3, 4, 5, 6}, to[6];
  void *s = from, *d = to; uint64_t n = 4;
  __asm__ volatile("rep stosl" : "+D"(d), "+c"(n) : "a"((uint32_t)a) : "memory");
  n = 2; s = from + 1;
  __asm__ volatile("rep movsl" : "+D"(d), "+S"(s), "+c"(n) : : "memory");
  double x; memcpy(&x, &b, 8);
  __asm__ volatile("movsd %1, %%xmm0; movsd %%xmm0, %0" : "=m"(*(double *)from) : "m"(x) : "xmm0");
  uint64_t r; memcpy(&r, from, 8);
  __asm__("andn %1, %2, %0" : "=r"(r) : "r"(r), "r"(a) : "cc");
  for (int i = 0; i < 6; i++) r = r * 3 + to[i];
  return r + (d == to + 6) + (s == from + 3);
}
"""


def test_strings_are_no_floating_point(compiled: Callable[..., CompiledLibrary]) -> None:
    """`movsd` is the name of both; and `andn`."""
    library = compiled(STRINGS, "-mbmi")
    native = ctypes.CDLL(str(library.path)).f
    native.restype, native.argtypes = ctypes.c_uint64, [ctypes.c_uint64] * 2
    rng = random.Random(4)
    a, b = rng.getrandbits(64), rng.getrandbits(64)
    assert machine(library).call("f", a, b) == native(a, b)


@pytest.mark.parametrize(
    "text",
    [
        "xor %eax, %eax; test %rdi, %rdi; setne %al; neg %eax; sbb %eax, %eax",
        "neg %rdi; sbb %eax, %eax",
        "movq %rdi, %xmm0; pxor %xmm1, %xmm1; pcmpeqb %xmm1, %xmm0; pmovmskb %xmm0, %ecx;"
        " xor %eax, %eax; cmp $0xffff, %ecx; setne %al; neg %eax",
    ],
)
def test_whether_two_numbers_differ(compiled: Callable[..., CompiledLibrary], text: str) -> None:
    """As compilers make a comparison of tags without a branch: all bits of the result are that condition."""
    code = f"""__attribute__((naked)) long f(const long *a, const long *b) {{
      __asm__("mov (%rdi), %rdi; xor (%rsi), %rdi; {text}; ret"); }}"""
    m = machine(compiled(code))
    a, b = secret(m, 8), secret(m, 8)
    want = m.symbols.any_of(m.symbols.xor_each(m.read_bits(a, 8), m.read_bits(b, 8)))
    assert m.call("f", a, b)[:32] == [want] * 32


def test_an_unknown_import_is_said(compiled: Callable[..., CompiledLibrary]) -> None:
    m = machine(compiled("int putchar(int); int f(void) { return putchar(65); }"))
    with pytest.raises(Exception, match="putchar: called, and not known here"):
        m.call("f")


def test_a_look_up_of_secrets_in_secrets_is_not_followed(compiled: Callable[..., CompiledLibrary]) -> None:
    text = """
    #include <immintrin.h>
    int f(const __m128i *a, __m128i *out) {
      _mm_storeu_si128(out, _mm_shuffle_epi8(_mm_loadu_si128(a), _mm_loadu_si128(a)));
      return 0;
    }"""
    m = machine(compiled(text, "-mssse3"))
    with pytest.raises(NotFollowed, match=r"f\+.*pshufb.*: a look-up of secrets in secrets"):
        m.call("f", secret(m, 16), m.place(bytes(16)))


@pytest.mark.parametrize(
    "vector", ["pxor %%xmm1, %%xmm1", "xorps %%xmm1, %%xmm1", "vpxor %%xmm1, %%xmm1, %%xmm1"]
)
def test_a_register_cleared_holds_nothing_of_what_was_lost(
    compiled: Callable[..., CompiledLibrary], vector: str
) -> None:
    text = f"""
    int f(const char *a) {{
      __asm__ volatile("movdqu (%0), %%xmm0; movdqu 16(%0), %%xmm1; pand %%xmm0, %%xmm1; movdqa %%xmm1, %%xmm2;"
        "movq %%xmm1, %%rcx; movq %%xmm1, %%rdx; {vector}; xor %%edx, %%edx"
        : : "r"(a) : "xmm0", "xmm1", "xmm2", "rcx", "rdx");
      return 0;
    }}"""
    m = machine(compiled(text))
    address, m.symbols.is_complete = secret(m, 32), True
    m.call("f", address)
    assert all(map(m.symbols.is_lost, (*m.v[2][:128], *m.r[RCX])))
    assert not any(m.v[1])
    assert m.r[RDX] == 0


def test_what_is_exchanged_with_lost_bits_comes_back(compiled: Callable[..., CompiledLibrary]) -> None:
    text = """
    #include <stdint.h>
    int f(uint64_t *a) {
      uint64_t lost = a[0] & a[1], x = a[2];
      for (int i = 0; i < 2; i++) { uint64_t t = (lost >> 8 ^ x) & 0x00ff00ff00ff00ff; lost ^= t << 8; x ^= t; }
      a[0] = lost; a[1] = x;
      return 0;
    }"""
    m = machine(compiled(text))
    address, m.symbols.is_complete = secret(m, 24), True
    before = m.read_bits(address + 16, 8)
    m.call("f", address)
    assert m.read_bits(address + 8, 8) == before
    assert all(map(m.symbols.is_lost, m.read_bits(address, 8)))


def test_signed_packing_of_what_has_the_narrow_size(compiled: Callable[..., CompiledLibrary]) -> None:
    text = """
    #include <emmintrin.h>
    int f(const __m128i *a, __m128i *out) {
      __m128i x = _mm_loadu_si128(a);
      out[0] = _mm_packs_epi32(_mm_srai_epi32(x, 16), _mm_setr_epi32(-40000, 40000, -2, 3));
      return 0;
    }
    int g(const __m128i *a, __m128i *out) { out[0] = _mm_packs_epi32(a[0], a[0]); return 0; }"""
    m = machine(compiled(text))
    key, out = secret(m, 16), m.place(bytes(16))
    m.call("f", key, out)
    assert m.read_bits(out, 8) == [bit for i in range(4) for bit in m.read_bits(key + 4 * i + 2, 2)]
    constants = [sum(bit << i for i, bit in enumerate(m.read_bits(out + 8 + 2 * i, 2))) for i in range(4)]
    assert constants == [0x8000, 0x7FFF, 0xFFFE, 3]
    with pytest.raises(NotFollowed, match="a pack that may saturate"):
        m.call("g", key, out)


# rdi: numbers, rsi: eight indices, rdx: a mask, rcx: what is read, r8: where it is written at the same indices.
GATHER = """
__attribute__((naked)) int f(const void *a, const void *at, long mask, void *out, void *to) {
  __asm__("kmovq %rdx, %k1; kmovq %rdx, %k2; vpxor %xmm0, %xmm0, %xmm0; vmovdqu64 (%rsi), %zmm1;"
    "vpgatherqq 8(%rdi,%zmm1,8), %zmm0{%k1}; vmovdqu64 %zmm0, (%rcx);"
    "vpscatterqq %zmm0, 8(%r8,%zmm1,8){%k2}; kmovq %k1, %rax; kmovq %k2, %rdx; or %rdx, %rax; ret");
}"""


def test_a_gather_reads_what_its_mask_selects(compiled: Callable[..., CompiledLibrary]) -> None:
    m = machine(compiled(GATHER, "-mavx512bw"))
    indices, mask = [3, 0, 6, -1, 2, 2, 5, 1], 0b10111101
    at = m.place(b"".join(i.to_bytes(8, "little", signed=True) for i in indices))
    key, out, to = secret(m, 64), m.place(bytes(64)), m.place(bytes(64))
    assert m.call("f", key, at, mask, out, to) == 0  # the masks are, afterwards
    for i, index in enumerate(indices):
        read = m.read_bits(key + 8 + 8 * index, 8)
        assert m.read_bits(out + 8 * i, 8) == (read if mask >> i & 1 else [0] * 64)
        if mask >> i & 1:
            assert m.read_bits(to + 8 + 8 * index, 8) == read
    assert m.read(to + 8, 8) == 0  # index 0 is not selected
    m.write_bits(at, m.read_bits(key, 8))
    with pytest.raises(SecretAddress, match="vpgatherqq.*: an address depends on a secret"):
        m.call("f", key, at, mask, out, to)


def test_products_of_halves_are_of_numbers(compiled: Callable[..., CompiledLibrary]) -> None:
    text = """
    int f(void *a) {
      __asm__("movdqu (%0), %%xmm0; movdqu 16(%0), %%xmm1; pmuludq %%xmm1, %%xmm0; movdqu %%xmm0, (%0)" : : "r"(a));
      return 0;
    }"""
    m = machine(compiled(text))
    numbers = (0xFFFFFFFF, 7, 0x12345678, 9, 0xFFFFFFFE, 1, 3, 2)
    at = m.place(b"".join(n.to_bytes(4, "little") for n in numbers))
    m.call("f", at)
    assert (m.read(at, 8), m.read(at + 8, 8)) == (0xFFFFFFFF * 0xFFFFFFFE, 0x12345678 * 3)
    with pytest.raises(NotFollowed, match="a product of secrets"):
        m.call("f", secret(m, 32))
