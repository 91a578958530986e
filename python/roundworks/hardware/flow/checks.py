"""What no library can make good: latches, loops, nets of two drivers.

Yosys maps them all the same, a latch to a multiplexer that feeds itself, and a timing analyser cuts a
loop where it likes: such a netlist would have a period, and a short one.
"""

from __future__ import annotations

import re
from pathlib import Path

from ...errors import HardwareError

# On a flat design of Yosys's own gates. A clock gate is a black box then: the latch in it is no fault.
COMMANDS = (
    "tee -q -o latches.txt select -list t:$_DLATCH* t:$_SR_* %u %co1:+[Q] w:* %i",
    "tee -q -o problems.txt check",
)
_WIRE = re.compile(r"^    wire \\(\S+)", re.MULTILINE)


def refuse(core: str, folder: Path, log: Path) -> None:
    """Read what `COMMANDS` left in `folder`.

    Raises
    ------
    HardwareError
        ``mine: want logic without a loop, got one through data_o; give it a value in every branch``
    """
    if latches := (folder / "latches.txt").read_text().split():
        register = latches[0].partition("/")[2]
        raise HardwareError(
            f"{core}: want flip-flops alone, got a latch for {register}; write it with always_ff"
        )
    _, mark, problem = (folder / "problems.txt").read_text().partition("Warning: ")
    if not mark:
        return
    first = problem.partition("Warning: ")[0]
    if not first.startswith("found logic loop"):
        what = first.splitlines()[0].rstrip(":")
        raise HardwareError(f"{core}: yosys: {what}; all of it is in {log}")
    named = _WIRE.search(first)
    through = f"through {named[1]}" if named else f"that {log} names"
    raise HardwareError(
        f"{core}: want logic without a loop, got one {through}; give it a value in every branch"
    )
