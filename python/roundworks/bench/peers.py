"""Our ciphers and those of other libraries: one process that is not Python's, built by `make peers`."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .. import machine, spec
from ..errors import RoundworksError

_WINDOW_US = 200


@dataclass(frozen=True, slots=True)
class PeerRun:
    """Fields of the instruction rows and of the bench rows of one run."""

    instructions: list[dict[str, Any]]
    speeds: list[dict[str, Any]]


def program() -> Path:
    """Where `make peers` leaves the program.

    Raises
    ------
    RoundworksError
        ``peers: not built; run `make peers` (five minutes the first time)``, or built of older sources
    """
    checkout = spec.checkout()
    if checkout is None:
        raise RoundworksError("peers: want a checkout to build them in, got an installed package")
    result = checkout / "target" / "peers" / "release" / "roundworks-peers"
    if not result.exists():
        raise RoundworksError("peers: not built; run `make peers` (five minutes the first time)")
    if machine.outdated(result, checkout):
        raise RoundworksError("peers: built of older sources than those here; run `make peers`")
    return result


def measure_peers(
    ciphers: Sequence[str],
    sizes: Sequence[int],
    ad_sizes: Sequence[int],
    operations: Sequence[str],
    *,
    windows: int,
    seconds: int,
    progress: Callable[[float], object] = lambda share: None,
) -> PeerRun:
    """Time ours on every back end and every peer of `ciphers` (all if empty), interleaved.

    `windows` for each of them, or all whole rounds that fit in `seconds`, but three at least.
    Ciphertexts and tags are compared first; the program times nothing if two differ.
    """
    command = [
        str(program()),
        _list(sizes),
        _list(ad_sizes),
        _list(operations),
        str(windows),
        str(seconds),
        str(_WINDOW_US),
        *ciphers,
    ]
    result = PeerRun([], [])
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as child:
        assert child.stdout and child.stderr
        try:
            for line in child.stdout:
                item = json.loads(line)
                if "progress" in item:
                    progress(item["progress"])
                else:
                    (result.instructions if "instruction" in item else result.speeds).append(item)
        except BaseException:
            child.kill()
            raise
        said = child.stderr.read().strip()
    if child.returncode:
        raise RoundworksError(said.removeprefix("roundworks-") or f"peers: {child.returncode}")
    for row in result.speeds:
        for samples in ("samples_ns", "samples_cycles"):
            row[samples] = [round(s, 2) for s in row[samples]]
    for row in result.instructions:
        row["samples_cycles"] = [round(s, 4) for s in row["samples_cycles"]]
        row["seconds"] = 0.0
    return result


def _list(items: Sequence[object]) -> str:
    return ",".join(map(str, items))
