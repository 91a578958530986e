"""What other programs print, counted: passed, failed, not run, and run again."""

from __future__ import annotations

import pytest

from roundworks.bench.checked import CHECKS, checked_row

TRACKED = """running 1 test
memcheck: controls: a table lookup 1, an early exit 1 times; their twins 0, 0
memcheck: aegis-128l/aesni, tag of 16: 14 lengths, nothing secret in branch or address
memcheck: aegis-128l/portable, tag of 16: 2 errors when sealing 17 bytes
"""
TIMED = """control: a comparison that stops early: t = +99.0, +3.00 ticks of 5 + 5: THEY DIFFER
aegis-128l/vaes512, tag of 16: sealing: t = +9.31, +1.00 ticks of 5 + 5: THEY DIFFER
aegis-128l/vaes512, tag of 16: sealing, again: t = +0.31, +0.10 ticks of 5 + 5: none found, 1.2 would have been
rocca-s/vaes512, tag of 32: sealing: t = -9.31, +1.00 ticks of 5 + 5: THEY DIFFER
rocca-s/vaes512, tag of 32: sealing, again: t = -9.00, +1.00 ticks of 5 + 5: THEY DIFFER
"""
SUPPLIED = """supply: SBOM of pypi/roundworks, 35 components: clean
supply: .: NOT CHECKED for known vulnerabilities: RustSec's advisories cannot be had
supply: requirements/run.txt: 61 of 61 packages checked for known vulnerabilities
supply: requirements/dev.txt: 60 of 61 packages checked for known vulnerabilities; NOT CHECKED, as PyPI gave no advisories: x
"""


@pytest.mark.parametrize(
    ("what", "log", "passed", "failed"),
    [
        ("memcheck", TRACKED, 1, ["aegis-128l/portable"]),
        ("timing", TIMED, 1, ["rocca-s/vaes512, tag of 32: sealing, again"]),
        ("supply", SUPPLIED, 2, ["NOT CHECKED for known", "requirements/dev.txt: 60 of 61"]),
        ("wheel", "wheel: two builds are the same, 4 bytes, without a path of this machine\n", 1, []),
        ("wheel", "wheel: two builds differ\n", 0, ["two builds differ"]),
    ],
)
def test_lines_are_counted(what: str, log: str, passed: int, failed: list[str]) -> None:
    row = checked_row(what, log, 2.0, int(bool(failed)))
    assert (row.tried, row.passed) == (passed + len(failed), passed)
    assert [part in line for part, line in zip(failed, row.failed, strict=True)] == [True] * len(failed)
    assert row.seed is None and row.part == CHECKS[what].part


def test_a_program_that_ended_badly_is_not_passed() -> None:
    clean = "".join(TRACKED.splitlines(keepends=True)[:3])
    assert checked_row("memcheck", clean, 1.0, 0).failed == []
    row = checked_row("memcheck", clean + "a branch depends on a secret\n", 1.0, 101)
    assert (row.tried, row.passed) == (2, 1)
    assert row.failed == ["ended with status 101: a branch depends on a secret"]
    nothing = checked_row("memcheck", "", 1.0, 0)
    assert (nothing.tried, nothing.passed) == (1, 0)
