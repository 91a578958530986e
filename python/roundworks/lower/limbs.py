"""Linear maps on the values of 64 bits of a word."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import cache

from .maps import LinearMap
from .program import Builder
from .structured import Circulant, circulants, of_index_bits, transposed

Way = Callable[..., tuple[int, ...]]


def on_limbs(builder: Builder, linear: LinearMap, parts: Sequence[int]) -> tuple[int, ...]:
    """The map by masks and shifts, as a polynomial in a rotation of cells, by transpositions of index
    bits or by exchanges of bits, whichever takes fewest operations."""
    return _way(linear, builder.bits)(builder, linear, parts)


@cache
def _way(linear: LinearMap, bits: int) -> Way:
    ways: list[Way] = [_by_distance]
    ways += [
        lambda b, _, values, form=form: tuple(_rotated(b, form, value) for value in values)
        for form in circulants(linear, bits)
    ]
    if (transpositions := of_index_bits(linear)) is not None:
        ways.append(lambda b, _, values: transposed(b, transpositions, values))
    if all(row.bit_count() == 1 for row in linear.rows) and len(set(linear.rows)) == linear.bits:
        ways.append(_by_exchange)
        ways += [
            lambda b, _, parts, stages=stages: tuple(_by_stages(b, stages, value) for value in parts)
            for stages in _stages(linear, bits)
        ]
    costs = []
    for way in ways:
        count = -(-linear.bits // bits)
        scratch = Builder(bits, tuple(("S0", k) for k in range(count)))
        way(scratch, linear, range(count))
        # Only on 64 bits is a rotation one operation.
        weights = {"const": 0, "rotl": 1 if bits == 64 else 3}
        costs.append(sum(weights.get(op.kind, 1) for op in scratch.ops))
    return ways[costs.index(min(costs))]


def _by_distance(builder: Builder, linear: LinearMap, parts: Sequence[int]) -> tuple[int, ...]:
    """Bits that move equally far together: rotate, mask, add."""
    size = builder.bits
    terms: dict[tuple[int, int, int], int] = defaultdict(int)
    for i, row in enumerate(linear.rows):
        while row:
            j = (row & -row).bit_length() - 1
            terms[i // size, j // size, (i - j) % size] |= 1 << i % size
            row &= row - 1
    out: list[list[int]] = [[] for _ in range(len(parts))]
    for (target, source, distance), mask in sorted(terms.items()):
        out[target].append(_masked_rotation(builder, parts[source], distance, mask))
    return tuple(builder.xor(*values) for values in out)


def _rotated(builder: Builder, form: Circulant, value: int) -> int:
    """The sum of a factor's terms and of the rest, each a map of cells and a rotation of them."""
    pair = builder.op("xor", value, _by_distance(builder, form.rotation(form.step), (value,))[0])
    terms = [_term(builder, maps, pair) for maps in form.maps(form.factored)]
    return builder.xor(*terms, *(_term(builder, maps, value) for maps in form.maps(form.rest)))


def _term(builder: Builder, maps: Sequence[LinearMap], value: int) -> int:
    """A map by masks and shifts, or the two that it is made of, the first one in the best way."""
    if len(maps) == 1:
        return _by_distance(builder, maps[0], (value,))[0]
    whole, matrix, rotation = maps

    def parts() -> int:
        return _by_distance(builder, rotation, on_limbs(builder, matrix, (value,)))[0]

    return builder.best([parts, lambda: _by_distance(builder, whole, (value,))[0]])


def _masked_rotation(builder: Builder, value: int, distance: int, mask: int) -> int:
    size = builder.bits
    if not distance:
        moved = value
    elif not mask & (1 << distance) - 1:
        moved = builder.op("shl", value, imm=(size, distance))
        if mask == builder.full >> distance << distance:
            return moved
    elif not mask >> distance:
        moved = builder.op("shr", value, imm=(size, size - distance))
        if mask == (1 << distance) - 1:
            return moved
    else:
        moved = builder.op("rotl", value, imm=distance)
    return builder.op("and", moved, builder.const(mask))


Stage = tuple[int, int]  # a distance, and the bits of the result that moved so far


