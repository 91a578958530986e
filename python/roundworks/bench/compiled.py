"""Speed of C that was generated from a description: a shared library with a loop around its calls.

The loop is C too, so that a call costs what it costs a program. Each window stands next to a chain of
dependent additions, one cycle each, which turns its nanoseconds into cycles.
"""

from __future__ import annotations

import ctypes
import hashlib
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from ..errors import BackendUnavailable, RoundworksError, ToolMissing

Bytes = npt.NDArray[np.uint8]
WINDOW_NS = 1_000_000
_CHAIN = 40_000
_CLOCK = """
#include <time.h>
#include "{name}.h"

static double now(void) {{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}}

/* {chain} additions, each of the result of the last. */
static double chain(void) {{
    uint64_t x = 1;
    double start = now();
    for (int i = 0; i < {chain} / 20; i++) {{
#if defined(__x86_64__)
        __asm__ volatile(".rept 20\\n\\tadd %0, %0\\n\\t.endr" : "+r"(x));
#elif defined(__aarch64__)
        __asm__ volatile(".rept 20\\n\\tadd %0, %0, %0\\n\\t.endr" : "+r"(x));
#endif
    }}
    return now() - start;
}}
"""
_MESSAGES = """
/* Nanoseconds of `calls` messages, and of the chain next to them. In place, as the core is measured: 16 KiB
   from one place to another are all of a first-level cache. What is compared is of the data, not timed. */
void roundworks_time(size_t calls, const uint8_t *key, const uint8_t *nonce, const uint8_t *ad, size_t ad_bytes,
                     const uint8_t *data, size_t data_bytes, uint8_t *out, uint8_t *tag, double *result) {{
    result[1] = chain();
    double start = now();
    for (size_t i = 0; i < calls; i++)
        {name}_encrypt_detached(key, nonce, ad, ad_bytes, out, data_bytes, out, tag);
    result[0] = now() - start;
    {name}_encrypt_detached(key, nonce, ad, ad_bytes, data, data_bytes, out, tag);
}}

/* The same of that many messages a call. */
void roundworks_time_many(size_t calls, size_t messages, const uint8_t *key, const uint8_t *nonces,
                          const uint8_t *data, size_t data_bytes, uint8_t *out, uint8_t *tags, double *result) {{
    result[1] = chain();
    double start = now();
    for (size_t i = 0; i < calls; i++)
        {name}_encrypt_many(key, messages, nonces, data, 0, data, data_bytes, out, tags);
    result[0] = now() - start;
}}
"""
_BLOCKS = """
/* Nanoseconds of `calls` times that many blocks, each time what the last call left; and of the chain. */
void roundworks_time_blocks(size_t calls, size_t blocks, uint8_t *data, double *result) {{
    result[1] = chain();
    double start = now();
    for (size_t i = 0; i < calls; i++)
        {name}_permute(data, data, blocks);
    result[0] = now() - start;
}}
"""


_OPTIONS = ("-O3", "-shared", "-fPIC")


def compiler_used(compiler: str = "cc") -> str:
    """What `build` compiles with: ``cc (Debian 12.2.0-14) 12.2.0 -O3``."""
    done = subprocess.run([compiler, "--version"], capture_output=True, text=True, check=True)
    return f"{done.stdout.splitlines()[0]} {_OPTIONS[0]}"


def build(folder: Path, name: str, compiler: str = "cc") -> None:
    """Compile ``name.c`` of a folder and its loop, of a cipher or a permutation, to ``libname.so`` in it.

    Raises
    ------
    ToolMissing
        ``cc: not found; ...``
    """
    loop = folder / "loop.c"
    blocks = f"{name}_permute(" in (folder / f"{name}.h").read_text(encoding="utf-8")
    text = _CLOCK + (_BLOCKS if blocks else _MESSAGES)
    loop.write_text(text.format(name=name, chain=_CHAIN), encoding="utf-8")
    command = [compiler, *_OPTIONS, "-o", f"lib{name}.so", f"{name}.c", loop.name]
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        raise ToolMissing(f"{compiler}: not found; `bench` compiles the generated C with it") from None
    if done.returncode:
        raise RoundworksError(f"{' '.join(command)}: exit {done.returncode}\n{done.stderr[-2000:]}")


