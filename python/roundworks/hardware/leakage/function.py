"""A masked S-box proven to compute its table: for all bytes, all shares of them and all random bits."""

from __future__ import annotations

import itertools
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from ...errors import HardwareError
from ...reference.components import Sbox
from ..cores import Core, label
from ..formal.netlist import netlist
from .probing import RANDOM, Unrolled
from .sums import Expression, Sums

if TYPE_CHECKING:  # numpy takes a tenth of a second, which `--help` need not wait for
    import numpy as np

_GADGET = "dom_product.sv"
# What a product in two shares is to whoever reads it: one share is anything at all, and the sum is the product.
_MODEL = """module dom_product #(parameter int Bits = 1) (
  input  logic              clk_i,
  input  logic [2*Bits-1:0] a_i, b_i, add_i,
  input  logic [Bits-1:0]   random_i,
  output logic [2*Bits-1:0] product_o
);
  logic [Bits-1:0] a, b, add, product;
  assign a = a_i[Bits-1:0] ^ a_i[2*Bits-1:Bits];
  assign b = b_i[Bits-1:0] ^ b_i[2*Bits-1:Bits];
  assign add = add_i[Bits-1:0] ^ add_i[2*Bits-1:Bits];
  if (Bits == 4) assign product = aes_tower_pkg::gf16_times(a, b);
  else if (Bits == 2) assign product = aes_tower_pkg::gf4_times(a, b);
  else assign product = a & b;
  always_ff @(posedge clk_i) product_o <= {product ^ add ^ random_i, random_i};
endmodule
"""


@dataclass(frozen=True, slots=True)
class FunctionProof:
    """The sum of the shares that come out is what it is to be of the sums of those that went in, ``latency``
    cycles before."""

    core: str
    latency: int
    certainty: str = "proven"


def prove_product(core: Core, parameters: Mapping[str, str]) -> FunctionProof:
    """Prove that a DOM product is the product of the sums of shares, plus the sum of what is added.

    Raises
    ------
    HardwareError
        ``dom-product Bits=2: differs from the product``
    """
    import numpy as np

    what = f"{core.name} {label(core.chosen(parameters))}"
    ours, latency = _unshared(core, parameters)
    with tempfile.TemporaryDirectory() as name:
        model, _ = _unshared(_with_model(core, Path(name)), parameters)
    order = list(ours.inputs)
    same = model.inputs.keys() <= ours.inputs.keys() and all(
        np.array_equal(ours.values(mine, order), model.values(wanted, order))
        for mine, wanted in zip(ours.outputs, model.outputs, strict=True)
    )
    if not same:
        raise HardwareError(f"{what}: differs from the product")
    return FunctionProof(core.name, latency)


def prove_sbox(core: Core, parameters: Mapping[str, str], sbox: Sbox) -> FunctionProof:
    """Compare the sums of shares of ``data_i`` and ``data_o`` with a table, each DOM product being any sharing
    of a product: that it is one, `prove_product` says.

    Raises
    ------
    HardwareError
        ``aes-sbox-masked -: differs from the table of AES``
    """
    what = f"{core.name} {label(core.chosen(parameters))}"
    _, latency = _unshared(core, parameters)
    with tempfile.TemporaryDirectory() as name:
        model, again = _unshared(_with_model(core, Path(name)), parameters)
    if latency != again or len(model.inputs) > sbox.bits:
        raise HardwareError(f"{what}: its sum depends on how the byte is shared")
    columns = [model.values(one, list(model.inputs)).tolist() for one in model.outputs]
    entries = tuple(sum(bit << i for i, bit in enumerate(row)) for row in zip(*columns, strict=True))
    if entries != sbox.table:
        raise HardwareError(f"{what}: differs from the table of {sbox.name}")
    return FunctionProof(core.name, latency)


@dataclass(frozen=True, slots=True)
class _Unshared:
    """The sums of the two shares of each output bit, and the variables that they depend on: port, bit and
    age of each, in this order."""

    sums: Sums
    outputs: list[Expression]
    inputs: Mapping[tuple[str, int, int], int]

    def values(self, of: Expression, order: Sequence[tuple[str, int, int]]) -> np.ndarray:
        """For all values of these inputs, the first of which is the lowest bit of the index."""
        unused = itertools.count(-1, -1)
        return self.sums.values(of, [self.inputs.get(key, next(unused)) for key in order])


def _with_model(core: Core, folder: Path) -> Core:
    """The core with another DOM product."""
    file = folder / _GADGET
    file.write_text(_MODEL, encoding="utf-8")
    return replace(core, files=tuple(file if one.name == _GADGET else one for one in core.files))


def _unshared(core: Core, parameters: Mapping[str, str]) -> tuple[_Unshared, int]:
    """And how many cycles before the output every path has its input; an error if they differ."""
    circuit = netlist(core, parameters)
    unrolled = Unrolled(core, circuit)
    (bits,) = circuit.outputs.values()
    half = len(bits) // 2
    shares = [unrolled.value(bit, 0) for bit in bits]
    outputs = [low ^ high for low, high in zip(shares[:half], shares[half:], strict=True)]
    ages: dict[tuple[str, int], set[int]] = {}
    for port, place, age in unrolled.inputs:
        ages.setdefault((port, place), set()).add(age)
    latencies = {age for (port, _), entries in ages.items() for age in entries if port != RANDOM}
    if len(latencies) != 1 or any(len(entries) != 1 for entries in ages.values()):
        raise HardwareError(f"{core.name}: want paths of one length from each input")
    used = unrolled.sums.support(frozenset().union(*outputs))
    every = sorted((key, variable) for key, (variable,) in unrolled.inputs.items())
    inputs = {key: variable for key, variable in every if variable in used}
    return _Unshared(unrolled.sums, outputs, inputs), latencies.pop()
