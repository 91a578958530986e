"""The section of the permutations: one machine after another, for a ratio never crosses machines."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from roundworks import spec
from roundworks.report.cycles import MARGIN, Explained, explain
from roundworks.report.cycles import Line as Measured
from roundworks.report.frame import Figure
from roundworks.report.permutation_bounds import Choice, bounds_of, by_run, choices, scatter
from roundworks.report.permutation_claims import Verdict, verdicts
from roundworks.report.permutation_speed import WITHIN, Goal, Table, goals, tables, usable
from roundworks.rows import Row


@dataclass(frozen=True, slots=True)
class OnMachine:
    machine: str
    profile: spec.Profile
    tables: tuple[Table, ...]
    verdicts: tuple[Verdict, ...]
    goals: tuple[Goal, ...]
    figure: Figure
    choices: tuple[Choice, ...]
    gaps: tuple[Explained, ...]
    registers: int

    @property
    def margin(self) -> int:
        return round(100 * MARGIN)

    @property
    def within(self) -> int:
        return round(100 * WITHIN)

    def said(self, state: str) -> int:
        return sum(verdict.state == state for verdict in self.verdicts)

    def reached(self, state: str) -> int:
        return sum(goal.state == state for goal in self.goals)


def permutations(
    rows: Sequence[Row], cycles: Sequence[Row], known: Sequence[Row],
    instructions: Sequence[Row], machines: Mapping[str, Mapping[str, Any]],
) -> list[OnMachine]:  # fmt: skip
    """`known` are the bounds, the best of each question."""
    bounds, found = bounds_of(known), []
    for machine in dict.fromkeys(row["machine"] for row in rows):
        facts, here = machines.get(machine, {}), usable(rows, machine)
        if not here:
            continue
        profile = spec.profile_of(facts)
        cpu = profile.cpu
        timed, runs = tables(here, cycles, cpu), by_run(here)
        of_cpu = [row for row in instructions if row["machine"] == machine]
        registers = _named(cpu, facts)
        found.append(OnMachine(
            machine, profile, tuple(timed), tuple(verdicts(timed, cpu)), tuple(goals(timed, of_cpu)),
            scatter(machine, bounds, runs), tuple(choices(bounds, runs)),
            tuple(gaps(timed, cpu, registers)), registers,
        ))  # fmt: skip
    return found


def _named(cpu: spec.Cpu, facts: Mapping[str, Any]) -> int:
    """Registers of AES-NI here: all of them where its third compilation runs (`Evex` of the core)."""
    wide = {"aes", "vaes", "avx512f", "avx512vl"} <= {*facts.get("flags", ())}
    return cpu.registers if wide else cpu.registers_avx2


def gaps(timed: Sequence[Table], cpu: spec.Cpu, registers: int) -> list[Explained]:
    """What was measured here and is not within the margin of the model, with the reasons that the
    numbers of the model give."""
    lines = []
    for table in timed:
        for line in table.lines:
            if line.ours and line.modelled:
                most = max(line.batches, default=0)
                longer = line.batches[most].cycles if most > line.modelled["blocks"] else None
                lines.append(Measured(
                    line.name, table.bits // 128, cpu, None, line.modelled, line.ours.cycles,
                    registers, (most, longer) if longer is not None else None,
                ))  # fmt: skip
    each = (Explained(line, tuple(explain(line, lines))) for line in lines)
    return [found for found in each if found.words]
