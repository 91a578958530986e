"""The blocks of a core as Graphviz draws them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ..cores import Core, label
from . import blocks
from .blocks import Blocks


def drawing(core: Core, parameters: Mapping[str, str]) -> dict[str, str]:
    """Fields of a row that draws a core."""
    chosen = core.chosen(parameters)
    tree, flat = blocks.elaborated(core, chosen)
    diagram = blocks.read(tree, flat, core.top, {core.clock, core.reset})
    registers = sum(block.kind == "register" for block in diagram.blocks)
    said = (
        f"Registers of {blocks.MINIMUM_BITS} bits and more: {registers}, with {diagram.drawn_flops:,} of"
        f" all {diagram.flops:,} bits. "
        if diagram.flops
        else ""
    )
    return {
        "cipher": core.name,
        "title": f"{core.name}, {label(chosen)}: blocks",
        "shows": "core",
        "dot": dot(diagram),
        "caption": f"{core.title}. {said}A number is how many bits of an arrow's end depend on its"
        " start through logic, where not all do; what steers a multiplexer does not count,"
        " nor does a register that keeps what it has.",
    }


def dot(found: Blocks) -> str:
    """As Graphviz draws it: modules as frames, classes for the colours."""
    lines = [
        "digraph core {",
        '  graph [rankdir=TB, nodesep=0.25, ranksep=0.45, bgcolor="transparent"];',
        '  node [fontname="Helvetica", fontsize=12, shape=box, height=0.35, margin="0.1,0.05"];',
        '  edge [arrowsize=0.55, fontname="Helvetica", fontsize=10];',
    ]
    keys = {block.key: f"b{i}" for i, block in enumerate(found.blocks)}
    joined = {key for pair in found.wires for key in pair}
    lines += _frame(found, keys, joined, ())
    widths = {block.key: block.widths for block in found.blocks}
    for (start, end), bits in found.wires.items():
        text = "" if bits in widths[end] else f' [label="{bits}"]'
        lines.append(f"  {keys[start]} -> {keys[end]}{text};")
    return "\n".join([*lines, "}"]) + "\n"


def _frame(found: Blocks, keys: Mapping[str, str], joined: set[str], place: tuple[str, ...]) -> Iterator[str]:
    """The blocks of a module and, each in a frame of its own, of those inside it."""
    depth = len(place)
    for block in found.blocks:
        if block.place == place and block.key in joined:
            style = ", style=rounded" if block.kind == "part" else ""
            text = block.name + (f"\\n{block.holds}" if block.holds else "")
            text += f"\\n{block.bits} bits" if block.bits else ""
            cls = block.kind if block.kind in ("register", "part") else "port"
            shape = ", shape=plaintext" if cls == "port" else ""
            yield f'  {keys[block.key]} [label="{text}", class="{cls}"{style}{shape}];'
    deeper = {
        b.place[: depth + 1]
        for b in found.blocks
        if b.place[:depth] == place and len(b.place) > depth and b.key in joined
    }
    for below in sorted(deeper):
        module = found.modules.get(below)
        if module is None:  # a generate block, which is no module
            yield from _frame(found, keys, joined, below)
            continue
        yield f'  subgraph "cluster {".".join(below)}" {{ label="{below[-1]}: {module}"; class="module";'
        yield from _frame(found, keys, joined, below)
        yield "  }"
