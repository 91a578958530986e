"""Named goals over some rounds of a description: what is asked, in words, and the answer.

active: fewest active S-boxes from any nonzero state difference (mask) on, key and blocks the same.
collision: fewest from no difference to none, over at most so many blocks, the first of which
differs. bias: fewest in a sum of keystream words of at most so many rounds, messages known.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from typing import Any, Literal, ParamSpec

from ..analysis import bounds
from ..analysis.forms import same_inputs
from ..errors import BrokenTrail, DescriptionError, SolverFailed, UnknownName, unknown
from ..reference import Matrix, Permutation, Recording, Rounds, Roundwise, Sbox, StreamAead
from ..reference.graph import record_rounds
from ..reference.permutation import HalfRounds
from .cell_trails import difference_trail, mask_trail
from .cells import netlist
from .layer_patterns import Undecided
from .masks import Masks, transposed
from .netlist import Netlist
from .solve import Answer, Progress, compare, solve
from .solvers import find
from .solvers.interface import BEFORE, contradiction
from .truncated import Count, Model, truncated
from .verify import Recount, Trail, verify
from .word_cuts import IN_A_UNIT, least_weight

View = Literal["differential", "linear"]
GOALS: dict[str, str] = {
    "active": "fewest active S-boxes over {rounds} rounds, {view}, from any nonzero state; {same}",
    "collision": "fewest active S-boxes in an internal collision: no difference before, none after"
    " at most {rounds} rounds, some block differs; {same}",
    "bias": "fewest active S-boxes in a linear relation between keystream words of at most {rounds}"
    " rounds: no mask on the state before or after; messages known",
}
VIEWS = ("differential", "linear")
SHARED = "S-boxes of one input, made in two ways, counted apart"
COUNTS = {
    "distinct": "S-boxes of one input counted once",
    "executed": "S-boxes counted as often as they are executed",
}


@dataclass(frozen=True, slots=True)
class Bound(bounds.Bound):
    """``value`` is proven by the solvers; ``upper`` has a trail, found legal by the verifier.

    ``fingerprint`` names the question, see `Problem`. Exact if both are equal.
    """

    upper: float | None
    view: View
    count: Count
    solver: str
    fingerprint: str


@dataclass(frozen=True, slots=True)
class Question:
    """A goal as a problem to solve, and the way back from an assignment to a trail.

    ``least``: a lower bound known without solving it. ``shared``: the model has two S-boxes where the
    description has one, whose input it makes by two ways; then the minimum bounds nothing.
    """

    goal: str
    view: View
    count: Count
    rounds: int
    words: str
    recording: Recording
    free: tuple[str, ...]
    targets: tuple[str, ...]
    model: Model
    masks: Masks | None
    least: int
    shared: bool

    def trail(self, assignment: Sequence[bool]) -> Trail:
        if self.masks is None:
            return difference_trail(self.model, assignment, self.free, self.targets)
        return mask_trail(
            self.masks, self.model, assignment, self.recording, self.free, self.targets
        )

    def check(self, trail: Trail, weight: int) -> Recount:
        """Verified, recounted, and what was asked for; `BrokenTrail` otherwise."""
        found = verify(self.recording, trail)
        self._asked(found)
        got = self.counted(found)
        if got != weight and not self.shared:
            raise SolverFailed(
                f"{self.recording.cipher}: {self.goal}: the model counts {weight} active S-boxes"
                f" in its trail and the verifier {got}"
            )
        return found

    def counted(self, found: Recount) -> int:
        return found.distinct if self.count == "distinct" else found.executed

    def _asked(self, found: Recount) -> None:
        state = [n for n in (*found.inputs, *found.outputs) if n.startswith("S")]
        patterns = found.inputs | found.outputs
        starting = found.inputs if self.view == "differential" else found.outputs
        nonzero = any(starting.values())
        empty = self.goal == "active" or not any(patterns[n] for n in state)
        if not (nonzero and empty):
            raise SolverFailed(
                f"{self.recording.cipher}: {self.goal}: the model's trail does not do what is asked"
            )


def question(
    it: Roundwise,
    goal: str = "active",
    rounds: int = 1,
    view: View | None = None,
    count: Count = "distinct",
    where: Mapping[str, str] | None = None,
) -> Question:
    """``where``: for a named input or output word its cells, ``*`` active, ``.`` not, ``?`` either.

    ``view`` is differential unless the goal has one of its own.
    """
    _known("goal", goal, GOALS)
    _known("view", view or "differential", VIEWS)
    _known("count", count, COUNTS)
    want_whole_rounds(it)
    if goal != "active":
        if not isinstance(it, StreamAead) or isinstance(it, Rounds):
            raise DescriptionError(
                f"{it.name}: goal {goal!r}: want a cipher that absorbs blocks and gives keystream;"
                " goal 'active' fits this one"
            )
        own: View = "differential" if goal == "collision" else "linear"
        if view not in (None, own):
            raise DescriptionError(f"view: {goal} is {own}, got {view}")
        view = own
    view = view or "differential"
    recording = record_rounds(it, rounds)
    state = tuple(f"S{i}" for i in range(it.words))
    after = tuple(f"S'{i}" for i in range(it.words))
    blocks = tuple(n for n in recording.inputs if n.startswith("X"))
    streams = tuple(n for n in recording.outputs if n.startswith("Z"))
    free = blocks if goal == "collision" else state
    targets = streams if goal == "bias" else after
    net = netlist(recording, free, targets)
    _check_layers(it, recording, net, free)
    masks = transposed(net) if view == "linear" else None
    model = truncated(masks.net if masks else net, count)
    # A trail may start later and end sooner than asked: rounds without differences do no harm. So
    # the first block of a collision differs, and the last keystream of a bias is masked.
    starts = model.net.inputs
    first = {"collision": "X0.", "bias": f"Z{rounds - 1}."}.get(goal, "S")
    model.problem.any_of(
        v for name, wires in starts.items() if name.startswith(first) for v in model.cells(wires)
    )
    if goal != "active":
        for wires in model.net.outputs.values():
            for variable in model.cells(wires):
                model.problem.fix(variable, False)
    least, shared = 0, _shared(net, recording)
    if not shared and isinstance(it, StreamAead) and not isinstance(it, Rounds):
        least = least_weight(it, goal, view, rounds, net)
    _restrict(model, where or {}, recording)
    same = "single key, the same blocks in both" if blocks and goal == "active" else "single key"
    if isinstance(it, Permutation):
        same = "no key: constants are the same in both"
    words = GOALS[goal].format(rounds=rounds, view=view, same=same) + "; " + COUNTS[count]
    if shared:
        words += f"; {SHARED}"
    return Question(
        goal, view, count, rounds, words, recording, free, targets, model, masks, least,
        shared,
    )  # fmt: skip


def _shared(net: Netlist, recording: Recording) -> bool:
    """Whether S-boxes of one table and one input have several values in the netlist."""
    for group in same_inputs(recording):
        if len({net.values[node][i] for node, i in group if node in net.values}) > 1:
            return True
    return False


def want_whole_rounds(it: Roundwise) -> None:
    """An error for 3.5 rounds: a bound is labelled by the rounds it is over, and those are counted."""
    if isinstance(it, HalfRounds) and it.half:
        whole = it.name.partition(":")[0]
        raise DescriptionError(f"{it.name}: bounds are over whole rounds; want {whole}")


def _known(what: str, value: str, legal: Mapping[str, str] | Sequence[str]) -> None:
    if value not in legal:
        raise unknown(what, value, legal)


def _check_layers(it: Roundwise, recording: Recording, net: Netlist, free: Sequence[str]) -> None:
    """Layers that lose nothing, and no state word that is never read."""
    for node in recording.graph.nodes:
        layer = node.detail
        lossy = (isinstance(layer, Sbox) and not layer.bijective) or (
            isinstance(layer, Matrix) and not layer.invertible
        )
        if lossy and node.id in net.values:
            name = getattr(layer, "name", "")
            raise DescriptionError(
                f"{node.line}: {node.op} {name}: not invertible, so a difference can vanish in it;"
                " want a bijection"
            )
    unread = [name for name in free if name.startswith("S") and name not in net.inputs]
    if unread:
        so = (
            "this is no permutation"
            if isinstance(it, Permutation)
            else "what differs there is lost"
        )
        raise DescriptionError(f"{it.name}: round: no output depends on {unread[0]}, so {so}")


def _restrict(model: Model, where: Mapping[str, str], recording: Recording) -> None:
    net, problem = model.net, model.problem
    places = net.inputs | net.outputs
    for name, cells in where.items():
        if name not in places:
            raise unknown("where: word", name, places)
        if len(cells) != len(places[name]):
            raise DescriptionError(
                f"where: {name}: want {len(places[name])} cells, got {len(cells)}"
            )
        for i, (cell, wire) in enumerate(zip(cells, places[name], strict=True)):
            if cell not in "*.?":
                raise DescriptionError(f"where: {name}: cell {i}: want * or . or ?, got {cell!r}")
            if cell != "?" and wire is not None:
                problem.fix(model.active[wire], cell == "*")
            elif cell == "*":
                raise DescriptionError(f"where: {name}: cell {i}: it never changes, so want . or ?")


def solved(
    it: Roundwise,
    goal: str = "active",
    rounds: int = 1,
    view: View | None = None,
    count: Count = "distinct",
    where: Mapping[str, str] | None = None,
    solvers: Sequence[str] = ("highs",),
    limit: float | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> tuple[Bound, Trail | None]:
    """The answer of one solver, or of two that agree, and its trail, verified and recounted."""
    if not solvers:
        raise UnknownName("solvers: want at least one, got none")
    started = time.perf_counter()
    asked = question(it, goal, rounds, view, count, where)
    problem = asked.model.problem
    answers: list[Answer] = []
    for solver in dict.fromkeys(solvers):
        known = min((a for a in answers if a.upper is not None), key=_upper, default=None)
        start = None if known is None else known.assignment
        # Two that are to agree are not told of it: neither would have to show it.
        least = Fraction(asked.least if len(set(solvers)) == 1 else 0), None
        answers.append(solve(problem, solver, limit, progress, least, start))
        if answers[-1].interrupted:
            break
    return _combined(asked, answers, time.perf_counter() - started)


P = ParamSpec("P")


def _alone(ask: Callable[P, tuple[Bound, Trail | None]]) -> Callable[P, Bound]:
    """The same question, without the trail of its answer."""

    def alone(*args: P.args, **options: P.kwargs) -> Bound:
        return ask(*args, **options)[0]

    return alone


bound = _alone(solved)


def _upper(answer: Answer) -> Any:
    return answer.upper


def _combined(asked: Question, answers: list[Answer], seconds: float) -> tuple[Bound, Trail | None]:
    """The best of each side, and whether two solvers agree on it."""
    cipher, names = asked.recording.cipher, ", ".join(a.version for a in answers)
    problem, measure, words = asked.model.problem, f"{asked.goal}-sboxes", asked.words
    fingerprint = problem.fingerprint
    compare(problem, answers)
    if any(a.status == "infeasible" for a in answers):
        side, certain = "exact", agreed(answers)
        if asked.shared:
            side, certain = "lower", "heuristic"
        return Bound(
            cipher, measure, asked.rounds, None, "active S-boxes", side,
            certain, words + "; no such trail",
            None, seconds, None, asked.view, asked.count, names, fingerprint,
        ), None  # fmt: skip
    lowers = {a.lower for a in answers}
    certain = agreed(answers) if len(lowers) == 1 else "one-solver"
    value = max(*lowers, Fraction(asked.least))
    uppers = [a for a in answers if a.upper is not None]
    best = min(uppers, key=_upper, default=None)
    upper, witness, trail = None, None, None
    if asked.shared:
        certain = "heuristic"
    if asked.least and (len(answers) == 1 or value > max(lowers)):
        words += f"; at least {asked.least} by active F times the fewest S-boxes of one"
        if not any(a.lower == value and a.lower_by != BEFORE for a in answers):
            names = find(IN_A_UNIT).version
    if best is not None and best.upper is not None and best.assignment is not None:
        try:
            trail = asked.trail(best.assignment)
            found = asked.check(trail, int(best.upper))
        except (Undecided, BrokenTrail) as error:
            if isinstance(error, BrokenTrail) and not asked.shared:
                raise
            words, trail = f"{words}; trail not checked: {error}", None
        else:
            upper = asked.counted(found)
            witness = asdict(found) | {"trail": _printed(asked, trail)}
            if upper < value and not asked.shared:
                raise contradiction(problem, (BEFORE, value), (best.solver, best.upper))
            value = min(value, Fraction(upper))
    return Bound(
        cipher, measure, asked.rounds, int(value), "active S-boxes",
        "exact" if upper == value and not asked.shared else "lower", certain, words, witness, seconds,
        upper, asked.view, asked.count, names, fingerprint,
    ), trail  # fmt: skip


def agreed(answers: Sequence[Answer]) -> str:
    """Two solvers agree where two came to the end, each by itself; not where time stopped both, and
    not where one found no more than a trail of a bound that it was told."""
    ended = {a.lower_by for a in answers if a.status != "bounded" and a.lower_by != BEFORE}
    return "two-solvers" if len(ended) > 1 else "one-solver"


def _printed(asked: Question, trail: Trail) -> list[dict[str, str]]:
    """The S-box layers in order, cell 0 first, with the line that each stands in."""
    return [
        {
            "line": node.line,
            "cells": "".join(
                "*" if trail.activity[node.id] >> i & 1 else "."
                for i in range(node.bits // trail.cell_bits)
            ),
        }
        for node in asked.recording.graph.nodes
        if node.op == "sub" and node.id in trail.activity
    ]
