"""Software speed: of ciphers by message size and back end, of permutations, compared with other libraries."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from statistics import median
from typing import Any

from .. import aead, machine, reference, spec
from ..bench import permutations as perms
from ..bench.limits import limits
from ..bench.peers import PeerRun, measure_peers
from ..bench.speed import FULL_SIZES, PYTHON_SIZES, QUICK_SIZES, measure, workloads
from ..errors import BackendUnavailable, unknown
from ..permutations import Permutation
from ..ratios import ratios, verdicts
from ..reproduce.run import Run
from ..rows import BenchRow, InstructionRow, LimitRow, PermutationRow, Row
from .result import Result, Table
from .study import Batches, Study, Unit, command_line, conduct

SHARED = "medians; this measures a machine that may be shared: compare within one run only"
_SAMPLES, _SECONDS = 30, 600
_OPERATIONS = ("encrypt", "decrypt", "seal-many", "rekey", "cold-start")


def in_the_core() -> list[str]:
    """Names of the ciphers that have a back end, and so a speed."""
    return [facts.name for facts in spec.ciphers() if facts.backends]


def of_one_run(found: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The fields of rows that were measured together, with one name for the run."""
    run = secrets.token_hex(6)
    return [{"run": run, **fields} for fields in found]


@dataclass(frozen=True, slots=True)
class Speed(Study[Result[Row]]):
    """Ciphers on every back end, interleaved in one run; with ``peers``, compared with other libraries.

    Parameters
    ----------
    ciphers, backends, sizes : tuples
        All that run here, and the sizes of the profile in bytes, where empty.
    samples : int
        Timed windows of each workload.
    profile : {"quick", "full"}
        Full measures more sizes, decryption and 16 bytes of associated data; with peers also key set-up and a
        first message, with warm and with empty caches.
    seconds : int
        With peers, fewer windows, but at least three, to stay within this time.

    Raises
    ------
    UnknownName, BackendUnavailable
        ``back end 'mmx': not known here; one of portable, aesni``
    """

    ciphers: tuple[str, ...] = ()
    backends: tuple[str, ...] = ()
    sizes: tuple[int, ...] = ()
    samples: int = _SAMPLES
    profile: str = "quick"
    peers: bool = False
    seconds: int = _SECONDS

    def __post_init__(self) -> None:
        known = in_the_core()
        # A peer may compute what the core does not: its own ciphers are named in the work of each.
        others = {work.cipher for work in spec.work()} if self.peers else set()
        for wrong in (c for c in self.ciphers if c not in known and c not in others):
            if wrong not in reference.names():
                raise unknown("cipher", wrong, reference.names())
            raise BackendUnavailable(
                f"cipher {wrong!r}: described, but not in the Rust core; `roundworks list` shows which are"
            )
        listed = [b for c in self.ciphers or known if c in known for b in aead.get(c).backends()]
        if strange := [b for b in self.backends if b not in dict(listed)]:
            here = dict.fromkeys(b for b, there in listed if there)
            raise unknown("back end", strange[0], here, what="not known here")

    @property
    def full(self) -> bool:
        """Whether the profile is the full one."""
        return self.profile == "full"

    @property
    def command(self) -> str:
        """The command line of this study."""
        return command_line(
            "bench",
            *self.ciphers,
            backend=self.backends,
            size=self.sizes,
            samples=None if self.samples == _SAMPLES else self.samples,
            profile=None if self.profile == "quick" else self.profile,
            seconds=None if self.seconds == _SECONDS else self.seconds,
            peers=self.peers,
        )

    def plan(self) -> Sequence[Unit]:
        """One unit, or with peers two: what is compared is measured in one process."""
        if not self.peers:
            return [Unit("software speed", self.command, partial(_core, self))]
        # In this order: the core's numbers compared with Python's are of another process than those
        # compared with the peers, which are to be the newer ones.
        return [
            Unit("speed from Python", self.command, partial(_python, self)),
            Unit("speed compared with peers", self.command, partial(_peers, self)),
        ]

    def reduce(self, rows: Sequence[Row]) -> Result[Row]:
        """Medians of what was measured alone; limits, ratios and goals of what was compared."""
        benches = [row for row in rows if isinstance(row, BenchRow)]
        alone = benches
        tables = []
        if self.peers:
            compared = {row.run for row in rows if isinstance(row, LimitRow)}
            compared |= {row.run for row in benches if row.surface == "rust" and row.library != "roundworks"}
            alone = [row for row in benches if row.run not in compared]
            tables = [_limits(rows), *_ratios(benches), *_goals(benches)]
        return Result(tuple(rows), (speeds(alone), *tables), (SHARED,))


