"""What our cores should reach, compared with the printed designs: ratios that no cell library changes."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from roundworks import spec
from roundworks.report.hardware_rows import NetlistLine, command


@dataclass(frozen=True, slots=True)
class GoalVerdict:
    """``figure`` is to be at least ``wanted``; None where there is no row, which ``maker`` makes."""

    name: str
    core: str
    library: str
    goal: str
    ours: float | None
    theirs: float | None
    wanted: float
    maker: str = ""
    limit: float | None = None  # the figure if there were flip-flops and nothing else

    @property
    def figure(self) -> float | None:
        """Ours over theirs; None without either."""
        if self.ours is None or not self.theirs:
            return None
        return self.ours / self.theirs

    @property
    def state(self) -> str:
        """``met``, ``missed`` or ``open``."""
        if self.figure is None:
            return "open"
        return "met" if self.figure >= self.wanted else "missed"

    def facts(self) -> dict[str, Any]:
        """The same as one JSON object."""
        kept = ("name", "core", "library", "goal", "ours", "theirs", "figure", "wanted", "limit", "state")
        return {name: getattr(self, name) for name in kept}


def verdicts(found: Sequence[NetlistLine]) -> list[GoalVerdict]:
    """Every goal of ``spec/hardware.toml`` in every library; without any, open once."""
    libraries = sorted({line.row["library"] for line in found}) or [""]
    made = []
    for library in libraries:
        here = [line for line in found if line.row["library"] == library]
        for design in spec.designs():
            made += _density(design, library, here)
        made += [_density_goal(goal, library, here) for goal in spec.density_goals()]
    return made


def _density(design: spec.Design, library: str, here: Iterable[NetlistLine]) -> list[GoalVerdict]:
    """Synthesised for the same as the printed point: delay with speed, area with area."""
    if design.times_as_dense is None:
        return []
    made = []
    for point in design.points:
        ours = [line for line in here if line.design is design and point.best_for in line.best]
        built = [line for line in ours if line.dense is not None]
        first = max(built, key=lambda line: line.dense or 0, default=None)
        theirs = design.bits_per_cycle / point.kge
        limit = None
        if first and first.dense and first.flop_share:
            limit = first.dense / first.flop_share / theirs
        verb = "sim" if ours else "synth"
        made.append(
            GoalVerdict(
                name=design.name,
                core=design.core,
                library=library,
                goal=f"bits per cycle per kGE, compared with {point.row}",
                ours=first.dense if first else None,
                theirs=theirs,
                wanted=design.times_as_dense,
                maker=command(verb, design.core, {}),
                limit=limit,
            )
        )
    return made


def _density_goal(goal: spec.DensityGoal, library: str, here: Sequence[NetlistLine]) -> GoalVerdict:
    """Gbit/s per kGE of one library, ours over the best of all that it is to beat."""
    names = {design.name for design in spec.designs() if design.paper == goal.paper}
    mine = [line for line in here if line.core == goal.core]
    others = [line for line in here if line.design and line.design.name in names]

    def best(of: Iterable[NetlistLine]) -> float | None:
        return max((g for line in of if (g := line.gbits_per_kge) is not None), default=None)

    # Beaten is only who has been built.
    built = {line.design.name for line in others if line.design and line.gbits is not None}
    absent = next((d for d in spec.designs() if d.name in names - built), None)
    maker = command("synth", goal.core, {}) if best(mine) is None else ""
    if absent and not maker:
        maker = command("synth", absent.core, {})
    return GoalVerdict(
        name=goal.core,
        core=goal.core,
        library=library,
        goal=f"Gbit/s per kGE, compared with the best of {', '.join(sorted(names))}",
        ours=best(mine),
        theirs=None if absent else best(others),
        wanted=1.0,
        maker=maker,
    )
