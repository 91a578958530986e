"""The runner of studies: the same result whatever ends meanwhile, with real processes and real SIGKILLs."""

from __future__ import annotations

import contextlib
import os
import pickle
import signal
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from counting import Counting, client, computed, done, primes, result, until, wanted
from roundworks import ledger as ledgers
from roundworks import machine
from roundworks.errors import LedgerError, StudyError
from roundworks.ledger import Ledger, key_of, statuses
from roundworks.reproduce.run import Run
from roundworks.studies import pools, runner, worker
from roundworks.studies.pools import Processes, WorkerDied
from roundworks.studies.runner import StudyStanding, distribute
from roundworks.studies.study import Batches

AHEAD = 3 * 2  # units in flight on two processes


def children(pid: int) -> list[int]:
    """Processes of the pool of a client, without the one that watches their resources."""
    text = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    commands = {int(p): Path(f"/proc/{p}/cmdline").read_bytes() for p in text}
    return [p for p, command in commands.items() if b"spawn_main" in command]


def test_a_study_in_processes_and_again_from_its_ledger(tmp_path: Path) -> None:
    heard: list[StudyStanding] = []
    log = tmp_path / "log"
    log.mkdir()
    study, file = Counting(30, seconds=0.02, log=str(log)), tmp_path / "l.sqlite"
    first = distribute(study, file, hear=heard.append)
    assert (first.value, first.done, first.known, first.stopped) == (wanted(30), 30, 0, False)
    assert set(computed(log).values()) == {1}
    assert all(now.units == 30 and now.in_flight <= 3 * now.workers for now in heard)
    second = distribute(study, file)
    assert set(computed(log).values()) == {1}
    assert (second.value, second.done, second.known, second.pool) == (wanted(30), 30, 30, "")
    (status,) = statuses(file)
    assert (status.units, status.done, status.failed, status.claimed) == (30, 30, 0, 0)
    assert status.best == f"primes {primes(0, 3000):,}" and not status.running


def test_a_longer_plan_takes_what_is_there_and_again_computes_it(tmp_path: Path) -> None:
    file = tmp_path / "l.sqlite"
    assert distribute(Counting(1), file).pool == "this process"
    longer = distribute(Counting(2), file)
    assert (longer.value, longer.known) == (wanted(2), 1)
    again = distribute(Counting(2), file, again=True)
    assert (again.value, again.known) == (wanted(2), 0)
    other = distribute(Counting(2), file, run=Run("full"))  # another profile, other units
    assert other.known == 0


def test_without_a_ledger_nothing_is_kept(tmp_path: Path) -> None:
    assert distribute(Counting(2, log=str(tmp_path))).value == wanted(2)
    assert distribute(Counting(2, log=str(tmp_path))).value == wanted(2)
    assert computed(tmp_path) == {0: 2, 1: 2}


def test_failed_units_are_named_and_tried_again(tmp_path: Path) -> None:
    file = tmp_path / "l.sqlite"
    with pytest.raises(
        StudyError, match=r"^1 of 4 units failed: range 2: ValueError: range 2 is wrong; the same"
    ):
        distribute(Counting(4, wrong=(2,)), file)
    (status,) = statuses(file)
    assert (status.done, status.failed, status.claimed) == (3, 1, 0)
    assert distribute(Counting(4), file).value == wanted(4)


def test_a_run_does_not_tell_of_failures_before_it(tmp_path: Path) -> None:
    file, key = tmp_path / "l.sqlite", key_of("a unit")
    with Ledger(file) as kept:
        kept.begin("roundworks count", "", [key])
        kept.claim(key, 0, "range 0")
        kept.failed(key, "ValueError: wrong", "")
        kept.flush()
        assert kept.failures() == [("range 0", "ValueError: wrong")]
        kept.begin("roundworks count", "", [key])
        assert not kept.failures()  # also where Ctrl-C comes before the unit does


class Interrupted(Counting):
    """Each unit ends by Ctrl-C with what it has, as a solver does that returns its bounds so far."""

    def plan(self):  # type: ignore[no-untyped-def]
        return [replace(unit, work=cut_off) for unit in Counting(1).plan()]


def cut_off(run: Run) -> Batches:
    with contextlib.suppress(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)
    yield from Counting(1).plan()[0].work(run)


def test_a_unit_that_ctrl_c_cut_off_is_not_done(tmp_path: Path) -> None:
    file = tmp_path / "l.sqlite"
    stopped = distribute(Interrupted(1), file)
    assert (stopped.done, stopped.stopped, stopped.value) == (0, True, (0, 0))
    (status,) = statuses(file)
    assert (status.done, status.failed) == (0, 0)


