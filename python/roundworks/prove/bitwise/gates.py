"""The AND gates of a recording, differential: how those that share an input depend on each other.

Gate u & v changes by u dv ^ v du ^ du dv, which is linear in its inputs. So with uniform, independent bits
the changes of all gates are uniform on an affine space, whose dimension is the weight. Take bits for the
vertices of a graph and gates for its edges. A vertex w without a difference next to one with it gives the
form w: dimension 1, however many such gates it has, and their changes are equal. An edge between two
vertices with differences gives u ^ v: these have the dimension of a spanning forest. So the weight of a
tree is the number of such vertices and of such edges; a cycle all of whose bits differ has one less, and
the sum of its changes is fixed. For Simon's round this is the formula of [SIMON-TRAILS, theorem 3].
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, pairwise, product

from ...reference import gf2
from ...reference.graph import Node
from ..solvers.problem import Clause, Parity, Problem, Var
from .model import Bit

MOST_IN_TABLE = 3  # gates of one bit whose changes a table relates; clauses do for more
MOST_IN_GROUP = 10  # inputs and gates that one table relates: five of each in Ascon and Keccak

Form = int  # of `analysis.forms`: the constant in bit 0


@dataclass(frozen=True, slots=True)
class GateModel:
    """One AND gate with a difference in some input: its inputs' forms and differences, and its change."""

    node: Node
    forms: tuple[Form, Form]
    differences: tuple[Bit, Bit]
    change: Var


@dataclass(frozen=True, slots=True)
class Weighed:
    """A variable that weighs something, and the gates that it is of."""

    variable: Var
    gates: tuple[GateModel, ...]
    weight: int = 1


def constrain(problem: Problem, gates: Sequence[GateModel]) -> tuple[list[Weighed], bool]:
    """Relate the changes of gates that share inputs; what weighs, and whether that is exact."""
    weighed = []
    inputs = {form >> 1 for gate in gates for form in gate.forms}
    exact = gf2.rank(inputs) == len(inputs)  # or groups have sums of inputs in common
    for group in _groups(gates):
        if (small := _table(problem, group)) is not None:
            weighed += small
            continue
        both = {gate: _edge(problem, gate) for gate in group}
        ends: dict[Form, list[tuple[GateModel, int]]] = defaultdict(list)
        for gate in group:
            for side in range(2):
                ends[gate.forms[side] >> 1].append((gate, side))
        spare = len(group) - len(ends) + 1
        if spare and (spare > 1 or any(len(used) != 2 for used in ends.values())):
            exact = False
        elif spare and all(variable is not None for variable in both.values()):
            first = group[0]
            both[first] = _cycle(problem, group, ends, both[first])
        for gate, variable in both.items():
            if variable is not None:
                weighed.append(Weighed(variable, (gate,)))
        for used in ends.values():
            if (variable := _vertex(problem, used)) is not None:
                weighed.append(Weighed(variable, tuple(gate for gate, _ in used)))
    return weighed, exact


def _groups(gates: Sequence[GateModel]) -> list[list[GateModel]]:
    """Gates that share inputs, directly or through others."""
    of: dict[Form, list[GateModel]] = {}
    for gate in gates:
        a, b = (form >> 1 for form in gate.forms)
        joined = of.setdefault(a, [])
        if (other := of.setdefault(b, [])) is not joined:
            joined += other
            of |= {form: joined for g in other for form in (g.forms[0] >> 1, g.forms[1] >> 1)}
            of[b] = joined
        joined.append(gate)
    return list({id(group): group for group in of.values()}.values())


def _table(problem: Problem, group: Sequence[GateModel]) -> list[Weighed] | None:
    """All of a small group in one table, as of an S-box; None where it is large or its inputs are dependent.

    Its weights are levels: one variable says that it is active, the next ones that it weighs more than the minimum.
    """
    inputs = {
        form >> 1: bit for gate in group for form, bit in zip(gate.forms, gate.differences, strict=True)
    }
    if len(inputs) + len(group) > MOST_IN_GROUP or gf2.rank(inputs) < len(inputs):
        return None
    at = {form: i for i, form in enumerate(inputs)}
    ends = tuple((at[gate.forms[0] >> 1], at[gate.forms[1] >> 1]) for gate in group)
    flips = tuple((gate.forms[0] & 1, gate.forms[1] & 1) for gate in group)
    possible = tuple(bit is not None for bit in inputs.values())
    rows, levels = _spaces(ends, flips, possible)
    variables = problem.variables(f"{group[0].node.id}w", len(levels))
    problem.table(*_distinct([*inputs.values(), *(gate.change for gate in group), *variables], list(rows)))
    steps = (high - low for low, high in pairwise((0, *levels)))
    return [Weighed(v, tuple(group), step) for v, step in zip(variables, steps, strict=True)]


