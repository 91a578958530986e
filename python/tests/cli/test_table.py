"""`roundworks table`: a paper's table from the stored rows."""

from __future__ import annotations

import csv


def test_a_table_in_every_form(run) -> None:  # type: ignore[no-untyped-def]
    assert run("reproduce", "aether", "--table", "2").returncode == 0
    plain = run("table", "aether", "2")
    assert (plain.returncode, plain.stderr) == (0, "") and "| 7 | d | d (reproduced) |" in plain.stdout
    latex = run("table", "aether", "2", "--format", "latex").stdout
    assert r"\toprule" in latex and r"7 & d & d $=$ \\" in latex
    lines = list(csv.reader(run("table", "aether", "2", "--format", "csv").stdout.splitlines()))
    assert lines[0] == ["row", "Sbox(x), paper", "Sbox(x), ours", "Sbox(x), verdict"]
    assert ["7", "d", "d", "reproduced"] in lines


def test_what_is_not_printed_is_named(run) -> None:  # type: ignore[no-untyped-def]
    done = run("table", "aether", "9")
    assert done.returncode == 2 and "paper aether: table '9': not known; one of 1, 2, " in done.stderr
    assert "one of markdown, latex, csv" in run("table", "aether", "2", "--format", "html").stderr
