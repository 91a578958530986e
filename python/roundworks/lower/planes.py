"""Words of 128 bits taken apart into bit planes: plane j of a word has bit j of each of its cells.

The n planes of a word stand one after another in its value, each a unit of 128 / n bits. Before an S-box or
a linear layer the units of n words are transposed: then a value is one plane of all of them, and one pass
of the S-box's circuit serves every cell of n words. Sums do not care where bits stand.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from functools import cache

from ..reference import CellPermutation, Matrix, Sbox
from .circuits import circuit
from .limbs import on_limbs
from .maps import Layout, LinearMap, layout, linear_map
from .program import Builder, Op
from .structured import Circulant, circulants

Layer = Sbox | Matrix | CellPermutation
Planes = tuple[int, ...]
WORD = 128


@cache
def planar(cell: int) -> Layout:
    """Where the bits of a word stand: bit j of its cell at place p of the unit of plane j; cells are in the
    order of bytes in memory, in a byte the lower one first."""
    unit = WORD // cell
    bytes_ = layout(WORD, WORD)
    return Layout(tuple(p % cell * unit + p // cell for p in bytes_.place), WORD)


def transposed(b: Builder, values: Sequence[int], cell: int) -> Planes:
    """Unit j of value i to unit i of value j; as many values as there are units."""
    result, step = list(values), len(values)
    while step > 1:
        half = len(values) // 2
        result = [
            b.op(kind, x, y, imm=WORD // cell)
            for x, y in zip(result[:half], result[half:], strict=True)
            for kind in ("low", "high")
        ]
        step //= 2
    return tuple(result)


def through(b: Builder, layer: Layer, planes: Planes) -> Planes:
    """A layer on the planes of several words, by the way that takes fewest operations."""
    if isinstance(layer, Sbox):
        signals = list(planes)
        gates = circuit(tuple(layer.table))
        for gate in gates.gates:
            args = (gate.a,) if gate.op == "not" else (gate.a, gate.b)
            signals.append(b.op(gate.op, *(signals[i] for i in args)))
        return tuple(signals[i] for i in gates.outputs)
    ways = list(_ways(b, layer, planes))
    costs = []
    for way in ways:
        with b.trial() as count:
            way()
            costs.append(count())
    return ways[costs.index(min(costs))]()


def _ways(b: Builder, layer: Matrix | CellPermutation, planes: Planes) -> Iterator[Callable[[], Planes]]:
    cell = len(planes)
    linear = linear_map((layer,), WORD, planar(cell))
    if (same := _same_in_each(linear, cell)) is not None:
        yield lambda: tuple(_moved(b, same, plane) for plane in planes)
        return
    yield lambda: _by_distance(b, linear, planes)
    for form in circulants(linear_map((layer,), WORD, layout(WORD, WORD)), WORD):
        if form.cell == cell:
            yield lambda form=form: _circulant(b, form, planes)  # type: ignore[misc]


@cache
def _same_in_each(linear: LinearMap, cell: int) -> LinearMap | None:
    """The map of each plane, where none takes bits of another and all are alike."""
    unit = WORD // cell
    first = linear.rows[:unit]
    alike = all(linear.rows[j * unit + p] == first[p] << j * unit for j in range(cell) for p in range(unit))
    return LinearMap(first) if alike and not any(row >> unit for row in first) else None


def _moved(b: Builder, linear: LinearMap, plane: int) -> int:
    """A map of every unit of a value."""
    unit = linear.bits
    scratch = Builder(unit, (("S0", 0),))
    (result,) = on_limbs(scratch, linear, (0,))
    values = [plane]
    for op in scratch.ops:
        values.append(_in_every_unit(b, op, [values[a] for a in op.args], unit))
    return values[result]


def _in_every_unit(b: Builder, op: Op, args: Sequence[int], unit: int) -> int:
    if op.kind == "const":
        assert isinstance(op.imm, int)
        return b.const(sum(op.imm << at for at in range(0, WORD, unit)))
    if op.kind == "rotl":
        assert isinstance(op.imm, int)
        return _rotated(b, args[0], op.imm, unit)
    return b.op(op.kind, *args, imm=op.imm)


def _rotated(b: Builder, value: int, by: int, unit: int) -> int:
    return b.op("or", b.op("shl", value, imm=(unit, by)), b.op("shr", value, imm=(unit, unit - by)))


def _by_distance(b: Builder, linear: LinearMap, planes: Planes) -> Planes:
    """Bits that move equally far, from one plane to another, together."""
    unit = WORD // len(planes)
    terms: list[dict[tuple[int, int], int]] = [{} for _ in planes]
    for i, row in enumerate(linear.rows):
        target, place = divmod(i, unit)
        while row:
            source, at = divmod((row & -row).bit_length() - 1, unit)
            key = source, (place - at) % unit
            terms[target][key] = terms[target].get(key, 0) | 1 << place
            row &= row - 1
    rows = []
    for each in terms:
        values = []
        for (source, by), mask in sorted(each.items()):
            moved = LinearMap(tuple((mask >> p & 1) << (p - by) % unit for p in range(unit)))
            values.append(_moved(b, moved, planes[source]))
        rows.append(b.xor(*values))
    return tuple(rows)


def _circulant(b: Builder, form: Circulant, planes: Planes) -> Planes:
    """The sum of a factor's terms and of the rest: a matrix adds planes, a rotation moves cells."""

    def rotated(by: int, values: Planes) -> Planes:
        if not by:
            return values
        linear = _same_in_each(_planar_map(form.rotation(by), form.cell), form.cell)
        assert linear is not None
        return tuple(_moved(b, linear, value) for value in values)

    def added(a: Planes, c: Planes) -> Planes:
        return tuple(b.op("xor", x, y) for x, y in zip(a, c, strict=True))

    pair = added(planes, rotated(form.step, planes))
    total: Planes | None = None
    for values, terms in ((planes, form.rest), (pair, form.factored)):
        for rows, by in terms:
            moved = rotated(by, values)
            image = tuple(b.xor(*(moved[i] for i in range(form.cell) if row >> i & 1)) for row in rows)
            total = image if total is None else added(total, image)
    assert total is not None
    return total


