"""A study on Dask: a killed worker, a worker with other code, a killed scheduler; on a real Slurm."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
from pathlib import Path

import pytest

from calls import command
from counting import client, computed, done, result, until, wanted
from daskers import SUPPORT, changed_package, dask
from roundworks.analysis.search import search as engine
from roundworks.errors import StudyError
from roundworks.ledger import statuses
from roundworks.reproduce.run import Run
from roundworks.studies.pools import opened
from slurm import slurm

ROUNDS = int(os.environ.get("FAULT_ROUNDS", "10"))  # `make faults` runs 50


@pytest.mark.long
def test_three_workers_one_killed_and_one_of_other_code_refused(tmp_path: Path) -> None:
    file, log = tmp_path / "l.sqlite", tmp_path / "log"
    with dask(tmp_path, 2) as them:
        them.start_worker(changed_package(tmp_path / "package"))
        process = client(file, 60, 0.05, log, them.address)
        until(lambda: done(file) >= 20, process)
        them.workers[0].send_signal(signal.SIGKILL)
        out, errors = process.communicate(timeout=120)
        assert process.returncode == 0, errors
    assert tuple(map(int, out.splitlines()[-1].split())) == wanted(60)
    assert out.count(": has code ") == 1 and out.count(": refused") == 1, out
    again = computed(log).total() - 60
    assert 0 <= again <= 9, "at most the units in flight are computed again"
    (status,) = statuses(file)
    assert (status.done, status.failed, status.claimed) == (60, 0, 0)


@pytest.mark.parametrize("where", ["locale:3", "local:0", "slurm:x", "127.0.0.1:8786", "local"])
def test_names_of_clusters_are_checked(where: str) -> None:
    with pytest.raises(StudyError, match=rf"^--cluster: want tcp://HOST:PORT, local:N, .* got '{where}'$"):
        opened(where, 2, Run())


def search(ledger: Path, *cluster: str, environment: dict[str, str] | None = None) -> subprocess.Popen[str]:
    size = ("--words", "11", "--inputs", "4", "--active", "7", "--keep", "3", "--json", "--no-store")
    return subprocess.Popen(
        command("search", *size, "--ledger", str(ledger), *cluster),
        env=os.environ | (environment or {}),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.long  # the parts of a search, Dask and Slurm have tests of their own
def test_a_search_gives_the_same_counts_in_processes_on_dask_and_under_slurm(tmp_path: Path) -> None:
    """Of (11,4) with 7 active F; the engine's own threads count without units."""
    rows = [engine(11, 4, 7, keep=3)]
    outputs = [search(tmp_path / "processes.sqlite").communicate(timeout=200)]
    with dask(tmp_path, 3) as them:
        process = search(tmp_path / "dask.sqlite", "--cluster", them.address)
        until(lambda: done(tmp_path / "dask.sqlite") >= 1, process)
        them.workers[1].send_signal(signal.SIGKILL)
        outputs.append(process.communicate(timeout=200))
    folder = tmp_path / "slurm"
    folder.mkdir()
    with slurm(folder) as environment:
        outputs.append(
            search(tmp_path / "slurm.sqlite", "--cluster", "slurm:2", environment=environment).communicate(
                timeout=200
            )
        )
    for out, errors in outputs:
        assert out, errors
        row = json.loads(out)
        for name in ("candidates", "searched", "found", "complete"):
            assert row[name] == getattr(rows[0], name), name
        assert [(tuple(a), tuple(b)) for a, b in row["structures"]] == list(rows[0].structures)
    assert (rows[0].searched, rows[0].found) == (548_856_000, 26_004)


@pytest.mark.long  # a killed worker has a short test on Dask alone
def test_a_killed_job_of_slurm(tmp_path: Path) -> None:
    file, log, folder = tmp_path / "l.sqlite", tmp_path / "log", tmp_path / "slurm"
    folder.mkdir()
    with slurm(folder) as environment:
        process = client(file, 60, 0.1, log, "slurm:3", environment=environment)
        until(lambda: done(file) >= 5, process)
        listed = subprocess.run(
            ["squeue", "--noheader", "--format=%i"],
            env=os.environ | environment,
            capture_output=True,
            text=True,
            check=True,
        )
        jobs = listed.stdout.split()
        assert len(jobs) == 3
        subprocess.run(
            ["scancel", "--full", "--signal=KILL", jobs[0]], env=os.environ | environment, check=True
        )
        assert result(process) == wanted(60)
    assert computed(log).total() - 60 <= 9
    (status,) = statuses(file)
    assert (status.done, status.failed, status.claimed) == (60, 0, 0)


