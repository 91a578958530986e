"""Rounds of S-boxes in columns and a linear layer that takes each row of bits to itself, as Ascon's.

The words of the state are the rows. What a round does to one column is found by computing it, for no gate has inputs
of two columns. The lightest trail over three such rounds is that of `roundworks_search::rows`, which looks at every
trail that can be light, up to rotation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from ..._native import lightest_of_three
from ...reference import gf2
from ...reference.components import Sbox
from ...reference.graph import Recording
from ...reference.recordings import constants, run
from ...reference.word import IntWord
from .layers import rotational, rows
from .sbox_tables import transitions

ROUNDS = 3
MOST_ROWS, MOST_COLUMNS = 8, 64
# Active S-boxes of the heaviest trail that is looked at: of Ascon 19 take 25 s, and each one more takes twice as long.
MOST_ACTIVE = 20
FEW = 6
NEVER = 255


@dataclass(frozen=True, slots=True)
class RowLayers:
    """``images``: of the lowest bit of each row under the linear layer. ``weights``: of each difference before an
    S-box, for each one behind it; `NEVER` where it has none. Bit r of a difference is in row r."""

    columns: int
    images: tuple[int, ...]
    weights: tuple[bytes, ...]

    def lightest(self, most: Fraction, seconds: float | None) -> tuple[Fraction, list[int]] | None:
        """The minimum weight of a trail over `ROUNDS` rounds if it is at most that, and the words before the first
        layer; or None.

        Raises
        ------
        TimeoutError
            After ``seconds``, or at once where more than `MOST_ACTIVE` S-boxes can be active.
        """
        one = min(min(row) for row in self.weights[1:])
        if most // one > MOST_ACTIVE:
            raise TimeoutError(f"{most // one} active S-boxes: want at most {MOST_ACTIVE}")
        return self._found(most, None, seconds)

    def light(self, most: Fraction, seconds: float | None) -> tuple[Fraction, list[int]] | None:
        """The same of trails that begin with `FEW` active S-boxes in two rounds: a light one, not the lightest."""
        return self._found(most, FEW, seconds)

    def _found(
        self, most: Fraction, few: int | None, seconds: float | None
    ) -> tuple[Fraction, list[int]] | None:
        trail = lightest_of_three(
            self.columns, self.images, self.weights, min(int(most), NEVER), few, seconds
        )
        if trail is None:
            return None
        weight, (behind, *_) = trail
        before = [0] * len(self.images)
        for column in range(self.columns):
            out = sum((word >> column & 1) << r for r, word in enumerate(behind[: len(self.images)]))
            before_it = min(range(len(self.weights)), key=lambda d: self.weights[d][out])
            for r in range(len(before)):
                before[r] |= (before_it >> r & 1) << column
        return Fraction(weight), before


def row_layers(recording: Recording) -> RowLayers | None:
    """Those of one round, which all others are like but for constants; None where it has another shape."""
    words = [name for name in recording.inputs if name.startswith("S")]
    width = recording.graph.nodes[recording.inputs[words[0]]].bits
    fits = len(words) <= MOST_ROWS and width <= MOST_COLUMNS
    if not fits or not rotational(recording) or not _gates_in_columns(recording, width):
        return None
    columns = [_column(recording, words, width, place) for place in range(width)]
    sbox, images = columns[0]
    whole = zip(*(images_of for _, images_of in columns), strict=True)
    if len(set(sbox)) < len(sbox) or any(gf2.rank(row) < width for row in whole):
        return None
    weights = whole_weights(sbox)
    for place, (table, rotation) in enumerate(columns):
        mask = (1 << width) - 1
        if rotation != [(image << place | image >> (width - place)) & mask for image in images]:
            return None
        if whole_weights(table) != weights:  # constants do not change them
            return None
    return None if weights is None else RowLayers(width, tuple(images), weights)


def _gates_in_columns(recording: Recording, width: int) -> bool:
    """Whether both inputs of every gate depend on bits of one column only."""
    fixed = constants(recording)
    columns: dict[int, list[int]] = {}
    for node in recording.graph.nodes:
        into = [columns[i] for i in node.inputs]
        if node.id in fixed:
            columns[node.id] = [0] * width
        elif node.op == "input":
            columns[node.id] = [1 << i for i in range(width)]
        elif node.op in ("xor", "and"):
            columns[node.id] = [a | b for a, b in zip(*into, strict=True)]
            if node.op == "and" and any(both.bit_count() > 1 for both in columns[node.id]):
                return False
        else:
            columns[node.id] = [0] * width
            for i, row in enumerate(rows(node)):
                for j in row:
                    columns[node.id][i] |= into[0][j]
    return True


def _column(
    recording: Recording, words: Sequence[str], width: int, place: int
) -> tuple[tuple[int, ...], list[int]]:
    """The S-box of the bits of that weight, and the image of each bit behind it; an S-box with equal values where
    a row has images of more than one bit."""

    def after(value: int) -> list[int]:
        given = {name: IntWord(0, width) for name in recording.inputs}
        given |= {name: IntWord((value >> r & 1) << place, width) for r, name in enumerate(words)}
        values = run(recording, given)
        return [values[node].value for name, node in recording.outputs.items() if name.startswith("S'")]

    start = after(0)
    changes = [[a ^ b for a, b in zip(after(v), start, strict=True)] for v in range(1 << len(words))]
    images = [max(change[r] for change in changes) for r in range(len(words))]
    if any(change[r] not in (0, images[r]) for change in changes for r in range(len(words))):
        return (0, 0), images
    return tuple(sum(bool(word) << r for r, word in enumerate(change)) for change in changes), images


def whole_weights(table: tuple[int, ...]) -> tuple[bytes, ...] | None:
    """Of all transitions; None where one is no whole number."""
    size = len(table)
    if len(set(table)) < size:
        return None
    possible = transitions(Sbox("column", table), "differential")
    if any(p.numerator != 1 or p.denominator.bit_count() != 1 for p in possible.values()):
        return None
    return tuple(
        bytes(
            possible[d, e].denominator.bit_length() - 1 if (d, e) in possible else NEVER for e in range(size)
        )
        for d in range(size)
    )
