"""What a kernel costs, read from its machine code, and what ``kernels/budget.toml`` allows.

Counted are the instructions of the inner loop: the longest loop that holds no other of a fourteenth of its
length or more, or the whole kernel where there is none: all of them, since each is issued, and by kind,
since a device pays by pipe. A branch that is not always taken is counted as if it were, and a short loop
within once.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from roundworks.errors import KernelError
from roundworks.gpu import build

# Three-input logic, exchange between lanes, look-ups in shared memory, byte permutations.
KINDS = ("LOP3", "SHFL", "LDS", "PRMT")
_SPILLS = "spilled_bytes"
SHORT = 14  # what fits this often into a loop does not make it an outer one
_OWN = ("registers", _SPILLS, "instructions")


@dataclass(frozen=True, slots=True)
class KernelCost:
    """One kernel on one architecture."""

    entry: str
    architecture: str
    registers: int
    spilled_bytes: int
    loop: Mapping[str, int]  # kind -> instructions of the inner loop

    def numbers(self) -> dict[str, int]:
        loop = {kind: self.loop.get(kind, 0) for kind in KINDS}
        own = (self.registers, self.spilled_bytes, sum(self.loop.values()))
        return dict(zip(_OWN, own, strict=True)) | loop


def costs(code: build.MachineCode) -> list[KernelCost]:
    """Of every kernel of a family, in the order of the machine code."""
    resources = dict(_resources(code.ptxas))
    read = [
        KernelCost(entry, code.architecture, *resources[entry], inner_loop(text))
        for entry, text in _functions(code.text)
    ]
    if not read or {cost.entry for cost in read} != resources.keys():
        raise KernelError(f"{code.family} for {code.architecture}: the tools name different kernels")
    return read


def allowed(entry: str, architecture: str) -> dict[str, int]:
    """The budget of a kernel: a kind that is not named is 0, and an architecture may have its own.
    Spills have no budget: none are allowed.
    """
    with (build.home() / "budget.toml").open("rb") as file:
        budgets: dict[str, dict[str, Any]] = tomllib.load(file)
    if entry not in budgets:
        raise KernelError(f"{entry}: no budget; give it one in kernels/budget.toml")
    given = dict(budgets[entry])
    own = {name: given.pop(name) for name in build.ARCHITECTURES if name in given}
    budget: dict[str, int] = given | own.get(architecture, {})
    names = (*(name for name in _OWN if name != _SPILLS), *KINDS)
    if unknown := budget.keys() - set(names):
        raise KernelError(f"kernels/budget.toml: {entry}: {min(unknown)!r} not known; one of {names}")
    return {_SPILLS: 0} | dict.fromkeys(KINDS, 0) | budget


def excess(cost: KernelCost) -> list[str]:
    """A line for each number over its budget.

    nvcc makes different code of the same source from one run to the next, whatever seed it is given. A thousandth of the
    loop's instructions, in all and of each kind, may come with that.
    """
    budget = allowed(cost.entry, cost.architecture)
    more = budget.get("instructions", 0) // 1000
    return [
        f"{cost.entry} on {cost.architecture}: {name}: want at most {budget[name]}, got {number}"
        for name, number in cost.numbers().items()
        if number > budget.get(name, number) + (0 if name in ("registers", _SPILLS) else more)
    ]


_INSTRUCTION = re.compile(r"\s+/\*[0-9a-f]{4,}\*/\s+(?:@!?U?P\w+\s+)?([A-Z]\w*)(.*)")
_TARGET = re.compile(r"`\((\.L_\w+)\)")


def inner_loop(text: str) -> Counter[str]:
    """Kinds of instruction between the label that a jump goes back to and the jump."""
    labels: dict[str, int] = {}
    kinds: list[str] = []
    loops: list[tuple[int, int]] = []
    for line in text.splitlines():
        if label := re.match(r"(\.L_\w+):", line):
            labels[label[1]] = len(kinds)
        elif found := _INSTRUCTION.match(line):
            target = _TARGET.search(found[2])
            # The jump to itself behind every kernel is no loop.
            if found[1] == "BRA" and target and labels.get(target[1], len(kinds)) < len(kinds):
                loops.append((labels[target[1]], len(kinds)))
            kinds.append(found[1])

    def holds_another(a: int, b: int) -> bool:
        return any((c, d) != (a, b) and a <= c and d <= b and SHORT * (d - c) >= b - a for c, d in loops)

    inner = [loop for loop in loops if not holds_another(*loop)]
    first, last = max(inner, key=lambda loop: loop[1] - loop[0], default=(0, len(kinds) - 1))
    return Counter(kinds[first : last + 1])


def _functions(text: str) -> Iterator[tuple[str, str]]:
    parts = re.split(r"^\t\.section\t\.text\.(\w+),.*$", text, flags=re.M)
    return zip(parts[1::2], parts[2::2], strict=True)


def _resources(ptxas: str) -> Iterator[tuple[str, tuple[int, int]]]:
    """Each kernel's registers and bytes spilled."""
    for part in ptxas.split("Compiling entry function '")[1:]:
        registers = re.search(r"Used (\d+) registers", part)
        spills = re.search(r"(\d+) bytes spill stores, (\d+) bytes spill loads", part)
        if registers is None or spills is None:
            raise KernelError(f"{part.split(chr(39))[0]}: ptxas reports no registers or spills")
        yield part.split("'")[0], (int(registers[1]), int(spills[1]) + int(spills[2]))
