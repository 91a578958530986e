"""The division property word by word, by degrees alone. [TODO]

A word of n bits has a number k of 0..n: the sums of all products of fewer than k of its bits are 0.
A layer of bijective S-boxes of degree d takes k to at least k / d, and n to n; an invertible linear
layer keeps k; COPY and XOR split and add. It knows less of a round than bits do, but numbers are few:
it reaches active sets and rounds at which a refutation bit by bit does not end.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..analysis.sboxes import sbox_facts
from ..errors import DescriptionError
from ..reference.components import CellPermutation, Matrix, Sbox
from ..reference.graph import Node, Recording
from .problem import AtLeast, Clause, Problem, Var
from .recordings import constants, restricted
from .solve import Answer, solve

Number = tuple[Var, ...] | None  # binary, least significant first; None: always 0


@dataclass(frozen=True, slots=True)
class WordIntegral:
    """``balanced``: words all of whose bits sum to 0. ``undecided``: the time was over, or Ctrl-C came."""

    active: Mapping[str, int]
    balanced: tuple[str, ...]
    undecided: tuple[str, ...]
    answers: tuple[Answer, ...]
    seconds: float


def word_integral(
    recording: Recording,
    active: Mapping[str, int],
    solver: str = "cadical",
    limit: float | None = None,
) -> WordIntegral:
    """Which outputs are balanced when ``active[name]`` bits of each input take all values.

    Any bits of that number: the property does not see which.
    """
    started = time.monotonic()
    balanced, undecided = [], []
    answers: list[Answer] = []
    for name in recording.outputs:
        if answers and answers[-1].interrupted:
            undecided.append(name)
            continue
        answer = solve(_model(restricted(recording, [name]), active), solver, limit)
        answers.append(answer)
        if answer.status == "infeasible":
            balanced.append(name)
        elif answer.assignment is None:
            undecided.append(name)
    return WordIntegral(
        dict(active),
        tuple(balanced),
        tuple(undecided),
        tuple(answers),
        time.monotonic() - started,
    )


def _model(recording: Recording, active: Mapping[str, int]) -> Problem:
    """Numbers that lead from the inputs to one bit of the one output."""
    problem, nodes = Problem(), recording.graph.nodes
    fixed = constants(recording)
    if unknown := set(active) - set(recording.inputs):
        raise DescriptionError(
            f"active bits of {min(unknown)}: not an input of {recording.cipher};"
            f" one of {', '.join(recording.inputs)}"
        )
    if not any(active.values()):
        raise DescriptionError("active bits: want at least one, got none")
    uses: dict[int, int] = defaultdict(int)
    for source in [i for node in nodes for i in node.inputs] + list(recording.outputs.values()):
        uses[source] += 1
    waiting: dict[int, list[Number]] = {}
    names = {id_: name for name, id_ in recording.inputs.items()}
    for node in nodes:
        into = [waiting[i].pop() for i in node.inputs]
        if node.id in fixed:
            number: Number = None
        elif node.op == "input":
            number = _start(problem, node, active.get(names[node.id], 0))
        elif node.op == "xor":
            number = _sum(problem, node, into)
        else:
            number = _layer(problem, node, into)
        waiting[node.id] = _copies(problem, node, number, uses[node.id])
    (out,) = recording.outputs.values()
    (number,) = waiting[out]
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
            f"{node.line}: word of {node.bits} bits: want a power of two for numbers by words"
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
            f"{node.line}: {node.op} {getattr(layer, 'name', '')}: numbers by words need bijective"
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
