"""Which words of a permutation are active, round by round, and what that costs at least.

A trail of bytes goes along one path of words. There are few: of a pair (x, y) the word that F2 leaves
is active as x is, the sum as an XOR of both may be; four words have 429 paths over six rounds of
differences. A window of a path is a path, so what is proven of short ones adds up for long ones, and
most long ones need no solver.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from heapq import heapify, heappop, heappush
from math import inf
from time import perf_counter

from .feistel import Structure, structure
from .model import Shape, View
from .spn import spn

# The active words of each state, in the order of the view.
Path = tuple[int, ...]


def shape(name: str) -> Shape:
    """As `feistel.structure` has it, or Haraka and Pholkos."""
    return spn(name) or structure(name)


def renamed(path: Path, order: tuple[int, ...]) -> Path:
    """The same with word i called ``order[i]``."""
    return tuple(sum((active >> i & 1) << to for i, to in enumerate(order)) for active in path)


class Windows:
    """The minimum that each path is known to cost; sums of its windows are found here."""

    def __init__(self, it: Structure, view: View) -> None:
        self.it, self.view = it, view
        self._shared = it.shared(view)
        self._renamings = it.renamings()
        self._known: dict[Path, int] = {}
        self._fewest: dict[Path, int] = {}

    def one_of(self, path: Path) -> Path:
        """One for all paths that differ in the names of words only."""
        return min((path, *(renamed(path, order) for order in self._renamings)))

    def rounds(self, path: Path) -> int:
        """The rounds of a path."""
        return len(path) - self._shared

    def tell(self, path: Path, minimum: int) -> None:
        """A path is known to cost at least this."""
        path = self.one_of(path)
        if minimum > self._known.get(path, 0):
            self._known[path] = minimum
            self._fewest.clear()

    def minimum(self, path: Path) -> int:
        """The lower bound known of a path, by itself or as a sum of its windows."""
        path = self.one_of(path)
        result = self._fewest.get(path)
        if result is None:
            result = max(self._known.get(path, 0), *self._sums(path))
            self._fewest[path] = result
        return result

    def window(self, path: Path, first: int, last: int) -> Path:
        """Rounds first to last of it, the latter not included."""
        return path[first : last + self._shared]

    def first(self, path: Path, off: int) -> Path:
        """All rounds but the last ``off``, one for all that differ in the names of words only."""
        return self.one_of(self.window(path, 0, self.rounds(path) - off))

    def _sums(self, path: Path) -> Iterator[int]:
        yield 0
        for cut in range(1, self.rounds(path)):
            yield self.minimum(self.window(path, 0, cut)) + self.minimum(path[cut:])

    def open(self, rounds: int, need: int, until: float = inf) -> list[Path]:
        """The paths over that many rounds that may cost less than ``need``, the minimum first.

        Raises
        ------
        TimeoutError
            They were not counted before ``until``, a time of `perf_counter`.
        """
        paths: list[Path] = [(active,) for active in range(1, 1 << self.it.words)]
        for _ in range(rounds + self._shared - 1):
            longer = ((*p, new) for p in _before(until, paths) for new in self.it.steps(p[-1], self.view))
            paths = [p for p in longer if len(p) <= self._shared or self.minimum(p) < need]
        paths = [p for p in paths if self.one_of(p) == p and self.minimum(p) < need]
        return sorted(paths, key=lambda p: (self.minimum(p), p))

    def shared(self, rounds: int, length: int, most: int) -> tuple[dict[Path, int], Counter[Path]]:
        """Of every window of that many rounds of open paths what it may cost for one of them to cost no more than
        ``most``; and how often it is a window of one."""
        ceilings: dict[Path, int] = {}
        uses: Counter[Path] = Counter()
        for path in self.open(rounds, most + 1):
            for first in range(rounds - length + 1):
                around = self.window(path, 0, first), self.window(path, first + length, rounds)
                rest = sum(self.minimum(one) for one in around if self.rounds(one))
                part = self.one_of(self.window(path, first, first + length))
                ceilings[part] = max(ceilings.get(part, 0), most - rest)
                uses[part] += 1
        return ceilings, uses

    def parts(self, path: Path, have: Windows) -> set[Path]:
        """Windows whose own minima give that of the path together: of all such choices one with the fewest that
        ``have`` has not as high."""
        chosen: dict[Path, set[Path]] = {}

        def fewest(path: Path) -> set[Path]:
            path = self.one_of(path)
            enough = self.minimum(path)
            if have.minimum(path) >= enough:
                return set()
            if path not in chosen:
                whole = [{path}] if self._known.get(path, 0) >= enough else []
                for cut in range(1, self.rounds(path)):
                    two = self.window(path, 0, cut), path[cut:]
                    if sum(map(self.minimum, two)) >= enough:
                        whole.append(fewest(two[0]) | fewest(two[1]))
                chosen[path] = min(whole, key=len)
            return chosen[path]

        return fewest(path)

    def longer(self, path: Path) -> Iterator[Path]:
        """The paths that are longer by a state at either end."""
        yield from ((*path, new) for new in self.it.steps(path[-1], self.view))
        for old in range(1, 1 << self.it.words):
            if path[0] in self.it.steps(old, self.view):
                yield (old, *path)

    def fewest(self, rounds: int) -> Iterator[Path]:
        """All paths over that many rounds, those with the fewest words that pass through S-boxes first."""
        last, every = rounds + self._shared, range(1, 1 << self.it.words)
        after = {active: [*self.it.steps(active, self.view)] for active in every}
        costs = {active: (active & self.it.layered).bit_count() for active in every}
        # By the states still to come: the fewest that these have.
        rest = [dict.fromkeys(every, 0)]
        for _ in range(last - 1):
            rest.append({a: min(costs[b] + rest[-1][b] for b in after[a]) for a in every})
        heap: list[tuple[int, Path]] = [(costs[a] + rest[-1][a], (a,)) for a in every]
        heapify(heap)
        while heap:
            total, path = heappop(heap)
            if len(path) == last:
                yield path
                continue
            before = total - rest[last - len(path)][path[-1]]
            for new in after[path[-1]]:
                heappush(heap, (before + costs[new] + rest[last - len(path) - 1][new], (*path, new)))


def _before(until: float, paths: Iterable[Path]) -> Iterator[Path]:
    for path in paths:
        if until < inf and perf_counter() > until:
            raise TimeoutError
        yield path
