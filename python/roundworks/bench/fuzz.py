"""What libFuzzer did, as a row: `python -m roundworks.bench.fuzz TARGET SECONDS SPENT LOG FOUND SANITIZER`.

`tools/fuzz.sh` calls it after each target, also where something was found.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from roundworks.errors import RoundworksError
from roundworks.rows import FuzzRow, Store

_STATUS = re.compile(r"cov: (\d+) .*?corp: (\d+)/")


def fuzz_row(
    target: str, seconds: int, spent: float, log: str, findings: list[str], sanitizer: str
) -> FuzzRow:
    """The row of one run; ``log`` is what libFuzzer printed.

    ``seconds`` were given to it, and the processor spent ``spent`` of them on it.

    Raises
    ------
    RoundworksError
        ``open: its log has no number of executions``
    """
    units = re.search(r"^stat::number_of_executed_units: *(\d+)", log, re.M)
    status = _STATUS.findall(log)
    if units is None or not status:
        raise RoundworksError(f"{target}: its log has no number of executions, or no coverage")
    edges, inputs = (int(number) for number in status[-1])
    return FuzzRow.make(
        seconds=spent,
        command=f"make fuzz FUZZ_SECONDS={seconds}" + " FUZZ_TOOLCHAIN=nightly" * (sanitizer == "address"),
        target=target,
        executions=int(units[1]),
        edges=edges,
        inputs=inputs,
        sanitizer=sanitizer,
        findings=findings,
    )


def main(target: str, seconds: str, spent: str, log: str, found: str, sanitizer: str) -> None:
    """Store the row and print a line."""
    findings = sorted(path.name for path in Path(found).iterdir())
    printed = Path(log).read_text(errors="replace")
    row = fuzz_row(target, int(seconds), float(spent), printed, findings, sanitizer)
    Store().append([row])
    print(
        f"fuzz: {target}: {row.executions} inputs in {row.seconds:.0f} s, {row.edges} edges,"
        f" {', '.join(findings) or 'nothing'} found"
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
