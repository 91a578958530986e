"""Attempts to make fail what must hold, counted: sealed files, memory after use, input, certificates, bounds.

Programs seal and open, and their memory is searched for what was secret. Proofs are spoilt, and two checkers that
share no code have to agree on each. Bounds of random ciphers are compared with all inputs. `sealed_files` has the
attempts on files.
"""

from __future__ import annotations

import random
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from .. import _native, aead, spec
from ..errors import RoundworksError
from ..reproduce.run import Run
from ..rows import Row, TrialRow
from . import inputs
from .drawn_ciphers import check
from .memory import python_leaves
from .result import Result, Table
from .sealed_files import (
    damage_disk,
    flip_bit,
    kill,
    limit_resources,
    mix_chunks,
    prepare,
    truncate,
    write_twice,
)
from .study import Batches, Study, Unit, conduct

_NAMED = 5  # failures that a row names
Attempt = Callable[[random.Random, Path, int], str]
"""Tries something in a folder, for the n-th time; what went wrong, or nothing."""


@dataclass(frozen=True, slots=True)
class _Trial:
    part: str
    name: str
    about: str
    attempt: Attempt
    quick: int
    full: int


@dataclass(frozen=True, slots=True)
class Trials(Study[Result[TrialRow]]):
    """Every trial, quick (seconds) or in full (minutes); the random choices follow from ``seed``."""

    full: bool = False
    seed: int = 1
    parts: tuple[str, ...] = ()
    attempts: int | None = None
    """Of each trial, in place of its own number."""

    def plan(self) -> Sequence[Unit]:
        """A unit for each trial."""
        command = "roundworks trials" + " --full" * self.full + f" --seed {self.seed}"
        if self.attempts is not None:
            command += f" --attempts {self.attempts}"
        return [
            Unit(
                one.name,
                command,
                partial(
                    _run, one, self.attempts or (one.full if self.full else one.quick), self.seed, command
                ),
            )
            for one in TRIALS
            if not self.parts or one.part in self.parts
        ]

    def reduce(self, rows: Sequence[Row]) -> Result[TrialRow]:
        """A line for each trial; those that failed are named below."""
        trials = tuple(row for row in rows if isinstance(row, TrialRow))
        lines = tuple((r.part, r.name, r.tried, r.passed, r.about, f"{r.seconds:,.1f}") for r in trials)
        columns = ("part", "trial", "tried", "passed", "what was done, and what must hold", "seconds")
        notes = tuple(f"{row.name}: {text}" for row in trials for text in row.failed)
        return Result(trials, (Table("", columns, lines),), notes)


def trials(*, full: bool = False, seed: int = 1, parts: Sequence[str] = ()) -> Result[TrialRow]:
    """Run the trials of these parts, all unless given; see `Trials`."""
    return conduct(Trials(full, seed, tuple(parts)))


def _run(trial: _Trial, count: int, seed: int, command: str, run: Run) -> Batches:
    started, failed = time.perf_counter(), []
    rng = random.Random(f"{seed} {trial.name}")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        prepare(folder)
        for number in range(count):
            if why := trial.attempt(rng, folder, number):
                failed.append(f"attempt {number}: {why}")
            run.progress((number + 1) / count)
    yield [
        TrialRow.make(
            seconds=round(time.perf_counter() - started, 3),
            command=command,
            part=trial.part,
            name=trial.name,
            about=trial.about,
            tried=count,
            passed=count - len(failed),
            failed=failed[:_NAMED],
            seed=seed,
        )
    ]


