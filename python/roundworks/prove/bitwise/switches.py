"""Boomerangs and differential-linear approximations: two trails that meet at one layer of S-boxes.

A boomerang has a differential trail of probability p before the layer and one of q behind it; both are
used twice, and the layer itself returns with probability r, by its connectivity table [CID]: p^2 q^2 r.
A differential-linear approximation has a differential trail of probability p and a linear one of
correlation c, used twice, and the table of differences and masks [BAR-ON] between them: p r c^2. Both
take the two trails for independent, so every value here is heuristic; the experiment next to it is not.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from ...analysis.cuts import Cut, cuts
from ...analysis.gate_layers import with_sboxes
from ...analysis.inverse import inverse
from ...bounds import Bound, View
from ...errors import DescriptionError, unknown
from ...reference import Recording, Roundwise, Sbox, StreamAead, record_keyed, record_rounds
from ...reference.aead import Rounds
from ...reference.recordings import merged, restricted, run
from ..pipeline import SAME, Query, want_whole_rounds
from ..solvers.problem import Problem
from ..solvers.solve import solve
from . import build, random_pairs, trails
from .layers import rows
from .misses import hex_value
from .model import BitModel, Bits, lightest_true
from .sbox_tables import Switch, transitions, weighted_table

MEASURABLE = 14  # -log2 of a probability that is measured as well
SAMPLES = 64  # for each expected return
PAIRS = 1 << 16  # where a correlation is expected to be too small to see
SURE = 5  # standard deviations


@dataclass(frozen=True, slots=True)
class Joined:
    """The model of both sides of a cut; `switches` has the bits before and behind the layer. ``worths``: what a weight
    of the problem is worth at most, empty where none was rounded."""

    cut: Cut
    kind: Switch
    problem: Problem
    before: BitModel
    after: BitModel
    worths: dict[Fraction, Fraction] = field(default_factory=dict)

    @property
    def weight_factor(self) -> int:
        """How often each trail is used."""
        return 2 if self.kind == "boomerang" else 1

    def truly(self, weight: Fraction) -> Fraction:
        """The minimum true weight of what weighs at least this in the problem."""
        return lightest_true(weight, self.worths, self.problem.scale) if self.worths else weight


def switched(it: Roundwise, kind: Switch, query: Query, *, related: bool = False) -> Iterator[Bound]:
    """For 1 to ``query.rounds`` rounds, log2 of the largest such probability (correlation) over all layers to meet at.

    ``query.limit`` is in seconds for each number of rounds. ``query.where``: the difference (mask) of words of either
    end in hexadecimal, over ``query.rounds`` alone. ``related``: of a block cipher whose key may differ, in each
    trail in its own way.
    """
    want_whole_rounds(it)
    if not related and isinstance(it, StreamAead) and not isinstance(it, Rounds):
        raise DescriptionError(
            f"{it.name}: {kind}: want a permutation or rounds of a block, got a streaming cipher"
        )
    for rounds in range(query.rounds if query.where else 1, query.rounds + 1):
        yield switched_over(it, kind, rounds, query, related=related)


def switched_over(it: Roundwise, kind: Switch, rounds: int, query: Query, *, related: bool = False) -> Bound:
    """The same over these rounds alone; the layers in the middle are tried first."""
    started = time.perf_counter()
    recording = merged(record_keyed(it, rounds) if related else record_rounds(it, rounds))
    recording = restricted(recording, [n for n in recording.outputs if n.startswith("S'")])
    layers = cuts(recording if related else _in_sboxes(it, rounds) or recording)
    order = sorted(range(len(layers)), key=lambda i: abs(2 * i - len(layers) + 1))
    best: tuple[Fraction, Joined, dict[str, Any]] | None = None
    complete, lightest = True, list[Fraction]()
    solver = ""
    for tried, place in enumerate(order):
        left = None
        if query.limit is not None:
            left = (query.limit - (time.perf_counter() - started)) / (len(order) - tried)
            if left <= 0:
                complete = False
                break
        joined = join(layers[place], kind, related=related)
        _fix(joined, query.where, related=related)
        solution = solve(joined.problem, query.solvers[0], left, query.progress)
        solver = solution.version
        complete &= solution.status != "bounded"
        if solution.assignment is not None:
            worth, witness = read_back(joined, solution.assignment)
            if best is None or worth > best[0]:
                best = worth, joined, witness
            lightest.append(joined.truly(solution.lower))
        if best is None:
            solution.uninterrupted()
        elif solution.interrupted:
            break
    if best is None:
        why = (
            "no trails that meet at a layer of S-boxes have these ends"
            if complete
            else "nothing found within the time"
        )
        raise DescriptionError(f"{it.name}: {rounds} rounds: {kind}: {why}")
    worth, joined, witness = best
    witness["layer"] = f"{layers.index(joined.cut) + 1} of {len(layers)}"
    witness |= _experiment(recording, joined, worth, witness)
    what = "probability of one boomerang" if kind == "boomerang" else "correlation of one approximation"
    method = (
        f"{what} over {rounds} rounds: one trail on each side of a layer of S-boxes, the layer by its table;"
        " both trails taken as independent"
    )
    method += "; the keys differ in each trail in its own way" if related else ""
    if not complete:
        method += "; time ran out, a better one may exist"
    elif min(lightest) < Fraction(trails.weight_of(worth)) - Fraction(SAME):
        method += f"; weights rounded down to multiples of 1/{build.DENOMINATOR} for the solver, a better one may exist"
    return Bound(
        cipher=it.name,
        measure=f"related-key-{kind}" if related else kind,
        rounds=rounds,
        value=trails.log2_of(worth),
        unit="log2",
        side="lower",
        certainty="heuristic",
        method=method,
        witness=witness,
        seconds=time.perf_counter() - started,
        solver=solver,
        fingerprint=joined.problem.fingerprint,
    )


def _fix(joined: Joined, where: Mapping[str, str], *, related: bool) -> None:
    """The ends that are given; K0 is the key's difference in the first trail, K'0 in the second one."""
    ends = {n: (joined.before, n) for n in joined.cut.before.inputs if related or n.startswith("S")}
    ends |= {n: (joined.after, n) for n in joined.cut.after.outputs}
    if related:
        ends |= {_behind(n): (joined.after, n) for n in _keys(joined.cut.before)}
    for name, text in where.items():
        if name not in ends:
            raise unknown("where: word", name, ends)
        model, own = ends[name]
        model.fix(own, hex_value(name, text, len(model.named[own])))


def _in_sboxes(it: Roundwise, rounds: int) -> Recording | None:
    """The rounds with S-boxes for their AND gates, if they have gates alone and these make up S-boxes."""
    recordings = [merged(record_rounds(it, count)) for count in range(1, rounds + 1)]
    if any(node.op == "sub" for node in recordings[-1].graph.nodes):
        return None
    return with_sboxes(recordings, rows)


def join(cut: Cut, kind: Switch, denominator: int = build.DENOMINATOR, *, related: bool = False) -> Joined:
    """Both trails and the layer between them as one problem, something not zero at both ends."""
    problem = Problem()
    keys = _keys(cut.before)
    zero = () if related else keys
    before = build.model(cut.before, "differential", zero=zero, problem=problem, denominator=denominator)
    view: View = "differential" if kind == "boomerang" else "linear"
    keys_after = [name for name in cut.after.inputs if not name.startswith("M")]
    zero = keys_after if view == "differential" and not related else ()
    after = build.model(cut.after, view, zero=zero, problem=problem, denominator=denominator)
    before.some(*(n for n in cut.before.inputs if n.startswith("S")), *(keys if related else ()))
    after.some(*cut.after.outputs, *(keys_after if related else ()))
    joined = Joined(cut, kind, problem, before, after)
    factor, rounded = joined.weight_factor, before.rounded or after.rounded
    for variable in problem.weights:
        problem.weights[variable] *= factor
    worths = [(w * factor, p**factor) for one in (before, after) for w, p in one.worths.items()]
    for sbox, into, out in switches(joined):
        table = weighted_table(sbox, kind, denominator)
        levels = problem.variables("switch", len(table.levels))
        problem.table([*into, *out, *levels], table.allowed)
        for level, step in zip(levels, table.steps, strict=True):
            problem.weigh(level, step)
        rounded |= not table.exact
        worths += zip(table.levels, table.best, strict=True)
    for weight, probability in worths if rounded else ():
        joined.worths[weight] = max(probability, joined.worths.get(weight, Fraction(0)))
    return joined


def _keys(recording: Recording) -> list[str]:
    return [name for name in recording.inputs if not name.startswith("S")]


def switches(joined: Joined) -> Iterator[tuple[Sbox, Bits, Bits]]:
    """Each S-box of the layer with its bits before and behind."""
    for i, sbox in enumerate(joined.cut.layer):
        into, out = joined.before.named[f"M{i}"], joined.after.named[f"M'{i}"]
        if not sbox.bijective:
            raise DescriptionError(f"S-box {sbox.name}: not a bijection, so a boomerang does not come back")
        for cell in range(0, len(into), sbox.bits):
            yield sbox, into[cell : cell + sbox.bits], out[cell : cell + sbox.bits]


def read_back(joined: Joined, assignment: list[bool]) -> tuple[Fraction, dict[str, Any]]:
    """The exact value of a solution: both trails checked on the description, the layer from its table."""
    first, second = joined.before.trail(assignment), joined.after.trail(assignment)
    one, two = trails.check(joined.cut.before, first), trails.check(joined.cut.after, second)
    layer = Fraction(1)
    for sbox, into, out in switches(joined):
        layer *= transitions(sbox, joined.kind)[_value(into, assignment), _value(out, assignment)]
    worth = (one.probability * two.probability) ** joined.weight_factor * layer
    named = joined.cut.before.graph.nodes, joined.cut.after.graph.nodes
    ends = {n: (first.ends[n], named[0][i].bits) for n, i in joined.cut.before.inputs.items()}
    ends |= {
        n: (v, named[1][joined.cut.after.outputs[n]].bits)
        for n, v in second.ends.items()
        if n.startswith("S'")
    }
    if joined.kind == "boomerang":
        keys = {n: i for n, i in joined.cut.after.inputs.items() if not n.startswith("M")}
        ends |= {_behind(n): (second.ends[n], named[1][i].bits) for n, i in keys.items()}
    witness: dict[str, Any] = {n: f"{v:0{-(-bits // 4)}x}" for n, (v, bits) in ends.items() if v}
    witness |= {"before_log2": -one.weight, "layer_log2": trails.log2_of(layer), "after_log2": -two.weight}
    return worth, witness


def _behind(key: str) -> str:
    """How the difference of a key in the second trail is called: K'0."""
    return f"{key[0]}'{key[1:]}"


