"""Generated cores compared with those written by hand."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import geometric_mean

from roundworks import spec
from roundworks.rows import SynthesisRow

# S-boxes as tables, in the words of generated cores and of those written by hand.
_TABLES = ("table", "lut")


@dataclass(frozen=True, slots=True)
class CoreRatio:
    """A generated core and the core written by hand, of table S-boxes, on one library: the netlist of each
    with the smallest product of area and period among those of the scripts that both have."""

    cipher: str
    library: str
    generated: SynthesisRow
    hand: SynthesisRow
    known: str = ""

    @property
    def reason(self) -> str:
        """Why the hand wins by more than the goal allows; empty where it does not."""
        return "" if self.ratio <= spec.generated_cores_goal().largest else self.known or "not known"

    @property
    def area(self) -> float:
        """Generated over hand-written."""
        return self.generated.area_um2 / self.hand.area_um2

    @property
    def period(self) -> float:
        """Generated over hand-written."""
        return self.generated.period_ps / self.hand.period_ps

    @property
    def ratio(self) -> float:
        """Area times period, generated over hand-written: above 1 the hand wins."""
        return self.area * self.period


@dataclass(frozen=True, slots=True)
class CoreVerdict:
    """Ratios of area times period over `of` cores on one library, with the goal."""

    library: str
    mean: float
    largest: float
    of: int
    goal: spec.GeneratedCoresGoal

    @property
    def state(self) -> str:
        """Whether the goal was reached: ``met`` or ``missed``."""
        return "met" if self.mean <= self.goal.mean and self.largest <= self.goal.largest else "missed"


def core_ratios(rows: Iterable[SynthesisRow]) -> list[CoreRatio]:
    """Of each pair of spec/speed.toml and each library on which both were synthesised; the newest netlists."""
    newest: dict[tuple[str, str], dict[tuple[str, float | None], SynthesisRow]] = {}
    for row in sorted(rows, key=lambda row: row.time):
        if row.parameters.get("Sbox") in _TABLES and row.estimated is None:
            newest.setdefault((row.core, row.library), {})[row.script, row.target_ps] = row
    ratios = []
    for pair in spec.generated_cores_goal().pairs:
        for core, library in newest:
            if core != pair.generated or (pair.hand, library) not in newest:
                continue
            made, hand = newest[core, library], newest[pair.hand, library]
            if both := made.keys() & hand.keys():
                ours, theirs = (_smallest(each[job] for job in both) for each in (made, hand))
                ratios.append(CoreRatio(pair.cipher, library, ours, theirs, pair.reason))
    return ratios


def _smallest(rows: Iterable[SynthesisRow]) -> SynthesisRow:
    return min(rows, key=lambda row: row.area_um2 * row.period_ps)


def core_verdicts(ratios: Sequence[CoreRatio]) -> list[CoreVerdict]:
    """A verdict for each library."""
    by_library: dict[str, list[float]] = {}
    for one in ratios:
        by_library.setdefault(one.library, []).append(one.ratio)
    goal = spec.generated_cores_goal()
    return [
        CoreVerdict(n, geometric_mean(each), max(each), len(each), goal) for n, each in by_library.items()
    ]
