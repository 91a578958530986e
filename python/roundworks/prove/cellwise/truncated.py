"""Truncated differences and masks, cell-wise, as a problem instance. [MOUHA]

Of every cell the model says only whether it is zero. A bijective S-box keeps that; an XOR of cells
has any pattern but a single one; a linear map has exactly the patterns it has; an AND may do as it
likes once an operand is nonzero. Masks go through the transposed netlist: a fan-out is an XOR of
masks, an XOR is a fan-out, and y = Mx takes the mask of y to M^T times it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from ...analysis.codes import (
    MAX_ENUMERATED_CELLS,
    CodeMap,
    allowed_weights,
    bit_rows,
    branch_number,
    minimal_checks,
    supports,
)
from ...bounds import Count
from ...errors import DescriptionError
from ..solvers.problem import Clause, Parity, Problem, ValueTable, Var, Weights
from .netlist import And, CellNetlist, Linear, Op, SboxCell, Wire, Xor
from .relations import Relations, as_map, relations, short_relations

MAX_TABLE_CELLS = 5  # of a map whose patterns need a table: 2^10 rows, some hundred clauses


@dataclass
class TruncatedModel:
    """``active``: the variable of every wire."""

    net: CellNetlist
    problem: Problem = field(default_factory=Problem)
    active: dict[Wire, Var] = field(default_factory=dict)

    def cells(self, wires: Iterable[Wire | None]) -> list[Var]:
        """The variables of these wires; those that never change have none."""
        return [self.active[w] for w in wires if w is not None]


def truncated(
    net: CellNetlist, count: Count = "distinct", relaxed: bool = False, all_pairs: bool = False
) -> TruncatedModel:
    """The patterns of a netlist, weighed by its active S-boxes; nothing is nonzero yet.

    ``distinct`` weighs an S-box once, ``executed`` as often as the description executes it.
    ``relaxed`` knows of a large matrix its branch number only: enough for a lower bound.
    ``all_pairs``: see `relations`.
    """
    model = TruncatedModel(net)
    problem = model.problem
    for name, wires in net.inputs.items():
        for i, wire in enumerate(wires):
            if wire is not None:
                model.active[wire] = problem.variable(f"{name}.{i}")
    for op in net.ops:
        _constrain(model, op, count, relaxed)
    if not relaxed:
        _add_relations(model, relations(net, all_pairs))
    return model


def _add_relations(model: TruncatedModel, found: Relations) -> None:
    """What single operations imply together."""
    problem, active = model.problem, model.active
    for wire, terms in found.sums.items():
        active[wire] = problem.variable(f"sum{wire}")
        add_xor(problem, [*model.cells(terms), active[wire]])
    maps = list(found.images)
    for group in found.groups.values():
        if (small := as_map(found, group)) is not None:
            maps.append(small)
            continue
        for wires in short_relations(found, group):
            add_xor(problem, model.cells(wires))
    for m, *ends in maps:
        ins, outs = ([None if w is None else active[w] for w in wires] for wires in ends)
        add_linear(problem, m, ins, outs)


def _constrain(model: TruncatedModel, op: Op, count: Count, relaxed: bool) -> None:
    problem, active = model.problem, model.active
    match op:
        case SboxCell(given, output, sbox, times, line):
            if not sbox.bijective:
                raise DescriptionError(
                    f"{line}: S-box {sbox.name}: not a bijection, so a difference can vanish in it;"
                    " truncated models need bijective S-boxes"
                )
            active[output] = active[given]
            problem.weigh(active[given], times if count == "executed" else 1)
        case Xor(operands, output):
            active[output] = problem.variable(f"xor{output}")
            add_xor(problem, [*(active[w] for w in operands), active[output]])
        case Linear(m, operands, outputs, _):
            for wire in outputs:
                active[wire] = problem.variable(f"mix{wire}")
            ins = [None if w is None else active[w] for w in operands]
            add_linear(problem, m, ins, [active[w] for w in outputs], relaxed)
        case And(operands, output):
            active[output] = problem.variable(f"and{output}")
            add_and(problem, [active[w] for w in operands], active[output])


def add_xor(problem: Problem, cells: Sequence[Var]) -> None:
    """Cells whose sum is zero: not exactly one is nonzero."""
    allowed = frozenset(range(len(cells) + 1)) - {1}
    problem.add(Weights(_distinct(problem, cells), allowed))


def add_and(problem: Problem, operands: Sequence[Var], output: Var) -> None:
    """The output may be nonzero once an operand is."""
    problem.add(Clause((-(output + 1), *(v + 1 for v in operands))))


def add_or(problem: Problem, bits: Sequence[Var], cell: Var) -> None:
    """A cell is nonzero exactly if one of its bits is."""
    problem.add(Clause((-(cell + 1), *(v + 1 for v in bits))))
    for variable in bits:
        problem.add(Clause((-(variable + 1), cell + 1)))


def add_linear(
    problem: Problem, m: CodeMap, ins: Sequence[Var | None], outs: Sequence[Var | None], relaxed: bool = False
) -> None:
    """Exactly the patterns that (x, Mx) has; None is a cell that is zero."""
    cells = [*ins, *outs]
    if all(v is None for v in cells):
        return
    weights = allowed_weights(m)
    if weights is not None:  # every pattern of such a weight occurs
        some = [v for v in cells if v is not None]
        allowed = frozenset(w for w in weights if w <= len(some))
        problem.add(Weights(_distinct(problem, some), allowed))
    elif m.size <= MAX_TABLE_CELLS or (m.size <= MAX_ENUMERATED_CELLS and checks_suffice(m)):
        _add_supports(problem, m, cells)
    else:
        _add_branch_number(problem, m, [v for v in cells if v is not None])
        if not relaxed or branch_number(m) is None:
            add_bits(problem, m, ins, outs)


def _add_supports(problem: Problem, m: CodeMap, cells: Sequence[Var | None]) -> None:
    """Patterns by the parity checks, and as a table where those are not all there is."""
    for check in minimal_checks(m):
        met = [v for i, v in enumerate(cells) if check >> i & 1 and v is not None]
        if met:
            add_xor(problem, met)
    if not checks_suffice(m):
        kept = [i for i, v in enumerate(cells) if v is not None]
        gone = sum(1 << i for i, v in enumerate(cells) if v is None)
        patterns = [int(p) for p in np.flatnonzero(supports(m)) if not int(p) & gone]
        table = frozenset(sum((p >> i & 1) << k for k, i in enumerate(kept)) for p in patterns)
        variables = _distinct(problem, [v for v in cells if v is not None])
        problem.add(ValueTable(variables, table))


def checks_suffice(m: CodeMap) -> bool:
    """Whether every pattern that meets no minimal check in exactly one cell does occur."""
    patterns = np.arange(1 << 2 * m.size, dtype=np.uint32)
    kept = np.ones(len(patterns), np.bool_)
    for check in minimal_checks(m):
        kept &= np.bitwise_count(patterns & np.uint32(check)) != 1
    return bool((kept == supports(m)).all())


def add_bits(problem: Problem, m: CodeMap, ins: Sequence[Var | None], outs: Sequence[Var | None]) -> None:
    """By the bits of the cells: those of a binary map are that many copies of one code."""
    c, n = m.cell_bits, m.size
    bits: list[list[Var | None]] = []
    for cell in (*ins, *outs):
        named = "" if cell is None else f"{problem.names[cell]}.bit"
        own: list[Var | None] = [None] * c
        if cell is not None:
            own = [*problem.variables(named, c)]
        bits.append(own)
        if cell is not None:
            add_or(problem, [v for v in own if v is not None], cell)
    for out in range(n):
        for bit in range(c):
            if m.binary:
                terms = [bits[j][bit] for j, entry in enumerate(m.rows[out]) if entry]
            else:
                row = bit_rows(m)[out * c + bit]
                terms = [bits[i // c][i % c] for i in range(n * c) if row >> i & 1]
            results = [v for v in (*terms, bits[n + out][bit]) if v is not None]
            if results:
                problem.add(Parity(tuple(results), False))


def _add_branch_number(problem: Problem, m: CodeMap, cells: Sequence[Var]) -> None:
    """Follows from the bits, but a linear relaxation does not see it there."""
    minimum = branch_number(m)
    if minimum is not None:
        allowed = frozenset({0, *range(minimum, len(cells) + 1)})
        problem.add(Weights(_distinct(problem, cells), allowed))


def _distinct(problem: Problem, cells: Sequence[Var]) -> tuple[Var, ...]:
    """Two values may have one activity, as x and S(x); a constraint wants two variables."""
    results: list[Var] = []
    for variable in cells:
        if variable in results:
            copy = problem.variable(f"{problem.names[variable]}'")
            problem.add(Clause((-(variable + 1), copy + 1)))
            problem.add(Clause((variable + 1, -(copy + 1))))
            variable = copy
        results.append(variable)
    return tuple(results)