@dataclass(frozen=True, slots=True)
class _Library:
    """A library that `build` made."""

    library: Path
    name: str

    def backends(self) -> list[str]:
        """Those that this CPU has, in the order of the file."""
        lib = ctypes.CDLL(str(self.library))
        named = getattr(lib, f"{self.name}_backend_name")
        named.restype, named.argtypes = ctypes.c_char_p, [ctypes.c_size_t]
        every, index = [], 0
        while (found := named(index)) is not None:
            every.append(found.decode())
            index += 1
        return [name for name in every if self._choose(lib, name)]

    def chosen(self, backend: str) -> ctypes.CDLL:
        """The library with that back end.

        Raises
        ------
        BackendUnavailable
            ``toy: back end 'gfni': not on this CPU, or not in the generated file``
        """
        lib = ctypes.CDLL(str(self.library))
        if not self._choose(lib, backend):
            raise BackendUnavailable(
                f"{self.name}: back end {backend!r}: not on this CPU, or not in the generated file"
            )
        return lib

    def _choose(self, lib: ctypes.CDLL, backend: str) -> bool:
        return bool(getattr(lib, f"{self.name}_choose_backend")(backend.encode()) == 0)


def aligned(size: int) -> Bytes:
    """Bytes on a cache line, as the core's own are: what an allocator does is nobody's merit."""
    raw = np.empty(size + 64, np.uint8)
    start = -raw.ctypes.data % 64
    return raw[start : start + size]


def _timed(
    window: Callable[[int], tuple[float, float]], samples: int, each: int, window_ns: int
) -> tuple[list[float], list[float]]:
    """Nanoseconds and cycles of one of `each` per call, of windows that give theirs and the chain's."""
    calls = 1
    while (took := window(calls)[0]) < window_ns / 4:
        calls *= 2
    calls = max(1, round(calls * window_ns / 2 / took))
    windows = [window(calls) for _ in range(samples)]
    ns = [took / calls / each for took, _ in windows]
    return ns, [took / calls / each * _CHAIN / chain for took, chain in windows]


