"""Generated C and crates proven in machine code, a row for each back end and operation."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from ..bench.compiled import compiler_used
from ..errors import DescriptionError, RoundworksError
from ..reference import StreamAead, get_analysed
from ..reference.permutation import Permutation
from ..reproduce.run import Run
from ..rows import CodeRow, Row
from .code import (
    ALONE,
    INCREMENTAL,
    PERMUTATIONS,
    compared,
    digest_of,
    library_ciphers,
    row_of,
    shown_rows,
    want_packages,
)
from .described import described
from .generated import compiled, compiled_crate, compiled_permutation, rustc_used, sources
from .result import Result
from .study import Batches, Given, Study, Unit, command_line


@dataclass(frozen=True, slots=True)
class GeneratedCode(Study[Result[CodeRow]]):
    """Prove generated C, or a crate with ``to="rust"``, as the compiler of this machine makes machine code of it: of a
    `file`, or of the ciphers and permutations `names` of the catalogue, all unless given.

    ``backends`` and ``lengths`` are those of `Code`."""

    file: Path | None = None
    names: tuple[str, ...] = ()
    backends: tuple[str, ...] = ()
    lengths: str = "few"
    to: str = "c"

    def plan(self) -> Sequence[Unit]:
        """A unit for each cipher."""
        want_packages()
        given = hashlib.sha256(self.file.read_bytes() if self.file else b"").hexdigest()
        units = []
        for cipher in _subjects(self.file, self.names):
            words = [] if self.file else [cipher.name]
            of = {"generated": True} if self.file is None else {"file": self.file.name}
            more = {
                "backend": self.backends,
                "lengths": self.lengths,
                "to": None if self.to == "c" else self.to,
            }
            command = command_line("prove", *words, **of, **more)
            key = f"{given} {sources()}"
            work = partial(
                _of_generated,
                Given(self.file),
                key,
                cipher.name,
                self.backends,
                self.lengths,
                self.to,
                command,
            )
            units.append(Unit(f"{cipher.name}, generated {self.to}", command, work))
        return units

    def reduce(self, rows: Sequence[Row]) -> Result[CodeRow]:
        """A line for each row."""
        return shown_rows(rows)


def _subjects(file: Path | None, names: Sequence[str]) -> list[StreamAead[Any] | Permutation[Any]]:
    """The cipher or permutation of a file, or those of the catalogue; all of which code is generated unless named.

    Raises
    ------
    DescriptionError
        ``minalpher: want a streaming AEAD or a permutation; C is generated from no other``
    """
    every = (*library_ciphers(), *PERMUTATIONS)
    given = [described(file)[0]] if file else [get_analysed(name) for name in names or every]
    made = []
    for one in given:
        if isinstance(one, StreamAead | Permutation):
            made.append(one)
        elif file or names:
            raise DescriptionError(
                f"{one.name}: want a streaming AEAD or a permutation; C is generated from no other"
            )
    return made


def _of_generated(
    file: Given[Path | None],
    key: str,
    name: str,
    backends: Sequence[str],
    lengths: str,
    to: str,
    command: str,
    run: Run,
) -> Batches:
    from ..binary.generated import backends_of
    from ..binary.proof import Target

    (of,) = _subjects(file.value, (name,))
    compiler = rustc_used() if to == "rust" else compiler_used()
    if to == "rust":
        path = compiled_crate(of, file.value)
    elif isinstance(of, Permutation):
        path = compiled_permutation(of, file.value).library
    else:
        path = compiled(of, file.value).library
    there = backends_of(path)
    if missing := sorted(set(backends) - {backend for backend, cpu in there.items() if cpu}):
        raise RoundworksError(f"{name}: no back end {missing[0]}; want one of {', '.join(there)}")
    cipher, permutation = (None, of) if isinstance(of, Permutation) else (of, None)
    targets = [
        Target(name, b, cpu, cipher, permutation)
        for b, cpu in there.items()
        if cpu and b in (backends or there)
    ]
    wanted: tuple[tuple[str, ...], ...] = (ALONE, INCREMENTAL, ("seal-many",))
    if permutation:
        wanted = (("permute",),)
    elif to == "rust":
        wanted = (ALONE,)
    for together in wanted:
        made = compared(path, targets, together, lengths)
        yield [
            row_of(t, operation, lengths, one, digest_of(path), command=command, compiler=compiler)
            for (t, operation), one in made.items()
        ]
