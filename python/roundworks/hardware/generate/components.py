"""The parts of [AETHER, tables 3 to 5] as cores: `sbox-orthros`, `matrix-m32`, `inner-f-16`.

They are not in rtl/: their SystemVerilog is written into the cache when one is wanted, and so is
that of a user's own S-box or matrix. ``python -m roundworks.hardware.generate.components`` writes those that
rtl/aether needs, and a test says when that is due.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from ... import cache, spec
from ...reference import aes, inner
from ...reference.aether import M_B, SBOX, f
from ...reference.components import CellPermutation, Matrix, Sbox
from ...reference.graph import Graph, NodeWord
from ...reference.midori import ALMOST_MDS
from ...spec.documents import per_root
from ..cores import Core, Parameter
from . import INNER_FUNCTIONS, files
from .component_verilog import MATRIX_FORMS, SBOX_FORMS, Layer, function_verilog, matrix_verilog, sbox_verilog
from .definitions import blif

_WORD = 128
_FORM_OF_SBOX = ("circuit of the S-box", SBOX_FORMS)
_FORM_OF_MATRIX = ("circuit of the matrix", MATRIX_FORMS)


@dataclass(frozen=True, slots=True, eq=False)
class Component:
    """What a core of one combinational part computes: ``layers`` on a word of ``bits`` bits.

    ``by_bytes``: its ports are ordered byte-wise, else cell-wise.
    """

    name: str
    title: str
    layers: tuple[Layer, ...]
    bits: int
    by_bytes: bool = False


def sbox(name: str, title: str, box: Sbox) -> Component:
    """The component of an S-box."""
    return Component(f"sbox-{name}", f"S-box {title}", (box,), box.bits)


def matrix(name: str, title: str, one: Matrix) -> Component:
    """The component of a matrix."""
    return Component(f"matrix-{name}", f"matrix {title}", (one,), one.size * one.cell_bits)


def components() -> dict[str, Component]:
    """Name -> part, tables 3, 4 and 5 of [AETHER] in their order."""
    return dict(_components())


@per_root
def _components(home: Path) -> dict[str, Component]:
    components = [sbox(b.name, b.title, Sbox(b.name, b.table)) for b in spec.sboxes().values()]
    components += [
        matrix("aes", "of MixColumns, on bytes", aes.MIX_COLUMNS),
        matrix("midori", "of Midori, 4x4 on nibbles", ALMOST_MDS),
        matrix("m8", "8x8 on nibbles, ours for the one of [ASLAN]", _of_spec("m8")),
        matrix("aether", "M_b of AETHER, 16x16 on nibbles", M_B),
        matrix("m32", "32x32 on nibbles, ours for the one of [AKLEYLEK]", _of_spec("m32")),
    ]
    table = spec.paper("aether").table("5")
    for row, (name, function) in zip(table.rows, functions().items(), strict=True):
        printed = table.value(row.name, "construction")
        made = tuple(layers_of(function))
        components.append(Component(name, f"inner function {printed}", made, _WORD, True))
    return {one.name: one for one in components}


def functions() -> dict[str, Callable[[NodeWord], NodeWord]]:
    """Name -> inner function, Table 5 in its order."""
    return dict(zip(INNER_FUNCTIONS, (aes.aes, inner.f8, f, inner.f32), strict=True))


def layers_of(function: Callable[[NodeWord], NodeWord]) -> list[Layer]:
    """What a function of one word applies to it, in order."""
    graph = Graph()
    out = function(graph.input("x", _WORD))
    layers: list[Layer] = []
    for number, node in enumerate(graph.nodes[1:], 1):
        assert node.inputs == (number - 1,) and not isinstance(node.detail, int | None)
        layers.append(node.detail)
    assert out.id == len(layers)
    return layers


def core(name: str) -> Core:
    """The core of the part of that name."""
    return core_of(components()[name])


def definition(one: Component) -> str:
    """What it computes, for `equivalence.prove_definition`."""
    return blif(one.layers, one.bits, by_bytes=one.by_bytes)


def core_of(one: Component) -> Core:
    """Its SystemVerilog, in the cache, as a core."""
    texts = sources(one)
    folder = cache.home() / "components" / f"{one.name}-{cache.key([], texts)}"
    if not folder.is_dir():
        with cache.making(folder) as part:
            for file, text in texts.items():
                (part / file).write_text(text, encoding="utf-8")
    *_, top = texts
    return Core(
        name=one.name,
        family="components",
        title=one.title,
        top=top.removesuffix(".sv"),
        files=tuple(folder / file for file in texts),
        clock="",
        reset="",
        bench="",
        tests=(),
        cycles="",
        visible=(),
        parameters=parameters(one),
        folder=folder,
    )


def parameters(one: Component) -> tuple[Parameter, ...]:
    """A part alone has a form; a function those of its S-boxes and of its matrices."""
    if one.by_bytes:
        forms = {"Sbox": _FORM_OF_SBOX, "Mix": _FORM_OF_MATRIX}
    else:
        forms = {"Form": _FORM_OF_SBOX if isinstance(one.layers[0], Sbox) else _FORM_OF_MATRIX}
    return tuple(
        Parameter(name, meaning, choices, next(iter(choices))) for name, (meaning, choices) in forms.items()
    )


def sources(one: Component) -> dict[str, str]:
    """File name -> SystemVerilog, the top module last."""
    module = one.name.replace("-", "_")
    about = one.title[:1].upper() + one.title[1:] + "."
    if not one.by_bytes:
        return {f"{module}.sv": _part(module, about, one.layers[0])}
    names: dict[Layer, str] = {}
    texts: dict[str, str] = {}
    for layer in one.layers:
        if layer in names or isinstance(layer, CellPermutation):
            continue
        kind = "sbox" if isinstance(layer, Sbox) else "matrix"
        names[layer] = f"{module}_{kind}"
        texts[f"{names[layer]}.sv"] = _part(names[layer], f"{layer.name}, for {module}.", layer)
    texts[f"{module}.sv"] = function_verilog(module, about, one.layers, names, one.bits)
    return texts


def committed() -> Mapping[str, str]:
    """File name -> text of what rtl/aether takes from here."""
    return {
        "aether_sbox.sv": sbox_verilog("aether_sbox", "The S-box of Orthros. [AETHER, table 2]", SBOX),
        "aether_matrix.sv": matrix_verilog(
            "aether_matrix", "M_b on 16 nibbles: nibble i is bits [4*i+3:4*i]. [AETHER, section 2]", M_B
        ),
    }


def write(folder: Path | None = None) -> list[Path]:
    """Write every file of `committed` whose text has changed; those files."""
    return files.write(committed(), folder or "rtl/aether")


def _part(module: str, about: str, layer: Layer) -> str:
    assert not isinstance(layer, CellPermutation)
    make = sbox_verilog if isinstance(layer, Sbox) else matrix_verilog
    return make(module, about, layer)  # type: ignore[arg-type]


def _of_spec(name: str) -> Matrix:
    return Matrix(name, spec.matrices()[name].rows, 4)


if __name__ == "__main__":
    files.main(write)