def _value(bits: Bits, assignment: list[bool]) -> int:
    total = 0
    for bit in bits:
        total = total << 1 | (bit is not None and assignment[bit])
    return total


def _experiment(
    recording: Recording, joined: Joined, worth: Fraction, witness: dict[str, Any]
) -> dict[str, Any]:
    """The same on the description itself with random inputs, where that is quick; or why it was not."""
    weight = -(trails.log2_of(worth) or 0.0)
    if any(node.bits % 8 for node in recording.graph.nodes):
        return {}
    names = (*recording.inputs, *recording.outputs, *map(_behind, _keys(recording)))
    ends = {n: int(witness.get(n, "0"), 16) for n in names}
    if joined.kind == "boomerang":
        if weight > MEASURABLE:
            return {}
        samples = round(SAMPLES * 2**weight)
        try:
            came = returns(recording, ends, samples, seed=1)
        except DescriptionError as error:
            return {"not measured": str(error)}
        return {
            "quartets": samples,
            "returned": came,
            "measured_log2": trails.log2_of(Fraction(came, samples)),
        }
    # Many trails can have one end, so that what is measured can be far above what one of them is worth.
    samples = round(SAMPLES * 4**weight) if weight <= MEASURABLE / 2 else PAIRS
    measured = bias(recording, ends, samples, seed=1)
    if weight > MEASURABLE / 2 and measured**2 * samples < SURE**2:
        return {}
    return {"pairs": samples, "measured_correlation_log2": trails.log2_of(abs(measured))}


