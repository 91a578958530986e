"""Check a truncated trail on the recorded graph itself, and count its S-boxes again.

Nothing of the models is used here: cells are followed through the nodes anew, which S-boxes have
the same input is found by computing the graph on random words, and a linear layer's pattern
is accepted only where some difference (or mask) is shown to have it.
"""

from __future__ import annotations

import random
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field, replace
from typing import cast

from ...errors import BrokenTrail
from ...reference import CellPermutation, IntWord, Matrix, Recording, Sbox
from ...reference.graph import Node
from .layer_patterns import Undecided, copies, group_bits, possible

EVALUATIONS = 24  # random inputs; cells that agree on all of them are taken for equal


@dataclass(frozen=True, slots=True)
class CellTrail:
    """Patterns by node id of the recorded graph, bit i for cell i.

    ``view`` is differential or linear. ``activity``: which cells differ, or are masked. Masks have
    also ``entries``, the masks that a linear layer or an AND hands to each operand, and
    ``outputs``, the mask on each named output. Only the inputs in ``free`` differ, or have masks that matter.
    """

    view: str
    cell_bits: int
    free: tuple[str, ...]
    targets: tuple[str, ...]
    activity: dict[int, int]
    entries: dict[int, tuple[int, ...]] = field(default_factory=dict)
    outputs: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Recount:
    """Active S-boxes of a legal trail, each once and as often as executed; what goes in and out."""

    distinct: int
    executed: int
    inputs: dict[str, int]
    outputs: dict[str, int]


Term = frozenset[Hashable]  # a cell as a sum of things that are not sums


@dataclass(frozen=True, slots=True)
class Step:
    """What one node does to some of its cells."""

    node: Node
    kind: str
    ins: tuple[Term, ...]
    outs: tuple[Term, ...]
    cells: tuple[int, ...]


def verify(recording: Recording, trail: CellTrail) -> Recount:
    """The counts of a trail that is legal; `BrokenTrail` with node and line where it is not, and
    `Undecided` where that would take too long to say."""
    walk = Walk(recording, trail)
    if trail.view == "differential":
        walk.check_differences()
    else:
        walk.check_masks()
    return walk.recount()


