"""What is known of the Feistel permutations of four words, each result helping with the next. [MATSUI]

R rounds have no fewer active S-boxes than two parts of them together, and every window of a light
trail has its share, no less and no more. Each query is a yes or no with a limit of time, of all
trails or of those along one path of active words; a later run begins with what earlier ones decided, and
decides only what is missing, or what was open with less time. `deepening` says in which order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain

from .feistel import VIEWS, Count, View, structure
from .paths import Path as WordPath
from .paths import Windows


@dataclass(frozen=True, slots=True)
class Fact:
    """Whether a trail has at most ``most``: with ``weight`` one was found, ``light`` None is open
    after ``limit`` seconds. With ``path`` it is of trails along that alone."""

    name: str
    view: View
    rounds: int
    most: int
    light: bool | None
    weight: int | None
    solver: str
    limit: float
    seconds: float
    path: WordPath | None = None


class Facts:
    """What is ``known``, what is found in addition, which is ``new``, and what follows from both. ``solver``
    decides what is missing."""

    def __init__(self, need: int, count: Count, known: Iterable[Fact] = (), solver: str = "cadical") -> None:
        self.need, self.count, self.solver = need, count, solver
        self.new: list[Fact] = []
        self._of: dict[tuple[str, View], list[Fact]] = {}
        self._along: dict[tuple[str, View], dict[WordPath, list[Fact]]] = {}
        for fact in known:
            self._take(fact)

    def about(self, name: str, view: View) -> Iterator[Fact]:
        """All that is known of one permutation."""
        yield from self.of(name, view)
        yield from chain(*self._along.get((name, view), {}).values())

    def of(self, name: str, view: View) -> list[Fact]:
        """The facts that hold for all trails of a structure."""
        return self._of.get((name, view), [])

    def along(self, name: str, view: View, path: WordPath) -> list[Fact]:
        """The facts that hold for its trails along one path."""
        return self._along.get((name, view), {}).get(path, [])

    def light(self, view: View, rounds: int) -> list[Fact]:
        """A light trail over that many rounds along each path that has one in whatever permutation; the most
        frequent paths first."""
        paths = Counter[WordPath]()
        first: dict[WordPath, Fact] = {}
        for (_, seen), along in self._along.items():
            for path, facts in along.items() if seen == view else ():
                light = (f for f in facts if f.rounds == rounds and f.light and f.most < self.need)
                if (one := next(light, None)) is not None:
                    paths[path] += 1
                    first.setdefault(path, one)
        return [first[path] for path, _ in paths.most_common()]

    def solvers(self, name: str, view: View) -> list[str]:
        """The solvers that decided single paths."""
        every = self._along.get((name, view), {}).values()
        return sorted({f.solver for facts in every for f in facts if f.light is not None})

    def windows(self, name: str, view: View) -> Windows:
        """What is known of each path, for sums of windows."""
        result = Windows(structure(name), view)
        for path, facts in self._along.get((name, view), {}).items():
            result.tell(path, max((f.most + 1 for f in facts if f.light is False), default=0))
        return result

    def lower(self, name: str, view: View, rounds: int) -> list[int]:
        """For 0 to ``rounds`` rounds: no trail has fewer."""
        result = [0] * (rounds + 1)
        for fact in self.of(name, view):
            if fact.light is False and fact.rounds <= rounds:
                result[fact.rounds] = max(result[fact.rounds], fact.most + 1)
        for r in range(1, rounds + 1):
            result[r] = max(result[r], *(result[i] + result[r - i] for i in range(r)))
        return result

    def behind(self, name: str, view: View, rounds: int) -> set[str]:
        """Whose word `lower` of that many rounds is: of facts that give it, by themselves or as a sum."""
        lower = self.lower(name, view, rounds)
        if not lower[rounds]:
            return set()
        for fact in self.of(name, view):
            if fact.light is False and (fact.rounds, fact.most + 1) == (rounds, lower[rounds]):
                return set(fact.solver.split(", "))
        parts = ((i, rounds - i) for i in range(1, rounds))
        both = next(two for two in parts if sum(lower[i] for i in two) == lower[rounds])
        return set[str]().union(*(self.behind(name, view, i) for i in both))

    def upper(self, name: str, view: View, rounds: int) -> int | None:
        """The lightest trail known: one over more rounds begins with one of these."""
        weights = [f.weight for f in self.of(name, view) if f.rounds >= rounds and f.light]
        return min((w for w in weights if w is not None), default=None)

    def reached(self, name: str, view: View, most: int) -> int | None:
        """The fewest rounds that are known to have as many as are needed."""
        lower = self.lower(name, view, most)
        return next((r for r, minimum in enumerate(lower) if minimum >= self.need), None)

    def below(self, name: str, view: View) -> int:
        """The most rounds for which a light trail is known."""
        light = (f.rounds for f in self.of(name, view) if f.light and f.most < self.need)
        return max(light, default=0)

    def bracket(self, name: str, most: int) -> tuple[int, int | None]:
        """Rounds that do in both views: not before the first number, by the second."""
        by = [self.reached(name, view, most) for view in VIEWS]
        after = max(self.below(name, view) for view in VIEWS)
        return after + 1, None if None in by else max(r for r in by if r is not None)

    def was_open(self, name: str, view: View, rounds: int, most: int, limit: float) -> bool:
        """The same query with as much time, and no solution."""
        return any(
            f.light is None and (f.rounds, f.most) == (rounds, most) and f.limit >= limit
            for f in self.of(name, view)
        )

    def keep(self, fact: Fact) -> Fact:
        """Take a fact that was found, which is new, and return it."""
        self._take(fact)
        self.new.append(fact)
        return fact

    def _take(self, fact: Fact) -> None:
        key = fact.name, fact.view
        if fact.path is None:
            self._of.setdefault(key, []).append(fact)
        else:
            self._along.setdefault(key, {}).setdefault(fact.path, []).append(fact)
