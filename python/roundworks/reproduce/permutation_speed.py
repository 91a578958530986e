"""[AESNI-PERM], tables 6 to 9: one block, and batches, measured on this machine.

A table is one run, all its permutations interleaved. Our CPU is none of the paper's four, so in each column
the ratios to Simpira are compared; blocks in a call are those of the column. With ``Run.stored`` the newest
stored run is compared again.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from statistics import quantiles
from typing import Any

from .. import machine, spec
from ..analysis.cycles import cycles, default_blocks
from ..bench.permutations import PAPER, PermutationSubject, core_name, measure
from ..permutations import Permutation
from ..rows import Store
from . import command_of
from .permutation_cycles import described
from .run import Ours, Run, clock

# Table -> words of a permutation, and whether it is of batches.
TABLES = {"6": (2, False), "7": (2, True), "8": (4, False), "9": (4, True)}
# The paper's kind of code: AES-NI, one word in a register.
_BACKEND = "aesni"
_BATCHES, _WIDE = (4, 8, 64), ("vaes256", "vaes512")
_SAMPLES = {False: 90, True: 300}


@dataclass(frozen=True, slots=True)
class MeasuredCycles:
    """One run of a table: where, and (permutation, blocks) -> the fields of its row."""

    slug: str
    profile: spec.Profile
    fields: Mapping[tuple[str, int], Mapping[str, Any]]

    def cycles_per_byte(self, number: str, name: str, blocks: int) -> tuple[float, float, float] | None:
        """Lower quartile, median and upper quartile of a row of the paper; None where cycles are not counted."""
        fields = self.fields[core_name(name, 16 * TABLES[number][0]), blocks]
        samples = [cycles / fields["block_bytes"] for cycles in fields["samples_cycles"]]
        if not samples:
            return None
        low, middle, high = quantiles(samples, n=4, method="inclusive")
        return low, middle, high


def measured(run: Run, number: str) -> MeasuredCycles | None:
    """The newest stored run of a table, or one of now; None where the CPU lacks the instructions."""
    words, many = TABLES[number]
    command = command_of(PAPER, number)
    if run.stored:
        rows = run.recorded("permutation", command)
        facts, slug = Store().machines()[rows[0].machine], rows[0].machine
        return MeasuredCycles(slug, spec.profile_of(facts), _by_name(rows))
    if _BACKEND not in Permutation.backends():
        run.say(f"back end {_BACKEND}: not here, so nothing was measured")
        return None
    names = [row.name for row in spec.paper(PAPER).table(number).rows]
    subjects = [s for name in names for s in _subjects(core_name(name, 16 * words), many)]
    timed = measure(subjects, samples=_SAMPLES[run.full])
    once = secrets.token_hex(6)
    for fields in timed:
        run.leave("permutation", command, {"run": once, **fields})
    return MeasuredCycles(machine.slug(), spec.profile_of(machine.describe()), _by_name(timed))


def _by_name(rows: Any) -> dict[tuple[str, int], Mapping[str, Any]]:
    return {(r["permutation"], r["blocks"]): r for r in rows if r["backend"] == _BACKEND}


def _subjects(name: str, many: bool) -> list[PermutationSubject]:
    if not many:
        return [PermutationSubject(name, _BACKEND, "permute", "chain", 1)]
    subjects = [PermutationSubject(name, _BACKEND, "permute", "many", n) for n in _BATCHES]
    wide = [b for b in _WIDE if b in Permutation.backends()]
    return subjects + [PermutationSubject(name, b, "permute", "many", _BATCHES[-1]) for b in wide]


def blocks_of(number: str, cpu: spec.Cpu) -> int:
    """How many blocks the paper has in a call of this table on this CPU."""
    return default_blocks(cpu) if TABLES[number][1] else 1


def _table(run: Run, number: str) -> list[Ours]:
    now = measured(run, number)
    if now is None:
        return []
    run.say(f"profile of the CPU: {now.profile.said}")
    by_title = {cpu.title: cpu for cpu in spec.cpus()}
    table = spec.paper(PAPER).table(number)
    # The models of our CPU are rows as well, unless the rows are there already.
    if not run.stored:
        for blocks in dict.fromkeys(blocks_of(number, by_title[c.name]) for c in table.columns):
            for row in table.rows:
                _leave_models(run, number, row.name, now.profile, blocks)
    return [
        _ours(number, row.name, by_title[column.name], now, table.rows[0].name)
        for column in table.columns
        for row in table.rows
    ]


def _leave_models(run: Run, number: str, name: str, profile: spec.Profile, blocks: int) -> None:
    """The model of what was measured; of batches also what our kernels make of it: AES rounds of
    one input once, and wider registers."""
    it, rounds = described(name, TABLES[number][0])
    others = [(bits, shared) for bits in profile.cpu.widths for shared in (False, True)]
    for bits, shared in others if blocks > 1 else [(128, False)]:
        with clock() as seconds:
            one = cycles(it, profile.cpu, rounds, bits=bits, blocks=bits // 128 * blocks, shared=shared)
        fields = one.fields | {"profile": profile.said, "seconds": seconds()}
        run.leave("cycles", command_of(PAPER, number), fields)


def _ours(number: str, name: str, column: spec.Cpu, now: MeasuredCycles, against: str) -> Ours:
    words, blocks = TABLES[number][0], blocks_of(number, column)
    fields = now.fields[core_name(name, 16 * words), blocks]
    times = now.cycles_per_byte(number, name, blocks)
    where = f"{now.slug}, {now.profile.said}"
    if times is None:
        why = f"{where}: no clock of cycles here; nanoseconds are in the rows"
        return Ours(name, column.title, None, "measured", why, fields["seconds"], "not-comparable")
    low, middle, high = times
    it, rounds = described(name, words)
    # Of batches our kernels compute AES of one input once where that is cheaper; the paper describes no such program.
    programs = (False, True) if blocks > 1 else (False,)
    own = min(
        (cycles(it, now.profile.cpu, rounds, blocks=blocks, shared=shared) for shared in programs),
        key=lambda model: (model.cycles_per_byte, model.shared),
    )
    theirs = cycles(it, column, rounds, blocks=blocks)
    once = ", with AES of one input once" if own.shared else ""
    how = "in a chain" if blocks == 1 else f"{blocks} in a call"
    why = (
        f"another CPU: {where}; median of {len(fields['samples_cycles'])} samples, quartiles {low:.3f} and"
        f" {high:.3f}; back end {fields['backend']}, {how}; model {own.cycles_per_byte:.3f} for"
        f" it{once}, ours {middle / own.cycles_per_byte:.2f} times that; model of {column.title}"
        f" {theirs.cycles_per_byte:.3f}"
    )
    return Ours(
        row=name,
        column=column.title,
        value=round(middle, 3),
        certainty="measured",
        reason=why,
        seconds=fields["seconds"],
        platform=now.slug,
        against=against,
    )


table_6, table_7, table_8, table_9 = (partial(_table, number=number) for number in TABLES)
