"""The battery: every line is what the bounds of the page say, in every format, and the budget is kept."""

from __future__ import annotations

import json
import random

import pytest

from places import ROOT
from roundworks import studies
from roundworks.bounds import CERTAINTY
from roundworks.errors import RoundworksError, UnknownName
from roundworks.rows import BoundRow
from roundworks.studies.analyses import ARGUMENTS, outcome, subject_of
from roundworks.studies.sheets import Sheet
from small_ciphers import Shape, Spn, random_turn
from transitions import random_spn

NIBBLES = ROOT / "examples" / "nibble_spn.py"


@pytest.fixture(scope="module")
def page() -> Sheet:
    """Small enough for every argument to end by itself."""
    return studies.analyse(random_spn(3, 3, Shape(2, 4)), budget=600)


def test_every_line_follows_from_its_bounds(page: Sheet) -> None:
    (table,) = page.sections[0].tables
    lines = {line[0]: line for line in table.lines}
    refused = {note.partition(":")[0] for note in page.sections[-1].notes}
    fitting = {a.title for a in ARGUMENTS if a.fits(subject_of(random_spn(3, 3, Shape(2, 4))))}
    assert set(lines) | refused == fitting and len(refused) < 2
    assert all(line[2] == 3 and line[7] in CERTAINTY.values() for line in table.lines)
    rows = [row for row in page.rows if isinstance(row, BoundRow)]
    assert len(rows) == len(page.rows)
    for argument in (a for a in ARGUMENTS if a.title in lines):
        own = [r for r in rows if r.measure == argument.measure and argument.view in (None, r.view)]
        reached = [r.rounds for r in own if argument.works(r, subject_of(random_spn(3, 3, Shape(2, 4))))]  # type: ignore[arg-type]
        best = (min if argument.resists else max)((r for r in reached if r), default=None)
        margin = None if best is None else 3 - best
        assert lines[argument.title][3] == margin
        if best is not None:
            assert str(best) in str(lines[argument.title][1])


def test_what_is_excluded_is_not_found(page: Sheet) -> None:
    """A round of small S-boxes is no random permutation of 8 bits; three of them are nearly one."""
    lines = {line[0]: line for line in page.sections[0].tables[0].lines}
    assert str(lines["impossible differential, cell-wise"][1]) in ("1 round", "2 rounds")
    assert str(lines["integral, bit-wise"][1])[0] in "123"


def test_every_format(page: Sheet) -> None:
    assert json.loads(page.text("json"))["sections"][0]["title"] == "Arguments"
    assert "<h2>Arguments</h2>" in page.text("html")
    assert r"\subsection*{Arguments}" in page.text("latex")
    assert page.text().startswith("# spn\n")


def test_an_argument_that_does_not_apply_says_why() -> None:
    """S-boxes of cells that do not fit the matrix of bits still have every other argument."""
    lossy = Spn(Shape(2, 4), [[random_turn(random.Random(1), 2, 4)]])
    page = studies.analyse(lossy, budget=20)
    notes = "\n".join(page.sections[-1].notes)
    assert "no S-box before the outputs" in notes


def test_a_small_budget_leaves_out_and_says_so() -> None:
    page = studies.analyse(NIBBLES, budget=1e-6)
    fitting = [a for a in ARGUMENTS if a.fits(subject_of(NIBBLES))]
    assert not page.rows and len(page.sections[-1].notes) == len(fitting)
    assert all("budget of 1e-06 s is spent" in note for note in page.sections[-1].notes)


def test_the_verb(run, tmp_path) -> None:
    done = run("analyse", "present", "--budget", "0.000001", "-o", str(tmp_path / "page.tex"))
    assert done.returncode == 0 and not done.stdout
    assert r"\section*{present}" in (tmp_path / "page.tex").read_text()
    done = run("analyse", "aess")
    assert done.returncode == 2 and "did you mean aes" in done.stderr


def test_outcome_of_a_known_cipher() -> None:
    aes = subject_of("aes")
    argument = next(a for a in ARGUMENTS if a.title == "impossible differential, cell-wise")
    one = outcome(aes, argument, 60)
    assert one.rounds == 4 and one.decisive.value == 256 and not one.why
    with pytest.raises(UnknownName):
        subject_of("aess")


@pytest.mark.parametrize("name", ["speck-32-64", "skinny-64-64", "ascon-p"])
def test_every_kind_of_operation_is_analysed_or_refused_in_one_line(name: str) -> None:
    """Additions, joins of words, ANDs and key schedules: nothing but errors of ours."""
    subject = subject_of(name)
    for argument in (a for a in ARGUMENTS if a.cost == 0):
        try:
            text = outcome(subject, argument, 0.01).decisive.method
        except RoundworksError as error:
            text = str(error)
        assert text and "\n" not in text
