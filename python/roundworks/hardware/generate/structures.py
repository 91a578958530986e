"""Rounds of searched structures as cores, and what they cost by the figures of their parts.

S'[i] = F(S[i-1]) ^ X_j at the positions, ^ S[pi(i)] elsewhere [AETHER, section 3.2]: as many F as words,
each with a sum of two words behind it. The core is that data path without its registers, of which
every structure of a class has the same number.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from ... import cache
from ...errors import HardwareError, unknown
from ...reference.graph import NodeWord
from ..cores import Core, Parameter
from ..flow.simulate import simulate
from .components import components, functions, sources
from .components import parameters as parameters_of

_WORD = 128
Structure = tuple[tuple[int, ...], tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Cost:
    """``energy_pj``: of one round at 100 MHz, inputs all new, leakage included."""

    area_um2: float
    delay_ps: float
    energy_pj: float

    def of_words(self, words: int) -> Cost:
        """The cost of as much on each of `words` words, which adds no delay."""
        return replace(self, area_um2=words * self.area_um2, energy_pj=words * self.energy_pj)

    def then(self, other: Cost) -> Cost:
        """The cost of this part with another behind it."""
        return Cost(
            self.area_um2 + other.area_um2, self.delay_ps + other.delay_ps, self.energy_pj + other.energy_pj
        )


def estimate(words: int, function: Cost, added: Cost) -> Cost:
    """Of a round: a function and a sum for every word; its path goes through one of each."""
    return function.then(added).of_words(words)


def inner(name: str) -> Callable[[NodeWord], NodeWord]:
    """The function of one word that the core of that name computes."""
    if name not in functions():
        raise unknown("inner function", name, functions())
    return functions()[name]


def adder() -> Core:
    """A word added to another."""
    text = f"""// A word added to another. Written by roundworks.hardware.generate.structures; change that.
module add_words (
  input  logic [{2 * _WORD - 1}:0] data_i,
  output logic [{_WORD - 1}:0] data_o
);
  assign data_o = data_i[{_WORD - 1}:0] ^ data_i[{2 * _WORD - 1}:{_WORD}];
endmodule
"""
    return _core("add-words", "a word added to another", {"add_words.sv": text}, ())


def round_core(words: int, structure: Structure, name: str = "inner-f-16") -> Core:
    """The round of a structure with that inner function; its forms are those of the function."""
    inner(name)
    positions, pi = structure
    if len(positions) + len(pi) != words:
        raise HardwareError(
            f"structure: want {words} words, got {len(positions)} positions and {len(pi)} others"
        )
    made = sources(components()[name])
    module = next(reversed(made)).removesuffix(".sv")
    label = "_".join(["round", *map(str, positions), "pi", *map(str, pi)])
    blocks, others = iter(range(len(positions))), iter(pi)
    sums = [
        f"  assign state_o[{_WORD * i}+:{_WORD}] = f[{_WORD * ((i - 1) % words)}+:{_WORD}] ^ "
        + (
            f"block_i[{_WORD * next(blocks)}+:{_WORD}];"
            if i in positions
            else f"state_i[{_WORD * next(others)}+:{_WORD}];"
        )
        for i in range(words)
    ]
    wide = _WORD * words
    text = "\n".join(
        [
            f"// A round of {words} words that absorbs {len(positions)}. Written by",
            "// roundworks.hardware.generate.structures; change that.",
            f"module {label} #(",
            "  parameter int Sbox = 0,",
            "  parameter int Mix = 0",
            ") (",
            f"  input  logic [{wide - 1}:0] state_i,",
            f"  input  logic [{_WORD * len(positions) - 1}:0] block_i,",
            f"  output logic [{wide - 1}:0] state_o",
            ");",
            f"  logic [{wide - 1}:0] f;",
            f"  for (genvar i = 0; i < {words}; i++) begin : gen_word",
            f"    {module} #(.Sbox(Sbox), .Mix(Mix)) u_f (",
            f"      .data_i(state_i[{_WORD}*i+:{_WORD}]), .data_o(f[{_WORD}*i+:{_WORD}])",
            "    );",
            "  end",
            *sums,
            "endmodule",
            "",
        ]
    )
    title = f"round of {words} words, {name}"
    return _core(
        label.replace("_", "-"),
        title,
        {**made, f"{label}.sv": text},
        parameters_of(components()[name]),
        bench="structure",
    )


def simulated(core: Core, words: int, structure: Structure, name: str) -> None:
    """Compare the round with the reference, by Icarus.

    Raises
    ------
    HardwareError
        ``round-0-3-5-pi-3-6-4-8-2-0: one_round: word 3: want ..``
    """
    given = json.dumps({"words": words, "structure": structure, "inner": name})
    done = simulate(core, simulator="icarus", env={"ROUNDWORKS_STRUCTURE": given})
    if done.failed:
        raise HardwareError(f"{core.name}: {done.failed[0].name}: {done.failed[0].message}")


def _core(
    name: str, title: str, texts: Mapping[str, str], parameters: tuple[Parameter, ...], bench: str = ""
) -> Core:
    folder = cache.home() / "components" / f"{name}-{cache.key([], texts)}"
    if not folder.is_dir():
        with cache.making(folder) as part:
            for file, text in texts.items():
                (part / file).write_text(text, encoding="utf-8")
    *_, top = texts
    return Core(
        name=name,
        family="structures",
        title=title,
        top=top.removesuffix(".sv"),
        files=tuple(folder / f for f in texts),
        clock="",
        reset="",
        bench=bench,
        tests=(),
        cycles="",
        visible=(),
        parameters=parameters,
        folder=folder,
    )
