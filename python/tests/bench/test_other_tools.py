"""Other tools next to ours: a script that has a value stands for them, and one that has none."""

from __future__ import annotations

import contextlib
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from roundworks.bench import other_tools
from roundworks.bench.other_tool_queries import Query, cryptosmt, ocp
from roundworks.bench.other_tools import Tool, agreement, compared, measured, ran, theirs, version
from roundworks.errors import RoundworksError
from roundworks.ratios import tool_ratios
from roundworks.reference import get_analysed
from roundworks.rows import ComparisonRow, Store

QUERY = Query("skinny-64-64", "active-sboxes", 2, "none")
WHO = "fake: skinny-64-64, active-sboxes, differential, 2 rounds"


def fake(script: str) -> Tool:
    """A tool whose process runs `script`."""
    return Tool("fake", (QUERY,), lambda _, python: [python, "-c", script], re.compile(r"weight (\S+)"))


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A repository with one commit."""
    identity = ["-c", "user.name=n", "-c", "user.email=e", "-c", "commit.gpgsign=false"]
    for words in (["init", "-q"], [*identity, "commit", "-q", "--allow-empty", "-m", "one"]):
        subprocess.run(["git", "-C", str(tmp_path), *words], check=True)
    return tmp_path


def row(script: str, folder: Path, limit: float = 60) -> ComparisonRow:
    """Theirs by `script`, ours as it is."""
    more = {"run": "r", "version": "v", "command": "c"}
    return compared(fake(script), QUERY, folder, sys.executable, limit, **more)


@pytest.fixture
def two(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ours says 2 at once, as it does after a second."""
    bound = {"value": 2, "side": "exact", "certainty": "one-solver", "solver": "s"}
    monkeypatch.setattr(other_tools, "ours", lambda *_: (bound, other_tools.Ended("", 1.0, 0.5)))


def test_both_have_a_value(tmp_path: Path) -> None:
    made = row("print('weight 1.9999999')", tmp_path)
    assert (made.their_value, made.our_value, made.agreement) == (2, 2, "same")
    assert (made.side, made.certainty) == ("exact", "one-solver")
    assert made.their_seconds > 0 and made.our_cpu_seconds > 0


def test_a_correlation_is_squared(tmp_path: Path) -> None:
    for view, wanted in (("differential", 9), ("linear", 18)):
        query = Query("simon-32-64", "trail", 8, "none", view)
        value, _ = theirs(fake("print('weight 9')"), query, tmp_path, sys.executable, 60)
        assert value == wanted


@pytest.mark.usefixtures("two")
def test_a_wrong_value_is_stored_and_an_error(checkout: Path) -> None:
    rows, wrong = measured(fake("print('weight 3')"), [QUERY], checkout, sys.executable, 60, "c")
    assert [made.agreement for made in rows] == ["differ"] and rows[0].version == version(checkout)
    assert wrong == [
        f"other_tools: {WHO}: 3, where ours is 2; one of the two is wrong, or they are not the same query"
    ]
    assert [(r.verdict, r.met) for r in tool_ratios(rows)] == [("the values differ", False)]


def in_folder(folder: Path) -> list[str]:
    """The processes that run in a folder."""
    there = []
    for place in Path("/proc").glob("[0-9]*/cwd"):
        with contextlib.suppress(OSError):
            if place.readlink() == folder:
                there.append(place.parent.name)
    return there


@pytest.mark.usefixtures("two")
def test_the_limit_stops_theirs_and_what_it_started(tmp_path: Path) -> None:
    child = "import subprocess; subprocess.run(['sleep', '1000'])"
    made = row(child, tmp_path, limit=0.5)
    assert (made.their_value, made.agreement) == (None, "open") and made.their_seconds >= 0.5
    for _ in range(1000):
        if not in_folder(tmp_path):
            break
        time.sleep(0.01)
    assert not in_folder(tmp_path)


@pytest.mark.usefixtures("two")
def test_a_crash_is_an_error_and_no_row(checkout: Path) -> None:
    rows, wrong = measured(fake("import no_such_module"), [QUERY], checkout, sys.executable, 60, "c")
    assert rows == []
    assert wrong == [
        f"other_tools: {WHO}: ended with 1: ModuleNotFoundError: No module named 'no_such_module'"
    ]


@pytest.mark.parametrize(("script", "last"), [("print('none')", "none"), ("", "nothing")])
def test_no_value_is_an_error(script: str, last: str, tmp_path: Path) -> None:
    with pytest.raises(RoundworksError, match=f"{WHO}: no value in what it printed: {last}$"):
        row(script, tmp_path)


def test_modules_are_compiled_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    (tmp_path / "module.py").write_text("")
    ran([sys.executable, "-c", "import module"], tmp_path, 60, "who")
    assert list(tmp_path.glob("__pycache__/module.*.pyc"))


def test_what_cannot_start_is_named(tmp_path: Path) -> None:
    with pytest.raises(RoundworksError, match=r"^other_tools: who: \./no-python: No such file"):
        ran(["./no-python"], tmp_path, 1, "who")
    with pytest.raises(RoundworksError, match="want a checkout of the tool by git$"):
        version(tmp_path / "nothing")


def test_agreement() -> None:
    cases: list[tuple[Any, str]] = [
        ((25, 25.0, "exact"), "same"),
        ((24, 25, "exact"), "differ"),
        ((None, 25, "exact"), "open"),
        ((25, None, None), "open"),
        ((26, 25, "lower"), "open"),
        ((24, 25, "lower"), "differ"),
        ((24, 25, "upper"), "open"),
        ((26, 25, "upper"), "differ"),
    ]
    for (their_value, our_value, side), wanted in cases:
        assert agreement(their_value, our_value, side) == wanted, (their_value, our_value, side)


@pytest.mark.usefixtures("two")
@pytest.mark.parametrize(
    ("their_value", "seconds", "verdict", "said"),
    [
        (2.0, 3.0, "met", "3"),
        (2.0, 2.9, "missed", "2.9"),
        (None, 300.0, "met", "over 3e+02"),
        (None, 2, "open", "over 2"),
    ],
)
def test_verdicts(
    their_value: float | None, seconds: float, verdict: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = their_value, other_tools.Ended("", seconds, seconds)
    monkeypatch.setattr(other_tools, "theirs", lambda *_: run)
    ratio = tool_ratios([row("", Path())])[0]
    assert (ratio.verdict, ratio.said, ratio.ratio) == (verdict, said, seconds)


@pytest.mark.usefixtures("two")
def test_the_program_stores_its_rows(
    checkout: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(other_tools.TOOLS, "ocp", fake("print('weight 3')"))
    results = tmp_path / "results"
    assert other_tools.main(["ocp", str(checkout), "--results", str(results)]) == 1
    assert [made.tool for made in Store(results).read(ComparisonRow)] == ["fake"]
    said = capsys.readouterr()
    assert "met in 0 of 1" in said.out and "where ours is 2" in said.err


@pytest.mark.parametrize("module", [ocp, cryptosmt])
def test_every_query_is_one_of_ours_and_has_a_command(module: Any) -> None:
    for query in module.QUERIES:
        get_analysed(query.cipher)
        assert all(isinstance(word, str) for word in module.command(query, "python3"))
    assert len(set(map(str, module.QUERIES))) == len(module.QUERIES)
