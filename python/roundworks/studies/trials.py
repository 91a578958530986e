"""Attempts to make fail what must hold, counted: sealed files, memory after use, input, certificates, bounds.

Sealed files are cut, changed and mixed, and the programs that make them are killed. Programs seal and open, and
their memory is searched for what was secret. Proofs are spoilt, and two checkers that share no code have to agree
on each. Bounds of random ciphers are compared with all inputs.
"""

from __future__ import annotations

import os
import random
import resource
import signal
import subprocess
import sys
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
from .refusals import CASES, refusing
from .result import Result, Table
from .study import Batches, Study, Unit, conduct

HEADER, CHUNK, TAG = 112, 65536, 16  # bytes [docs/reference/files.md]
_PROGRAM = (sys.executable, "-c", "from roundworks.cli import main; main()")
_KILLED_MIB = 24  # long enough to be killed at every step of the work
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
        _prepare(folder)
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


def _prepare(folder: Path) -> None:
    """A key, two files of a few chunks and one of a few bytes, each sealed."""
    _native.create_key_file(folder / "key")
    for name, size in (("one", 3 * CHUNK + 1234), ("two", 3 * CHUNK + 1234), ("small", 300)):
        (folder / name).write_bytes(os.urandom(size))
        _native.seal_file(folder / name, folder / f"{name}.sealed", key_file=folder / "key", sync=False)
    (folder / "large").write_bytes(os.urandom(_KILLED_MIB << 20))
    _native.seal_file(folder / "large", folder / "large.sealed", key_file=folder / "key", sync=False)


def _refused(folder: Path, sealed: bytes) -> str:
    """What is wrong unless the file is refused and nothing is written."""
    damaged, out = folder / "damaged", folder / "out"
    damaged.write_bytes(sealed)
    before = set(os.listdir(folder))
    try:
        _native.open_file(damaged, out, key_file=folder / "key", sync=False)
    except RoundworksError:
        left = set(os.listdir(folder)) - before
        for name in left:
            (folder / name).unlink()
        return f"refused, and left {', '.join(sorted(left))}" if left else ""
    out.unlink()
    return "opened"


def _flip(rng: random.Random, folder: Path, number: int) -> str:
    sealed = bytearray((folder / "one.sealed").read_bytes())
    bit = rng.randrange(8 * len(sealed))
    sealed[bit // 8] ^= 1 << bit % 8
    return (why := _refused(folder, bytes(sealed))) and f"bit {bit}: {why}"


def _truncate(rng: random.Random, folder: Path, number: int) -> str:
    sealed = (folder / "small.sealed").read_bytes()
    length = 7 * number % len(sealed)  # every length comes once
    return (why := _refused(folder, sealed[:length])) and f"{length} bytes: {why}"


def _mix(rng: random.Random, folder: Path, number: int) -> str:
    """Chunks dropped, doubled, exchanged, or taken from another file under the same key."""
    one, two = ((folder / f"{name}.sealed").read_bytes() for name in ("one", "two"))
    cut = [[s[at : at + CHUNK + TAG] for at in range(HEADER, len(s), CHUNK + TAG)] for s in (one, two)]
    own, foreign = cut
    while True:
        chunks = [rng.choice((own, own, foreign))[rng.randrange(len(own))] for _ in range(rng.randint(0, 6))]
        if chunks != own:
            break
    header = one[:HEADER]
    return (why := _refused(folder, header + b"".join(chunks))) and f"{len(chunks)} chunks: {why}"


def _kill(verb: str, rng: random.Random, folder: Path, number: int) -> str:
    """A program killed at a random moment leaves nothing, or everything."""
    source = folder / ("large" if verb == "seal" else "large.sealed")
    out, before = folder / "killed", set(os.listdir(folder))
    words = (*_PROGRAM, verb, "--key", "key", source.name, "-o", out.name)
    process = subprocess.Popen(words, cwd=folder, stderr=subprocess.DEVNULL)
    try:
        process.wait(rng.uniform(0, 0.5))
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGKILL)
        process.wait()
    left = set(os.listdir(folder)) - before
    why = ""
    if out.name in left:
        if verb == "open":
            why = "" if out.read_bytes() == (folder / "large").read_bytes() else "half an output"
        else:
            _native.open_file(out, folder / "again", key_file=folder / "key", sync=False)
            (folder / "again").unlink()
    if left - {out.name}:
        why = f"left {', '.join(sorted(left))}"
    for name in left:
        (folder / name).unlink()
    return why


# Below these Python itself does not start: 96 KiB of stack, five file descriptors.
_LIMITS = (
    (resource.RLIMIT_NOFILE, (5, 6, 8)),
    (resource.RLIMIT_STACK, (96 << 10, 128 << 10, 1 << 20)),
    (resource.RLIMIT_FSIZE, (0, 1000, 1 << 20)),
    (resource.RLIMIT_AS, (200 << 20, 400 << 20, 1 << 30)),
)


