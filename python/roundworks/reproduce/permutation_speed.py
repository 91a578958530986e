"""[AESNI-PERM], tables 6 to 9: one block, and batches, measured on this machine.

A table is one run, all its permutations interleaved. Our CPU is none of the paper's four, so ours stands
in the column of the one that is most like it, and is not compared with the print.
"""

from __future__ import annotations

import secrets
from functools import partial
from statistics import quantiles
from typing import Any

from .. import machine, spec
from ..analysis.cycles import Cycles, cycles, default_blocks
from ..bench.permutations import PAPER, PermutationSubject, core_name, measure
from ..permutations import Permutation
from .permutation_cycles import described
from .run import Ours, Run, clock

# Table -> words of a permutation, and whether it is of batches.
_TABLES = {"6": (2, False), "7": (2, True), "8": (4, False), "9": (4, True)}
# The paper's kind of code: AES-NI, one word in a register.
_BACKEND = "aesni"
_BATCHES, _WIDE = (4, 8, 64), ("vaes256", "vaes512")
_SAMPLES = {False: 90, True: 300}


def _nearest(number: str, cpu: spec.Cpu) -> spec.Cpu:
    """The paper's CPU with the most in common with ours."""
    by_title = {c.title: c for c in spec.cpus()}
    columns = [by_title[column.name] for column in spec.paper(PAPER).table(number).columns]
    ours = _like(cpu)
    return max(columns, key=lambda c: sum(a == b for a, b in zip(_like(c), ours, strict=True)))


def _like(cpu: spec.Cpu) -> tuple[float, ...]:
    timing = cpu.timing("aesenc")
    return cpu.registers, timing.latency, len(timing.ports)


def _subjects(name: str, many: bool) -> list[PermutationSubject]:
    if not many:
        return [PermutationSubject(name, _BACKEND, "permute", "chain", 1)]
    subjects = [PermutationSubject(name, _BACKEND, "permute", "many", n) for n in _BATCHES]
    wide = [b for b in _WIDE if b in Permutation.backends()]
    return subjects + [PermutationSubject(name, b, "permute", "many", _BATCHES[-1]) for b in wide]


def _table(run: Run, number: str) -> list[Ours]:
    words, many = _TABLES[number]
    if _BACKEND not in Permutation.backends():
        run.say(f"back end {_BACKEND}: not here, so nothing was measured")
        return []
    profile = spec.profile_of(machine.describe())
    run.say(f"profile of this CPU: {profile.said}")
    column = _nearest(number, profile.cpu)
    names = [row.name for row in spec.paper(PAPER).table(number).rows]
    subjects = [s for name in names for s in _subjects(core_name(name, 16 * words), many)]
    timed = measure(subjects, samples=_SAMPLES[run.full])
    once, command = secrets.token_hex(6), f"roundworks reproduce {PAPER} --table {number}"
    for fields in timed:
        run.leave("permutation", command, {"run": once, **fields})
    blocks = default_blocks(column) if many else 1
    ours = []
    for name in names:
        core = core_name(name, 16 * words)
        fields = next(
            f for f in timed if (f["permutation"], f["backend"], f["blocks"]) == (core, _BACKEND, blocks)
        )
        model = _model(run, command, name, words, profile, blocks)
        ours.append(_ours(name, column, fields, profile, model))
    return ours


def _model(run: Run, command: str, name: str, words: int, profile: spec.Profile, blocks: int) -> Cycles:
    """The model of what was measured; for many also of what our kernels make of it: AES rounds of
    one input once, and wider registers."""
    it, rounds = described(name, words)
    cpu = profile.cpu
    others = [(bits, shared) for bits in cpu.widths for shared in (False, True)]
    models = {}
    for bits, shared in others if blocks > 1 else [(128, False)]:
        with clock() as seconds:
            one = cycles(it, cpu, rounds, bits=bits, blocks=bits // 128 * blocks, shared=shared)
        run.leave("cycles", command, one.fields | {"profile": profile.said, "seconds": seconds()})
        models[bits, shared] = one
    return models[128, False]


def _ours(name: str, column: spec.Cpu, fields: dict[str, Any], profile: spec.Profile, model: Cycles) -> Ours:
    where = f"{machine.slug()}, {profile.said}"
    samples = [cycles / fields["block_bytes"] for cycles in fields["samples_cycles"]]
    if not samples:
        why = f"{where}: no clock of cycles here; nanoseconds are in the rows"
        return Ours(name, column.title, None, "measured", why, fields["seconds"], "not-comparable")
    low, middle, high = quantiles(samples, n=4, method="inclusive")
    how = "in a chain" if fields["blocks"] == 1 else f"{fields['blocks']} in a call"
    why = (
        f"another CPU: {where}; median of {len(samples)} samples, quartiles {low:.3f} and"
        f" {high:.3f}; back end {fields['backend']}, {how}"
    )
    times = middle / model.cycles_per_byte
    why += f"; model {model.cycles_per_byte:.3f} for it, ours {times:.2f} times that"
    value = round(middle, 3)
    return Ours(name, column.title, value, "measured", why, fields["seconds"], "not-comparable")


table_6, table_7, table_8, table_9 = (partial(_table, number=number) for number in _TABLES)