PBS = """\
jobqueue:
  pbs:
    queue: workq
    cores: 1
    processes: 1
    memory: 500MB
    walltime: "00:20:00"
    interface: lo
    log-directory: {folder}
"""
# A stand-in for PBS: what `qsub` gets is checked for its directives and run; `qdel` ends its process group.
QSUB = """\
#!/bin/sh
cp "$1" {folder}/job; cp "$1" {folder}/job-$$
grep -q '^#PBS -l select=1:ncpus=1:mem=' "$1" && grep -q '^#PBS -q workq' "$1" || exit 1
setsid sh {folder}/job-$$ > {folder}/out-$$ 2>&1 < /dev/null &
echo $!.here
"""
QDEL = """\
#!/bin/sh
for job in "$@"; do kill -- -"${job%.here}"; done
"""


@pytest.mark.long  # starts workers as jobs, as the tests of Slurm
def test_the_jobs_of_pbs(tmp_path: Path) -> None:
    """The job script that is generated, submitted to a stand-in that runs it."""
    folder = tmp_path / "pbs"
    folder.mkdir()
    (folder / "jobqueue.yaml").write_text(PBS.format(folder=folder))
    for name, text in (("qsub", QSUB.replace("{folder}", str(folder))), ("qdel", QDEL)):
        (folder / name).write_text(text)
        (folder / name).chmod(0o755)
    more = {"PATH": f"{folder}:{os.environ['PATH']}", "DASK_CONFIG": str(folder), "PYTHONPATH": str(SUPPORT)}
    process = client(tmp_path / "l.sqlite", 20, 0.01, tmp_path / "log", "pbs:2", environment=more)
    assert result(process) == wanted(20)
    script = (folder / "job").read_text()
    assert "#PBS -l walltime=00:20:00" in script and "distributed.cli.dask_worker" in script


@pytest.mark.long  # a killed worker has a short test
def test_kill_9_of_the_scheduler(tmp_path: Path) -> None:
    file, log = tmp_path / "l.sqlite", tmp_path / "log"
    with dask(tmp_path, 3) as them:
        process = client(file, 100, 0.1, log, them.address)
        until(lambda: done(file) >= 10, process)
        them.scheduler.kill()
        them.scheduler.wait()
        _, errors = process.communicate(timeout=120)
        assert process.returncode == 1
        assert errors.splitlines()[-1] == (
            f"{them.address}: the scheduler is gone; start it again, and repeat the same command"
        )
        for worker in them.workers:  # they end with their scheduler
            worker.wait(timeout=60)
        before = done(file)
        assert 10 <= before < 100
        them.start_scheduler()
        them.start_worker()
        again = client(file, 100, 0.1, log, them.address)
        assert result(again) == wanted(100)
    assert computed(log).total() <= 100 + 9, "at most the units in flight are computed again"


@pytest.mark.long
def test_no_scheduler_there(tmp_path: Path) -> None:
    address = "tcp://127.0.0.1:9"
    process = client(tmp_path / "l.sqlite", 2, 0, tmp_path / "log", address)
    _, errors = process.communicate(timeout=100)
    assert process.returncode == 1
    assert errors.splitlines()[-1].startswith(f"{address}: no scheduler there: ")


@pytest.mark.long  # each of the faults has a test of its own
@pytest.mark.timeout(1800)
def test_rounds_of_faults(tmp_path: Path) -> None:
    """Whatever is killed at whatever time, the final counts are those of an undisturbed run."""
    rng, lost = random.Random(21), 0
    with dask(tmp_path, 3) as them:
        for round_ in range(ROUNDS):
            file, log, units = tmp_path / f"{round_}.sqlite", tmp_path / f"log{round_}", 40
            process = client(file, units, 0.02, log, them.address)
            at = rng.randrange(1, units - 10)
            until(lambda file=file, at=at: done(file) >= at, process)
            victim = rng.choice(("worker", "client", "both"))
            if victim != "client":
                them.kill_worker()
                them.start_worker()
            if victim != "worker":
                process.kill()
                process.communicate()
                process = client(file, units, 0.02, log, them.address)
            assert result(process) == wanted(units), (round_, victim)
            (status,) = statuses(file)
            assert (status.done, status.failed, status.claimed) == (units, 0, 0)
            lost += computed(log).total() - units
    print(f"{lost} units were computed again in {ROUNDS} rounds")
