"""Bits of a core that its parameters make constant: no input can move them."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping
from pathlib import Path

from ... import cache
from ...errors import HardwareError
from ..cores import Core
from . import yosys

_LIMIT_S = 600
# What follows from constants: through gates, flip-flops and choices, as often as one opens another's way.
_FOLLOW = ["opt_expr", "opt_dff", "opt_muxtree", "opt_clean"]
_TIMES = 3


def constant_bits(core: Core, parameters: Mapping[str, str]) -> frozenset[tuple[str, int]]:
    """The name of a signal below the top, such as ``u_state.start_i``, and the place of a bit in it, for each bit that
    Yosys finds to be constant."""
    words = cache.home() / "logs" / f"constants-{core.name}.log"
    words.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        lines = [yosys.read(core, parameters, folder), f"hierarchy -top {core.top}", "proc", "flatten"]
        lines += [*_FOLLOW * _TIMES, "write_json constants.json"]
        yosys.run(lines, folder, words, f"{core.name}: constants", _LIMIT_S)
        modules = json.loads((folder / "constants.json").read_text(encoding="utf-8"))["modules"]
    if core.top not in modules:
        raise HardwareError(f"{core.name}: constants: no module {core.top}; {words} has Yosys's words")
    return frozenset(
        (signal, place)
        for signal, net in modules[core.top]["netnames"].items()
        for place, bit in enumerate(net["bits"])
        if isinstance(bit, str)
    )
