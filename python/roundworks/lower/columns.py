"""Columns of 32 bits that change words: instructions that take columns of two words, for masks and sums.

A description moves them by permutations, masks and XORs. Of these only what ends up where matters, and a
network of few `columns` operations brings it there; words that share columns share the first half of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations

from .program import Builder, Op, Program, finished

Column = tuple[int, int]  # a value and its column, 0 the lowest
Control = tuple[int, ...]  # for each column of a result that of a, or behind those of a that of b
Network = tuple[tuple[tuple[int, int, Control], ...], tuple[int, ...]]
"""Operations on values before them, words first; and the value of each word that is wanted."""

INTERLEAVED = {(0, 4, 1, 5): "lo", (2, 6, 3, 7): "hi"}


def is_blend(control: Control) -> bool:
    """Whether every column stays where it is."""
    return all(c % 4 == k for k, c in enumerate(control))


def is_shuffle(control: Control) -> bool:
    """Whether two columns of a go below two of b."""
    return all((c < 4) == (k < 2) for k, c in enumerate(control))


def with_columns(program: Program) -> Program:
    """The program with `columns` operations in place of sums of columns of two to four words."""
    taken = [_whole(v) for v in range(len(program.inputs))]
    constants: dict[int, int] = {}
    for i, op in enumerate(program.ops):
        v = program.first + i
        if op.kind == "const":
            assert isinstance(op.imm, int)
            constants[v] = op.imm
        taken.append(_columns(op, [taken[a] for a in op.args], constants) or _whole(v))
    # Sums that are wanted as words: not those that are part of another sum.
    sums = {program.first + i for i, op in enumerate(program.ops) if op.kind == "xor"}
    wanted = {v for v in sums if None not in taken[v] and len({c[0] for c in taken[v] if c}) > 1}
    groups: dict[frozenset[int], list[int]] = {}
    for v in sorted(wanted):
        groups.setdefault(frozenset(c[0] for c in taken[v] if c), []).append(v)
    plans = {}
    for words, values in groups.items():
        if len(words) > 4:
            continue
        listed = sorted(words)
        patterns = tuple(tuple((listed.index(c[0]), c[1]) for c in taken[v] if c) for v in values)
        if (network := found(patterns)) is not None:
            plans.update(dict.fromkeys(values, (listed, values, network)))
    return _rebuilt(program, plans) if plans else program


def _whole(v: int) -> tuple[Column | None, ...]:
    return tuple((v, k) for k in range(4))


def _columns(
    op: Op, args: Sequence[tuple[Column | None, ...]], constants: dict[int, int]
) -> tuple[Column | None, ...] | None:
    """Where the columns of a result come from; None for zero, nothing if it is no move of columns."""
    if op.kind == "shuffle":
        assert isinstance(op.imm, tuple)
        result: list[Column | None] = []
        for k in range(4):
            part = op.imm[4 * k : 4 * k + 4]
            if all(x is None for x in part):
                result.append(None)
            elif part[0] is not None and part[0] % 4 == 0 and part == tuple(part[0] + j for j in range(4)):
                result.append(args[0][part[0] // 4])
            else:
                return None
        return tuple(result)
    if op.kind == "and":
        for a, other in ((op.args[0], args[1]), (op.args[1], args[0])):
            if a in constants:
                masks = [constants[a] >> 32 * k & 0xFFFFFFFF for k in range(4)]
                if any(mask not in (0, 0xFFFFFFFF) for mask in masks):
                    return None
                return tuple(c if mask else None for c, mask in zip(other, masks, strict=True))
    if op.kind == "xor" and all(None in pair for pair in zip(*args, strict=True)):
        return tuple(a or b for a, b in zip(*args, strict=True))
    return None


def _rebuilt(program: Program, plans: dict[int, tuple[list[int], list[int], Network]]) -> Program:
    """With each network at the first word that it makes."""
    builder = Builder(program.bits, program.inputs)
    place = {v: v for v in range(program.first)}
    ready: dict[int, int] = {}
    for i, op in enumerate(program.ops):
        v, builder.line = program.first + i, op.line
        if v not in plans:
            place[v] = builder.op(op.kind, *(place[a] for a in op.args), imm=op.imm)
            continue
        if v not in ready:
            words, values, (steps, results) = plans[v]
            made = [place[w] for w in words]
            for a, b, control in steps:
                made.append(builder.op("columns", made[a], made[b], imm=control))
            ready.update(zip(values, (made[r] for r in results), strict=True))
        place[v] = ready[v]
    outputs = {name: tuple(place[v] for v in parts) for name, parts in program.outputs.items()}
    cuts = [(node, tuple(place[v] for v in values)) for node, values in program.cuts]
    return finished(builder, program.function, outputs, cuts)


@cache
def found(wanted: tuple[tuple[Column, ...], ...]) -> Network | None:
    """Few operations that bring columns of words 0, 1, .. to their places; None if none are known."""
    ways = [list(dict.fromkeys(_ways(columns))) for columns in wanted]
    if not all(ways):
        return None
    # Of the ways with the same number of new operations that whose first halves serve most other words.
    useful = Counter(made for each in ways for made in {step[3] for way in each for step in way[:-1]})
    best: list[Step] | None = None
    for first in ways[0]:
        steps, made = list[Step](), set[tuple[Column, ...]]()
        for each in [[first], *ways[1:]]:
            cheap = min(
                each,
                key=lambda way: (
                    sum(step[3] not in made for step in way),
                    -sum(useful[step[3]] for step in way[:-1]),
                ),
            )
            steps += [step for step in cheap if step[3] not in made]
            made.update(step[3] for step in cheap)
        if best is None or len(steps) < len(best):
            best = steps
    assert best is not None
    count = 1 + max(word for columns in wanted for word, _ in columns)
    values = [tuple((word, k) for k in range(4)) for word in range(count)] + [step[3] for step in best]
    return (
        tuple((values.index(a), values.index(b), control) for a, b, control, _ in best),
        tuple(values.index(columns) for columns in wanted),
    )


Step = tuple[tuple[Column, ...], tuple[Column, ...], Control, tuple[Column, ...]]


def _ways(columns: tuple[Column, ...]) -> Iterator[tuple[Step, ...]]:
    """Of words whose columns these are one operation, or two and one of their results."""
    words = sorted({word for word, _ in columns})
    whole = {word: tuple((word, k) for k in range(4)) for word in words}
    if len(words) == 2:
        for control in _last(whole[words[0]], whole[words[1]], columns):
            yield ((*_ordered(whole[words[0]], whole[words[1]], control), columns),)
    pairs = list(combinations(words, 2)) + [(word, word) for word in words]
    needed = {pair: [c for c in columns if c[0] in pair] for pair in pairs}
    for one, other in combinations(pairs, 2):
        if set(one) | set(other) != set(words):
            continue
        if set(one) & set(other) and len(words) > 2:
            continue
        for first in _firsts(whole, one, needed[one]):
            for second in _firsts(whole, other, needed[other]):
                for control in _last(first[-1], second[-1], columns):
                    steps = [step for step in (first, second) if step[0] is not step[-1]]
                    yield (*steps, (*_ordered(first[-1], second[-1], control), columns))


def _ordered(
    a: tuple[Column, ...], b: tuple[Column, ...], control: tuple[bool, Control]
) -> tuple[tuple[Column, ...], tuple[Column, ...], Control]:
    swapped, order = control
    return (b, a, order) if swapped else (a, b, order)


_FIRST: tuple[Control, ...] = (
    *INTERLEAVED,
    (0, 1, 4, 5),
    (2, 3, 6, 7),
    (0, 2, 4, 6),
    (1, 3, 5, 7),
    *(tuple(k + 4 * (mask >> k & 1) for k in range(4)) for mask in range(1, 15)),
)


def _firsts(
    whole: dict[int, tuple[Column, ...]], pair: tuple[int, int], needed: Sequence[Column]
) -> Iterator[Step]:
    """Operations on two words that keep the columns needed; of one word itself, as no operation."""
    one, other = (whole[word] for word in pair)
    if one == other:
        yield one, one, (), one
        return
    for a, b in ((one, other), (other, one)):
        both = a + b
        for control in _FIRST:
            made = tuple(both[c] for c in control)
            if all(c in made for c in needed):
                yield a, b, control, made


def _last(
    a: tuple[Column, ...], b: tuple[Column, ...], columns: tuple[Column, ...]
) -> Iterator[tuple[bool, Control]]:
    """Operations on two values that have the columns: whether their order is changed, and the control."""
    for swapped, both in ((False, a + b), (True, b + a)):
        if all(c in both for c in columns):
            control = tuple(both.index(c) for c in columns)
            if control in INTERLEAVED or is_blend(control) or is_shuffle(control):
                yield swapped, control
