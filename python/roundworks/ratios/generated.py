"""Generated C compared with the code written by hand: ciphers and permutations, with the goals of both."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import geometric_mean, median
from typing import TypeVar

from roundworks import spec
from roundworks.rows import BenchRow, PermutationRow

from .peers import OURS

GENERATED = "generated"
_BOTH = {(OURS, "rust"), (GENERATED, "c")}


class OverHand:
    """Costs of generated code and of code written by hand on a back end, or of the fastest of each."""

    __slots__ = ()
    backend: str
    generated: float
    hand: float

    @property
    def ratio(self) -> float:
        """Generated over hand-written: above 1 the hand wins."""
        return self.generated / self.hand


R = TypeVar("R", bound=OverHand)


def _grouped(ratios: Sequence[R], size: Callable[[R], int]) -> Iterator[tuple[int, str, list[float]]]:
    """By size the ratios of every back end, then those of the fastest."""
    for wanted in sorted(set(map(size, ratios))):
        for over, fastest in (("every back end", False), ("the fastest", True)):
            here = [r.ratio for r in ratios if size(r) == wanted and (r.backend == "fastest") is fastest]
            if here:
                yield wanted, over, here


@dataclass(frozen=True, slots=True)
class GeneratedRatio(OverHand):
    """Generated C and the code written by hand, encrypting in one run: medians in `unit` per byte.

    The back end ``fastest`` compares the fastest of each.
    """

    cipher: str
    backend: str
    data_bytes: int
    generated: float
    hand: float
    unit: str
    run: str
    time: str

    @property
    def reason(self) -> str:
        """Why the hand wins by more than the goal of this size allows; empty where it does not."""
        largest = next((g.largest for g in spec.generated_goals() if g.data_bytes == self.data_bytes), None)
        if largest is None or self.ratio <= largest or self.backend == "fastest":
            return ""
        return spec.slower_generated(self.cipher, self.backend, self.time) or "not known"


@dataclass(frozen=True, slots=True)
class GeneratedVerdict:
    """Ratios of one size over `of` pairs of cipher and back end, and the goal of that size, if any."""

    data_bytes: int
    over: str
    mean: float
    largest: float
    of: int
    goal: spec.GeneratedGoal | None

    @property
    def state(self) -> str:
        """``met`` or ``missed``; empty without a goal."""
        if self.goal is None:
            return ""
        return "met" if self.mean <= self.goal.mean and self.largest <= self.goal.largest else "missed"


def generated_ratios(rows: Iterable[BenchRow]) -> list[GeneratedRatio]:
    """Of each cipher, back end and size that both have in one run, from the newest such run."""
    costs: dict[tuple[str, str, int], dict[str, dict[str, BenchRow]]] = {}
    for row in rows:
        if row.operation == "encrypt" and row.data_bytes and (row.library, row.surface) in _BOTH:
            both = costs.setdefault((row.run, row.cipher, row.data_bytes), {})
            both.setdefault(row.library, {})[row.backend] = row
    newest: dict[tuple[str, str, int], GeneratedRatio] = {}
    for (run, cipher, size), both in costs.items():
        made, hand = both.get(GENERATED, {}), both.get(OURS, {})
        if not made or not hand:
            continue
        pairs = {b: (made[b], hand[b]) for b in made if b in hand}
        unit = "cycles" if all(r.samples_cycles for r in (*made.values(), *hand.values())) else "ns"
        pairs["fastest"] = _fastest(made, unit), _fastest(hand, unit)
        for backend, (ours, theirs) in pairs.items():
            compared = GeneratedRatio(
                cipher=cipher,
                backend=backend,
                data_bytes=size,
                generated=_per_byte(ours, unit),
                hand=_per_byte(theirs, unit),
                unit=unit,
                run=run,
                time=ours.time,
            )
            newest[cipher, backend, size] = compared
    return list(newest.values())


def _fastest(by_backend: Mapping[str, BenchRow], unit: str) -> BenchRow:
    return min(by_backend.values(), key=lambda row: _per_byte(row, unit))


def _per_byte(row: BenchRow, unit: str) -> float:
    samples = row.samples_cycles if unit == "cycles" else row.samples_ns
    assert samples
    return median(samples) / row.data_bytes


def generated_verdicts(ratios: Sequence[GeneratedRatio]) -> list[GeneratedVerdict]:
    """By size over every back end, then over the fastest of each cipher, with the goals of spec/speed.toml."""
    wanted = {goal.data_bytes: goal for goal in spec.generated_goals()}
    return [
        GeneratedVerdict(size, over, geometric_mean(each), max(each), len(each), wanted.get(size))
        for size, over, each in _grouped(ratios, lambda r: r.data_bytes)
    ]


@dataclass(frozen=True, slots=True)
class PermutationRatio(OverHand):
    """Generated C of a permutation and the core's code in one run: medians in `unit` per byte."""

    permutation: str
    backend: str
    blocks: int
    generated: float
    hand: float
    unit: str
    run: str
    time: str

    @property
    def reason(self) -> str:
        """Why the hand wins by more than the goal of the mean; empty where it does not."""
        if self.ratio <= spec.generated_permutations_mean():
            return ""
        return spec.slower_permutation(self.permutation, self.backend, self.blocks, self.time) or "not known"


