"""What is computed from the description of one cipher: vectors, drawings, bounds, audit, cycles."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path

from .. import machine, spec
from ..analysis.audit import audit as run_audit
from ..analysis.cycles import cycles as model_cycles
from ..analysis.cycles import default_blocks
from ..analysis.drawing import drawings_of, equations, inventory
from ..analysis.measured_cpu import NAME, measured_cpu
from ..bench.selftest import selftests
from ..errors import DescriptionError, RoundworksError, unknown
from ..prove.measures import MEASURES, bounds_of
from ..prove.pipeline import Query
from ..reference import (
    Aead,
    BlockCipher,
    Described,
    Permutation,
    Rounds,
    Roundwise,
    Sponge,
    StreamAead,
    record_load,
    record_round,
    record_schedule,
)
from ..reference.aead import BlockAead
from ..reference.bijections import warnings
from ..reproduce.run import Run
from ..rows import AuditRow, BoundRow, CyclesRow, DrawingRow, InstructionRow, SelftestRow, Store
from .bound_queries import bound_command, usual_measure
from .described import described
from .result import Result, Table
from .study import Batches, Unit, command_line

ROUNDS, _CELL_ROUNDS = 16, 4
HERE = "here"


def vectors(*, every: bool = False) -> Result[SelftestRow]:
    """Run the test vectors of each cipher on each back end, and on the descriptions a sample of them.

    ``every``: the descriptions run all of theirs, which takes minutes.
    """
    command = command_line("list", selftest=every)
    rows = tuple(SelftestRow.make(command=command, **found) for found in selftests(every=every))
    facts, lines = {f.name: f for f in spec.ciphers()}, []
    for row in rows:
        known, it = row.of or row.vectors, facts[row.cipher]
        sampled = f" of {known:,}" if row.vectors < known else ""
        passed = f"{row.passed:,}/{row.vectors:,}{sampled}" if row.available else None
        sizes = (it.key_bytes, it.nonce_bytes, " or ".join(map(str, it.tag_sizes)))
        lines.append((row.cipher, row.backend, row.available, passed, *sizes, it.status))
    columns = ("cipher", "back end", "here", "vectors", "key", "nonce", "tag", "status")
    notes = ["sizes in bytes; `python` is the description in reference/, the others the Rust core"]
    if any(row.vectors < (row.of or 0) for row in rows):
        notes.append("descriptions ran a sample of their vectors; all with --selftest")
    return Result(rows, (Table("", columns, tuple(lines)),), tuple(notes))


def describe(cipher: str | Path | Roundwise) -> Result[DrawingRow]:
    """A cipher's sizes, its load, round and keystream as equations, and what the recorded graph holds.

    The rows are drawings in Graphviz dot: the round, and the keystream where there is one.
    """
    started = time.perf_counter()
    it, words = described(cipher)
    recording = record_round(it)
    lines = [*_sizes(it)]
    if isinstance(it, StreamAead):
        lines += ["", "load", *(f"  {line}" for line in equations(record_load(it)))]
    if isinstance(it, BlockCipher):
        lines += ["", "key schedule of one round"]
        lines += [f"  {line}" for line in equations(record_schedule(it, 1))]
    if isinstance(it, Permutation | BlockCipher):
        what = "round 0" if isinstance(it, Permutation) else "one round alone"
    else:
        what = "round 0 of what a block goes through" if isinstance(it, Rounds) else "round and keystream"
    lines += ["", what, *(f"  {line}" for line in equations(recording))]
    if lost := warnings(it, recording):
        lines += ["", *lost]
    counts = ", ".join(f"{count:,} {name}" for name, count in inventory(recording.graph).items())
    drawings = drawings_of(it, recording)
    spent, command = time.perf_counter() - started, command_line("describe", *words)
    rows = tuple(DrawingRow.make(seconds=spent, command=command, **fields) for fields in drawings)
    return Result(rows, (), (*lines, "", f"graph: {counts}"))


def _sizes(it: Roundwise) -> Iterator[str]:
    about = (type(it).__doc__ or "").strip().splitlines()
    yield f"{it.name}  {about[0] if about else ''}".rstrip()
    if isinstance(it, Permutation):
        yield f"  a permutation of {it.words} x {it.word_bits:,} bits, {it.length(it.rounds)}"
        return
    if isinstance(it, BlockCipher):
        key, tweak = it.key_widths[: it.key_words], it.key_widths[it.key_words :]
        sizes = f"key {sum(key):,} bits" + f", tweak {sum(tweak):,} bits" * bool(tweak)
        yield f"  a block cipher of {it.words} x {it.word_bits:,} bits, {sizes}, {it.length(it.rounds)}"
        return
    assert isinstance(it, Aead)  # of a cipher's rounds, the whole cipher
    tags = " or ".join(map(str, (it.tag_bytes, *it.other_tag_bytes)))
    if isinstance(it, StreamAead):
        made_of = f"{it.words:,} words of {it.word_bits:,} bits, {it.rate_bytes} bytes a round"
    else:
        made_of = f"a mode of blocks of {it.words} x {it.word_bits:,} bits"
    yield f"  key {it.key_bytes} bytes, nonce {it.nonce_bytes} bytes, tag {tags} bytes; {made_of}"
    if isinstance(it, Sponge):
        yield f"  a sponge over {it.permutation.name}: rate {it.rate} bits, capacity {it.capacity} bits"
        yield f"  rounds: {it.init_rounds} first, {it.rounds} between blocks, {it.final_rounds} before the tag"
    if it.warning:
        yield f"  warning: {it.warning}"


def audit(cipher: str | Path | Described, *, seed: int = 1) -> Result[AuditRow]:
    """Look for errors in a mode of operation; a row with the verdict ``forgery`` proves one.

    ``seed`` is of the keys and messages that are tried.
    """
    it, words = described(cipher, cipher=True)
    if not isinstance(it, StreamAead | BlockAead):
        raise DescriptionError(f"{it.name}: want a mode of operation, got what has none to audit")
    command = command_line("audit", *words, seed=None if seed == 1 else seed)
    started = time.perf_counter()
    findings = run_audit(it, seed=seed)
    spent = (time.perf_counter() - started) / max(1, len(findings))
    rows = tuple(
        AuditRow.make(seconds=spent, command=command, cipher=it.name, **asdict(finding))
        for finding in findings
    )
    forged = sum(row.verdict == "forgery" for row in rows)
    verdict = "1 forgery" if forged == 1 else f"{forged} forgeries" if forged else "no forgery found"
    return Result(rows, (finding_table(rows),), (f"{it.name}: {verdict} in {len(rows)} findings",))


def finding_table(rows: Iterable[AuditRow]) -> Table:
    """Verdict, check and what was found; the title of what passed begins with the check."""
    lines = tuple((row.verdict, row.check, row.title.removeprefix(f"{row.check}: ")) for row in rows)
    return Table("", ("verdict", "check", "finding"), lines)


def bounds(
    cipher: str | Path | Roundwise,
    measure: str = "",
    rounds: int | None = None,
    *,
    time_limit: float | None = None,
) -> Result[BoundRow]:
    """Word-wise bounds, exact for what they count: ``active-f``, ``collision``, ``diffusion`` and others.

    Measures that a solver gives, as ``active-sboxes``, have ``time_limit`` seconds for each number of
    rounds. Without ``rounds`` it is 16 word-wise and 4 cell-wise.
    """
    it, words = described(cipher)
    measure = measure or usual_measure(it)
    if measure not in MEASURES:
        raise unknown("measure", measure, MEASURES)
    facts = MEASURES[measure]
    query = Query(rounds or (ROUNDS if facts.word_wise else _CELL_ROUNDS), limit=time_limit)
    command = bound_command(words, measure, query)
    rows = tuple(BoundRow.make(command=command, **one.bound.fields) for one in bounds_of(it, measure, query))
    columns = ("cipher", "measure", "rounds", "side", "value", "unit", "certainty", "seconds")
    lines = tuple(
        (r.cipher, r.measure, r.rounds, r.side, r.value, r.unit, r.certainty, f"{r.seconds:.3f}")
        for r in rows
    )
    return Result(rows, (Table("", columns, lines),))


def cycles(
    cipher: str | Path | Roundwise,
    cpus: Sequence[str] = (),
    *,
    rounds: int | None = None,
    bits: int | None = None,
    blocks: int | None = None,
    share: bool = False,
) -> Result[CyclesRow]:
    """What a permutation or a cipher on AES rounds costs on a CPU, by its recorded graph.

    Parameters
    ----------
    cpus : sequence of str
        Names of ``spec/cpus.toml``, ``here`` or ``measured``; all of them where empty.
    rounds, bits, blocks : int, optional
        Its own rounds, every width of registers, one block and a batch, unless given.
    share : bool
        AES rounds of one input are computed once, their keys XORed to the result.
    """
    it, words = described(cipher)
    profiles: dict[str, str] = {}
    chosen = [_cpu(name, profiles) for name in cpus] or spec.cpus()
    if bits is not None and not cpus:
        chosen = [cpu for cpu in chosen if bits in cpu.widths]
    command = command_line(
        "cycles", *words, rounds=rounds, cpu=tuple(cpus), bits=bits, blocks=blocks, share=share
    )
    rows = []
    for cpu in chosen:
        for width in [bits] if bits else cpu.widths:
            many = width // 128 * default_blocks(cpu)
            for count in [blocks] if blocks else [1, many] if width == 128 else [many]:
                started = time.perf_counter()
                fields = model_cycles(it, cpu, rounds, bits=width, blocks=count, shared=share).fields
                spent = time.perf_counter() - started
                profile = profiles.get(cpu.name)
                rows.append(CyclesRow.make(command=command, seconds=spent, profile=profile, **fields))
    return Result(tuple(rows), (_cycle_table(it, rows),), (_counted(rows[0]), *_said(profiles)))


def _cpu(name: str, profiles: dict[str, str]) -> spec.Cpu:
    """A CPU by its name; of this one `profiles` gets how its profile was found, by the profile's name."""
    if name not in (HERE, NAME):
        return spec.cpu(name)
    own = spec.profile_of(machine.describe())
    if name == HERE:
        profiles[own.cpu.name] = own.said
        return own.cpu
    rows = [row for row in Store().read(InstructionRow) if row.machine == machine.slug()]
    if not rows:
        raise RoundworksError(
            "cpu measured: no instruction of this CPU has been measured; `make peers`, then"
            " `roundworks bench --peers` measures them, or want --cpu here"
        )
    profiles[NAME] = f"AES and XOR as measured on {rows[-1].time}; the rest of {own.said}"
    return measured_cpu(own.cpu, [row for row in rows if row.run == rows[-1].run])


