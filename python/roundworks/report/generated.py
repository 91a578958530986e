"""Generated code and cores compared with those written by hand: each goal with its figure, each miss with its
reason."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from roundworks.ratios import (
    CoreRatio,
    GeneratedRatio,
    PermutationRatio,
    RandomCost,
    core_ratios,
    core_verdicts,
    generated_ratios,
    generated_verdicts,
    generation_verdict,
    generations,
    permutation_ratios,
    permutation_verdicts,
    random_costs,
    random_verdict,
)
from roundworks.rows import BenchRow, GenerationRow, PermutationRow, RandomRow, Row, SynthesisRow

# The library of `roundworks synth`, for which the goal of cores is set.
_LIBRARY = "osu018_stdcells"


@dataclass(frozen=True, slots=True)
class GoalLine:
    """A goal and its figure over `of` pairs of a `scope`; ``largest`` and its goal are None where only the mean
    or median counts."""

    figure: str
    scope: str
    of: int
    value: float
    wanted: float | None
    largest: float | None
    largest_wanted: float | None
    state: str


@dataclass(frozen=True, slots=True)
class GeneratedCode:
    """What the rows of a machine say; netlists are of every machine, because their tools are deterministic."""

    goals: tuple[GoalLine, ...]
    ciphers: list[GeneratedRatio]
    permutations: list[PermutationRatio]
    cores: list[CoreRatio]
    random: list[RandomCost]
    generations: list[GenerationRow]

    def reason(self, ratio: PermutationRatio) -> str:
        """Why the hand wins, where its number of blocks misses the goal of the mean."""
        verdicts = permutation_verdicts(self.permutations)
        return ratio.reason if any(v.blocks == ratio.blocks and v.state == "missed" for v in verdicts) else ""


def generated_code(rows: Sequence[Row]) -> dict[str, GeneratedCode]:
    """By machine, of those that measured generated code."""
    cores = core_ratios(row for row in rows if isinstance(row, SynthesisRow))
    by_machine: dict[str, list[Row]] = {}
    for row in rows:
        if isinstance(row, BenchRow | PermutationRow | RandomRow | GenerationRow):
            by_machine.setdefault(row.machine, []).append(row)
    code = {machine: _of_machine(of, cores) for machine, of in by_machine.items()}
    return {
        machine: one
        for machine, one in code.items()
        if one.ciphers or one.permutations or one.random or one.generations
    }


def _of_machine(rows: Sequence[Row], cores: list[CoreRatio]) -> GeneratedCode:
    ciphers = generated_ratios([row for row in rows if isinstance(row, BenchRow)])
    permutations = permutation_ratios([row for row in rows if isinstance(row, PermutationRow)])
    random = random_costs([row for row in rows if isinstance(row, RandomRow)])
    made = [row for row in rows if isinstance(row, GenerationRow)]
    return GeneratedCode(
        tuple(_goals(ciphers, permutations, random, cores, made)),
        ciphers,
        permutations,
        cores,
        random,
        generations(made),
    )


def _goals(
    ciphers: Sequence[GeneratedRatio],
    permutations: Sequence[PermutationRatio],
    random: Sequence[RandomCost],
    cores: Sequence[CoreRatio],
    made: Sequence[GenerationRow],
) -> Iterator[GoalLine]:
    for c in generated_verdicts(ciphers):
        mean, largest = (c.goal.mean, c.goal.largest) if c.goal else (None, None)
        name = f"encryption, {c.data_bytes:,} bytes"
        yield GoalLine(name, c.over, c.of, c.mean, mean, c.largest, largest, c.state)
    for p in permutation_verdicts(permutations):
        name = f"permutation, {p.blocks} block{'s' * (p.blocks > 1)}"
        yield GoalLine(name, p.over, p.of, p.mean, p.goal, p.largest, None, p.state)
    if r := random_verdict(random):
        name = "random ciphers, time over the port limit: median"
        yield GoalLine(name, "the fastest", r.of, r.median, r.goal.median, r.largest, None, r.state)
    for v in core_verdicts(cores):
        if v.library == _LIBRARY:
            goal = v.goal
            name = "core, area times period"
            yield GoalLine(name, v.library, v.of, v.mean, goal.mean, v.largest, goal.largest, v.state)
    if g := generation_verdict(made):
        name = f"{g.goal.cipher} to tested {g.goal.target.upper()}: seconds"
        yield GoalLine(name, "", 1, g.seconds, g.goal.seconds, None, None, g.state)
