"""Integral distinguishers as bounds: how many bits of the result surely sum to 0.

Over a permutation or rounds of a block cipher the active bits are of the state. Over a streaming
cipher they are of key and nonce, through the rounds of its initialisation, or of the state if words
of it are named; a state word then takes its values by itself, which no choice of key and nonce may
give it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from ...bounds import Bound
from ...errors import DescriptionError, SolverFailed, unknown
from ...reference import Recording, Rounds, Roundwise, StreamAead
from ...reference.record import record_rounds, record_start
from ...reference.recordings import restricted
from .. import solvers
from ..solvers.solve import SolverProgress
from .bits import INCREMENTAL, Integral, integral
from .words import word_integral


def bit_wise(
    it: Roundwise,
    rounds: int,
    where: Mapping[str, str],
    limit: float | None = None,
    progress: Callable[[SolverProgress], None] | None = None,
    by: Sequence[str] = ("auto",),
) -> Bound:
    """Balanced bits after ``rounds`` rounds, by the bit-based division property. [XIANG]

    ``where``: which bits take all values, see `query_of`; ``limit`` is in seconds for each solver of ``by``.

    Raises
    ------
    SolverFailed
        Where two of them have decided the same bit, and not alike.
    """
    recording, active, what = query_of(it, rounds, where)
    started = time.perf_counter()
    results: dict[str, Integral] = {}
    for name in dict.fromkeys(INCREMENTAL if name in ("auto", "portfolio") else name for name in by):

        def report(count: int, name: str = name) -> None:
            if progress is not None:
                progress(SolverProgress(name, Fraction(count), None, time.perf_counter() - started))

        results[name] = integral(recording, active, progress=report, limit=limit, solver=name)
    result = max(results.values(), key=lambda one: one.count)
    equal = _compared(it, rounds, results)
    method = f"bit-based division property over {rounds} rounds{what}; a bit not counted may sum to 0"
    if result.circuits:
        method += f"; {', '.join(sorted(result.circuits))} as a circuit of XOR, which can lose some"
    if result.undecided:
        method += f"; time ran out for {result.undecided} bits"
    masks = {
        name: f"{mask:0{recording.graph.nodes[recording.outputs[name]].bits // 4}x}"
        for name, mask in result.balanced.items()
        if mask
    }
    return _bound(
        it,
        "integral",
        rounds,
        method,
        value=result.count,
        active=active,
        balanced=masks,
        seconds=sum(one.seconds for one in results.values()),
        by=list(results) if equal else [next(name for name, one in results.items() if one is result)],
        fingerprint=result.fingerprint or None,
    )


def _compared(it: Roundwise, rounds: int, results: Mapping[str, Integral]) -> bool:
    """Whether all have the same balanced bits; one that was not at its end may have fewer."""
    for low in results.values():
        for high in results.values():
            more = any(mask & ~low.balanced[name] for name, mask in high.balanced.items())
            if more and not low.undecided:
                raise SolverFailed(
                    f"{it.name}: integral over {rounds} rounds: {', '.join(results)} differ in the bits that"
                    " are balanced; one of them is wrong"
                )
    return len({tuple(one.balanced.items()) for one in results.values()}) == 1


def word_wise(it: Roundwise, rounds: int, where: Mapping[str, str], limit: float | None = None) -> Bound:
    """Bits of the words that are balanced after ``rounds`` rounds, by numbers of active bits alone. [TODO]"""
    recording, active, what = query_of(it, rounds, where)
    numbers = {name: mask.bit_count() for name, mask in active.items()}
    result = word_integral(recording, numbers, limit=limit)
    method = (
        f"word-wise division property, by the number of active bits, over {rounds} rounds{what}; a word"
        f" not counted may sum to 0: a word has {it.word_bits} bits, of whose S-boxes only the degree is known"
    )
    if result.undecided:
        method += f"; time ran out for {', '.join(result.undecided)}"
    value = len(result.balanced) * it.word_bits
    words = dict.fromkeys(result.balanced, "all bits")
    return _bound(
        it,
        "integral-words",
        rounds,
        method,
        value=value,
        active=active,
        balanced=words,
        seconds=result.seconds,
    )


def _bound(
    it: Roundwise,
    measure: str,
    rounds: int,
    method: str,
    *,
    value: int,
    active: Mapping[str, int],
    balanced: Mapping[str, str],
    seconds: float,
    by: Sequence[str] = (INCREMENTAL,),
    fingerprint: str | None = None,
) -> Bound:
    digits = it.word_bits // 4
    witness: dict[str, Any] = {f"active {n}": f"{mask:0{digits}x}" for n, mask in active.items()}
    witness |= {f"balanced {name}": text for name, text in balanced.items()}
    return Bound(
        cipher=it.name,
        measure=measure,
        rounds=rounds,
        value=value,
        unit="balanced bits",
        side="lower",
        certainty="one-solver" if len(by) == 1 else "two-solvers",
        method=method,
        witness=witness,
        seconds=seconds,
        solver=", ".join(solvers.find(name).version for name in by),
        fingerprint=fingerprint,
    )


def where_of(witness: Mapping[str, str]) -> dict[str, str]:
    """The bits that take all values, out of the witness of a bound: a pattern for each word."""
    masks = {name: text for name, text in witness.items() if name.startswith("active ")}
    return {
        name.removeprefix("active "): f"{int(text, 16):0{4 * len(text)}b}".translate({48: ".", 49: "*"})
        for name, text in masks.items()
    }


def query_of(it: Roundwise, rounds: int, where: Mapping[str, str]) -> tuple[Recording, dict[str, int], str]:
    """The rounds, the active bits of its inputs, and both in words."""
    stream = it if isinstance(it, StreamAead) and not isinstance(it, Rounds) else None
    named = {name[:1] for name in where}
    if stream is not None and "S" in named and len(named) > 1:
        raise DescriptionError(f"where: want words of the state, or of key and nonce, got {', '.join(where)}")
    if stream is not None and "S" not in named:
        recording = record_start(stream, rounds)
        default = [name for name in recording.inputs if name.startswith("N")]
        place = " of the initialisation"
    else:
        recording = record_rounds(it, rounds)
        default = []
        place = ", each state word on its own" if stream is not None else ""
    legal = [name for name in recording.inputs if name[0] in "SKN" and "." not in name]
    active: dict[str, int] = {}
    for name, pattern in where.items():
        if name not in legal:
            raise unknown("where: word", name, legal)
        active[name] = mask_of(name, pattern, it.word_bits)
    if not where:
        whole = (1 << it.word_bits) - 1
        active = dict.fromkeys(default, whole)
        if not default:  # all of the state but its last bit
            active = {f"S{i}": whole - (i == it.words - 1) for i in range(it.words)}
    if not any(active.values()):
        raise DescriptionError("where: want at least one active bit, such as S0=*, got none")
    after = [name for name in recording.outputs if name.startswith("S'")]
    bits = sum(mask.bit_count() for mask in active.values())
    words = ", ".join(name for name, mask in active.items() if mask)
    what = f"{place}; {bits} bits of {words} take all values, the others are any constants"
    return restricted(recording, after), active, what


def mask_of(name: str, pattern: str, bits: int) -> int:
    """Each character of the pattern stands for equally many bits: ``*`` active, ``.`` constant."""
    if not pattern or bits % len(pattern):
        raise DescriptionError(
            f"where: {name}: want a number of cells that divides its {bits} bits, got {len(pattern)}"
        )
    if wrong := [cell for cell in pattern if cell not in "*."]:
        raise DescriptionError(f"where: {name}: want * or . in an integral, got {wrong[0]!r}")
    width = bits // len(pattern)
    mask = 0
    for cell in pattern:
        mask = mask << width | ((1 << width) - 1 if cell == "*" else 0)
    return mask