def _stages(linear: LinearMap, bits: int) -> Iterator[tuple[Stage, ...]]:
    """A permutation of the bits of one value as rotations by 1, 2, 4, .. of some of them, in either order of
    these distances; nothing where two bits would meet."""
    if linear.bits != bits:
        return
    moves = {row.bit_length() - 1: (to - row.bit_length() + 1) % bits for to, row in enumerate(linear.rows)}
    powers = [1 << k for k in range((bits - 1).bit_length())]
    for order in (powers, powers[::-1]):
        places = {start: start for start in moves}
        stages = []
        for by in order:
            moved = {start for start, distance in moves.items() if distance & by}
            places = {s: (at + by) % bits if s in moved else at for s, at in places.items()}
            if len(set(places.values())) < bits:
                break
            if moved:
                stages.append((by, sum(1 << places[s] for s in moved)))
        else:
            yield tuple(stages)


def _by_stages(builder: Builder, stages: Sequence[Stage], value: int) -> int:
    for by, mask in stages:
        other = builder.op("xor", builder.op("rotl", value, imm=by), value)
        value = builder.op("xor", value, builder.op("and", other, builder.const(mask)))
    return value


def _by_exchange(builder: Builder, linear: LinearMap, parts: Sequence[int]) -> tuple[int, ...]:
    """A permutation of bits as a Benes network: in each stage bits at one distance change places."""
    values = list(parts)
    n = 1 << (linear.bits - 1).bit_length()
    source = [row.bit_length() - 1 for row in linear.rows] + list(range(linear.bits, n))
    for distance, swaps in _benes(source, n):
        values = _exchanged(builder, values, distance, swaps)
    return tuple(values)


def _exchanged(builder: Builder, values: list[int], distance: int, swaps: int) -> list[int]:
    """Bits p and p + distance change places for every p in ``swaps``."""
    size = builder.bits
    if distance >= size:
        step = distance // size
        for k in range(len(values)):
            mask = swaps >> size * k & builder.full
            if mask and k + step < len(values):
                both = builder.op("and", builder.op("xor", values[k], values[k + step]), builder.const(mask))
                values[k], values[k + step] = (
                    builder.op("xor", v, both) for v in (values[k], values[k + step])
                )
        return values
    for k in range(len(values)):
        mask = swaps >> size * k & builder.full
        if mask:
            v = values[k]
            down = builder.op("shr", v, imm=(size, distance))
            both = builder.op("and", builder.op("xor", v, down), builder.const(mask))
            up = builder.op("shl", both, imm=(size, distance))
            values[k] = builder.op("xor", v, builder.op("xor", both, up))
    return values


def _benes(source: Sequence[int], n: int) -> Iterator[tuple[int, int]]:
    """Stages (distance, positions p that change places with p + distance) that bring ``source[i]`` to
    i, with distances n/2, .., 2, 1, 2, .., n/2. The looping algorithm, on all blocks at once."""
    first: list[tuple[int, int]] = []
    last: list[tuple[int, int]] = []
    wanted, distance = list(source), n // 2
    while distance > 1:
        before, after, wanted = _halve(wanted, distance)
        first.append((distance, before))
        last.append((distance, after))
        distance //= 2
    middle = sum(1 << p for p in range(0, n, 2) if wanted[p] != p)
    for stage in (*first, (1, middle), *reversed(last)):
        if stage[1]:
            yield stage


def _halve(wanted: Sequence[int], distance: int) -> tuple[int, int, list[int]]:
    """Exchanges before and after, so that what is between moves bits within halves of a block only."""
    n = len(wanted)
    target = [0] * n
    for i, j in enumerate(wanted):
        target[j] = i
    swap_in: dict[int, int] = {}
    swap_out: dict[int, int] = {}

    def pair(p: int) -> int:
        return p & ~distance

    for start in range(n):
        if start & distance or start in swap_out:
            continue
        out = start
        # Output `out` of the pair comes through the lower half; follow what this forces.
        while pair(out) not in swap_out:
            swap_out[pair(out)] = int(out & distance != 0)
            j = wanted[out]
            swap_in[pair(j)] = int(j & distance != 0)
            partner = target[j ^ distance]
            out = partner ^ distance
    before = sum(1 << p for p, swap in swap_in.items() if swap)
    after = sum(1 << p for p, swap in swap_out.items() if swap)
    inner = [0] * n
    for i in range(n):
        place_out = i ^ distance if swap_out[pair(i)] else i
        j = wanted[i]
        inner[place_out] = j ^ distance if swap_in[pair(j)] else j
    return before, after, inner
