"""Cores as a folder that FuseSoC takes: their sources, a core file for each, what licences want.

python -m roundworks.hardware.generate.fusesoc FOLDER aegis128-to2 ascon128a-8-rav
fusesoc --cores-root FOLDER run --target=lint roundworks:rtl:aegis128-to2
"""

from __future__ import annotations

import importlib.metadata
import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from ... import __version__, spec
from ...errors import HardwareError, RoundworksError
from .. import cores
from ..cores import Core
from . import files, shared
from .shared import Group
from .variant import LICENCE, choices, module_name, open_parameters, variant

_USAGE = "usage: python -m roundworks.hardware.generate.fusesoc FOLDER CORE..."
_HELP = """Write cores into FOLDER as FuseSoC takes them: their sources, and a core file for each. Cores that are there
already stay. CORE is a name in rtl/cores.toml, as `roundworks list cores` prints them; an AEAD core also has -rav, with
a release-after-verification buffer, and either has -axis, with AXI4-Stream. What was written is printed.

fusesoc --cores-root FOLDER run --target=lint roundworks:rtl:CORE"""
_WAIVERS = "waivers.vlt"
_LICENCES = ("LICENSE-APACHE", "LICENSE-MIT")
_HEAD = ("CAPI=2:", "# Written by roundworks.hardware.generate.fusesoc.", f"# {LICENCE}")
_PAGE = re.compile(r"\]\(\.\./(\w+)/README\.md\)")
# A link to what is not in the folder: its text stays.
_OUTSIDE = re.compile(r"\[([^\]]+)\]\(\.\./\.\./([^)]+)\)")
_README = """# Hardware cores of Roundworks

Written by `python -m roundworks.hardware.generate.fusesoc`, which adds cores to a folder that has some. Everything here
is licensed under Apache-2.0 or MIT, at your choice; both texts are here. Take all cores of a chip from one version of
Roundworks: FuseSoC refuses two.

| file | content |
|---|---|
| `NAME.core` | the core `roundworks:rtl:NAME` for FuseSoC |
| `FAMILY/roundworks_NAME.sv` | its module, which is the one to instantiate: `NAME` with `_` for `-` |
| `FAMILY/shared.core` | `roundworks:shared:FAMILY`, the sources that several cores have in common; cores depend on it |
| `FAMILY/README.md` | interface and cycles of the cores of that family |
| `waivers.vlt` | the warnings of Verilator that the target `lint` waives |

A core of yours depends on `roundworks:rtl:NAME`, on any number of them, and gets each source once. The target `default`
passes no parameter to your top level. The parameters of `roundworks_NAME` are those that leave a choice, each with a
default and its values in a comment; give others where you instantiate it. The target `lint` is for the core alone, and
takes the same parameters as options, such as `--Depth 64`.

The reset, `rst_ni`, is active low. It may begin at any time, and must end synchronously to `clk_i`.
"""


def export(core: Core, parameters: Mapping[str, str], folder: Path) -> list[Path]:
    """Write a core with its parameters' values as defaults; the files that are new or changed.

    Sources that several cores have in common are written with all others of their folder, so that cores
    may be exported into one folder or into several, and one chip may have all of them.
    """
    own = {file: _place(core, file) for file in core.files if not shared.group_of(file)}
    groups = [shared.groups()[name] for name in shared.needed([shared.group_of(f) for f in core.files])]
    module = f"{core.family}/{module_name(core)}.sv"
    texts = {
        f"{core.name}.core": core_file(core, parameters, [*own.values(), module], groups),
        module: variant(core, parameters),
    }
    texts |= {name: file.read_text(encoding="utf-8") for file, name in own.items()}
    for group in groups:
        texts |= {f"{group.name}/{name}": text for name, text in group.sources.items()}
        texts[f"{group.name}/shared.core"] = shared_file(group)
    texts |= _pages({Path(name).parent.name for name in texts})
    texts[_WAIVERS] = (spec.root() / "rtl" / _WAIVERS).read_text(encoding="utf-8")
    texts["README.md"] = _README
    texts |= {name: _licence(name) for name in _LICENCES}
    return files.write(texts, folder)


