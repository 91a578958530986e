"""A core as one module, roundworks_NAME: the top module with the parameters of that core and no others.

Several cores have one top module, and differ by its parameters. Who instantiates a core in a chip
wants neither to know these nor to repeat them.
"""

from __future__ import annotations

import textwrap
from collections.abc import Mapping

from ...errors import HardwareError
from ..cores import Core, Parameter
from .interface import WIDTH, instance, read_module

LICENCE = "SPDX-License-Identifier: Apache-2.0 OR MIT"


def module_name(core: Core) -> str:
    """``roundworks_aegis128_to2`` of aegis128-to2."""
    return "roundworks_" + core.name.replace("-", "_")


def open_parameters(core: Core) -> tuple[Parameter, ...]:
    """Those of its parameters that leave a choice; the others make the core what it is."""
    return tuple(parameter for parameter in core.parameters if len(parameter.choices) > 1)


def choices(parameter: Parameter) -> str:
    """``4, 16, 64`` where the numbers are the names, else ``0 lut, 1 canright``."""
    return ", ".join(
        name if name == str(number) else f"{number} {name}" for name, number in parameter.choices.items()
    )


def variant(core: Core, parameters: Mapping[str, str]) -> str:
    """The module. Its parameters are `open_parameters`, with the values that are given as defaults.

    Raises
    ------
    HardwareError
        ``mine: want its top module alone in a source mine_top.sv, got none of that name``
    """
    source = next((file for file in core.files if file.stem == core.top), None)
    if source is None:
        raise HardwareError(
            f"{core.name}: want its top module alone in a source {core.top}.sv, got none of that name"
        )
    top, numbers = read_module(source.read_text(encoding="utf-8")), core.numbers(parameters)
    listed = {parameter.name: parameter for parameter in core.parameters}
    left = {parameter.name for parameter in open_parameters(core)}
    values = []
    for name, (default, comment) in top.parameters.items():
        if name in left:
            values += _comment(f"{listed[name].meaning}: {choices(listed[name])}", "  ")
        elif name in listed:
            values += _comment(f"{listed[name].meaning}: {next(iter(listed[name].choices))}", "  ")
        comment = "" if name in listed else f"  {comment}"
        comma = "," if name != list(top.parameters)[-1] else ""
        kind = "parameter" if name in left else "localparam"
        values.append(f"  {kind} int {name} = {numbers.get(name, default)}{comma}{comment}".rstrip())
    lines = [
        *_comment(f"{core.title[:1].upper()}{core.title[1:]}.", ""),
        f"// Written by roundworks.hardware.generate.fusesoc: {core.top} as {core.name}.",
        f"// {LICENCE}",
        f"module {module_name(core)}" + (" #(" if values else " ("),
        *([*values, ") ("] if values else []),
        *top.ports,
        ");",
        *instance(core.top, "u_core", {n: n for n in top.parameters}, [f".{p}" for p in top.names]),
        "endmodule",
    ]
    return "\n".join(lines) + "\n"


def _comment(text: str, before: str) -> list[str]:
    start = f"{before}// "
    return textwrap.wrap(text, WIDTH, initial_indent=start, subsequent_indent=start, break_on_hyphens=False)
