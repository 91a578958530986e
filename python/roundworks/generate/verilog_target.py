"""SystemVerilog as a target of `generate`: proofs by the equivalence checker, tests by two simulators."""

from __future__ import annotations

import tempfile
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from .. import cache
from ..errors import DescriptionError
from ..lower.proof import NotEqual
from . import verilog
from .c import Cipher
from .rendering import rendered
from .verilog_cores import core_name
from .write import BuildFailed, write


def files(cipher: Cipher, machines: Sequence[str] = ()) -> dict[str, str]:
    """The core's files by path, with its entry for `cores.toml` and a Makefile for its bench."""
    if machines:
        raise DescriptionError(f"{cipher.name}: SystemVerilog has no back ends; got {', '.join(machines)}")
    made = verilog.files(cipher)
    listed = tomllib.loads(made["cores.toml"])["cores"]
    context = {"title": cipher.name, "cores": [each["name"] for each in listed if "bench" in each]}
    return made | rendered({"Makefile": "cores.mk"}, context)


def prove(cipher: Cipher, made: Mapping[str, str]) -> dict[str, Any]:
    """Nothing to count: the round and the layers are proven equal by the equivalence checker, which
    reads a copy of the files.

    Raises
    ------
    NotEqual
        ``toy-round: proof: ...``, the first that does not hold
    """
    with tempfile.TemporaryDirectory() as place:
        write(made, Path(place) / "core")
        for result in verilog.proven(Path(place) / "core"):
            if not result.certainty:
                raise NotEqual(_line(result))
    return {}


def test(folder: Path) -> str:
    """A line for each proof of equality, which is in the cache by now, and for each bench.

    Raises
    ------
    BuildFailed
        ``toy: icarus: stalls: ...``, the first that fails
    """
    return "\n".join(_lines(verilog.check(folder)))


def cached_core(cipher: Cipher) -> tuple[str, Path]:
    """The name of a description's core, and a cores.toml with it, proven when it was first written.

    The files lie in the cache by their content, so what tools make of them is found again.
    """
    made = files(cipher)
    folder = cache.home() / "generated" / cache.key((), made)
    if not folder.is_dir():
        prove(cipher, made)
        with cache.making(folder) as part:
            for name, text in made.items():
                path = part / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
    return core_name(cipher), folder / "cores.toml"


def _lines(results: Iterable[verilog.CheckResult]) -> list[str]:
    results = list(results)
    for result in results:
        if not result.certainty:
            raise BuildFailed(_line(result))
    return [f"{_line(result)}" for result in results]


def _line(result: verilog.CheckResult) -> str:
    chosen = "".join(f" {name}={value}" for name, value in result.parameters.items())
    return f"{result.core}{chosen}: {result.check}: {result.certainty or result.message}"
