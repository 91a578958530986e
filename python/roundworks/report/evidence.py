"""A line of the page about trust: a claim, and the cases that were tried."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from roundworks.rows import Row, latest


@dataclass(frozen=True)
class Evidence:
    """One line: what is claimed, how many cases of how many have it, what that shows and what not."""

    group: str
    claim: str
    passed: int
    tried: int
    shows: str
    rows: Sequence[Row]
    made_by: str = ""
    """The command of all rows, where one makes them."""
    is_share: bool = False
    """Whether it counts how many results are of a kind, so that the others are no failure."""

    @property
    def command(self) -> str:
        """What makes the figures again."""
        return self.made_by or str(self.rows[-1].command)

    @property
    def state(self) -> str:
        """``met`` where no case failed, ``missed``, or ``open`` where none was tried."""
        if not self.tried:
            return "open"
        return "met" if self.passed == self.tried else "missed"


def newest(rows: Iterable[Row], kind: type[Row], keys: Sequence[str]) -> list[Row]:
    """The newest row of this kind of each value of these keys."""
    return latest([row for row in rows if isinstance(row, kind)], keys)