@pytest.mark.long
@pytest.mark.parametrize("where", [None, "local:2"])
def test_a_unit_that_ends_its_workers_fails_alone(tmp_path: Path, where: str | None) -> None:
    file = tmp_path / "l.sqlite"
    with pytest.raises(StudyError, match=r"1 of 9 units failed: range 1: its worker ended 3 times without"):
        distribute(Counting(9, deadly=(1,)), file, where)
    (status,) = statuses(file)
    assert (status.done, status.failed, status.claimed) == (8, 1, 0)


@pytest.mark.long
def test_short_units_go_in_one_task(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where one of them ends its worker: the others are done, each of them once in the end."""
    log, sizes, submit = tmp_path / "log", list[int](), Processes.submit

    def counted(self: Processes, payload: bytes, *more: Any) -> None:
        sizes.append(len(pickle.loads(payload)))
        submit(self, payload, *more)

    monkeypatch.setattr(Processes, "submit", counted)
    monkeypatch.setattr(runner, "_TASK", 100.0)  # whatever this machine takes for one
    log.mkdir()
    assert distribute(Counting(400, size=10, log=str(log)), tmp_path / "a").value[0] == 4000
    # On a busy machine a task may leave units to another, which are then sent twice.
    assert sizes[0] == 1 and max(sizes) > 4 and sum(sizes) >= 400
    assert set(computed(log).values()) == {1}
    with pytest.raises(
        StudyError, match=r"1 of 400 units failed: range 300: its worker ended 3 times without"
    ):
        distribute(Counting(400, size=10, deadly=(300,)), tmp_path / "b")
    (status,) = statuses(tmp_path / "b")
    assert (status.done, status.failed, status.claimed) == (399, 1, 0)


def test_a_task_that_takes_long_is_left_to_others(monkeypatch: pytest.MonkeyPatch) -> None:
    works = [unit.work for unit in Counting(5, seconds=0.01).plan()]
    monkeypatch.setattr(worker, "_LONG", 0.015)
    outcomes = worker.execute(pickle.dumps(works), worker.code_of(works[0]), "quick")
    assert 1 <= len(outcomes) < 5 and all(one.rows and not one.refused for one in outcomes)
    (refused,) = worker.execute(b"not read", ("other", ""), "quick")
    assert refused.refused


def test_two_equal_units_are_refused(tmp_path: Path) -> None:
    class Twice(Counting):
        def plan(self):  # type: ignore[no-untyped-def]
            return [*super().plan(), *super().plan()]

    with pytest.raises(StudyError, match="two units of the plan are the same"):
        distribute(Twice(2), tmp_path / "l")
    with pytest.raises(TypeError, match="plain values and functions of modules"):
        key_of("a", object())


def test_kill_9_of_workers(tmp_path: Path) -> None:
    file, log = tmp_path / "l.sqlite", tmp_path / "log"
    process = client(file, 60, 0.05, log)
    for units in (3, 20):
        until(lambda units=units: done(file) >= units and children(process.pid), process)
        os.kill(children(process.pid)[0], signal.SIGKILL)
    assert result(process) == wanted(60)
    again = computed(log).total() - 60
    assert 0 <= again <= 2 * AHEAD, "at most the units in flight are computed again"
    (status,) = statuses(file)
    assert (status.done, status.failed) == (60, 0)


@pytest.mark.parametrize("tasks", [1, 2])
def test_a_process_started_while_another_dies_is_ended(tasks: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before Python 3.12 an executor may not know of it when it ends all its processes."""
    monkeypatch.setattr(pools, "_PATIENCE", 0.1)
    pool, back = Processes(2, "quick"), list[Any]()
    (unit,) = Counting(1, deadly=(0,)).plan()
    payload, code = pickle.dumps([unit.work]), worker.code_of(unit.work)
    pool._executor._spawn_process()  # type: ignore[attr-defined]
    unknown, _ = pool._executor._processes.popitem()
    os.kill(unknown, signal.SIGSTOP)  # it takes no task
    for task in range(tasks):
        pool.submit(payload, code, back.append, ())
        until(lambda task=task: len(back) == task + 1)
    pool.close()
    assert [type(one) for one in back] == [WorkerDied] * tasks


def test_a_task_taken_while_a_process_dies_is_heard_of(monkeypatch: pytest.MonkeyPatch) -> None:
    pool, back = Processes(2, "quick"), list[Any]()
    (unit,) = Counting(1).plan()
    payload, code = pickle.dumps([unit.work]), worker.code_of(unit.work)
    with closing(pool):
        pool.submit(payload, code, back.append, ())
        until(lambda: back)
        with monkeypatch.context() as patched:
            patched.setattr(pool, "_send", lambda *_: Future[Any]())  # no process will ever hear of it
            pool.submit(payload, code, back.append, ())
        assert pool.lost() == "" and len(back) == 1
        os.kill(children(os.getpid())[0], signal.SIGKILL)
        until(lambda: pool.lost() == "" and len(back) == 2)
        assert isinstance(back.pop(), WorkerDied)
        pool.submit(payload, code, back.append, ())
        until(lambda: len(back) == 2)
        assert back[1][0].rows


def test_kill_9_of_the_client(tmp_path: Path) -> None:
    file, log = tmp_path / "l.sqlite", tmp_path / "log"
    process = client(file, 60, 0.05, log)
    until(lambda: done(file) >= 5 and children(process.pid), process)
    workers = children(process.pid)
    process.kill()
    process.communicate()
    lines = [Path(f"/proc/{pid}/cmdline") for pid in workers]
    until(lambda: not any(line.is_file() and line.read_bytes() for line in lines))
    (left,) = statuses(file)
    assert not left.running and 5 <= left.done < 60 and left.claimed <= AHEAD
    assert result(client(file, 60, 0.05, log)) == wanted(60)
    # In flight, or gathered since the last transaction: half a second of two processes.
    assert computed(log).total() <= 60 + AHEAD + 20
    assert all(computed(log)[place] <= 2 for place in range(60))


def test_two_runners_on_one_ledger(tmp_path: Path) -> None:
    file, log = tmp_path / "l.sqlite", tmp_path / "log"
    first = client(file, 20, 0.1, log)
    until(lambda: file.is_file() and statuses(file), first)
    second = client(file, 20, 0.1, log)
    _, errors = second.communicate(timeout=60)
    assert second.returncode == 1 and errors.count("\n") == 1
    assert f"l.sqlite: in use by another run (process {first.pid} on " in errors
    assert result(first) == wanted(20)
    assert set(computed(log).values()) == {1}


def test_a_full_disk(tmp_path: Path) -> None:
    """The file may not grow beyond a limit; what was stored before is whole, and the same command goes on."""
    file, log = tmp_path / "l.sqlite", tmp_path / "log"
    process = client(file, 400, 0.001, log, limit=100_000)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 1 and errors.count("\n") == 1, errors
    assert "l.sqlite: " in errors and "free space, and repeat the same command" in errors
    before = done(file)
    assert before < 400
    assert result(client(file, 400, 0.001, log)) == wanted(400)
    assert done(file) == 400


def test_files_that_are_no_ledgers_are_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "diary"
    for text in ("dear diary\n", "x" * 5000):
        file.write_text(text)
        with pytest.raises(LedgerError, match="not a ledger; name another file"):
            distribute(Counting(1), file)
        assert file.read_text() == text
        with pytest.raises(LedgerError, match="name another file"):
            statuses(file)
    with pytest.raises(LedgerError, match="no such ledger"):
        statuses(tmp_path / "none")


def test_another_version_of_the_code_computes_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "l.sqlite"
    distribute(Counting(1), file)
    monkeypatch.setattr(machine, "code", lambda: "another")
    assert distribute(Counting(1), file).known == 0
    assert [status.code for status in statuses(file)][-1] == "another"


def test_a_transaction_is_whole_or_not_there(tmp_path: Path) -> None:
    """A ledger cut off at any write has units with all their rows, or without any."""
    file = tmp_path / "l.sqlite"
    keys = [key_of(i) for i in range(3)]
    with Ledger(file) as kept:
        assert kept.begin("roundworks count", "code", keys) == set()
        for place, key in enumerate(keys):
            kept.claim(key, place, f"unit {place}")
        kept.done(keys[0], [{"kind": "search", "machine": "m", "found": 1}] * 2, "w", 1.0)
        kept.flush()
        kept.done(keys[1], [{"kind": "search", "machine": "m", "found": 2}], "w", 1.0)
    (status,) = statuses(file)
    assert (status.done, status.claimed) == (1, 2)
    with Ledger(file) as kept:
        assert kept.begin("roundworks count", "code", keys) == {keys[0]}
        assert list(kept.rows()) == [[{"kind": "search", "machine": "m", "found": 1}] * 2]
        kept.claim(keys[0], 0, "unit 0")  # a unit that is done stays so
        kept.done(keys[0], [], "w", 1.0)
        kept.flush()
        assert sum(len(rows) for rows in kept.rows()) == 2
    with ledgers.reading(file) as connection:
        assert connection.execute("SELECT COUNT(*) FROM origin").fetchone() == (1,)


@pytest.fixture(autouse=True)
def no_process_is_left() -> Iterator[None]:
    before = set(children(os.getpid()))
    yield
    until(lambda: set(children(os.getpid())) <= before)
