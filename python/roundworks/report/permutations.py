"""The section of the permutations: one machine after another, for a ratio never crosses machines."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from roundworks import spec
from roundworks.report.cycles import MARGIN, Explained, explain
from roundworks.report.cycles import CycleLine as Measured
from roundworks.report.frame import Figure
from roundworks.report.permutation_bounds import Choice, bounds_of, by_run, choices, scatter
from roundworks.report.permutation_claims import ClaimVerdict, verdicts
from roundworks.report.permutation_speed import WITHIN, PermutationGoal, SpeedTable, goals, tables, usable
from roundworks.rows import BoundRow, CyclesRow, InstructionRow, PermutationRow


@dataclass(frozen=True, slots=True)
class OnMachine:
    """The permutations on one machine."""

    machine: str
    profile: spec.Profile
    tables: tuple[SpeedTable, ...]
    verdicts: tuple[ClaimVerdict, ...]
    goals: tuple[PermutationGoal, ...]
    figure: Figure
    choices: tuple[Choice, ...]
    gaps: tuple[Explained, ...]
    registers: int

    @property
    def margin(self) -> int:
        """Of the cycle model, in per cent."""
        return round(100 * MARGIN)

    @property
    def within(self) -> int:
        """By how many per cent a goal may be missed."""
        return round(100 * WITHIN)

    def said(self, state: str) -> int:
        """How many claims have this state."""
        return sum(verdict.state == state for verdict in self.verdicts)

    def reached(self, state: str) -> int:
        """How many goals have this state."""
        return sum(goal.state == state for goal in self.goals)


def permutations(
    rows: Sequence[PermutationRow],
    cycles: Sequence[CyclesRow],
    known: Sequence[BoundRow],
    instructions: Sequence[InstructionRow],
    machines: Mapping[str, Mapping[str, Any]],
) -> list[OnMachine]:
    """`known` are the bounds, the best of each query."""
    bounds, found = bounds_of(known), []
    for machine in dict.fromkeys(row.machine for row in rows):
        facts, here = machines.get(machine, {}), usable(rows, machine)
        if not here:
            continue
        profile = spec.profile_of(facts)
        cpu = profile.cpu
        timed, runs = tables(here, cycles, cpu), by_run(here)
        of_cpu = [row for row in instructions if row.machine == machine]
        registers = _named(cpu, facts)
        found.append(
            OnMachine(
                machine=machine,
                profile=profile,
                tables=tuple(timed),
                verdicts=tuple(verdicts(timed, cpu)),
                goals=tuple(goals(timed, of_cpu)),
                figure=scatter(machine, bounds, runs),
                choices=tuple(choices(bounds, runs)),
                gaps=tuple(gaps(timed, cpu, registers)),
                registers=registers,
            )
        )
    return found


def _named(cpu: spec.Cpu, facts: Mapping[str, Any]) -> int:
    """Registers of AES-NI here: all of them where its third compilation runs (`Evex` of the core)."""
    wide = {"aes", "vaes", "avx512f", "avx512vl"} <= {*facts.get("flags", ())}
    return cpu.registers if wide else cpu.registers_avx2


def gaps(timed: Sequence[SpeedTable], cpu: spec.Cpu, registers: int) -> list[Explained]:
    """What was measured here and is not within the margin of the model, with the reasons that the
    numbers of the model give."""
    lines = []
    for table in timed:
        for line in table.lines:
            if line.ours and line.modelled:
                most = max(line.batches, default=0)
                longer = line.batches[most].cycles if most > line.modelled.blocks else None
                lines.append(
                    Measured(
                        permutation=line.name,
                        words=table.bits // 128,
                        cpu=cpu,
                        theory=None,
                        row=line.modelled,
                        measured=line.ours.cycles,
                        registers=registers,
                        longer=(most, longer) if longer is not None else None,
                    )
                )
    each = (Explained(line, tuple(explain(line, lines))) for line in lines)
    return [found for found in each if found.words]
