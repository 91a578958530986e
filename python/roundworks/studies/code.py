"""Machine code proven equal to the descriptions, a row for each back end, processor and operation: of the compiled
library, a unit for each description and its portable code or its other back ends."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from .. import aead, extras, spec
from ..binary.lengths import TOGETHER, WIDE, alike, batches, pairs
from ..errors import RoundworksError
from ..reference import get, get_analysed
from ..reference.permutation import Permutation
from ..reproduce.run import Run
from ..rows import CodeRow, Row
from .result import Result, Table
from .study import Batches, Given, Study, Unit, command_line, conduct

if TYPE_CHECKING:
    from ..binary.library import CompiledLibrary
    from ..binary.proof import Shown, Target

PROCESSORS = {
    "portable": ("plain",),
    "aesni": ("aes", "avx"),
    "avx2": ("avx2",),
    "vaes256": ("vaes",),
    "vaes512": ("avx512",),
    "avx512": ("avx512", "halves"),
}
"""The processors on which a back end is followed, as it may have code of its own on several. Permutations have it on
``avx512``, too."""
PERMUTATIONS = (
    "simpira-2",
    "simpira-4",
    "haraka-256",
    "haraka-512",
    "areion-256",
    "areion-512",
    "feistel256:2-0,1-1",
)
_PARTS = "-incremental"
ALONE = ("seal", "open", "refuse")
INCREMENTAL = tuple(f"{one}{_PARTS}" for one in ALONE)
_ONE_CALL = "-one-call"
ONE_CALL = tuple(f"{one}{_ONE_CALL}" for one in ALONE)
_PLACES = ("build/prefix/lib", "/usr/local/lib", "/usr/lib")


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
        want_packages()
        _library(self.library)  # an error now, and not of each unit
        units, digest = [], digest_of(self.library)
        for name in self.names or (*library_ciphers(), *PERMUTATIONS):
            is_cipher = name in library_ciphers()
            if not is_cipher and not isinstance(get_analysed(name), Permutation):
                raise RoundworksError(f"{name}: want a cipher or permutation of the library")
            there = spec.cipher(name).backends if is_cipher else ("portable", "aesni", "vaes256", "vaes512")
            wanted = [x for x in there if x in PROCESSORS and (not self.backends or x in self.backends)]
            # The portable code takes longer to follow than all others together.
            for backends in (["portable"], [x for x in wanted if x != "portable"]):
                if backends and set(backends) <= set(wanted):
                    command = command_line("prove", name, backend=backends, lengths=self.lengths)
                    work = partial(_proven, Given(self.library), digest, name, backends, self.lengths)
                    units.append(Unit(f"{name}, {', '.join(backends)}", command, work))
        if not units:
            raise RoundworksError(
                f"{', '.join(self.names)}: no back end {', '.join(self.backends)}; want another"
            )
        return units

    def reduce(self, rows: Sequence[Row]) -> Result[CodeRow]:
        """A line for each row."""
        return shown_rows(rows)


def want_packages() -> None:
    """An error now if what reads machine code is not installed."""
    extras.want("roundworks prove", "iced_x86", "elftools")


def shown_rows(rows: Sequence[Row]) -> Result[CodeRow]:
    """A line for each row."""
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
def library_ciphers() -> tuple[str, ...]:
    """Those of the core."""
    return tuple(facts.name for facts in spec.ciphers() if facts.backends)


Calls = dict[str, Callable[[], "Shown"]]
"""By what is called: calls of one name are compared with one description."""


@dataclass(slots=True)
class Tried:
    """What became of the calls of one operation on one processor."""

    calls: Calls
    proven: int = 0
    instructions: int = 0
    left: int = 0
    in_registers: int = 0
    verdict: str = "proven"
    reason: str = ""
    seconds: float = 0

    def run(self, which: str) -> None:
        """A call, if it is one of these, and unless one before it was not proven."""
        from ..binary import proof
        from ..binary.machine import SecretAddress, SecretBranch
        from ..errors import NotFollowed

        if self.reason or which not in self.calls:
            return
        began = time.perf_counter()
        try:
            shown = self.calls[which]()
        except (proof.NotProven, NotFollowed, SecretBranch, SecretAddress) as error:
            kinds = {"NotProven": "differs", "NotFollowed": "not followed"}
            self.verdict = kinds.get(type(error).__name__, "depends on a secret")
            self.reason = f"{which}: {error}"
        else:
            self.proven += 1
            self.instructions += shown.instructions
            self.left = max(self.left, sum(shown.left.values()))
            self.in_registers = max(self.in_registers, shown.in_registers)
        self.seconds += time.perf_counter() - began


def _calls(library: CompiledLibrary, target: Target, operation: str, lengths: str) -> Calls:
    """What is called for an operation, each with its name."""
    from ..binary import mac, proof
    from ..binary.proof import Way

    if operation == "permute":
        description = target.permutation or get_analysed(target.name)
        assert isinstance(description, Permutation)
        counts = {"few": (1, 3), "edges": (1, 2, 3, 5, 9)}.get(lengths, tuple(range(1, 34)))
        permute = partial(proof.prove_permutation, library, target, description)
        return {f"{count} blocks": partial(permute, count) for count in counts}
    cipher = target.cipher or get(target.name)
    block = target.cipher.rate_bytes if target.cipher else spec.cipher(target.name).rate_bytes or 32
    one = {"seal": proof.prove_seal, "open": proof.prove_open, "refuse": proof.prove_refusal}
    of_mac = {"mac": mac.prove_mac, "mac-verify": mac.prove_mac_verified, "mac-refuse": mac.prove_mac_refusal}
    # Every length of one call by a handle, with an output elsewhere; of increments, in place, and with the key in the
    # call those around the ends of blocks, as the code below is the same.
    parts = "edges" if lengths == "all" else lengths
    many = {
        "seal-many": proof.prove_seal_many,
        "open-many": proof.prove_open_many,
        "refuse-many": proof.prove_refusal_many,
    }
    together = alike(block) if target.cipher else batches(block, TOGETHER.get(target.name, 0))
    calls: Calls = {}
    # Generated C has tags of one size.
    further = () if target.cipher else cipher.other_tag_bytes
    for tag_bytes in (cipher.tag_bytes, *further):
        if operation in many:
            for sizes in together:
                which = f"{len(sizes)} messages, tags of {tag_bytes} bytes"
                calls[which] = partial(many[operation], library, target, sizes, tag_bytes)
        elif operation.removesuffix(_ONE_CALL) in of_mac:
            by, in_parts = of_mac[operation.removesuffix(_ONE_CALL)], not operation.endswith(_ONE_CALL)
            for _, size in dict.fromkeys(pairs(parts, block, block)):
                which = f"{size} bytes, a tag of {tag_bytes}"
                calls[which] = partial(by, library, target, size, tag_bytes, block if in_parts else 0)
        elif operation.endswith(_PARTS):
            for pair in pairs(parts, block, block):
                which = f"{pair[0]} and {pair[1]} bytes in increments, a tag of {tag_bytes}"
                call = one[operation.removesuffix(_PARTS)]
                calls[which] = partial(call, library, target, *pair, tag_bytes, Way(block=block))
        else:
            call, one_call = one[operation.removesuffix(_ONE_CALL)], operation.endswith(_ONE_CALL)
            every = parts if one_call else lengths
            for in_place, chosen in ((False, every), (True, parts)):
                for pair in pairs(chosen, block, block, WIDE.get((target.name, target.backend), 0)):
                    which = f"{pair[0]} and {pair[1]} bytes{' in place' * in_place}, a tag of {tag_bytes}"
                    way = Way(in_place=in_place, one_call=one_call)
                    calls[which] = partial(call, library, target, *pair, tag_bytes, way)
    return calls


def processors(name: str, backend: str) -> tuple[str, ...]:
    """Where a back end of a cipher or permutation is followed."""
    further = ("avx512",) if backend == "aesni" and name not in library_ciphers() else ()
    return PROCESSORS[backend] + further


def operations(name: str) -> tuple[tuple[str, ...], ...]:
    """The operations of a cipher or permutation, together those that one description is compared with."""
    if name not in library_ciphers():
        return (("permute",),)
    made = [ALONE, INCREMENTAL, ONE_CALL]
    if name in TOGETHER:
        made.append(tuple(f"{one}-many" for one in ALONE))
    if name in aead.mac_names():
        of_mac = ("mac", "mac-verify", "mac-refuse")
        made += [of_mac, tuple(f"{one}{_ONE_CALL}" for one in of_mac)]
    return tuple(made)


def _proven(
    library: Given[Path], digest: str, name: str, backends: Sequence[str], lengths: str, run: Run
) -> Batches:
    from ..binary.proof import Target

    path = library.value
    if digest_of(path) != digest:
        raise RoundworksError(f"{path}: another library than the one that was to be proven")
    targets = [Target(name, backend, cpu) for backend in backends for cpu in processors(name, backend)]
    for together in operations(name):
        made = compared(path, targets, together, lengths)
        yield [row_of(t, operation, lengths, one, digest) for (t, operation), one in made.items()]


def compared(
    path: Path, targets: Sequence[Target], operations: Sequence[str], lengths: str
) -> dict[tuple[Target, str], Tried]:
    """What became of the calls of these operations, of each target."""
    tried = {
        (target, operation): Tried(_calls(_library(path), target, operation, lengths))
        for target in targets
        for operation in operations
    }
    # The last description is kept, and all are compared with it before the next is made.
    for which in dict.fromkeys(which for one in tried.values() for which in one.calls):
        for one in tried.values():
            one.run(which)
    return tried


def row_of(target: Target, operation: str, lengths: str, one: Tried, digest: str, **more: str) -> CodeRow:
    """The row of what became of them; ``more`` are further fields, or others."""
    command = command_line("prove", target.name, backend=target.backend, lengths=lengths)
    return CodeRow.make(
        **{"command": command, **more},
        seconds=one.seconds,
        cipher=target.name,
        backend=target.backend,
        processor=target.cpu,
        operation=operation,
        lengths=lengths,
        verdict=one.verdict,
        proven=one.proven,
        tried=len(one.calls),
        instructions=one.instructions,
        # What a permutation is given is its caller's.
        left=None if operation == "permute" else one.left,
        in_registers=None if operation == "permute" else one.in_registers,
        reason=one.reason,
        library=digest,
    )


@cache
def _library(path: Path) -> CompiledLibrary:
    from ..binary.library import CompiledLibrary

    return CompiledLibrary(path)


@cache
def digest_of(path: Path) -> str:
    """SHA-256 of a library."""
    return hashlib.sha256(path.read_bytes()).hexdigest()
