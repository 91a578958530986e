"""The site that the stored rows give: what a reader of a clone sees, in a real browser."""

import html
import re
import shlex
from collections.abc import Callable
from pathlib import Path

import click
import pytest
from selenium.webdriver import Chrome

import browser
from report_site import pages_of
from roundworks import spec
from roundworks.cli.main import cli
from roundworks.prove.measures import MEASURES
from roundworks.report.build import build
from roundworks.rows import Row, Store

# Verbs whose quick rows are made again here; the others want a machine, a compiler or a cell library.
_RUN = ("search", "bound", "audit", "describe")
_QUICK = 0.5  # seconds that a row took


@pytest.fixture(scope="module")
def stored() -> list[Row]:
    return Store(spec.root() / "results").read()


@pytest.mark.long
def test_every_page_of_the_stored_rows_is_whole(tmp_path_factory: pytest.TempPathFactory) -> None:
    """The pages of sample rows have few and short tables. test_browser.py nearly implies it."""
    site = build(Store(spec.root() / "results"), tmp_path_factory.mktemp("stored") / "build")
    faults: dict[str, object] = {}
    with browser.browser(tmp_path_factory.mktemp("profile")) as chrome:
        for page in pages_of(site):
            if page.stat().st_size > 1e6:
                faults[f"{page.name}: bytes"] = page.stat().st_size
            browser.emulate(chrome, width=1440)
            browser.open_page(chrome, page)
            chrome.execute_script("document.querySelectorAll('details').forEach(d => d.open = true)")
            wide = _wide(chrome)
            browser.emulate(chrome, width=1280)
            wide += _wide(chrome)
            empty = chrome.execute_script(
                "return [...document.querySelectorAll('.chart')].filter(chart => !chart.querySelector("
                "'[aria-roledescription$=\"mark container\"] > *')).map(chart => chart.dataset.spec)"
            )
            for what, found in (("tables", wide), ("figures", empty), ("console", chrome.get_log("browser"))):
                if found:
                    faults[f"{page.name}: {what}"] = found
    assert faults == {}


def _wide(chrome: Chrome) -> list[str]:
    """The tables that are wider than their place on the screen."""
    labels: list[str] = chrome.execute_script(
        "return [...document.querySelectorAll('.scroll')]"
        ".filter(box => box.scrollWidth > box.clientWidth + 1).map(box => `${box.ariaLabel}, ${innerWidth}`)"
    )
    return labels


def test_every_command_of_a_stored_row_is_one_that_the_verbs_take(stored: list[Row]) -> None:
    # With the group's settings: a verb keeps the help option that it is first given.
    root = click.Context(cli, **cli.context_settings)
    for command in {row.command for row in stored}:
        words = shlex.split(command)
        if words[0] != "roundworks":
            continue  # a script or make, which its own tests run
        verb = cli.get_command(root, words[1])
        assert verb is not None, command
        verb.make_context(words[1], [*words[2:]], parent=root, resilient_parsing=True)


@pytest.mark.long
def test_commands_of_quick_rows_run(stored: list[Row], run: Callable[..., object]) -> None:
    """test_bound.py and others run some of them; here it is those that the pages show, one of each kind."""
    chosen: dict[tuple[str, ...], str] = {}
    for row in stored:
        words = shlex.split(row.command)
        if words[0] == "roundworks" and words[1] in _RUN and row.seconds < _QUICK and not _paths(words):
            options = tuple(word for word in words[1:] if word.startswith("-"))
            measure = words[words.index("--measure") + 1] if "--measure" in words else ""
            chosen.setdefault((words[1], measure, *options), row.command)
    assert {key[0] for key in chosen} == set(_RUN)
    for (_, measure, *_), command in chosen.items():
        words = shlex.split(command)[1:]
        # A row is one result of its command; the others, which may have left the tree since, are often slower.
        if measure and MEASURES[measure].by_solver:
            words += ["--time-limit", "1"]
        done = run(*words)
        assert done.returncode in (0, 1), (command, done.stderr)  # type: ignore[attr-defined]


def _paths(words: list[str]) -> bool:
    return any("/" in word or word.endswith((".py", ".v", ".gz")) for word in words)


def test_words_of_a_page_that_are_commands_name_verbs(tmp_path: Path) -> None:
    """Of pages without rows, whose commands are typed in templates."""
    for page in pages_of(build(Store(tmp_path / "none"), tmp_path / "site")):
        for text in re.findall(r"<code>roundworks ([^<]+)</code>", page.read_text(encoding="utf-8")):
            words = shlex.split(html.unescape(text))
            if words[0].startswith("-"):
                continue
            verb = cli.get_command(click.Context(cli), words[0])
            assert verb is not None, f"{page.name}: {text}"
