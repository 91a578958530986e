"""Which words of a Feistel permutation are active, round by round, and what that costs at least.

A trail of bytes goes along one path of words. There are few: of a pair (x, y) the word that F2 leaves
is active as x is, the sum as an XOR of both may be; four words have 429 paths over six rounds of
differences. A window of a path is a path, so what is proven of short ones adds up for long ones, and
most long ones need no solver.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from .feistel import Structure, View
from .feistel_scan import renamed

# A state's active words as bits, x of the first pair lowest. Differences: before each round, what
# leaves the last one is free. Masks: behind the last round, and then before each, back to the first.
Path = tuple[int, ...]


def rounds_of(path: Path, view: View) -> int:
    return len(path) - (view == "linear")


def steps(it: Structure, view: View, active: int) -> Iterator[int]:
    """The active words one round on, forward for differences and backward for masks."""
    words = range(len(it.codes))
    if view == "linear":
        active = sum((active >> i & 1) << source for i, source in enumerate(it.shuffle))
    choices = []
    for at in words[::2]:
        x, y = active >> at & 1, active >> at + 1 & 1
        sums = (0, 1) if x & y else (x | y,)
        stays = x if view == "differential" else y
        pair = ((stays, s) if view == "differential" else (s, stays) for s in sums)
        choices.append([a << at | b << at + 1 for a, b in pair])
    for parts in product(*choices):
        new = sum(parts)
        if view == "differential":
            new = sum((new >> source & 1) << i for i, source in enumerate(it.shuffle))
        yield new


def exchanged(path: Path) -> Path:
    """The same with the two halves of four words exchanged."""
    return tuple((active >> 2 | active << 2) & 15 for active in path)


class Windows:
    """The least that each path is known to cost; sums of its windows are found here."""

    def __init__(self, it: Structure, view: View) -> None:
        self.it, self.view = it, view
        self._overlap = int(view == "linear")  # states that two neighbouring windows share
        self._symmetric = len(it.codes) == 4 and renamed(it) == (it.codes, it.shuffle)
        self._told: dict[Path, int] = {}
        self._least: dict[Path, int] = {}

    def one_of(self, path: Path) -> Path:
        """One for all paths that cost the same by the structure's symmetry."""
        return min(path, exchanged(path)) if self._symmetric else path

    def tell(self, path: Path, least: int) -> None:
        path = self.one_of(path)
        if least > self._told.get(path, 0):
            self._told[path] = least
            self._least.clear()

    def least(self, path: Path) -> int:
        path = self.one_of(path)
        found = self._least.get(path)
        if found is None:
            found = max(self._told.get(path, 0), *self._sums(path))
            self._least[path] = found
        return found

    def window(self, path: Path, first: int, last: int) -> Path:
        """Rounds first to last of it, the latter not included."""
        return path[first : last + self._overlap]

    def _sums(self, path: Path) -> Iterator[int]:
        yield 0
        for cut in range(1, rounds_of(path, self.view)):
            yield self.least(self.window(path, 0, cut)) + self.least(path[cut:])

    def open(self, rounds: int, need: int) -> list[Path]:
        """The paths over so many rounds that may cost less than ``need``, the least first."""
        paths: list[Path] = [(active,) for active in range(1, 1 << len(self.it.codes))]
        for _ in range(rounds + self._overlap - 1):
            longer = ((*p, new) for p in paths for new in steps(self.it, self.view, p[-1]))
            paths = [p for p in longer if len(p) <= self._overlap or self.least(p) < need]
        paths = [p for p in paths if self.one_of(p) == p and self.least(p) < need]
        return sorted(paths, key=lambda p: (self.least(p), p))
