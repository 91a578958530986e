"""What programs outside of Python checked, as a row: `python -m roundworks.bench.checked WHAT LOG SECONDS STATUS`.

`tools/ct.sh`, `tools/supply.sh` and `tools/check_wheel.sh` call it with what they printed and how they ended. A
line is a check that was passed, one that was not, or neither; what could not be run is not passed.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from roundworks.rows import Store, TrialRow


@dataclass(frozen=True, slots=True)
class _Check:
    part: Literal["constant time", "supply", "builds"]
    name: str
    about: str
    command: str
    verdict: Callable[[str], bool | None]
    """Of a line; None of one that says nothing."""


def _tracked(line: str) -> bool | None:
    """``memcheck: aegis-128l/aesni, tag of 16: 14 lengths, nothing secret in branch or address``"""
    if not re.match(r"memcheck: [\w-]+/\w+, tag of \d+: ", line):
        return None
    return line.endswith("nothing secret in branch or address")


def _timed(line: str) -> bool | None:
    """``aegis-128l/vaes512, tag of 16: ..., again: t = +0.31, ...: none found, 1.2 would have been``"""
    if not re.match(r"[\w-]+/\w+, tag of \d+: .*: t = ", line):
        return None
    return "none found" in line


def _supplied(line: str) -> bool | None:
    """``supply: requirements/run.txt: 61 of 61 packages checked for known vulnerabilities``"""
    if not line.startswith("supply: "):
        return None
    counted = re.search(r": (\d+) of (\d+) packages checked for known vulnerabilities$", line)
    if counted:
        return counted[1] == counted[2]
    return line.endswith((": clean", "no crate has a known vulnerability"))


def _same(line: str) -> bool | None:
    """``wheel: two builds are the same, 4000000 bytes, without a path of this machine``"""
    return line.startswith("wheel: two builds are the same") if line.startswith("wheel: ") else None


CHECKS = {
    "memcheck": _Check(
        "constant time",
        "valgrind",
        "key, nonce, data and tag are tracked bit-wise through the compiled code of each cipher and back end that"
        " valgrind follows: nothing secret in a branch or an address; a planted leak is found",
        "make ct",
        _tracked,
    ),
    "timing": _Check(
        "constant time",
        "times compared",
        "on the back ends that valgrind cannot follow, times of two classes of secrets are compared by Welch's"
        " t-test: no difference is found; a planted one is. A test, no proof, and only of this machine",
        "make ct",
        _timed,
    ),
    "supply": _Check(
        "supply",
        "what is taken from others",
        "licences and sources of every crate and Python package are on the lists, each artefact has an SBOM, and no"
        " package has a known vulnerability",
        "make supply",
        _supplied,
    ),
    "wheel": _Check(
        "builds",
        "the wheel built twice",
        "two builds of the wheel, one of its sdist in another folder, are the same bytes",
        "make check-wheel",
        _same,
    ),
}


def checked_row(what: str, log: str, seconds: float, status: int) -> TrialRow:
    """The row of a program that printed ``log`` and ended with ``status``.

    Of a check that is run again the last line counts. A program that failed without a line that says so is one
    more check that was not passed.
    """
    check = CHECKS[what]
    said: dict[str, tuple[str, bool]] = {}
    for line in log.splitlines():
        if (passed := check.verdict(line.strip())) is not None:
            # Without its numbers, and without "again": what was checked.
            key = re.sub(r", again(?=: t = )|: t = .*", "", line.strip())
            said[key] = line.strip(), passed
    failed = [line for line, passed in said.values() if not passed]
    if (status or not said) and not failed:
        failed = [f"ended with status {status}: {(log.splitlines() or ['nothing was printed'])[-1]}"]
    tried = len(said) + (len(failed) if not any(line in failed for line, _ in said.values()) else 0)
    return TrialRow.make(
        seconds=seconds,
        command=check.command,
        part=check.part,
        name=check.name,
        about=check.about,
        tried=tried,
        passed=tried - len(failed),
        failed=failed,
    )


def main(what: str, log: str, seconds: str, status: str) -> None:
    """Store the row and print a line."""
    row = checked_row(what, Path(log).read_text(errors="replace"), float(seconds), int(status))
    Store().append([row])
    print(f"{row.name}: {row.passed} of {row.tried}" + "".join(f"\n  {why}" for why in row.failed))


if __name__ == "__main__":
    main(*sys.argv[1:])
