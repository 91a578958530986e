"""Bits as sums of products of variables, and whether bits say anything of a secret.

An expression is a sum of atoms: the set of those that occur an odd number of times. An atom is a variable
or a product of two expressions. Equal expressions are equal objects.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # numpy takes a tenth of a second, which `--help` need not wait for
    import numpy as np

Expression = frozenset[int]
ZERO: Expression = frozenset()
ONE_ATOM = 0
ONE: Expression = frozenset({ONE_ATOM})
# Values of that many variables are enumerated: a second or two, and 16 MiB a bit.
LIMIT = 24


class Sums:
    """The variables of an analysis, secret or uniform, and the products of expressions in them."""

    def __init__(self) -> None:
        self.secret: set[int] = set()
        self._factors: dict[int, tuple[Expression, Expression]] = {}
        self._products: dict[tuple[Expression, Expression], int] = {}
        self._support: dict[int, frozenset[int]] = {ONE_ATOM: frozenset()}

    def variable(self, *, secret: bool = False) -> Expression:
        """A new variable. One that is not secret is uniform, and independent of all others."""
        atom = len(self._support)
        self._support[atom] = frozenset({atom})
        if secret:
            self.secret.add(atom)
        return frozenset({atom})

    def both(self, a: Expression, b: Expression) -> Expression:
        """The product of two expressions."""
        if not a or not b:
            return ZERO
        if a in (ONE, b):
            return b
        if b == ONE:
            return a
        pair = (a, b) if sorted(a) <= sorted(b) else (b, a)
        if pair not in self._products:
            atom = len(self._support)
            self._products[pair] = atom
            self._factors[atom] = pair
            self._support[atom] = self.support(a) | self.support(b)
        return frozenset({self._products[pair]})

    def support(self, of: Expression) -> frozenset[int]:
        """The variables that an expression is written in."""
        return frozenset().union(*(self._support[atom] for atom in of))

    def independent(self, seen: Iterable[Expression]) -> tuple[bool, int]:
        """Whether the joint distribution of these bits is the same for every value of the secret variables;
        and the largest number of variables that had to be enumerated. Exact.

        Raises
        ------
        ValueError
            More than `LIMIT` variables are left.
        """
        most = 0
        for part in self._parts(self._simplified(set(seen) - {ZERO, ONE})):
            variables = self.support(frozenset().union(*part))
            secrets = sorted(variables & self.secret)
            if not secrets:
                continue
            most = max(most, len(variables))
            if not self._same(part, secrets, sorted(variables - self.secret)):
                return False, most
        return True, most

    def _simplified(self, seen: set[Expression]) -> set[Expression]:
        """Bits whose joint distribution is the same, for every secret, apart from uniform bits of their own.

        If a sum is r + f, r uniform and not in f, then writing r + f for r everywhere changes no
        distribution, and the sum becomes r.
        """
        tried: set[int] = set()
        while True:
            sums = self._reached(seen)
            uses: dict[int, list[Expression]] = {}
            for one in sums:
                for atom in one:
                    if atom not in self._factors and atom != ONE_ATOM and atom not in self.secret:
                        uses.setdefault(atom, []).append(one)
            for r, places in sorted(uses.items()):
                if r in tried:
                    continue
                rest = min(places, key=lambda e: (len(self.support(e)), len(e), sorted(e))) - {r}
                tried.add(r)
                if rest and r not in self.support(rest):
                    seen = self._rewritten(seen, r, rest)
                    break
            else:
                return self._without_own(seen)

    def _without_own(self, seen: set[Expression]) -> set[Expression]:
        """Without the bits that have a uniform variable which no other bit has, as a summand."""
        kept = set(seen)
        while True:
            for one in sorted(kept, key=sorted):
                others = self.support(frozenset().union(*(kept - {one})))
                for r in one - self.secret - {ONE_ATOM}:
                    alone = r not in self._factors and r not in self.support(one - {r})
                    if alone and r not in others:
                        kept.discard(one)
                        break
                else:
                    continue
                break
            else:
                return kept

    def _reached(self, seen: Iterable[Expression]) -> set[Expression]:
        """These and all expressions in their products."""
        reached: set[Expression] = set()
        todo = list(seen)
        while todo:
            one = todo.pop()
            if one not in reached:
                reached.add(one)
                todo += [factor for atom in one if atom in self._factors for factor in self._factors[atom]]
        return reached

    def _rewritten(self, seen: Iterable[Expression], r: int, rest: Expression) -> set[Expression]:
        """With r + rest for r."""
        done: dict[int, Expression] = {r: rest | {r}}

        def atom_of(atom: int) -> Expression:
            if atom not in done:
                if r not in self._support[atom]:
                    done[atom] = frozenset({atom})
                else:
                    a, b = self._factors[atom]
                    done[atom] = self.both(whole(a), whole(b))
            return done[atom]

        def whole(of: Expression) -> Expression:
            total = ZERO
            for atom in of:
                total ^= atom_of(atom)
            return total

        return {whole(one) for one in seen} - {ZERO, ONE}

    def _parts(self, seen: set[Expression]) -> list[list[Expression]]:
        """Groups of bits that have no variable in common: each is independent of the others."""
        parts: list[tuple[frozenset[int], list[Expression]]] = []
        for one in sorted(seen, key=sorted):
            support, group = self.support(one), [one]
            rest = []
            for other, bits in parts:
                if support & other:
                    support, group = support | other, group + bits
                else:
                    rest.append((other, bits))
            parts = [*rest, (support, group)]
        return [group for _, group in parts]

    def _same(self, seen: Sequence[Expression], secrets: Sequence[int], others: Sequence[int]) -> bool:
        """By enumeration: for every secret, the values of the bits are the same multiset."""
        import numpy as np

        # The secrets are the high bits, so that each row below has one secret.
        order = [*others, *secrets]
        keys = np.zeros(1 << len(order), dtype=np.uint64)
        for place, column in enumerate(self._columns(seen, order)):
            keys |= column.astype(np.uint64) << np.uint64(place)
        rows = np.sort(keys.reshape(1 << len(secrets), -1), axis=1)
        return bool((rows == rows[0]).all())

    def values(self, of: Expression, order: Sequence[int]) -> np.ndarray:
        """An expression for all values of the variables in `order`, the first being the lowest bit of the
        index: booleans, of shape (2^len(order),)."""
        (column,) = self._columns([of], order)
        return column

    def _columns(self, seen: Sequence[Expression], order: Sequence[int]) -> Iterator[np.ndarray]:
        import numpy as np

        if len(order) > LIMIT:
            raise ValueError(f"{len(order)} variables are left, and {LIMIT} can be enumerated")
        index = np.arange(1 << len(order), dtype=np.uint32)
        known: dict[int, np.ndarray] = {ONE_ATOM: np.ones(1, dtype=bool)}
        for place, variable in enumerate(order):
            known[variable] = (index >> place & 1).astype(bool)

        def value(of: Expression) -> np.ndarray:
            total = np.zeros(len(index), dtype=bool)
            for atom in of:
                if atom not in known:
                    a, b = self._factors[atom]
                    known[atom] = value(a) & value(b)
                total ^= known[atom]
            return total

        yield from map(value, seen)
