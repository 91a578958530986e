"""A study is a plan, a run of each unit wherever it is, and a reduction of their rows."""

from __future__ import annotations

import pickle
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from roundworks import spec, studies
from roundworks.errors import DescriptionError
from roundworks.prove.structures.feistel import VIEWS
from roundworks.prove.structures.rounds import name_in_the_core
from roundworks.reproduce.minima import NEED
from roundworks.reproduce.run import Run
from roundworks.rows import BoundRow, Row
from roundworks.studies import page
from roundworks.studies.rounds import RankedDesign, bounds_of, design_of, known
from roundworks.studies.structures import Search
from roundworks.studies.study import command_line


def of_unit(unit: studies.Unit) -> list[Row]:
    return [row for batch in unit.work(Run()) for row in batch]


@pytest.mark.parametrize(
    "study",
    [
        studies.Search(6, 2),
        studies.Speed(("aether",), sizes=(64,), samples=1, peers=True),
        studies.PermutationSpeed(("simpira-2",), samples=1),
        studies.LongMessages(),
        studies.Reproduction(),
        studies.RoundsNeeded(512, 1.0, Path("ledger"), "roundworks fastest"),
        studies.Timed(256, (RankedDesign("simpira-2", 8, 8),), 1, "roundworks fastest"),
    ],
    ids=lambda study: type(study).__name__,
)
def test_a_plan_can_be_sent_to_another_process(study: studies.Study[object]) -> None:
    plan = study.plan()
    again = pickle.loads(pickle.dumps((study, plan)))[1]
    assert [(u.title, u.command) for u in again] == [(u.title, u.command) for u in plan] and plan


def test_units_run_elsewhere_reduce_to_the_same_value() -> None:
    plans = [studies.Search(6, 2), studies.Search(4, 1)]
    units = [unit for study in plans for unit in study.plan()]
    with ProcessPoolExecutor(2) as pool:
        apart = [row for found in pool.map(of_unit, units) for row in found]
    here = [row for study in plans for row in studies.conduct(study)]
    assert (
        [(r["words"], r["found"]) for r in apart] == [(r.words, r.found) for r in here] == [(6, 54), (4, 16)]
    )
    assert plans[0].reduce(apart[:1]).tables[0].lines[0][:5] == (6, 2, 8, 5400, 54)


def test_rows_are_kept_as_they_are_made_and_units_begin_in_order() -> None:
    class Two(studies.Study[int]):
        def plan(self) -> Sequence[studies.Unit]:
            return [studies.Unit(title, f"roundworks {title}", self._work) for title in ("one", "two")]

        def _work(self, run: Run) -> Iterator[Sequence[Row]]:
            run.progress(0.5)
            yield of_unit(studies.Search(4, 1).plan()[0])

        def reduce(self, rows: Sequence[Row]) -> int:
            return len(rows)

    heard: list[object] = []
    run = Run(progress=heard.append)
    count = studies.conduct(
        Two(), run, begin=lambda unit: heard.append(unit.title), keep=lambda batch: heard.append(len(batch))
    )
    assert count == 2 and heard == ["one", 0.5, 1, "two", 0.5, 1]


def test_a_command_line_has_what_differs_from_the_default() -> None:
    line = command_line("bench", "a b", size=(1, 2), peers=True, samples=None, quiet=False, time_limit=2.0)
    assert line == "roundworks bench 'a b' --size 1 --size 2 --peers --time-limit 2"


def test_a_table_shows_itself() -> None:
    table = studies.Table("<t>", ("name", "n", "x"), (("<b>", 1234, None), ("c", 5, 0.25)))
    assert table.texts == [["<b>", "1,234", "-"], ["c", "5", "0.25"]] and table.numeric == [1, 2]
    html = table._repr_html_()
    assert "<caption>&lt;t&gt;</caption>" in html and "<td>&lt;b&gt;</td>" in html
    assert html.count('style="text-align: right"') == 6


def test_rounds_follow_from_the_rows_as_from_the_ledger() -> None:
    """The bracket of each permutation of four words, as the stored ledger has it."""
    ledger = spec.root() / "results" / "ledgers" / "trails-512.sqlite"
    facts = known(ledger, NEED[4])
    study, decided = studies.RoundsNeeded(512, 1.0, ledger, "roundworks fastest"), 0
    for name in study.names:
        sums = 32 if name not in ("haraka-512", "pholkos-512") else 15
        bounds = [one for view in VIEWS for one in bounds_of(facts, name, view, sums)]
        made = [BoundRow.make(command=study.command, **one.fields) for one in bounds]
        design = design_of(name_in_the_core(name), NEED[4], made)
        assert (design.after, design.rounds) == facts.bracket(name, sums), name
        decided += design.rounds is not None
    assert decided > 3


def test_light_trails_in_processes(tmp_path: Path) -> None:
    """What workers find is known from the ledger, and is not computed again with more time."""
    ledger, names = tmp_path / "trails.sqlite", ("1-0,1-0,1-0,1-0", "2-0,1-0,2-0,1-0")
    study = studies.LightTrails(tuple((name, 2) for name in names), 3600.0, ledger, "roundworks fastest")
    assert studies.distribute(study, ledger).known == 0
    facts = known(ledger, NEED[4])
    assert all(facts.below(name, "differential") == 2 for name in names)
    assert studies.distribute(study, ledger).known == len(names)
    again = replace(study, limit=7200.0)
    assert studies.distribute(again, ledger).known == 0
    after = [*known(ledger, NEED[4]).about(names[0], "differential")]
    assert after == [*facts.about(names[0], "differential")]


def test_every_name_of_the_package_is_there() -> None:
    for name in dir(studies):
        assert getattr(studies, name).__doc__, name
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        studies.nothing  # noqa: B018


def test_everything_of_the_page_has_a_unit() -> None:
    commands = {unit.command for unit in page.everything()}
    assert {"roundworks describe aether", "roundworks audit aegis-128l"} <= commands
    assert "roundworks reproduce aether --table 6" in commands


def test_what_took_no_time_has_no_rate() -> None:
    (line,) = Search(4, 1, 8).reduce(()).tables[0].lines
    assert line[-2:] == ("0.000", "-")


def test_a_search_for_no_active_f_is_refused_before_its_units() -> None:
    with pytest.raises(DescriptionError, match="^active: want 1 to 64, got 0$"):
        studies.search(words=9, inputs=3, active=0)
