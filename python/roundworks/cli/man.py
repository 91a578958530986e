"""Pages of man, made from the help: ``python -m roundworks.cli.man FOLDER``.

One for `roundworks` and one for each verb. click-man, the library for this, leaves the examples and
exit codes out, which stand in click's epilog.
"""

from __future__ import annotations

import inspect
import os
import re
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import click

from .. import __version__
from .main import VERBS, cli

_SECTION = "General Commands Manual"


def pages() -> Iterator[tuple[str, str]]:
    """Name of the file and text of each."""
    settings = {**cli.context_settings, "max_content_width": 10_000}
    root = click.Context(cli, info_name="roundworks", **settings)
    yield "roundworks.1", _page(root, "workbench for fast symmetric ciphers", list(VERBS))
    for verb, text in VERBS.items():
        command = cli.get_command(root, verb)
        assert command is not None
        context = click.Context(command, root, info_name=verb, max_content_width=10_000)
        yield f"roundworks-{verb}.1", _page(context, text, [])


def _page(context: click.Context, short: str, verbs: list[str]) -> str:
    command, path = context.command, context.command_path
    name = path.replace(" ", "-")
    usage = " ".join(command.collect_usage_pieces(context))
    lines = [
        f'.TH "{_text(name.upper())}" 1 "{_date()}" "roundworks {__version__}" "{_SECTION}"',
        ".SH NAME",
        f"{_text(name)} \\- {_text(short)}",
        ".SH SYNOPSIS",
        f".B {_text(path)}",
        _line(usage),
        ".SH DESCRIPTION",
        *_paragraphs(inspect.cleandoc(command.help or "")),
    ]
    if verbs:
        lines.append(".SH VERBS")
        for verb in verbs:
            lines += [".TP", f".BR {_text(f'roundworks-{verb}')} (1)", _line(VERBS[verb])]
    lines.append(".SH OPTIONS")
    for parameter in command.get_params(context):
        if record := parameter.get_help_record(context):
            lines += [".TP", f".B {_text(record[0])}", _line(record[1])]
    example, _, codes = (command.epilog or "").replace("\b\n", "").partition("Exit codes:")
    lines += [".SH EXIT STATUS", _line(codes.strip().capitalize())]
    lines += [".SH EXAMPLES", ".nf"]
    examples = re.sub(r"^Example:\s*", "", example.strip()).split("\n")
    lines += [_line(one.strip()) for one in examples]
    lines += [".fi", ".SH SEE ALSO"]
    lines.append(".BR roundworks (1)" if not verbs else ".BR roundworks\\-list (1)")
    return "\n".join(line for line in lines if line) + "\n"


def _paragraphs(text: str) -> Iterator[str]:
    """Those after click's mark are printed as they stand."""
    for number, paragraph in enumerate(text.strip().split("\n\n")):
        if number:
            yield ".PP"
        if paragraph.startswith("\b\n"):
            yield from (".nf", *(_line(line) for line in paragraph[2:].split("\n")), ".fi")
        else:
            yield _line(" ".join(paragraph.split()))


def _line(text: str) -> str:
    """A line of text: a dot or an apostrophe in front would make it a request."""
    text = _text(text)
    return f"\\&{text}" if text.startswith((".", "'")) else text


def _text(text: str) -> str:
    return text.replace("\\", "\\e").replace("-", "\\-")


def _date() -> str:
    """Of the build, or of its source where that is known: two builds are then alike."""
    seconds = int(os.environ.get("SOURCE_DATE_EPOCH", time.time()))
    return time.strftime("%Y-%m-%d", time.gmtime(seconds))


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    written = [(folder / file).write_text(text, encoding="utf-8") for file, text in pages()]
    print(f"{folder}: {len(written)} pages; read one with: man -l {folder}/roundworks.1")
