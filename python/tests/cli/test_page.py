"""`report --compute`: what is quick is computed, what is stored is said to be, one bar over all."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from report_site import text_of
from roundworks import spec
from roundworks.cli.main import cli
from roundworks.cli.progress import ProgressBar
from roundworks.errors import ToolMissing
from roundworks.report import frame
from roundworks.report.frame import origin
from roundworks.reproduce import FILES, Run
from roundworks.rows import Row, Store, row
from roundworks.studies import page
from roundworks.studies.study import Unit

OLD = "2026-11-20T10:00:00Z"


def a_row(command: str, seconds: float, **changes: Any) -> Row:
    fields = {
        "words": 9,
        "inputs": 3,
        "active": 8,
        "candidates": 10,
        "searched": 10,
        "found": 2,
        "complete": True,
        "threads": 2,
    }
    return row("search", seconds=seconds, command=command, **fields | changes)


def a_step(command: str, *rows: Row, error: Exception | None = None) -> Unit:
    def compute(run: Run) -> Iterator[list[Row]]:
        if error is not None:
            raise error
        yield list(rows)

    return Unit(command, command, compute)


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Store:
    """Five steps in place of all, and a store that knows of two."""
    monkeypatch.setenv("ROUNDWORKS_RESULTS", str(tmp_path / "results"))

    class Speed:
        def __init__(self, samples: int) -> None: ...

        def plan(self) -> list[Unit]:
            return [a_step("speed", a_row("speed", 0.1, words=6))]

    monkeypatch.setattr(
        page,
        "everything",
        lambda: [
            a_step("quick", a_row("quick", 0.1)),
            a_step("long", a_row("long", 60.0, words=4)),
            a_step("tool", error=ToolMissing("yosys: not here")),
            a_step("extra", error=ModuleNotFoundError("want pysat, which is not installed")),
        ],
    )
    monkeypatch.setattr(page, "vector_unit", lambda every: a_step("vectors", a_row("vectors", 0.1, words=5)))
    monkeypatch.setattr(page, "Speed", Speed)
    store = Store()
    store.append(
        [
            a_row("long", 40.0, words=4, time=OLD),
            a_row("long", 30.0, words=3, time=OLD),
            a_row("quick", 0.1, time=OLD),
            a_row("quick", 99.0, time="2026-11-21T10:00:00Z"),
        ]
    )
    return store


def test_what_runs_took() -> None:
    rows = [
        a_row("one", 1.0, time="2026-11-20T10:00:00Z"),
        a_row("other", 7.0, time=OLD),
        a_row("one", 2.0, time="2026-11-20T10:00:01Z"),
        a_row("one", 4.0, time="2026-11-20T10:00:09Z"),
    ]
    assert page.seconds_of(rows, ["one", "never"]) == {"one": [3.0, 4.0]}


def test_quick_steps_are_computed_and_stored_and_the_others_named(few: Store) -> None:
    begun: list[str] = []
    outcome = page.compute(few, page.planned(few.read()), begin=lambda part: begun.append(part.unit.command))
    assert begun == ["vectors", "quick", "tool", "extra", "speed"]
    assert [unit.command for unit in outcome.units] == ["vectors", "quick", "speed"]
    assert [(unit.command, spent) for unit, spent in outcome.plan.longer] == [("long", 70.0)]
    assert [(step.command, why) for step, why in outcome.refused] == [
        ("tool", "yosys: not here"),
        ("extra", "want pysat, which is not installed"),
    ]
    assert len(outcome.rows) == 3
    assert len(few.read()) == 4 + 3


def test_when_the_time_is_over_rows_of_before_are_shown(few: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page, "BUDGET", -1.0)
    outcome = page.compute(few, page.planned(few.read()))
    # What has no rows, and the speed of this machine, is computed all the same.
    assert [unit.command for unit in outcome.units] == ["vectors", "speed"]
    assert ("quick", "-1 s were over") in [(unit.command, why) for unit, why in outcome.refused]


def test_page_and_terminal_say_what_is_of_now(
    few: Store, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cli.main(["report", "--compute", "--out", str(tmp_path)], standalone_mode=False)
    said = capsys.readouterr().out
    assert re.search(r"^long +70 s +stored: \S+, 20 November 2026, ", said, re.M)
    assert re.search(r"^tool +yosys: not here +no rows yet", said, re.M)
    assert "computed now on this machine: 3 parts, 3 rows" in said
    assert said.splitlines()[-1] == (tmp_path / "index.html").as_uri()
    html = text_of(tmp_path / "index.html")
    assert "Computed now, and stored" in html
    assert "3 of 7 rows computed now on this machine, the others stored: " in html


def test_without_computing_all_is_stored(few: Store, tmp_path: Path) -> None:
    cli.main(["report", "--out", str(tmp_path)], standalone_mode=False)
    html = text_of(tmp_path / "index.html")
    assert "computed now" not in html.lower()
    assert "Stored: " in html


def test_words_for_where_rows_are_from() -> None:
    old = a_row("x", 1.0, time=OLD, machine="m-1", commit="3e0860c")
    later = replace(old, time="2026-11-23T10:00:00Z", commit="0bad2ea")
    assert origin([old]) == "stored: m-1, 20 November 2026, commit 3e0860c"
    assert origin([old, later]) == "stored: m-1, 20 November 2026 to 23 November 2026, 2 commits"
    token = frame.SINCE.set(datetime(2026, 11, 23, tzinfo=UTC))
    try:
        assert origin([later]) == "computed now on this machine"
        assert origin([old, later]).startswith("1 of 2 rows computed now on this machine, the others")
    finally:
        frame.SINCE.reset(token)


def test_the_bar_is_as_wide_as_the_seconds_and_ends_full() -> None:
    bar = ProgressBar([("a", 1.0), ("b", 3.0)])
    task = bar._bar.tasks[0]
    with bar.shown():
        bar.begin()
        assert (task.total, task.completed) == (4.0, 0.0)
        bar.show(0.5)
        assert task.completed == 0.5
        bar.begin()
        bar.show(1.0)
        assert task.completed == task.total


def test_every_table_that_is_listed_is_computed_by_its_file() -> None:
    for files in FILES.values():
        for file, numbers in files.items():
            module = importlib.import_module(f"roundworks.reproduce.{file}")
            for number in numbers:
                assert callable(getattr(module, f"table_{number.replace('-', '_')}"))
    assert set(FILES) <= {paper.key for paper in spec.papers()}


def test_steps_are_named_by_commands_that_exist() -> None:
    results = [*page.everything(), page.vector_unit(every=False)]
    commands = [step.command for step in results]
    assert len(set(commands)) == len(commands)
    for command in {" ".join(command.split()[:2]) for command in commands}:
        assert cli.get_command(None, command.split()[1]) is not None  # type: ignore[arg-type]
