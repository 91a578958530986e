"""Named goals over some rounds of a description, as problems over truncated differences and masks.

active: fewest active S-boxes from any nonzero state difference (mask) on, key and blocks the same.
collision: fewest from no difference to none, over at most n blocks, the first of which differs. bias:
fewest in a sum of keystream words of at most n rounds, messages known. related-key, related-tweak: as
active, and the key or the tweak of a block cipher may differ as well; S-boxes of the schedule count.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

from ...analysis.bounds import stars
from ...analysis.forms import same_inputs
from ...analysis.observed import observed_part, said
from ...bounds import COUNTS, Count, View
from ...errors import BrokenTrail, DescriptionError, SolverFailed, unknown
from ...reference import BlockCipher, Matrix, Permutation, Recording, Rounds, Roundwise, Sbox, StreamAead
from ...reference.record import record_keyed, record_rounds
from ..pipeline import Attained, Instance, Unchecked, check_view_and_count, want_whole_rounds
from ..solvers import find
from ..solvers.problem import Problem
from .build import KEYS, netlist
from .lanes import add_lanes, of_key
from .layer_patterns import Undecided
from .masks import Masks, transposed
from .netlist import CellNetlist
from .realised import realised
from .trails import difference_trail, mask_trail
from .truncated import TruncatedModel, truncated
from .verify import CellTrail, Recount, verify
from .word_cuts import IN_A_UNIT, minimum_weight

GOALS: dict[str, str] = {
    "active": "fewest active S-boxes over {rounds} rounds, {view}, from any nonzero state; {same}",
    "collision": "fewest active S-boxes in an internal collision: no difference before, none after"
    " at most {rounds} rounds, some block differs; {same}",
    "related-key": "fewest active S-boxes over {rounds} rounds and their key schedule, {view}, from any nonzero"
    " difference of state and key; {same}",
    "related-tweak": "fewest active S-boxes over {rounds} rounds and their schedule, {view}, from any nonzero"
    " difference of state and tweak; {same}",
    "bias": "fewest active S-boxes in a linear relation between keystream words of at most {rounds}"
    " rounds: no mask on the state before or after; messages known",
}
SHARED = "the same S-box input computed twice, counted apart"


@dataclass(frozen=True, slots=True, kw_only=True)
class CellInstance(Instance):
    """A goal as a problem instance, see `pipeline.Instance`; its weight is the number of active S-boxes.

    ``lower`` is what the word-wise view proves. The instance is ``heuristic`` where the model has two
    S-boxes and the description has one, whose input it computes twice.
    """

    goal: str
    free: tuple[str, ...]
    targets: tuple[str, ...]
    model: TruncatedModel
    masks: Masks | None

    @property
    def problem(self) -> Problem:
        """The problem for a solver."""
        return self.model.problem

    def trail(self, assignment: Sequence[bool]) -> CellTrail:
        """The patterns of an assignment at every node of the recording."""
        if self.masks is None:
            return difference_trail(self.model, assignment, self.free, self.targets)
        return mask_trail(self.masks, self.model, assignment, self.recording, self.free, self.targets)

    def attained(self, assignment: Sequence[bool]) -> Attained:
        """Verified on the description, counted again, and what the goal wants."""
        trail = self.trail(assignment)
        try:
            recount = verify(self.recording, trail)
        except (Undecided, BrokenTrail) as error:
            if isinstance(error, BrokenTrail) and not self.heuristic:
                raise
            raise Unchecked(str(error)) from error
        self._check_goal(recount)
        weight, want = self.counted(recount), int(self.problem.value(assignment))
        if weight != want and not self.heuristic:
            raise SolverFailed(
                f"{self.cipher}: {self.goal}: the model counts {want} active S-boxes"
                f" in its trail and the verifier {weight}"
            )
        witness = asdict(recount) | {"trail": self._layers(trail)}
        return Attained(weight, trail, witness, trail.activity, trail.cell_bits, self._short(trail))

    def _fixed(self) -> tuple[str, ...]:
        """The words whose pattern belongs to the goal."""
        closed = self.goal in ("collision", "bias")
        state = [n for n in (*self.recording.inputs, *self.recording.outputs) if closed and n.startswith("S")]
        return (*state, *self.where)

    def _short(self, trail: CellTrail) -> str:
        """Why no differences, or masks, are shown to have the whole pattern; "" where some have."""
        if self.heuristic:
            return ""
        what = "differences" if self.view == "differential" else "masks"
        try:
            fits = realised(self.recording, trail, self._fixed())
        except Undecided:
            return f"whether {what} have all patterns of this trail at once took too long to say"
        return "" if fits else f"a minimum of patterns, which no {what} have all at once: more is needed"

    def counted(self, recount: Recount) -> int:
        """The active S-boxes by this instance's way of counting."""
        return recount.distinct if self.count == "distinct" else recount.executed

    def _check_goal(self, recount: Recount) -> None:
        state = [n for n in (*recount.inputs, *recount.outputs) if n.startswith("S")]
        patterns = recount.inputs | recount.outputs
        starting = recount.inputs if self.view == "differential" else recount.outputs
        empty = self.goal not in ("collision", "bias") or not any(patterns[n] for n in state)
        if not (any(starting.values()) and empty):
            raise SolverFailed(f"{self.cipher}: {self.goal}: the model's trail misses the goal")

    def _layers(self, trail: CellTrail) -> list[dict[str, str]]:
        """The S-box layers in order, cell 0 first, with the line that each stands in."""
        return [
            {"line": node.line, "cells": stars(trail.activity[node.id], node.bits // trail.cell_bits)}
            for node in self.recording.graph.nodes
            if node.op == "sub" and node.id in trail.activity
        ]


def cell_instance(
    it: Roundwise,
    goal: str = "active",
    rounds: int = 1,
    view: View | None = None,
    count: Count = "distinct",
    where: Mapping[str, str] | None = None,
    recording: Recording | None = None,
) -> CellInstance:
    """The instance of a goal over ``rounds`` rounds, by the model of [MOUHA].

    ``view`` is differential unless the goal has one of its own. ``where``: for a named input or output
    word its cells, ``*`` active, ``.`` not, ``?`` either. ``recording``: these rounds, if recorded before.

    Raises
    ------
    UnknownName
        ``goal 'activ': not known; one of active, collision, related-key, ...``
    DescriptionError
        Where a layer loses differences, S-boxes differ in width, or a pattern does not fit.
    """
    started = time.perf_counter()
    if goal not in GOALS:
        raise unknown("goal", goal, GOALS)
    check_view_and_count(view, count)
    want_whole_rounds(it)
    related = {"related-key": "K", "related-tweak": "T"}.get(goal, "")
    if related:
        recording = _keyed(it, rounds, goal, view, recording)
    elif goal != "active":
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
    recording = recording or record_rounds(it, rounds)
    left_open = ""
    if goal == "collision" and isinstance(it, StreamAead):
        recording, kept = observed_part(recording, it)
        left_open = said(it, kept)
    state = tuple(f"S{i}" for i in range(it.words))
    after = tuple(n for n in (f"S'{i}" for i in range(it.words)) if n in recording.outputs)
    blocks = tuple(n for n in recording.inputs if n.startswith("X"))
    streams = tuple(n for n in recording.outputs if n.startswith("Z"))
    free = blocks if goal == "collision" else state
    free += tuple(n for n in recording.inputs if related and n.startswith(related))
    targets = streams if goal == "bias" else after
    net = netlist(recording, free, targets)
    _check_layers(it, recording, net, free)
    masks = transposed(net) if view == "linear" else None
    model = truncated(masks.net if masks else net, count, all_pairs=bool(related))
    # A trail may start later and end sooner than these rounds: those without differences do no harm. So
    # the first block of a collision differs, and the last keystream of a bias is masked.
    first = {"collision": "X0.", "bias": f"Z{rounds - 1}."}.get(goal, ("S", *related))
    starts = {name: wires for name, wires in model.net.inputs.items() if name.startswith(first)}
    model.problem.any_of(v for wires in starts.values() for v in model.cells(wires))
    if related:
        add_lanes(model, KEYS)
        model.problem.kind = "keyed"
        model.problem.cut = frozenset(model.cells(of_key(net, KEYS)))
    elif goal != "active":
        for wires in model.net.outputs.values():
            for variable in model.cells(wires):
                model.problem.fix(variable, False)
    lower, shared = 0, _shared(net, recording)
    if not shared and isinstance(it, StreamAead) and not isinstance(it, Rounds):
        lower = minimum_weight(it, goal, view, rounds, net)
    _restrict(model, where or {})
    same = "single key, the same blocks in both" if blocks and goal == "active" else "single key"
    if related:
        fixed = {"T": "single key", "K": "the same tweak"}[related]
        same = (
            fixed if any(n.startswith(("T", "K")) and n not in free for n in recording.inputs) else "no tweak"
        )
    if isinstance(it, Permutation):
        same = "no key: constants are the same in both"
    method = GOALS[goal].format(rounds=rounds, view=view, same=same) + "; " + COUNTS[count] + left_open
    fits = f"{it.name}: {rounds} rounds: no difference (mask) at all fits; patterns were given for: "
    # Whether another pattern fits depends on the rounds; one without any difference (mask) to start from fits none.
    nowhere = not where or all(set(where.get(name, "?")) == {"."} for name in starts)
    if where:
        method += (
            "; of trails with " + ", ".join(f"{name}={cells}" for name, cells in where.items()) + " alone"
        )
    return CellInstance(
        cipher=it.name,
        measure=f"{goal}-sboxes",
        rounds=rounds,
        view=view,
        count=count,
        unit="active S-boxes",
        method=method + f"; {SHARED}" * shared,
        recording=recording,
        impossible=(fits + f"{', '.join(where or ()) or 'none'}; leave a cell as ? or *")
        * (nowhere and (goal == "active" or bool(related))),
        lower=lower,
        lower_by=find(IN_A_UNIT).version if lower else "",
        heuristic=shared,
        dependent=SHARED * shared,
        seconds=time.perf_counter() - started,
        goal=goal,
        free=free,
        targets=targets,
        model=model,
        masks=masks,
        where=where or {},
    )


def _keyed(
    it: Roundwise, rounds: int, goal: str, view: View | None, recording: Recording | None
) -> Recording:
    """The rounds with their key schedule, of a block cipher that has what differs."""
    if goal == "related-tweak" and isinstance(it, BlockCipher) and not it.tweak_words:
        raise DescriptionError(f"{it.name}: goal {goal!r}: it has no tweak; want related-key")
    if view == "linear":
        raise DescriptionError(f"view: {goal} is differential, got linear")
    return recording or record_keyed(it, rounds)


def _shared(net: CellNetlist, recording: Recording) -> bool:
    """Whether S-boxes of one table and one input have several values in the netlist."""
    for group in same_inputs(recording):
        if len({net.values[node][i] for node, i in group if node in net.values}) > 1:
            return True
    return False


def _check_layers(it: Roundwise, recording: Recording, net: CellNetlist, free: Sequence[str]) -> None:
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
            if isinstance(it, Permutation | BlockCipher)
            else "what differs there is lost"
        )
        raise DescriptionError(f"{it.name}: round: no output depends on {unread[0]}, so {so}")


def _restrict(model: TruncatedModel, where: Mapping[str, str]) -> None:
    net, problem = model.net, model.problem
    places = net.inputs | net.outputs
    for name, cells in where.items():
        if name not in places:
            raise unknown("where: word", name, places)
        if len(cells) != len(places[name]):
            raise DescriptionError(f"where: {name}: want {len(places[name])} cells, got {len(cells)}")
        for i, (cell, wire) in enumerate(zip(cells, places[name], strict=True)):
            if cell not in "*.?":
                raise DescriptionError(f"where: {name}: cell {i}: want * or . or ?, got {cell!r}")
            if cell != "?" and wire is not None:
                problem.fix(model.active[wire], cell == "*")
            elif cell == "*":
                raise DescriptionError(f"where: {name}: cell {i}: it never changes, so want . or ?")
