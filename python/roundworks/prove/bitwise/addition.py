"""Addition modulo 2^n bit-wise: differences [LIPMAA] and masks [WALLEN], as tables of neighbouring bits."""

from __future__ import annotations

from functools import cache
from itertools import product

from ..solvers.problem import Parity, Problem, Var
from .model import Bit, Bits


def add_difference(problem: Problem, name: str, a: Bits, b: Bits) -> tuple[Bits, list[Var]]:
    """The sum's difference, and variables that weigh 1 each; bits are the most significant first.

    Where the three differences of a bit are equal, the next bit's sum is what they are; where not, it is
    0 or 1 with probability 1/2. The most significant bit has no next one.
    """
    out: Bits = []
    weights: list[Var] = []
    before: tuple[Bit, Bit, Bit] = (None, None, None)
    for i, (x, y) in enumerate(zip(reversed(a), reversed(b), strict=True)):
        if all(bit is None for bit in (*before, x, y)):
            out.append(None)  # no difference so far, and so no carry
            continue
        z = problem.variable(f"{name}.{len(a) - 1 - i}")
        if all(bit is None for bit in before):
            odd = [bit for bit in (x, y) if bit is not None]
            problem.add(Parity((*odd, z), False) if x != y else Parity((z,), False))
        else:
            weights.append(problem.variable(f"{name}.{len(a) - 1 - i}w"))
            _table(problem, [*before, x, y, z, weights[-1]], _DIFFERENCES)
        before = x, y, z
        out.append(z)
    return out[::-1], weights


def add_masks(problem: Problem, name: str, out: Bits) -> tuple[Bits, Bits, list[Var]]:
    """Masks of both summands, and variables that weigh 2 each: -log2 of the squared correlation.

    From the most significant bit on, z is the sum of the masks of the bits before. Where it is 0, the
    three masks of the bit are equal; where it is 1, they are free and the correlation is halved.
    """
    first: Bits = []
    second: Bits = []
    weights: list[Var] = []
    before: tuple[Bit, Bit, Bit, Bit] = (None, None, None, None)
    for i, mask in enumerate(out):
        if all(bit is None for bit in (*before, mask)):
            first.append(None)
            second.append(None)
            continue
        if all(bit is None for bit in before):
            x, y, z = mask, mask, None  # z is 0
        else:
            x, y, z = problem.variables(f"{name}.{i}", 3)
            weights.append(z)
            _table(problem, [*before, z, mask, x, y], _MASKS)
        first.append(x)
        second.append(y)
        before = z, mask, x, y
    return first, second, weights


def _table(problem: Problem, columns: list[Bit], rows: frozenset[tuple[int, ...]]) -> None:
    """The rows, with a variable that stands in several columns once."""
    kept = [i for i, v in enumerate(columns) if v is None or columns.index(v) == i]
    same = [columns.index(v) if v is not None else i for i, v in enumerate(columns)]
    problem.table([columns[i] for i in kept], _packed(rows, tuple(same), tuple(kept)))


@cache
def _packed(rows: frozenset[tuple[int, ...]], same: tuple[int, ...], kept: tuple[int, ...]) -> frozenset[int]:
    agreed = (row for row in rows if all(row[i] == row[j] for i, j in enumerate(same)))
    return frozenset(sum(row[i] << k for k, i in enumerate(kept)) for row in agreed)


# (three differences of a bit, those of the next, whether the three are not equal)
_DIFFERENCES = frozenset(
    (*before, *after, int(len(set(before)) > 1))
    for before in product((0, 1), repeat=3)
    for after in product((0, 1), repeat=3)
    if len(set(before)) > 1 or sum(after) % 2 == before[0]
)
# (z, output, summands of a bit; the same of the next)
_MASKS = frozenset(
    (*before, *after)
    for before in product((0, 1), repeat=4)
    for after in product((0, 1), repeat=4)
    if after[0] == sum(before) % 2 and (after[0] or len(set(after[1:])) == 1)
)
