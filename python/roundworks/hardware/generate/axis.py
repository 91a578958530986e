"""AEAD cores with AXI4-Stream: NAME-axis is the core NAME behind aead_axis.

NAME-axis-loop is NAME-axis with the interface of NAME put back in front of it, so that the benches and
proofs of NAME run on it: it exists for these alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from ... import cache
from ...errors import HardwareError
from .. import cores
from ..cores import Core
from ..cycles.aead import RAV
from .files import write
from .interface import Interface, instance, read_interface
from .rav import rav_cores

AXIS = "-axis"
LOOP = "-axis-loop"
# Stream -> its signals: name, direction, and width in the words of aead_axis.
_STREAMS: Mapping[str, tuple[tuple[str, str, str], ...]] = {
    "s_req": (("tdata", "i", "Request"),),
    "s_blk": (("tdata", "i", "Rate"), ("tkeep", "i", "Keep"), ("tlast", "i", "1")),
    "m_out": (("tdata", "o", "Rate"), ("tkeep", "o", "Keep"), ("tlast", "o", "1")),
    "m_rsp": (("tdata", "o", "Response"),),
}


def axis_core(name: str) -> Core:
    """The core of a name that ends with -axis or -axis-loop; its modules are written to the cache.

    Raises
    ------
    HardwareError
        ``aes-sbox: want an AEAD core of one message at a time; its bench is 'aes_cells'``
    """
    looped = name.endswith(LOOP)
    bare = cores.core(name.removesuffix(LOOP).removesuffix(AXIS))
    source = next((file for file in bare.files if file.stem == bare.top), None)
    if bare.bench != "aead" or source is None or "slot_o" in source.read_text(encoding="utf-8"):
        raise HardwareError(
            f"{bare.name}: want an AEAD core of one message at a time; its bench is {bare.bench!r}"
        )
    face = read_interface(source.read_text(encoding="utf-8"))
    texts = {f"{bare.top}_axis.sv": wrapper(face)}
    if looped:
        texts[f"{bare.top}_axis_loop.sv"] = loop(face)
    folder = cache.home() / "axis"
    folder.mkdir(parents=True, exist_ok=True)
    write(texts, folder)
    files = (*bare.files, bare.folder / "common" / "aead_axis.sv", *(folder / text for text in texts))
    title = f"{bare.title}; AXI4-Stream" + (", and back" if looped else "")
    top = Path(files[-1]).stem
    bench = bare.bench if looped else ""
    return replace(bare, name=name, title=title, top=top, files=files, bench=bench, trace="")


def axis_cores() -> dict[str, Core]:
    """Name -> core, of every core that has streams."""
    names = [name for buffered in rav_cores() for name in (buffered.removesuffix(RAV), buffered)]
    return {name + AXIS: axis_core(name + AXIS) for name in names}


def wrapper(face: Interface) -> str:
    """The module with its streams."""
    widths = _widths(face)
    ports = ["input  logic clk_i", "input  logic rst_ni", *_ports(widths)]
    pins = [f".{port}" for port in ("clk_i", "rst_ni")]
    core_pins = pins + [f".{p}({_wire(p)})" for p in face.widths if p not in ("clk_i", "rst_ni")]
    between = [p for p in face.widths if p not in ("clk_i", "rst_ni")]
    bridge = pins + [f".{p}" for p in _signals()]
    bridge += [f".{p[:-1]}{'io'[p.endswith('i')]}({_wire(p)})" for p in between]
    if "rsp_long_o" not in face.widths:
        bridge.append(".rsp_long_i(1'b0)")
    lines = [
        f"// {face.module} with AXI4-Stream: aead_axis says what stands where.",
        "// Written by roundworks.hardware.generate.axis.",
        *_head(f"{face.module}_axis", face, ports),
        *(f"  logic {_range(face.widths[p])}{_wire(p)};" for p in between),
        "",
        *instance(face.module, "u_core", {name: name for name in face.parameters}, core_pins),
        "",
        *instance("aead_axis", "u_axis", _sizes(face), bridge),
        "endmodule",
    ]
    return "\n".join(lines) + "\n"


def loop(face: Interface) -> str:
    """The interface of the module in front of its streams."""
    widths = _widths(face)
    bytes_bits, keep = face.widths["blk_bytes_i"], widths["Keep"]
    request = "{tag_i, req_nonce_i, req_key_i, 5'd0, req_msg_i, req_ad_i, req_decrypt_i}"
    between = {
        "s_req_tvalid_i": "req_valid_i",
        "s_req_tready_o": "req_ready_o",
        "s_req_tdata_i": request,
        "s_blk_tvalid_i": "blk_valid_i",
        "s_blk_tready_o": "blk_ready_o",
        "s_blk_tdata_i": "blk_data_i",
        "s_blk_tkeep_i": "blk_keep",
        "s_blk_tlast_i": "blk_last_i",
        "m_out_tvalid_o": "out_valid_o",
        "m_out_tready_i": "out_ready_i",
        "m_out_tdata_o": "out_data_o",
        "m_out_tkeep_o": "out_keep",
        "m_out_tlast_o": "out_last_o",
        "m_rsp_tvalid_o": "rsp_valid_o",
        "m_rsp_tready_i": "rsp_ready_i",
        "m_rsp_tdata_o": "response",
    }
    pins = [".clk_i", ".rst_ni", *(f".{pin}({wire})" for pin, wire in between.items())]
    ports = [line.partition("//")[0].strip().rstrip(",") for line in face.ports if line.strip()]
    responses = ["  assign rsp_ok_o = rsp_valid_o & response[0];"]
    if "rsp_long_o" in face.widths:
        responses.append("  assign rsp_long_o = response[1];")
    lines = [
        f"// The interface of {face.module} in front of {face.module}_axis, for its benches.",
        "// Written by roundworks.hardware.generate.axis.",
        *_head(f"{face.module}_axis_loop", face, ports),
        f"  logic {_range(keep)}blk_keep, out_keep;",
        f"  logic {_range(widths['Response'])}response;",
        "  logic unused;",
        "  assign unused = ^response[7:1];",
        f"  always_comb for (int i = 0; i < {keep}; i++) blk_keep[i] = {bytes_bits}'(i) < blk_bytes_i;",
        "  always_comb begin",
        "    out_bytes_o = '0;",
        f"    for (int i = 0; i < {keep}; i++) out_bytes_o += {bytes_bits}'(out_keep[i]);",
        "  end",
        *responses,
        f"  assign rsp_tag_o = response[8+:{face.widths['rsp_tag_o']}];",
        *instance(f"{face.module}_axis", "u_core", {name: name for name in face.parameters}, pins),
        "endmodule",
    ]
    return "\n".join(lines) + "\n"


def _sizes(face: Interface) -> dict[str, str]:
    w = face.widths
    return {
        "Rate": w["out_data_o"],
        "Tag": w["rsp_tag_o"],
        "Key": w["req_key_i"],
        "Nonce": w["req_nonce_i"],
        "Bytes": w["out_bytes_o"],
    }


def _widths(face: Interface) -> dict[str, str]:
    """Of every port of the streams, as a number, or as an expression of the module's parameters."""
    size = _sizes(face)
    rate = size["Rate"]  # of AETHER a parameter, which follows from the rounds per cycle
    request = 8 + int(size["Key"]) + int(size["Nonce"]) + int(size["Tag"])
    more = {
        "Keep": str(int(rate) // 8) if rate.isdigit() else f"{rate}/8",
        "Request": str(request),
        "Response": str(8 + int(size["Tag"])),
        "1": "1",
    }
    return {**size, **more}


def _signals() -> dict[str, str]:
    """Every signal of the streams -> its width, as aead_axis has them."""
    signals: dict[str, str] = {}
    for stream, fields in _STREAMS.items():
        mine, theirs = ("i", "o") if stream.startswith("s_") else ("o", "i")
        signals |= {f"{stream}_tvalid_{mine}": "1", f"{stream}_tready_{theirs}": "1"}
        signals |= {f"{stream}_{name}_{direction}": width for name, direction, width in fields}
    return signals


def _ports(widths: Mapping[str, str]) -> list[str]:
    return [
        f"{'input ' if name.endswith('i') else 'output'} logic {_range(widths[width])}{name}"
        for name, width in _signals().items()
    ]


def _head(module: str, face: Interface, ports: list[str]) -> list[str]:
    values = list(face.parameters.items())
    return [
        f"module {module} #(",
        *(f"  parameter int {n} = {v}{',' if n != values[-1][0] else ''}" for n, (v, _) in values),
        ") (",
        *(f"  {port}," for port in ports[:-1]),
        f"  {ports[-1]}",
        ");",
    ]


def _range(width: str) -> str:
    if width == "1":
        return ""
    return f"[{int(width) - 1}:0] " if width.isdigit() else f"[{width}-1:0] "


def _wire(port: str) -> str:
    return port.rpartition("_")[0]