def core_file(core: Core, parameters: Mapping[str, str], own: Sequence[str], groups: Sequence[Group]) -> str:
    """The text of NAME.core: target default for whoever depends on it, target lint for Verilator."""
    return "\n".join(_lines(core, core.numbers(parameters), own, groups)) + "\n"


def shared_file(group: Group) -> str:
    """The text of shared.core: a target default, as cores that depend on it want it."""
    lines = [
        *_HEAD,
        f"name: {_name(group)}",
        f'description: "sources of roundworks:rtl cores: {group.name}"',
        *_fileset(list(group.sources), [_name(shared.groups()[name]) for name in group.groups]),
        "targets:",
        "  default:",
        "    filesets: [rtl]",
    ]
    return "\n".join(lines) + "\n"


def _lines(
    core: Core, numbers: Mapping[str, int], own: Sequence[str], groups: Sequence[Group]
) -> Iterator[str]:
    left = open_parameters(core)
    yield from _HEAD
    yield f"name: roundworks:rtl:{core.name}:{__version__}"
    yield f"description: {json.dumps(core.title, ensure_ascii=False)}"
    yield from _fileset(own, [_name(group) for group in groups])
    yield "  waivers:"
    yield f"    files: [{_WAIVERS}]"
    yield "    file_type: vlt"
    if left:
        yield "parameters:"
    for parameter in left:
        yield f"  {parameter.name}:"
        yield f"    description: {json.dumps(f'{parameter.meaning}: {choices(parameter)}')}"
        yield "    datatype: int"
        yield "    paramtype: vlogparam"
        yield f"    default: {numbers[parameter.name]}"
    yield "targets:"
    # FuseSoC gives parameters of this target to the top module of whoever depends on the core.
    yield "  default:"
    yield "    filesets: [rtl]"
    yield f"    toplevel: {module_name(core)}"
    yield "  lint:"
    yield "    filesets: [waivers, rtl]"
    yield f"    toplevel: {module_name(core)}"
    yield f"    parameters: [{', '.join(p.name for p in left)}]"
    yield "    flow: lint"
    yield "    flow_options: {tool: verilator, verilator_options: [-Wall]}"


def _fileset(names: Sequence[str], depends: Sequence[str]) -> Iterator[str]:
    yield "filesets:"
    yield "  rtl:"
    if depends:
        yield "    depend:"
    for name in depends:
        yield f'      - "={name}"'
    yield "    files:"
    for name in names:
        yield f"      - {name}"
    yield "    file_type: systemVerilogSource"


def _name(group: Group) -> str:
    return f"roundworks:shared:{group.name}:{__version__}"


def _place(core: Core, file: Path) -> str:
    """Where a source of one core alone stands: as in rtl/, or with its family where it was generated."""
    inside = file.is_relative_to(core.folder) and core.folder.name == "rtl"
    return file.relative_to(core.folder).as_posix() if inside else f"{core.family}/{file.name}"


def _pages(folders: set[str]) -> dict[str, str]:
    """The pages of these folders, and of those that they refer to."""
    texts: dict[str, str] = {}
    wanted = sorted(folders)
    for name in wanted:
        page = spec.root() / "rtl" / name / "README.md"
        if name and page.is_file():
            text = page.read_text(encoding="utf-8")
            texts[f"{name}/README.md"] = _OUTSIDE.sub(r"\1 (`\2` of Roundworks)", text)
            wanted += [other for other in _PAGE.findall(text) if other not in wanted]
    return texts


def _licence(name: str) -> str:
    """Its text, from the checkout or from what pip installed."""
    home = spec.checkout()
    if home is not None:
        return (home / name).read_text(encoding="utf-8")
    for file in importlib.metadata.files("roundworks") or ():
        if file.name == name:
            return file.read_text(encoding="utf-8")
    raise HardwareError(f"{name}: not among the files of the installed package; install roundworks again")


def main(arguments: list[str]) -> int:
    """``FOLDER CORE...``; the paths that were written, or one line of what is wrong and status 2."""
    if arguments in (["--help"], ["-h"]):
        print(f"{_USAGE}\n\n{_HELP}")
        return 0
    if len(arguments) < 2:
        print(_USAGE, file=sys.stderr)
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
