"""A description in other languages: C, Rust and SystemVerilog.

`generate` is the whole of it: files by name, a proof of every straight-line function in them, and, where
a compiler is there, their tests.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from ..errors import DescriptionError, unknown
from ..reference import Permutation, StreamAead
from .write import a_copy, refuse_others, write

Cipher = StreamAead[Any] | Permutation[Any]
Proofs = dict[str, dict[str, dict[str, int]]]
"""Back end -> function -> operations and cuts of its proof."""

# Target -> its module here: `files` from a description, `prove` of their text, `test` in a directory that has
# them, and that is left to what tools write there.
TARGETS = {"c": "c", "rust": "rust", "verilog": "verilog_target"}


@dataclass(frozen=True)
class Generated:
    """What was made of a description.

    ``files`` are texts by name; ``proofs`` say which functions were proven equal to the description, by
    back end; ``tests`` is what their test program printed, None where it was not run.
    """

    cipher: str
    target: str
    files: Mapping[str, str]
    proofs: Proofs
    tests: str | None
    seconds: float

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{machine}</td><td>{name}</td><td>{result['operations']:,}</td><td>{result['cuts']}</td></tr>"
            for machine, functions in self.proofs.items()
            for name, result in functions.items()
        )
        head = "<tr><th>back end</th><th>function</th><th>operations</th><th>cuts</th></tr>"
        return f"<p>{self.cipher} to {self.target}: {', '.join(self.files)}</p><table>{head}{rows}</table>"


def generate(
    cipher: Cipher,
    to: str,
    folder: Path | None = None,
    *,
    backends: Sequence[str] = (),
    cores: Sequence[str] = (),
    force: bool = False,
    check: bool = True,
    report: Callable[[str], None] = lambda stage: None,
) -> Generated:
    """Generate a cipher's or permutation's code in language ``to``, prove it, write it, test it.

    Parameters
    ----------
    folder
        Where the files go; nowhere unless given, and then no test is run.
    backends
        Names of back ends; all that gain something, unless given.
    cores
        Names of cores, of target ``verilog``; all unless given.
    force
        Write into a directory that holds other files.
    check
        Compile a copy of the files and run their tests before they are written; nothing that this makes stays.
    report
        Called with each stage as it begins.

    Raises
    ------
    DescriptionError
        ``my.py:12: sub S: cells of 5 bits; aesni has cells of 4 and 8 bits``
    NotEqual
        Where a function differs from the description: a defect of the generator, and nothing is written.
    NotWritten, BuildFailed, ToolMissing
    """
    if to not in TARGETS:
        raise unknown("target", to, TARGETS)
    if cores and to != "verilog":
        raise DescriptionError(f"{cipher.name}: {to} has no cores; got {', '.join(cores)}")
    if folder is not None:
        refuse_others(folder, force)  # here too: proving may take minutes
    started = time.perf_counter()
    target = import_module(f".{TARGETS[to]}", __package__)
    report("lowering")
    files = target.files(cipher, backends, **({"cores": cores} if cores else {}))
    report("proving")
    proofs: Proofs = target.prove(cipher, files)
    tests = None
    if folder is not None:
        if check:
            report("compiling and testing")
            with a_copy(files, folder) as copy:
                tests = target.test(copy)
        write(files, folder, force)
    return Generated(cipher.name, to, files, proofs, tests, time.perf_counter() - started)