@dataclass(frozen=True, slots=True)
class CompiledPermutation(_Library):
    """A permutation in a library that `build` made."""

    block_bytes: int

    def sample(
        self, backend: str, blocks: int, samples: int, window_ns: int
    ) -> tuple[list[float], list[float]]:
        """Nanoseconds and cycles of a block in each window, that many blocks a call."""
        lib = self.chosen(backend)
        data = ctypes.create_string_buffer(bytes(i & 0xFF for i in range(blocks * self.block_bytes)))
        result = (ctypes.c_double * 2)()

        def window(calls: int) -> tuple[float, float]:
            lib.roundworks_time_blocks(ctypes.c_size_t(calls), ctypes.c_size_t(blocks), data, result)
            return result[0], result[1]

        return _timed(window, samples, blocks, window_ns)

    def permute(self, backend: str, data: bytes) -> bytes:
        """The images of whole blocks."""
        lib, out = self.chosen(backend), ctypes.create_string_buffer(len(data))
        getattr(lib, f"{self.name}_permute")(out, data, ctypes.c_size_t(len(data) // self.block_bytes))
        return out.raw


@dataclass(frozen=True, slots=True)
class Compiled(_Library):
    """A cipher in a library that `build` made; sizes in bytes."""

    key_bytes: int
    nonce_bytes: int
    tag_bytes: int

    def keyed(self, backend: str = "") -> CompiledAead:
        """The cipher with a key whose byte i is i; the fastest back end of this CPU unless one is named."""
        return CompiledAead(self, backend or self.backends()[-1])

    def sample(
        self, backend: str, data_bytes: int, ad_bytes: int, samples: int, messages: int = 1
    ) -> tuple[list[float], list[float], str]:
        """Nanoseconds and cycles of one encryption in each of `samples` windows, and the digest of its
        ciphertext and tag; byte i of every input is i modulo 256.

        With several `messages` a call, without associated data, the time of one of them.

        Raises
        ------
        BackendUnavailable
            ``toy: back end 'gfni': not on this CPU, or not in the generated file``
        """
        lib = self.chosen(backend)
        if messages > 1 and ad_bytes:
            raise ValueError(f"ad_bytes: want 0 with {messages} messages, got {ad_bytes}")
        sizes = (self.key_bytes, messages * self.nonce_bytes, ad_bytes, messages * data_bytes)
        key, nonce, ad, data = (bytes(i & 0xFF for i in range(size)) for size in sizes)
        out = aligned(max(1, messages * data_bytes))
        tag = ctypes.create_string_buffer(messages * self.tag_bytes)
        result = (ctypes.c_double * 2)()
        size, to = ctypes.c_size_t, ctypes.c_void_p(out.ctypes.data)

        def window(calls: int) -> tuple[float, float]:
            if messages > 1:
                lib.roundworks_time_many(
                    size(calls), size(messages), key, nonce, data, size(data_bytes), to, tag, result
                )
            else:
                lib.roundworks_time(
                    size(calls), key, nonce, ad, size(ad_bytes), data, size(data_bytes), to, tag, result
                )
            return result[0], result[1]

        ns, cycles = _timed(window, samples, messages, WINDOW_NS)
        return ns, cycles, hashlib.sha256(out.tobytes()[: messages * data_bytes] + tag.raw).hexdigest()


@dataclass(frozen=True, slots=True)
class CompiledAead:
    """A compiled cipher with a key and a back end, which takes buffers as the AEADs of the library do."""

    cipher: Compiled
    backend: str

    def sealed_bytes(self, data_bytes: int) -> int:
        """Bytes of ciphertext and tag."""
        return data_bytes + self.cipher.tag_bytes

    def opened_bytes(self, sealed_bytes: int) -> int:
        """Bytes of message in that many."""
        return sealed_bytes - self.cipher.tag_bytes

    def backends(self) -> list[tuple[str, bool]]:
        """Every back end that is here."""
        return [(name, True) for name in self.cipher.backends()]

    def encrypt(self, nonce: bytes, data: bytes) -> bytes:
        """Ciphertext and tag."""
        message, sealed = (np.empty(size, np.uint8) for size in (len(data), self.sealed_bytes(len(data))))
        message[:] = np.frombuffer(data, np.uint8)
        self.encrypt_into(nonce, message, b"", sealed)
        return sealed.tobytes()

    def encrypt_into(self, nonce: bytes, message: Bytes, ad: bytes, sealed: Bytes) -> None:
        """Ciphertext and tag into `sealed`, whose beginning may be the message."""
        self._call("encrypt", nonce, ad, (message, len(message)), (sealed, sealed[len(message) :]))

    def decrypt_into(self, nonce: bytes, sealed: Bytes, ad: bytes, opened: Bytes) -> None:
        """The message into `opened`.

        Raises
        ------
        RoundworksError
            ``toy/gfni: a tag of its own is refused``
        """
        size = len(sealed) - self.cipher.tag_bytes
        if self._call("decrypt", nonce, ad, (sealed, size), (sealed[size:], opened)):
            raise RoundworksError(f"{self.cipher.name}/{self.backend}: a tag of its own is refused")

    def _call(
        self, verb: str, nonce: bytes, ad: bytes, data: tuple[Bytes, int], out: tuple[Bytes, Bytes]
    ) -> int:
        function = getattr(self.cipher.chosen(self.backend), f"{self.cipher.name}_{verb}_detached")
        function.restype = ctypes.c_int if verb == "decrypt" else None
        key, size = bytes(range(self.cipher.key_bytes)), ctypes.c_size_t
        places = (ctypes.c_void_p(each.ctypes.data) for each in (data[0], *out))
        given, *written = places
        return int(function(key, nonce, ad, size(len(ad)), given, size(data[1]), *written) or 0)
