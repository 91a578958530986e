"""The pages of man: made from the help, complete, and without a warning of man itself."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import click
import pytest

from roundworks.cli import man
from roundworks.cli.main import VERBS, cli
from wanted import require


@pytest.fixture(scope="module")
def pages() -> dict[str, str]:
    return dict(man.pages())


def test_one_for_each_verb_with_all_of_its_options(pages) -> None:
    assert list(pages) == ["roundworks.1", *(f"roundworks-{verb}.1" for verb in VERBS)]
    root = click.Context(cli, info_name="roundworks")
    for verb, short in VERBS.items():
        command = cli.get_command(root, verb)
        text = pages[f"roundworks-{verb}.1"].replace("\\-", "-").replace("\\&", "")
        assert f"\nroundworks-{verb} - {short}\n" in text
        for option in command.params:
            if isinstance(option, click.Option):
                assert re.search(rf"^\.B .*{option.opts[-1]}( |$)", text, re.M), (verb, option.opts)
                assert re.sub(r"\s+", " ", option.help) in text, (verb, option.opts)
        sections = re.findall(r"^\.SH (.*)", text, re.M)
        assert sections == [
            "NAME",
            "SYNOPSIS",
            "DESCRIPTION",
            "OPTIONS",
            "EXIT STATUS",
            "EXAMPLES",
            "SEE ALSO",
        ]
        example = text.split(".SH EXAMPLES\n.nf\n")[1].split("\n.fi")[0]
        assert "roundworks " in example and "Example" not in example, verb
        assert "\b" not in text
    assert all(
        f".BR roundworks\\-{verb.replace('-', chr(92) + '-')} (1)" in pages["roundworks.1"] for verb in VERBS
    )


def test_two_builds_are_alike(monkeypatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    first = dict(man.pages())
    assert first == dict(man.pages()) and '1 "1970-01-02"' in first["roundworks.1"]


@pytest.mark.parametrize("program", ["man", "mandoc"])
def test_no_warning(pages, program: str, tmp_path: Path) -> None:
    require(program)
    flags = ["--warnings", "-l"] if program == "man" else ["-T", "lint", "-W", "warning"]
    for file, text in pages.items():
        path = tmp_path / file
        path.write_text(text)
        done = subprocess.run([program, *flags, path], capture_output=True, text=True, check=False)
        assert done.stderr == "" and (program == "man" or done.stdout == ""), file
        if program == "man":
            assert "EXIT STATUS" in done.stdout