def returns(recording: Recording, ends: dict[str, int], samples: int, seed: int) -> int:
    """How many of ``samples`` random quartets come back with the difference they had."""
    back = inverse(recording)
    came = 0
    for given in random_pairs.random_inputs(recording, samples, seed):
        states = []
        for offset in (0, 1):
            start = {n: word ^ (ends.get(n, 0) * offset) for n, word in given.items()}
            values = run(recording, start)
            after = {n: values[node] ^ ends.get(n, 0) for n, node in recording.outputs.items()}
            keys = {n: start[n] ^ ends.get(_behind(n), 0) for n in _keys(recording)}
            values = run(back, keys | after)
            states.append({n: values[node] for n, node in back.outputs.items()})
        equal = [~(states[0][n] ^ states[1][n] ^ ends.get(n, 0)).cells.any(axis=0) for n in back.outputs]
        came += int(np.logical_and.reduce(equal).sum())
    return came


def bias(recording: Recording, ends: dict[str, int], samples: int, seed: int) -> Fraction:
    """The correlation of the masked difference behind random pairs of one difference."""
    total = 0
    for given in random_pairs.random_inputs(recording, samples, seed):
        other = {n: word ^ ends.get(n, 0) for n, word in given.items()}
        first, second = run(recording, given), run(recording, other)
        parity = np.logical_xor.reduce(
            [
                random_pairs.masked_parity(first[node] ^ second[node], ends.get(n, 0))
                for n, node in recording.outputs.items()
            ]
        )
        total += int(parity.size - 2 * np.count_nonzero(parity))
    return Fraction(total, samples)
