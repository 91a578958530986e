"""Parts of a state that meet in the tag alone, as lanes of AEGIS-128X: where the whole state has more values than the
CPU has registers, one part goes through rounds and blocks after another, each with all registers to itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ..lower.program import Program

if TYPE_CHECKING:
    from .functions import Function, Functions

Register = tuple[str, int]
# What a round changes; a block of ciphertext stands where that of the message did.
_CHANGED = {"s": "s", "x": "x", "z": "x", "v": "v"}
_BLOCKS = ("update", "seal_block", "open_block")


def parted(made: Functions) -> Functions:
    """The same functions, each with those of the parts where it has parts and there is no space for all of them."""
    update, space = made.straight["update"], made.machine.registers
    if made.machine.bits < 128 or made.machine.cell or update.program.live <= space:
        return made
    of_steps = {
        call.function.name: call.function
        for step in made.steps.values()
        for _, calls in step
        for call in calls
    }
    listed = of_steps | {name: made.straight[name] for name in _BLOCKS}
    apart = _apart(list(listed.values()))
    groups = list[set[Register]]()
    # The most for which there is space, in parts of equal size; one by one if there is none.
    for size in (size for size in range(len(apart), 0, -1) if len(apart) % size == 0):
        groups = [set().union(*apart[i : i + size]) for i in range(0, len(apart), size)]
        if max(f.program.live for f in _split(update, groups)) <= space:
            break
    if len(groups) == 1:
        return made
    split = {name: replace(f, parts=_split(f, groups)) for name, f in listed.items()}
    steps = {
        name: [
            (times, [replace(call, function=split[call.function.name]) for call in calls])
            for times, calls in step
        ]
        for name, step in made.steps.items()
    }
    return replace(made, straight=made.straight | {name: split[name] for name in _BLOCKS}, steps=steps)


def _apart(functions: Sequence[Function]) -> list[set[Register]]:
    """The registers of state, block and what is kept, in sets of which no function takes one for another."""
    sets: list[set[Register]] = []
    for f in functions:
        for name in f.program.outputs:
            joined = {f.register(name), *_taken(f, name)}
            for other in [each for each in sets if each & joined]:
                joined |= other
                sets.remove(other)
            sets.append(joined)
    return sorted(sets, key=min)


def _taken(f: Function, name: str) -> set[Register]:
    """The registers of these that an output depends on."""
    needed = _needed(f.program, [name])
    return {(_CHANGED[a], i) for v, (a, i) in enumerate(f.reads) if v in needed and a in _CHANGED}


def _needed(program: Program, names: Sequence[str]) -> set[int]:
    """The values that these outputs are made of."""
    needed = {v // program.lanes for name in names for v in program.outputs[name]}
    for i in reversed(range(len(program.ops))):
        if program.first + i in needed:
            needed.update(program.ops[i].args)
    return needed


def _split(f: Function, groups: Sequence[set[Register]]) -> tuple[Function, ...]:
    """The function of each group."""
    return tuple(
        replace(
            f,
            name=f"{f.name}_{chr(ord('a') + k)}",
            program=_of(f.program, [name for name in f.program.outputs if f.register(name) in group]),
        )
        for k, group in enumerate(groups)
    )


def _of(program: Program, names: Sequence[str]) -> Program:
    """A program of some of the outputs."""
    needed, first, lanes = _needed(program, names), program.first, program.lanes
    kept = [i for i in range(len(program.ops)) if first + i in needed]
    place = {v: v for v in range(first)} | {first + i: first + at for at, i in enumerate(kept)}

    def moved(values: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(place[v // lanes] * lanes + v % lanes for v in values)

    return replace(
        program,
        ops=tuple(replace(program.ops[i], args=tuple(place[a] for a in program.ops[i].args)) for i in kept),
        outputs={name: moved(program.outputs[name]) for name in names},
        cuts=tuple((node, moved(vs)) for node, vs in program.cuts if all(v // lanes in place for v in vs)),
    )
