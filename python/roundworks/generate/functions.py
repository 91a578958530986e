"""The functions of a program file: which recorded steps there are, lowered for one machine."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ..errors import DescriptionError
from ..lower.lowering import AARCH64, AESNI, GFNI, MACHINES, PORTABLE, Machine, lower
from ..lower.maps import Layout, layout
from ..lower.plan import Loop, Plan, plan
from ..lower.program import Program
from ..lower.proof import NotEqual, prove
from ..reference import Recording, StreamAead
from .read_c import program

# Fastest last; a file chooses the last one that the CPU has.
ORDER = (PORTABLE, AESNI, GFNI, AARCH64)
# Groups of words: inputs by letter, and where outputs go.
INPUTS = {"S": "s", "K": "k", "N": "n", "X": "x", "L": "l", "V": "v", "C": "c"}
OUTPUTS = {"S'": "s", "X'": "x", "V'": "v", "Z": "z", "T": "t"}


@dataclass(frozen=True)
class Function:
    """A straight-line function: words of the arrays in ``reads`` in, of those in ``writes`` out."""

    name: str
    program: Program
    recording: Recording

    @cached_property
    def writes(self) -> list[tuple[str, int, tuple[int, ...]]]:
        """(array, word, values) of each output that is not the same word already."""
        result = []
        for name, values in self.program.outputs.items():
            letter = name.rstrip("0123456789'") + ("'" if name.endswith("'") or "'" in name else "")
            index = int("".join(c for c in name if c.isdigit()))
            array = OUTPUTS[letter]
            same = tuple(
                self.program.inputs.index((f"{letter[0]}{index}", k))
                if (f"{letter[0]}{index}", k) in self.program.inputs
                else -1
                for k in range(len(values))
            )
            if array in INPUTS.values() and same == values:
                continue
            result.append((array, index, values))
        return result

    @cached_property
    def arrays(self) -> dict[str, bool]:
        """Arrays that are passed, and whether they are written."""
        used = {INPUTS[name[0]]: False for name, _ in self.program.inputs if self._used(name)}
        used |= {array: True for array, _, _ in self.writes}
        order = "sxzvtknlc"
        return {array: used[array] for array in sorted(used, key=order.index)}

    def _used(self, name: str) -> bool:
        taken = {a for op in self.program.ops for a in op.args}
        taken |= {v for _, _, values in self.writes for v in values}
        return any(i in taken for i, (n, _) in enumerate(self.program.inputs) if n == name)

    @property
    def empty(self) -> bool:
        """Whether it changes nothing."""
        return not self.writes


@dataclass(frozen=True)
class Call:
    """A function, then the round if ``update``."""

    function: Function
    update: bool


@dataclass(frozen=True)
class Functions:
    """All functions of a streaming cipher for one machine, and its steps as loops of calls."""

    machine: Machine
    order: str
    straight: dict[str, Function]
    steps: dict[str, list[tuple[int, list[Call]]]]
    kept: int
    """Words that a step keeps over a round."""

    def all(self) -> list[Function]:
        """Each function once, in an order in which a file can define them."""
        result = list(self.straight.values())
        for loops in self.steps.values():
            for _, calls in loops:
                result += [c.function for c in calls if c.function not in result and not c.function.empty]
        return result

    @property
    def operations(self) -> int:
        """Operations of a round with its keystream; what machines are compared by."""
        return sum(len(self.straight[name].program.ops) for name in ("update", "keystream"))


def functions(learned: Plan, machine: Machine) -> Functions:
    """Lower every function of a plan; on 64 bits in the byte order that takes fewer operations."""
    orders = ("little", "big") if machine.bits == 64 else ("little",)
    chosen = min(orders, key=lambda order: len(lower(learned.update, machine, order).ops))
    straight = {
        name: Function(name, lower(recording, machine, chosen), recording)
        for name, recording in {
            "load": learned.load,
            "update": learned.update,
            "keystream": learned.keystream,
            "seal_block": learned.seal,
            "open_block": learned.open,
            "tag": learned.tag,
        }.items()
    }
    made: dict[Hashable, Function] = {}
    steps: dict[str, list[tuple[int, list[Call]]]] = {}
    listed = {
        "init": learned.init,
        "absorb": learned.absorb,
        "separate": learned.separate,
        "last": learned.last,
        "finalise": learned.finalise,
    }
    for name, step in listed.items():
        steps[name] = [(loop.times, _calls(name, loop, machine, chosen, made)) for loop in step]
    kept = {n for f in made.values() for n in f.program.outputs if n.startswith("V")}
    return Functions(machine, chosen, straight, steps, len(kept))


def _calls(name: str, loop: Loop, machine: Machine, order: str, made: dict[Hashable, Function]) -> list[Call]:
    calls = []
    for segment in loop.segments:
        key = segment.signature
        if key not in made:
            count = sum(f.name.startswith(f"{name}_") for f in made.values()) + 1
            program = lower(segment.recording, machine, order)
            made[key] = Function(f"{name}_{count}", program, segment.recording)
        calls.append(Call(made[key], segment.calls))
    return calls


def lowered_stream(cipher: StreamAead[Any], machines: Sequence[str]) -> tuple[Plan, list[Functions]]:
    """The plan, and its functions for the machines named; else for every one that has the cipher in
    fewer operations than the portable code, and for that."""
    learned, made = plan(cipher), list[Functions]()
    for machine in [MACHINES[name] for name in machines] or ORDER:
        try:
            made.append(functions(learned, machine))
        except DescriptionError:
            if machines or machine is PORTABLE:
                raise
    portable = next((f for f in made if f.machine is PORTABLE), None)
    if not machines and portable is not None:
        made = [f for f in made if f is portable or f.operations < portable.operations]
    return learned, made


Bodies = Mapping[tuple[str, str], str]
"""(function, machine) to the lines between its braces."""


def prove_stream(cipher: StreamAead[Any], read: Bodies) -> dict[str, Any]:
    """Every function that was read from a file, proven; see `c.prove`."""
    learned, proofs = plan(cipher), dict[str, Any]()
    for name in dict.fromkeys(machine for _, machine in read):
        made = functions(learned, MACHINES[name])
        place = layout(cipher.word_bits, made.machine.bits, made.order)
        proofs[name] = prove_read([f for f in made.all() if not f.empty], read, name, place)
    return proofs


def prove_read(made: Sequence[Function], read: Bodies, machine: str, place: Layout) -> dict[str, Any]:
    """Each of these functions as a file has it, proven: operations and cuts by name."""
    proven = {}
    for f in made:
        if (f.name, machine) not in read:
            raise NotEqual(f"{f.name}, {machine}: not in the file")
        proof = prove(program(read[f.name, machine], machine, f.program), f.recording, place)
        proven[f.name] = {"operations": proof.operations, "cuts": proof.cuts}
    return proven


def words_of(learned: Plan) -> dict[str, Any]:
    """Counts of words by array."""
    cipher = learned.cipher
    return {
        "s": cipher.words,
        "x": cipher.rate_words,
        "z": cipher.rate_words,
        "k": -(-cipher.key_bytes // cipher.word_bytes),
        "n": -(-cipher.nonce_bytes // cipher.word_bytes),
        "l": len(learned.lengths),
        "t": len(learned.tag.outputs),
    }
