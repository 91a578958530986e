"""How long it takes from a description to tested code."""

from collections.abc import Iterable
from dataclasses import dataclass

from roundworks import spec
from roundworks.rows import GenerationRow, latest


@dataclass(frozen=True, slots=True)
class GenerationVerdict:
    """Seconds of the newest row of the goal's cipher and target."""

    seconds: float
    goal: spec.GenerationGoal

    @property
    def state(self) -> str:
        """Whether the goal was reached: ``met`` or ``missed``."""
        return "met" if self.seconds <= self.goal.seconds else "missed"


def generations(rows: Iterable[GenerationRow]) -> list[GenerationRow]:
    """The newest row of each cipher and target whose files were tested."""
    return latest([row for row in rows if row.tested], ["cipher", "target"])


def generation_verdict(rows: Iterable[GenerationRow]) -> GenerationVerdict | None:
    """The goal of spec/speed.toml with its figure; None without one."""
    goal = spec.generation_goal()
    for row in generations(rows):
        if (row.cipher, row.target) == (goal.cipher, goal.target):
            return GenerationVerdict(row.seconds, goal)
    return None