@cache
def _planar_map(linear: LinearMap, cell: int) -> LinearMap:
    """A map on the bits of a word in the order of memory as one on its planes."""
    unit = WORD // cell
    place = [p % cell * unit + p // cell for p in range(WORD)]
    rows = [0] * WORD
    for i, row in enumerate(linear.rows):
        rows[place[i]] = sum(1 << place[k] for k in range(WORD) if row >> k & 1)
    return LinearMap(tuple(rows))


# -- between bytes and planes --------------------------------------------------------------------
_Step = tuple[str, int, int]  # exchange of two bits of the index, or interleaving of the halves in units


@cache
def _path(cell: int, back: bool) -> tuple[_Step, ...]:
    """The cheapest way from the bits of a word in the order of memory to planes, or back.

    Both are orders of the bits of a bit's index. Two of the lower six change places by shifts of halves of
    64 bits; interleaving the halves in units of 2^u bits moves the highest one down to place u.
    """
    low = cell.bit_length() - 1
    # Bit k of the index is bit order[k] of that in memory.
    start, wanted = tuple(range(7)), (*range(low, 7), *range(low))
    if back:
        start, wanted = wanted, start
    steps: list[_Step] = [("exchange", i, j) for i in range(6) for j in range(i + 1, 6)]
    steps += [("interleave", u, 0) for u in range(3, 6)]
    cost = {start: 0}
    how: dict[tuple[int, ...], tuple[_Step, ...]] = {start: ()}
    todo = deque([start])
    while todo:
        order = todo.popleft()
        for step in steps:
            kind, i, j = step
            new = list(order)
            if kind == "exchange":
                new[i], new[j] = new[j], new[i]
            else:
                new = [*order[:i], order[6], *order[i:6]]
            key, total = tuple(new), cost[order] + (6 if kind == "exchange" else 2)
            if total < cost.get(key, 1 << 30):
                cost[key], how[key] = total, (*how[order], step)
                todo.append(key)
    return how[wanted]


def sliced(b: Builder, value: int, cell: int, back: bool = False) -> int:
    """A word in the order of memory as planes; with ``back`` the other way."""
    for kind, i, j in _path(cell, back):
        if kind == "interleave":
            value = b.op("low", value, b.op("high", value, value, imm=64), imm=1 << i)
        else:
            step = (1 << j) - (1 << i)
            mask = sum(1 << p for p in range(WORD) if p >> i & 1 and not p >> j & 1)
            both = b.op("and", b.op("xor", value, b.op("shr", value, imm=(64, step))), b.const(mask))
            value = b.op("xor", b.op("xor", value, both), b.op("shl", both, imm=(64, step)))
    return value