def _certificate(rng: random.Random, folder: Path, number: int) -> str:
    """A formula without a solution, its proof, and the proof with a byte changed: two checkers agree."""
    from ..prove.solvers.clauses import dimacs
    from ..prove.solvers.proofs import traced
    from ..prove.solvers.second_checker import accepts

    cnf, lrat = folder / "x.cnf", folder / "x.lrat"
    variables = rng.randint(5, 25)
    while True:  # eight clauses a variable: nearly all have none
        drawn = (rng.sample(range(1, variables + 1), 3) for _ in range(8 * variables))
        clauses = [tuple(rng.choice((-1, 1)) * variable for variable in three) for three in drawn]
        if not traced(clauses, lrat, lambda: False):
            break
    cnf.write_bytes(dimacs(variables, clauses))
    proof = lrat.read_bytes()
    if not _accepted(cnf, lrat) or not accepts(variables, clauses, proof):
        return "a proof that CaDiCaL wrote is refused"
    spoilt = bytearray(proof)
    for _ in range(rng.randint(1, 3)):
        spoilt[rng.randrange(len(spoilt))] = rng.randrange(256)
    lrat.write_bytes(spoilt)
    verdicts = _accepted(cnf, lrat), accepts(variables, clauses, bytes(spoilt))
    return (
        ""
        if verdicts[0] == verdicts[1]
        else f"the first checker says {verdicts[0]}, the second {verdicts[1]}"
    )


def _accepted(cnf: Path, lrat: Path) -> bool:
    try:
        _native.check_lrat(cnf, lrat)
    except RoundworksError:
        return False
    return True


def _memory(rng: random.Random, folder: Path, number: int) -> str:
    """A random cipher on a random back end of this CPU."""
    ours = [facts.name for facts in spec.ciphers() if facts.backends]
    names = [(name, backend) for name in ours for backend, there in aead.get(name).backends() if there]
    name, backend = rng.choice(names)
    left = python_leaves(name, backend, rng, incremental=False)
    return f"{name}, {backend}: {'; '.join(left)}" if left else ""


TRIALS = (
    _Trial(
        "files",
        "bit flips",
        "one bit of a sealed file is changed: refused, nothing is written",
        flip_bit,
        100,
        1000,
    ),
    _Trial(
        "files",
        "truncation",
        "a sealed file is cut: in full, at every byte: refused, nothing is written",
        truncate,
        100,
        428,
    ),
    _Trial(
        "files",
        "chunks",
        "chunks are dropped, doubled, reordered or taken from another file: refused, nothing is written",
        mix_chunks,
        100,
        1000,
    ),
    _Trial(
        "files",
        "kill, seal",
        "SIGKILL at a random moment of `seal`: no output or all of it",
        partial(kill, "seal"),
        10,
        500,
    ),
    _Trial(
        "files",
        "kill, open",
        "SIGKILL at a random moment of `open`: no plaintext or all of it",
        partial(kill, "open"),
        10,
        500,
    ),
    _Trial(
        "files",
        "limits",
        "few file descriptors, little stack, memory or disk: the whole output, or one line and none",
        limit_resources,
        10,
        200,
    ),
    _Trial(
        "files",
        "disks",
        "a disk that is full, over quota, damaged or read-only when it is written to, synchronised, or a file is made"
        " or named: one line, no output, nothing left",
        damage_disk,
        10,
        200,
    ),
    _Trial(
        "files",
        "two writers",
        "two programs seal to one name at a time: it is one of both, whole; without --force the other is refused",
        write_twice,
        5,
        200,
    ),
    _Trial(
        "memory",
        "Python",
        "a program sealed and opened, freed the cipher and wiped its key: no key, state or mask is in its memory",
        _memory,
        5,
        200,
    ),
    *(
        _Trial(
            "inputs",
            name,
            f"wrong input, {name}: an exit code after at most {inputs.SECONDS:g} s, no traceback and no panic",
            target,
            2,
            100,
        )
        for name, target in inputs.TARGETS.items()
    ),
    _Trial(
        "certificates",
        "two checkers",
        "a proof as CaDiCaL wrote it and with bytes changed: two checkers of LRAT agree on both",
        _certificate,
        30,
        1000,
    ),
    _Trial(
        "bounds",
        "random ciphers",
        "bounds of a random cipher of 8 bits with its key schedule, cell-wise and bit-wise, are compared with all"
        " inputs: no lower bound above, no upper bound below, nothing impossible seen",
        check,
        10,
        2000,
    ),
)
PARTS = tuple(dict.fromkeys(one.part for one in TRIALS))
