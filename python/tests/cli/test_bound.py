"""`roundworks bound` cell-wise and bit-wise, and `check`, as a user runs them."""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import click
import pytest

from calls import command, variables
from places import ROOT
from roundworks.cli.common import check_file, check_folder

TWO_WORD = str(ROOT / "examples" / "two_word.py")
HEAD = (
    "from roundworks.reference import CellPermutation, Permutation, Sbox\n"
    "from roundworks.reference.aes import aes\n"
)
FORM = """
class Mine(Permutation):
    name, words, word_bits, rounds = "mine", {words}, {bits}, 4

    def round(self, S, i):
        return {returns}
"""


def rows(done) -> list[dict]:
    assert done.returncode == 0, done.stderr
    results = [json.loads(line) for line in done.stdout.splitlines()]
    return [row for row in results if row["kind"] == "bound"]


@pytest.mark.parametrize(
    ("words", "without"),
    [
        (["--help"], {"numpy", "jsonschema_rs", "roundworks.reference.aes"}),
        (
            ["gift-64", "--measure", "trail", "--view", "linear", "--rounds", "2"],
            {"numpy", "roundworks.reference.aes"},
        ),
        (["aes", "--rounds", "1"], {"numpy.ma", "rich.progress", "roundworks.reference.feistel"}),
    ],
)
def test_it_starts_without_what_it_does_not_need(words: list[str], without: set[str]) -> None:
    """Starting up counts: many a bound takes less than an import."""
    tell = "import atexit, sys; atexit.register(lambda: print(*sys.modules, file=sys.stderr))"
    program, option, text, *rest = command("bound", *words, "--no-store")
    done = subprocess.run(
        [program, option, f"{tell}; {text}", *rest], capture_output=True, text=True, check=True
    )
    names = set(done.stderr.split())
    assert "roundworks.cli.bound" in names and not names & without


@pytest.mark.parametrize("view", ["differential", "linear"])
def test_four_rounds_of_aes_by_one_command(run, view: str) -> None:
    result = rows(run("bound", "aes", "--rounds", "4", "--view", view, "--json", "--no-store"))
    assert [r["value"] for r in result] == [r["upper"] for r in result] == [1, 5, 9, 25]
    assert {r["side"] for r in result} == {"exact"} and {r["view"] for r in result} == {view}
    assert {r["certainty"] for r in result} == {"one-solver"}


def test_two_solvers_agree(run) -> None:
    arguments = ["--rounds", "3", "--solver", "highs", "--solver", "cadical", "--json", "--no-store"]
    result = rows(run("bound", "aes", *arguments))
    assert [(r["value"], r["certainty"]) for r in result] == [(n, "two-solvers") for n in (1, 5, 9)]


def test_a_file_of_a_permutation_by_its_name_alone(run) -> None:
    arguments = ["--rounds", "3", "--json", "--no-store"]
    distinct = rows(run("bound", TWO_WORD, *arguments))
    executed = rows(run("bound", TWO_WORD, "--count", "executed", *arguments))
    assert [r["value"] for r in distinct] == [0, 5, 10]
    assert [r["value"] for r in executed] == [0, 6, 12]
    assert all(r["command"].startswith("roundworks bound --file two_word.py") for r in distinct)


def test_a_certificate_is_written_checked_and_refused_when_spoilt(run, tmp_path: Path) -> None:
    folder = tmp_path / "certificates"
    arguments = ["--rounds", "2", "--proof", str(folder), "--json", "--no-store"]
    result = rows(run("bound", "aes", *arguments))
    assert [(r["value"], r["certainty"]) for r in result] == [(1, "proven"), (5, "proven")]
    (path,) = folder.glob("aes-active-differential-distinct-2-*.json")
    done = run("check", str(path))
    assert done.returncode == 0 and "its formula has no solution: accepted" in done.stdout
    assert "no assignment weighs less than 5" in done.stdout
    path.with_suffix(".cnf").write_text("p cnf 1 1\n1 0\n")
    done = run("check", str(path))
    assert (done.returncode, done.stdout) == (2, "") and done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--rounds", "3"), "over 1 to 3 rounds"),
        (("--rounds", "3", "--alone"), "over 3 rounds"),
        (("--rounds", "1"), "over 1 round"),
    ],
)
def test_the_heading_says_what_was_bounded(run, options: tuple[str, ...], said: str) -> None:
    done = run("bound", "aes-128", "--measure", "related-key-sboxes", *options, "--no-store")
    subject = "aes-128: fewest active S-boxes of a block cipher"
    assert done.stdout.splitlines()[0] == f"{subject} {said}, where the key may differ"