@cache
def _spaces(
    ends: tuple[tuple[int, int], ...], flips: tuple[tuple[int, int], ...], possible: tuple[bool, ...]
) -> tuple[tuple[tuple[int, ...], ...], tuple[int, ...]]:
    """(differences, changes, levels) of gates between these inputs, and the weight of each level."""
    spaces: dict[tuple[int, ...], set[tuple[int, ...]]] = {}
    for d in product(*((0, 1) if may else (0,) for may in possible)):
        spaces[d] = {
            tuple(
                ((x[a] ^ f) & (x[b] ^ g)) ^ ((x[a] ^ d[a] ^ f) & (x[b] ^ d[b] ^ g))
                for (a, b), (f, g) in zip(ends, flips, strict=True)
            )
            for x in product((0, 1), repeat=len(possible))
        }
    weight = {d: len(changes).bit_length() - 1 for d, changes in spaces.items()}
    levels = tuple(sorted(set(weight.values()) - {0}))
    rows = (
        (*d, *change, *(int(weight[d] >= level) for level in levels))
        for d, changes in spaces.items()
        for change in changes
    )
    return tuple(rows), levels


def _edge(problem: Problem, gate: GateModel) -> Var | None:
    """No change without a difference; whether both inputs differ, None where they cannot."""
    a, b = gate.differences
    if a is None or b is None:
        only = a if b is None else b
        assert only is not None
        problem.add(Clause((-(gate.change + 1), only + 1)))
        return None
    both = problem.variable(f"{gate.node.id}&")
    rows = ((x, y, change, x & y) for x, y, change in product((0, 1), repeat=3) if x | y or not change)
    problem.table([a, b, gate.change, both], _packed(rows))
    return both


def _vertex(problem: Problem, used: Sequence[tuple[GateModel, int]]) -> Var | None:
    """Whether this input does not differ and that of a gate of it does. The changes of such gates are the
    input itself, or its complement."""
    own = used[0][0].differences[used[0][1]]
    across = [(gate.differences[1 - side], gate.change, gate.forms[side] & 1) for gate, side in used]
    live = [(other, change, flip) for other, change, flip in across if other is not None]
    if not live:
        return None
    if own is None and len(live) == 1:
        return live[0][0]
    weight = problem.variable(f"{used[0][0].node.id}|")
    if len(live) <= MOST_IN_TABLE:
        rows = []
        for row in product((0, 1), repeat=1 + 2 * len(live)):
            others, changes = row[1 : 1 + len(live)], row[1 + len(live) :]
            seen = {c ^ f for o, c, (_, _, f) in zip(others, changes, live, strict=True) if o}
            if row[0] or len(seen) < 2:
                rows.append((*row, int(not row[0] and any(others))))
        columns = [own, *(other for other, _, _ in live), *(change for _, change, _ in live), weight]
        # One variable may stand in two columns, as where both inputs of a gate differ alike.
        problem.table(*_distinct(columns, rows))
        return weight
    mine: tuple[int, ...] = () if own is None else (own + 1,)
    for other, _, _ in live:
        problem.add(Clause((*mine, -(other + 1), weight + 1)))
    if own is not None:
        problem.add(Clause((-(own + 1), -(weight + 1))))
    problem.add(Clause((-(weight + 1), *(other + 1 for other, _, _ in live))))
    for (x, c, f), (y, d, g) in combinations(live, 2):
        for left, right in (
            ((c + 1, -(d + 1)), (-(c + 1), d + 1)) if f == g else ((c + 1, d + 1), (-(c + 1), -(d + 1)))
        ):
            problem.add(Clause((*mine, -(x + 1), -(y + 1), left, right)))
    return weight


def _cycle(
    problem: Problem, group: Sequence[GateModel], ends: dict[Form, list[tuple[GateModel, int]]], both: Bit
) -> Var:
    """One edge's weight of a cycle, which does not count where every bit of the cycle differs. The sum of
    the changes is then the number of gates and of complements."""
    bits = [used[0][0].differences[used[0][1]] for used in ends.values()]
    assert both is not None
    name = f"{group[0].node.id}o"
    full, weight, total = problem.variables(name, 3)
    for bit in bits:
        assert bit is not None
        problem.add(Clause((-(full + 1), bit + 1)))
    problem.add(Clause((full + 1, *(-(bit + 1) for bit in bits if bit is not None))))
    problem.table([both, full, weight], frozenset({0b000, 0b010, 0b101, 0b011}))
    problem.add(Parity((*(gate.change for gate in group), total), False))
    odd = (len(group) + sum(form & 1 for gate in group for form in gate.forms)) % 2
    problem.add(Clause((-(full + 1), (total + 1) if odd else -(total + 1))))
    return weight


def _distinct(columns: list[Bit], rows: list[tuple[int, ...]]) -> tuple[list[Bit], frozenset[int]]:
    """Columns of one variable once, with the rows in which they agree."""
    first = {v: i for i, v in reversed(list(enumerate(columns))) if v is not None}
    kept = [i for i, v in enumerate(columns) if v is None or first[v] == i]
    agreed = (r for r in rows if all(v is None or r[i] == r[first[v]] for i, v in enumerate(columns)))
    return [columns[i] for i in kept], _packed(tuple(r[i] for i in kept) for r in agreed)


def _packed(rows: Iterable[Sequence[int]]) -> frozenset[int]:
    return frozenset(sum(bit << i for i, bit in enumerate(row)) for row in rows)
