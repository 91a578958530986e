"""Ours compared with other tools that solve the same query."""

from collections.abc import Iterable
from dataclasses import dataclass

from roundworks.rows import ComparisonRow

from .newest import newest_run

# Ours solves a query that many times as fast as another tool.
TOOLS_WANTED = 3.0


@dataclass(frozen=True, slots=True)
class ToolRatio:
    """One query, put to another tool and to ours."""

    row: ComparisonRow

    @property
    def ratio(self) -> float:
        """Their time over ours; where the limit stopped theirs, it is larger than that."""
        return self.row.their_seconds / self.row.our_seconds

    @property
    def cpu_ratio(self) -> float:
        """The same of the time of the CPU, which other work on the machine changes less."""
        return self.row.their_cpu_seconds / self.row.our_cpu_seconds

    @property
    def said(self) -> str:
        """The ratio as text."""
        return ("over " if self.row.their_value is None else "") + f"{self.ratio:.2g}"

    @property
    def met(self) -> bool:
        """Whether ours has a value that nothing contradicts, in the wanted time."""
        return self.verdict == "met"

    @property
    def verdict(self) -> str:
        """``met``, ``missed``, ``the values differ``, or ``open`` where theirs was stopped too early."""
        if self.row.agreement == "differ":
            return "the values differ"
        if self.row.our_value is None:
            return "missed" if self.row.their_value is not None else "open"
        if self.ratio >= TOOLS_WANTED:
            return "met"
        return "open" if self.row.their_value is None else "missed"


def tool_ratios(rows: Iterable[ComparisonRow]) -> list[ToolRatio]:
    """Every query of the newest run with each tool on each machine."""
    runs: dict[tuple[str, str], list[ComparisonRow]] = {}
    for row in rows:
        runs.setdefault((row.machine, row.tool), []).append(row)
    return [ToolRatio(row) for of_tool in runs.values() for row in newest_run(of_tool)]
