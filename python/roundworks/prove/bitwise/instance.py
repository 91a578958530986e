"""The lightest bit-wise trail over some rounds as a problem instance; a trail is checked and followed."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

from ...bounds import COUNTS, Count, View
from ...errors import DescriptionError
from ...reference import (
    BlockCipher,
    Permutation,
    Recording,
    Rounds,
    Roundwise,
    Sbox,
    StreamAead,
    record_rounds,
)
from ...reference.record import record_keyed
from ...reference.recordings import merged, restricted
from ..pipeline import SAME, Attained, Instance, Unchecked, want_whole_rounds
from ..solvers.problem import Problem
from . import build, trails
from .layers import rotational
from .model import BitModel
from .searches import lightest_trail
from .windows import by_round

# A trail of at most this weight is followed by random pairs, that many for each expected one.
MEASURABLE, PAIRS = 12, 64
SHARED_ADD = (
    "summands that depend on each other, or on other operations without a key between, taken as independent"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class BitInstance(Instance):
    """A trail's weight as a problem instance, see `pipeline.Instance`.

    The weight is -log2 of the probability (of the squared correlation), or the number of active S-boxes.
    """

    model: BitModel

    @property
    def problem(self) -> Problem:
        """The problem for a solver."""
        return self.model.problem

    def truly(self, lower: Fraction) -> Fraction:
        """What was rounded down in the problem, put back."""
        return self.model.truly(lower)

    def modelled(self, lower: Fraction) -> Fraction:
        """Where the problem rounds down, less than that."""
        step = Fraction(1, self.problem.scale)
        rounded = -(-lower // step) * step if self.model.rounded else lower
        while self.model.rounded and rounded and self.truly(rounded - step) >= lower - Fraction(SAME):
            rounded -= step
        return rounded

    def attained(self, assignment: Sequence[bool]) -> Attained:
        """The trail as words, checked on the description; a likely one is followed by random pairs."""
        trail, recording = self.model.trail(assignment), self.recording
        try:
            worth = trails.check(recording, trail, as_executed=self.count == "executed")
        except DescriptionError as error:
            if not self.heuristic:
                raise
            raise Unchecked(str(error)) from error
        nodes, named = recording.graph.nodes, recording.inputs | recording.outputs
        witness: dict[str, object] = {"active": worth.active}
        for name, value in trail.ends.items():
            if value and name in named:
                witness[name] = f"{value:0{-(-nodes[named[name]].bits // 4)}x}"
        if self.view == "differential" and worth.weight <= MEASURABLE and not self.helps:
            from . import random_pairs  # wants numpy, which a heavier trail need not wait for

            seen = random_pairs.measure(recording, trail, round(PAIRS * 2**worth.weight), seed=1)
            witness |= {"pairs": seen.samples, "followed": seen.followed, "arrived": seen.arrived}
        bits = next((n.detail.bits for n in nodes if isinstance(n.detail, Sbox)), 4)
        weight = worth.weight if self.unit == "-log2" else worth.active
        return Attained(weight, trail, witness, _activity(recording, trail, bits), bits)


def bit_instance(
    it: Roundwise,
    rounds: int,
    view: View = "differential",
    count: Count = "distinct",
    *,
    active_only: bool = False,
    recording: Recording | None = None,
    related: bool = False,
    up_to_rotation: bool = False,
) -> BitInstance:
    """Every trail over ``rounds`` rounds from a state that differs, keys and blocks without difference.

    ``active_only`` counts active S-boxes in place of weights. ``recording``: these rounds, if recorded
    before. ``related``: the key of a block cipher differs, too, and its schedule weighs. S-boxes are taken as
    independent, as is usual. ``up_to_rotation``: where rotations of all words make trails of trails, one of each is
    enough; not where a difference or mask is to be given.
    """
    started = time.perf_counter()
    want_whole_rounds(it)
    if related and view == "linear":
        raise DescriptionError("view: related keys are differential, got linear")
    recording = merged(recording or (record_keyed if related else record_rounds)(it, rounds))
    if view == "differential":  # keystream is read off, and costs a difference nothing
        recording = restricted(recording, [n for n in recording.outputs if n.startswith("S'")])
        keyed = isinstance(it, StreamAead | Rounds | BlockCipher)
        still = [n for n in recording.inputs if keyed and not n.startswith("S")]
        moving = [n for n in recording.inputs if n.startswith("S") or (related and n.startswith("K"))]
        still = [n for n in still if n not in moving]
    else:
        still = [n for n in recording.outputs if n.startswith("Z")]
        moving = [n for n in recording.outputs if n.startswith("S'")]
    executed = count == "executed"
    model = build.model(recording, view, zero=still, active_only=active_only, as_executed=executed)
    forwards = view == "differential" and not related
    up_to_rotation = (
        up_to_rotation and not related and isinstance(it, Permutation | BlockCipher) and rotational(recording)
    )
    if up_to_rotation:
        model.somewhere_first(*moving)
    else:
        model.some(*moving)
    searched = forwards and up_to_rotation and not active_only and not executed
    what = "the probability" if view == "differential" else "the squared correlation"
    what = "active S-boxes" if active_only else f"-log2 of {what}, S-boxes taken as independent"
    schedule = " and their key schedule" * related
    method = f"best {view} trail over {rounds} rounds{schedule}, bit-wise; {what}; {COUNTS[count]}"
    if model.rounded:
        method += f"; weights rounded down to multiples of 1/{build.DENOMINATOR} for the solver"
    if model.shared_and:
        method += "; AND gates that share an input taken as independent"
    if model.additions:
        method += "; additions taken as independent"
    if model.known_summand:
        method += "; a constant that is added taken as uniform"
    if up_to_rotation:
        method += "; one trail of all those that rotations of every word give"
    dependent = ""
    if model.shared_sbox:
        dependent = "S-boxes whose inputs follow from each other taken as independent"
    elif model.shared_add:
        dependent = SHARED_ADD
    if dependent:
        method += f"; {dependent}"
    return BitInstance(
        cipher=it.name,
        measure="related-key-trail" if related else "trail-sboxes" if active_only else "trail",
        rounds=rounds,
        view=view,
        count=count,
        unit="active S-boxes" if active_only else "-log2",
        method=method,
        recording=recording,
        impossible=f"{it.name}: {rounds} rounds: no trail at all; want a permutation",
        heuristic=model.dependent,
        dependent=dependent,
        by_round=partial(by_round, it, recording, model, rounds) if forwards else tuple,
        search=lightest_trail(it, model, moving, rounds) if searched else None,
        seconds=time.perf_counter() - started,
        model=model,
    )


def _activity(recording: Recording, trail: trails.BitTrail, cell_bits: int) -> dict[int, int]:
    """Node -> which cells are not zero, bit i for cell i."""
    cells, mask = {}, (1 << cell_bits) - 1
    for node in recording.graph.nodes:
        value, count = trail.values.get(node.id, 0), node.bits // cell_bits
        cells[node.id] = sum(bool(value >> cell_bits * (count - 1 - i) & mask) << i for i in range(count))
    return cells
