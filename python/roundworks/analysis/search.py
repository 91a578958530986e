"""The search of round structures S'[i] = F(S[i-1]) ^ (X_j | S[pi(i)]). [AETHER, section 3.2]

The engine is in Rust (`crates/roundworks-search`); here are the class a cipher belongs to and the
shape of a result.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from math import comb, factorial
from typing import Any

from .. import _native
from ..errors import DescriptionError
from ..reference import StreamAead, record_round
from . import words as word_view

Structure = tuple[tuple[int, ...], tuple[int, ...]]

# What of a result stands in its row.
ROW_FIELDS = (
    "words",
    "inputs",
    "active",
    "candidates",
    "searched",
    "found",
    "complete",
    "threads",
    "seconds",
)


@dataclass(frozen=True, slots=True)
class SearchResult:
    """``found`` structures whose cheapest internal collision has at least ``active`` active F.

    ``complete`` is False where the run was stopped; ``searched`` of ``candidates`` are then done.
    ``structures``: up to the number wanted, as (block positions, pi at the other positions).
    """

    words: int
    inputs: int
    active: int
    candidates: int
    searched: int
    found: int
    complete: bool
    threads: int
    seconds: float
    structures: tuple[Structure, ...]


def candidates(words: int, inputs: int) -> int:
    """s! C(s, m) / m! structures. [AETHER, section 3.2.1]"""
    return factorial(words) * comb(words, inputs) // factorial(inputs)


def search(
    words: int,
    inputs: int,
    active: int,
    *,
    threads: int | None = None,
    parts: tuple[int, int] | None = None,
    progress: Callable[[int, int, int], object] | None = None,
    keep: int = 0,
) -> SearchResult:
    """Count every structure of the class, or those of parts first, ..., end - 1 of `ranges`.

    ``progress(searched, candidates, found)``.
    """
    _check(words, inputs)
    results: dict[str, Any] = dict(
        _native.search_structures(
            words, inputs, active, threads=threads, parts=parts, progress=progress, keep=keep
        )
    )
    structures = tuple((tuple(a), tuple(b)) for a, b in results["structures"])
    return SearchResult(**results | {"structures": structures})


def ranges(words: int, inputs: int, units: int, fewest: int, most: int) -> list[tuple[int, int]]:
    """The parts of a search in about `units` ranges of `fewest` to `most` structures, as (first, end).

    A part is not cut, and may be larger.
    """
    _check(words, inputs)
    size = min(max(candidates(words, inputs) // units, fewest), most)
    result, first, filled = [], 0, 0
    sizes = _native.search_parts(words, inputs)
    for end, part in enumerate(sizes, 1):
        filled += part
        if filled >= size or end == len(sizes):
            result.append((first, end))
            first, filled = end, 0
    return result


def _check(words: int, inputs: int) -> None:
    if words > word_view.MAX_SEARCH_WORDS:
        raise DescriptionError(f"words: want at most {word_view.MAX_SEARCH_WORDS}, got {words}")
    if not 1 <= inputs < words:
        raise DescriptionError(f"inputs: want 1 to {words - 1} (fewer than words), got {inputs}")


def structures_with_profile(words: int, inputs: int, start: int, profile: list[int]) -> dict[str, Any]:
    """Structures whose fewest active F over 1, 2, .. rounds from the pattern ``start`` is ``profile``.

    Returns candidates, found, structures and seconds.
    """
    started = time.perf_counter()
    results: dict[str, Any] = dict(_native.search_profile(words, inputs, [start], profile))
    return results | {"seconds": time.perf_counter() - started}


def structure_of(cipher: StreamAead[Any]) -> Structure | None:
    """Where the cipher's own round stands in the class; None if it is not of that form."""
    program = word_view.differential(record_round(cipher))
    given = program.words + program.inputs
    positions, pi = [], []
    for i, output in enumerate(program.outputs):
        if output is None or output < given:
            return None
        kind, operands, _ = program.nodes[output - given]
        if kind != "xor" or len(operands) != 2:
            return None
        units = [o for o in operands if o >= given]
        plain = [o for o in operands if o < given]
        if len(units) != 1 or len(plain) != 1:
            return None
        unit = program.nodes[units[0] - given]
        # An f of weight 0 is a layer outside F.
        if (unit[0], unit[2]) != ("f", 1) or unit[1][0] != (i - 1) % program.words:
            return None
        if plain[0] >= program.words:
            positions.append(i)
        else:
            pi.append(plain[0])
    if len(positions) != program.inputs or len(set(pi)) != len(pi):
        return None
    return tuple(positions), tuple(pi)
