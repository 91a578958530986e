"""Best trails of 1, 2, .. rounds, each answer helping with the next. [MATSUI] [SUN-SAT]"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

from ..reference.aead import Rounds
from ..reference.components import Matrix, Sbox
from ..reference.graph import Node, Recording, Roundwise, record_rounds
from ..reference.permutation import Permutation
from . import bitwise
from .bit_model import BitModel
from .bounding import Windows, with_bounds
from .goals import want_whole_rounds
from .recordings import constants
from .sbox_tables import Kind
from .solve import Answer, Progress, solve
from .trails import Checked, Trail, check


@dataclass(frozen=True, slots=True)
class Found:
    """The answer for ``rounds`` rounds, and its trail as the reference has it."""

    rounds: int
    answer: Answer
    trail: Trail | None
    checked: Checked | None
    exact: bool


def lightest_trails(
    it: Permutation[Any] | Rounds[Any],
    rounds: int,
    kind: Kind = "differential",
    *,
    active_only: bool = False,
    windows: Windows | None = None,
    solver: str = "cadical",
    limit: float | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> list[Found]:
    """Trails of least weight (fewest active S-boxes) for 1 to ``rounds`` rounds, keys without
    difference. ``limit`` is in seconds for each; after one that is not optimal nothing follows.
    Where rounds are alike, an answer helps with the next: ``windows`` adds Matsui's conditions, and
    without it is a lower bound only, which was faster for PRESENT up to six rounds (3.4 to 5.1 s).
    """
    best = [Fraction(0)]
    found: list[Found] = []
    for r in range(1, rounds + 1):
        asked = question(it, r, kind, active_only=active_only)
        recording, problem = asked.recording, asked.problem
        cuts = boundaries(it, recording, r)
        if windows and cuts:
            parts = [
                dict(pair for node in range(a, b) for pair in asked.spent.get(node, []))
                for a, b in pairwise(cuts)
            ]
            problem = with_bounds(problem, parts, best, windows=windows)
        # Fewer rounds weigh no more where they are a part of these: where the last is another, or a
        # linear trail would have to begin in round 1, they need not be.
        known = best[-1] if cuts else None
        answer = solve(problem, solver, limit, progress, known=(known, None))
        trail = None if answer.assignment is None else asked.trail(answer.assignment)
        checked = None if trail is None else check(recording, trail)
        found.append(Found(r, answer, trail, checked, asked.exact))
        if answer.status != "optimal":
            break
        best.append(answer.lower)
    return found


def question(
    it: Permutation[Any] | Rounds[Any],
    rounds: int,
    kind: Kind = "differential",
    *,
    active_only: bool = False,
) -> BitModel:
    """Every trail over ``rounds`` rounds from a state that differs, keys without difference."""
    want_whole_rounds(it)
    recording = record_rounds(it, rounds)
    keys = [name for name in recording.inputs if not name.startswith("S")]
    zero = keys if kind == "differential" else ()
    asked = bitwise.model(recording, kind, zero=zero, active_only=active_only)
    ends = recording.outputs if kind == "linear" else recording.inputs
    asked.some(*(name for name in ends if name not in keys))
    return asked


def boundaries(
    it: Permutation[Any] | Rounds[Any], recording: Recording, rounds: int
) -> list[int] | None:
    """The first node of every round, and one past the last; None if rounds differ in more than
    constants or lose differences, so that a bound for the first ones says nothing of others."""
    nodes = recording.graph.nodes
    if any(
        (isinstance(n.detail, Sbox) and not n.detail.bijective)
        or (isinstance(n.detail, Matrix) and not n.detail.invertible)
        for n in nodes
    ):
        return None
    first = sum(1 for node in nodes if node.op == "input" and (node.name or "").startswith("S"))
    cuts, states = [first], [_state(recording.inputs, "S")]
    for r in range(1, rounds):
        shorter = record_rounds(it, r)
        if not _begins(recording, shorter):
            return None
        cuts.append(len(shorter.graph.nodes))
        states.append(_state(shorter.outputs, "S'"))
    cuts.append(len(nodes))
    states.append(_state(recording.outputs, "S'"))
    fixed = constants(recording)
    shapes = [
        _shape(nodes, fixed, range(a, b), before, after)
        for (a, b), (before, after) in zip(pairwise(cuts), pairwise(states), strict=True)
    ]
    return cuts if all(shape == shapes[0] for shape in shapes) else None


def extends(it: Roundwise, rounds: int) -> bool:
    """Whether so many rounds begin with what one less does; where the last is another, rarely so."""
    return rounds > 1 and _begins(record_rounds(it, rounds), record_rounds(it, rounds - 1))


def _state(named: Mapping[str, int], prefix: str) -> list[int]:
    return [named[f"{prefix}{i}"] for i in range(sum(name.startswith(prefix) for name in named))]


def _begins(recording: Recording, shorter: Recording) -> bool:
    """Whether the shorter recording is how the other begins."""

    def content(node: Node) -> tuple[object, ...]:
        return node.op, node.bits, node.detail, node.inputs

    known = shorter.graph.nodes
    return [*map(content, recording.graph.nodes[: len(known)])] == [*map(content, known)]


def _shape(
    nodes: Sequence[Node],
    fixed: Mapping[int, int],
    inside: range,
    before: list[int],
    after: list[int],
) -> tuple[object, ...]:
    """What a round does to its state, whatever the values of round keys and of the constants added
    are; one that masks a word is a part of the layer."""
    kept = [i for i in inside if i not in fixed]
    place: dict[int, object] = {i: ("inside", k) for k, i in enumerate(kept)}
    for k, i in reversed([*enumerate(before)]):
        place[i] = ("before", k)

    def at(i: int, op: str = "") -> object:
        if i in fixed:
            return "const", fixed[i] if op == "and" else None
        return place.get(i, ("elsewhere", i))

    def done(node: Node) -> tuple[object, ...]:
        return node.op, node.bits, node.detail, *(at(i, node.op) for i in node.inputs)

    return (*(done(nodes[i]) for i in kept), *map(at, after))
