"""The division property word-wise, by numbers of active bits alone. [TODO]

A word of n bits has a number k of 0..n: the sums of all products of fewer than k of its bits are 0.
A layer of bijective S-boxes of degree d takes k to at least k / d, and n to n; an invertible linear
layer keeps k; COPY and XOR split and add. It knows less of a round than bits do, but numbers are few:
it reaches active sets and rounds at which a refutation bit-wise does not end.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ...analysis.sboxes import sbox_facts
from ...errors import DescriptionError
from ...reference.components import CellPermutation, Matrix, Sbox
from ...reference.graph import Node, Recording
from ...reference.recordings import refuse, restricted
from ..solvers.problem import AtLeast, Clause, Problem, Var
from ..solvers.solve import Solution, solve
from .walk import walk

Number = tuple[Var, ...] | None  # binary, least significant first; None: always 0


@dataclass(frozen=True, slots=True)
class WordIntegral:
    """``balanced``: words all of whose bits sum to 0. ``undecided``: the time was over, or Ctrl-C came."""

    active: Mapping[str, int]
    balanced: tuple[str, ...]
    undecided: tuple[str, ...]
    solutions: tuple[Solution, ...]
    seconds: float


def word_integral(
    recording: Recording, active: Mapping[str, int], solver: str = "cadical", limit: float | None = None
) -> WordIntegral:
    """Which outputs are balanced when ``active[name]`` bits of each input take all values.

    Any bits of that number: the property does not see which.
    """
    started = time.monotonic()
    balanced, undecided = [], []
    solutions: list[Solution] = []
    for name in recording.outputs:
        if solutions and solutions[-1].interrupted:
            undecided.append(name)
            continue
        solution = solve(_model(restricted(recording, [name]), active), solver, limit)
        solutions.append(solution)
        if solution.status == "infeasible":
            balanced.append(name)
        elif solution.assignment is None:
            undecided.append(name)
    return WordIntegral(
        dict(active), tuple(balanced), tuple(undecided), tuple(solutions), time.monotonic() - started
    )


def _model(recording: Recording, active: Mapping[str, int]) -> Problem:
    """Numbers that lead from the inputs to one bit of the one output."""
    problem = Problem()
    refuse(recording, ["cut", "join"], "the word-wise division property", "want measure integral")

    def start(node: Node, count: int) -> Number:
        return _start(problem, node, count)

    def step(node: Node, into: list[Number]) -> Number:
        return _sum(problem, node, into) if node.op == "xor" else _layer(problem, node, into)

    def copies(number: Number, count: int, node: Node) -> list[Number]:
        return _copies(problem, node, number, count)

    (number,) = walk(recording, active, start, step, copies).values()
    if number is None:
        problem.any_of([])  # a constant word: no product of it is ever unknown
    else:
        for place, bit in enumerate(number):
            problem.fix(bit, place == 0)
    return problem


def _fresh(problem: Problem, node: Node) -> tuple[Var, ...]:
    """A number of 0..n; n is its highest place alone."""
    if node.bits & (node.bits - 1):
        raise DescriptionError(
            f"{node.line}: word of {node.bits} bits: want a power of two for word-wise numbers"
        )
    number = tuple(problem.variables(f"{node.id}", node.bits.bit_length()))
    for low in number[:-1]:
        problem.add(Clause((-(number[-1] + 1), -(low + 1))))
    return number


def _start(problem: Problem, node: Node, count: int) -> Number:
    if not 0 <= count <= node.bits:
        raise DescriptionError(f"active bits of {node.name}: want 0 to {node.bits}, got {count}")
    if not count:
        return None
    number = _fresh(problem, node)
    for place, bit in enumerate(number):
        problem.fix(bit, bool(count >> place & 1))
    return number


def _equal(problem: Problem, whole: tuple[Var, ...], parts: Sequence[tuple[Var, ...]]) -> None:
    """whole = sum of the parts."""
    terms = [(1 << place, bit) for part in parts for place, bit in enumerate(part)]
    terms += [(-(1 << place), bit) for place, bit in enumerate(whole)]
    problem.add(AtLeast(tuple(terms), 0))
    problem.add(AtLeast(tuple((-c, v) for c, v in terms), 0))


def _sum(problem: Problem, node: Node, into: Sequence[Number]) -> Number:
    present = [number for number in into if number is not None]
    if len(present) < 2:
        return present[0] if present else None
    total = _fresh(problem, node)
    _equal(problem, total, present)
    return total


def _copies(problem: Problem, node: Node, number: Number, count: int) -> list[Number]:
    if number is None or count == 1:
        return [number] * count
    if not count:
        for bit in number:
            problem.fix(bit, False)
        return []
    parts = [_fresh(problem, node) for _ in range(count)]
    _equal(problem, number, parts)
    return list(parts)


def _layer(problem: Problem, node: Node, into: Sequence[Number]) -> Number:
    layer, number = node.detail, into[0]
    if isinstance(layer, CellPermutation) or (isinstance(layer, Matrix) and layer.invertible):
        return number
    if not isinstance(layer, Sbox) or not layer.bijective:
        raise DescriptionError(
            f"{node.line}: {node.op} {getattr(layer, 'name', '')}: word-wise numbers need bijective"
            " S-boxes, invertible linear layers and XOR"
        )
    if number is None:
        return None
    out = _fresh(problem, node)
    degree = sbox_facts(layer).degree
    terms = [(degree << place, bit) for place, bit in enumerate(out)]
    terms += [(-(1 << place), bit) for place, bit in enumerate(number)]
    problem.add(AtLeast(tuple(terms), 0))
    problem.add(Clause((-(number[-1] + 1), out[-1] + 1)))
    return out
