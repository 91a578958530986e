"""The battery: every line is what the bounds of the page say, in every format, and the budget is kept."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Sequence
from dataclasses import replace
from itertools import count
from typing import Any

import pytest

from places import ROOT
from roundworks import studies
from roundworks.bounds import CERTAINTY
from roundworks.errors import RoundworksError, UnknownName
from roundworks.prove.measures import bounds_of
from roundworks.prove.pipeline import Query
from roundworks.prove.solvers.clauses import weight_bound
from roundworks.prove.solvers.interface import Stopped
from roundworks.reference import Sbox, StreamAead
from roundworks.rows import BoundRow
from roundworks.studies.analyses import ARGUMENTS, by_round_table, outcome, subject_of
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
    unfit = {a.title for a in ARGUMENTS if not a.fits(subject_of(random_spn(3, 3, Shape(2, 4))))}
    assert unfit <= refused
    refused -= unfit
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
    assert not page.rows and len(page.sections[-1].notes) == len(ARGUMENTS)
    assert sum("budget of 1e-06 s is spent" in note for note in page.sections[-1].notes) == len(fitting)
    assert sum(": want " in note for note in page.sections[-1].notes) == len(ARGUMENTS) - len(fitting)


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


class Unmixed(StreamAead[Any]):
    """No round of initialisation, and the keystream is an AND of words of the state."""

    name = "unmixed"
    key_bytes, nonce_bytes, tag_bytes = 2, 2, 2
    words, rate_words, word_bits = 3, 1, 16
    box = Sbox("box", (12, 5, 6, 11, 9, 0, 10, 13, 3, 14, 15, 8, 4, 7, 1, 2))

    def load(self, K: Sequence[Any], N: Sequence[Any]) -> list[Any]:
        return [K[0], N[0], K[0] ^ N[0]]

    def update(self, S: Sequence[Any], X: Sequence[Any]) -> list[Any]:
        a, b, c = (word.sub(self.box) for word in S)
        return [c ^ S[1], a.rotl(3) ^ S[2], b ^ X[0]]

    def init(self, S: Sequence[Any], K: Sequence[Any], N: Sequence[Any]) -> Sequence[Any]:
        return S

    def keystream(self, S: Sequence[Any]) -> list[Any]:
        return [S[0] ^ S[2]]

    def finalise(self, S: Sequence[Any], K: Sequence[Any], ad_bits: int, msg_bits: int) -> Sequence[Any]:
        for _ in range(8):
            S = self.update(S, [K[0]])
        return S

    def tag(self, S: Sequence[Any]) -> list[Any]:
        return [S[0] ^ S[1] ^ S[2]]


def test_a_streaming_cipher_has_collisions_bias_and_guesses_without_margins() -> None:
    """An initialisation of no rounds is no number of rounds, below which a margin would be."""
    page = studies.analyse(Unmixed(), budget=12)
    lines = {line[0]: line for line in page.sections[0].tables[0].lines}
    notes = "\n".join(page.sections[-1].notes)
    closed = [a for a in ARGUMENTS if a.closed]
    assert len(closed) == 5 and all(a.title in lines or a.title in notes for a in closed)
    assert {"collision, active F", "keystream bias, active F", "guess and determine"} <= set(lines)
    assert all(line[2] is None and line[3] is None for line in lines.values())
    for title, measure in (("collision, active F", "collision"), ("keystream bias, active F", "bias")):
        (bound,) = (result.bound for result in bounds_of(Unmixed(), measure, Query()))
        assert lines[title][4] == bound.value
        assert str(lines[title][1]) == f"over {bound.rounds} round" + "s" * (bound.rounds != 1)


def test_sums_over_trails_have_the_ends_of_the_trail_of_the_page() -> None:
    subject = subject_of("present")
    arguments = {a.title: a for a in ARGUMENTS}
    trails = outcome(subject, arguments["weight of trails, differential"], 2)
    one = outcome(subject, arguments["differential, summed over trails"], 2, (trails,))
    first, trail = one.bounds[0], trails.bounds[0]
    assert trail.side == "exact" and first.side == "exact" and first.value is not None
    assert -first.value <= (trail.value or 0) + 1e-9
    ends = {name: value for name, value in one.wheres[0].items() if int(value, 16)}
    assert ends == {k: v for k, v in (trail.witness or {}).items() if k.startswith("S")}
    open_end = replace(trail, side="lower")
    weaker = outcome(
        subject,
        arguments["differential, summed over trails"],
        2,
        (replace(trails, bounds=(open_end, *trails.bounds[1:])),),
    )
    assert weaker.bounds[0].side == "lower" and "not shown to be the lightest" in weaker.bounds[0].method


def test_a_heavy_totaliser_does_not_outlast_the_time() -> None:
    """Weights of many values make millions of clauses before a solver begins."""
    units = {v + 1: 16 * v * v + v % 13 + 1 for v in range(400)}

    def check() -> None:
        if time.perf_counter() - started > 0.2:
            raise Stopped

    started, numbers = time.perf_counter(), count(401)
    with pytest.raises(Stopped):
        weight_bound(units, 1 << 20, lambda: next(numbers), check)
    assert time.perf_counter() - started < 5


def test_a_value_that_time_cut_short_says_so_by_rounds() -> None:
    """A boomerang of which some layers were not looked at."""
    subject = subject_of(random_spn(3, 2, Shape(2, 4)))
    boomerang = next(a for a in ARGUMENTS if a.measure == "boomerang")
    whole = outcome(subject, boomerang, 60)
    late = replace(
        whole.bounds[-1], method=f"{whole.bounds[-1].method}; time ran out, a better one may exist"
    )
    page = [
        by_round_table([replace(whole, bounds=bounds)]).lines[-1][1]
        for bounds in (whole.bounds, (*whole.bounds[:-1], late))
    ]
    assert not str(page[0]).endswith("(time)") and page[1] == f"{page[0]} (time)"
