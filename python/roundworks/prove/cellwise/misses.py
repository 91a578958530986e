"""Impossible differentials and zero correlation, cell-wise: two truths that do not meet. [BIHAM]

From one active cell of the input it follows of many cells that they are active, or that they are not;
likewise from one active cell of the output, backwards. Where both say different things of one cell, no
difference (mask) leads from one to the other. What follows is by the rules of single operations: an XOR
has no single active cell, a map the patterns of its code. The solvers and their models are not used, so
that either can check the other.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from itertools import product

import numpy as np

from ...analysis.bounds import stars
from ...analysis.codes import MAX_ENUMERATED_CELLS, CodeMap, branch_number, supports
from ...analysis.last_layer import between_sboxes
from ...bounds import Bound, View
from ...errors import DescriptionError
from ...reference import Matrix, Recording, Roundwise, Sbox, record_rounds
from ...reference.recordings import merged
from ..pipeline import Query, want_whole_rounds
from .build import netlist
from .masks import Masks, transposed
from .netlist import And, CellNetlist, Linear, Op, SboxCell, Wire, Xor

Known = dict[Wire, bool]  # whether the wire is active


class Impossible(Exception):
    """Two rules contradict each other at one wire."""

    def __init__(self, wire: Wire) -> None:
        self.wire = wire


@dataclass(frozen=True, slots=True)
class Miss:
    """``wire`` is ``forward`` by what is known of the input, and the opposite by the output.

    ``forward`` is None where neither says so alone, and both together contradict each other there.
    """

    wire: Wire
    forward: bool | None


@dataclass
class Misses:
    """A netlist of differences, or of masks, and what follows from single active cells at its ends."""

    net: CellNetlist
    uses: dict[Wire, list[Op]] = field(default_factory=lambda: defaultdict(list))

    def __post_init__(self) -> None:
        for op in self.net.ops:
            for wire in _wires(op):
                self.uses[wire].append(op)

    def one_active(self, ends: Mapping[str, tuple[Wire | None, ...]]) -> list[tuple[str, int, Known]]:
        """For each cell of these ends, what follows where it alone is active: name, cell, knowledge.

        A cell that is never active alone, as in a round that is no permutation, is left out.
        """
        all_wires = {w for wires in ends.values() for w in wires if w is not None}
        results = []
        for name, wires in ends.items():
            for cell, wire in enumerate(wires):
                if wire is not None and sum(wire in other for other in ends.values()) == 1:
                    with suppress(Impossible):
                        known = self.follows({w: w == wire for w in all_wires})
                        results.append((name, cell, known))
        return results

    def follows(self, known: Mapping[Wire, bool]) -> Known:
        """All that follows from what is known; `Impossible` where that contradicts itself."""
        result = dict(known)
        todo = [op for wire in known for op in self.uses[wire]]
        while todo:
            op = todo.pop()
            for wire, value in _implied(op, result):
                if wire not in result:
                    result[wire] = value
                    todo += self.uses[wire]
                elif result[wire] != value:
                    raise Impossible(wire)
        return result

    def miss(self, before: Known, after: Known) -> Miss | None:
        """The first contradiction between what is known from both ends; None where there is none."""
        for wire in sorted(before.keys() & after.keys()):
            if before[wire] != after[wire]:
                return Miss(wire, before[wire])
        try:
            self.follows({**before, **after})
        except Impossible as error:
            return Miss(error.wire, None)
        return None


def _wires(op: Op) -> list[Wire]:
    match op:
        case SboxCell(given, output):
            return [given, output]
        case Xor(operands, output) | And(operands, output):
            return [*operands, output]
        case Linear(_, operands, outputs):
            return [*(w for w in operands if w is not None), *outputs]


def _implied(op: Op, known: Known) -> Iterator[tuple[Wire, bool]]:
    """What one operation adds, or repeats, or contradicts."""
    match op:
        case SboxCell(given, output):
            for one, other in ((given, output), (output, given)):
                if one in known:
                    yield other, known[one]
        case Xor(operands, output):
            yield from _sum([*operands, output], known)
        case And(operands, output):
            if all(known.get(w) is False for w in operands):
                yield output, False
            if known.get(output) and len(rest := [w for w in operands if known.get(w) is not False]) == 1:
                yield rest[0], True
        case Linear(m, operands, outputs):
            yield from _linear(m, [*operands, *outputs], known)


def _sum(cells: list[Wire], known: Known) -> Iterator[tuple[Wire, bool]]:
    """Cells whose sum is 0: one alone is not active."""
    active = [w for w in cells if known.get(w)]
    left = [w for w in cells if w not in known]
    if not left and len(active) == 1:
        yield active[0], False
    if len(left) == 1 and len(active) < 2:
        yield left[0], len(active) == 1


def _linear(m: CodeMap, cells: list[Wire | None], known: Known) -> Iterator[tuple[Wire, bool]]:
    state = tuple(False if w is None else known.get(w) for w in cells)
    for wire, value in zip(cells, _patterns(m, state), strict=True):
        if wire is not None and value is not None:
            yield wire, value


@cache
def _patterns(m: CodeMap, state: tuple[bool | None, ...]) -> tuple[bool | None, ...]:
    """What all patterns of (x, Mx) agree on that fit; where none fits, the opposite of what is known."""
    opposite = tuple(None if v is None else not v for v in state)
    if m.size <= MAX_ENUMERATED_CELLS:
        fitting = np.flatnonzero(supports(m))
        for i, value in enumerate(state):
            if value is not None:
                fitting = fitting[(fitting >> i & 1) == value]
        if not fitting.size:
            return opposite
        every, some = int(np.bitwise_and.reduce(fitting)), int(np.bitwise_or.reduce(fitting))
        return tuple(True if every >> i & 1 else None if some >> i & 1 else False for i in range(len(state)))
    minimum, possible = branch_number(m) or 1, [i for i, v in enumerate(state) if v is not False]
    if len(possible) < minimum:  # then nothing is active
        return opposite if any(state) else (False,) * len(state)
    return _by_rows(m, state)


def _by_rows(m: CodeMap, state: tuple[bool | None, ...]) -> tuple[bool | None, ...]:
    """Each row of a binary map is a sum; of other large maps no more is known."""
    result: dict[Wire, bool] = {i: v for i, v in enumerate(state) if v is not None}
    if m.binary:
        for i, row in enumerate(m.rows):
            for place, value in _sum([m.size + i, *(j for j, entry in enumerate(row) if entry)], result):
                result[place] = value
    return tuple(result.get(i) for i in range(len(state)))


def impossible(it: Roundwise, query: Query) -> Iterator[Bound]:
    """For 1 to ``query.rounds`` rounds, how many pairs of one active cell before and one after are impossible.

    In the differential view these are impossible differentials, in the linear one hulls of correlation
    zero. The cells, of the pair that is shown too, are those in front of the first S-box layer and behind the last,
    where every word of the state is a linear image of that.
    """
    want_whole_rounds(it)
    started = time.perf_counter()
    for rounds in range(1, query.rounds + 1):
        if rounds > 1 and query.limit is not None and time.perf_counter() - started > query.limit:
            return
        yield impossible_over(it, rounds, query.view or "differential")


def impossible_over(it: Roundwise, rounds: int, view: View) -> Bound:
    """The same over these rounds alone, with one pair and where it misses as the witness."""
    started = time.perf_counter()
    recording, places = between_sboxes(merged(record_rounds(it, rounds)))
    _check_bijective(recording)
    state = [name for name in recording.inputs if name.startswith("S")]
    net = netlist(recording, state, [name for name in recording.outputs if name.startswith("S'")])
    masks = transposed(net) if view == "linear" else None
    misses = Misses(masks.net if masks else net)
    # Masks run backwards: what are inputs of the transposed netlist are outputs of the rounds.
    starts, ends = misses.one_active(misses.net.inputs), misses.one_active(misses.net.outputs)
    if masks:
        starts, ends = ends, starts
    missed = 0
    witness: dict[str, str] | None = None
    for (name, cell, before), (name_, cell_, after) in product(starts, ends):
        if (miss := misses.miss(before, after)) is not None:
            missed += 1
            if witness is None or (miss.forward is not None and "and" in witness):
                witness = {name: _one(net, name, cell), name_: _one(net, name_, cell_)}
                witness |= _shown(recording, net, masks, miss)
    what = "impossible differentials" if view == "differential" else "linear hulls of correlation zero"
    method = (
        f"{what} with one active cell before {rounds} rounds and one after, of"
        f" {len(starts) * len(ends)} pairs; miss in the middle, cell-wise; a pair not counted may be one"
    )
    if places:
        method += f"; cells are those {places}"
    return Bound(
        cipher=it.name,
        measure="impossible",
        rounds=rounds,
        value=missed,
        unit="pairs of cells",
        side="lower",
        certainty="proven",
        method=method,
        witness=witness,
        seconds=time.perf_counter() - started,
        view=view,
    )


def _one(net: CellNetlist, name: str, cell: int) -> str:
    wires = net.inputs[name] if name in net.inputs else net.outputs[name]
    return stars(1 << cell, len(wires))


def _check_bijective(recording: Recording) -> None:
    for node in recording.graph.nodes:
        if isinstance(node.detail, Sbox) and not node.detail.bijective:
            raise DescriptionError(
                f"{node.line}: S-box {node.detail.name}: not a bijection, so a difference can vanish in it"
            )
        if isinstance(node.detail, Matrix) and not node.detail.invertible:
            raise DescriptionError(
                f"{node.line}: matrix {node.detail.name}: not invertible, so a difference can vanish in it;"
                " want an invertible one"
            )


def _shown(recording: Recording, net: CellNetlist, masks: Masks | None, miss: Miss) -> dict[str, str]:
    """The cell of the description where both ends contradict each other, and how."""
    place = _place(recording, net, masks, miss.wire)
    if miss.forward is None:
        return {"contradiction": f"{place}, by both ends together"}
    words = ("inactive", "active")
    return {
        "contradiction": f"{place}",
        "from before": words[miss.forward],
        "and from after": words[not miss.forward],
    }


def _place(recording: Recording, net: CellNetlist, masks: Masks | None, wire: Wire) -> str:
    of = {wire} if masks is None else {w for w, mask in masks.mask.items() if mask == wire}
    for node, cells in _in_order(net.values.items()):
        for cell, value in enumerate(cells):
            if value and net.wires.get(value) in of:
                one = recording.graph.nodes[node]
                return f"cell {cell} of node {node} ({one.op}, {one.name or one.line})"
    return f"wire {wire}"


def _in_order(
    values: Iterable[tuple[int, tuple[frozenset[int], ...]]],
) -> list[tuple[int, tuple[frozenset[int], ...]]]:
    return sorted(values)
