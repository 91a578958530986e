"""Streaming ciphers as designs: what the word-wise argument of each gives and what it costs, next to one another."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from ..analysis import bounds, determine
from ..analysis.audit import audit as run_audit
from ..analysis.drawing import equations
from ..bench.compiled import Compiled
from ..bench.speed import SpeedWorkload, measure
from ..bounds import Bound
from ..errors import DescriptionError
from ..ratios import GENERATED
from ..reference import StreamAead, record_init, record_round
from ..reproduce.run import Run
from ..rows import BenchRow, DesignRow, Row
from .described import described
from .generated import SIZES, compiled
from .result import Result, Table
from .software import SHARED, of_one_run, speeds
from .study import Batches, Study, Unit, command_line

ROUNDS = 16  # within which diffusion is looked for


@dataclass(frozen=True, slots=True)
class Designs(Study[Result[Row]]):
    """Descriptions compared as designs: a unit for the figures of each, and one for the speed of all.

    Parameters
    ----------
    subjects : tuple of str
        Files of descriptions, and names of the catalogue.
    sizes : tuple of int
        Bytes of a message whose speed is measured.
    samples : int
        Timed windows of each workload; 0 leaves the measurement out.

    Raises
    ------
    UnknownName, DescriptionError
        ``aes: want a streaming AEAD, got a permutation``
    """

    subjects: tuple[str, ...]
    sizes: tuple[int, ...] = SIZES
    samples: int = 30

    def __post_init__(self) -> None:
        for subject in self.subjects:
            streaming(subject)

    @property
    def command(self) -> str:
        """The command line of this study; of a file only its name is kept."""
        words = [Path(subject).name for subject in self.subjects]
        sizes = None if self.sizes == SIZES else list(self.sizes)
        samples = None if self.samples == 30 else self.samples
        return command_line("designs", *words, size=sizes, samples=samples)

    def plan(self) -> Sequence[Unit]:
        """Speed is one unit, because a ratio is of one run."""
        plan = [Unit(Path(s).stem, self.command, partial(_figures, self, s)) for s in self.subjects]
        if self.samples:
            plan.append(Unit("speed of generated code", self.command, partial(_speed, self)))
        return plan

    def reduce(self, rows: Sequence[Row]) -> Result[Row]:
        """Security and cost of each, and the medians of the speeds."""
        designs = [row for row in rows if isinstance(row, DesignRow)]
        benches = [row for row in rows if isinstance(row, BenchRow)]
        argument = (
            "design",
            "collision",
            "bias",
            "collision, log2",
            "bias, log2",
            "guessed words",
            "forgeries",
        )
        cost = ("design", "words", "block, bytes", "F per block", "rounds before the first", "active F there")
        tables = [
            Table("security", argument, tuple(map(_argument, designs))),
            Table("cost", cost, tuple(map(_cost, designs))),
        ]
        if benches:
            tables.append(speeds(benches))
        return Result(tuple(rows), tuple(tables), (SHARED,) if benches else ())


def streaming(subject: str) -> StreamAead[Any]:
    """The streaming cipher of a file or a name."""
    it, _ = described(subject, cipher=True)
    if not isinstance(it, StreamAead):
        raise DescriptionError(f"{it.name}: want a streaming AEAD, got {type(it).__name__}")
    return it


def _figures(study: Designs, subject: str, run: Run) -> Batches:
    started = time.perf_counter()
    cipher = streaming(subject)
    recording = record_round(cipher)
    rounds = len(record_init(cipher))
    units = {(unit.name, unit.input) for unit in recording.graph.units}
    spread = [bound.rounds for bound in bounds.diffusion(cipher, ROUNDS) if bound.value == 100]
    yield [
        DesignRow.make(
            command=study.command,
            cipher=cipher.name,
            source=Path(subject).name,
            words=cipher.words,
            inputs=cipher.rate_words,
            state_bits=cipher.words * cipher.word_bits,
            block_bytes=cipher.rate_bytes,
            f_per_block=len(units) / cipher.rate_words,
            collision=bounds.collision(cipher).value,
            bias=bounds.bias(cipher).value,
            differential=_of_one_f(bounds.differential, cipher),
            correlation=_of_one_f(bounds.correlation, cipher),
            init_rounds=rounds,
            init_active=bounds.active_f(cipher, rounds)[-1].value if rounds else None,
            diffusion_rounds=spread[0] if spread else None,
            guessed=determine.guess_and_determine(cipher).value,
            forgeries=sum(finding.verdict == "forgery" for finding in run_audit(cipher)),
            equations=list(equations(recording)),
            seconds=time.perf_counter() - started,
        )
    ]


def _of_one_f(measure: Callable[[StreamAead[Any]], Bound], cipher: StreamAead[Any]) -> float | None:
    """The exact maximum of one F; None where F has a form for which there is no such computation."""
    try:
        return measure(cipher).value
    except DescriptionError:
        return None


def _speed(study: Designs, run: Run) -> Batches:
    programs: dict[str, Compiled] = {}
    for subject in study.subjects:
        cipher = streaming(subject)
        programs[cipher.name] = compiled(cipher, Path(subject) if subject.endswith(".py") else None)
    loads = [
        SpeedWorkload(name, GENERATED, backend, "c", "encrypt", size, 0)
        for size in study.sizes
        for name, program in programs.items()
        for backend in program.backends()
    ]
    timed = measure(loads, samples=study.samples, progress=run.counted, programs=programs)
    yield [BenchRow.make(command=study.command, **fields) for fields in of_one_run(timed)]


def _argument(row: DesignRow) -> tuple[object, ...]:
    collision, bias = _times(row.collision, row.differential), _times(row.bias, row.correlation)
    return (row.cipher, row.collision, row.bias, collision, bias, row.guessed, row.forgeries)


def _times(active: int | None, each: float | None) -> str | None:
    """Active F times the exact maximum of one, as log2; None where one of them is not known."""
    return None if active is None or each is None else f"{active * each:.1f}"


def _cost(row: DesignRow) -> tuple[object, ...]:
    per = f"{row.f_per_block:.2f}"
    return (row.cipher, row.words, row.block_bytes, per, row.init_rounds, row.init_active)
