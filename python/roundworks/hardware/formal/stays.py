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
    made = _Staying(module, functions, inputs)
    made.replace()
    for word in words:
        made.replace_bits(module["netnames"][word]["bits"])


def between_turns(
    module: dict[str, Any], ports: Mapping[str, tuple[str, str]], inputs: Sequence[str], turns: int
) -> dict[str, int]:
    """Of a core that interleaves messages, where flip-flops move in every cycle: what a property is about is the
    same as in this message's last turn if each flip-flop and input that it is made of is. So say that of each.

    Parameters
    ----------
    ports
        output of a property -> net that it is about, and net that is high where that is to be what it was; a bit
        for each flip-flop and input takes the place of the output's bits: it is high if the second net is and the
        flip-flop or input is another than `turns` cycles before
    inputs
        as of `stay`

    Returns
    -------
    port -> number of those bits
    """
    made = _Staying(module, {}, inputs)
    for port, (word, waits) in ports.items():
        (waiting,) = module["netnames"][waits]["bits"]
        leaves = made.leaves(module["netnames"][word]["bits"])
        bits = [
            made.once("$_AND_", {"A": made.change(bit, made.ago(bit, turns)), "B": waiting}) for bit in leaves
        ]
        for wire in (module["ports"][port], module["netnames"][port]):
            wire["bits"] = bits
    return {port: len(module["ports"][port]["bits"]) for port in ports}


class _Staying:
    def __init__(
        self, module: dict[str, Any], functions: Mapping[str, Sequence[str]], inputs: Sequence[str]
    ) -> None:
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
        for bit in (bit for name in inputs for bit in module["netnames"][name]["bits"]):
            self.needs.pop(bit, None)
            self.flops.pop(bit, None)
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
                self._add("$_MUX_", {"A": self.ago(out, 1), "B": self._free(), "S": moved}, out)

    def replace_bits(self, word: Sequence[Bit]) -> None:
        """Each bit that gates drive; a flip-flop's output is looked at as it is."""
        made = {bit: self._new() for bit in word if bit in self.needs}
        for cell in self.cells.values():
            for pin in self._outputs(cell):
                bits = cell["connections"][pin]
                cell["connections"][pin] = [made.get(bit, bit) for bit in bits]
        for bit, new in made.items():
            self.needs[new] = self.needs[bit]
            self._add("$_MUX_", {"A": self.ago(bit, 1), "B": self._free(), "S": self._moved([new])}, bit)

    def _moved(self, given: Sequence[Bit]) -> Bit:
        """Whether any flip-flop or input that these bits are made of is another than in the cycle before."""
        leaves = self.leaves(given)
        steps = dict.fromkeys(step for leaf in leaves if leaf in self.flops for step in self._step(leaf))
        others = [self.change(leaf, self.ago(leaf, 1)) for leaf in leaves if leaf not in self.flops]
        return self._any([self.ago(self._any(list(steps)), 1), *others])

    def leaves(self, given: Sequence[Bit]) -> list[Bit]:
        """The flip-flops and inputs that these bits are made of."""
        waiting, seen, found = list(given), set[Bit](), list[Bit]()
        while waiting:
            now = waiting.pop()
            if now in seen or not isinstance(now, int):
                continue
            seen.add(now)
            if now in self.flops or now not in self.needs:
                found.append(now)
            else:
                waiting += self.needs[now]
        return found

    def _step(self, leaf: Bit) -> list[Bit]:
        """Bits of which one is 1 if a flip-flop moves at the end of the cycle."""
        cell = self.flops[leaf]
        pins, kind = cell["connections"], _FLOP.fullmatch(cell["type"])
        assert kind is not None
        acts = {"E": kind["e"] or kind["e2"], "R": kind["r"] or kind["r2"]}
        bits = [self._act(pins[pin][0], level) for pin, level in acts.items() if level]
        return bits if acts["E"] else [*bits, self.change(leaf, pins["D"][0])]

    def _act(self, bit: Bit, level: str) -> Bit:
        return bit if level == "P" else self.once("$_NOT_", {"A": bit})

    def change(self, leaf: Bit, following: Bit) -> Bit:
        return self.once("$_XOR_", {"A": leaf, "B": following})

    def once(self, kind: str, pins: Mapping[str, Bit]) -> Bit:
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

    def ago(self, bit: Bit, cycles: int) -> Bit:
        for _ in range(cycles):
            bit = self.once("$_FF_", {"D": bit})
        return bit

    def _free(self) -> Bit:
        return self._add("$anyseq", {})

    def _any(self, bits: Sequence[Bit]) -> Bit:
        row = list(bits) or ["0"]
        while len(row) > 1:
            pairs = [self._add("$_OR_", {"A": a, "B": b}) for a, b in zip(row[::2], row[1::2], strict=False)]
            row = pairs + row[2 * len(pairs) :]
        return row[0]
