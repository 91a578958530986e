"""What the structures of a class can guarantee: the best that exists, and the first that does not."""

from collections.abc import Sequence
from dataclasses import dataclass

from roundworks.rows import ExistenceRow, SearchRow, SumsRow


@dataclass(frozen=True, slots=True)
class Guarantee:
    """Of a class: a structure has ``reached`` active F, none has ``refuted``; None where that is not known.

    ``method`` is that of ``refuted``, with its certainty; ``command`` of the row that has it, or else of the best.
    ``repeats``: pi may name a word several times. Where the next number is open: ``tried``, what was spent on it, and
    ``counting``, seconds of one core that counting all structures takes, at the rate of the largest class with the same
    number of blocks that was counted.
    """

    words: int
    inputs: int
    reached: int | None
    refuted: int | None
    certainty: str
    method: str
    structure: str
    command: str
    repeats: bool = False
    tried: str = ""
    counting: float | None = None

    @property
    def per_block(self) -> float:
        """F for each block."""
        return self.words / self.inputs

    @property
    def is_settled(self) -> bool:
        """Whether the maximum is known."""
        return self.refuted is not None and self.reached == self.refuted - 1

    @property
    def text(self) -> str:
        """The maximum, or the bound that is known."""
        if self.reached is None:
            return "open" if self.refuted is None else f"< {self.refuted}"
        return str(self.reached) if self.is_settled else f"≥ {self.reached}"


def guarantees(decided: Sequence[ExistenceRow], searches: Sequence[SearchRow]) -> list[Guarantee]:
    """One line for each class, from decisions and from complete enumerations, fewest F per block first."""
    classes = {(row.words, row.inputs, bool(row.repeats)) for row in decided}
    order = sorted(classes, key=lambda size: (size[2], size[0] / size[1], size))
    return [_guarantee(*size, decided, searches, _rate(size[1], searches)) for size in order]


def grid(lines: Sequence[Guarantee], most: int = 16) -> list[tuple[int, list[tuple[int, str]]]]:
    """Of each number of words up to ``most`` the inputs with what is guaranteed: ``8``, ``≥ 12`` or ``< 8``."""
    cells: dict[int, list[tuple[int, str]]] = {}
    for line in sorted(lines, key=lambda line: (line.words, line.inputs)):
        if not line.repeats and line.words <= most:
            cells.setdefault(line.words, []).append((line.inputs, line.text))
    return list(cells.items())


def _rate(inputs: int, searches: Sequence[SearchRow]) -> float | None:
    """Structures that a core counts in a second: of the largest class with that number of blocks, for most active F."""
    counted = [row for row in searches if row.complete and row.seconds and row.inputs == inputs]
    largest = max(counted, key=lambda row: (row.candidates, row.active, row.time), default=None)
    return None if largest is None else largest.searched / (largest.seconds or 1) / largest.threads


def _guarantee(
    words: int,
    inputs: int,
    repeats: bool,
    decided: Sequence[ExistenceRow],
    searches: Sequence[SearchRow],
    rate: float | None,
) -> Guarantee:
    own = [row for row in decided if (row.words, row.inputs, bool(row.repeats)) == (words, inputs, repeats)]
    # Every structure that was counted names its words once.
    counts = [
        row for row in searches if not repeats and (row.words, row.inputs) == (words, inputs) and row.complete
    ]
    size = max([row.candidates or 0 for row in own] + [row.candidates for row in counts], default=0)
    there = [(row.active, row.added, row.command) for row in own if row.exists]
    there += [(row.active, _first(row), row.command) for row in counts if row.found]
    # Of two that reach the same number the one that names a structure counts.
    reached, added, best = max(
        there, key=lambda line: (line[0], line[1] is not None), default=(None, None, own[-1].command)
    )
    # Of two that refute the same number the more certain one counts.
    against = [
        (row.active, row.certainty or "", row.method, row.command) for row in own if row.exists is False
    ]
    against += [(row.active, "proven", "enumeration", row.command) for row in counts if not row.found]
    no = min(against, key=lambda line: (line[0], line[1] != "proven"), default=None)
    refuted, certainty, method, command = no or (None, "", "", best)
    open_ = [
        row
        for row in own
        if row.exists is None and (refuted is None or row.active < refuted) and row.active > (reached or 0)
    ]
    longest = max(open_, key=lambda row: row.seconds or 0, default=None)
    return Guarantee(
        words=words,
        inputs=inputs,
        reached=reached,
        refuted=refuted,
        certainty=certainty,
        method=method,
        structure="" if added is None else _named(added),
        command=command,
        repeats=repeats,
        tried="" if longest is None else _tried(longest),
        counting=size / rate if size and rate and refuted is None else None,
    )


def _first(row: SearchRow) -> list[int | None] | None:
    """The word that the first structure of a search adds at each position, None for a block."""
    if not row.structures:
        return None
    (positions, pi), *_ = row.structures
    names = iter(pi)
    return [None if at in positions else next(names) for at in range(row.words)]


def _tried(row: ExistenceRow) -> str:
    left = len(row.undecided or [])
    return f"{row.active} open after {row.seconds or 0:,.0f} s, {left} partition{'s' * (left != 1)} into chains left"


def _named(added: Sequence[int | None]) -> str:
    """The word that is added at each position, X for a block."""
    return " ".join("X" if word is None else str(word) for word in added)


def best_sums(rows: Sequence[SumsRow]) -> list[SumsRow]:
    """Of each class of sums the round that guarantees the most, fewest F per block first."""
    best: dict[tuple[int, int, int], SumsRow] = {}
    for row in rows:
        place = row.words, row.inputs, row.functions
        if place not in best or row.active >= best[place].active:
            best[place] = row
    return sorted(best.values(), key=lambda row: (row.functions / row.inputs, -row.active, row.words))
