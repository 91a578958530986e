"""What is made of flip-flops and inputs, in a model of the control: free, but that it stays while none of them moves.

A flip-flop moves if its enable is high. So one bit stands for words of hundreds, where a comparison of each with what
it was would be hundreds of facts for model checking to find out.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from ...errors import HardwareError

# Reset, enable or neither, and which value of either is the one in which they act.
_FLOP = re.compile(
    r"\$_(?:DFF_P|DFFE_P(?P<e>[NP])|SDFF_P(?P<r>[NP])[01]|SDFFC?E_P(?P<r2>[NP])[01](?P<e2>[NP]))_"
)
_STATEFUL = re.compile(r"\$.*(ff|FF|latch|LATCH|mem|_SR_)")
Bit = int | str
"""A bit of a netlist in JSON: a number, or a constant as text."""


def stay(
    module: dict[str, Any],
    functions: Mapping[str, Sequence[str]],
    words: Sequence[str] = (),
    inputs: Sequence[str] = (),
) -> None:
    """Put free values that stay in place of each cell of these kinds, and of each bit of these words, in a module
    of Yosys as JSON.

    Parameters
    ----------
    module
        of flip-flops of one bit that act at a rising edge, and of cells without a state; changed in place
    functions
        kind of a cell -> its outputs; of the others all ports but the outputs of ``port_directions`` are inputs
    words
        names of nets, of which each bit is a function by itself
    inputs
        names of nets that are looked at no further than the module's inputs are: they move if their value does

    Raises
    ------
    HardwareError
        ``stay: want flip-flops of one bit at a rising edge, got $_DFF_N_``
    """
    made = _Staying(module, functions)
    for name in inputs:
        for bit in module["netnames"][name]["bits"]:
            made.needs.pop(bit, None)
            made.flops.pop(bit, None)
    made.replace()
    for word in words:
        made.replace_bits(module["netnames"][word]["bits"])


class _Staying:
    def __init__(self, module: dict[str, Any], functions: Mapping[str, Sequence[str]]) -> None:
        self.cells: dict[str, Any] = module["cells"]
        self.functions = functions
        self.needs: dict[Bit, list[Bit]] = {}  # of each bit that a cell drives
        self.flops: dict[Bit, Mapping[str, Any]] = {}  # of a flip-flop's output: the flip-flop
        bits = [bit for port in module["ports"].values() for bit in port["bits"]]
        for cell in self.cells.values():
            kind, pins = cell["type"], cell["connections"]
            outputs = self._outputs(cell)
            bits += [bit for pin in pins.values() for bit in pin]
            if _FLOP.fullmatch(kind):
                self.flops[pins["Q"][0]] = cell
                continue
            if _STATEFUL.match(kind):
                raise HardwareError(f"stay: want flip-flops of one bit at a rising edge, got {kind}")
            given = [bit for pin in pins if pin not in outputs for bit in pins[pin] if isinstance(bit, int)]
            for pin in outputs:
                self.needs.update(dict.fromkeys(pins[pin], given))
        self.count = max(bit for bit in bits if isinstance(bit, int)) + 1
        self.made: dict[tuple[Bit, ...], Bit] = {}

    def _outputs(self, cell: Mapping[str, Any]) -> list[str]:
        if cell["type"] in self.functions:
            return list(self.functions[cell["type"]])
        return [pin for pin, way in cell["port_directions"].items() if way == "output"]

    def replace(self) -> None:
        for name in [name for name, cell in self.cells.items() if cell["type"] in self.functions]:
            cell = self.cells.pop(name)
            outputs = self._outputs(cell)
            pins = cell["connections"]
            given = [bit for pin in pins if pin not in outputs for bit in pins[pin] if isinstance(bit, int)]
            moved = self._moved(given)
            for out in (bit for pin in outputs for bit in pins[pin]):
                self._add("$_MUX_", {"A": self._last(out), "B": self._free(), "S": moved}, out)

    def replace_bits(self, word: Sequence[Bit]) -> None:
        """Each bit that gates drive; a flip-flop's output is looked at as it is."""
        made = {bit: self._new() for bit in word if bit in self.needs}
        for cell in self.cells.values():
            for pin in self._outputs(cell):
                bits = cell["connections"][pin]
                cell["connections"][pin] = [made.get(bit, bit) for bit in bits]
        for bit, new in made.items():
            self.needs[new] = self.needs[bit]
            self._add("$_MUX_", {"A": self._last(bit), "B": self._free(), "S": self._moved([new])}, bit)

    def _moved(self, given: Sequence[Bit]) -> Bit:
        """Whether any flip-flop or input that these bits are made of is another than in the cycle before."""
        waiting, seen, steps, inputs = list(given), set[Bit](), dict[Bit, None](), list[Bit]()
        while waiting:
            now = waiting.pop()
            if now in seen:
                continue
            seen.add(now)
            if now in self.flops:
                steps.update(dict.fromkeys(self._step(now)))
            elif now in self.needs:
                waiting += self.needs[now]
            else:
                inputs.append(now)
        others = [self._change(bit, self._last(bit)) for bit in inputs]
        return self._any([self._last(self._any(list(steps))), *others])

    def _step(self, leaf: Bit) -> list[Bit]:
        """Bits of which one is 1 if a flip-flop moves at the end of the cycle."""
        cell = self.flops[leaf]
        pins, kind = cell["connections"], _FLOP.fullmatch(cell["type"])
        assert kind is not None
        acts = {"E": kind["e"] or kind["e2"], "R": kind["r"] or kind["r2"]}
        bits = [self._act(pins[pin][0], level) for pin, level in acts.items() if level]
        return bits if acts["E"] else [*bits, self._change(leaf, pins["D"][0])]

    def _act(self, bit: Bit, level: str) -> Bit:
        return bit if level == "P" else self._once("$_NOT_", {"A": bit})

    def _change(self, leaf: Bit, following: Bit) -> Bit:
        return self._once("$_XOR_", {"A": leaf, "B": following})

    def _once(self, kind: str, pins: Mapping[str, Bit]) -> Bit:
        key = kind, *pins.values()
        if key not in self.made:
            self.made[key] = self._add(kind, pins)
        return self.made[key]

    # -- cells -------------------------------------------------------------------------------------
    def _new(self) -> Bit:
        self.count += 1
        return self.count - 1

    def _add(self, kind: str, pins: Mapping[str, Bit], out: Bit | None = None) -> Bit:
        if out is None:
            out = self._new()
        result = "Q" if kind == "$_FF_" else "Y"
        ways = {**dict.fromkeys(pins, "input"), result: "output"}
        self.cells[f"$stay${len(self.cells)}${out}"] = {
            "hide_name": 1,
            "type": kind,
            "parameters": {"WIDTH": f"{1:032b}"} if kind == "$anyseq" else {},
            "attributes": {},
            "port_directions": ways,
            "connections": {**{pin: [bit] for pin, bit in pins.items()}, result: [out]},
        }
        return out

    def _last(self, bit: Bit) -> Bit:
        return self._once("$_FF_", {"D": bit})

    def _free(self) -> Bit:
        return self._add("$anyseq", {})

    def _any(self, bits: Sequence[Bit]) -> Bit:
        row = list(bits) or ["0"]
        while len(row) > 1:
            pairs = [self._add("$_OR_", {"A": a, "B": b}) for a, b in zip(row[::2], row[1::2], strict=False)]
            row = pairs + row[2 * len(pairs) :]
        return row[0]