class Walk:
    """A trail on the recorded graph: cells as terms, the steps that join them, and which are active."""

    def __init__(self, recording: Recording, trail: CellTrail) -> None:
        self.recording, self.trail, self.c = recording, trail, trail.cell_bits
        before = recording.graph.before(recording.outputs[name] for name in trail.targets)
        self.nodes = [node for node in recording.graph.nodes if node.id in before]
        self.prints = _fingerprints(recording, trail, self.nodes)
        self.terms: dict[int, list[Term]] = {}
        self.steps: dict[Hashable, Step] = {}
        for node in self.nodes:
            self.terms[node.id] = self._follow(node)
        self.active: dict[Term, bool] = {frozenset(): False}
        for node in self.nodes:
            pattern = self._pattern(node)
            for i, term in enumerate(self.terms[node.id]):
                on = bool(pattern >> i & 1)
                if trail.view == "linear" and not term:
                    continue  # a mask on what never changes is no mask
                if self.active.setdefault(term, on) != on:
                    raise self._broken(node, f"cell {i} is active or not, though the value is one")

    def inputs(self) -> list[tuple[str, list[Term]]]:
        """The inputs that may differ, or whose masks matter, with their cells."""
        names = self.recording.inputs.items()
        return [(n, self.terms[node]) for n, node in names if n in self.trail.free and node in self.terms]

    def outputs(self) -> list[tuple[str, list[Term]]]:
        """The outputs that are looked at, with their cells."""
        return [(name, self.terms[self.recording.outputs[name]]) for name in self.trail.targets]

    def masked(self, name: str) -> list[bool]:
        """Whether a mask is on each cell of the output."""
        pattern, cells = self.trail.outputs.get(name, 0), self.terms[self.recording.outputs[name]]
        return [bool(pattern >> i & 1) for i in range(len(cells))]

    def handed(self, step: Step) -> list[bool]:
        """Whether a mask goes in, for each cell that the layer or AND takes."""
        return [bool(p >> i & 1) for p in self._entries(step.node) for i in step.cells]

    def _pattern(self, node: Node) -> int:
        pattern = self.trail.activity.get(node.id)
        if pattern is None:
            raise self._broken(node, "the trail does not say what is active")
        if pattern >> node.bits // self.c:
            raise self._broken(node, f"the trail has more than {node.bits // self.c} cells")
        return pattern

    def _entries(self, node: Node) -> tuple[int, ...]:
        patterns = self.trail.entries.get(node.id, ())
        if len(patterns) != len(node.inputs):
            raise self._broken(node, "the trail does not say what masks go in")
        return patterns

    def _broken(self, node: Node, what: str) -> BrokenTrail:
        return BrokenTrail(f"{node.line}: node {node.id} ({node.op}): {what}")

    def _follow(self, node: Node) -> list[Term]:
        cells = range(node.bits // self.c)
        operands = [self.terms[i] for i in node.inputs]
        if node.op == "const":
            return [frozenset() for _ in cells]
        if node.op == "input":
            free = node.name in self.trail.free
            return [frozenset({(node.name, i)}) if free else frozenset() for i in cells]
        if node.op == "xor":
            sums = [a ^ b for a, b in zip(*operands, strict=True)]
            for a, b, total in zip(*operands, sums, strict=True):
                if a and b and len(total) > 1:
                    self.steps.setdefault(total, Step(node, "xor", (a, b), (total,), ()))
            return sums
        if node.op in ("sub", "and"):
            out = []
            for i in cells:
                ins = tuple(cell[i] for cell in operands)
                if not any(ins):
                    out.append(frozenset[Hashable]())
                    continue
                if node.op == "and" and (masked := self._masked(node, i, ins)) is not None:
                    out.append(masked)
                    continue
                content = cast(Sbox, node.detail).table if node.op == "sub" else None
                seen = frozenset(self.prints[j][i] for j in node.inputs)
                key = (node.op, content, frozenset(ins), seen)
                out.append(frozenset({key}))
                self.steps.setdefault(key, Step(node, node.op, ins, (out[-1],), (i,)))
            return out
        if node.op == "cut":
            first = cast(int, node.detail) // self.c
            return operands[0][first : first + len(cells)]
        if node.op == "join":
            return [cell for word in operands for cell in word]
        return self._layer(node, operands[0])

    def _masked(self, node: Node, i: int, ins: tuple[Term, ...]) -> Term | None:
        """What a constant of all ones or zeros leaves of a cell: all of it, or nothing."""
        for at, term in enumerate(ins):
            if ins[1 - at]:
                continue
            values = set(self.prints[node.inputs[1 - at]][i])
            if values == {0}:
                return frozenset()
            if values == {(1 << self.c) - 1}:
                return term
        return None

    def _layer(self, node: Node, cells: list[Term]) -> list[Term]:
        layer = cast(Matrix | CellPermutation, node.detail)
        out = list(cells)
        if isinstance(layer, CellPermutation) and layer.cell_bits % self.c == 0:
            ratio = layer.cell_bits // self.c
            for i in range(len(cells)):
                out[layer.to[i // ratio] * ratio + i % ratio] = cells[i]
            return out
        n = group_bits(layer, node.bits, self.c) // self.c
        for start in range(0, len(cells), n):
            ins = tuple(cells[start : start + n])
            places = tuple(range(start, start + n))
            content = _content(layer)
            if not any(ins):
                continue
            key = ("layer", content, ins)
            copied = copies(layer, n * self.c, self.c)
            made = [frozenset[Hashable]({(*key, i)}) for i in range(n)]
            out[start : start + n] = [made[i] if j is None else ins[j] for i, j in enumerate(copied)]
            # A copy is its original: whose mask goes to it at once, and not through the layer.
            outs = tuple(
                frozenset[Hashable]() if j is not None and self.trail.view == "linear" else term
                for j, term in zip(copied, out[start : start + n], strict=True)
            )
            self.steps.setdefault(key, Step(node, "layer", ins, outs, places))
        return out

    # -- what makes a trail legal ----------------------------------------------------------------
    def check_differences(self) -> None:
        """`BrokenTrail` at the first step whose differences it cannot have."""
        for step in self.steps.values():
            ins, outs = self._on(step.ins), self._on(step.outs)
            self._check_step(step, ins, outs, sum(map(sum, (ins, outs))) != 1)

    def check_masks(self) -> None:
        """`BrokenTrail` at the first step, or cell, whose masks it cannot have."""
        meets: dict[Term, list[bool]] = {}
        for name, terms in self.outputs():
            for term, on in zip(terms, self.masked(name), strict=True):
                meets.setdefault(term, []).append(on)
        for step in self.steps.values():
            given = self._on(step.outs)
            handed = given * len(step.ins)
            if step.kind in ("layer", "and"):
                handed = self.handed(step)
            if step.kind in ("layer", "sub"):
                self._check_step(step, given, handed, True)
            elif step.kind == "and" and any(handed) and not given[0]:
                raise self._broken(step.node, "a mask goes in where none comes out")
            for term, on in zip(step.ins, handed, strict=True):
                meets.setdefault(term, []).append(on)
        for node in self.nodes:
            for i, term in enumerate(self.terms[node.id]):
                if term and self.active[term] + sum(meets.get(term, [])) == 1:
                    raise self._broken(node, f"masks on the uses of cell {i} do not add up")

    def _on(self, terms: Sequence[Term]) -> list[bool]:
        return [self.active[term] for term in terms]

    def _check_step(self, step: Step, before: list[bool], after: list[bool], sums: bool) -> None:
        node = step.node
        if step.kind == "sub":
            if not cast(Sbox, node.detail).bijective:
                raise self._broken(node, "the S-box is not a bijection")
            if before != after:
                raise self._broken(node, f"cell {step.cells[0]} changes activity in an S-box")
        elif step.kind == "xor" and not sums:
            raise self._broken(node, "exactly one cell of a sum is active")
        elif step.kind == "and" and after[0] and not any(before):
            raise self._broken(node, "a difference comes out where none goes in")
        elif step.kind == "layer":
            layer = cast(Matrix | CellPermutation, node.detail)
            bits = group_bits(layer, node.bits, self.c)
            transposed = self.trail.view == "linear"
            try:
                has = possible(layer, bits, self.c, transposed, tuple(before), tuple(after))
            except Undecided as error:
                where = f"{node.line}: node {node.id} ({node.op}): {layer.name}"
                raise Undecided(f"{where}: {error}") from error
            if not has:
                raise self._broken(node, f"{layer.name}: no value has this pattern")

    # -- counting ------------------------------------------------------------------------------
    def recount(self) -> Recount:
        """S-boxes of equal input and content are one, executed as often as their nodes are.

        Two inputs are equal if they give the same values, in whatever way they were made: a constant
        apart is apart. So is what only an accident of the S-box makes equal, as S(S(x)) and x.
        """
        times: dict[Hashable, int] = {}
        for node in self.nodes:
            if node.op != "sub":
                continue
            (source,) = node.inputs
            for i, term in enumerate(self.terms[node.id]):
                if term and self.active[term]:
                    key = (cast(Sbox, node.detail).table, self.prints[source][i])
                    times[key] = times.get(key, 0) + self.recording.graph.times[node.id]
        graph, activity = self.recording, self.trail.activity
        inputs = {n: activity.get(graph.inputs[n], 0) for n in self.trail.free}
        if self.trail.view == "linear":
            outputs = {n: self.trail.outputs.get(n, 0) for n in self.trail.targets}
        else:
            outputs = {n: activity[graph.outputs[n]] for n in self.trail.targets}
        return Recount(len(times), sum(times.values()), inputs, outputs)


def _fingerprints(
    recording: Recording, trail: CellTrail, nodes: Sequence[Node]
) -> dict[int, list[tuple[int, ...]]]:
    """For each node and cell, its values on random words, with random tables for the S-boxes.

    Tables are drawn anew for each run, so that only what holds for all S-boxes holds on all runs.
    """
    rng = random.Random(0)
    results: dict[int, list[tuple[int, ...]]] = {}
    runs = []
    for _ in range(EVALUATIONS):
        values: dict[int, IntWord] = {}
        drawn: dict[tuple[int, ...], Sbox] = {}
        for node in nodes:
            if isinstance(sbox := node.detail, Sbox):
                if sbox.table not in drawn:
                    table = rng.sample(range(len(sbox.table)), len(sbox.table))
                    drawn[sbox.table] = Sbox(sbox.name, tuple(table))
                node = replace(node, detail=drawn[sbox.table])
            if node.op == "input":
                values[node.id] = IntWord(rng.getrandbits(node.bits), node.bits)
            else:
                values[node.id] = node.apply([values[i] for i in node.inputs], IntWord(0, node.bits))
        runs.append(values)
    for node in nodes:
        columns = [values[node.id].cells(trail.cell_bits) for values in runs]
        results[node.id] = list(zip(*columns, strict=True))
    return results


def _content(layer: Matrix | CellPermutation) -> Hashable:
    if isinstance(layer, Matrix):
        return layer.rows, layer.polynomial, layer.cell_bits
    return layer.to, layer.cell_bits