def _limit(rng: random.Random, folder: Path, number: int) -> str:
    """Under a limit of the system: the whole output, or an error of one line and none."""
    which, values = rng.choice(_LIMITS)
    value = rng.choice(values)
    verb, source = rng.choice((("seal", "large"), ("open", "large.sealed")))
    words = (*_PROGRAM, verb, "--key", "key", source, "-o", "limited")
    done = subprocess.run(
        words,
        cwd=folder,
        check=False,
        capture_output=True,
        text=True,
        preexec_fn=lambda: resource.setrlimit(which, (value, value)),
    )
    return (why := _half(done, folder, "limited")) and f"limit {which} of {value}, {verb}: {why}"


def _half(done: subprocess.CompletedProcess[str], folder: Path, name: str) -> str:
    """What is wrong unless a program made its output, or none and an error of one line."""
    is_there = (folder / name).exists()
    (folder / name).unlink(missing_ok=True)
    if (done.returncode == 0) == is_there and (is_there or len(done.stderr.splitlines()) == 1):
        return ""
    return f"status {done.returncode}, {done.stderr.strip()[-200:]!r}"


def _disk(rng: random.Random, folder: Path, number: int) -> str:
    """On a disk that is full, damaged or read-only: an error of one line, no output and nothing else."""
    what, error, calls = CASES[number % len(CASES)]
    verb, source = rng.choice((("seal", "one"), ("open", "one.sealed"), ("seal", "small"), ("keygen", "")))
    words = [*_PROGRAM, *(("keygen", "refused") if verb == "keygen" else ())]
    if verb != "keygen":
        words += [verb, "--key", "key", source, "-o", "refused"]
    before = set(os.listdir(folder))
    try:
        done = subprocess.run(
            words,
            cwd=folder,
            check=False,
            capture_output=True,
            text=True,
            env=os.environ | {"PYTHONDONTWRITEBYTECODE": "1"},
            preexec_fn=refusing(error, calls),
        )
    except subprocess.SubprocessError:
        raise RoundworksError("a filter of system calls cannot be set here") from None
    why = _half(done, folder, "refused")
    if not why and done.returncode == 0:
        why = "no error"
    left = set(os.listdir(folder)) - before
    for name in left:
        (folder / name).unlink()
    why += f"left {', '.join(sorted(left))}" * bool(left)
    return why and f"{what}, {verb}: {why}"


def _opens_to(folder: Path, sealed: str, wanted: Sequence[str]) -> str:
    """What is wrong unless a sealed file has the content of one of these."""
    try:
        _native.open_file(folder / sealed, folder / "opened", key_file=folder / "key", sync=False)
    except RoundworksError as error:
        return f"refused: {error}"
    opened = (folder / "opened").read_bytes()
    (folder / "opened").unlink()
    return "" if any(opened == (folder / name).read_bytes() for name in wanted) else "another content"


def _two_writers(rng: random.Random, folder: Path, number: int) -> str:
    """Two programs seal two files to one name at a time: the name is one of both, whole, and nothing else is left."""
    before, force = set(os.listdir(folder)), rng.random() < 0.5
    words = [
        [*_PROGRAM, "seal", "--key", "key", name, "-o", "both"] + ["-f"] * force for name in ("one", "two")
    ]
    started = [subprocess.Popen(each, cwd=folder, stderr=subprocess.DEVNULL) for each in words]
    ended = [process.wait() for process in started]
    if ended != [0, 0] if force else sorted(ended) != [0, 2]:
        why = f"status {ended[0]} and {ended[1]}"
    else:
        wanted = [name for name, status in zip(("one", "two"), ended, strict=True) if status == 0]
        why = _opens_to(folder, "both", wanted)
    left = set(os.listdir(folder)) - before - {"both"}
    for name in left | {"both"}:
        (folder / name).unlink(missing_ok=True)
    return why + f"left {', '.join(sorted(left))}" * bool(left)


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
        _flip,
        100,
        1000,
    ),
    _Trial(
        "files",
        "truncation",
        "a sealed file is cut: in full, at every byte: refused, nothing is written",
        _truncate,
        100,
        428,
    ),
    _Trial(
        "files",
        "chunks",
        "chunks are dropped, doubled, reordered or taken from another file: refused, nothing is written",
        _mix,
        100,
        1000,
    ),
    _Trial(
        "files",
        "kill, seal",
        "SIGKILL at a random moment of `seal`: no output or all of it",
        partial(_kill, "seal"),
        10,
        500,
    ),
    _Trial(
        "files",
        "kill, open",
        "SIGKILL at a random moment of `open`: no plaintext or all of it",
        partial(_kill, "open"),
        10,
        500,
    ),
    _Trial(
        "files",
        "limits",
        "few file descriptors, little stack, memory or disk: the whole output, or one line and none",
        _limit,
        10,
        200,
    ),
    _Trial(
        "files",
        "disks",
        "a disk that is full, over quota, damaged or read-only when it is written to, synchronised, or a file is made"
        " or named: one line, no output, nothing left",
        _disk,
        10,
        200,
    ),
    _Trial(
        "files",
        "two writers",
        "two programs seal to one name at a time: it is one of both, whole; without --force the other is refused",
        _two_writers,
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
