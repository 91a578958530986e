"""Does a class of round structures S'[i] = F(S[i-1]) ^ (X_j | S[pi(i)]) have one whose internal
collisions all have at least so much active F? [AETHER, section 3.2]

By refinement: a solver proposes a structure that no reason excludes; the engine lists its cheapest
internal collisions; each becomes a clause that excludes every structure with the same path. Either a
proposal has no cheap collision, or the clauses have no solution and no structure exists.

Two observations make the classes small. What F brings to a position where a block enters counts for
nothing, because the block is free; so a structure is a set of *chains* of words, each from such a
position to the next, and only the lengths of the chains matter: one partition of the words into
``inputs`` parts stands for all position sets. And chains of equal length can be exchanged, so each
path excludes its images, too.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, combinations, groupby, islice, permutations, product
from pathlib import Path

from pysat.solvers import Cadical195

from ... import _native
from ...analysis.cost_law import permits
from ...errors import DescriptionError
from ..solvers import proofs
from ..solvers.problem import Clause, Problem

Chains = tuple[int, ...]
Added = tuple[int | None, ...]
Trail = tuple[int, ...]

MAX_WORDS = 32
# Paths of one proposal that become clauses, and images of each under exchanges of equal chains.
PATHS = 100
IMAGES = 120


@dataclass(frozen=True, slots=True)
class Decision:
    """Whether the class has a structure; ``exists`` is None where time ran out.

    ``added``: the word added at each position of the structure that was found, None for a block.
    ``proposals`` and ``paths``: structures that the solver proposed, and paths that excluded them.
    ``undecided``: lengths of chains that are left. ``repeats``: a word may be added at several positions.
    """

    words: int
    inputs: int
    active: int
    exists: bool | None
    certainty: str | None
    method: str
    added: Added | None = None
    proposals: int = 0
    paths: int = 0
    undecided: tuple[Chains, ...] = ()
    repeats: bool = False


def chain_lengths(words: int, inputs: int) -> list[Chains]:
    """Every multiset of lengths, in descending order; those with short longest chains first."""

    def parts(left: int, count: int, longest: int) -> Iterator[Chains]:
        if count == 0:
            if left == 0:
                yield ()
            return
        for first in range(min(left - count + 1, longest), 0, -1):
            for rest in parts(left - first, count - 1, first):
                yield (first, *rest)

    return sorted(parts(words, inputs, words), key=lambda chains: (chains[0], chains))


def decide(
    words: int,
    inputs: int,
    active: int,
    *,
    over: Callable[[], bool] = lambda: False,
    hear: Callable[[int, int], object] = lambda done, total: None,
    certificates: Path | None = None,
    repeats: bool = False,
) -> Decision:
    """Decide the class by the law of `cost_law`, or else chain lengths after chain lengths.

    With ``repeats`` a word may be added at several positions, and the law, whose proof wants it at one, is not
    applied.

    ``over`` ends the search; ``hear`` is called with the chain lengths done and all of them. With
    ``certificates``, a folder, every exclusion is proven there, and the proofs are followed.

    Raises
    ------
    DescriptionError
        ``words: want 2 to 32, got 33``
    """
    if not 2 <= words <= MAX_WORDS:
        raise DescriptionError(f"words: want 2 to {MAX_WORDS}, got {words}")
    if not 1 <= inputs < words:
        raise DescriptionError(f"inputs: want 1 to {words - 1} (fewer than words), got {inputs}")
    result = partial(Decision, words, inputs, active, repeats=repeats)
    if not repeats and not permits(words, inputs, active):
        return result(False, "proven", "the lower bound on F per block")
    shapes, undecided = chain_lengths(words, inputs), list[Chains]()
    proposals = paths = 0
    for done, chains in enumerate(shapes):
        hear(done, len(shapes))
        search = Refinement(chains, active, repeats)
        outcome = search.run(over)
        proposals, paths = proposals + search.proposals, paths + len(search.excluded)
        if outcome:
            return result(True, "proven", "refinement", search.added, proposals, paths)
        if outcome is None:
            undecided.append(chains)
        elif certificates is not None:
            kind = "-repeats" if repeats else ""
            name = f"{words}-{inputs}-{active}{kind}-{'-'.join(map(str, chains))}.json"
            search.certify(certificates / name)
    if undecided:
        return result(None, None, "refinement", None, proposals, paths, tuple(undecided))
    certainty = "one-solver" if certificates is None else "proven"
    return result(False, certainty, "refinement", None, proposals, paths)


class Refinement:
    """The structures of some chain lengths, and what excludes them so far.

    Variable x[i, w]: the old word w is added at position i.
    """

    def __init__(self, chains: Chains, active: int, repeats: bool = False) -> None:
        self.chains, self.active = chains, active
        self.words = sum(chains)
        self.heads = [sum(chains[:k]) for k in range(len(chains))]
        self.positions = [at for at in range(self.words) if at not in self.heads]
        self.problem = Problem()
        self.x = {
            (i, w): self.problem.variable(f"x.{i}.{w}") for i in self.positions for w in range(self.words)
        }
        self.among: dict[tuple[int, int], int] = {}
        self.images = _exchanges(chains, self.heads)
        self.solver = Cadical195()
        self.excluded: set[Trail] = set()
        self.proposals = 0
        self.added: Added | None = None
        for i in self.positions:
            row = [self.x[i, w] for w in range(self.words)]
            self._add([v + 1 for v in row])
            self._at_most_one(row)
        for w in () if repeats else range(self.words):
            self._at_most_one([self.x[i, w] for i in self.positions])

    def run(self, over: Callable[[], bool] = lambda: False) -> bool | None:
        """Whether a structure exists; None where ``over`` said so first."""
        while not over():
            if not self.solver.solve():
                return False
            self.proposals += 1
            proposal = self._proposal()
            paths = _native.structure_collisions(proposal, self.active, PATHS)
            if not paths:
                self.added = proposal
                return True
            for path in paths:
                for image in self.images:
                    self._exclude(tuple(_moved(state, image) for state in path))
        return None

    def certify(self, path: Path) -> None:
        """Prove once more that no solution is left, and have the proof followed."""
        path.parent.mkdir(parents=True, exist_ok=True)
        proofs.prove(self.problem, None, path)
        proofs.check(path, self.problem)

    def clause(self, path: Trail) -> list[int]:
        """Excludes exactly the structures that have this path.

        Of a round from ``old`` to ``new``, position i sees F of word i - 1, the word that is added
        and its own next value; not exactly one of the three may be active.
        """
        literals = set[int]()
        for old, new in zip((0, *path), (*path, 0), strict=True):
            for i in self.positions:
                through_f, after = old >> i - 1 & 1, new >> i & 1
                if through_f != after:  # an active word must be added
                    literals.add(-(self._one_of(i, old) + 1))
                elif not after:  # none may be
                    literals.update(self.x[i, w] + 1 for w in range(self.words) if old >> w & 1)
        return sorted(literals)

    def _one_of(self, i: int, words: int) -> int:
        """A variable that is 1 if one of ``words`` is added at position i."""
        if words & words - 1 == 0 and words:
            return self.x[i, words.bit_length() - 1]
        if (i, words) not in self.among:
            variable = self.among[i, words] = self.problem.variable(f"one.{i}.{words:x}")
            for w in range(self.words):
                if words >> w & 1:
                    self._add([-(self.x[i, w] + 1), variable + 1])
        return self.among[i, words]

    def _exclude(self, path: Trail) -> None:
        if path not in self.excluded:
            self.excluded.add(path)
            self._add(self.clause(path))

    def _add(self, literals: list[int]) -> None:
        self.solver.add_clause(literals)
        self.problem.add(Clause(tuple(literals)))

    def _at_most_one(self, variables: Sequence[int]) -> None:
        for a, b in combinations(variables, 2):
            self._add([-(a + 1), -(b + 1)])

    def _proposal(self) -> Added:
        true = {literal - 1 for literal in self.solver.get_model() if literal > 0}
        added: list[int | None] = [None] * self.words
        for (i, w), variable in self.x.items():
            if variable in true:
                added[i] = w
        return tuple(added)


def _exchanges(chains: Chains, heads: Sequence[int]) -> list[tuple[int, ...]]:
    """Where each word goes when chains of equal length are exchanged; the identity first."""
    groups = [list(group) for _, group in groupby(range(len(chains)), key=lambda k: chains[k])]
    images: list[tuple[int, ...]] = []
    # Of many, some: which ones does not matter, as each is a reason by itself.
    for choice in islice(product(*map(permutations, groups)), 5000):
        to = list(range(sum(chains)))
        for a, b in zip(chain(*groups), chain(*choice), strict=True):
            to[heads[a] : heads[a] + chains[a]] = range(heads[b], heads[b] + chains[b])
        images.append(tuple(to))
    if len(images) > IMAGES:
        images = [images[0], *random.Random(len(images)).sample(images[1:], IMAGES - 1)]
    return images


def _moved(state: int, to: Sequence[int]) -> int:
    return sum(1 << to[w] for w in range(len(to)) if state >> w & 1)
