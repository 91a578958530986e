"""Generated code and cores compared with those written by hand: each goal with its figure, each miss with its
reason."""

from collections.abc import Iterator, Mapping, Sequence
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


Compared = GeneratedRatio | PermutationRatio


@dataclass(frozen=True, slots=True)
class GeneratedCode:
    """What the rows of a machine say; netlists are of every machine, because their tools are deterministic."""

    goals: tuple[GoalLine, ...]
    ciphers: list[GeneratedRatio]
    permutations: list[PermutationRatio]
    cores: list[CoreRatio]
    random: list[RandomCost]
    generations: list[GenerationRow]
    newest: Mapping[tuple[str, str, int], tuple[str, Compared]]
    """Of each name, back end and size the last run on any machine, with that machine."""

    def reason(self, ratio: Compared) -> str:
        """Why the hand wins, where a goal is missed; of a permutation where its number of blocks misses that
        of the mean. Where nobody has found out, what a later run says."""
        if isinstance(ratio, PermutationRatio):
            verdicts = permutation_verdicts(self.permutations)
            if all(v.blocks != ratio.blocks or v.state != "missed" for v in verdicts):
                return ""
        machine, later = self.newest[_key(ratio)]
        if ratio.reason == "not known" and later.time > ratio.time:
            return (
                f"not known of this run, of {ratio.time[:10]}; that of {later.time[:10]}, of later code on"
                f" {machine}, has the ratio {later.ratio:.2f}"
            )
        return ratio.reason


def _key(ratio: Compared) -> tuple[str, str, int]:
    if isinstance(ratio, PermutationRatio):
        return ratio.permutation, ratio.backend, ratio.blocks
    return ratio.cipher, ratio.backend, ratio.data_bytes


def generated_code(rows: Sequence[Row]) -> dict[str, GeneratedCode]:
    """By machine, of those that measured generated code."""
    cores = core_ratios(row for row in rows if isinstance(row, SynthesisRow))
    by_machine: dict[str, list[Row]] = {}
    for row in rows:
        if isinstance(row, BenchRow | PermutationRow | RandomRow | GenerationRow):
            by_machine.setdefault(row.machine, []).append(row)
    newest: dict[tuple[str, str, int], tuple[str, Compared]] = {}
    code = {machine: _of_machine(of, cores, newest) for machine, of in by_machine.items()}
    for machine, one in code.items():
        compared: list[Compared] = [*one.ciphers, *one.permutations]
        for ratio in compared:
            if _key(ratio) not in newest or newest[_key(ratio)][1].time < ratio.time:
                newest[_key(ratio)] = machine, ratio
    return {
        machine: one
        for machine, one in code.items()
        if one.ciphers or one.permutations or one.random or one.generations
    }


def _of_machine(
    rows: Sequence[Row], cores: list[CoreRatio], newest: Mapping[tuple[str, str, int], tuple[str, Compared]]
) -> GeneratedCode:
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
        newest,
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