@pytest.mark.parametrize(
    ("cipher", "measure", "rounds"),
    [("aes", "active-sboxes", "3"), ("present", "trail", "4"), ("speck-32-64", "trail", "5")],
)
def test_one_number_of_rounds_alone_has_the_same_bound(run, cipher: str, measure: str, rounds: str) -> None:
    arguments = [cipher, "--measure", measure, "--rounds", rounds, "--json", "--no-store"]
    *_, last = rows(run("bound", *arguments))
    (alone,) = rows(run("bound", *arguments, "--alone"))
    assert alone["command"] == last["command"].replace(f"--rounds {rounds}", f"--rounds {rounds} --alone")
    for field in ("rounds", "value", "upper", "side", "certainty", "fingerprint", "monotone"):
        assert alone[field] == last[field], field
    assert run("bound", cipher, "--measure", "collision", "--alone").returncode == 2


def test_the_command_of_a_row_gives_it_again(run, tmp_path: Path) -> None:
    """With a certificate, whose folder is nobody's business, and within the same time."""
    arguments = ["--view", "linear", "--rounds", "1", "--time-limit", "90.5"]
    (row,) = rows(run("bound", "aes", *arguments, "--proof", str(tmp_path / "mine"), "--json"))
    assert row["command"].endswith(" --view linear --time-limit 90.5 --proof certificates")
    (again,) = rows(run(*shlex.split(row["command"])[1:], "--json", "--no-store"))
    assert (tmp_path / "certificates").is_dir()
    for field in ("value", "view", "certainty", "command"):
        assert again[field] == row[field]


def test_that_no_trail_exists_has_a_certificate(run, tmp_path: Path) -> None:
    folder = tmp_path / "c"
    arguments = ["--measure", "collision-sboxes", "--rounds", "2", "--proof", str(folder)]
    (row,) = rows(run("bound", "aegis-128l", *arguments, "--json", "--no-store"))
    assert (row["value"], row["side"], row["certainty"]) == (None, "exact", "proven")
    assert "no such trail; LRAT proof of " in row["method"]
    (path,) = folder.glob("aegis-128l-collision-differential-distinct-2-*.json")
    done = run("check", str(path))
    assert done.returncode == 0 and "(not checked here): no assignment, of problem" in done.stdout


def test_nothing_is_written_for_a_bound_of_0(run, tmp_path: Path) -> None:
    folder = tmp_path / "c"
    arguments = ["--rounds", "1", "--proof", str(folder), "--json", "--no-store"]
    (row,) = rows(run("bound", TWO_WORD, *arguments))
    assert (row["value"], row["certainty"]) == (0, "one-solver")
    assert row["method"].endswith("; 0 needs no proof") and not list(folder.glob("*"))


@pytest.mark.parametrize(("view", "want"), [("differential", [2, 4, 8]), ("linear", [2, 4, 8])])
def test_the_weight_of_a_trail_has_a_certificate(run, tmp_path: Path, view: str, want: list[int]) -> None:
    arguments = ["--measure", "trail", "--rounds", "3", "--view", view, "--proof", str(tmp_path / "c")]
    result = rows(run("bound", "present", *arguments, "--json", "--no-store"))
    assert [(r["value"], r["side"], r["certainty"]) for r in result] == [
        (weight, "exact", "proven") for weight in want
    ]
    (path,) = (tmp_path / "c").glob(f"present-trail-{view}-distinct-3-{result[2]['fingerprint'][:12]}.json")
    done = run("check", str(path))
    assert done.returncode == 0 and f"no assignment weighs less than {want[2]}" in done.stdout


def test_a_bound_that_has_no_proof_is_printed_before_the_error(run, tmp_path: Path) -> None:
    folder = tmp_path / "certificates"
    arguments = ["--rounds", "3", "--proof", str(folder), "--json"]
    assert len(rows(run("bound", "aes", *arguments, "--no-store"))) == 3
    (path,) = folder.glob("aes-active-differential-distinct-2-*.lrat")
    path.unlink()
    path.mkdir()
    done = run("bound", "aes", *arguments)
    results = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 2 and done.stderr.count("\n") == 1 and path.name in done.stderr
    assert [(r["value"], r["certainty"]) for r in results] == [(1, "proven"), (5, "one-solver")]
    assert "; no proof: " in results[1]["method"]
    assert str(tmp_path) not in results[1]["method"]
    (kept,) = (tmp_path / "results").rglob("*.jsonl")
    assert len(kept.read_text().splitlines()) == 2
    assert "active S-boxes" in run("bound", "aes", *arguments[:-1], "--no-store").stdout


