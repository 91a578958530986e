"""Round structures of a wider class, and a local search for one that guarantees many active F.

Every new word is a sum: the word before it, through F or not, with any words and any blocks. AETHER's class has F
on every word and one word or block in each sum [AETHER, section 3.2]. What F costs is counted; sums are free.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random

from .. import _native
from .words import Op, WordProgram

_PATIENCE = 60  # changes for each word without a better round
_DRAWN = 50  # rounds drawn for each that is looked at, at most


@dataclass(frozen=True, slots=True)
class SumsClass:
    """``words`` words, of which F changes ``functions``; ``inputs`` blocks; at most ``most`` words added in a sum."""

    words: int
    inputs: int
    functions: int
    most: int


@dataclass(frozen=True, slots=True)
class SumsRound:
    """S'[i] = S[i-1] ^ ..., the first term through F where ``through[i]``; then the words ``added[i]`` and the blocks
    ``entering[i]``."""

    through: tuple[bool, ...]
    added: tuple[tuple[int, ...], ...]
    entering: tuple[tuple[int, ...], ...]

    @property
    def words(self) -> int:
        """Words of the state."""
        return len(self.through)

    def collision(self, inputs: int, below: int) -> int:
        """The fewest active F of an internal collision, or ``below`` where none has fewer."""
        functions = _positions((at - 1) % self.words for at, f in enumerate(self.through) if f)
        added = [_positions(at for at in range(self.words) if j in self.added[at]) for j in range(self.words)]
        blocks = [_positions(at for at in range(self.words) if k in self.entering[at]) for k in range(inputs)]
        return _native.sums_collision(functions, added, blocks, below)

    def program(self, inputs: int) -> WordProgram:
        """The same for the engine of recorded rounds, which shares no code with `collision`."""
        nodes, outputs, given = list[Op](), list[int | None](), self.words + inputs
        for at, through in enumerate(self.through):
            before = (at - 1) % self.words
            if through:
                nodes.append(("f", (before,), 1))
                before = given + len(nodes) - 1
            terms = (before, *self.added[at], *(self.words + block for block in self.entering[at]))
            if len(terms) > 1:
                nodes.append(("xor", terms, 0))
            outputs.append(terms[0] if len(terms) == 1 else given + len(nodes) - 1)
        return WordProgram(self.words, inputs, tuple(nodes), tuple(outputs))

    def is_invertible(self) -> bool:
        """Whether the state follows from the next one and the blocks, one word after the other.

        Sufficient: no sums of several equations are looked at.
        """
        known: set[int] = set()
        while len(known) < self.words:
            new = {
                next(iter(missing))
                for at in range(self.words)
                if len(missing := {(at - 1) % self.words, *self.added[at]} - known) == 1
                # F(x) ^ x may have one value for several x.
                and not (missing == {(at - 1) % self.words} and (at - 1) % self.words in self.added[at])
            }
            if not new:
                return False
            known |= new
        return True

    def equations(self) -> list[str]:
        """The round, one equation for each word."""
        return [f"S'{at} = {' ^ '.join(self._terms(at))}" for at in range(self.words)]

    def _terms(self, at: int) -> Iterator[str]:
        yield f"{'F' if self.through[at] else 'S'}{(at - 1) % self.words}"
        yield from (f"S{word}" for word in sorted(self.added[at]))
        yield from (f"X{block}" for block in sorted(self.entering[at]))


def _positions(bits: Iterator[int]) -> int:
    return sum(1 << bit for bit in bits)


def local_search(of: SumsClass, active: int, seed: int, steps: int) -> tuple[int, SumsRound | None, int]:
    """The best of ``steps`` invertible rounds that a local search from random ones looks at: the number of active F, up
    to ``active``, that it guarantees, the round, and how many were tried. One seed gives one result."""
    random = Random(f"{of} {active} {seed}")
    best, found, tried = 0, None, 0
    here, reached, still = _random(of, random), -1, 0
    for _ in range(_DRAWN * steps):  # few may have an inverse
        if tried == steps or best == active:
            break
        # Where many changes did not help another start may.
        if still > _PATIENCE * of.words or reached < 0:
            one, reached, still = _random(of, random), -1, 0
        else:
            one = _changed(of, here, random)
        if not one.is_invertible():
            continue
        cost, tried = one.collision(of.inputs, active), tried + 1
        still = 0 if cost > reached else still + 1
        if cost >= reached:
            here, reached = one, cost
        if cost > best:
            best, found = cost, one
    return best, found, tried


def _random(of: SumsClass, random: Random) -> SumsRound:
    through = [at < of.functions for at in range(of.words)]
    random.shuffle(through)
    entering: list[tuple[int, ...]] = [()] * of.words
    for block, at in enumerate(random.sample(range(of.words), of.inputs)):
        entering[at] = (block,)
    added = [
        tuple(random.sample(_others(of, through, at), random.randint(0, min(of.most, of.words - 1))))
        for at in range(of.words)
    ]
    return SumsRound(tuple(through), tuple(added), tuple(entering))


def _others(of: SumsClass, through: Sequence[bool], at: int) -> list[int]:
    """What can be added at a position: not the word that comes without F, which would vanish."""
    return [word for word in range(of.words) if through[at] or word != (at - 1) % of.words]


def _changed(of: SumsClass, it: SumsRound, random: Random) -> SumsRound:
    """One term, one block or one F elsewhere."""
    what, at = random.random(), random.randrange(of.words)
    if what < 0.1:
        other = random.randrange(of.words)
        through = list(it.through)
        through[at], through[other] = through[other], through[at]
        added = [
            tuple(word for word in words if word in _others(of, through, i))
            for i, words in enumerate(it.added)
        ]
        return replace(it, through=tuple(through), added=tuple(added))
    if what < 0.2:
        block = random.randrange(of.inputs)
        entering = [tuple(k for k in blocks if k != block) for blocks in it.entering]
        entering[at] = (*entering[at], block)
        return replace(it, entering=tuple(entering))
    words = list(it.added[at])
    if words and random.random() < 0.6:
        words.pop(random.randrange(len(words)))
    free = [word for word in _others(of, it.through, at) if word not in words]
    if len(words) < of.most and free and random.random() < 0.8:
        words.append(random.choice(free))
    return replace(it, added=tuple(tuple(words) if i == at else old for i, old in enumerate(it.added)))
