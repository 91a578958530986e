"""SystemVerilog as a target of `generate`: proofs by the equivalence checker, tests by two simulators."""

from __future__ import annotations

import contextlib
import tempfile
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from .. import cache
from ..errors import DescriptionError
from ..hardware.cores import Core, core
from ..lower.proof import NotEqual
from . import verilog
from .c import Cipher
from .rendering import rendered
from .verilog_cores import core_name
from .write import write


def files(cipher: Cipher, machines: Sequence[str] = (), cores: Sequence[str] = ()) -> dict[str, str]:
    """The files of these cores by path, of all unless named, with `cores.toml` and a Makefile for the benches."""
    if machines:
        raise DescriptionError(f"{cipher.name}: SystemVerilog has no back ends; got {', '.join(machines)}")
    made = verilog.files(cipher, cores)
    listed = tomllib.loads(made["cores.toml"])["cores"]
    context = {"title": cipher.name, "cores": [each["name"] for each in listed if "bench" in each]}
    return made | rendered({"Makefile": "cores.mk"}, context)


def prove(cipher: Cipher, made: Mapping[str, str]) -> dict[str, Any]:
    """Nothing to count: the round and the layers are proven equal by the equivalence checker, which
    reads a copy of the files, and every core does a few messages.

    Raises
    ------
    NotEqual
        ``toy-round: proof: ...``, the first that does not hold
    """
    with _copy(made) as folder:
        _lines(verilog.proven(folder))
        _lines(verilog.briefly(folder))
    return {}


def test(folder: Path) -> str:
    """A line for each proof of equality, which is in the cache by now, and for each bench.

    Raises
    ------
    NotEqual
        ``toy: icarus: stalls: ...``, the first that fails
    """
    return "\n".join(_lines(chain(verilog.proven(folder), verilog.simulated(folder))))


def cached_core(cipher: Cipher, name: str | None = None, *, simulated: bool = True) -> Core:
    """A core of a description, the first unless named, whose layers and round were proven when it was first
    written; with `simulated` it has done a few messages, too.

    The files lie in the cache by their content, so what tools make of them is found again.

    Raises
    ------
    NotEqual
        ``toy: icarus: back_to_back: ...``
    """
    made = files(cipher)
    folder = cache.home() / "generated" / cache.key((), made)
    if not folder.is_dir():
        with _copy(made) as copy:
            _lines(verilog.proven(copy))
        with cache.making(folder) as part:
            for place, text in made.items():
                path = part / place
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
    one = core(name or core_name(cipher), folder / "cores.toml")
    if simulated and one.bench:
        _lines([verilog.brief(one)])
    return one


@contextlib.contextmanager
def _copy(made: Mapping[str, str]) -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as place:
        write(made, Path(place) / "core")
        yield Path(place) / "core"


def _lines(results: Iterable[verilog.CheckResult]) -> list[str]:
    lines = []
    for result in results:  # as they come: behind one that fails nothing more is run
        if not result.certainty:
            raise NotEqual(_line(result))
        lines.append(_line(result))
    return lines


def _line(result: verilog.CheckResult) -> str:
    chosen = "".join(f" {name}={value}" for name, value in result.parameters.items())
    return f"{result.core}{chosen}: {result.check}: {result.certainty or result.message}"
