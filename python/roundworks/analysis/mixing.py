"""Shuffles of 32-bit columns between words by few SIMD instructions: unpack, blend, shuffle.

A word is four columns, each one of some source word's, or None where it is zero. Words made of the
same sources are made together, so that steps are shared: four words from four take eight steps.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, permutations, product

Column = tuple[int, int] | None
Columns = tuple[Column, Column, Column, Column]


@dataclass(frozen=True, slots=True)
class MixingStep:
    """One instruction; an operand is a source's number or the step before. ``detail`` says which
    columns: of a shuffle where each comes from, of a blend those of the second operand."""

    kind: str
    operands: tuple[int | MixingStep, ...]
    detail: tuple[int, ...] | str


Value = int | MixingStep
_UNPACKS = {"low": (0, 0, 1, 1), "high": (2, 2, 3, 3)}
# Above that many words each is made for itself: the search for common steps would not end.
_TOGETHER = 4
_MASKS = [mask for mask in product((0, 1), repeat=4) if len(set(mask)) == 2]


def source(number: int) -> Columns:
    """All four columns of a source in their places."""
    return ((number, 0), (number, 1), (number, 2), (number, 3))


def mixed(wanted: Sequence[Columns]) -> tuple[Value, ...]:
    """Each wanted word as an expression, with the fewest distinct steps in all that the search below finds.

    It looks at expressions of at most two steps on top of each other (and a mask): one of unpack,
    blend or a shuffle of two words on a pair of sources, and one that joins two pairs.
    """
    numbers = list(dict.fromkeys(c[0] for word in wanted for c in word if c is not None))
    names = {number: i for i, number in enumerate(numbers)}
    renamed = tuple(tuple(None if c is None else (names[c[0]], c[1]) for c in word) for word in wanted)
    return tuple(_with_sources(value, numbers) for value in _search(renamed))


def _with_sources(value: Value, numbers: Sequence[int]) -> Value:
    if isinstance(value, int):
        return numbers[value]
    operands = tuple(_with_sources(operand, numbers) for operand in value.operands)
    return MixingStep(value.kind, operands, value.detail)


def steps(value: Value) -> Iterator[MixingStep]:
    """The steps of an expression, operands before what uses them."""
    if isinstance(value, MixingStep):
        for operand in value.operands:
            yield from steps(operand)
        yield value


@cache
def _search(wanted: tuple[Columns, ...]) -> tuple[Value, ...]:
    choices = [_options(word) for word in wanted]
    needed = [[frozenset(steps(value)) for value in values] for values in choices]
    if len(wanted) > _TOGETHER:
        return tuple(values[0] for values in choices)
    budget = max(min(map(len, sets)) for sets in needed)
    while True:
        if (result := _within(needed, budget, frozenset(), ())) is not None:
            return tuple(values[i] for values, i in zip(choices, result, strict=True))
        budget += 1


def _within(
    needed: list[list[frozenset[MixingStep]]],
    budget: int,
    have: frozenset[MixingStep],
    taken: tuple[int, ...],
) -> tuple[int, ...] | None:
    """One expression for each word, with at most ``budget`` distinct steps in all."""
    if len(taken) == len(needed):
        return taken
    for i, more in enumerate(needed[len(taken)]):
        union = have | more
        if len(union) <= budget:
            result = _within(needed, budget, union, (*taken, i))
            if result is not None:
                return result
    return None


def _options(word: Columns) -> list[Value]:
    """Expressions for one word, the shortest alone or all of two levels; never none."""
    if None in word:
        kept = tuple(int(c is not None) for c in word)
        return [MixingStep("logic", (value,), kept) for value in _unmasked(word)]
    return _unmasked(word)


def _unmasked(word: Columns) -> list[Value]:
    used = sorted({c[0] for c in word if c is not None})
    if len(used) == 1:
        if _fits(source(used[0]), word):
            return [used[0]]
        return [MixingStep("shuffle", (used[0],), tuple(c[1] if c else 0 for c in word))]
    if result := list(_joined(word, used, used)):
        return result
    for left, right in _splits(used):
        firsts = [v for a, b in combinations(left, 2) for v in _pairs(a, b)] or left
        seconds = [v for a, b in combinations(right, 2) for v in _pairs(a, b)] or right
        result += _joined(word, firsts, seconds)
    # Unpack and blend have at least the ports of a shuffle.
    plain = [value for value in result if all(s.kind != "shuffle" for s in steps(value))]
    return plain or result or [_in_place(word, used)]


def _splits(used: list[int]) -> Iterator[tuple[list[int], list[int]]]:
    """Three or four sources in two halves of at most two."""
    if len(used) > 4:
        return
    for left in combinations(used, 2):
        right = [u for u in used if u not in left]
        if 1 <= len(right) <= 2 and (len(right) == 1 or left < tuple(right)):
            yield list(left), right


def _pairs(a: int, b: int) -> list[Value]:
    results: list[Value] = [
        MixingStep("unpack", order, half) for order in ((a, b), (b, a)) for half in _UNPACKS
    ]
    return results + [MixingStep("blend", (a, b), mask) for mask in _MASKS]


def _joined(word: Columns, firsts: Sequence[Value], seconds: Sequence[Value]) -> Iterator[Value]:
    """Every one instruction on one of each that gives the word."""
    for first, second in product(firsts, seconds):
        if first == second:
            continue
        for x, y in permutations((first, second)):
            for half in _UNPACKS:
                step = MixingStep("unpack", (x, y), half)
                if _fits(columns(step), word):
                    yield step
            a, b = columns(x), columns(y)
            if all(c is None or c in (a if i < 2 else b) for i, c in enumerate(word)):
                places = (a.index(c) if i < 2 else b.index(c) for i, c in enumerate(word) if c)
                if None not in word:
                    yield MixingStep("shuffle", (x, y), tuple(places))
        a, b = columns(first), columns(second)
        if all(c is None or c in (a[i], b[i]) for i, c in enumerate(word)):
            mask = tuple(int(c is not None and c != a[i]) for i, c in enumerate(word))
            yield MixingStep("blend", (first, second), mask)


def _in_place(word: Columns, used: list[int]) -> Value:
    """Each source shuffled into its places, then blended one after another."""
    whole: Value | None = None
    for number in used:
        order = tuple(c[1] if c is not None and c[0] == number else i for i, c in enumerate(word))
        part: Value = number if order == (0, 1, 2, 3) else MixingStep("shuffle", (number,), order)
        mask = tuple(int(c is not None and c[0] == number) for c in word)
        whole = part if whole is None else MixingStep("blend", (whole, part), mask)
    assert whole is not None
    return whole


def columns(value: Value) -> Columns:
    """What an expression computes."""
    if isinstance(value, int):
        return source(value)
    words = [columns(operand) for operand in value.operands]
    if isinstance(value.detail, str):
        return _four(words[i % 2][at] for i, at in enumerate(_UNPACKS[value.detail]))
    if value.kind == "logic":
        return _four(c if keep else None for c, keep in zip(words[0], value.detail, strict=True))
    if value.kind == "shuffle":
        halves = (words[0], words[0], words[-1], words[-1])
        return _four(word[at] for word, at in zip(halves, value.detail, strict=True))
    return _four(words[which][i] for i, which in enumerate(value.detail))


def _four(of: Iterable[Column]) -> Columns:
    a, b, c, d = of
    return a, b, c, d


def _fits(have: Columns, word: Columns) -> bool:
    return all(want is None or want == actual for actual, want in zip(have, word, strict=True))
