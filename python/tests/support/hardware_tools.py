"""What the tests of hardware and of power share: a tool, or a skip that is counted."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from roundworks.errors import ToolMissing
from roundworks.hardware import library
from roundworks.hardware.cores import Core, core
from roundworks.hardware.flow import tools
from wanted import without

OSU018 = library.DEFAULT


def need(*names: str) -> None:
    """Programs and Python packages; without one a skip, and with ROUNDWORKS_REQUIRE_TOOLS=1 a failure."""
    for name in names:
        try:
            tools.find(name) if name in tools.PROGRAMS else tools.need_python(name)
        except ToolMissing as error:
            without(str(error))


def need_osu018() -> Path:
    """The cells that are the default."""
    if not OSU018.is_file():
        without(f"{OSU018}: not there; install Debian's package qflow-tech-osu018")
    return OSU018


def changed(name: str, file: str, old: str, new: str, folder: Path) -> Core:
    """A core with one place of one file written otherwise."""
    one = core(name)
    (path,) = (path for path in one.files if path.name == file)
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1, old
    (folder / file).write_text(text.replace(old, new), encoding="utf-8")
    return replace(one, files=tuple(folder / file if f == path else f for f in one.files))
