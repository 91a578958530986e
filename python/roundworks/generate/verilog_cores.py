"""The entries of cores.toml for what was generated, so that every verb on cores takes it."""

from __future__ import annotations

import inspect
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..errors import UnknownName
from ..hardware.cores import core
from ..reference import Permutation, StreamAead
from . import names
from .verilog_layers import MATRIX_FORMS, SBOX_FORMS

Described = StreamAead[Any] | Permutation[Any]
_MEANING = {"Sbox": ("circuit of an S-box", SBOX_FORMS), "Mix": ("sums of a matrix", MATRIX_FORMS)}


@dataclass(frozen=True, slots=True)
class CoreEntry:
    """A core: ``steps`` as `hardware.cycles.aead.of` reads them, none of a combinational one."""

    name: str
    title: str
    top: str
    files: Sequence[str]
    forms: Sequence[str]
    bench: str = ""
    steps: Mapping[str, int] = field(default_factory=dict)
    values: Mapping[str, tuple[str, Sequence[int]]] = field(default_factory=dict)


def cores_toml(
    it: Described, description: str, lists: Mapping[str, Sequence[str]], entries: Sequence[CoreEntry]
) -> str:
    """The text; `lists` are files by name, `description` the name or the file of the description."""
    lines = [
        f"# Cores of {it.name}, written by `roundworks generate --to verilog`.",
        "# roundworks sim, synth, power and fpga take them with --cores FILE.",
        "",
        'schema = "cores-v1"',
        "",
        "[files]",
    ]
    for name, files in lists.items():
        lines += [f"{name} = [", *(f'  "{file}",' for file in files), "]"]
    family = re.sub(r"[^a-z0-9]+", "-", it.family.lower()).strip("-")
    for one in entries:
        lines += [
            "",
            "[[cores]]",
            f'name = "{one.name}"',
            f'family = "{family}"',
            f'title = "{one.title}"',
            f'top = "{one.top}"',
            f"files = [{', '.join(f'{chr(34)}{file}{chr(34)}' for file in one.files)}]",
        ]
        if one.bench:
            lines += ['clock = "clk_i"', 'reset = "rst_ni"', f'bench = "{one.bench}"']
            lines += [f'description = "{description}"']
            inside = ", ".join(f"{name} = {value}" for name, value in one.steps.items())
            lines += [f"steps = {{{inside}}}"]
        for form in one.forms:
            meaning, choices = _MEANING[form]
            listed = ", ".join(f"{choice} = {number}" for choice, number in choices.items())
            default = next(iter(choices))
            lines += [
                f'parameters.{form} = {{meaning = "{meaning}", default = "{default}", choices = {{{listed}}}}}'
            ]
        for name, (meaning, values) in one.values.items():
            listed = ", ".join(map(str, values))
            lines += [
                f'parameters.{name} = {{meaning = "{meaning}", default = {values[0]}, values = [{listed}]}}'
            ]
    return "\n".join(lines) + "\n"


def core_name(it: Described) -> str:
    """``toy``; of a cipher that has a core of ours ``rocca-s-generated``: rows meet by name."""
    name = names.identifier(it.name, "verilog").replace("_", "-")
    try:
        core(name)
    except UnknownName:
        return name
    return f"{name}-generated"


def description_of(it: Described) -> tuple[str, dict[str, str]]:
    """What a core's entry calls its description: a name that the library knows, or a copy of the file
    that it is in, which is given too."""
    module = type(it).__module__
    if module.startswith("roundworks.reference."):
        return it.name, {}
    path = inspect.getsourcefile(type(it))
    assert path is not None
    file = f"{re.sub(r'[^a-z0-9]+', '_', Path(path).stem.lower()).strip('_')}.py"
    return file, {file: Path(path).read_text(encoding="utf-8")}