LONG = ["feistel512:1-0,2-0,2-0,1-0", "--rounds", "9"]  # more than the tests would wait for


@pytest.mark.parametrize(
    ("option", "path", "message"),
    [
        ("--dot", "none/t.dot", "none/t.dot: no folder none; make it, or name another"),
        ("--dot", "file/t.dot", "file/t.dot: no folder file; make it, or name another"),
        ("--proof", "file/a/b", "file/a/b: no folder file, but a file; name another"),
    ],
)
def test_where_nothing_can_be_written_nothing_is_solved(
    run, tmp_path: Path, option: str, path: str, message: str
) -> None:
    (tmp_path / "file").touch()
    done = run("bound", *LONG, option, path)
    assert (done.returncode, done.stdout) == (2, "")
    assert re.fullmatch(f"roundworks: error: {message}\n", done.stderr), done.stderr


@pytest.mark.parametrize(
    ("check", "name", "message"),
    [
        (check_file, "locked/t.dot", "locked/t.dot: locked cannot be written; name another"),
        (check_file, "locked.dot", "locked.dot: cannot be written; name another"),
        (check_folder, "locked", "locked: cannot be written; name another"),
        (check_folder, "locked/a/b", "locked/a/b: locked cannot be written; name another"),
    ],
)
def test_a_locked_place_is_seen(tmp_path: Path, monkeypatch, check, name: str, message: str) -> None:
    """`os.access` is replaced for the tests, as root may write everywhere."""
    (tmp_path / "locked").mkdir()
    (tmp_path / "locked.dot").touch()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(os, "access", lambda path, _: not Path(path).name.startswith("locked"))
    with pytest.raises(click.ClickException, match=f"^{message}$"):
        check(Path(name))


def test_a_bound_with_a_pattern_has_a_certificate_too(run, tmp_path: Path) -> None:
    where = "S0=*" + "." * 15
    arguments = ["--rounds", "2", "--where", where, "--proof", str(tmp_path), "--json", "--no-store"]
    assert [r["certainty"] for r in rows(run("bound", "aes", *arguments))] == ["proven", "proven"]


def test_one_solver_twice_is_one_solver(run) -> None:
    arguments = ["--rounds", "2", "--solver", "auto", "--solver", "frontier", "--json", "--no-store"]
    assert {r["certainty"] for r in rows(run("bound", "aes", *arguments))} == {"one-solver"}


def test_time_that_stops_both_solvers_agrees_on_nothing(run) -> None:
    arguments = ["--measure", "collision-sboxes", "--rounds", "5", "--time-limit", "1e-9"]
    both = ["--solver", "highs", "--solver", "scip", "--json", "--no-store"]
    (row,) = rows(run("bound", "rocca-s", *arguments, *both))
    assert (row["side"], row["certainty"]) == ("lower", "one-solver")


