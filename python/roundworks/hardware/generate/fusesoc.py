"""A core as a folder that FuseSoC takes: its sources, the waivers, and NAME.core.

python -m roundworks.hardware.generate.fusesoc FOLDER aegis128-to2 ascon128a-8-rav
fusesoc --cores-root FOLDER run --target=lint roundworks:rtl:aegis128-to2
"""

from __future__ import annotations

import json
import sys
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path

from ... import spec
from ...errors import RoundworksError
from .. import cores
from ..cores import Core
from . import files

_WAIVERS = "waivers.vlt"


def export(core: Core, parameters: Mapping[str, str], folder: Path) -> list[Path]:
    """Write a core with its parameters' values as defaults; the files that are new or changed.

    Cores that share a source share its copy: they are of one version.
    """
    texts = {f"{core.name}.core": core_file(core, parameters)}
    for file in (*core.files, spec.root() / "rtl" / _WAIVERS):
        name = _name(core, file)
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        texts[name] = file.read_text(encoding="utf-8")
    return files.write(texts, folder)


def core_file(core: Core, parameters: Mapping[str, str]) -> str:
    """The text of NAME.core: target default for whoever depends on it, target lint for Verilator."""
    return "\n".join(_lines(core, core.numbers(parameters))) + "\n"


def _lines(core: Core, numbers: Mapping[str, int]) -> Iterator[str]:
    project = tomllib.loads((spec.root() / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    yield "CAPI=2:"
    yield "# Written by roundworks.hardware.generate.fusesoc."
    yield f"name: roundworks:rtl:{core.name}:{project['version']}"
    yield f"description: {json.dumps(core.title, ensure_ascii=False)}"
    yield "filesets:"
    yield "  rtl:"
    yield "    files:"
    for file in core.files:
        yield f"    - {_name(core, file)}"
    yield "    file_type: systemVerilogSource"
    yield "  waivers:"
    yield f"    files: [{_WAIVERS}]"
    yield "    file_type: vlt"
    if core.parameters:
        yield "parameters:"
    for parameter in core.parameters:
        choices = ", ".join(f"{number} {name}" for name, number in parameter.choices.items())
        yield f"  {parameter.name}:"
        yield f"    description: {json.dumps(f'{parameter.meaning}: {choices}')}"
        yield "    datatype: int"
        yield "    paramtype: vlogparam"
        yield f"    default: {numbers[parameter.name]}"
    yield "targets:"
    for target, filesets in (("default", "rtl"), ("lint", "waivers, rtl")):
        yield f"  {target}:"
        yield f"    filesets: [{filesets}]"
        yield f"    toplevel: {core.top}"
        yield f"    parameters: [{', '.join(numbers)}]"
    yield "    flow: lint"
    yield "    flow_options: {tool: verilator, verilator_options: [-Wall]}"


def _name(core: Core, file: Path) -> str:
    return str(file.relative_to(core.folder)) if file.is_relative_to(core.folder) else file.name


def main(arguments: list[str]) -> int:
    """``FOLDER CORE...``; the paths that were written, or one line of what is wrong and status 2."""
    if len(arguments) < 2:
        print("usage: python -m roundworks.hardware.generate.fusesoc FOLDER CORE...", file=sys.stderr)
        return 2
    try:
        for name in arguments[1:]:
            for path in export(cores.core(name), {}, Path(arguments[0])):
                print(path)
    except (RoundworksError, OSError) as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
