"""What Verilator and Verible have against a core's source."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Mapping

from ... import spec
from ..cores import Core
from . import tools

# Verible's own rules but for one: a line may be as long as in the rest of the project.
_RULES = "line-length=length:100"
_WARNING = re.compile(r"^%(Warning|Error)")
# Its last words, which only count.
_NOT_A_FINDING = re.compile(r"^%Error: Exiting due to")


def lint(core: Core, parameters: Mapping[str, str] | None = None) -> tuple[str, ...]:
    """Every finding, one line each; none for a clean core. Waivers are in ``rtl/waivers.vlt``."""
    return verilator(core, parameters or {}) + verible(core)


def verilator(core: Core, parameters: Mapping[str, str]) -> tuple[str, ...]:
    """All warnings on, assertions read."""
    argv = [
        tools.find("verilator"),
        "--lint-only",
        "-Wall",
        "--assert",
        "+define+ROUNDWORKS_ASSERT",
        "--top-module",
        core.top,
        *(f"-G{name}={value}" for name, value in core.numbers(parameters).items()),
        spec.root() / "rtl" / "waivers.vlt",
        *core.files,
    ]
    done = subprocess.run([str(a) for a in argv], capture_output=True, text=True)
    warnings = [line for line in done.stderr.splitlines() if _WARNING.match(line)]
    return tuple(_short(line, core) for line in warnings if not _NOT_A_FINDING.match(line))


def verible(core: Core) -> tuple[str, ...]:
    """lowRISC's style, as far as Verible knows it."""
    argv = [tools.find("verible-verilog-lint"), f"--rules={_RULES}", *core.files]
    done = subprocess.run([str(a) for a in argv], capture_output=True, text=True)
    lines = (done.stdout + done.stderr).splitlines()
    return tuple(_short(line, core) for line in lines if line.strip())


def _short(line: str, core: Core) -> str:
    return line.replace(f"{core.folder}/", "")
