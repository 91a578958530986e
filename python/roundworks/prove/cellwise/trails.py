"""From a solver's solution back to the nodes of the recorded graph, every node, for the verifier."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from itertools import product

from ...reference import Recording
from .masks import Masks
from .netlist import CellNetlist, Linear, Sum, Wire
from .truncated import TruncatedModel
from .verify import CellTrail


def difference_trail(
    model: TruncatedModel, assignment: Sequence[bool], free: Collection[str], targets: Collection[str]
) -> CellTrail:
    """What differs at every node. Sums that the model opened are filled in as they can be."""
    net = model.net
    on: dict[Sum, bool] = {frozenset(): False}
    on |= {x: assignment[model.active[wire]] for x, wire in net.wires.items()}
    fill = _Filling(net, on)
    for cells in net.values.values():
        for x in cells:
            fill.value(x)
    return CellTrail(
        "differential", net.cell_bits, tuple(free), tuple(targets), _patterns(net, lambda x: on[x])
    )


class _Filling:
    """Activity of inner sums: any that leaves no sum with exactly one active cell."""

    def __init__(self, net: CellNetlist, on: dict[Sum, bool]) -> None:
        self.net, self.on = net, on

    def value(self, x: Sum) -> bool:
        if x not in self.on and x in self.net.opened_into:
            root = self.net.opened_into[x]
            while root not in self.on:
                root = self.net.opened_into[root]
            self._settle(root)
        if x not in self.on:  # a sum that nothing is made of
            self.on[x] = self._can_be(x) == {True}
            self._settle(x)
        return self.on[x]

    def _can_be(self, x: Sum) -> set[bool]:
        if x in self.on:
            return {self.on[x]}
        a, b = self.net.parts[x]
        pairs = product(self._can_be(a), self._can_be(b), (False, True))
        return {out for p, q, out in pairs if p + q + out != 1}

    def _settle(self, x: Sum) -> None:
        """The parts of x, whose activity is known."""
        if x not in self.net.parts:
            return
        a, b = self.net.parts[x]
        if a in self.on and b in self.on:
            return
        pairs = product(self._can_be(a), self._can_be(b))
        self.on[a], self.on[b] = next(p for p in pairs if sum(p) + self.on[x] != 1)
        self._settle(a)
        self._settle(b)


def mask_trail(
    masks: Masks,
    model: TruncatedModel,
    assignment: Sequence[bool],
    recording: Recording,
    free: Collection[str],
    targets: Collection[str],
) -> CellTrail:
    """The mask of every value, those that linear layers and ANDs hand on, and of the outputs."""
    of = masks.of

    def is_on(wire: Wire | None) -> bool:
        return wire is not None and assignment[model.active[wire]]

    def masked(x: Sum) -> bool:
        while x not in of.wires and x in of.opened_into:
            x = of.opened_into[x]
        return is_on(masks.mask.get(of.wires[x])) if x in of.wires else False

    entries: dict[int, tuple[int, ...]] = {}
    for node_id, cells in of.values.items():
        node = recording.graph.nodes[node_id]
        if node.op in ("mix", "permute"):
            entries[node_id] = (0,)
        elif node.op == "and":
            handed = [0, 0]
            for i, out in enumerate(cells):
                uses = [of.values[operand][i] for operand in node.inputs]
                if uses[0] == uses[1]:
                    uses[1] = frozenset()
                for position, used in enumerate(uses):
                    edge = (of.wires.get(out, -1), of.wires.get(used, -1))
                    handed[position] |= is_on(masks.handed.get(edge)) << i
            entries[node_id] = tuple(handed)
    for op in (op for op in masks.net.ops if isinstance(op, Linear)):
        for node_id, places in op.places:
            (pattern,) = entries[node_id]
            for place, mask in zip(places, op.outputs, strict=False):
                pattern |= is_on(mask) << place
            entries[node_id] = (pattern,)
    outputs = {
        name: sum(is_on(wire) << i for i, wire in enumerate(wires))
        for name, wires in masks.net.inputs.items()
    }
    return CellTrail(
        "linear", of.cell_bits, tuple(free), tuple(targets), _patterns(of, masked), entries, outputs
    )


def _patterns(net: CellNetlist, on: Callable[[Sum], bool]) -> dict[int, int]:
    return {node: sum(on(x) << i for i, x in enumerate(cells)) for node, cells in net.values.items()}