def speed(ciphers: Sequence[str] = (), **options: Any) -> Result[Row]:
    """Measure software speed; `options` are those of `Speed`."""
    return conduct(Speed(tuple(ciphers), **options))


def _core(study: Speed, run: Run) -> Batches:
    loads = workloads(
        study.ciphers or in_the_core(),
        study.backends,
        study.sizes or (FULL_SIZES if study.full else QUICK_SIZES),
        ("encrypt", "decrypt") if study.full else ("encrypt",),
        (0, 16) if study.full else (0,),
    )
    timed = measure(loads, samples=study.samples, progress=run.counted)
    yield [BenchRow.make(command=study.command, **fields) for fields in of_one_run(timed)]


def _python(study: Speed, run: Run) -> Batches:
    goals = [goal.cipher for goal in spec.goals() if goal.surface != "rust"]
    ciphers = [c for c in in_the_core() if c in (study.ciphers or goals)]
    if ciphers:
        best = [[b for b, there in aead.get(c).backends() if there][-1] for c in ciphers]
        backends = tuple(dict.fromkeys(best))
        loads = workloads(ciphers, backends, study.sizes or PYTHON_SIZES, ("encrypt",), (0,))
        timed = measure(loads, samples=study.samples, progress=run.counted)
        yield [BenchRow.make(command=study.command, **fields) for fields in of_one_run(timed)]


def _peers(study: Speed, run: Run) -> Batches:
    measured = measure_peers(
        study.ciphers,
        study.sizes or (FULL_SIZES if study.full else QUICK_SIZES),
        (0, 16) if study.full else (0,),
        _OPERATIONS if study.full else ("encrypt", "seal-many"),
        windows=study.samples,
        seconds=study.seconds,
        progress=run.progress,
    )
    yield peer_rows(measured, study.command)


def peer_rows(measured: PeerRun, command: str) -> list[Row]:
    """The rows of one run of the peers program, and the limits that follow from it."""
    allowed = [{"seconds": 0.0, **fields} for fields in limits(measured.instructions)]
    kinds = ((InstructionRow, measured.instructions), (LimitRow, allowed), (BenchRow, measured.speeds))
    both: dict[str, Any] = {"run": secrets.token_hex(6), "command": command}
    return [kind.make(**both, **fields) for kind, found in kinds for fields in found]


def speeds(rows: Iterable[BenchRow]) -> Table:
    """A line for each workload: medians of one call, and per byte."""

    def per_byte(samples: Sequence[float], size: int) -> str | None:
        return f"{median(samples) / size:,.3f}" if samples and size else None

    columns = ("cipher", "library", "back end", "surface", "operation", "bytes", "ad")
    return Table(
        "",
        (*columns, "ns/call", "ns/byte", "cycles/byte"),
        tuple(
            (
                r.cipher,
                r.library,
                r.backend,
                r.surface,
                r.operation,
                r.data_bytes,
                r.ad_bytes,
                f"{median(r.samples_ns):,.0f}",
                per_byte(r.samples_ns, r.data_bytes),
                per_byte(r.samples_cycles, r.data_bytes),
            )
            for r in rows
        ),
    )


def _limits(rows: Iterable[Row]) -> Table:
    return Table(
        "limits of this CPU",
        ("cipher", "operation", "bits", "by", "cycles/byte", "because"),
        tuple(
            (r.cipher, r.operation, r.bits, r.measure, f"{r.cycles_per_byte:.4f}", r.derivation)
            for r in rows
            if isinstance(r, LimitRow)
        ),
    )