def _cycle_table(it: Roundwise, rows: Sequence[CyclesRow]) -> Table:
    first = rows[0]
    what = "" if isinstance(it, Permutation | BlockCipher) else " of state, a block being what they absorb"
    title = f"{first.cipher}: {first.rounds} rounds{what}, {first.block_bytes:,} bytes; cycles of one block"
    columns = ("cpu", "bits", "blocks", "path", "latency", "ports", "registers", "scheduled", "expected")
    lines = tuple(
        (
            r.cpu,
            r.bits,
            r.blocks,
            r.path,
            *(round(v, 2) for v in (r.latency, r.ports, r.registers, r.scheduled, r.expected)),
            round(r.cycles_per_byte, 3),
            r.binds,
            " ".join(r.busiest),
        )
        for r in rows
    )
    return Table(title, (*columns, "cycles/byte", "binds", "busiest ports"), lines)


def _counted(row: CyclesRow) -> str:
    return (
        f"{row.aes:,} AES instructions, {row.mixing:,} that mix words, {row.logic:,} logic;"
        f" {row.live:,} registers a block"
    )


def _said(profiles: dict[str, str]) -> Iterator[str]:
    return (f"profile of this CPU: {said}" for said in profiles.values())


def units_of(name: str) -> list[Unit]:
    """A cipher's drawings, its bounds by each measure, and the audit of its mode: a unit each."""
    command = command_line("describe", name)
    units = [Unit(f"{name}: drawings", command, partial(_drawings, name))]
    for measure in (m for m, facts in MEASURES.items() if facts.word_wise):
        rounds = ROUNDS if "rounds" in MEASURES[measure].options else None
        command = command_line("bound", name, measure=measure, rounds=rounds)
        units.append(Unit(f"{name}: {measure}", command, partial(_bounds, name, measure)))
    return [*units, Unit(f"{name}: audit", command_line("audit", name), partial(_audit, name))]


def vector_unit(*, every: bool) -> Unit:
    """The test vectors of every cipher on every back end."""
    return Unit("vectors on every back end", command_line("list", selftest=every), partial(_vectors, every))


def _vectors(every: bool, run: Run) -> Batches:
    yield vectors(every=every).rows


def _audit(name: str, run: Run) -> Batches:
    yield audit(name).rows


def _bounds(name: str, measure: str, run: Run) -> Batches:
    try:
        yield bounds(name, measure).rows
    except DescriptionError as error:  # the measure does not apply to this round
        run.say(f"  {measure}: {error}")


def _drawings(name: str, run: Run) -> Batches:
    yield describe(name).rows
