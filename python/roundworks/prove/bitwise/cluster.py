"""The probability of a differential and the correlation of a linear hull, as sums over their trails.

With uniform, independent keys XORed to the input of every S-box, the mean probability of a differential
is the sum over all its trails, and the mean squared correlation of a hull is the sum of their squared
correlations [NYBERG]. Every trail found is checked on the description, so a sum over some of them is at
most the true mean; it is exact where the solver shows that there are no more. Without keys the signed
correlations of all trails add up to the correlation of the permutation itself, constants included.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from ...analysis.affine import LINEAR
from ...bounds import Bound, View
from ...errors import DescriptionError, unknown
from ...reference import Recording, Roundwise
from .. import solvers
from ..pipeline import Query
from ..solvers.clauses import lower, weight_bound
from ..solvers.interface import SolverRun, Stopped
from ..solvers.solve import SolverProgress, solve
from . import random_pairs, trails
from .instance import SHARED_ADD, BitInstance, bit_instance
from .misses import hex_value
from .model import BitModel

LIMIT = 60.0  # seconds, unless the query has a limit
MOST_TRAILS = 1 << 15
BUDGET = 5_000  # conflicts between two looks at the clock
ABOVE = 32  # trails of up to that much more weight than the best are ordered by weight
MEASURABLE = 16  # -log2 of a probability, or half that of a squared correlation, that is measured as well
PAIRS = 64  # random pairs for each expected one
UNSURE = "; between the ends of a trail that is not shown to be the lightest"


@dataclass(slots=True)
class TrailSum:
    """The trails of one pair of ends, all of them if ``complete``.

    ``worth`` sums their probabilities (squared correlations), ``correlation`` their signed correlations where
    no key changes the sign and there are no additions (``signed``). ``by_weight``: weight, rounded down ->
    number of trails.
    ``ordered``: every trail of at most this weight is among them.
    """

    ends: Mapping[str, int]
    signed: bool
    worth: Fraction = Fraction(0)
    correlation: Fraction = Fraction(0)
    best: Fraction = Fraction(0)
    count: int = 0
    complete: bool = False
    ordered: float | None = None
    by_weight: Counter[int] = field(default_factory=Counter)
    first: trails.BitTrail | None = None

    def add(self, recording: Recording, trail: trails.BitTrail) -> None:
        """Add a trail to the sum, after it was checked on the description."""
        worth = trails.check(recording, trail)
        self.worth += worth.probability
        if trail.view == "linear" and self.signed:
            self.correlation += trails.correlation(recording, trail)
        self.best = max(self.best, worth.probability)
        self.by_weight[int(worth.weight)] += 1
        self.first = self.first or trail
        self.count += 1


def cluster(it: Roundwise, query: Query) -> Iterator[Bound]:
    """log2 of the mean probability (squared correlation) of one differential (hull) over ``query.rounds``.

    The ends are those of the lightest trail that is found in a third of the time, or ``query.where``: for a
    named word of the state its difference (mask) in hexadecimal.
    """
    started = time.perf_counter()
    limit = query.limit or LIMIT
    view: View = query.view or "differential"
    instance = bit_instance(it, query.rounds, view)
    ends = {name: _value(instance, name, text) for name, text in query.where.items()}
    for name, value in ends.items():
        instance.model.fix(name, value)
    open_ends = [n for n in _state(instance) if n not in ends]
    sure = True
    if open_ends:
        solution = solve(instance.problem, "auto", limit / 3, query.progress).uninterrupted()
        if solution.assignment is None:
            none = "none exists" if solution.status == "infeasible" else f"none in {limit / 3:g} s"
            raise DescriptionError(f"{it.name}: {query.rounds} rounds: no trail to begin with: {none}")
        ends = {n: instance.model.trail(solution.assignment).ends[n] for n in _state(instance)}
        sure = solution.status == "optimal"
        for name in open_ends:
            instance.model.fix(name, ends[name])
    summed = trail_sum(instance, ends, limit - (time.perf_counter() - started), query.progress)
    bound = _bound(it, instance, summed, time.perf_counter() - started)
    yield bound if sure else replace(bound, side="lower", method=bound.method + UNSURE)


def _state(instance: BitInstance) -> list[str]:
    return [name for name in instance.model.named if name.startswith("S")]


def _value(instance: BitInstance, name: str, text: str) -> int:
    """The hexadecimal value of a word of the state."""
    if name not in _state(instance):
        raise unknown("where: word", name, _state(instance))
    return hex_value(name, text, len(instance.model.named[name]))


def trail_sum(
    instance: BitInstance,
    ends: Mapping[str, int],
    limit: float,
    progress: Callable[[SolverProgress], None] | None = None,
    most: int = MOST_TRAILS,
) -> TrailSum:
    """Every trail between ends that are fixed in the instance's model, the lightest first.

    It ends after ``limit`` seconds, and with ``most`` trails.
    """
    solvers.find("cadical")  # says what to install where it is missing
    from pysat.solvers import Cadical195

    started, model = time.monotonic(), instance.model
    run = SolverRun(instance.problem, "cadical")
    formula, units = lower(instance.problem), run.units
    top = int(ABOVE / run.step) + _lightest(instance, limit / 4, units)
    choices = _choices(model)
    recording = instance.recording
    signed = all(n.startswith("S") for n in recording.inputs)
    signed &= all(node.op in (*LINEAR, "sub", "and") for node in recording.graph.nodes)
    summed = TrailSum(dict(ends), signed)

    def check() -> None:
        if time.monotonic() - started > limit:
            raise Stopped

    try:
        bounded, clauses = weight_bound({v + 1: w for v, w in units.items()}, top, formula.variable, check)
    except Stopped:  # no trail within the time
        return summed
    with Cadical195(bootstrap_with=[*formula.clauses, *clauses]) as sat:
        levels = [s for s in bounded.sums if s <= top]
        for level in [*([0] if not levels or levels[0] else []), *levels, None]:
            assumptions = () if level is None else bounded.below(level + 1)
            while summed.count < most and time.monotonic() - started < limit:
                sat.conf_budget(BUDGET)
                outcome = sat.solve_limited(assumptions=list(assumptions))
                if outcome is False:
                    summed.ordered = None if level is None else float(level * run.step)
                    summed.complete = level is None
                    break
                if outcome:
                    values = [False, *(lit > 0 for lit in sat.get_model())]
                    summed.add(instance.recording, model.trail(values[1:]))
                    sat.add_clause([-v - 1 if values[v + 1] else v + 1 for v in choices])
                    if progress and summed.count % 64 == 0:
                        progress(
                            SolverProgress("trails", Fraction(summed.count), None, time.monotonic() - started)
                        )
            else:
                break
    return summed


def _lightest(instance: BitInstance, limit: float, units: Mapping[int, int]) -> int:
    """The weight of a light trail, in units; of all that can be active where none is found."""
    solution = solve(instance.problem, "auto", limit).uninterrupted()
    step = SolverRun(instance.problem, "cadical").step
    return sum(units.values()) if solution.upper is None else int(solution.upper / step)


def _choices(model: BitModel) -> list[int]:
    """Variables that determine the trail: what is not linear puts out, and hands to its inputs."""
    nodes = model.recording.graph.nodes
    made = {b for n in nodes if n.op not in LINEAR for b in model.bits[n.id] if b is not None}
    return sorted(made | {b for word in model.handed.values() for b in word if b is not None})


def _bound(it: Roundwise, instance: BitInstance, summed: TrailSum, seconds: float) -> Bound:
    if not summed.count:
        raise DescriptionError(
            f"{it.name}: {instance.rounds} rounds: "
            + ("no trail has these ends" if summed.complete else "no trail of these ends within the time")
        )
    recording, linear = instance.recording, instance.view == "linear"
    keyed = any(not name.startswith("S") for name in recording.inputs)
    what = "linear hull" if linear else "differential"
    mean = "squared correlation" if linear else "probability"
    which = "all its trails" if summed.complete else f"{summed.count} of its trails, the others add to it"
    method = f"mean {mean} of one {what} with independent keys before every S-box: the sum over {which}"
    if summed.ordered is not None and not summed.complete:
        method += f", with every one of weight up to {summed.ordered:g}"
    if instance.model.shared_add:
        method += f"; {SHARED_ADD}"
    if instance.model.dependent and not instance.model.shared_add:
        method += "; S-boxes, gates or summands whose inputs follow from each other taken as independent"
    digits = {n: -(-len(instance.model.named[n]) // 4) for n in summed.ends}
    witness: dict[str, Any] = {n: f"{v:0{digits[n]}x}" for n, v in summed.ends.items() if v}
    witness |= {"trails": summed.count, "best_trail_log2": trails.log2_of(summed.best)}
    witness["by_weight"] = {str(w): n for w, n in sorted(summed.by_weight.items())}
    if linear and summed.signed and summed.complete:
        witness["squared_correlation_without_keys_log2"] = trails.log2_of(summed.correlation**2)
    witness |= _experiment(recording, summed, linear, keyed)
    return Bound(
        cipher=it.name,
        measure="cluster",
        rounds=instance.rounds,
        value=trails.log2_of(summed.worth),
        unit="log2",
        side="exact" if summed.complete and not instance.model.dependent else "lower",
        certainty="heuristic" if instance.model.dependent else "one-solver" if summed.complete else "proven",
        method=method,
        witness=witness,
        seconds=seconds,
        view=instance.view,
        count=instance.count,
        solver=solvers.find("cadical").version,
        upper=trails.weight_of(summed.best),
        fingerprint=instance.problem.fingerprint,
    )


def _experiment(recording: Recording, summed: TrailSum, linear: bool, keyed: bool) -> dict[str, Any]:
    """The same measured on the description itself, whose inputs are all random, where that is quick."""
    weight = trails.weight_of(summed.worth) / (2 if linear else 1)
    odd = any(node.bits % 8 for node in recording.graph.nodes)  # batches are of whole bytes
    if summed.first is None or weight > MEASURABLE or odd:
        return {}
    if linear:
        samples = round(PAIRS * 4**weight)
        square = random_pairs.measure_correlation(recording, summed.ends, min(samples, 1 << 21), seed=1)
        return (
            {"samples": min(samples, 1 << 21), "measured_log2": trails.log2_of(square)} if not keyed else {}
        )
    seen = random_pairs.measure(recording, summed.first, round(PAIRS * 2**weight), seed=1)
    measured = trails.log2_of(Fraction(seen.arrived, seen.samples))
    return {"pairs": seen.samples, "arrived": seen.arrived, "measured_log2": measured}
