"""Sums of few key cells: how often they can cancel, as a linear key schedule has them round after round.

A tweakey schedule such as SKINNY's adds the same two or three cells in every other round, each changed by
an invertible map in between. Sum by sum, all could vanish; together they cannot: if any z of the m sums
of z cells determine those cells, at most z - 1 sums vanish unless all do. [SKINNY, section 4.1]
"""

from __future__ import annotations

from collections import defaultdict
from itertools import combinations

from ...analysis.codes import bit_rows
from ...reference import gf2
from ..solvers.problem import AtLeast
from .netlist import CellNetlist, Linear, SboxCell, Wire, Xor
from .truncated import TruncatedModel

MOST_CELLS = 3  # in a sum; the subsets of more are too many to look at

Form = tuple[int, ...]  # a row of bits of the key cells for each bit of a cell


def add_lanes(model: TruncatedModel, prefixes: tuple[str, ...]) -> int:
    """Constrain the sums of cells of the inputs whose names begin so; the number of sums that have one."""
    count = 0
    for cells, wires in lanes(model.net, prefixes):
        variables = [model.active[wire] for wire in wires]
        enough = len(wires) - len(cells) + 1
        for cell in cells:
            terms = [(1, v) for v in variables] + [(-enough, model.active[cell])]
            model.problem.add(AtLeast(tuple(terms), 0))
        count += len(wires)
    return count


def lanes(net: CellNetlist, prefixes: tuple[str, ...]) -> list[tuple[tuple[Wire, ...], tuple[Wire, ...]]]:
    """Key cells, and wires that are sums of all of them any z of which determine the z cells."""
    groups: dict[tuple[Wire, ...], list[tuple[Wire, Form]]] = defaultdict(list)
    c = net.cell_bits
    for wire, form in _forms(net, prefixes).items():
        bits = 0
        for row in form:
            bits |= row
        cells = tuple(cell for cell in range(bits.bit_length() // c + 1) if bits >> cell * c & (1 << c) - 1)
        if 2 <= len(cells) <= MOST_CELLS:
            groups[cells].append((wire, form))
    results = []
    for cells, sums in groups.items():
        chosen: list[tuple[Wire, Form]] = []
        for one in sums:
            if not _independent(chosen, one[1], len(cells), c):
                results.append((cells, tuple(wire for wire, _ in chosen)))
                chosen = []
            chosen.append(one)
        results.append((cells, tuple(wire for wire, _ in chosen)))
    return [(cells, wires) for cells, wires in results if len(wires) >= len(cells)]


def _independent(chosen: list[tuple[Wire, Form]], form: Form, cells: int, c: int) -> bool:
    """Whether the form and any ``cells`` - 1 of those chosen determine the cells."""
    others = [other for _, other in chosen]
    return all(
        gf2.rank([*form, *(row for other in some for row in other)]) == c * (1 + len(some))
        for some in combinations(others, min(cells - 1, len(others)))
    )


def of_key(net: CellNetlist, prefixes: tuple[str, ...]) -> set[Wire]:
    """The wires that depend on inputs whose names begin so, and on nothing else."""
    found = {
        w for name, wires in net.inputs.items() if name.startswith(prefixes) for w in wires if w is not None
    }
    for op in net.ops:
        given = (op.input,) if isinstance(op, SboxCell) else op.operands
        if found.issuperset(w for w in given if w is not None):
            found.update(op.outputs if isinstance(op, Linear) else (op.output,))
    return found


def _forms(net: CellNetlist, prefixes: tuple[str, ...]) -> dict[Wire, Form]:
    """Wires that are linear in the cells of these inputs; bit i of cell w is bit w c + i of a row."""
    c, forms = net.cell_bits, dict[Wire, Form]()
    for name, wires in net.inputs.items():
        if name.startswith(prefixes):
            forms |= {w: tuple(1 << w * c + i for i in range(c)) for w in wires if w is not None}
    for op in net.ops:
        if isinstance(op, Xor) and all(wire in forms for wire in op.operands):
            total = [0] * c
            for wire in op.operands:
                total = [a ^ b for a, b in zip(total, forms[wire], strict=True)]
            forms[op.output] = tuple(total)
        elif isinstance(op, Linear) and all(w is None or w in forms for w in op.operands):
            given = [row for w in op.operands for row in (forms[w] if w is not None else (0,) * c)]
            rows = bit_rows(op.map)
            made = []
            for row in rows:
                value = 0
                for i, part in enumerate(given):
                    value ^= part if row >> i & 1 else 0
                made.append(value)
            forms |= {wire: tuple(made[k * c : (k + 1) * c]) for k, wire in enumerate(op.outputs)}
    return forms
