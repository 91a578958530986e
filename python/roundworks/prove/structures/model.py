"""The bytes of a Feistel permutation on AES instructions as a problem to a solver. [MOUHA]

An XOR has not exactly one active byte of three, MixColumns none or at least five of eight. That is
the whole query; the rest repeats it for the linear relaxation, which otherwise spreads one
active byte over all words as small fractions. Whole words and columns have variables of their own:
a word is active if a byte is, an active column of MixColumns has an active byte on either side, and
an active word has an active column. With them the rows of table 2 with 7 rounds take HiGHS half a
minute each, without them they were open after three.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from ...reference.aes import SHIFT_ROWS
from ..solvers.problem import AtLeast, Clause, Problem, Var, Weights

View = Literal["differential", "linear"]
Count = Literal["executed", "distinct"]
XOR = frozenset({0, 2, 3})
BRANCH = 5
Cells = tuple[Var, ...]


@dataclass(frozen=True, slots=True)
class ModelWord:
    """16 bytes, and whether any is active. ``before``: where a MixColumns directly precedes, the
    bytes that it and the ShiftRows there were given."""

    cells: Cells
    active: Var
    before: Cells | None = None


class ModelBuilder:
    """One instruction or sum at a time, forward for differences and backward for masks."""

    def __init__(self) -> None:
        self.problem = Problem()

    def word(self, name: str) -> ModelWord:
        """A new word, and whether any byte of it is active."""
        word = self._word(name, self.problem.variable(f"{name}.any"))
        some = [(1, v) for v in word.cells]
        self.problem.add(AtLeast((*some, (-1, word.active)), 0))
        self._within(word.cells, word.active)
        return word

    def _word(self, name: str, active: Var, before: Cells | None = None) -> ModelWord:
        return ModelWord(tuple(self.problem.variables(name, 16)), active, before)

    def _within(self, cells: Sequence[Var], active: Var) -> None:
        """Where a cell is active, so is what it belongs to."""
        for v in cells:
            self.problem.add(Clause((-(v + 1), active + 1)))

    def count(self, x: ModelWord) -> None:
        """Weigh the S-boxes of a word."""
        for v in x.cells:
            self.problem.weigh(v, 1)

    def layer(self, x: ModelWord, last: bool) -> ModelWord:
        """One instruction, `aesenclast` if ``last``."""
        shifted = [0] * 16
        for i, to in enumerate(SHIFT_ROWS.to):
            shifted[to] = x.cells[i]
        return ModelWord(tuple(shifted), x.active) if last else self._mixed(x, shifted)

    def unlayer(self, mask: ModelWord, last: bool) -> ModelWord:
        """The mask before an instruction, from that behind it."""
        mixed = mask if last else self._mixed(mask, mask.cells)
        cells = tuple(mixed.cells[to] for to in SHIFT_ROWS.to)
        return ModelWord(cells, mask.active, None if last else mask.cells)

    def chain(self, x: ModelWord, lasts: Sequence[bool]) -> ModelWord:
        """A function of instructions in order, True where it is `aesenclast`; its S-boxes are counted."""
        for last in lasts:
            self.count(x)
            x = self.layer(x, last)
        return x

    def unchain(self, mask: ModelWord, lasts: Sequence[bool]) -> ModelWord:
        """The mask before such a function, from that behind it."""
        for last in reversed(lasts):
            mask = self.unlayer(mask, last)
            self.count(mask)
        return mask

    def _mixed(self, x: ModelWord, given: Sequence[Var]) -> ModelWord:
        """MixColumns of ``given``, which are the bytes of x in another order."""
        add = self.problem.add
        name = f"m{len(self.problem.names)}"
        out = self._word(name, x.active, x.cells)
        columns = self.problem.variables(f"{name}.column", 4)
        for c, column in enumerate(columns):
            ins, outs = given[4 * c : 4 * c + 4], out.cells[4 * c : 4 * c + 4]
            both = [(1, v) for v in (*ins, *outs)]
            add(AtLeast((*both, (-BRANCH, column)), 0))
            self._within((*ins, *outs), column)
            for side in (ins, outs):
                add(AtLeast((*((1, v) for v in side), (-1, column)), 0))
        self._within(columns, x.active)
        add(AtLeast((*((1, v) for v in columns), (-1, x.active)), 0))
        if x.before is not None:
            self._through_two(x.before, out)
        return out

    def _through_two(self, first: Cells, last: ModelWord) -> None:
        """Two MixColumns with one ShiftRows between: few active bytes before are many behind."""
        for many, few in ((first, last.cells), (last.cells, first)):
            terms = (*((1, v) for v in many), *((THROUGH_TWO - 16, v) for v in few))
            self.problem.add(AtLeast((*terms, (-THROUGH_TWO, last.active)), 0))

    def xor(self, p: ModelWord, q: ModelWord) -> ModelWord:
        """The sum of two words; of masks, what a fan-out adds up to."""
        out = self.word(f"x{len(self.problem.names)}")
        for cells in zip(p.cells, q.cells, out.cells, strict=True):
            self.problem.add(Weights(cells, XOR))
        self.problem.add(Weights((p.active, q.active, out.active), XOR))
        return out

    def shuffled(self, words: Sequence[ModelWord], mix: Sequence[int]) -> list[ModelWord]:
        """Column i of the new words is column ``mix[i]`` of the old ones."""
        cells = [v for word in words for v in word.cells]
        out = []
        for to in range(0, len(mix), 4):
            active = self.problem.variable(f"s{len(self.problem.names)}.any")
            own = tuple(cells[4 * c + r] for c in mix[to : to + 4] for r in range(4))
            self.problem.add(AtLeast((*((1, v) for v in own), (-1, active)), 0))
            self._within(own, active)
            out.append(ModelWord(own, active))
        return out


# w bytes before and v behind have 4w + v >= 20 and w + 4v >= 20, or none is active.
THROUGH_TWO = 20


class Shape(Protocol):
    """A permutation of words round by round."""

    @property
    def words(self) -> int:
        """128-bit words of its state."""

    @property
    def rotatable(self) -> bool:
        """Whether rotating the columns of all words gives a trail again."""

    def step(
        self, build: ModelBuilder, words: Sequence[ModelWord], view: View, count: Count
    ) -> list[ModelWord]:
        """One round: of differences forward, of masks backward."""
