"""The functions of a program file: which recorded steps there are, lowered for one machine."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache
from math import inf
from typing import Any, Protocol, TypeVar

from ..errors import DescriptionError
from ..lower.cost import count, cycles
from ..lower.lowering import byte_order, lower, single
from ..lower.machines import AARCH64, MACHINES, PLANES, PORTABLE, Machine, machines_named
from ..lower.maps import Layout, layout
from ..lower.pack import register
from ..lower.plan import Plan, plan
from ..lower.planes import sliced
from ..lower.program import Builder, Program, finished
from ..lower.proof import NotEqual, prove
from ..lower.steps import Loop
from ..reference import Graph, Recording, Sbox, StreamAead
from .parts import parted
from .read_c import program

ORDER = tuple(MACHINES.values())
"""Fastest last; a file chooses the last one that the CPU has."""
SINGLE = tuple(machine for machine in ORDER if machine.lanes == 1)
"""Those of one word a register."""
# Groups of words: inputs by letter, and where outputs go.
INPUTS = {"S": "s", "K": "k", "N": "n", "X": "x", "L": "l", "V": "v", "C": "c", "W": "w"}
OUTPUTS = {"S'": "s", "X'": "x", "V'": "v", "Z": "z", "T": "t", "W'": "w"}


def _place(name: str) -> tuple[str, int]:
    """The array and word of an output."""
    letter = name.rstrip("0123456789'") + ("'" if "'" in name else "")
    return OUTPUTS[letter], int("".join(c for c in name if c.isdigit()))


@dataclass(frozen=True)
class Function:
    """A straight-line function: words of the arrays in ``reads`` in, of those in ``writes`` out."""

    name: str
    program: Program
    recording: Recording
    places: tuple[Layout, Layout] | None = None
    """Where the bits of inputs and of outputs stand, if not where all functions of the machine have them."""
    parts: tuple[Function, ...] = ()
    """Functions of parts of the state that are this one when they are called one after another."""

    @cached_property
    def reads(self) -> list[tuple[str, int]]:
        """(array, register) of each input value, where a value has several words."""
        lanes = self.program.lanes
        named = [name for name, _ in self.program.inputs]
        result = []
        for at in range(0, len(named), lanes):
            letter, number, _ = register(next(n for n in named[at : at + lanes] if n), lanes)
            result.append((INPUTS[letter], number))
        return result

    def given(self, parts: int) -> list[tuple[str, str, int]]:
        """(name, array, index there) of each input value; a word is ``parts`` values or less than one."""
        if self.program.lanes > 1:
            return [(f"{array}{number}", array, number) for array, number in self.reads]
        return [
            (word.lower() + (f"_{part}" if parts > 1 else ""), INPUTS[word[0]], int(word[1:]) * parts + part)
            for word, part in self.program.inputs
        ]

    @cached_property
    def writes(self) -> list[tuple[str, int, tuple[int, ...]]]:
        """(array, word, values) of each output that is not the same word already; (array, register,
        (value,)) where a value has several words."""
        if self.program.lanes > 1:
            return self._registers()
        result = []
        for name, values in self.program.outputs.items():
            array, index = _place(name)
            same = tuple(
                self.program.inputs.index((f"{name[0]}{index}", k))
                if (f"{name[0]}{index}", k) in self.program.inputs
                else -1
                for k in range(len(values))
            )
            if array in INPUTS.values() and same == values:
                continue
            result.append((array, index, values))
        return result

    def _registers(self) -> list[tuple[str, int, tuple[int, ...]]]:
        lanes = self.program.lanes
        result: dict[tuple[str, int], int] = {}
        for name, (place,) in self.program.outputs.items():
            array, index = _place(name)
            value, lane = divmod(place, lanes)
            if lane != index % lanes or result.setdefault((array, index // lanes), value) != value:
                raise AssertionError(f"{name}: not in its lane")
        return [
            (*where, (value,))
            for where, value in result.items()
            if not (value < self.program.first and self.reads[value] == where)
        ]

    @cached_property
    def arrays(self) -> dict[str, bool]:
        """Arrays that are passed, and whether they are written."""
        used = {array: False for v, array in enumerate(self._given) if v in self._taken}
        used |= {array: True for array, _, _ in self.writes}
        order = "sxzvtknlcw"
        return {array: used[array] for array in sorted(used, key=order.index)}

    def register(self, output: str) -> tuple[str, int]:
        """Array of the state or the block, and value there, in which an output stands; a block of ciphertext
        stands where that of the message did."""
        array, index = _place(output)
        return array.replace("z", "x"), index // self.program.lanes

    @cached_property
    def _given(self) -> list[str]:
        """The array of each input value."""
        if self.program.lanes > 1:
            return [array for array, _ in self.reads]
        return [INPUTS[name[0]] for name, _ in self.program.inputs]

    @cached_property
    def _taken(self) -> set[int]:
        taken = {a for op in self.program.ops for a in op.args}
        return taken | {v for _, _, values in self.writes for v in values}

    @property
    def word_bits(self) -> int:
        """Bits of a word."""
        return max(self.recording.graph.nodes[n].bits for n in self.recording.outputs.values())

    @property
    def empty(self) -> bool:
        """Whether it changes nothing."""
        return not self.writes


def passes(functions: Sequence[Function]) -> list[Function]:
    """The routines that these functions call, each once: words w in and out."""
    result: list[Function] = []
    for call in (call for f in functions for call in f.program.calls):
        if all(call.routine != known.program for known in result):
            result.append(Function(f"pass_{len(result) + 1}", call.routine, call.recording))
    return result


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
        result = [g for f in self.straight.values() for g in (*f.parts, f)]
        for loops in self.steps.values():
            for call in (call for _, calls in loops for call in calls):
                f = call.function
                result += [g for g in (*f.parts, f) if g not in result and not g.empty]
        return result

    def arrays(self, step: str) -> set[str]:
        """The arrays that a step is passed."""
        calls = (call for _, calls in self.steps[step] for call in calls)
        return {array for call in calls for array in call.function.arrays}

    @property
    def pair(self) -> Function | None:
        """Blocks of two messages, each value of both; None where a value is a register already."""
        return replace(self.straight["seal_block"], name="seal_pair") if self.machine.bits == 64 else None

    @cached_property
    def slices(self) -> list[Function]:
        """A word in the order of memory to planes and back, where the machine has words in planes."""
        return sliced_words(self.machine) if self.machine.cell else []

    def counts(self, words: Mapping[str, int], parts: int) -> dict[str, int]:
        """Values of each array of ``words`` words."""
        return {array: -(-n * parts // self.machine.lanes) for array, n in words.items()}

    def limbs(self, words: int) -> int:
        """Numbers of 64 bits that hold ``words`` words."""
        parts = self.machine.layout(self.straight["update"].word_bits).parts
        return self.counts({"s": words}, parts)["s"] * self.machine.lanes * self.machine.bits // 64

    @property
    def operations(self) -> int:
        """Operations of a round with its keystream."""
        return sum(len(self.straight[name].program.ops) for name in ("update", "keystream"))

    @cached_property
    def cost(self) -> tuple[float, float]:
        """What machines are compared by: cycles of a round and of a block of message, then their operations."""
        often = [self.straight[name].program for name in ("update", "seal_block")]
        return sum(map(cycles, often)), sum(map(count, often))


def functions(learned: Plan, machine: Machine) -> Functions:
    """Lower every function of a plan; on 64 bits in the byte order that takes fewer operations."""
    straight_line = {
        "load": learned.load,
        "update": learned.update,
        "keystream": learned.keystream,
        "seal_block": learned.seal,
        "open_block": learned.open,
        "tag": learned.tag,
    }
    listed = {
        "init": learned.init,
        "absorb": learned.absorb,
        "separate": learned.separate,
        "last": learned.last,
        "finalise": learned.finalise,
    }
    segments = [s.recording for step in listed.values() for loop in step for s in loop.segments]
    chosen = byte_order(machine, [learned.update], [*straight_line.values(), *segments])
    straight = {
        name: Function(name, lower(recording, machine, chosen), recording)
        for name, recording in straight_line.items()
    }
    made: dict[Hashable, Function] = {}
    steps: dict[str, list[tuple[int, list[Call]]]] = {}
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


def lowered_stream(
    cipher: StreamAead[Any], machines: Sequence[str], among: Sequence[Machine] = ORDER
) -> tuple[Plan, list[Functions]]:
    """The plan, and its functions for the machines named; else for the portable one and for each of
    ``among`` that costs less than all others that its CPUs have, the cheapest of x86 last."""
    learned, made = _learned(cipher), list[Functions]()
    for machine in machines_named(machines) or among:
        try:
            best = min((f.cost for f in made if machine.has(f.machine)), default=(inf, inf))
            if not machines and machine.lanes > 1 and _at_least(learned, machine) > best[0]:
                continue
            new = _lowered(cipher, machine, among is ORDER)
        except DescriptionError:
            if machines or machine is PORTABLE:
                raise
            continue
        if machines or new.cost < best:
            made.append(new)
    return learned, made if machines else worthwhile(made)


class Costed(Protocol):
    """A cipher on a machine."""

    @property
    def machine(self) -> Machine:
        """Which one."""

    @property
    def cost(self) -> Any:
        """What it is compared by, of any type that has an order."""


C = TypeVar("C", bound=Costed)


def worthwhile(made: Sequence[C]) -> list[C]:
    """Without those that cost more than another one that all their CPUs have: the cheapest last, and behind it
    that for aarch64."""
    kept = [f for f in made if not any(g.cost < f.cost and f.machine.has(g.machine) for g in made)]
    return sorted(
        sorted(kept, key=lambda f: f.cost, reverse=True), key=lambda f: f.machine.name == AARCH64.name
    )


# What is lowered to be written is there again when the text is proven.
@lru_cache(maxsize=4)
def _learned(cipher: StreamAead[Any]) -> Plan:
    return plan(cipher)


@lru_cache(maxsize=32)
def _lowered(cipher: StreamAead[Any], machine: Machine, planes: bool) -> Functions:
    learned = _learned(cipher)
    made = functions(learned, machine)
    if planes and machine is PORTABLE and cipher.word_bits == 128:
        boxes = {n.detail for n in learned.update.graph.nodes if n.op == "sub"}
        for cell in {box.bits for box in boxes if isinstance(box, Sbox) and box.bits in PLANES}:
            with suppress(DescriptionError):
                other = functions(learned, PLANES[cell])
                made = min(made, other, key=lambda f: f.cost)
    return parted(made) if planes else made


@cache
def sliced_words(machine: Machine) -> list[Function]:
    """The two functions between words in memory and words in bit planes."""
    result = []
    memory, planes = layout(128, 128), machine.layout(128)
    for name, back in (("slice", False), ("unslice", True)):
        graph = Graph()
        word = graph.input("X0", 128)
        recording = Recording("", name, graph, {"X0": word.id}, {"X'0": word.id})
        builder = Builder(128, (("X0", 0),))
        value = sliced(builder, 0, machine.cell, back)
        program = finished(builder, name, {"X'0": (value,)}, ())
        places = (planes, memory) if back else (memory, planes)
        result.append(Function(name, program, recording, places))
    return result


def _at_least(learned: Plan, machine: Machine) -> float:
    """Cycles as in `Functions.cost`, if no word had to change its lane."""
    return sum(cycles(single(r, machine), machine.lanes) for r in (learned.update, learned.seal))


Bodies = Mapping[tuple[str, str], str]
"""(function, machine) to the lines between its braces."""


def prove_stream(cipher: StreamAead[Any], read: Bodies, among: Sequence[Machine] = ORDER) -> dict[str, Any]:
    """Every function that was read from a file, proven; see `c.prove`."""
    proofs = dict[str, Any]()
    for name in dict.fromkeys(machine for _, machine in read):
        made = _lowered(cipher, MACHINES[name], among is ORDER)
        place = made.machine.layout(cipher.word_bits, made.order)
        wanted = [f for f in made.all() if not f.empty and not f.parts] + made.slices
        if made.pair is not None and (made.pair.name, name) in read:
            wanted.append(made.pair)
        proofs[name] = prove_read(wanted, read, name, place)
    return proofs


def prove_read(made: Sequence[Function], read: Bodies, machine: str, place: Layout) -> dict[str, Any]:
    """Each of these functions as a file has it, proven: operations and cuts by name."""
    proven = {}
    for f in made:
        if (f.name, machine) not in read:
            raise NotEqual(f"{f.name}, {machine}: not in the file")
        routines = {name: body for (name, m), body in read.items() if m == machine}
        text = program(read[f.name, machine], machine, f.program, routines)
        inputs, outputs = f.places or (place, place)
        proof = prove(text, f.recording, outputs, inputs)
        proven[f.name] = {"operations": proof.operations, "cuts": proof.cuts}
    return proven


def words_of(learned: Plan) -> dict[str, Any]:
    """The number of words of each array of the generated program, by its letter."""
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
