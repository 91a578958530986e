"""Speed of the permutations compared with [AESNI-PERM, tables 6 to 9], and what the CPU allows.

A table is of one run. The model's rows are those of the profile in spec/cpus.toml that the machine
has by its CPUID or its flags; where nobody made them there is no limit, and goals are open.
"""

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from roundworks import spec
from roundworks.report.values import number as number_of
from roundworks.report.values import spread
from roundworks.rows import CyclesRow, InstructionRow, PermutationRow, latest

PAPER = "aesni-permutations"
# Table -> words of a permutation, and whether many are batched.
TABLES = {"6": (2, False), "7": (2, True), "8": (4, False), "9": (4, True)}
PLAIN = "aesni"
_WIDTHS = {PLAIN: 128, "vaes256": 256, "vaes512": 512}
WITHIN = 0.15
Key = tuple[str, float]


def key_of(name: str, rounds: float) -> Key:
    """A name without its rounds, and the rounds; of a model or bound the last may be half one."""
    base, _, behind = name.rpartition(":")
    if not base or not re.fullmatch(r"\d+(\.\d+)?", behind):
        return name, float(rounds)
    half = float(behind)
    return base, half if math.ceil(half) == rounds else float(rounds)


def facts_of(row: str, words: int) -> spec.PermutationFacts:
    """The permutation of a row of the paper's tables."""
    name = row.strip("()").replace(" ", "")
    if row.startswith("("):
        return spec.permutation(f"feistel{128 * words}:{name}")
    base = name.lower().removesuffix("v2").rstrip("-")
    return spec.permutation(base if base.startswith("simpira") else f"{base}-{128 * words}")


@dataclass(frozen=True, slots=True)
class MeasuredSpeed:
    """Cycles per byte of one row."""

    row: PermutationRow
    median: float
    q1: float
    q3: float

    @property
    def cycles(self) -> float:
        """Median cycles of one block."""
        return self.median * float(self.row.block_bytes)

    def level(self, other: "MeasuredSpeed") -> bool:
        """Whether the middle halves of the samples overlap."""
        return self.q1 <= other.q3 and other.q1 <= self.q3


def speed_of(row: PermutationRow) -> MeasuredSpeed:
    """Median and quartiles of a row, in cycles per byte."""
    quartiles = spread([cycles / row.block_bytes for cycles in row.samples_cycles])
    return MeasuredSpeed(row, quartiles["median"], quartiles["q1"], quartiles["q3"])


@dataclass(frozen=True, slots=True)
class SpeedLine:
    """One permutation; `ours` as the paper measures, `batches` by blocks in a call."""

    name: str
    printed: tuple[float | None, ...]
    ours: MeasuredSpeed | None
    batches: Mapping[int, MeasuredSpeed]
    wide: Mapping[str, MeasuredSpeed]
    model: CyclesRow | None
    limits: tuple[CyclesRow, ...]

    @property
    def best_wide(self) -> MeasuredSpeed | None:
        """The fastest on registers wider than 128 bits."""
        return min(self.wide.values(), key=lambda s: s.median, default=None)

    @property
    def modelled(self) -> CyclesRow | None:
        """Of many blocks the cheaper program of the model, which may do AES of one input once, as our
        kernels do; None where it is not known what that one costs."""
        if self.model is None or self.model.blocks == 1:
            return self.model
        same = [m for m in self.limits if (m.blocks, m.bits) == (self.model.blocks, self.model.bits)]
        cheapest = min(same, key=lambda m: (m.expected, m.shared), default=None)
        return cheapest if any(m.shared for m in same) else None

    @property
    def times_model(self) -> float | None:
        """Cycles measured over those of the model."""
        row = self.modelled
        return self.ours.median / row.cycles_per_byte if self.ours and row else None


@dataclass(frozen=True, slots=True)
class SpeedTable:
    """One of the paper's tables, measured here in one run."""

    number: str
    bits: int
    many: bool
    cpus: tuple[str, ...]
    lines: tuple[SpeedLine, ...]
    blocks: tuple[int, ...]
    rows: tuple[PermutationRow, ...]

    @property
    def name(self) -> str:
        """Block size and batch, in words."""
        return f"{self.bits} bits, {'many blocks' if self.many else 'one block'}"

    def line(self, name: str) -> SpeedLine:
        """The line of a permutation."""
        return next(line for line in self.lines if line.name == name)


@dataclass(frozen=True, slots=True)
class PermutationGoal:
    """`limit` in cycles of one block; the figure is cycles measured over it."""

    permutation: str
    bits: int
    what: str
    ours: float | None
    limit: float | None
    because: str

    @property
    def figure(self) -> float | None:
        """Ours over the limit; None where one of them is missing."""
        return None if self.ours is None or self.limit is None else self.ours / self.limit

    @property
    def state(self) -> str:
        """``met``, ``missed`` or ``open``; what is far below its limit shows that the limit is of another program."""
        if self.figure is None or self.figure < 1 - WITHIN:
            return "open"
        return "met" if self.figure <= 1 + WITHIN else "missed"


def usable(rows: Iterable[PermutationRow], machine: str) -> list[PermutationRow]:
    """Rows with cycles, forwards, of one machine."""
    return [r for r in rows if r.machine == machine and r.operation == "permute" and r.samples_cycles]


