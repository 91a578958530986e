"""What CPUID reports of a processor with given features. [INTEL-SDM] [INSTLATX64]"""

from __future__ import annotations

# (leaf, register, bit); registers are 1 EBX, 2 ECX, 3 EDX.
_PLACES = {
    "sse2": (1, 3, 26),
    "sse3": (1, 2, 0),
    "pclmulqdq": (1, 2, 1),
    "ssse3": (1, 2, 9),
    "fma": (1, 2, 12),
    "sse4.1": (1, 2, 19),
    "sse4.2": (1, 2, 20),
    "popcnt": (1, 2, 23),
    "aes": (1, 2, 25),
    "xsave": (1, 2, 26),
    "osxsave": (1, 2, 27),
    "avx": (1, 2, 28),
    "f16c": (1, 2, 29),
    "bmi1": (7, 1, 3),
    "avx2": (7, 1, 5),
    "bmi2": (7, 1, 8),
    "avx512f": (7, 1, 16),
    "avx512dq": (7, 1, 17),
    "avx512bw": (7, 1, 30),
    "avx512vl": (7, 1, 31),
    "avx512vbmi": (7, 2, 1),
    "gfni": (7, 2, 8),
    "vaes": (7, 2, 9),
    "vpclmulqdq": (7, 2, 10),
}
XCR0 = 0xE7
"""The system saves the registers of SSE, AVX and AVX-512."""

_AES = frozenset({"sse2", "sse3", "ssse3", "sse4.1", "aes", "pclmulqdq"})
_AVX = _AES | {"avx", "xsave", "osxsave"}
_AVX2 = _AVX | {"avx2", "bmi1", "bmi2"}
_AVX512 = _AVX2 | {"fma", "f16c", "avx512f", "avx512bw", "avx512vl", "avx512vbmi", "gfni", "vaes"}
CPUS = {
    "plain": frozenset({"sse2"}),
    "aes": _AES,
    "avx": _AVX,
    "avx2": _AVX2,
    "vaes": _AVX2 | {"vaes"},
    "avx512": _AVX512,
    "halves": _AVX512 | {"halves"},
}
"""Processors by the name of what is newest in them; each has what the ones before have. ``halves``, of AMD, computes
512 bits in two passes of 256."""
_HALVES_LEAF = 0x8000_001A
_FP256 = 1 << 2


def cpuid(features: frozenset[str], leaf: int, sub: int) -> tuple[int, int, int, int]:
    """EAX, EBX, ECX and EDX of a leaf."""
    registers = [0, 0, 0, 0]
    if "halves" in features and leaf in (0x8000_0000, _HALVES_LEAF):
        registers[0] = _FP256 if leaf == _HALVES_LEAF else _HALVES_LEAF
    elif leaf == 0:
        registers = [7, *(int.from_bytes(part, "little") for part in (b"Genu", b"ntel", b"ineI"))]
    elif not sub or leaf == 1:
        for feature in features - {"halves"}:
            where, register, bit = _PLACES[feature]
            if where == leaf:
                registers[register] |= 1 << bit
    return registers[0], registers[1], registers[2], registers[3]
