"""[AESNI-PERM], tables 3, 4 and 5: the CPUs, and cycles by theory.

The paper's rule (rounds, times the longest function, times the latency of aesenc) gives every number
it prints, and is an approximation by its own words. Ours is the critical path of the recorded graph,
which knows that a round may begin before the round before it has ended.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from .. import spec
from ..analysis.cycles import cycles, default_blocks, paper_rule
from ..reference import Permutation, get_permutation
from .run import Ours, Run, clock

_PAPER = "aesni-permutations"
# Theory -> where the same permutations are measured, and how many words they have.
_MEASURED = {"4": ("6", 2), "5": ("8", 4)}
_THREE = ("SIMD registers", "latency", "throughput")


def described(row: str, words: int) -> tuple[Permutation[Any], int]:
    """The permutation of a row of the paper's tables, and the rounds it is timed at."""
    name = row.strip("()").replace(" ", "")
    base = name.lower().removesuffix("v2").rstrip("-")
    if base in ("haraka", "pholkos"):
        facts = spec.permutation(f"{base}-{128 * words}")
        permutation = get_permutation(f"{facts.name}:{facts.timed_rounds:g}")
        return permutation, permutation.rounds
    if base.startswith("simpira"):
        return get_permutation(base), int(spec.permutation(base).timed_rounds)
    permutation = get_permutation(f"feistel{128 * words}:{name}")
    return permutation, permutation.rounds


def _cpus() -> dict[str, spec.Cpu]:
    """Row of Table 3 -> our profile of that CPU."""
    by_title = {cpu.title: cpu for cpu in spec.cpus()}
    return {row.name: by_title[row.name] for row in spec.paper(_PAPER).table("3").rows}


def table_3(run: Run) -> list[Ours]:
    """Registers, latency and throughput of each CPU."""
    ours = []
    for row, cpu in _cpus().items():
        timing = cpu.timing("aesenc")
        values = (cpu.registers, timing.latency, timing.throughput)
        also = "".join(f"; {o.what} {o.value:g} in [{o.citation}], {o.source}" for o in cpu.others)
        why = f"register to register, [INSTLATX64], {cpu.source}{also}"
        reasons = ("with AVX-512 where the CPU has it", why, why)
        for column, value, reason in zip(_THREE, values, reasons, strict=True):
            ours.append(Ours(row, column, value, "measured", reason))
    return ours


def _theory(run: Run, number: str) -> list[Ours]:
    table = spec.paper(_PAPER).table(number)
    measured, words = _MEASURED[number]
    leave(run, number, measured, words)
    ours = []
    for row in table.rows:
        it, rounds = described(row.name, words)
        given, why = _given(number, row.name)
        ours.append(Ours(row.name, "rounds", rounds, "proven", why, follows=given))
        for column in (c.name for c in table.columns if c.name.startswith("latency")):
            latency = int(column.split()[1])
            cpu = next(c for c in _cpus().values() if c.timing("aesenc").latency == latency)
            with clock() as seconds:
                one = cycles(it, cpu, rounds)
            ruled = paper_rule(it, rounds, latency)
            printed = table.value(row.name, column)
            agrees = "as printed" if ruled == printed else f"and the print is {printed}"
            why = (
                f"critical path of the recorded graph; by the paper's rule {ruled} cycles, {agrees};"
                f" {rounds} rounds of {one.aes // rounds} AES instructions"
            )
            # The paper calls its rule an approximation, so that a shorter path does not contradict the print.
            follows = None if one.path == printed else ruled
            if one.path < ruled:
                why += (
                    ": a round begins as soon as its first branch is there, and the longer function"
                    " of one round runs at the same time as the shorter of the next"
                )
            ours.append(Ours(row.name, column, one.path, "proven", why, seconds(), follows=follows))
    return ours


def _given(number: str, row: str) -> tuple[int | float | str | None, str]:
    """The rounds of Tables 1 and 2 and of the prose; whether they suffice is decided there."""
    paper = spec.paper(_PAPER)
    if row.startswith("Simpira"):
        printed = paper.table("text").value(f"rounds of {row} that reach it", "value")
        why = "the rounds that the prose prints"
    else:
        source = {"4": "1", "5": "2"}[number]
        by_name = {r.name.replace(" ", ""): r.name for r in paper.table(source).rows}
        printed = paper.table(source).value(by_name[row.replace(" ", "")], "rounds")
        why = f"the rounds that Table {source} prints, where ours are computed"
    return printed, why


def leave(run: Run, number: str, measured: str, words: int) -> None:
    """Rows of the model for everything the paper measures: one block, and batches."""
    for row in spec.paper(_PAPER).table(measured).rows:
        it, rounds = described(row.name, words)
        run.say(it.name)
        for cpu in spec.cpus():
            for blocks in (1, default_blocks(cpu)):
                with clock() as seconds:
                    model = cycles(it, cpu, rounds, blocks=blocks)
                command = f"roundworks reproduce {_PAPER} --table {number}"
                run.leave("cycles", command, model.fields | {"seconds": seconds()})


table_4, table_5 = partial(_theory, number="4"), partial(_theory, number="5")