def _ratios(rows: Sequence[BenchRow]) -> list[Table]:
    def cost(per_call: float, size: int) -> str:
        return f"{per_call / size:,.4f}" if size else f"{per_call:,.1f} a call"

    compared = ratios(rows)
    slower = sum(r.slower for r in compared)
    title = "ours and the fastest peer"
    title += f": {slower:,} of {len(compared):,} workloads slower than it by more than 3 %"
    columns = ("cipher", "operation", "bytes", "ad", "back end", "ours, cycles/byte", "best peer")
    lines = tuple(
        (
            r.cipher,
            r.operation,
            r.data_bytes,
            r.ad_bytes,
            r.backend,
            cost(r.ours, r.data_bytes),
            r.peer,
            cost(r.theirs, r.data_bytes),
            f"{r.ratio:.3f}",
            "SLOWER" if r.slower else "",
        )
        for r in compared
    )
    return [Table(title, (*columns, "its cycles/byte", "ratio", "verdict"), lines)] if compared else []


def _goals(rows: Sequence[BenchRow]) -> list[Table]:
    lines = tuple(
        (
            v.goal.cipher,
            v.goal.operation,
            v.goal.data_bytes,
            v.goal.surface,
            v.text,
            f"{v.figure:.3f}",
            v.state,
            v.compared,
        )
        for v in verdicts(rows, spec.profile_of(machine.describe()).cpu)
        if v.state != "open"
    )
    columns = ("cipher", "operation", "bytes", "surface", "goal", "figure", "verdict", "of")
    return [Table("goals", columns, lines)] if lines else []


@dataclass(frozen=True, slots=True)
class PermutationSpeed(Study[Result[PermutationRow]]):
    """Permutations: one block, and many in a call, interleaved in one run.

    Parameters
    ----------
    names, backends : tuples of str
        All permutations with their own rounds and the paper's, and all that run here, where empty.
    samples : int
        Timed windows of each.

    Raises
    ------
    UnknownName, BackendUnavailable
        ``back end 'mmx': not here; one of portable, aesni``
    """

    names: tuple[str, ...] = ()
    backends: tuple[str, ...] = ()
    samples: int = _SAMPLES

    def __post_init__(self) -> None:
        here = Permutation.backends()
        if strange := [b for b in self.backends if b not in here]:
            raise BackendUnavailable(f"back end {strange[0]!r}: not here; one of {', '.join(here)}")
        for name in self.names:
            reference.get_permutation(name)  # not known: an error that says which are like it

    def plan(self) -> Sequence[Unit]:
        """One unit: a ratio is of one run."""
        samples = None if self.samples == _SAMPLES else self.samples
        command = command_line(
            "bench", *self.names, permutations=True, backend=self.backends, samples=samples
        )
        subjects = tuple(perms.subjects(self.names or perms.standard(), self.backends))
        return [
            Unit(
                "speed of permutations", command, partial(time_permutations, subjects, self.samples, command)
            )
        ]

    def reduce(self, rows: Sequence[Row]) -> Result[PermutationRow]:
        """A line for each permutation, back end and operation; nanoseconds where there is no clock."""
        timed = tuple(row for row in rows if isinstance(row, PermutationRow))
        unit = "cycles" if all(r.samples_cycles for r in timed) else "ns"
        ways = [("chain", 1), ("call", 1), *(("many", n) for n in perms.BATCHES)]
        lines: dict[tuple[str, str, str], dict[tuple[str, int], float]] = {}
        for r in timed:
            line = lines.setdefault((r.permutation, r.backend, r.operation), {})
            line[r.way, r.blocks] = median(r[f"samples_{unit}"]) / r.block_bytes
        heads = ("permutation", "back end", "operation", "one", "one call")
        table = Table(
            f"{unit} for a byte",
            (*heads, *(f"{n} blocks" for n in perms.BATCHES)),
            tuple(
                (*key, *(f"{line[way]:.3f}" if way in line else "" for way in ways))
                for key, line in lines.items()
            ),
        )
        return Result(timed, (table,), (SHARED,))


def permutation_speed(names: Sequence[str] = (), **options: Any) -> Result[PermutationRow]:
    """Measure permutations; `options` are those of `PermutationSpeed`."""
    return conduct(PermutationSpeed(tuple(names), **options))


def time_permutations(
    subjects: Sequence[perms.PermutationSubject], samples: int, command: str, run: Run
) -> Batches:
    """The work of one run: a row for each subject."""
    timed = perms.measure(subjects, samples=samples, progress=run.counted)
    yield [PermutationRow.make(command=command, **fields) for fields in of_one_run(timed)]
