"""Yosys as a wheel brings it, in a process of its own, and what it says of a netlist."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from ..cores import Core
from . import tools

_RUN = "import sys; from pyosys import libyosys as ys; ys.run_pass('script ' + sys.argv[1], ys.Design())"


def run(lines: Sequence[str], folder: Path, log: Path, what: str, limit: float = 7200) -> str:
    """Run a script of Yosys; paths in it are relative to `folder`."""
    tools.need_python("pyosys")
    script = folder / "script.ys"
    script.write_text("\n".join(lines) + "\n", encoding="utf-8")
    # abc's files too: they go with the folder if this process is killed.
    return tools.run(
        [sys.executable, "-c", _RUN, script.name],
        folder,
        log=log,
        what=what,
        limit=limit,
        env=os.environ | {"TMPDIR": str(folder.resolve())},
    )


def read(core: Core, parameters: Mapping[str, str], folder: Path) -> str:
    """The line that reads a core with its parameters, from copies of its files in `folder`.

    read_slang knows no quotes, and a name may hold blanks.
    """
    source = folder / "source"
    source.mkdir(exist_ok=True)
    files = []
    for number, file in enumerate(core.files):
        name = f"source/{number}.sv"
        shutil.copy(file, folder / name)
        files.append(name)
    numbers = "".join(f" -G {n}={v}" for n, v in core.numbers(parameters).items())
    return f"read_slang -D SYNTHESIS --top {core.top}{numbers} {' '.join(files)}"