def tables(rows: Sequence[PermutationRow], cycles: Sequence[CyclesRow], cpu: spec.Cpu) -> list[SpeedTable]:
    """Those of the paper's tables for which there is a run."""
    models = latest(
        [row for row in cycles if row.cpu == cpu.name], ["cipher", "rounds", "bits", "blocks", "shared"]
    )
    measured = []
    for number, (words, many) in TABLES.items():
        names = [row.name for row in spec.paper(PAPER).table(number).rows]
        keys = {}
        for name in names:
            facts = facts_of(name, words)
            keys[name] = facts.name, float(facts.timed_rounds)
        here = [
            row
            for row in rows
            if row.way == ("many" if many else "chain")
            and key_of(row.permutation, row.rounds) in keys.values()
        ]
        if run := _one_run(here):
            measured.append(_table(number, keys, run, models, cpu))
    return measured


def _one_run(rows: Sequence[PermutationRow]) -> list[PermutationRow]:
    """The run with the most permutations on the plain back end, of those the newest."""
    runs: dict[str, list[PermutationRow]] = {}
    for row in rows:
        runs.setdefault(row.run, []).append(row)
    places = {run: place for place, run in enumerate(runs)}

    def covered(run: str) -> tuple[int, int]:
        named = {row.permutation for row in runs[run] if row.backend == PLAIN}
        return len(named), places[run]

    best = max(runs, key=covered, default="")
    return runs[best] if best and covered(best)[0] else []


def _table(
    number: str,
    keys: Mapping[str, Key],
    run: Sequence[PermutationRow],
    models: Sequence[CyclesRow],
    cpu: spec.Cpu,
) -> SpeedTable:
    words, many = TABLES[number]
    paper = spec.paper(PAPER).table(number)
    as_printed = cpu.registers // 4 if many else 1
    lines = []
    for name, key in keys.items():
        mine = [speed_of(r) for r in run if key_of(r.permutation, r.rounds) == key]
        plain = {s.row.blocks: s for s in mine if s.row.backend == PLAIN}
        wide: dict[str, MeasuredSpeed] = {}
        for s in mine if many else []:
            backend = s.row.backend
            if _WIDTHS.get(backend, 0) > 128:
                wide[backend] = min(s, wide.get(backend, s), key=lambda s: s.median)
        known = [m for m in models if key_of(m.cipher, m.rounds) == key]
        model = next((m for m in known if m.bits == 128 and not m.shared and m.blocks == as_printed), None)
        printed = tuple(number_of(paper.value(name, column.name)) for column in paper.columns)
        limits = tuple(m for m in known if m.blocks > 1)
        lines.append(
            SpeedLine(
                name=name,
                printed=printed,
                ours=plain.get(as_printed),
                batches=plain,
                wide=wide,
                model=model,
                limits=limits,
            )
        )
    blocks = sorted({n for line in lines for n in line.batches})
    cpus = tuple(column.name for column in paper.columns)
    return SpeedTable(
        number=number,
        bits=128 * words,
        many=many,
        cpus=cpus,
        lines=tuple(lines),
        blocks=tuple(blocks),
        rows=tuple(run),
    )


def goals(found: Sequence[SpeedTable], instructions: Sequence[InstructionRow]) -> list[PermutationGoal]:
    """One block by its critical path, many by the ports of AES: registers of 128 and 512 bits."""
    each: dict[int, float] = {
        row.bits: min(row.samples_cycles)
        for row in instructions
        if (row.instruction, row.measure) == ("aesenc", "throughput")
    }
    made = []
    for table in found:
        for line in table.lines:
            if not table.many:
                ours = line.ours.cycles if line.ours else None
                path = line.model.path if line.model else None
                because = _path_in_words(line.model) if line.model else "no row of the model"
                made.append(
                    PermutationGoal(line.name, table.bits, "one block, critical path", ours, path, because)
                )
                continue
            best = min(line.batches.values(), key=lambda s: s.median, default=None)
            for what, backend, speed in (("xmm", PLAIN, best), ("zmm", "vaes512", line.wide.get("vaes512"))):
                limit, because = _port_limit(line.limits, _WIDTHS[backend], each)
                made.append(
                    PermutationGoal(
                        line.name,
                        table.bits,
                        f"many blocks, {what}",
                        speed.cycles if speed else None,
                        limit,
                        because,
                    )
                )
    return made


def _path_in_words(model: CyclesRow) -> str:
    text = f"{model.path} cycles, {model.aes} AES instructions"
    return text + (f", left {model.bypass_delays} times" if model.bypass_delays else "")


def _port_limit(
    limits: Sequence[CyclesRow], bits: int, each: Mapping[int, float]
) -> tuple[float | None, str]:
    """The minimum that a row of the model has for these registers, or the instruction as measured."""
    known = [row for row in limits if row.bits == bits]
    if not any(row.shared for row in known):
        # Of another program than ours, which computes AES of one input once.
        return None, f"no row of the model for {bits} bits, with AES of one input once"
    row = min(known, key=lambda row: row.ports)
    text = f"{row.aes} AES instructions" + (", one input once" if row.shared else "")
    measured = min(r.aes for r in known) * 128 / bits * each.get(bits, math.inf)
    limit = min(measured, row.ports)
    if measured < row.ports:
        text += f", one every {each[bits]:.3g} cycles as measured"
        # What mixes words wants ports as well, which no AES instruction can help.
        if row.mixing and row.ports > (1 + WITHIN) * measured:
            text += f"; {row.ports:.3g} cycles with all that mixes"
    else:
        text += f", ports {' '.join(row.busiest)} by the model"
    # The kernels of this width name 16 registers: that many blocks share the critical path.
    if bits == _WIDTHS[PLAIN] and (row.registers_avx2 or 0) > (1 + WITHIN) * limit:
        text += f"; {row.registers_avx2:.3g} cycles with what fits 16 registers"
    return limit, text
