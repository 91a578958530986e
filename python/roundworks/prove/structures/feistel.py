"""Fewest active S-boxes of the Feistel permutations on AES instructions, byte-wise. [AESNI-PERM,
section 4]

Two ways. The engine of `crates/roundworks-search` walks sets of words column by column; it is fast
where both functions of a pair begin with `aesenc`. The model here, for any solver, is the one of
[MOUHA]: an XOR has not exactly one active byte of three, MixColumns none or at least five of eight.
They share no code, and tests compare them.

``executed`` counts the S-boxes of every instruction. ``distinct`` counts a layer once that both
functions of a pair apply to one word; if it is the same instruction, its result is one word, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from ... import _native
from ...errors import DescriptionError
from ...reference.feistel import CODES, SHUFFLE, function
from ..solvers.problem import AtLeast, Problem
from ..solvers.solve import SolverProgress, Stopped, solve
from .model import Count as Count
from .model import ModelBuilder, ModelWord, Shape
from .model import View as View

VIEWS: tuple[View, ...] = ("differential", "linear")


def lasts(code: str) -> tuple[bool, ...]:
    """Of each instruction of a function whether it is `aesenclast`; ``0-0`` leaves a word as it is."""
    return () if code == "0-0" else function(code).lasts


@dataclass(frozen=True, slots=True)
class Structure:
    """Pairs of functions and the shuffle after them; code ``0-0`` leaves a word as it is."""

    codes: tuple[str, ...]
    shuffle: tuple[int, ...]

    def __post_init__(self) -> None:
        if len(self.codes) not in (2, 4) or any(code not in ("0-0", *CODES) for code in self.codes):
            raise DescriptionError(
                f"configuration: want 2 or 4 functions of 0-0, {', '.join(CODES)}, got {','.join(self.codes)}"
            )
        if sorted(self.shuffle) != list(range(len(self.codes))):
            raise DescriptionError(
                f"shuffle: want every word 0..{len(self.codes) - 1} once,"
                f" got {','.join(map(str, self.shuffle))}"
            )

    @property
    def instructions(self) -> int:
        """AES instructions of one round."""
        return sum(len(lasts(code)) for code in self.codes)

    @property
    def words(self) -> int:
        """128-bit words of its state."""
        return len(self.codes)

    @property
    def rotatable(self) -> bool:
        """Whether a rotation of all columns leaves the minimum unchanged."""
        return True

    @property
    def layered(self) -> int:
        """The words that a round sends through S-boxes. Active ones are the bits of an integer, word
        0 lowest."""
        return sum(1 << at for at in range(0, self.words, 2))

    def shared(self, view: View) -> int:
        """Of differences a path has the words before each round; of masks those behind the last
        round and then before each, back to the first."""
        return int(view == "linear")

    def steps(self, active: int, view: View) -> Iterator[int]:
        """The active words one round on, in the order of the view."""
        if view == "linear":
            active = sum((active >> i & 1) << source for i, source in enumerate(self.shuffle))
        choices = []
        for at in range(0, self.words, 2):
            x, y = active >> at & 1, active >> at + 1 & 1
            sums = (0, 1) if x & y else (x | y,)
            pairs = ((x, s) if view == "differential" else (s, y) for s in sums)
            choices.append([a << at | b << at + 1 for a, b in pairs])
        for parts in product(*choices):
            new = sum(parts)
            if view == "differential":
                new = sum((new >> source & 1) << i for i, source in enumerate(self.shuffle))
            yield new

    def sums(self, active: int, view: View) -> list[bool]:
        """Of each pair, whether its sum is active in the state that follows."""
        pairs = range(0, self.words, 2)
        if view == "linear":
            return [bool(active >> at & 1) for at in pairs]
        return [bool(active >> self.shuffle.index(at + 1) & 1) for at in pairs]

    def renamings(self) -> list[tuple[int, ...]]:
        """The orders of words in which it is the same permutation: halves exchanged, if any."""
        order = (2, 3, 0, 1)
        same = self.words == 4 and all(
            self.codes[i] == self.codes[to] and self.shuffle[to] == order[self.shuffle[i]]
            for i, to in enumerate(order)
        )
        return [order] if same else []

    def step(
        self, build: ModelBuilder, words: Sequence[ModelWord], view: View, count: Count
    ) -> list[ModelWord]:
        """The words after one more round, backwards for linear masks."""
        one = _forward if view == "differential" else _backward
        return one(build, self, words, count == "distinct")


def structure(name: str) -> Structure:
    """``2-0,1-1``, ``2-0,2-2,2-0,2-2`` with the paper's shuffle or ``/1,2,3,0`` behind it;
    ``simpira-2``, ``simpira-4``, ``areion-256``, ``areion-512``."""
    if name == "simpira-2":
        return Structure(("2-0", "0-0"), (1, 0))
    if name == "simpira-4":
        # Seen from the words whose turn it is; in place they stay where they are.
        return Structure(("2-0", "0-0") * 2, (1, 2, 3, 0))
    if name == "areion-256":
        return Structure(("2-0", "1-1"), (1, 0))  # of the paper's family, but for constants
    if name == "areion-512":
        return Structure(("1-0", "1-1", "1-0", "2-1"), (1, 2, 3, 0))
    functions, _, order = name.partition("/")
    codes = tuple(functions.split(","))
    if order:
        return Structure(codes, tuple(int(word) for word in order.split(",")))
    return Structure(codes, (1, 0) if len(codes) == 2 else SHUFFLE)


def is_fast(it: Structure, view: View) -> bool:
    """Whether the engine is known to finish soon."""
    begins = all(lasts(code)[:1] == (False,) for code in it.codes)
    return view == "differential" and len(it.codes) == 2 and begins


def minima(it: Structure, rounds: int, view: View, count: Count, limit: int) -> list[int | None]:
    """For 1, 2, ... rounds the exact minimum by the engine; None once it is above ``limit``."""
    linear, distinct = view == "linear", count == "distinct"
    if linear and (distinct or len(it.codes) != 2):
        raise DescriptionError(
            "linear minima by the engine: want executed S-boxes and two words; take a solver for others"
        )
    return _native.feistel_minima(it.codes, it.shuffle, linear, distinct, rounds, limit)


def model(it: Shape, rounds: int, view: View, count: Count) -> Problem:
    """The problem of the lightest trail that is not empty."""
    if rounds < 1:
        raise DescriptionError(f"rounds: want at least 1, got {rounds}")
    build = ModelBuilder()
    words = [build.word(f"w{i}") for i in range(it.words)]
    build.problem.any_of(word.active for word in words)
    for _ in range(rounds):
        words = it.step(build, words, view, count)
    return build.problem


def rotated(problem: Problem, words: int) -> None:
    """Of trails that differ only by rotating the columns of all words, one with the most active
    bytes of the first state in column 0."""
    # Each word begins with the variable of the whole.
    first = [[17 * w + 1 + 4 * c + r for w in range(words) for r in range(4)] for c in range(4)]
    for other in first[1:]:
        problem.add(AtLeast((*((1, v) for v in first[0]), *((-1, v) for v in other)), 0))


def trail_within(
    it: Shape,
    rounds: int,
    view: View,
    count: Count,
    most: int,
    seconds: float | None,
    solver: str = "highs",
    stop: Callable[[], bool] | None = None,
) -> tuple[bool | None, int | None, str]:
    """Whether any trail has at most ``most``, None if time was over; its weight; the solver.

    A decision, without an objective: HiGHS makes it ten times sooner than it
    minimises. With ``stop`` it works in a process of its own, which ends once that says True.
    """
    problem = model(it, rounds, view, count)
    if it.rotatable:
        rotated(problem, it.words)
    weights = dict(problem.weights)
    problem.add(AtLeast(tuple((-int(weight), v) for v, weight in weights.items()), -most))
    problem.weights.clear()
    solution = solve(problem, solver, seconds, _until(stop), aside=stop is not None).uninterrupted()
    if solution.assignment is not None:
        return True, int(sum(w for v, w in weights.items() if solution.assignment[v])), solution.version
    return (False if solution.status == "infeasible" else None), None, solution.version


def minimum(
    it: Shape,
    rounds: int,
    view: View,
    count: Count,
    seconds: float | None,
    stop: Callable[[], bool] | None = None,
) -> tuple[int, int | None, str]:
    """Proven lower bound, weight of the lightest trail found, and the solver."""
    problem = model(it, rounds, view, count)
    if it.rotatable:
        rotated(problem, it.words)
    solution = solve(problem, "highs", seconds, _until(stop), aside=stop is not None).uninterrupted()
    upper = None if solution.upper is None else int(solution.upper)
    return int(solution.lower), upper, solution.version


def _until(stop: Callable[[], bool] | None) -> Callable[[SolverProgress], None]:
    def check(_: SolverProgress) -> None:
        if stop is not None and stop():
            raise Stopped

    return check


def _forward(build: ModelBuilder, it: Structure, words: Sequence[ModelWord], shared: bool) -> list[ModelWord]:
    """One round of differences."""
    new: list[ModelWord] = []
    for at in range(0, len(words), 2):
        x, y = words[at], words[at + 1]
        added, kept = lasts(it.codes[at]), lasts(it.codes[at + 1])
        if shared and added and kept:
            build.count(x)
            common = build.layer(x, added[0])
            other = common if added[0] == kept[0] else build.layer(x, kept[0])
            p, q = build.chain(common, added[1:]), build.chain(other, kept[1:])
        else:
            p, q = build.chain(x, added), build.chain(x, kept)
        new += [q, build.xor(p, y)]
    return [new[source] for source in it.shuffle]


def _backward(
    build: ModelBuilder, it: Structure, words: Sequence[ModelWord], shared: bool
) -> list[ModelWord]:
    """One round of masks, against the direction of computation."""
    old: dict[int, ModelWord] = {source: words[i] for i, source in enumerate(it.shuffle)}
    new: list[ModelWord] = []
    for at in range(0, len(words), 2):
        on_x, on_y = old[at], old[at + 1]
        added, kept = lasts(it.codes[at]), lasts(it.codes[at + 1])
        if not shared or not added or not kept:
            x = build.xor(build.unchain(on_y, added), build.unchain(on_x, kept))
        else:
            p, q = build.unchain(on_y, added[1:]), build.unchain(on_x, kept[1:])
            if added[0] == kept[0]:
                x = build.unlayer(build.xor(p, q), added[0])
            else:
                x = build.xor(build.unlayer(p, added[0]), build.unlayer(q, kept[0]))
            build.count(x)
        new += [x, on_y]
    return new
