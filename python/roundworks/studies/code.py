"""The compiled library proven equal to the descriptions, a unit for each cipher, back end and operation."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from .. import extras, spec
from ..errors import RoundworksError
from ..reference import get, get_analysed
from ..reference.permutation import Permutation
from ..reproduce.run import Run
from ..rows import CodeRow, Row
from .result import Result, Table
from .study import Batches, Study, Unit, command_line, conduct

if TYPE_CHECKING:
    from ..binary.library import CompiledLibrary

PROCESSORS = {
    "portable": ("plain",),
    "aesni": ("aes",),
    "avx2": ("avx2",),
    "vaes256": ("vaes",),
    "vaes512": ("avx512",),
    "avx512": ("avx512", "halves"),
}
"""The processors on which a back end is followed; it may have code of its own on several."""
PERMUTATIONS = (
    "simpira-2",
    "simpira-4",
    "haraka-256",
    "haraka-512",
    "areion-256",
    "areion-512",
    "feistel256:2-0,1-1",
)
INTERLEAVED = ("aegis-128", "aegis-128l", "aegis-256", "rocca-s")
"""Ciphers of which the library takes up to four messages of one call together. (Of AETHER it takes 16, which need more
memory here than most machines have.)"""
WIDE = {("minalpher", "avx2"): 24, ("minalpher", "avx512"): 28}
"""From that many blocks on a back end has code of its own, for 32 or 64 of them at a time."""
LENGTHS = ("few", "edges", "all")
_PLACES = ("build/prefix/lib", "/usr/local/lib", "/usr/lib")

Pair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Code(Study[Result[CodeRow]]):
    """Prove `names` on `backends`, all unless given; ``lengths`` is one of `LENGTHS`.

    ``few``: an empty message, a short one, one of more than five blocks, as a loop may take four at a time, and where
    a back end has code for many blocks, one of the fewest that it takes. ``edges``: that and lengths around the ends of
    blocks, up to three blocks. ``all``: every length up to three blocks, of message and of associated data, too.
    """

    library: Path
    names: tuple[str, ...] = ()
    backends: tuple[str, ...] = ()
    lengths: str = "few"

    def plan(self) -> Sequence[Unit]:
        """Ciphers first, then permutations."""
        extras.want("roundworks prove", "iced_x86", "elftools")
        units = []
        for name in self.names or (*_ciphers(), *PERMUTATIONS):
            is_cipher = name in _ciphers()
            if not is_cipher and not isinstance(get_analysed(name), Permutation):
                raise RoundworksError(f"{name}: want a cipher or permutation of the library")
            there = spec.cipher(name).backends if is_cipher else ("portable", "aesni", "vaes256", "vaes512")
            for backend in there:
                if backend not in PROCESSORS or (self.backends and backend not in self.backends):
                    continue
                processors = PROCESSORS[backend]
                if backend == "aesni":
                    processors = ("aes", "avx") if is_cipher else ("aes", "avx", "avx512")
                for cpu in processors:
                    for operation in _operations(name, is_cipher=is_cipher):
                        units.append(self._unit(name, backend, cpu, operation))
        return units

    def _unit(self, name: str, backend: str, cpu: str, operation: str) -> Unit:
        command = command_line("prove", name, backend=backend, lengths=self.lengths)
        work = partial(
            _proven, self.library, name, backend, cpu, operation, lengths=self.lengths, command=command
        )
        return Unit(f"{name}, {backend} on {cpu}, {operation}", command, work)

    def reduce(self, rows: Sequence[Row]) -> Result[CodeRow]:
        """A line for each unit."""
        shown = tuple(row for row in rows if isinstance(row, CodeRow))
        lines = tuple(
            (
                r.cipher,
                r.backend,
                r.processor,
                r.operation,
                r.proven,
                r.tried,
                r.instructions,
                r.left,
                r.in_registers,
                r.reason,
            )
            for r in shown
        )
        head = (
            "name",
            "back end",
            "processor",
            "operation",
            "proven",
            "of",
            "instructions",
            "bytes left",
            "in registers",
            "reason",
        )
        return Result(shown, (Table("calls proven equal to the description, for all inputs", head, lines),))


def prove_code(
    names: Sequence[str] = (),
    *,
    backends: Sequence[str] = (),
    lengths: str = "few",
    library: Path | None = None,
) -> Result[CodeRow]:
    """Prove the compiled library; see `Code`."""
    return conduct(Code(library or find_library(), tuple(names), tuple(backends), lengths))


def find_library() -> Path:
    """The shared library as `make install-c` puts it in place.

    Raises
    ------
    RoundworksError
        ``libroundworks.so: not found; run make install-c, or name it with --library``
    """
    for folder in _PLACES:
        path = Path(folder) / "libroundworks.so"
        if path.exists():
            return path
    raise RoundworksError("libroundworks.so: not found; run `make install-c`, or name it with --library")


@cache
def _ciphers() -> tuple[str, ...]:
    return tuple(facts.name for facts in spec.ciphers() if facts.backends)


def _operations(name: str, *, is_cipher: bool) -> tuple[str, ...]:
    if not is_cipher:
        return ("permute",)
    return ("seal", "open", "seal-many", "open-many") if name in INTERLEAVED else ("seal", "open")


def batches(block: int) -> list[list[Pair]]:
    """(bytes of associated data, of message) of all messages of each call: four alike, then two times four that
    end in different places."""
    ends = [0, block - 1, block, block + 1, 2 * block - 1, 2 * block, 2 * block + 5, 3 * block]
    return [[(5, 2 * block + 5)] * 4, [(block + 2, end) for end in ends]]


def pairs(lengths: str, ad_block: int, block: int, wide: int = 0) -> list[Pair]:
    """(bytes of associated data, of message) of each call; `wide` blocks or more have code of their own."""
    few = [(0, 0), (ad_block // 2 + 1, block + 5), (0, 5 * block + 1)]
    if wide:
        few += [(0, wide * block + 1), (wide * ad_block, 5)]
    if lengths == "few":
        return few
    if lengths == "edges":
        return few + [
            (x * ad_block + d, y * block + e)
            for x, d, y, e in (
                (0, 1, 0, 1),
                (1, -1, 1, -1),
                (1, 0, 1, 0),
                (1, 1, 1, 1),
                (2, 0, 2, -1),
                (3, -1, 3, -1),
                (3, 0, 3, 0),
                (0, 0, 3, -1),
                (3, -1, 0, 0),
                (2, 1, 0, 1),
                (0, 1, 2, 1),
            )
        ]
    short = [(5, n) for n in range(3 * block + 1)]
    return few + short + [(n, 5) for n in range(3 * ad_block + 1) if n != 5]


def _proven(
    path: Path, name: str, backend: str, cpu: str, operation: str, run: Run, *, lengths: str, command: str
) -> Batches:
    from ..binary import proof
    from ..binary.cells import NotFollowed
    from ..binary.machine import SecretAddress, SecretBranch

    began = time.perf_counter()
    library, target = _library(path), proof.Target(name, backend, cpu)
    calls: list[tuple[str, Callable[[], proof.Shown]]] = []
    if operation == "permute":
        description = get_analysed(name)
        assert isinstance(description, Permutation)
        for blocks in {"few": (1, 3), "edges": (1, 2, 3, 5, 9)}.get(lengths, tuple(range(1, 34))):
            permuted = partial(proof.prove_permutation, library, target, description, blocks)
            calls.append((f"{blocks} blocks", permuted))
    else:
        cipher = get(name)
        block = spec.cipher(name).rate_bytes or 32
        one = {"seal": proof.prove_seal, "open": proof.prove_open}
        many = {"seal-many": proof.prove_seal_many, "open-many": proof.prove_open_many}
        for tag_bytes in (cipher.tag_bytes, *cipher.other_tag_bytes):
            if operation in many:
                for sizes in batches(block):
                    call = partial(many[operation], library, target, sizes, tag_bytes)
                    calls.append((f"{len(sizes)} messages", call))
            else:
                for pair in pairs(lengths, block, block, WIDE.get((name, backend), 0)):
                    call = partial(one[operation], library, target, *pair, tag_bytes)
                    calls.append((f"{pair[0]} and {pair[1]} bytes", call))
    proven, instructions, reason, verdict = 0, 0, "", "proven"
    left = in_registers = 0
    for which, prove in calls:
        try:
            shown = prove()
        except (proof.NotProven, NotFollowed, SecretBranch, SecretAddress) as error:
            kinds = {"NotProven": "differs", "NotFollowed": "not followed"}
            verdict = kinds.get(type(error).__name__, "depends on a secret")
            reason = f"{which}: {error}"
            break
        proven += 1
        instructions += shown.instructions
        left = max(left, sum(shown.left.values()))
        in_registers = max(in_registers, shown.in_registers)
    yield [
        CodeRow.make(
            command=command,
            seconds=time.perf_counter() - began,
            cipher=name,
            backend=backend,
            processor=cpu,
            operation=operation,
            lengths=lengths,
            verdict=verdict,
            proven=proven,
            tried=len(calls),
            instructions=instructions,
            left=left,
            in_registers=in_registers,
            reason=reason,
            library=_digest(path),
        )
    ]


@cache
def _library(path: Path) -> CompiledLibrary:
    from ..binary.library import CompiledLibrary

    return CompiledLibrary(path)


@cache
def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