def test_a_trail_is_followed_by_random_pairs_and_drawn(run, tmp_path: Path) -> None:
    arguments = ["--measure", "trail", "--rounds", "3", "--dot", str(tmp_path / "t.dot")]
    result = rows(run("bound", "present", *arguments, "--json", "--no-store"))
    assert [r["value"] for r in result] == [r["upper"] for r in result] == [2, 4, 8]
    # 64 pairs are expected to follow; a third of that is eight standard deviations away.
    assert all(r["witness"]["followed"] >= 21 for r in result)
    assert (tmp_path / "t.dot").read_text().startswith("digraph trail {")


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["aes", "--where", "S0=*"], "where: S0: want 16 cells, got 1"),
        (["aes", "--where", "S0=" + "*" * 17], "where: S0: want 16 cells, got 17"),
        (["aes", "--where", "S9=" + "*" * 16], "where: word 'S9': not known; one of S0, S'0"),
        (["aes", "--where", "S0=" + "x" * 16], "where: S0: cell 0: want \\* or . or \\?, got 'x'"),
        (["aes", "--where", "S0=" + "." * 16], "aes: 1 rounds: no difference .* fits; .* S0; .*"),
        (["aes", "--where", "S0"], "--where S0: want WORD=CELLS, .*"),
        (["aes", "--rounds", "0"], "Invalid value for '--rounds': 0 .*"),
        (["aes", "--round", "2"], "No such option '--round'.*"),
        (["aes", "--solver", "z3"], "--solver 'z3': not known; one of highs, scip, .*"),
        (["aes", "--measure", "active-f"], "measure active-f: want a cipher that absorbs, got .* aes; .*"),
        (["aes", "--measure", "bias-sboxes"], "aes: goal 'bias': want a cipher that absorbs .*"),
        (
            ["aether", "--proof", "x"],
            "--proof: does nothing for active-f, which takes none; measures with it: active-sboxes, .*",
        ),
        (
            ["present", "--measure", "integral", "--proof", "x"],
            "--proof: does nothing for integral, which takes none; .*",
        ),
        (
            ["aegis-128", "--measure", "collision-sboxes", "--view", "linear"],
            "view: collision is differential, got linear",
        ),
        (["aegis-128", "--measure", "bias-sboxes", "--view", "differential"], "view: bias is linear, .*"),
        (
            ["aether", "--measure", "collision", "--view", "linear"],
            "--view: does nothing for collision, which takes none; .*",
        ),
        (
            ["aether", "--measure", "bias", "--view", "differential"],
            "--view: does nothing for bias, which takes none; .*",
        ),
        (["aether", "--count", "distinct"], "--count: does nothing for active-f, which takes none; .*"),
        (["aether", "--time-limit", "1"], "--time-limit: does nothing for active-f, which takes none; .*"),
        (
            ["aether", "--measure", "collision", "--rounds", "3"],
            "--rounds: does nothing for collision, which takes as many as it needs; measures with it: collision-sboxes; .*",
        ),
        (
            ["present", "--measure", "integral", "--view", "differential"],
            "--view: does nothing for integral, which takes none; .*",
        ),
        (["haraka-512:3.5"], "haraka-512:3.5: bounds are over whole rounds; want haraka-512"),
        (["aes", *["--where", "S0=" + "?" * 16] * 2], "--where S0: want one pattern .*"),
        (["ascon-128a", "--measure", "active-sboxes"], "ascon-128a: .* no S-box before .*"),
    ],
)
def test_bad_input_is_one_line_and_no_bound(run, args: list[str], message: str) -> None:
    done = run("bound", *args, "--no-store")
    assert (done.returncode, done.stdout) == (2, "")
    assert re.fullmatch(f"roundworks: error: {message}\n", done.stderr), done.stderr


@pytest.mark.parametrize(
    ("head", "words", "bits", "returns", "message"),
    [
        (
            'B = Sbox("bad", (*range(15), 14))',
            1,
            16,
            "[S[0].sub(B)]",
            r"mine\.py:8: round: .*S-box bad takes the value 14 2 times; ",
        ),
        (
            'P = CellPermutation("four", (1, 0, 3, 2), 4)',
            1,
            64,
            "[S[0].permute(P)]",
            r"mine\.py:8: permutation four: covers 4 cells of 4 bits, .*",
        ),
        (
            'P = CellPermutation("two", (1, 1), 4)',
            1,
            8,
            "[S[0].permute(P)]",
            r"mine\.py:3: permutation two: want every position 0..1 once, .*",
        ),
        ("", 2, 128, "[aes(S[0])]", r".*mine\.py.*: round: want 2 words, got 1"),
        ("", 2, 128, "[aes(S[0]), aes(S[0])]", r".*its 256 bits take only 2\^128 values .*"),
    ],
)
def test_no_permutation_no_bound(
    run, tmp_path: Path, head: str, words: int, bits: int, returns: str, message: str
) -> None:
    path = tmp_path / "mine.py"
    path.write_text(HEAD + head + FORM.format(words=words, bits=bits, returns=returns))
    done = run("bound", str(path), "--no-store")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert re.search(message, done.stderr), done.stderr


# `bound`, with a file that appears when the second result is wanted.
NOTING = """
import pathlib
from roundworks.cli import bound, main
real = bound.bounds_of
def noted(*args):
    for one in real(*args):
        yield one
        pathlib.Path("first").touch()
bound.bounds_of = noted
main()
"""


@pytest.mark.parametrize("solver", ["highs", "cadical"])
def test_ctrl_c_keeps_what_was_found(tmp_path: Path, solver: str) -> None:
    arguments = ["bound", *LONG, "--solver", solver, "--json"]
    child = subprocess.Popen(
        [sys.executable, "-c", NOTING, *arguments],
        env=os.environ | variables(tmp_path),
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    while not (tmp_path / "first").exists():
        assert child.poll() is None
        time.sleep(0.05)
    time.sleep(1)  # into the solver's work on a later one
    child.send_signal(signal.SIGINT)
    printed, said = child.communicate()
    results = [json.loads(line) for line in printed.splitlines()]
    assert child.returncode == 0 and "stopped; what was found is kept" in said
    assert 1 <= len(results) < 9 and results[0]["side"] == "exact"