@dataclass(frozen=True, slots=True)
class PermutationVerdict:
    """Ratios of one number of blocks over `of` permutations and back ends, with the goal of their mean."""

    blocks: int
    over: str
    mean: float
    largest: float
    of: int
    goal: float

    @property
    def state(self) -> str:
        """Whether the goal was reached: ``met`` or ``missed``."""
        return "met" if self.mean <= self.goal else "missed"


_WAYS = {"generated-call": GENERATED, "call": OURS, "generated-many": GENERATED, "many": OURS}


def permutation_ratios(rows: Iterable[PermutationRow]) -> list[PermutationRatio]:
    """Of each permutation, back end and number of blocks that both have in one run, from the newest such
    run; the back end ``fastest`` compares the fastest of each."""
    costs: dict[tuple[str, str, int], dict[str, dict[str, PermutationRow]]] = {}
    for row in rows:
        if row.way in _WAYS and row.operation == "permute":
            both = costs.setdefault((row.run, row.permutation, row.blocks), {GENERATED: {}, OURS: {}})
            both[_WAYS[row.way]][row.backend] = row
    newest: dict[tuple[str, str, int], PermutationRatio] = {}
    for (run, name, blocks), both in costs.items():
        made, hand = both[GENERATED], both[OURS]
        if not made or not hand:
            continue
        cycles = all(r.samples_cycles for r in (*made.values(), *hand.values()))

        def per_byte(row: PermutationRow, cycles: bool = cycles) -> float:
            return median(row.samples_cycles if cycles else row.samples_ns) / row.block_bytes

        pairs = {b: (per_byte(made[b]), per_byte(hand[b])) for b in made if b in hand}
        pairs["fastest"] = min(map(per_byte, made.values())), min(map(per_byte, hand.values()))
        for backend, (ours, theirs) in pairs.items():
            unit = "cycles" if cycles else "ns"
            when = max(row.time for row in made.values())
            newest[name, backend, blocks] = PermutationRatio(
                name, backend, blocks, ours, theirs, unit, run, when
            )
    return list(newest.values())


def permutation_verdicts(ratios: Sequence[PermutationRatio]) -> list[PermutationVerdict]:
    """By number of blocks over every back end, then over the fastest of each permutation."""
    goal = spec.generated_permutations_mean()
    return [
        PermutationVerdict(blocks, over, geometric_mean(each), max(each), len(each), goal)
        for blocks, over, each in _grouped(ratios, lambda r: r.blocks)
    ]
