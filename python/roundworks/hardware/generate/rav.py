"""Cores with release after verification: `NAME-rav` is the AEAD core NAME with aead_rav_buffer, which
releases no plaintext before its tag is verified.

rtl/cores.toml has no entries for them. Their top modules are written by ``python -m
roundworks.hardware.generate.rav`` from the interface of each core's top module; a test compares.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from ...spec.documents import per_root
from .. import cores
from ..cores import Core, Parameter
from ..cycles.aead import RAV, formula
from . import files
from .interface import OUT, RSP, instance, read_interface

_DEPTH = Parameter("Depth", "blocks of plaintext in the buffer", {str(n): n for n in (4, 16, 64)}, "16")


def rav_cores() -> dict[str, Core]:
    """Name -> core, for every AEAD core that interleaves no messages."""
    return dict(_rav_cores())


@per_root
def _rav_cores(home: Path) -> dict[str, Core]:
    bare = [c for c in cores.cores() if c.bench == "aead" and formula(c.cycles).interleaved == 1]
    return {one.name: one for one in map(_core, bare)}


def _core(bare: Core) -> Core:
    buffer, top = bare.folder / "common" / "aead_rav_buffer.sv", _top(bare)
    own = top.with_name(f"{top.stem}_rav.sv")
    return replace(
        bare,
        name=bare.name + RAV,
        title=f"{bare.title}; plaintext is released after verification",
        top=own.stem,
        files=(*bare.files, buffer, own),
        cycles=bare.cycles + RAV,
        parameters=(*bare.parameters, _DEPTH),
        trace="",
    )


def _top(bare: Core) -> Path:
    """The file of its top module, which has the module's name."""
    return next(file for file in bare.files if file.stem == bare.top)


def sources() -> dict[Path, str]:
    """Path below rtl/ -> text of every module that is written here."""
    bare = {_top(c): c for c in cores.cores() if c.name + RAV in rav_cores()}
    return {
        file.with_name(f"{file.stem}_rav.sv").relative_to(one.folder): wrapper(
            file.read_text(encoding="utf-8")
        )
        for file, one in bare.items()
    }


def wrapper(source: str) -> str:
    """The module in `source` with aead_rav_buffer behind it: its interface, and rsp_long_o.

    Raises
    ------
    HardwareError
        ``aegis128: want a port rsp_ok_o, as every AEAD core has it``
    """
    core = read_interface(source)
    module, widths = core.module, core.widths
    core_pins = [f".{p}({_wire(p)})" if p in (*OUT, *RSP) else f".{p}" for p in widths]
    sizes = {"Rate": widths["out_data_o"], "Tag": widths["rsp_tag_o"], "Depth": "Depth"}
    lines = [
        f"// {module} that releases nothing before the tag is checked: aead_rav_buffer buffers its output.",
        "// Written by roundworks.hardware.generate.rav; change that.",
        "//",
        f"// The interface is that of {module}, and rsp_long_o.",
        f"module {module}_rav #(",
        *(f"  parameter int {n} = {v},  {about}".rstrip() for n, (v, about) in core.parameters.items()),
        "  parameter int Depth = 16  // blocks of plaintext in the buffer",
        ") (",
        *_ports(core.ports),
        ");",
        *_wires(widths),
        "",
        *instance(module, "u_core", {name: name for name in core.parameters}, core_pins),
        "",
        *instance("aead_rav_buffer", "u_rav_buffer", sizes, _buffer_pins()),
        "endmodule",
    ]
    return "\n".join(lines) + "\n"


def _ports(lines: Sequence[str]) -> Iterator[str]:
    """The core's own, and one more behind rsp_ok_o, its comment under the others."""
    column = max(line.find("//") for line in lines)
    for line in lines:
        yield line
        if "rsp_ok_o" in line:
            port = line.partition("rsp_ok_o")[0] + "rsp_long_o,"
            yield f"{port:{column}}// the message had more than Depth blocks"


def _wires(widths: Mapping[str, str]) -> Iterator[str]:
    by_width: dict[str, list[str]] = {}
    for port in (*OUT, *RSP):
        by_width.setdefault(widths[port], []).append(_wire(port))
    ranges = {w: "" if w == "1" else f"[{int(w) - 1 if w.isdigit() else w + '-1'}:0]" for w in by_width}
    column = max(map(len, ranges.values()))
    for width, names in by_width.items():
        yield f"  logic {ranges[width]:{column}} {', '.join(names)};"


def _wire(port: str) -> str:
    """``out_valid_o`` -> ``out_valid``."""
    return port.rpartition("_")[0]


def _buffer_pins() -> list[str]:
    other_side = {"o": "i", "i": "o"}
    from_core = [f".core_{p[:-1]}{other_side[p[-1]]}({_wire(p)})" for p in (*OUT, *RSP)]
    return [
        ".clk_i",
        ".rst_ni",
        ".req_valid_i",
        ".req_ready_i(req_ready_o)",
        ".req_decrypt_i",
        *from_core,
        *(f".{p}" for p in (*OUT, *RSP)),
        ".rsp_long_o",
    ]


def write(folder: Path | None = None) -> list[Path]:
    """Write every file of `sources` whose text has changed; those files."""
    return files.write(sources(), folder or "rtl")


if __name__ == "__main__":
    files.main(write)
