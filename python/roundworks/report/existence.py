"""What the structures of a class can guarantee: the best that exists, and the first that does not."""

from collections.abc import Sequence
from dataclasses import dataclass

from roundworks.rows import ExistenceRow, SearchRow


@dataclass(frozen=True, slots=True)
class Guarantee:
    """Of a class: a structure has ``reached`` active F, none has ``refuted``; None where that is not known.

    ``method`` is that of ``refuted``, with its certainty; ``command`` of the row that has it, or else of the best.
    """

    words: int
    inputs: int
    reached: int | None
    refuted: int | None
    certainty: str
    method: str
    structure: str
    command: str

    @property
    def per_block(self) -> float:
        """F for each block."""
        return self.words / self.inputs

    @property
    def is_settled(self) -> bool:
        """Whether the maximum is known."""
        return self.refuted is not None and self.reached == self.refuted - 1


def guarantees(decided: Sequence[ExistenceRow], searches: Sequence[SearchRow]) -> list[Guarantee]:
    """One line for each class, from decisions and from complete enumerations, fewest F per block first."""
    classes = sorted({(row.words, row.inputs) for row in decided}, key=lambda size: (size[0] / size[1], size))
    return [_guarantee(*size, decided, searches) for size in classes]


def _guarantee(
    words: int, inputs: int, decided: Sequence[ExistenceRow], searches: Sequence[SearchRow]
) -> Guarantee:
    own = [row for row in decided if (row.words, row.inputs) == (words, inputs)]
    counts = [row for row in searches if (row.words, row.inputs) == (words, inputs) and row.complete]
    yes = max((row for row in own if row.exists), key=lambda row: row.active, default=None)
    reached = max(
        [row.active for row in own if row.exists] + [row.active for row in counts if row.found], default=None
    )
    # Of two that refute the same number the more certain one counts.
    against = [
        (row.active, row.certainty or "", row.method, row.command) for row in own if row.exists is False
    ]
    against += [(row.active, "proven", "enumeration", row.command) for row in counts if not row.found]
    no = min(against, key=lambda line: (line[0], line[1] != "proven"), default=None)
    structure = "" if yes is None or yes.added is None else _named(yes.added)
    if no is None:
        return Guarantee(
            words, inputs, reached, None, "", "", structure, own[-1].command if yes is None else yes.command
        )
    return Guarantee(words, inputs, reached, no[0], no[1], no[2], structure, no[3])


def _named(added: Sequence[int | None]) -> str:
    """The word that is added at each position, X for a block."""
    return " ".join("X" if word is None else str(word) for word in added)
