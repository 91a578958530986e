"""SystemVerilog as a target of `generate`: its proofs are of the written files, so tests make them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ..errors import DescriptionError
from . import verilog
from .c import Cipher
from .write import BuildFailed


def files(cipher: Cipher, machines: Sequence[str] = ()) -> dict[str, str]:
    """The core's files by path, with its entry for `cores.toml`."""
    if machines:
        raise DescriptionError(f"{cipher.name}: SystemVerilog has no back ends; got {', '.join(machines)}")
    return verilog.files(cipher)


def prove(cipher: Cipher, made: Mapping[str, str]) -> dict[str, Any]:
    """Nothing yet: the equivalence checker reads the files, see `test`."""
    return {}


def test(folder: Path) -> str:
    """A line for each proof of equality and each bench, on both simulators.

    Raises
    ------
    BuildFailed
        ``toy-round: proof: ...``, the first that does not hold
    """
    lines = []
    for result in verilog.check(folder):
        if not result.certainty:
            raise BuildFailed(f"{result.core}: {result.check}: {result.message}")
        chosen = "".join(f" {name}={value}" for name, value in result.parameters.items())
        lines.append(f"{result.core}{chosen}: {result.check}: {result.certainty}")
    return "\n".join(lines)
