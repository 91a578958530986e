"""A bit-wise model: its problem, what the variables are, and the way back to a trail."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from ...bounds import View
from ...errors import DescriptionError
from ...reference.graph import Recording
from ..solvers.problem import Problem, Var
from .trails import BitTrail, weight_of

Bit = Var | None  # None: always 0
Bits = list[Bit]


def lightest_true(weight: Fraction, worths: Mapping[Fraction, Fraction], scale: int) -> Fraction:
    """The minimum true weight of what weighs at least this where weights are rounded down: of every sum of them the
    largest product of what they are worth. They are multiples of 1/``scale``."""
    step = Fraction(1, scale)
    best: dict[Fraction, Fraction] = {Fraction(0): Fraction(1)}
    total, lightest = Fraction(0), None
    while lightest is None or total < lightest:
        if total:
            parts = [best[total - w] * p for w, p in worths.items() if total - w in best]
            if parts:
                best[total] = max(parts)
        if total >= weight and total in best:
            true = Fraction(weight_of(best[total]))
            lightest = true if lightest is None else min(true, lightest)
        total += step
    return lightest


@dataclass
class BitModel:
    """The problem and what its variables are: ``bits`` of a node, most significant first.

    ``handed``: in a linear model, the mask that node n puts on its input i. ``spent``: what a node's
    S-boxes weigh, for bounds over a part of the nodes. ``branches``: the active S-boxes around each
    matrix, and how many they can be. ``readers``: the nodes of AND gates that have an input, by its `forms`, in a
    differential model. ``worths``: what each weight of one S-box or gate, as it stands in the problem,
    is worth at most: a probability. ``exact``: no weight was rounded, the AND gates that share
    inputs are related exactly, no constant is added, no two S-boxes have inputs that follow from each
    other and summands are independent; otherwise the minimum still is a lower bound in the first case, and a
    heuristic one in the others (``shared_and``, ``known_summand``, ``shared_sbox``, ``shared_add``). ``additions``:
    there are some.
    """

    view: View
    recording: Recording
    problem: Problem = field(default_factory=Problem)
    bits: dict[int, Bits] = field(default_factory=dict)
    handed: dict[tuple[int, int], Bits] = field(default_factory=dict)
    named: dict[str, Bits] = field(default_factory=dict)
    spent: dict[int, list[tuple[Var, Fraction]]] = field(default_factory=lambda: defaultdict(list))
    branches: list[tuple[tuple[Var, ...], frozenset[int]]] = field(default_factory=list)
    readers: dict[int, set[int]] = field(default_factory=lambda: defaultdict(set))
    worths: dict[Fraction, Fraction] = field(default_factory=dict)
    rounded: bool = False
    shared_and: bool = False
    shared_sbox: bool = False
    shared_add: bool = False
    known_summand: bool = False
    additions: bool = False

    @property
    def exact(self) -> bool:
        """Whether the minimum is that of the true weights."""
        return not (self.rounded or self.dependent)

    @property
    def dependent(self) -> bool:
        """What the model takes for independent is not: its minimum bounds nothing."""
        return self.shared_and or self.shared_sbox or self.shared_add or self.known_summand

    def truly(self, weight: Fraction) -> Fraction:
        """The minimum true weight of a trail that weighs at least this in the problem, where S-boxes are rounded
        down."""
        return lightest_true(weight, self.worths, self.problem.scale) if self.rounded else weight

    def zero(self, *names: str) -> None:
        """No difference (mask) in these inputs and outputs."""
        for bit in self._bits_of(names):
            self.problem.fix(bit, False)

    def some(self, *names: str) -> None:
        """A difference (mask) that is not 0 in these together."""
        self.problem.any_of(self._bits_of(names))

    def somewhere_first(self, *names: str) -> None:
        """A difference (mask) in the first bit of some of these words: of the trails that rotations of all
        words make of one, those that begin there are enough."""
        self.problem.any_of(bit for name in names if (bit := self._named(name)[0]) is not None)

    def fix(self, name: str, value: int) -> None:
        """This very difference (mask)."""
        bits = self._named(name)
        for i, bit in enumerate(bits):
            wanted = bool(value >> (len(bits) - 1 - i) & 1)
            if bit is not None:
                self.problem.fix(bit, wanted)
            elif wanted:
                raise DescriptionError(f"{name}: bit {i} is always 0 in the model, wanted 1")

    def trail(self, assignment: Sequence[bool]) -> BitTrail:
        """What a solver found, as values of words."""

        def value(bits: Bits) -> int:
            total = 0
            for bit in bits:
                total = total << 1 | (bit is not None and bool(assignment[bit]))
            return total

        return BitTrail(
            self.view,
            {node: value(bits) for node, bits in self.bits.items()},
            {edge: value(bits) for edge, bits in self.handed.items()},
            {name: value(bits) for name, bits in self.named.items()},
        )

    def _named(self, name: str) -> Bits:
        if name not in self.named:
            raise DescriptionError(
                f"{name}: not an input or output of {self.recording.cipher},"
                f" {self.recording.part}; one of {', '.join(self.named)}"
            )
        return self.named[name]

    def _bits_of(self, names: Iterable[str]) -> list[Var]:
        return list(dict.fromkeys(b for name in names for b in self._named(name) if b is not None))
